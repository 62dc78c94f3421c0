"""German texts as people write them, one a line; `scenes.py` reads them."""

from __future__ import annotations

PEOPLE = """
{HELLO}¶[zur Info|kurz zur Info|nur ganz kurz]: [unsere neue Kollegin|unser neuer Kollege] {name} [fängt|beginnt] am {date} [bei uns|im Team] an[, Abteilung {department}|]. [Zuletzt war {s} bei {NOT_company}.|] [Erreichbar unter|Mail:] {email}[, Tel. {phone}|].¶{BYE}¶{OTHERFIRST}
[Patient|Kunde|Mieter|Mitglied]: {name}, geb. {birth_date}, wohnhaft {address}, {postal_code} {city}. [Telefon|Tel.|Handy]: {phone}. [verheiratet{married=true}|ledig{married=false}|geschieden{married=false}|]
{MR} {name} [wird|ist] {age} Jahre alt, [kommt aus|wohnt in|lebt in] {city} und arbeitet [als {job_title} |]bei {company}. [Hobbys|In der Freizeit]: {hobbies}.
Hallo, ich heiße {name@first}, bin {age} und [wohne|lebe] in {city}. Ich [arbeite|bin] [als |]{job_title} bei {company}. [Meine Mail|Schreib mir]: {email}
[Bewerbung|Kurzprofil]: {name}, {age} Jahre, {job_title}, [spricht|Sprachen:] {languages}. [Berufserfahrung|Erfahrung]: {years_experience} Jahre. [Gehaltswunsch|Gehaltsvorstellung]: {salary}. {email}
[Wir suchen|Gesucht]: {job_title} (m/w/d) [in|für den Standort] {city}. [Mindestens|Ab] {years_experience} Jahre Erfahrung, {languages}. [Gehalt|Jahresgehalt] ab {salary}. [Bewerbungen an|Bitte schreiben an] {email}.
{MR} {name@last} hat [angerufen|zweimal angerufen] und bittet um Rückruf [heute noch|bis morgen] unter {phone}. [Es geht um die Rechnung.|Firma {company}.|]
{name}¶{job_title}[, {department}|]¶{company}¶{address}, {postal_code} {city}¶[Tel.|Telefon|T] {phone}¶{email}
[Achtung|Liebe alle], neue Adresse: {name}, {address}, {postal_code} {city}[, ab {date}|]. [Telefon bleibt gleich|Neue Nummer: {phone}].
Unser Nachbar {name} war [früher |sein Leben lang |]{job_title} und wird am {date} {age}. [Glückwünsche|Post] bitte an {address}, {postal_code} {city}.
[Krankmeldung|Abwesenheit]: {HELLO} ich bin [krank|erkältet] und komme erst {WEEKDAY} wieder. [Den Termin um {time} übernimmt {OTHERFIRST}.|] {BYE} {name}[, {department}|]
Katze [entlaufen|vermisst], [grau{color=grau}|schwarz{color=schwarz}] getigert, zuletzt gesehen {address}[ in {city}|]. Bitte [bei {name@first} |]melden: {phone}. Finderlohn!
[Gast|Besuch] am {date}: {name}, {company}, kommt um {time}. [Ansprechpartner|Empfang]: {OTHER}. [Parkplatz {N}.|]
[Klavierlehrerin|Nachhilfe|Babysitter] gesucht, {city}. Wir zahlen {price} pro Stunde. {name}, {email} [oder {phone}|].
"""
ORDERS = """
{HELLO}¶meine Bestellung {order_id} ({product}) ist [immer noch nicht da|nicht angekommen]. [Im Konto steht „versandt“{status=shipped}|Der Status ist „in Bearbeitung“{status=pending}]. [Bezahlt habe ich per Überweisung{payment_method=transfer}|Bezahlt wurde mit Karte{payment_method=card}|Gezahlt per PayPal{payment_method=paypal}|].¶{BYE}¶{customer,name@person}[¶{phone}|]
Vielen Dank für [Ihre Bestellung|Ihren Einkauf] bei {vendor}! Bestellnummer {order_id}: {quantity} x {product}, [gesamt|Summe] {amount}. [Die Ware hat heute unser Lager verlassen{status=shipped}|Wir packen gerade{status=pending}|Lieferung ist erfolgt{status=delivered}].
Bitte [stornieren Sie|stornieren] die Bestellung {order_id}{status=cancelled}, [ich habe mich vertippt|falsche Größe]. {BYE} {customer,name@person}
Lieferschein¶[Absender|Von]: {vendor}, {city}¶[Empfänger|An]: {customer@company}¶{quantity} [Stück|Kartons|Sack] {product}[, je {weight_kg} kg|]¶[Geliefert|Zugestellt]{status=delivered} am {date}
Liebe [Kollegen|Lagerleute], {customer@company} braucht {quantity} {product} [in {color} |]bis {delivery_date,due_date}, Preis {price} [das Stück|pro Stück]. Lieferung nach {city}. [Eilt sehr!{priority=high}|Hat Zeit.{priority=low}|] Kontakt: {name}.
Reparaturauftrag {order_id}: {product}, {color}, [Display defekt|geht nicht an]. [Kostenvoranschlag|Kosten ca.] {price}. Fertig [am|etwa] {date}. Kunde: {customer,name@person}, {phone}.
Guten Tag {MR} {customer@last}, Ihr {product} [liegt zur Abholung bereit|ist fertig]. Abholschein {order_id}. [Restbetrag|Noch offen]: {amount}. {vendor}, {city}, geöffnet bis {time}.
[Retoure|Rücksendung] zu {order_id}: {product}, Grund: [zu klein|defekt]. Bitte [Geld zurück per Überweisung{payment_method=transfer}|Umtausch]. {customer,name@person}, {city}
Tisch für {attendees,quantity} Personen am {date} um {time} auf den Namen {name@last}, [draußen wenn möglich|mit Kinderstuhl]. Rückfragen: {phone}.
[Das ist ein Geschenk|Als Geschenk verpacken]{gift=true}: {product}, bitte an {OTHER}, {address}, {postal_code} {city}. Auftraggeber: {customer,name@person}.
"""
INVOICES = """
RECHNUNG¶{vendor}¶[Rechnungsnummer|Rechnung Nr.|Re.-Nr.] {invoice_number}¶[Datum|Vom] {date}¶[An|Kunde]: {customer}¶¶{LINES}¶[Versand {shipping_cost#}¶|][MwSt. {N} % {tax#}¶|]Gesamt {amount}¶[Zahlbar bis|Bitte zahlen Sie bis] {due_date}
{vendor}¶{address}, {postal_code} {city}¶{LINES}¶[Summe|Gesamt|Total] {amount}¶[Bar{payment_method=cash}{paid=true}|EC-Karte{payment_method=card}{paid=true}|Kartenzahlung{payment_method=card}{paid=true}] {date} {time}¶[Vielen Dank für Ihren Besuch|Es bediente Sie {OTHERFIRST}]
[Mahnung|Zahlungserinnerung]{paid=false}: [unsere Rechnung|Rechnung] {invoice_number} vom {NOT_date} über {amount} ist [noch offen|nicht bezahlt]. [Bitte überweisen Sie|Zahlung] bis {due_date}. {vendor}
[Zahlungseingang|Wir haben Ihre Zahlung erhalten]{paid=true}: {amount} zu Rechnung {invoice_number}. [Besten Dank|Danke], {vendor}
[Angebot|Kostenvoranschlag] {invoice_number} für {MR} {customer@person}: {product}, Farbe {color}. [Zusammen|Gesamtpreis] {amount} zzgl. MwSt. Gültig bis {due_date}.
Überweisung: {amount} an {vendor}, Verwendungszweck {invoice_number}, von {name,customer}, {date}
[Stromrechnung|Wasserrechnung] {invoice_number}¶{customer@person}, {address}, {postal_code} {city}¶[Steuer|MwSt.] {tax#}¶[Betrag|Zu zahlen]: {amount}¶Abbuchung am {due_date}
Spende: {name,customer}, {city}, {amount}, erhalten am {date}{paid=true}. {organizer,vendor}
{OTHERFIRST}, ist die Rechnung von {vendor} ({invoice_number}, {amount}) schon bezahlt? [Die sagen nein.{paid=false}|Auf dem Konto fehlt nichts{paid=true}.] Fällig {due_date}.
"""
EVENTS = """
Einladung: {event} am {date} um {time}[ im| in:] {venue}, {city}. [Eintritt frei|Eintritt {price}]. [Veranstalter|Es lädt ein]: {organizer}. [Anmeldung bis {due_date} bei {email}.|]
{event}, {WEEKDAY}, {date}, {time}, {venue}, {city}. [Karten zu|Tickets] {price}. [Es sprechen|Mit] {speakers}.
{HELLO}¶[können wir|dürfen wir] am {date} [den Raum|die Halle] {venue} für [unser |das ]{event} mieten? Wir [erwarten|sind] etwa {attendees} [Gäste|Leute].¶{BYE}¶{name}[¶{phone}|]
Hallo zusammen, {name@first} hier. Das {event} [findet statt|ist] am {date} ab {time}, {venue}. Wir sind {attendees}! Bitte bis {due_date} antworten: {email}
[Terminerinnerung|Erinnerung]: Ihr Termin bei {MR} {organizer,name@person} ist am {WEEKDAY}, {date}, um {time}. [Absagen bitte|Falls Sie nicht können:] {phone}.
[Online-Seminar|Webinar]{online=true} „{event}“: {date}, {time} bis {end_time}. Leitung: {name,organizer@person}, {job_title}. [Kosten|Gebühr] {price}. {email}
Protokoll vom {date}¶Anwesend: {OTHERFIRST}, {OTHERFIRST}, {OTHERFIRST}¶- Budget: {amount}¶- Nächstes Treffen {NOT_date}, {time}, {venue}
Der Kurs „{event}“ [fällt aus|wird verschoben]. Neuer Termin: {date}, {time}, {venue}. [Noch {N} Plätze frei.|] {price}[ inkl. Material|].
Unser Chor singt am {date} [in der|im|:] {venue}, {city}{category=concert}. Beginn {time}, [Eintritt|Karten] {price}. Infos: {name@first}, {email}
Die Vereinsfahrt nach {city} kostet {price} pro Person, {attendees} haben sich angemeldet. Geld bitte bis {due_date} an {name}.
Hinweis: [Das Schwimmbad|Die Bibliothek] schließt am {date} um {time} wegen: {event}. [Rund|Etwa] {attendees} [Leute|Gäste] machen mit.
Leider muss ich [heute absagen|unser Treffen absagen]. Geht {WEEKDAY}, {time}, bei [uns|mir]? {address}. [LG|Gruß] {name@first}
"""
PRODUCTS = """
[Verkaufe|Zu verkaufen|Biete]: {product}, {color}[, {N} cm|], [kaum benutzt|guter Zustand]. {price} [VB|Festpreis|]. [Abholung in|Standort] {city}. [Tel.|Anruf an] {name@first}, {phone}.
{product}, {material}, {color}. Jetzt {price} statt {NOT_price}. [Auf Lager{in_stock=true}|Sofort lieferbar{in_stock=true}|Ausverkauft{in_stock=false}|Zurzeit nicht lieferbar{in_stock=false}]. Gewicht {weight_kg} kg. [{warranty_years} Jahre Garantie.|] [Bewertung: {rating} von 5|]
{brand} {product} (Art.-Nr. {sku}), {color}, {price}, zzgl. Versand {shipping_cost}. [Nur noch {quantity} Stück{in_stock=true}|Leider vergriffen{in_stock=false}]. {vendor}
Zimmer [frei|zu vermieten], {N} qm, {price} [warm|im Monat], ab {date}. {address}, {postal_code} {city}. [Melden bei|Kontakt:] {name@first}, {phone}.
Hallo, ist [der|die|das] {product} noch da? Würden Sie {price} statt {NOT_price} nehmen? Ich bin {WEEKDAY} in {city}. Gruß {name@first}
Speisekarte¶{LINES}¶[alle Preise in {CUR}|]¶{vendor}, {address}, {city}
[Neu im Laden|Angebot der Woche]: {product} für {price}, {discount} % [günstiger|Rabatt]. {vendor}, {city}
Los {N}: {product}, {material}, um {N4}. Startpreis {price}. Gebote bis {due_date} an {email}.
Die {product}, nach der Sie gefragt haben, ist wieder da{in_stock=true}: {price}. {vendor}, {city}, Tel. {phone}
"""

SCENES = {"person": PEOPLE, "order": ORDERS, "invoice": INVOICES, "event": EVENTS, "product": PRODUCTS}
