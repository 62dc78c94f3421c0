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
[Steckbrief|Profil]¶Name: {name}¶Alter: {age}¶Wohnort: {city}¶Beruf: {job_title}¶[Sprachen|Spricht]: {languages}¶[Hobbys|Freizeit]: {hobbies}
{name} [leitet|übernimmt] [ab {date}|künftig] die Abteilung {department} bei {company}. Davor war {s} [lange|{N} Jahre] in {NOT_city}. [Durchwahl|Büro]: {phone}.
[Mitgliedsantrag|Aufnahmeantrag]¶Vorname: {first_name}¶Nachname: {last_name}¶Straße: {address}¶Ort: {postal_code} {city}¶Geburtsdatum: {birth_date}¶Mail: {email}[¶Jahresbeitrag: {price}|]
Moin, hier {name@first}. Mein Handy ist [weg|kaputt], bitte nur noch {phone} anrufen. [Oder schreib an|Mail geht auch:] {email}
[Die Neue|Der Neue] am Empfang heißt {name}, ist {age} und [wohnt|lebt] seit kurzem in {city}. {S} kann {languages}[ und liebt {hobbies}|].
[Notfallkontakt|Im Notfall verständigen]: {name}, {phone}. [Hausarzt|Zahnarzt]: {OTHER}. Adresse: {address}, {city}
Aus dem Arbeitsvertrag: {name}, geboren am {birth_date}, wird als {job_title} eingestellt. Bruttogehalt {salary} im Jahr. [Arbeitsort ist|Einsatzort:] {city}.
[Zeugnis|Empfehlung]: {name} war {years_experience} Jahre {job_title} bei {company}. [Wir danken|Wir empfehlen {p0}] herzlich. {OTHER}, {city}
[Vermieterin|Hausverwaltung]: {name}, {address}, {postal_code} {city}, [erreichbar|Sprechzeit] ab {time}, {phone}
Kennt ihr {name}? [{S} ist|Er oder sie ist] {job_title} in {city}, [spricht auch {languages}|nimmt {price} die Stunde] und hat noch Termine frei. {website}
{MR} {name@last} [aus der Abteilung|von] {department} [geht|verabschiedet sich] am {date} in [Rente|Elternzeit]. [Nachfolger|Vertretung]: {OTHER}.
[Unsere Trainerin|Unser Trainer] {name} ({age}) [kommt|stammt] aus {city}. [Kontakt|Bei Fragen]: {email} [oder {phone}|]
[Kleinanzeige|Nachbarschaftshilfe]: [Rentner|Studentin] {name@first}, {age}, [repariert|gießt] alles in {city}. {price} die Stunde. Anruf: {phone}
[Familienstand|Stand]: verheiratet{married=true}. Name: {name}. Wohnhaft: {address}, {postal_code} {city}. [Beruf|Tätigkeit]: {job_title}. Arbeitgeber: {company}
Können Sie {name} bitte [zurückschreiben|antworten]? {S} fragt wegen [der|dem] {THING}, Adresse {email}, und arbeitet bei {company} in {city}.
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
Bestellung vom {order_date,date}¶Nr.: {order_id}¶Kunde: {customer}¶Artikel: {product}¶Menge: {quantity}¶Einzelpreis: {price}¶[Lieferung am|Liefertermin:] {delivery_date}
{vendor} [teilt mit|meldet]: [Auftrag|Bestellung] {order_id} [ist unterwegs{status=shipped}|wurde zugestellt{status=delivered}|wartet auf Ware{status=pending}|wurde storniert{status=cancelled}]. Inhalt: {quantity} x {product}.
Hallo {vendor}, [ich hätte gern|wir brauchen] {quantity} [Stück |]{product} in {color}. [Liefern Sie|Bitte] an {address}, {postal_code} {city}. [Ich zahle bar.{payment_method=cash}|Zahlung per Überweisung.{payment_method=transfer}|Ich zahle mit PayPal.{payment_method=paypal}] {customer,name@person}
[Telefonnotiz|Anruf]: {customer@company} [erhöht|ändert] {order_id} auf {quantity} {product}. Neuer Gesamtpreis {amount}. [Rückfragen an|Ansprechpartner] {name}, {phone}.
[Packzettel|Kommissionierschein] {order_id}¶{quantity} {product}¶[Ziel|Nach]: {city}¶[Dringend{priority=high}|Normale Eile{priority=medium}|Kann warten{priority=low}]¶Kunde: {customer}
Ihre Reklamation zu {order_id}: [wir ersetzen|wir tauschen] {product} kostenlos. Neue Lieferung bis {delivery_date}. [Porto übernehmen wir.|] {vendor}, {email}
{customer@first}, dein Paket ({product}) liegt [bei {OTHER}|im Laden] in der {address}. [Abholen bis|Öffnet um] {time}. Sendung {order_id}.
[Blumen|Torte|Kuchen] für {customer,name@person}: bitte am {delivery_date} um {time} an {address}, {city}. [Preis|Kosten] {price}, [bar bei Abholung{payment_method=cash}|mit Karte bezahlt{payment_method=card}].
Sammelbestellung der Schule: {quantity} x {product}, {price} je Stück, zusammen {amount}. [Geld an|Kasse führt] {name}. [Schluss ist am|Bestellschluss:] {due_date}
[Frage|Anfrage]: Was kostet der Versand von {product} nach {city}? [Sie schreiben|Im Shop steht] {shipping_cost}. Kundin: {customer,name@person}, {email}
[Nicht als Geschenk einpacken|Keine Geschenkverpackung]{gift=false}, bitte. {product}, {color}, an {customer,name@person}, {address}, {postal_code} {city}. Bestellung {order_id}.
[Mietvertrag|Leihschein] {order_id}: {product}, ab {date}, {price} pro Tag. [Mieter|Entleiher]: {customer,name@person}, {phone}.
Die Lieferung {order_id} an {customer@company} [verspätet sich|kommt später]: neuer Termin {delivery_date} statt {NOT_delivery_date}. [Ware|Inhalt]: {product}.
[Getränkebestellung|Bürobedarf] für {company}: {items}. [Lieferung|Anlieferung] am {date}, {address}, {city}.
Rabatt! Auf {product} gibt es {discount} %, also [nur noch|jetzt] {price}. [Code|Aktion] {order_id}. Versand {shipping_cost}. {vendor}
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
{vendor}¶Beleg {invoice_number}¶{date}, {time}¶{LINES}¶[Zu zahlen|Betrag] {amount}¶[bar erhalten{payment_method=cash}{paid=true}|Girocard{payment_method=card}{paid=true}|PayPal{payment_method=paypal}{paid=true}]
[Handwerkerrechnung|Schlussrechnung] {invoice_number}: [Arbeiten|Material und Arbeit] bei {customer@person}, {address}, {city}. Summe {amount}, darin Steuer {tax}. Fällig am {due_date}. {vendor}
Rechnung an {customer@company}¶[Nummer|Nr.] {invoice_number}¶{quantity} x {product} zu {price}¶Gesamtbetrag {amount}¶[Frist|Zahlungsziel]: {due_date}¶{vendor}, {city}
Hallo Buchhaltung, {vendor} hat {invoice_number} [doppelt|falsch] berechnet. [Richtig wären|Der richtige Betrag ist] {amount}. [Bitte nicht zahlen.|] Gruß {OTHERFIRST}
[Ihre Handyrechnung|Ihre Monatsrechnung] {invoice_number}¶[Kunde|Kundin]: {customer@person}¶[Gesprächszeit {N} Minuten¶|]Rechnungsbetrag {amount}¶wird am {due_date} abgebucht
Quittung: {amount} [von|bezahlt von] {name,customer} für {product} erhalten{paid=true}. {city}, {date}. {vendor}
[Letzte Mahnung|Zweite Mahnung]{paid=false} an {customer@person}: {amount} aus Rechnung {invoice_number}, [zahlbar|spätestens] bis {due_date}. {vendor}, {phone}
Gutschrift {invoice_number}: [für das zurückgegebene|für] {product} überweisen wir {amount}{payment_method=transfer}. {vendor}, {date}
[Hotelrechnung|Rechnung] {invoice_number}¶Gast: {customer,name@person}¶Abreise: {date}¶{LINES}¶Endbetrag: {amount}¶{vendor}, {address}, {postal_code} {city}
{vendor} schickt uns die [Rechnung|Abrechnung] {invoice_number} über {amount}. [Die hat {OTHERFIRST} heute überwiesen{paid=true}|Bezahlt ist noch nichts{paid=false}].
[Vereinsbeitrag|Kursgebühr] {name,customer}: {amount}, [Einzug|Lastschrift] am {due_date}. [Fragen|Kontakt]: {email}
Von der Summe {amount} ziehen wir {discount} % Skonto ab, wenn Sie bis {due_date} zahlen. Rechnung {invoice_number}, {vendor}.
[Tankstelle|Kiosk] {vendor}, {city}¶{product} {price#}¶[MwSt|Steuer] {tax#}¶SUMME {amount}¶[BAR{payment_method=cash}{paid=true}|KARTE{payment_method=card}{paid=true}]¶{date}
Lieber {OTHERFIRST}, für [die Reise|die Feier] habe ich {amount} ausgelegt, Beleg {invoice_number} von {vendor}. Bitte bis {due_date} [zurückzahlen|erstatten]. {BYE} {name}
[Proforma-Rechnung|Vorabrechnung] {invoice_number} vom {date}: {product}, Menge {quantity}, Stückpreis {price}, Fracht {shipping_cost}, [insgesamt|zusammen] {amount}. {vendor}
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
[Wann|Termin]: {date}, {time}¶[Was|Thema]: {event}¶[Wo|Ort]: {venue}, {city}¶[Eintritt|Preis]: {price}¶[Wer|Leitung]: {organizer}
{organizer} lädt zu {event} ein: {date}, Beginn {time}, Ende {end_time}. [Treffpunkt|Ort] ist {venue}. [Anmeldung|Zusagen] an {email}.
Huhu! Am {date} {event} bei {name@first}, {address}. [Los geht's|Start] um {time}. [Bring was zu trinken mit.|Kinder willkommen.]
[Achtung, Raumänderung|Neuer Raum]: {event} ist jetzt in {venue} statt {NOT_venue}. [Zeit bleibt|Beginn] {time}. {organizer}
{event} in {city}¶{date}¶Einlass {NOT_time}, Beginn {time}¶[Vorverkauf|Karte] {price}¶[Infos|Web]: {website}
[Ratssitzung|Bürgerversammlung]{category=meeting} am {date} um {time}, {venue}. Thema: {event}. [Es kamen|Gezählt wurden] {attendees} Leute.
Für {event} haben sich {attendees} [Personen|Leute] angemeldet. [Referenten|Es sprechen]: {speakers}. Wir treffen uns in {venue}[, {city}|].
[Kursbestätigung|Anmeldebestätigung] für {name}: {event}, ab {date}, immer {WEEKDAY} {time}. Gebühr {price}, zahlbar bis {due_date}.
Das {event} ist [ausgebucht|ausverkauft]. Zusatztermin: {date}, {time}, {venue}. [Restkarten|Karten] bei {organizer}, {phone}.
[Videokonferenz|Online-Treffen]{online=true}: {event}, {date}, {time}. [Einladung|Link] kommt von {name,organizer@person} ({email}).
[Geburtstagsfeier|Party]{category=party} von {name,organizer@first}: {date}, {time}, {venue}. Bitte bis {due_date} zusagen, {phone}.
Zum {event} [kommt ihr|kommen Sie] am besten mit der Bahn nach {city}. [Beginn|Start]: {date}, {time}. [Gäste|Erwartet]: {attendees}.
Rückblick: {event} in {venue}, {city}. [Über|Rund] {attendees} Besucher, [Dank an|organisiert von] {organizer}. [Fotos|Bilder] auf {website}
[Konzert|Liederabend]{category=concert} am {WEEKDAY}, {date}: {event}. {venue}, {time}. Karten zu {price} [an der Abendkasse|bei {organizer}].
Liebe Eltern, {event} ist am {date} von {time} bis {end_time} in {venue}. Unkosten {price}, [Helfer|Fragen] bitte an {name}, {email}.
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
Artikel: {product}¶Farbe: {color}¶Material: {material}¶Preis: {price}¶Gewicht: {weight_kg} kg¶[Lieferbar: ja{in_stock=true}|Lieferbar: nein{in_stock=false}]
Mein neuer {product} von {brand} [hält|gefällt mir] gut. Bezahlt habe ich {price}. {rating} von 5 [Punkten|Sternen]. [Nur die Farbe ({color}) ist Geschmackssache.|]
[Gesucht|Suche]: {product} aus {material}, gern {color}. Ich zahle bis {price} und hole in {city} ab. {name@first}, {phone}
[Rückruf|Wichtiger Hinweis]: {product} der Marke {brand}, Artikelnummer {sku}. [Bitte nicht mehr benutzen.|] [Erstattung|Sie erhalten] {price}. [Fragen an|Kontakt] {email}
{vendor} [senkt|reduziert] den Preis: {product} jetzt {price}, vorher {NOT_price}. [Gilt in|Filiale] {city}.
[Zu verschenken|Gratis]: {product}, {color}, [kleiner Kratzer|noch gut]. Steht in {address}, {city}. {name@first}, {email}
Datenblatt {sku}¶Marke {brand}¶{product}¶{material}, {color}¶{weight_kg} kg¶[Garantie|Gewährleistung]: {warranty_years} Jahre
Der {product} kostet bei {vendor} {price} und mit Versand ({shipping_cost}) {NOT_price}. [Lager voll{in_stock=true}|Zurzeit nicht da{in_stock=false}].
[Inventur|Bestand]: {product}, {color}, Nr. {sku}, {quantity} Stück. [Verkaufspreis|VK] {price}.
[Wochenmarkt|Hofladen] {city}: {product} {price}, [solange da|nur {WEEKDAY}]. {vendor}, {phone}
[Garantiekarte|Kaufbeleg]: {product}, gekauft am {date} bei {vendor} für {price}. {warranty_years} Jahre Garantie.
Ist {product} auch in {color} [lieferbar|da]? Auf Ihrer Seite steht {price}, Artikel {sku}. [Danke|Gruß] {name}, {city}
[Flohmarkt|Auflösung] bei {name@first}, {address}: {product} für {price}, [alles muss weg|nur bar{payment_method=cash}]. {date} ab {time}
[Testurteil|Test]: {product} (Hersteller: {brand}), {rating} Punkte. [Gut verarbeitet|Robust], {weight_kg} kg schwer, {price}. [Minus: nur in {color}.|]
[Bausatz|Set] {product} von {brand}: [aus {material}|{material}], {price}, {discount} % unter Listenpreis. {website}
"""

SCENES = {"person": PEOPLE, "order": ORDERS, "invoice": INVOICES, "event": EVENTS, "product": PRODUCTS}
