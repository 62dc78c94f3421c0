"""English texts as people write them, one a line. About goods: advertisements, reviews, data sheets, price lists. `scenes_en.py` collects them.

Written for the generator. None has five words in a row from `tests/cases/realistic_texts.jsonl` (a test compares them).
"""

from __future__ import annotations

PRODUCTS = """
[Review|★★★★]: "{product}" by {brand}. {rating} stars. [Nice colour ({color})|Love the {color}], but {price} is [a lot|too much]. [Broke after a month|Would buy again]. {name@first}
[Swap|I offer]: {product} ({color}) for a {THING}. [Or|Otherwise] {price}. {city}, {name@first}, {email}
The {brand} {product} [weighs|comes in at] {weight_kg} kg and is made of {material}. It costs {price}; [delivery|shipping] is {shipping_cost}. [Warranty|Guarantee]: {warranty_years} years. [Not in the shop at the moment{in_stock=false}|You can take it home today{in_stock=true}|The shelf is empty{in_stock=false}].
[Recall|Warning]: {product} by {brand}, item {sku}, sold by {vendor} [since {N4}|]. [The plug may overheat.|Do not use.] Return it and get {price} back. Hotline {phone}.
[Bike|Car|Van] for sale: {brand} {product}, {color}, {N4}, [one owner|{N},000 km]. {price}. Stands in {city}. {name}, {phone}
[Price list|Menu]¶{LINES}¶[prices in {CUR}|all prices {CUR}]¶{vendor}, {address}, {city}
{product}, {price}[, {discount} % off this week|, minus {discount} % for members]. {vendor}[, {city}|].
[Classified|Small ad] no. {N}: {product} ({color}, {material}), [like new|some scratches]. {price} [firm|ono|cash{payment_method=cash}]. {city}. {name@first}: {phone}
[Anyone need|Who wants] a {product}? [It's|Colour:] {color}, [hardly touched|from {N4}]. {price} and it's yours. [I live|Here] in {city}. {name@first}, {email}
[Spec sheet|Data sheet] {product}¶Maker: {brand}¶Colour: {color}¶Body: {material}¶Weight: {weight_kg} kg¶Rated {rating}/5¶[Guarantee|Warranty] {warranty_years} years¶RRP {price}¶[Available{in_stock=true}|Discontinued{in_stock=false}|Backorder{in_stock=false}]
[Tip|Deal] of the day: {product} [down|cut] from {NOT_price} to {price} at {vendor}. [Ships in a day{in_stock=true}|Last ones{in_stock=true}|All gone{in_stock=false}]. Code {sku}.
{sku} {product} {color} {price#} {CUR} [yes{in_stock=true}|no{in_stock=false}|avail.{in_stock=true}|n/a{in_stock=false}]
[Can I return|I'd return] the {product}? [Bought|Got] it at {vendor} in {city} for {price}, paid [cash{payment_method=cash}|by card{payment_method=card}|by PayPal{payment_method=paypal}]. [Too big|Wrong shade]. {name@first}
[Auction|Bidding] ends {due_date}: {product}, {material}, [from about {N4}|restored]. [Opening|Lowest] bid {price}. [House|Seller] {vendor}, {city}.
[House|Flat|Studio] [by the sea|near the station], {address}, {postal_code} {city}: {N} m2, {price} [per month|monthly], [move in|from] {date}. [Viewings|Key]: {name}, {phone}
[Today's special|Soup of the day]: {product}, {price}. [Kitchen|Bar] open till {time}. {vendor}, {city}, {phone}
[Could you go down to|Would you accept] {price} for the {product}? [{NOT_price} is too much|I know you ask {NOT_price}]. [Collect|I'd fetch it] {WEEKDAY} in {city}. {name@first}
{brand} [launches|unveils] the {product}: {weight_kg} kg, {material}, in {color}. [Yours for|On sale at] {price} [from|as of] {date}.
[Yard|Attic] sale: {LINES}¶{address}, {city}, {WEEKDAY} [from|at] {time}. {name@first} {phone}
[Rental|Hire] {product}: {price} per day, [deposit|bond] {NOT_price}. [Pay|We take] [cash{payment_method=cash}|cards{payment_method=card}]. {vendor}, {phone}
[Parts|Spares]: {product}, {quantity} [on the shelf|available]{in_stock=true}, {price} each, [fits|for] {brand}. Postage {shipping_cost}. {vendor}, {city}
[Bought|Got] a {product} [second hand|at {vendor}] - {color}, {material}, only {price}! [Score|My mark]: {rating}. {name@first}
[Back soon|Out until {date}]{in_stock=false}: {product}, {color}, item {sku}. [Expect|Then at] {price}. [Notify me|Write]: {email}
[We stock|Now in]{in_stock=true} {product} by {brand}: {quantity} in {color}. [Members pay|Retail] {price}. {vendor}, {address}, {city}
Shop [window|card]: {product} - {price} - [ask inside|call {phone}] - [hand made|{material}] - {vendor}
[Just my two cents.|Three months in:|Mixed feelings:] [I bought|We ordered] the {product} [by {brand} |]for {price}[ in spring|]. [It's made of {material}, which feels good.|Solid {material}, no plastic.] [At {weight_kg} kg it is heavier than I thought.|The scales say {weight_kg} kg.] [The {color} looks darker in real life.|Colour: {color}, as pictured.] [My verdict:|I give it] {rating} out of 5.
[Selling|For sale], [because we move|as it no longer fits]: {product}, {brand}, {color}. [New it cost {NOT_price}, I'd take {price}.|{price}, and that's a bargain.] [Bought at {vendor}.|Still under guarantee for {warranty_years} years.] [Collection in {city} only|I'd post it for {shipping_cost}]. [Cash on the doorstep.{payment_method=cash}|PayPal is fine.{payment_method=paypal}] {name@first}, {phone}
name: {product}¶brand: {brand}¶sku: {sku}¶color: {color}¶material: {material}¶weight: {weight_kg} kg¶price: {price}¶[stock: 0{in_stock=false}|stock: {N}{in_stock=true}|availability: sold out{in_stock=false}|availability: in stock{in_stock=true}]
Product,Brand,Colour,Price,Weight¶{product},{brand},{color},{price#},{weight_kg} kg[¶# {vendor}, {date}|][¶# prices in {CUR}|][¶# item {sku}|][¶# warranty: {warranty_years} years|]
{HELLO}¶do you [still have|happen to have] the {product} in {color}? [I saw it in your window for {price}.|The leaflet says {price}.] [A colleague has one from {NOT_brand}, but I'd rather have {brand}.|It must be {brand}, please.] [If it's gone, when is more coming?|Could you put one aside?]¶{BYE}¶{name}[¶{phone}|¶{email}|]
[Answer from the shop|Re: your question]: the {product} [is sold out, I'm afraid{in_stock=false}|is here, come by{in_stock=true}|won't be made any more{in_stock=false}|sits on our shelf{in_stock=true}]. [It's {price}|The price is {price}][, or {discount} % less for members|]. [Made of {material},|It comes in {color},] [guarantee {warranty_years} years|with {warranty_years} years of warranty]. {vendor}
Black [Friday|Week]! {product} [was|instead of] {NOT_price}, now {price} – [that's {discount} % off|you save {discount} %]. [While stocks last.{in_stock=true}|Only a few left.{in_stock=true}|Already gone!{in_stock=false}] [Postage {shipping_cost}|Delivery: {shipping_cost}]. [Code|Item] {sku}. [Only at {vendor}|{website}]
[Tested|Lab report]: {brand} {product}. [Pros|Plus]: [light ({weight_kg} kg)|only {weight_kg} kg], [good grip|easy to clean]. [Cons|Minus]: [noisy|the manual]. [Price paid|Street price]: {price}. [Guarantee|Warranty] {warranty_years} years. [Overall|Mark] {rating} of 5[, behind {NOT_brand} with {NOT_rating}|].
{name@first} [wrote|says]: [never again!|avoid!] The {product} [broke|fell apart] [after a week|on day two]. [{vendor} won't take it back.|At {vendor} they just shrugged.] [{price} down the drain.|That was {price}.] [And the {warranty_years}-year warranty? Worthless.|My rating is {rating}, all for the box.]
[Shelf label|Price tag]¶{product}¶{price}¶[{material} · |]{color}¶[Art.|Item] {sku}¶[{weight_kg} kg|{brand}][¶-{discount} %|]
[Rent|To let]: {product}, [{color}, |]{price} a [day|weekend], [deposit {NOT_price}|plus cleaning]. [From {vendor}, {city}|Collect at {vendor}]. [Cards only{payment_method=card}|Pay in cash{payment_method=cash}|Pay via PayPal{payment_method=paypal}]. [Free again from {date}|Book: {phone}]
[We make|Our workshop makes] {product} from {material}, [each one different|by hand]. [One takes two weeks|It's slow work]; [the price is|that's why it costs] {price}. [It weighs|Weight about] {weight_kg} kg. [You can have it in {color}.|Colours: ask us.] [If it ever cracks, we mend it within {warranty_years} years.|] {vendor}, {city}
[Inventory|Stock count] {date}: {product} ({sku}) - [shelf empty{in_stock=false}|{quantity} counted{in_stock=true}|none left{in_stock=false}] - [buying|list] price {price} - [supplier {vendor}|maker {brand}] - [aisle {N}|rack {N}]
[Bike|Scooter] [stolen|gone]! {brand} {product}, {color}, [frame of {material}|about {weight_kg} kg]. [Last seen in {city}|It stood at the station in {city}]. [It cost me {price}.|Worth {price}.] [Reward for hints:|Please call] {phone}. {name@first}
[Gift guide|Under the tree]: [for cooks|for dads] the {product} from {brand}, {price}. [Nice touch: the {material}.|We liked the {color} one.] [Order by {due_date}|In shops from {date}]. [Our score|Rating]: {rating}.
[Unboxing|First look]. So this is the {product}. [{brand} sent it to us for free.|We paid {price}.] [On the scale: {weight_kg} kilos.|It weighs {weight_kg} kg.] The case is {material}, [ours is {color}|in {color}]. [It will sell for {price}|List price: {price}]. [We'll score it later.|For now {rating} points of five.]
[Used|Refurbished] {product}, [grade B|tested], {color}, [warranty|guarantee] {warranty_years} [years|yrs], {price} + {shipping_cost} [shipping|postage]. [Two in the warehouse{in_stock=true}|Next batch in {N} days{in_stock=false}]. [{vendor}, item {sku}|{vendor}]
[Does anyone know|Question]: is the {product} from {brand} worth {price}? [My old one, a {NOT_brand}, cost {NOT_price}.|The {NOT_brand} is cheaper.] [They give {warranty_years} years of guarantee.|It's just {weight_kg} kg.] [Thanks|Ta], {name@first}
[Office|Shop] to let in {city}: {address}, {postal_code}. {price} [a month|per month plus heating]. [{N} square metres|Two rooms], [free from {date}|empty since {N4}]. [Agent|Contact] {name}, {phone}[ or {email}|].
[Changed my mind|It doesn't suit me]: [would swap|giving away for] {price}: {product}, size {N}, {color}, {material}. [Worn once.|Label still on.] [I can post it, that's {shipping_cost} extra.|No posting.] [PayPal friends{payment_method=paypal}|Bank transfer first{payment_method=transfer}|Cash when we meet{payment_method=cash}]. {name@first} in {city}
[Safety|Recall] notice¶[Product|Affected]: {product}¶[Maker|Manufacturer]: {brand}¶[Code on the back|Item no.]: {sku}¶[Sold at|Shop]: {vendor}¶[Danger|Fault]: [may catch fire|sharp edge]¶[You get back|Refund]: {price}¶[Hotline|Call] {phone}
[Hey|hi], is your {product} [still there|still for sale]? [Would {price} be ok|I'd pay {price}], [not the {NOT_price} you ask|I can come {WEEKDAY}]. [I'm in {city} with a van.|Is it really {material}?] [Do you take cards?|I'd bring cash{payment_method=cash}] {name@first}
{brand} {product} – [technical data|the facts]¶- [net weight|weight] {weight_kg} kg¶- [housing|body] {material}¶- [finish|colour] {color}¶- [warranty|guarantee] {warranty_years} [years|y]¶- [suggested price|MSRP] {price}¶- [order code|part no.] {sku}
[Farm shop|Market stall] [board|sign]: {product} {price}, [from our own trees|picked today]. [Sold out by noon{in_stock=false}|Plenty today{in_stock=true}]. [Open {WEEKDAY} from {time}|{address}, {city}]. [No cards, please{payment_method=cash}|Cards welcome{payment_method=card}].
[The makers of|The people behind] {brand} [have done it again|surprise us]. Their {product}, [which we tried in {color}|clad in {material}], [leaves the factory at|tips the scales at] {weight_kg} kg and [sets you back|goes for] {price}. [Dealers such as {vendor} have it already.{in_stock=true}|You can't buy it yet.{in_stock=false}] [Readers rate it {rating}.|Our testers gave it {rating} of five.]
Wishlist of {name@first}¶* {product}[ ({color})|], {price}[, {vendor}|]¶[* no socks!|* surprises]¶[link: {website}|seen at {vendor}][¶must have!|]
Warranty [card|certificate]¶[Article|Model]: {product}¶[Serial|Code]: {sku}¶[Bought on|Purchase date]: {date}¶[Dealer|Sold by]: {vendor}, {city}¶[Valid for|Cover]: {warranty_years} years¶[Price paid|Purchase price]: {price}
"""
