"""What the example texts say, written down by hand: path under examples/texts -> class in examples/models.py, data."""

from __future__ import annotations

from typing import Any

EXPECTED: dict[str, tuple[str, dict[str, Any]]] = {
    "people/colleague.txt": (
        "Person",
        {
            "name": "Marisol Quintero",
            "age": 41,
            "job_title": "product designer",
            "company": None,
            "email": "marisol.quintero@brightfield.io",
            "phone": "+34 611 203 947",
            "city": "Valencia",
        },
    ),
    "people/conference.txt": (
        "Person",
        {
            "name": "Tobias Grönlund",
            "age": None,
            "job_title": "data engineer",
            "company": "Fjordlight Analytics",
            "email": "tobias.gronlund@fjordlight.no",
            "phone": None,
            "city": "Bergen",
        },
    ),
    "people/card.txt": (
        "Person",
        {
            "name": "Adaeze Okonjo",
            "age": None,
            "job_title": "civil engineer",
            "company": "Harmattan Bridges Ltd",
            "email": "a.okonjo@harmattan-bridges.com",
            "phone": "+234 803 555 0142",
            "city": "Lagos",
        },
    ),
    "orders/lamps.txt": (
        "Order",
        {
            "order_id": "A-20931",
            "customer": "Wexford Libraries",
            "product": "reading lamps",
            "quantity": 24,
            "price": 38.5,
            "currency": "USD",
            "status": "shipped",
            "delivery_date": "May 14, 2026",
        },
    ),
    "orders/kettle.txt": (
        "Order",
        {
            "order_id": "77418-KT",
            "customer": "Nora Halloran",
            "product": "copper kettles",
            "quantity": 2,
            "price": 64.0,
            "currency": "GBP",
            "status": "pending",
            "delivery_date": "3 November",
        },
    ),
    "invoices/catering.txt": (
        "Invoice",
        {
            "invoice_number": "INV-2026-0417",
            "vendor": "Saffron & Sage Catering",
            "customer": "Carla Delacroix",
            "amount": 2340.75,
            "currency": "EUR",
            "due_date": "30 June 2026",
            "paid": False,
        },
    ),
    "invoices/repair.txt": (
        "Invoice",
        {
            "invoice_number": "88213",
            "vendor": "Kestrel Plumbing",
            "customer": None,
            "amount": 415.0,
            "currency": "USD",
            "due_date": "March 2, 2026",
            "paid": None,
        },
    ),
    "events/summit.txt": (
        "Event",
        {
            "event": "Coastal Robotics Summit",
            "date": "October 9, 2026",
            "time": "9:30",
            "venue": "Harbourview Hall",
            "city": "Trieste",
            "organizer": "Nordwind Labs",
            "speakers": ["Ilse Vandermeer", "Rashid Tamimi"],
            "attendees": 450,
            "online": None,
        },
    ),
    "events/winter_poetry.txt": (
        "Event",
        {
            "event": "Winter Poetry Night",
            "date": "January 23",
            "time": "7:30 pm",
            "venue": None,
            "city": None,
            "organizer": "Bellwether Books",
            "speakers": None,
            "attendees": 80,
            "online": True,
        },
    ),
}
