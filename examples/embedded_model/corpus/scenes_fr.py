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
[Fiche|Profil]¶Nom : {name}¶Âge : {age}¶Ville : {city}¶Métier : {job_title}¶Langues : {languages}¶[Loisirs|Aime] : {hobbies}
{name} [dirige|prend en charge] le service {department} [de|chez] {company}[ depuis le {date}|]. {S} travaillait avant à {NOT_city}. [Ligne directe|Bureau] : {phone}.
[Bulletin d'adhésion|Inscription]¶Prénom : {first_name}¶Nom : {last_name}¶Rue : {address}¶Ville : {postal_code} {city}¶Date de naissance : {birth_date}¶Courriel : {email}
Salut, ici {name@first}. J'ai [perdu|cassé] mon portable, nouveau numéro : {phone}. [Sinon|Ou bien] {email}
[La nouvelle collègue|Le nouveau collègue] s'appelle {name}, {age} ans, et [habite|loge] à {city}. [Langues|Parle] : {languages}.
En cas d'urgence, prévenir {name}, {phone}. [Médecin|Dentiste] : {OTHER}. Domicile : {address}, {city}
Contrat : {name}, né(e) le {birth_date}, est engagé(e) comme {job_title}. Salaire annuel {salary}. Lieu de travail : {city}.
[Recommandation|Attestation] : {name} a été {job_title} pendant {years_experience} ans chez {company}. [Nous avons beaucoup apprécié son travail.|] {OTHER}, {city}
[Propriétaire|Gardien] : {name}, {address}, {postal_code} {city}, joignable dès {time} au {phone}
Vous connaissez {name} ? {S} est {job_title} à {city}, [parle {languages}|prend {price} de l'heure] et a encore des places. {website}
{MR} {name@last}, du service {department}, [part|s'en va] le {date}. [Remplacement|Successeur] : {OTHER}.
[Notre entraîneuse|Notre entraîneur], {name} ({age} ans), [vient|arrive] de {city}. Contact : {email}
[Petite annonce|Coup de main] : {name@first}, {age} ans, [jardine|bricole] à {city} pour {price} de l'heure. Tél : {phone}
État civil : [marié(e){married=true}|divorcé(e){married=false}]. Nom : {name}. Adresse : {address}, {postal_code} {city}. Profession : {job_title}. Employeur : {company}
Peux-tu répondre à {name} ? {S} travaille pour {company} à {city} et écrit de {email} [au sujet de {THING}|].
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
Commande du {order_date,date}¶N° : {order_id}¶Client : {customer}¶Article : {product}¶Quantité : {quantity}¶Prix unitaire : {price}¶[Livraison le|Livraison :] {delivery_date}
{vendor} vous informe : la commande {order_id} [est en route{status=shipped}|a été livrée{status=delivered}|attend une pièce{status=pending}|est annulée{status=cancelled}]. Contenu : {quantity} x {product}.
Bonjour {vendor}, [je voudrais|il nous faut] {quantity} {product}, couleur {color}. [Livrez|Merci de livrer] au {address}, {postal_code} {city}. [Je paie en espèces.{payment_method=cash}|Paiement par virement.{payment_method=transfer}|Je règle avec PayPal.{payment_method=paypal}] {customer,name@person}
[Appel|Note] : {customer@company} passe {order_id} à {quantity} {product}. Nouveau total {amount}. [Voir avec|Contact] {name}, {phone}.
[Bordereau|Fiche de préparation] {order_id}¶{quantity} {product}¶[Vers|Destination] : {city}¶[Urgent{priority=high}|Normal{priority=medium}|Sans urgence{priority=low}]¶Client : {customer}
Votre réclamation {order_id} : nous [remplaçons|échangeons] {product} sans frais. Nouvelle livraison le {delivery_date}. {vendor}, {email}
{customer@first}, ton paquet ({product}) t'attend [chez {OTHER}|au magasin], {address}. [À retirer avant|Ouvert dès] {time}. Envoi {order_id}.
[Un bouquet|Un gâteau] pour {customer,name@person} : livrer le {delivery_date} à {time}, {address}, {city}. Prix {price}, [en espèces{payment_method=cash}|réglé par carte{payment_method=card}].
Achat groupé de l'école : {quantity} x {product}, {price} pièce, soit {amount}. [L'argent est à remettre à|Caisse tenue par] {name}. Date limite : {due_date}
Combien coûte l'envoi de {product} à {city} ? Le site indique {shipping_cost}. {customer,name@person}, {email}
[Pas d'emballage cadeau|Ce n'est pas un cadeau]{gift=false}. {product}, {color}, pour {customer,name@person}, {address}, {postal_code} {city}. Commande {order_id}.
[Location|Prêt] {order_id} : {product}, à partir du {date}, {price} par jour. Locataire : {customer,name@person}, {phone}.
La livraison {order_id} pour {customer@company} a du retard : {delivery_date} au lieu du {NOT_delivery_date}. [Marchandise|Contenu] : {product}.
[Fournitures|Courses] pour {company} : {items}. Livraison le {date}, {address}, {city}.
[Soldes|Remise] de {discount} % sur {product}, donc {price}. Code {order_id}. Frais de port {shipping_cost}. {vendor}
"""
INVOICES = """
FACTURE¶{vendor}¶[Facture n°|N°] {invoice_number}¶[Date :|Le] {date}¶[Client|À] : {customer}¶¶{LINES}¶[Port {shipping_cost#}¶|][TVA {N} % {tax#}¶|]Total {amount}¶[À payer avant le|Échéance :] {due_date}
{vendor}¶{address}, {postal_code} {city}¶{LINES}¶TOTAL {amount}¶[CB{payment_method=card}{paid=true}|Espèces{payment_method=cash}{paid=true}|Carte bancaire{payment_method=card}{paid=true}] {date} {time}¶Merci de votre visite
[Rappel|Relance]{paid=false} : la facture {invoice_number} du {NOT_date}, {amount}, [n'est pas réglée|reste impayée]. [Merci de payer|Règlement] avant le {due_date}. {vendor}
Nous avons bien reçu votre paiement de {amount}{paid=true} pour la facture {invoice_number}. {BYE} {vendor}, {city}
Devis {invoice_number} pour {MR} {customer@person} : {product}, couleur {color}. Total {amount} [HT|TTC]. Valable jusqu'au {due_date}.
Virement de {amount} à {vendor}, référence {invoice_number}, de {name,customer}, le {date}
Don : {name,customer}, {city}, {amount} reçu le {date}{paid=true}[ par chèque| par carte{payment_method=card}| en espèces{payment_method=cash}].
{vendor}¶Ticket {invoice_number}¶{date}, {time}¶{LINES}¶[À payer|Montant] {amount}¶[payé en espèces{payment_method=cash}{paid=true}|payé par carte{payment_method=card}{paid=true}|payé avec PayPal{payment_method=paypal}{paid=true}]
[Facture de travaux|Facture finale] {invoice_number} : chantier chez {customer@person}, {address}, {city}. Total {amount}, dont TVA {tax}. Échéance {due_date}. {vendor}
Facture pour {customer@company}¶N° {invoice_number}¶{quantity} x {product} à {price}¶Total {amount}¶Échéance : {due_date}¶{vendor}, {city}
[Bonjour|Chers collègues], {vendor} s'est trompé sur la facture {invoice_number}. [Le bon montant est|Il fallait lire] {amount}. {BYE} {OTHERFIRST}
[Facture mensuelle|Facture de téléphone] {invoice_number}¶Client : {customer@person}¶Montant {amount}¶prélevé le {due_date}
Reçu : {amount} [de|versés par] {name,customer} pour {product}{paid=true}. {city}, le {date}. {vendor}
[Dernier rappel|Deuxième relance]{paid=false} à {customer@person} : {amount}, facture {invoice_number}, à régler avant le {due_date}. {vendor}, {phone}
Avoir {invoice_number} : pour {product}, nous vous virons {amount}{payment_method=transfer}. {vendor}, le {date}
[Note d'hôtel|Facture] {invoice_number}¶Hôte : {customer,name@person}¶Départ : {date}¶{LINES}¶Montant : {amount}¶{vendor}, {address}, {postal_code} {city}
{vendor} nous envoie la facture {invoice_number} de {amount}. [{OTHERFIRST} l'a réglée hier{paid=true}|Rien n'est encore payé{paid=false}].
[Cotisation|Frais de cours] {name,customer} : {amount}, prélèvement le {due_date}. [Questions|Contact] : {email}
Sur {amount}, nous accordons {discount} % si vous payez avant le {due_date}. Facture {invoice_number}, {vendor}.
[Station-service|Kiosque] {vendor}, {city}¶{product} {price#}¶TVA {tax#}¶TOTAL {amount}¶[ESPÈCES{payment_method=cash}{paid=true}|CARTE{payment_method=card}{paid=true}]¶{date}
{OTHERFIRST}, j'ai avancé {amount} pour [le voyage|la fête], ticket {invoice_number} de {vendor}. [Rembourse-moi|À rembourser] avant le {due_date}. {name}
[Facture pro forma|Pré-facture] {invoice_number} du {date} : {product}, quantité {quantity}, prix unitaire {price}, port {shipping_cost}, en tout {amount}. {vendor}
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
[Quand|Date] : {date}, {time}¶[Quoi|Sujet] : {event}¶[Où|Lieu] : {venue}, {city}¶[Tarif|Prix] : {price}¶[Qui|Organisation] : {organizer}
{organizer} vous invite à {event} : {date}, début {time}, fin {end_time}. [Lieu|Rendez-vous] : {venue}. Réponse à {email}.
Coucou ! Le {date}, {event} chez {name@first}, {address}. [On commence|Début] à {time}. [Apportez à boire.|Enfants bienvenus.]
[Changement de salle|Attention] : {event} aura lieu à {venue} et non à {NOT_venue}. Début {time}. {organizer}
{event} à {city}¶{date}¶Portes {NOT_time}, début {time}¶[Prévente|Place] {price}¶[Infos|Site] : {website}
[Conseil municipal|Réunion publique]{category=meeting} le {date} à {time}, {venue}. Sujet : {event}. [On a compté|Il y avait] {attendees} personnes.
{attendees} personnes sont inscrites à {event}. [Intervenants|Avec] : {speakers}. [Lieu|Salle] : {venue}[, {city}|].
[Confirmation|Inscription] de {name} : {event}, dès le {date}, chaque {WEEKDAY} à {time}. Prix {price}, à payer avant le {due_date}.
{event} affiche complet. Nouvelle date : {date}, {time}, {venue}. [Dernières places|Billets] chez {organizer}, {phone}.
[Visioconférence|Réunion en ligne]{online=true} : {event}, {date}, {time}. Le lien vient de {name,organizer@person} ({email}).
[Anniversaire|Fête]{category=party} de {name,organizer@first} : {date}, {time}, {venue}. Répondez avant le {due_date} au {phone}.
Pour {event}, venez en train à {city}. [Début|Ouverture] : {date}, {time}. [Public attendu|Invités] : {attendees}.
[Retour sur|Bilan] : {event}, {venue}, {city}. {attendees} visiteurs, [merci à|organisé par] {organizer}. Photos sur {website}
[Concert|Récital]{category=concert} {WEEKDAY} {date} : {event}. {venue}, {time}. Billets à {price}[ sur place|].
Chers parents, {event} se tient le {date} de {time} à {end_time}, {venue}. Participation {price}. [Questions|Aide] : {name}, {email}.
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
Article : {product}¶Couleur : {color}¶Matière : {material}¶Prix : {price}¶Poids : {weight_kg} kg¶[Disponible : oui{in_stock=true}|Disponible : non{in_stock=false}]
Très content de mon achat ({product}, marque {brand}), payé {price}. {rating} sur 5. [Seule la couleur ({color}) me plaît moins.|]
[Cherche|Recherche] : {product} en {material}, plutôt {color}. Jusqu'à {price}, je viens chercher à {city}. {name@first}, {phone}
[Rappel de produit|Avis important] : {product} de la marque {brand}, référence {sku}. [Remboursement|Vous recevrez] {price}. Contact : {email}
{vendor} baisse ses prix : {product} à {price}, avant {NOT_price}. [Valable à|Magasin de] {city}.
[À donner|Gratuit] : {product}, {color}, [petite rayure|encore bien]. Visible au {address}, {city}. {name@first}, {email}
Fiche {sku}¶Marque {brand}¶{product}¶{material}, {color}¶{weight_kg} kg¶Garantie : {warranty_years} ans
{product} coûte {price} chez {vendor}, {NOT_price} avec le port ({shipping_cost}). [Il y en a plein{in_stock=true}|Il n'y en a plus{in_stock=false}].
[Inventaire|Stock] : {product}, {color}, n° {sku}, {quantity} pièces. Prix de vente {price}.
[Marché|Ferme] de {city} : {product} {price}, [tant qu'il y en a|{WEEKDAY} seulement]. {vendor}, {phone}
[Bon de garantie|Preuve d'achat] : {product}, acheté le {date} chez {vendor} pour {price}. Garantie {warranty_years} ans.
Avez-vous {product} en {color} ? Le site affiche {price}, référence {sku}. Merci, {name}, {city}
[Vide-maison|Brocante] chez {name@first}, {address} : {product} pour {price}, [tout doit partir|espèces seulement{payment_method=cash}]. Le {date} dès {time}
[Banc d'essai|Test] : {product} (fabricant : {brand}), note {rating}. Solide, {weight_kg} kg, {price}. [Dommage : seulement en {color}.|]
[Kit|Lot] {product} de {brand} : {material}, {price}, soit {discount} % de moins. {website}
"""

SCENES = {"person": PEOPLE, "order": ORDERS, "invoice": INVOICES, "event": EVENTS, "product": PRODUCTS}
