"""What nested answers are made of: fields in groups, and kinds of lists with the texts that hold them (`nested.py`)."""

from __future__ import annotations

from dataclasses import dataclass

GROUPS = [  # (names of an object, {its key: a field of the generator})
    (
        "address|home|location",
        {"street": "address", "postal_code": "postal_code", "city": "city", "country": "country"},
    ),
    ("address|delivery_address|shipping_address", {"address": "address", "zip": "postal_code", "city": "city"}),
    ("contact|contact_details|contacts", {"email": "email", "phone": "phone", "website": "website"}),
    ("customer|client|buyer", {"name": "customer", "email": "email", "phone": "phone", "city": "city"}),
    ("person|employee|contact_person", {"name": "name", "age": "age", "email": "email", "phone": "phone"}),
    (
        "job|employment|work",
        {"title": "job_title", "company": "company", "salary": "salary", "department": "department"},
    ),
    ("vendor|seller|supplier|shop", {"name": "vendor", "city": "city", "phone": "phone"}),
    ("venue|location|place", {"name": "venue", "address": "address", "city": "city"}),
    ("total|amount|sum", {"value": "amount", "currency": "currency"}),
    ("price|cost|fee", {"amount": "price", "currency": "currency"}),
    ("product|item|article", {"name": "product", "color": "color", "price": "price", "quantity": "quantity"}),
    ("product|details", {"name": "product", "brand": "brand", "material": "material", "weight_kg": "weight_kg"}),
    ("event|appointment|meeting", {"title": "event", "date": "date", "time": "time"}),
    ("schedule|when", {"date": "date", "start": "time", "end": "end_time"}),
    ("invoice|bill", {"number": "invoice_number", "date": "date", "due_date": "due_date", "amount": "amount"}),
    ("order", {"id": "order_id", "status": "status", "delivery_date": "delivery_date"}),
    ("payment", {"method": "payment_method", "amount": "amount", "currency": "currency"}),
]


@dataclass(frozen=True)
class Listing:
    """A kind of list. intros: texts with `{list}`; shapes: how one entry is written; keys: its key -> field; outer: keys
    of the whole -> field, which the intro states in slots."""

    names: str
    intros: str
    shapes: str
    keys: dict[str, str]
    outer: dict[str, str]


