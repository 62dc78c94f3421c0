"""What the example texts are read into. Fields that a text does not give become None.

guided extract examples/texts/people --schema examples/models.py:Person --quotes
"""

from typing import Literal

from pydantic import BaseModel


class Person(BaseModel):
    """Somebody, and how to reach them."""

    name: str
    age: int | None
    job_title: str | None
    company: str | None
    email: str | None
    phone: str | None
    city: str | None


class Order(BaseModel):
    """What a customer ordered."""

    order_id: str | None
    customer: str | None
    product: str
    quantity: int
    price: float | None
    currency: Literal["USD", "EUR", "GBP", "CHF", "JPY"] | None
    status: Literal["pending", "shipped", "delivered", "cancelled"] | None
    delivery_date: str | None


class Invoice(BaseModel):
    """A bill, and whether it is paid."""

    invoice_number: str
    vendor: str
    customer: str | None
    amount: float
    currency: Literal["USD", "EUR", "GBP", "CHF", "JPY"] | None
    due_date: str | None
    paid: bool | None


class Event(BaseModel):
    """Something to go to."""

    event: str
    date: str | None
    time: str | None
    venue: str | None
    city: str | None
    organizer: str | None
    speakers: list[str] | None
    attendees: int | None
    online: bool | None
