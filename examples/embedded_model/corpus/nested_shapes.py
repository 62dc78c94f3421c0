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
    ("employer|company|firm", {"name": "company", "city": "city", "website": "website", "phone": "phone"}),
    ("applicant|candidate", {"name": "name", "age": "age", "experience_years": "years_experience", "salary": "salary"}),
    ("profile|about", {"languages": "languages", "skills": "skills", "hobbies": "hobbies"}),
    ("patient|member|tenant", {"name": "name", "birth_date": "birth_date", "address": "address", "city": "city"}),
    (
        "delivery|shipment|shipping",
        {"date": "delivery_date", "cost": "shipping_cost", "city": "city", "status": "status"},
    ),
    ("offer|deal", {"product": "product", "price": "price", "discount": "discount", "shipping": "shipping_cost"}),
    (
        "specs|properties|features",
        {"color": "color", "material": "material", "weight": "weight_kg", "warranty": "warranty_years"},
    ),
    ("stock|availability", {"sku": "sku", "quantity": "quantity", "in_stock": "in_stock"}),
    ("host|organizer|organiser", {"name": "organizer", "email": "email", "phone": "phone", "website": "website"}),
    ("admission|tickets|entry", {"price": "price", "currency": "currency", "email": "email"}),
    (
        "reservation|booking|table",
        {"name": "name", "date": "date", "time": "time", "guests": "attendees", "phone": "phone"},
    ),
    ("totals|summary", {"tax": "tax", "shipping": "shipping_cost", "total": "amount", "currency": "currency"}),
    ("terms|settlement", {"due": "due_date", "paid": "paid", "method": "payment_method"}),
    ("position|vacancy|role", {"title": "job_title", "department": "department", "salary": "salary", "city": "city"}),
    ("caller|sender|author", {"name": "name", "company": "company", "phone": "phone", "email": "email"}),
    ("lines|purchase|goods", {"product": "product", "quantity": "quantity", "unit_price": "price"}),
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
Packing list no. {order_id}¶{list}¶Recipient: {customer}, {city}
Purchase order {order_id}, {customer}, {city}:¶{list}
Please put {list} on order {order_id}. {customer} will fetch everything in {city}.
Missing from parcel {order_id}: {list}. Could you look into it? {customer}, {city}
Dear shop, {customer} from {city} would like {list} (reference {order_id}).
{order_id}¶{customer} ({city})¶¶{list}¶¶Thank you!
Auftragsbestätigung {order_id}¶Kunde: {customer}, {city}¶{list}
Guten Tag, {customer} aus {city} braucht {list}. Auftragsnummer {order_id}.
Bonjour, je voudrais commander {list}. {customer}, {city}, référence {order_id}
Bon de commande {order_id} ({customer}) :¶{list}
Stand {city}: {customer} took {list}; slip {order_id}.
Goods out, {order_id}¶¶{list}¶¶for {customer}, by van to {city}""",
        """{quantity} x {product} at {price}|{quantity} {product} ({price} each)|{product}, {quantity} pieces, {price}
{product}: {quantity} at {price} each|{quantity} of the {product} for {price} a piece|{product} | {quantity} | {price#}
{quantity}x {product} {price#}|{product} ({quantity}), {price}|{quantity} pcs. {product} - {price}
{product}: {price} x {quantity}|{quantity} x {product} @ {price#}|{price} each for {quantity} {product}|{product} - qty {quantity} - {price}
qty {quantity}: {product}, unit price {price}|{quantity} | {product} | {price#}|[{quantity}] {product} {price#}|{product} x {quantity} = {price} apiece
{quantity} units of {product} ({price} per unit)""",
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
{date}, {vendor}: we bought {list}, {amount} in all, bill no. {invoice_number}.
{vendor} thanks you for your visit on {date}¶{list}¶To pay: {amount}¶Slip {invoice_number}
Credit note {invoice_number} ({vendor}, {date}): {list}. You get back {amount}.
Expenses, {date}¶{list}¶Sum {amount}¶(paper from {vendor}, no. {invoice_number})
{vendor} sent us a bill over {amount} on {date}: {list}. Its number is {invoice_number}.
Quote {invoice_number}¶{vendor}, {date}¶¶{list}¶¶All together: {amount}
Kassenbon {invoice_number}¶{vendor}¶{list}¶SUMME {amount}¶{date}
Laut Rechnung {invoice_number} von {vendor} vom {date}: {list}. Zusammen {amount}.
Ticket de caisse {invoice_number}¶{vendor}, {date}¶{list}¶À payer : {amount}
Note de frais du {date} ({vendor}, n° {invoice_number}) :¶{list}¶Somme : {amount}""",
        """{product} {price#}|{product} .... {price#}|{product}: {price}|{product} for {price}|{product} | {price#}|{product} ({price})
{price} {product}|{price#} - {product}|{product} = {price}|{product} costs {price}|{product} @ {price}
{product} → {price#}|1 x {product}: {price#}|* {product} * {price#}|{product} (net {price})|{product}  {price}""",
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
Who is who, {company} {city}¶{list}
{company} ({city}) is run by {list}.
Directory¶{company}¶{list}¶{city}
Meet the crew of {company}:¶{list}
For questions about {company}, ask {list}. We are in {city}.
Speakers from {company}, {city}: {list}
Starting next month at {company}: {list}. Desk: {city}.
Ansprechpartner bei {company}, {city}¶{list}
In {city} arbeiten für {company}: {list}.
Annuaire {company}, {city}¶{list}
Chez {company} ({city}), vous pouvez écrire à {list}.""",
        """{name}, {job_title}, {email}|{name} ({job_title}, {email})|{job_title}: {name}, {email}|{name} - {job_title} - {email}
{name} is the {job_title} ({email})|{name} | {job_title} | {email}|{name} <{email}>, {job_title}
{email}: {name}, {job_title}|{job_title} {name}, mail {email}|{name}; {job_title}; {email}|{job_title} | {name} | {email}|{name} works as {job_title}, {email}
{name}: {job_title} / {email}|{name} <{email}> ({job_title})|{email} ({name}, {job_title})|{job_title} - {name} <{email}>""",
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
Voyage à {city}, {date} : {list}
Class trip to {city}, {date}. With us: {list}.
Swimming course in {city}, from {date}¶{list}
For the flight to {city} on {date} we need seats for {list}.
Who turned up in {city} on {date}: {list}.
Consent forms ({city}, {date}) are missing for:¶{list}
Hotel in {city}, {date}: beds for {list}, please.
Youth squad {city}¶{list}¶Cup on {date}
Anmeldung {city}, {date}¶{list}
Wir kommen am {date} nach {city}: {list}.
Inscriptions pour {city}, le {date} :¶{list}""",
        """{name}, {age}|{name} ({age})|{name}, aged {age}|{name}, {age} years old|{name} - {age}|{age} - {name}|{name}: {age} years
{name} / {age}|{name} | {age}|{age} | {name}|{name} [{age}]|{name} is {age}|{name} (age {age})
{name}; age {age}|{name} (aged {age})|{age}: {name}""",
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
Programme : {event}, {venue}¶{list}
Timetable for {event} in {venue}:¶{list}
What is on at {event}? {list}. Doors of {venue} open early.
{venue} hosts {event}. Speakers: {list}.
Running order¶{event}¶{list}¶Stage: {venue}
Our day at {event} ({venue}) looks like this: {list}.
{event} - schedule¶{list}¶Where: {venue}
Vorträge bei {event}, Raum {venue}¶{list}
Tagesplan {event}¶¶{list}¶¶Ort: {venue}
Déroulé de {event}, {venue} :¶{list}
Au programme de {event} ({venue}) : {list}.""",
        """{time} {title}, {name}|{time}: {name}, "{title}"|{title} with {name} at {time}|{time} - {title} ({name})|{name} on "{title}", {time}
{time} | {title} | {name}|"{title}" ({name}, {time})
{name}: {title}, {time}|{name} ({time}) - {title}|{title} | {name} | {time}|{time} {name}: {title}|from {time}: {title}, speaker {name}
{time} / {name} / {title}|{title}, {name}, {time}|{time} - "{title}" by {name}|at {time} "{title}", presented by {name}""",
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
New at {vendor}, {city}: {list}
Clearance at {vendor}: {list}. Only in {city}.
Moving out of {city}, must sell {list}. Ring {phone}.
{vendor} catalogue, page 3¶{list}¶Orders by phone: {phone}
Lost-property sale, {city}¶¶{list}
In the window of {vendor}: {list}. Reserve under {phone}.
Second-hand from {city}: {list}; {phone}
Angebote bei {vendor}, {city}¶{list}¶Tel. {phone}
Bei {vendor} gibt es {list}. Anruf genügt: {phone}
Chez {vendor}, {city} : {list}. Tél. {phone}
Soldes {vendor}¶{list}""",
        """{product} ({color}), {price}|{color} {product} for {price}|{product}, {color}: {price}|{product} in {color}, {price}
{product} | {color} | {price}|{product}, {color}, now {price}
{price}: {product}, {color}|{product} - {color} - {price}|{color} | {product} | {price#}|{product} [{color}] {price}|{product}; {color}; {price}
{product}, colour {color}, {price}|one {color} {product} at {price}|{product} ({price}, {color})|{price} for a {color} {product}""",
        {"name": "product", "color": "color", "price": "price"},
        {"vendor": "vendor", "city": "city", "phone": "phone"},
    ),
    Listing(
        "branches|offices|locations|stores",
        """{company} has branches here: {list}. {website}
{company} - our shops¶{list}¶{website}
Find {company}: {list}
Filialen von {company}:¶{list}
Nos agences ({company}) : {list}. {website}
Our doors are open ({company}):¶{list}
{company} moved. New addresses: {list}. See {website}
You can pick up your order from {company} here: {list}.
Opening soon¶{company}¶{list}¶More on {website}
Store finder {company} ({website})¶{list}
All sites of {company}: {list}
Standorte {company}¶{list}¶{website}
{company} finden Sie hier: {list}. Mehr auf {website}
Magasins {company}¶{list}¶{website}
Vous trouverez {company} ici : {list}.""",
        """{address}, {city}, {phone}|{city}: {address}, tel. {phone}|{city}, {address} ({phone})|{phone} - {address}, {city}
{city} | {address} | {phone}
{city} - {address} - {phone}|{address} in {city}, call {phone}|{phone} | {city} | {address}|{city} office, {address}, {phone}|{city} ({address}): {phone}
{address}; {city}; {phone}|{city} branch: {address}, phone {phone}|in {city}, {address}, T {phone}|{address} ({city}) - {phone}""",
        {"city": "city", "street": "address", "phone": "phone"},
        {"company": "company", "website": "website"},
    ),
    Listing(
        "bookings|reservations|stays|rooms",
        """Arrivals at {vendor}, {city}¶{list}
{vendor}, {city}: {list}. Please prepare the rooms.
Hello reception, we have {list} this month. {vendor}, {city}
Bookings at {vendor}¶{list}¶House: {city}
New reservations for {vendor} ({city}): {list}.
From the booking system of {vendor}:¶{list}
Dear team in {city}, note these stays: {list}. Regards, {vendor}
Buchungen {vendor}, {city}¶{list}
Folgende Gäste kommen nach {city}: {list}. {vendor}
Réservations {vendor} ({city}) :¶{list}
Pour {vendor}, {city}, nous attendons {list}.""",
        """{guest}, {nights} nights from {arrival}, {price}|{guest}: arrival {arrival}, nights {nights}, {price} per night|{arrival} {guest} ({nights} nights) {price}|{guest} | {arrival} | {nights} | {price#}
{nights} nights for {guest} from {arrival} at {price}|{arrival} - {guest} - {nights} nights - {price}|{guest} comes on {arrival}, stays {nights} nights and pays {price}|{guest} ({arrival}; nights: {nights}; {price})|{guest} arrives {arrival}, {nights} nights, {price} a night|{arrival} | {guest} | {nights} | {price#}""",
        {"guest": "name", "arrival": "date", "nights": "quantity", "price": "price"},
        {"vendor": "vendor", "city": "city"},
    ),
    Listing(
        "meetings|appointments|calendar|agenda",
        """{date}, calendar of {name}¶{list}
{name}, your day ({date}): {list}.
On {date} {name} has {list}.
Diary for {date}¶{list}¶Owner: {name}
Good morning {name}! Today, {date}, you have {list}.
Appointments {date}, {name}:¶{list}
Please block these times for {name} on {date}: {list}.
Termine am {date} für {name}¶{list}
Am {date} hat {name} {list}.
Agenda de {name}, {date} :¶{list}
Le {date}, {name} a {list}.""",
        """{start} to {end}: {title}, {room}|{start}-{end}: {title} ({room})|{title}, {start} until {end}, {room}|{start} | {end} | {title} | {room}|{title} in {room}, {start} - {end}
{room}: {title}, {start}-{end}|from {start} to {end}: {title} ({room})|{title} ({start}-{end}, {room})|{start} - {end}: {title} @ {room}|{title} | {room} | {start} | {end}""",
        {"start": "time", "end": "end_time", "title": "event", "room": "venue"},
        {"date": "date", "name": "name"},
    ),
    Listing(
        "medications|medicines|prescriptions|drugs",
        """Medication plan¶{name}, born {birth_date}¶{list}
{name} (born {birth_date}) takes {list}.
Please give {name} every day: {list}.
Prescription for {name}, date of birth {birth_date}:¶{list}
Discharge note, {name}: {list}. Born {birth_date}.
Nurse's sheet¶¶{list}¶¶Patient {name}
After the operation {name} needs {list}.
Medikamente von {name}, geb. {birth_date}¶{list}
{name} nimmt täglich {list}.
Ordonnance : {name}, {birth_date}¶{list}
{name} doit prendre {list}.""",
        """{drug}, {tablets} tablets at {time}|{drug}: {tablets} x at {time}|{tablets} of {drug}, {time}|{drug} ({tablets} tabl., {time})|{time} {drug}: {tablets}
{time}: {tablets} tablets of {drug}|{drug} | {tablets} | {time}|{time} | {drug} | {tablets}|{drug}, dose {tablets}, taken at {time}|{tablets} x {drug} ({time})""",
        {"drug": "brand", "tablets": "warranty_years", "time": "time"},
        {"name": "name", "birth_date": "birth_date"},
    ),
    Listing(
        "courses|classes|lessons|trainings",
        """Courses at {vendor}, {city}¶{list}
{vendor} in {city} offers {list}. {website}
New this term at {vendor}:¶{list}¶Register: {website}
You can still join {list}. {vendor}, {city}
Evening school {city}¶{list}¶{website}
Learn something new! {list}. All at {vendor}.
Our teachers at {vendor} ({city}): {list}.
Kursprogramm {vendor}¶{list}¶{city}, {website}
Bei {vendor} in {city} beginnen bald {list}.
Cours proposés par {vendor}, {city} :¶{list}
Inscrivez-vous chez {vendor} : {list}. {website}""",
        """{course} with {teacher}, {price}|{course} ({teacher}), {price}|{course}: {teacher}, fee {price}|{course} | {teacher} | {price#}|{teacher} teaches {course} for {price}
{price}: {course}, {teacher}|{course} - {teacher} - {price}|{teacher}, "{course}", {price}|{teacher} | {course} | {price#}|{course}, taught by {teacher} ({price})""",
        {"course": "event", "teacher": "name", "price": "price"},
        {"vendor": "vendor", "city": "city", "website": "website"},
    ),
    Listing(
        "tickets|issues|cases|tasks",
        """Open tickets at {company}, {date}¶{list}
{company}, status on {date}: {list}.
Still open: {list}. Best, the helpdesk of {company}
Support queue ({company})¶{list}¶Exported {date}
Handover {date}: {list}.
Bug list {company}¶¶{list}¶¶as of {date}
From today's stand-up, {date}: {list}.
Offene Fälle {company}, Stand {date}¶{list}
Am {date} waren bei {company} offen: {list}.
Tickets en cours chez {company} :¶{list}
Au {date}, il reste {list}.""",
        """{id}, {assignee}, {priority} priority|{id} ({priority}): {assignee}|{assignee} has {id}, priority {priority}|{id} | {assignee} | {priority}|#{id} {priority} - {assignee}
[{priority}] {id} assigned to {assignee}|{id} - {priority} - {assignee}|{priority}: {id} ({assignee})|{assignee} | {id} | {priority}|{id} goes to {assignee} with {priority} priority""",
        {"id": "order_id", "assignee": "name", "priority": "priority"},
        {"company": "company", "date": "date"},
    ),
    Listing(
        "stock|inventory|articles|goods",
        """Stock of {vendor}, {city}¶{list}
Inventory {date}¶{list}¶Warehouse: {city}
In our {city} warehouse on {date}: {list}.
{vendor} counted {list} on {date}.
Please reorder {list}. Depot {city}
Stock count¶¶{list}¶¶{vendor}, {date}
We found these on the shelves in {city}: {list}. {vendor}
Lagerbestand {vendor}, {date}¶{list}
Im Lager {city} sind noch {list}.
Inventaire du {date}, {vendor}¶{list}
En stock à {city} : {list}. {vendor}""",
        """{sku} {product}, {quantity} left|{product} ({sku}): {quantity}|{quantity} x {product}, item no. {sku}|{sku} | {product} | {quantity}|{product}, art. {sku}, quantity {quantity}
{sku}: {product}, {quantity} pcs.|{quantity} of {product} [{sku}]|{product} - {sku} - {quantity}|{product} | {quantity} | {sku}|{product}, {quantity} in stock ({sku})""",
        {"sku": "sku", "product": "product", "quantity": "quantity"},
        {"vendor": "vendor", "city": "city", "date": "date"},
    ),
    Listing(
        "contacts|phone_list|extensions|numbers",
        """Phone list of {company}¶{list}
At {company} you reach {list}.
{company}, {city} - who to call¶{list}
If the heating fails, call {list}. {company}, {city}
Emergency numbers {company}:¶{list}
New extensions in {city}: {list}.
Contacts ({company})¶¶{list}¶¶Head office {city}
Telefonliste {company}, {city}¶{list}
Bei {company} erreichen Sie {list}.
Contacts utiles, {company} :¶{list}
Chez {company} à {city}, appelez {list}.""",
        """{name}, {department}, {phone}|{department}: {name}, {phone}|{name} ({department}) {phone}|{name} | {department} | {phone}|{phone} - {name}, {department}
{department} - {name} - {phone}|{phone}: {name} ({department})|{name} from {department}, tel. {phone}|{department} | {name} | {phone}|{name}, {phone} ({department})""",
        {"name": "name", "department": "department", "phone": "phone"},
        {"company": "company", "city": "city"},
    ),
    Listing(
        "apartments|flats|homes|listings",
        """To let in {city}¶{list}¶{vendor}, {phone}
{vendor} lets {list}. Viewings: {phone}.
Flats in {city}:¶{list}¶Call {phone}
We have three ideas for you in {city}: {list}. {vendor}
Property news from {vendor}: {list}.
Vacant homes, {city}¶{list}
Still free: {list}. Ring {vendor} on {phone}.
Wohnungen in {city}¶{list}¶{vendor}, Tel. {phone}
{vendor} vermietet {list}. Tel. {phone}
Appartements à louer, {city}¶{list}¶{vendor}
À {city}, {vendor} propose {list}. Tél. {phone}""",
        """{address}, {area} m², {price}|{address}: {area} sqm, rent {price}|{area} m² at {address} for {price}|{address} | {area} | {price#}|{price} a month, {area} m², {address}
{address} ({area} m²) - {price}|{area} sqm, {address}, {price} per month|{address} - {area} m² - {price}|{price}: {address}, {area} sqm|{area} | {address} | {price#}""",
        {"address": "address", "area": "quantity", "price": "price"},
        {"vendor": "vendor", "city": "city", "phone": "phone"},
    ),
    Listing(
        "payments|transactions|transfers|donations",
        """Account of {vendor}¶{list}
{vendor} received {list}.
Payments to {vendor}, invoice {invoice_number}:¶{list}
For invoice {invoice_number} we got {list}. {vendor}
Donors¶{list}¶Thank you! {vendor}
Bank statement¶¶{list}¶¶{vendor}
Cash book of {vendor}: {list}.
Zahlungseingänge {vendor}¶{list}
Zur Rechnung {invoice_number} kamen {list}. {vendor}
Paiements reçus, {vendor} :¶{list}
Pour la facture {invoice_number} : {list}. {vendor}""",
        """{date} {payer} {amount}|{payer} paid {amount} on {date}|{amount} from {payer}, {date}|{date} | {payer} | {amount#}|{payer}: {amount} ({date})
{date}: {amount}, {payer}|{amount} on {date} by {payer}|{payer} - {date} - {amount}|{payer} | {amount#} | {date}|{payer} gave {amount} on {date}""",
        {"date": "date", "payer": "name", "amount": "amount"},
        {"vendor": "vendor", "invoice_number": "invoice_number"},
    ),
    Listing(
        "parcels|shipments|packages|deliveries",
        """Parcels of {customer}¶{list}
{vendor} sent {customer} {list}.
Tracking overview, {vendor}:¶{list}
Dear {customer}, here is the state of your parcels: {list}. {vendor}
Shipments today¶{list}¶{vendor}
Where are my parcels? The page says {list}. {customer}
{vendor} logistics¶¶{list}¶¶Account: {customer}
Sendungen für {customer}¶{list}¶{vendor}
Ihre Pakete, {customer}: {list}. {vendor}
Colis de {customer} ({vendor}) :¶{list}
Suivi {vendor} : {list}.""",
        """{tracking_number} to {city}: {status}|{tracking_number} ({city}), {status}|{status}: {tracking_number}, {city}|{tracking_number} | {city} | {status}|{city}, no. {tracking_number}, {status}
{tracking_number} - {status} - {city}|the one to {city} ({tracking_number}) is {status}|{city}: {tracking_number} [{status}]|{status} | {tracking_number} | {city}|{tracking_number} for {city} is {status}""",
        {"tracking_number": "order_id", "city": "city", "status": "status"},
        {"customer": "customer", "vendor": "vendor"},
    ),
    Listing(
        "trips|departures|connections|flights",
        """Departures {date}¶{list}¶{company}
{company} on {date}: {list}.
Timetable of {company}:¶{list}¶Valid from {date}
You could take {list}. All on {date} with {company}.
Tickets for {date}¶{list}
{company} still has seats: {list}.
Leaving on {date}¶¶{list}¶¶{company}
Abfahrten am {date}, {company}¶{list}
Mit {company} am {date}: {list}.
Départs du {date} ({company}) :¶{list}
{company} propose {list}, le {date}.""",
        """{time} {destination}, {price}|{destination} at {time} for {price}|{destination}: {time}, {price}|{time} | {destination} | {price#}|to {destination}, {time}, {price}
{destination} ({time}) - {price}|{price} to {destination} at {time}|{time} - {destination} - {price}|{destination} | {price#} | {time}|to {destination} at {time} ({price})""",
        {"destination": "city", "time": "time", "price": "price"},
        {"company": "company", "date": "date"},
    ),
    Listing(
        "shifts|roster|duties|schedule",
        """Roster {department}, {date}¶{list}
{department} on {date}: {list}.
Who works when ({date})?¶{list}
On {date} we have {list} in {department}.
Duty plan, {department}¶{list}¶{date}
Could you swap? The plan for {date} says {list}.
Volunteers {date}¶¶{list}¶¶{department}
Dienstplan {department}, {date}¶{list}
Am {date} arbeiten {list}.
Planning du {date}, {department} :¶{list}
Le {date}, nous avons {list}.""",
        """{name} {start}-{end}|{name}, {start} to {end}|{start}-{end}: {name}|{name} | {start} | {end}|{name} from {start} until {end}
{start} to {end} {name}|{name} ({start} - {end})|from {start} to {end}: {name}|{start} | {end} | {name}|{name}: {start} till {end}""",
        {"name": "name", "start": "time", "end": "end_time"},
        {"department": "department", "date": "date"},
    ),
    Listing(
        "applicants|candidates|applications|shortlist",
        """Candidates for {job_title}, {company}¶{list}
{company} is looking for a {job_title} and has invited {list}.
Shortlist ({job_title})¶{list}
The following people want to be our {job_title}: {list}. {company}
Interviews for {job_title} at {company}:¶{list}
We heard from {list}. The post is {job_title}.
HR, {company}¶¶{list}¶¶Post: {job_title}
Bewerbungen als {job_title} bei {company}¶{list}
Für die Stelle {job_title} haben sich beworben: {list}.
Candidats au poste de {job_title} ({company}) :¶{list}
{company} a reçu {list} pour le poste {job_title}.""",
        """{name}, {age}, {salary}|{name} ({age}) asks for {salary}|{name}: age {age}, salary {salary}|{name} | {age} | {salary#}|{name}, aged {age}, expects {salary}
{name} - {age} - {salary}|{salary}: {name}, {age}|{name}, {age} years old, would like {salary}|{name} | {salary#} | {age}|{name} ({age}, {salary})""",
        {"name": "name", "age": "age", "salary": "salary"},
        {"job_title": "job_title", "company": "company"},
    ),
    Listing(
        "events|concerts|shows|dates",
        """What's on in {city}¶{list}
{city} this season: {list}. {website}
Programme from {organizer}, {city}:¶{list}
{organizer} invites you to {list}.
Save the dates¶{list}¶{website}
We are on tour again: {list}. Tickets on {website}
Calendar {city}¶¶{list}¶¶{organizer}
Veranstaltungen in {city}¶{list}¶{website}
{organizer} lädt ein: {list}. {website}
Agenda culturel, {city} :¶{list}
{organizer} vous invite : {list}.""",
        """{date} / {title} / {venue}|{title}, {date}, {venue}|{date}: {title} ({venue})|{date} | {title} | {venue}|{title} on {date} in {venue}
{venue}, {date}: {title}|{title} ({venue}, {date})|{date} - {title} - {venue}|{title} | {venue} | {date}|on {date}: {title} at {venue}""",
        {"date": "date", "title": "event", "venue": "venue"},
        {"city": "city", "website": "website", "organizer": "organizer"},
    ),
    Listing(
        "lots|exhibits|pieces|finds",
        """Auction in {city}, {date}¶{list}
{vendor} will sell {list} on {date}.
Lots at {vendor}:¶{list}¶{city}
Our museum shop in {city} has {list}.
From the estate¶{list}¶{vendor}, {city}
Coming under the hammer on {date}: {list}. {vendor}
Catalogue {vendor}¶¶{list}¶¶Sale: {date}
Auktion {vendor}, {date}¶{list}
In {city} werden am {date} versteigert: {list}.
Vente du {date}, {city}¶{list}¶{vendor}
{vendor} met en vente {list}.""",
        """{item} ({material}), {price}|{item}, {material}, estimate {price}|{item}: {material}, {price}|{item} | {material} | {price#}|{item} made of {material}, {price}
{price} for the {item} ({material})|{item} - {material} - {price}|{item} of {material} from {price}|{material} | {item} | {price#}|{item}, material {material}, {price}""",
        {"item": "product", "material": "material", "price": "price"},
        {"vendor": "vendor", "city": "city", "date": "date"},
    ),
]