LISTINGS = [
    Listing(
        "items|positions|order_lines|products",
        """Order {order_id} for {customer}: {list}. Please deliver to {city}.
Hello, we would like to order {list}. Ship it to {customer} in {city}, our reference is {order_id}.
{customer} ordered {list} (order {order_id}).
Delivery note {order_id}¶{list}¶Received by {customer}, {city}
Shopping bag of {customer}¶{list}¶Order number {order_id}
Bestellung {order_id} von {customer}¶{list}¶Lieferung nach {city}
Commande {order_id} pour {customer}, {city} :¶{list}
Hi, {customer} here, {city}. I need {list}. Can you confirm order {order_id}?
Packing list no. {order_id}¶{list}¶Recipient: {customer}, {city}""",
        """{quantity} x {product} at {price}|{quantity} {product} ({price} each)|{product}, {quantity} pieces, {price}
{product}: {quantity} at {price} each|{quantity} of the {product} for {price} a piece|{product} | {quantity} | {price#}
{quantity}x {product} {price#}|{product} ({quantity}), {price}|{quantity} pcs. {product} - {price}""",
        {"product": "product", "quantity": "quantity", "price": "price"},
        {"order_id": "order_id", "customer": "customer", "city": "city"},
    ),
    Listing(
        "lines|items|positions",
        """INVOICE {invoice_number}¶{vendor}¶Date: {date}¶{list}¶Total: {amount}
Invoice {invoice_number} of {vendor}, {date}: {list}. Altogether {amount}.
{vendor}¶Receipt {invoice_number}¶{list}¶TOTAL {amount}¶{date}
Rechnung {invoice_number}¶{vendor}, {date}¶{list}¶Summe {amount}
Facture {invoice_number} du {date}¶{vendor}¶{list}¶Total {amount}
Your bill from {vendor} ({invoice_number}, dated {date}): {list}. The sum is {amount}.
{date}, {vendor}: we bought {list}, {amount} in all, bill no. {invoice_number}.""",
        """{product} {price#}|{product} .... {price#}|{product}: {price}|{product} for {price}|{product} | {price#}|{product} ({price})""",
        {"description": "product", "price": "price"},
        {"invoice_number": "invoice_number", "vendor": "vendor", "date": "date", "amount": "amount"},
    ),
    Listing(
        "people|employees|team|members|staff",
        """The team of {company}: {list}.
{company}, {city}¶{list}
At {company} in {city} you will meet {list}.
Contacts at {company}¶{list}¶Office: {city}
Unser Team bei {company}:¶{list}
L'équipe de {company} ({city}) :¶{list}
New at {company}: {list}. All of them work in {city}.
Present from {company}: {list}
Who is who, {company} {city}¶{list}""",
        """{name}, {job_title}, {email}|{name} ({job_title}, {email})|{job_title}: {name}, {email}|{name} - {job_title} - {email}
{name} is the {job_title} ({email})|{name} | {job_title} | {email}|{name} <{email}>, {job_title}""",
        {"name": "name", "job_title": "job_title", "email": "email"},
        {"company": "company", "city": "city"},
    ),
    Listing(
        "children|guests|passengers|players|students",
        """Booking for {list}, arrival {date} in {city}.
Passengers to {city} on {date}¶{list}
The {city} team: {list}. First match: {date}.
Guest list, {date}¶{list}¶Place: {city}
We are a family from {city}: {list}. We come on {date}.
Reise nach {city} am {date}:¶{list}
Voyage à {city}, {date} : {list}""",
        """{name}, {age}|{name} ({age})|{name}, aged {age}|{name}, {age} years old|{name} - {age}|{age} - {name}|{name}: {age} years""",
        {"name": "name", "age": "age"},
        {"city": "city", "date": "date"},
    ),
    Listing(
        "sessions|programme|talks|slots",
        """Programme of the {event}, {venue}¶{list}
{event} at {venue}: {list}.
{event}¶{list}¶All in {venue}
Agenda ({event}, {venue})¶{list}
Ablauf: {event}, {venue}¶{list}
At the {event} in {venue} we hear {list}.
Programme : {event}, {venue}¶{list}""",
        """{time} {title}, {name}|{time}: {name}, "{title}"|{title} with {name} at {time}|{time} - {title} ({name})|{name} on "{title}", {time}
{time} | {title} | {name}|"{title}" ({name}, {time})""",
        {"time": "time", "title": "event", "speaker": "name"},
        {"event": "event", "venue": "venue"},
    ),
    Listing(
        "products|offers|articles",
        """For sale in {city}: {list}. Call {phone}.
Price list of {vendor}¶{list}¶{city}, {phone}
{vendor} has {list}. Phone: {phone}.
Flea market finds, {city}¶{list}¶{phone}
Zu verkaufen in {city}: {list}. Tel. {phone}
À vendre à {city} : {list}. Tél. {phone}
New at {vendor}, {city}: {list}""",
        """{product} ({color}), {price}|{color} {product} for {price}|{product}, {color}: {price}|{product} in {color}, {price}
{product} | {color} | {price}|{product}, {color}, now {price}""",
        {"name": "product", "color": "color", "price": "price"},
        {"vendor": "vendor", "city": "city", "phone": "phone"},
    ),
    Listing(
        "branches|offices|locations|stores",
        """{company} has branches here: {list}. {website}
{company} - our shops¶{list}¶{website}
Find {company}: {list}
Filialen von {company}:¶{list}
Nos agences ({company}) : {list}. {website}""",
        """{address}, {city}, {phone}|{city}: {address}, tel. {phone}|{city}, {address} ({phone})|{phone} - {address}, {city}
{city} | {address} | {phone}""",
        {"city": "city", "street": "address", "phone": "phone"},
        {"company": "company", "website": "website"},
    ),
]
