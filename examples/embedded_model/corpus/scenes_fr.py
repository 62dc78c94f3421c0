"""French texts as people write them, one a line; `scenes.py` reads them."""

from __future__ import annotations

PEOPLE = """
{HELLO}¶[pour information|petite info] : {name} [commence|arrive] le {date} [chez nous|dans l'équipe] [comme|en tant que] {job_title}. [Son adresse|On peut lui écrire] : {email}[, tél. {phone}|].¶{BYE}¶{OTHERFIRST}
[Patient|Client|Adhérent] : {name}, né(e) le {birth_date}, demeurant {address}, {postal_code} {city}. Tél. {phone}. [marié(e){married=true}|célibataire{married=false}|]
{MR} {name}, {age} ans, [habite à|vit à] {city} et travaille [comme {job_title} |]chez {company}. [Loisirs|Ses passions] : {hobbies}.
Bonjour, je m'appelle {name@first}, j'ai {age} ans et [j'habite|je vis] à {city}. Je suis {job_title}[ chez {company}|]. [Mon mail|Écrivez-moi] : {email}
[Candidature|Profil] : {name}, {age} ans, {job_title}, [langues|parle] : {languages}, {years_experience} ans d'expérience. [Salaire souhaité|Prétentions] : {salary}. {email}
[Nous cherchons|On recrute] : {job_title} (h/f) à {city}, {years_experience} ans d'expérience. Salaire à partir de {salary}. [CV à|Écrire à] {email}.
{MR} {name@last} a [appelé|téléphoné] [ce matin|deux fois], merci de rappeler au {phone}. [Société {company}.|C'est urgent.|]
{name}¶{job_title}¶{company}¶{address}¶{postal_code} {city}¶[Tél.|Tél :] {phone}¶{email}
Changement d'adresse : {name}, {address}, {postal_code} {city}[, à partir du {date}|].
[Perdu|Chat perdu] : [gris{color=gris}|noir{color=noir}], vu [près du|au] {address}[, {city}|]. Appelez {name@first} au {phone}. Récompense !
[Visiteur|Rendez-vous] le {date} : {name} ({company}), arrive à {time}. Accueil : {OTHER}.
Cherche [professeur de piano|baby-sitter] à {city}, {price} de l'heure. {name}, {email}[ ou {phone}|].
"""
ORDERS = """
{HELLO}¶ma commande {order_id} ({product}) [n'est toujours pas arrivée|n'est pas là]. [Le site dit « expédiée »{status=shipped}|Le suivi indique « en attente »{status=pending}]. [J'ai payé par carte{payment_method=card}|J'ai payé par virement{payment_method=transfer}|].¶{BYE}¶{customer,name@person}[¶{phone}|]
Merci pour votre [commande|achat] chez {vendor} ! Commande {order_id} : {quantity} x {product}, total {amount}. [Votre colis est parti{status=shipped}|Votre colis est en préparation{status=pending}|Colis livré{status=delivered}].
Merci d'annuler la commande {order_id}{status=cancelled}, [mauvaise taille|je me suis trompé]. {BYE} {customer,name@person}
Bon de livraison¶[Expéditeur|De] : {vendor}, {city}¶[Destinataire|À] : {customer@company}¶{quantity} [cartons|sacs] {product}[, {weight_kg} kg|]¶[Livré|Remis]{status=delivered} le {date}
{customer@company} voudrait {quantity} {product}[ en {color}|] avant le {delivery_date,due_date}, {price} [pièce|l'unité]. Livraison à {city}. [Très urgent !{priority=high}|Pas pressé.{priority=low}|] Contact : {name}.
Table pour {attendees,quantity} [personnes|couverts] le {date} à {time}, au nom de {name@last}. Tél. {phone}.
Réparation {order_id} : {product}, {color}, [ne s'allume plus|écran cassé]. Devis {price}, prêt le {date}. Client : {customer,name@person}, {phone}.
[C'est un cadeau|Emballage cadeau]{gift=true} : {product}, à envoyer à {OTHER}, {address}, {postal_code} {city}. De la part de {customer,name@person}.
"""
INVOICES = """
FACTURE¶{vendor}¶[Facture n°|N°] {invoice_number}¶[Date :|Le] {date}¶[Client|À] : {customer}¶¶{LINES}¶[Port {shipping_cost#}¶|][TVA {N} % {tax#}¶|]Total {amount}¶[À payer avant le|Échéance :] {due_date}
{vendor}¶{address}, {postal_code} {city}¶{LINES}¶TOTAL {amount}¶[CB{payment_method=card}{paid=true}|Espèces{payment_method=cash}{paid=true}|Carte bancaire{payment_method=card}{paid=true}] {date} {time}¶Merci de votre visite
[Rappel|Relance]{paid=false} : la facture {invoice_number} du {NOT_date}, {amount}, [n'est pas réglée|reste impayée]. [Merci de payer|Règlement] avant le {due_date}. {vendor}
Nous avons bien reçu votre paiement de {amount}{paid=true} pour la facture {invoice_number}. {BYE} {vendor}, {city}
Devis {invoice_number} pour {MR} {customer@person} : {product}, couleur {color}. Total {amount} [HT|TTC]. Valable jusqu'au {due_date}.
Virement de {amount} à {vendor}, référence {invoice_number}, de {name,customer}, le {date}
Don : {name,customer}, {city}, {amount} reçu le {date}{paid=true}[ par chèque| par carte{payment_method=card}| en espèces{payment_method=cash}].
"""
EVENTS = """
[Invitation|Venez nombreux] : {event} le {date} à {time}, {venue}, {city}. [Entrée libre|Entrée {price}]. [Organisé par|Organisateur :] {organizer}.
{event}, {WEEKDAY} {date}, {time}, {venue}, {city}. [Billets|Entrée] : {price}. Avec {speakers}.
{HELLO}¶pourrions-nous [louer|réserver] {venue} le {date} pour {event} ? Nous serons [environ |]{attendees} personnes.¶{BYE}¶{name}[¶{phone}|]
Coucou, c'est {name@first}. {event} [a lieu|sera] le {date} à partir de {time}, {venue}. Nous sommes {attendees} ! Réponse avant le {due_date} : {email}
Rappel : votre rendez-vous avec {MR} {organizer,name@person} est le {WEEKDAY} {date} à {time}. [Pour annuler|En cas d'empêchement] : {phone}.
Webinaire{online=true} « {event} » : {date}, {time} à {end_time}. Animé par {name,organizer@person}, {job_title}. [Tarif|Prix] {price}. {email}
Le cours « {event} » est reporté. Nouvelle date : {date}, {time}, {venue}. {price}[ tout compris|].
Notre chorale chante le {date}, {venue}, {city}{category=concert}. [À|Début :] {time}, {price}. Infos : {name@first}, {email}
Le voyage à {city} coûte {price} par personne ; {attendees} inscrits. Paiement avant le {due_date} auprès de {name}.
Désolée, je dois annuler [ce soir|notre dîner]. {WEEKDAY} à {time}, chez [nous|moi] ? {address}. Bises, {name@first}
"""
PRODUCTS = """
[À vendre|Vends] : {product}, {color}, [bon état|peu servi]. {price}[ à débattre|]. À [récupérer|retirer] à {city}. [Appelez|Tél.] {name@first}, {phone}.
{product}, {material}, {color}. {price} au lieu de {NOT_price}. [En stock{in_stock=true}|Disponible{in_stock=true}|Épuisé{in_stock=false}|Rupture de stock{in_stock=false}]. Poids {weight_kg} kg. [Garantie {warranty_years} ans.|] [Note : {rating} sur 5|]
{brand} {product} (réf. {sku}), {color}, {price}, port {shipping_cost}. {vendor}
Chambre à louer, {N} m², {price} par mois, libre le {date}. {address}, {postal_code} {city}. Contact : {name@first}, {phone}.
Bonjour, {product} toujours disponible ? Vous prendriez {price} au lieu de {NOT_price} ? Je suis à {city} {WEEKDAY}. Cordialement, {name@first}
Carte¶{LINES}¶[prix en {CUR}|]¶{vendor}, {address}, {city}
[Promo|Offre de la semaine] : {product} à {price}, {discount} % de remise. {vendor}, {city}
Lot {N} : {product}, {material}, vers {N4}. Mise à prix {price}. Offres jusqu'au {due_date} à {email}.
"""

SCENES = {"person": PEOPLE, "order": ORDERS, "invoice": INVOICES, "event": EVENTS, "product": PRODUCTS}
