"""The English texts, a file for each kind: mails, notes, advertisements, receipts, lists. `scenes.py` reads them."""

from __future__ import annotations

from .scenes_en_events import EVENTS
from .scenes_en_invoices import INVOICES
from .scenes_en_orders import ORDERS
from .scenes_en_people import PEOPLE
from .scenes_en_products import PRODUCTS

SCENES = {"person": PEOPLE, "order": ORDERS, "invoice": INVOICES, "event": EVENTS, "product": PRODUCTS}
