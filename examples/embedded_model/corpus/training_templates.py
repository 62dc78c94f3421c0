"""More sentence templates, for training alone: no line is held out, so the test texts don't depend on these lists.

The syntax is that of `templates.py`; besides, `{NOT_field}` is a value of that field which the text does not state of
its subject: another colour that is sold out, another event in the same hall. No sentence that a line can become is one
of the held-out templates' (a test compares them all).
"""

from __future__ import annotations

from .templates import KIND_FIELDS

PRODUCT_DETAILS = """
[The colour|The color|The shade|The tone|The hue] [on the box|in the photo|of the sample|of ours|that was chosen|we are left with] [is|is called|turned out to be|would be] {color}.
[All|Both|Most|The last {NUMBER}] [pieces|units|copies|articles] [in the warehouse|on the shelf|that are left] are {color}.
Whoever [wants|orders|needs] one [today|now|this week] [gets|will get|has to take] [it in {color}|a {color} one].
{color} [was|is] the [colour|color|shade] [of choice|everybody asked for|customers like best|that sells best|we kept].
It [comes|arrives|is sold|is made|is delivered|is shipped|can be had] [only|solely|exclusively|so far] in {color}[|, nothing else|, no other shade].
[Do we|Do you|Can we] have it in {NOT_color}? No, [just|only|nothing but] {color}.
{NOT_color} is [sold out|gone|no longer made], {color} is [what we have|the only colour left|the colour of this one].
It is not {NOT_color} but {color}.
[Not|No longer] {NOT_color} like the old [one|model], this one is {color}.
[Unlike|Other than] the {NOT_color} [model|one] [of last year|before it|next to it], [it|this one] is {color}.
[The last one|The older model|My first one] was {NOT_color}, [this one|the new one|the present one] is {color}.
The box is {NOT_color}, the [thing|article|product] [itself|in it|inside] is {color}.
I [asked|hoped|looked] for {NOT_color} and [got|took|was given] the {color} one.
You can't [miss|overlook] it: it is {color}[| all over| from top to bottom].
[Painted|Dyed|Coloured|Lacquered|Sprayed|Finished] {color}[|, it looks like new|, it matches any room|, so it hides dirt].
[Painted|Coated|Finished] in {color}[| by hand| on all sides| and polished twice].
A [coat|layer|touch|lick] of {color} [paint|lacquer|varnish] [covers it|gives it its look|was put on it].
[Its|The] {color} [surface|finish|look|coat|skin|body|casing|shell|cover] [shines|is easy to clean|scratches easily|does not fade|feels smooth].
[With|Thanks to] its {color} [surface|finish|body|cover|coat] it [fits in anywhere|stands out|looks good].
The [designer|maker|seller|catalogue] calls [the colour|the color|this shade|the tone] {color}[|, we'd say something else].
What colour is it? {color}[.|!| I think.]
Which colour? - {color}
Colour? {color}. Material? {material}.
{color} on the outside, {NOT_color} on the inside? No: {color} throughout.
Colour: {color}; weight: {weight_kg} kg; material: {material}.
in {color}, [new|used|as good as new|unused]
the {color} one[|, please|, not the {NOT_color} one]
{color} / {material} / {weight_kg} kg
[colour|color|col.] = {color}, [material|mat.] = {material}
[We|They|The shop] [stock|stocks|keep|sell|carry] [it|this one] in {color}[| all year| since spring].
[For|To] [those|people|anyone] who [love|like|prefer] {color}: [that is its colour|it is exactly that colour|here it is].
[It|This one] has been [dyed|painted|sprayed|coloured] {color}[| throughout| at the factory| with natural dyes].
If you [picture|imagine] it in {color}, you [have it right|see what it looks like].
[Colourwise|As for the colour|As to colour|When it comes to colour|Regarding the shade], [it is|we went with|think of|there is only] {color}.
[My wife|My boss|Our client|{OTHER}] [insisted on|chose|wanted|picked] {color}[|, so that's the colour|, and that is what it is].
The photo shows [it|the article] in {color}.
[Only the|The] {color} [version|variant|edition|model] is [on sale|left|in question|meant here|described here].
Please note that the {color} [version|variant|one] is [meant|offered], not the {NOT_color} one.
[Delivered|Sold|Shown|Offered] here: the [version|variant] in {color}, [weight|weighing] {weight_kg} kg.
[It's|It is] [a nice|a dark|a light|a warm|a pale|some kind of] {color}[|, really|, a bit like autumn].
{brand} [makes|produces|sells] [it|this] in {color} [only|alone|exclusively].
From {brand}, in {color}, for {price}.
{brand}'s [version|model] is {color} and [costs|sells for] {price}.
One {color}, [the rest|all others] sold. Price: {price}.
[Colour chart|Chart|Code chart] no. {NUMBER}: {color}.
{color} is [its|the] colour, {material} [its|the] material.
[Material and colour|Colour and material]: [{material}, {color}|{material} in {color}].
[It's|It is] {color} {material} [through and through|from end to end|, as you can feel].
The {material} is {color}.
The {material} was [dyed|painted|stained|left] {color}.
[Made|Built|Crafted|Sewn|Carved|Cast|Woven|Pressed] [out of|from|in] {material}[|, it lasts for years|, it is light and strong|, dyed {color}].
[Solid|Pure|Real|Genuine|Fine|Recycled] {material}[| is what it is made of|, no substitute|, nothing fake|, as the label says].
[It|The body|The frame|The case|The whole thing] [consists of|is cut from|is pressed from|was built from|is all] {material}[|, not {NOT_material}].
The [handle|lid|strap] is {NOT_material}? No, [everything|all of it] is {material}.
They [gave up|no longer use|replaced] {NOT_material}; [today|now] it is made of {material}.
[Feels|Smells|Looks] like {NOT_material}, but it is [really|in truth] {material}.
{material} [keeps|makes|renders] it [light|solid|cheap|warm to the touch].
{material} is [the material|what it's made of|what the makers used|the stuff it is made of].
The [makers|designers|engineers] [chose|went for|settled on|trust in] {material}[| for the body| as material].
Is it {NOT_material}? No, {material}.
[Brand|Make|Label|Manufacturer]? {brand}[.|, of course.|, as always.]
The logo [on the back|on the lid|on the side|underneath] [says|reads] {brand}.
[It was|They were] [built|made|designed|developed|produced] by {brand}[| and sold by {vendor}|, not by {NOT_brand}].
[People think|I thought|It says online that] {NOT_brand} makes it, but it's [in fact |really |]{brand}.
{brand} [stands|vouches] for [quality|it], {vendor} [sells it|ships it|has it in its shop].
[Compared with|Next to|Unlike] the one by {NOT_brand}, this one, by {brand}, [lasts|is cheap|is better].
[Fans|Friends|Collectors|Users] of {brand} [will love|know|have waited for] it.
{brand} has [launched|put on the market|brought out|released] it [this year|in spring|last week].
[A|Another|One more] [classic|novelty|bestseller|hit] [by|from|made by|out of the workshop of] {brand}.
As so often with {brand}, the [lid|box|cable] is [loose|included|extra].
{vendor} [has|offers|sells|lists|advertises] it [for|at] {price}[|, in {color}| in {city}| with {discount}% off].
[Bought|To be had|Seen|Found] at {vendor}[| in {city}| for {price}| last week].
{vendor} in {city} is the [seller|shop|merchant|dealer].
Sold and shipped by {vendor}.
[If|When] you order from {vendor}, you pay {price}[| plus {shipping_cost} for shipping].
The name of the article? {product}.
[What you see|What we have here|The thing I mean] is [a|the] {product}.
[I wrote|I meant|Correction:] {product}, not {NOT_product}.
[Forget|Never mind] the {NOT_product}, this is about the {product}.
{product} is what [the box says|it says on the box|the label says].
On the scales it [shows|brings|reaches] {weight_kg} kg[|, with the box {NUMBER} grams more].
[At|With] {weight_kg} kg it is [light|heavy|lighter than the {NOT_product}|no featherweight].
Weight? {weight_kg} kg[|, I weighed it].
You will have to carry {weight_kg} kg.
{rating} [out of five|of 5 stars|stars|points] [is what buyers give it|from our buyers|on average|after {NUMBER} reviews].
[Buyers|Readers|Testers|Users] [gave|awarded|granted] it {rating} [stars|points][| on average].
With {rating} stars it [leads|tops] the list.
The guarantee [runs|lasts|is good] for {warranty_years} years.
[For|Over] {warranty_years} years [the maker|{brand}|{vendor}] will repair it [free of charge|at no cost] under warranty.
[Covered|Protected] by a {warranty_years}-year [warranty|guarantee].
[Article code|Code|Stock number|Our number] {sku}[|, shelf {NUMBER}].
To order, [quote|give|type in|mention] {sku}.
in_stock=true: [We|They] have [plenty of|some of|{NUMBER} of|enough of] [them|these] [in stock|in the warehouse|ready to ship|on the shelf].
in_stock=true: [It|This one] can be [sent|shipped|picked up|taken home] [today|at once|right away|tomorrow morning].
in_stock=true: There are [still |]{NUMBER} [pieces|units|of them] [left|on the shelf|to be had].
in_stock=true: In stock? [Yes|Sure|Plenty|Of course][.|, {NUMBER} pieces.]
in_stock=true: [No need to wait|No waiting]: [it's here|the shelf is full|it is in stock].
in_stock=false: [We|They] have [run out|sold out|none left|no more of them][.| until next month.| at present.]
in_stock=false: In stock? [No|Sadly not|Not now|Not any more].
in_stock=false: The shelf is empty[.|, a new delivery is expected in {NUMBER} days.]
in_stock=false: You'd have to wait {NUMBER} weeks, as [there is none left|all are sold].
It costs {price} [instead of|rather than|and not] {NOT_price}.
[Reduced|Down|Lowered] from {NOT_price} to {price}.
[The old price was|It used to cost|Last year it was] {NOT_price}, [now it's|today you pay|now it costs] {price}.
[Shipping|Delivery|Postage] [adds|comes to|is another|costs] {shipping_cost}[|, whatever the order].
{discount}% [off|less|rebate] [this week|for members|for friends of the house|with the code {NUMBER}].
payment_method=card: [Only|Just] [credit cards|cards] [are taken|are accepted|work here].
payment_method=cash: [Cash|Coins and notes] only[, please|].
payment_method=transfer: [You pay|Payment is] by [bank transfer|transfer][ in advance|].
payment_method=paypal: [PayPal|PayPal only], [please|no cards|no cash].
[Call|Ring|Phone] {phone}[|, {OTHER} answers|, ask for {OTHER}| or write to {email}].
[Look|Have a look|See more] [at|on|under] {website}[|, page {NUMBER}].
[It|The article] [can be seen|stands|is kept|waits] in {city}[|, not in {NOT_city}|, come by].
[Collection|Pick-up|To be collected] in {city}[| only|, please].
[Plain|Simply|Mostly|Entirely] {color}.
{color}, [obviously|again|indeed].
[Finish|Look|Paint]: {color}
The {color} {product} [stands|sits|is kept] by the [window|till].
Hand me the {color} {product}, not the {NOT_color} one.
You see {color}, you smell {material}.
{NUMBER} [letters|customers] asked for {NOT_color}, all we make is {color}.
In [daylight|the sun] one sees {color}, [at night|under the lamp] it passes for {NOT_color}.
A sticker on the [carton|foil] says "{color}".
{color}, {weight_kg} kg, {price}, [take it or leave it|what more do you want]?
The buttons may be {NOT_color}, [everything around them|the rest] is {color}.
Who painted it {color}?
[Wipe|Brush] off the dust and it's {color} [underneath|again].
It went from {NOT_color} to {color} [in this year's edition|with the last redesign].
[Bright|Good|Lovely] {color} {material}, [nicely done|made to last].
We photographed the {NOT_color} one by mistake, what you get is {color}.
{product}, {color} edition
My [aunt|son] thinks {color} is [ugly|too bold], so [it's going|I sell it].
{brand} [paints|dyes] all its goods {color}, [this one too|and this is no exception].
{color} in colour, {material} [to the touch|under your fingers].
[Wrapped in|Hidden under] {NOT_color} foil, the real colour is {color}.
Only the [cord|strap] isn't {color}, the rest is.
One size, one colour: {color}.
Do you sell {color} ones? [This is one|Look, here's one].
The hue falls somewhere near {color}.
You'd [recognise|spot] this {color} {product} [anywhere|from afar].
{color} [doesn't show dirt|goes with everything], which is why [I took it|they made it so].
[Buttons|Screws] {NOT_color}. Body {color}.
Tag: {sku}, {color}, {price}
[On the table|In the window]: something {color}, [made of|cut from] {material}, signed {brand}.
They promised {NOT_color}, sent {color}, and I [keep|kept] it.
As {color} as [can be|paint gets].
What [strikes|struck] me first was the {color} [lid|back|shell].
{material} throughout and a {color} [coating|glaze].
{color} it is, and {color} it stays.
[Sun|Rain] won't [bleach|hurt] the {color}.
Shade two: {NOT_color} (sold). Shade one: {color} (this ad).
[Nothing but|All] {material}.
{material}, [mainly|honestly|mind you].
[Fabric|Body|Shell|Casing]: {material}
The {material} {product} [survives a fall|outlives its owner].
[Knock|Tap] on it and you hear {material}.
Label: {material}, [wash by hand|keep dry], {brand}.
A magnet won't tell you, but the stuff is {material}.
Instead of {NOT_material} they took {material}[| to save weight].
No {NOT_material}, no glue, [just|only] {material}.
[Allergic to|Tired of] {NOT_material}? [Relax|Good news], we use {material}.
It may shine like {NOT_material}; scratch it and {material} [appears|shows up].
{material} at {price}, [a bargain|who can say no]?
[Take care|Be careful], {material} [scratches|gets hot in the sun].
[Every piece|Each one] is cut from one [block|sheet|length] of {material}.
{brand} swears by {material}.
{weight_kg} kg of {material}.
[Under|Beneath] the {color} paint [there is|lies] {material}.
[Lighter|Tougher] than {NOT_material}: the {material} they picked here.
What holds it together? {material}[|, what else].
Out of {material} and with much patience [it was made|came this piece].
{material} {product}, [one careful owner|slightly dusty]
If you [like|love] the feel of {material}, [touch it|this is for you].
The [stand|box] is {NOT_material}, don't mind that, the piece itself is {material}.
Cleaning is easy: it's {material}.
comp.: {material} 100%
{NOT_material}, I guessed; {material}, said the [leaflet|seller].
The smell of {material} [never leaves it|fills the room].
[Tests|The experts] found {material} and nothing else.
With so much {material} in it, no wonder it weighs {weight_kg} kg.
[Hinges|Feet] of {NOT_material}, all else of {material}.
Is {material} [strong enough|safe for children]? [We think so|{brand} says yes].
They switched to {material} when {NOT_material} [became|grew] too [dear|scarce].
sort of {material}, [soft|smooth], {color}
Composition according to {brand}: {material}.
in_stock=true: Order before noon and the parcel [leaves|goes out] today, we have it lying here.
in_stock=true: [Two|A few] are sitting on the shelf[| behind the till].
in_stock=true: Yes, you can have it [straight away|this minute].
in_stock=true: The warehouse is [full of them|well filled with them].
in_stock=true: Green light in the shop system: available.
in_stock=true: We [unpacked|received] a fresh [pallet|batch] this morning, [help yourself|come and get one].
in_stock=true: [Sold out|All gone]? [Far from it|A rumour], we have {NUMBER}.
in_stock=true: Just walk in and [carry|take] it home.
in_stock=false: [Gone|All gone], we sold the last one on Saturday.
in_stock=false: [Back order|Pre-order] only, count on {NUMBER} weeks.
in_stock=false: The maker can't [deliver|supply] before [autumn|May], so the shelf stays bare.
in_stock=false: [Put|Leave] your name on the waiting list[|, {OTHER} will call].
in_stock=false: A red [cross|dot] in the system: not available.
in_stock=false: We'd love to sell you one, but there are none.
in_stock=false: [Yesterday|On Monday] there were {NUMBER}, today [zero|not a single one].
in_stock=false: [Temporarily|For now] unavailable, [ask|try] again in {NUMBER} days.
in_stock=false: What you see in the window is [an empty box|a dummy], the real ones have all been sold.
[Stamped|Engraved] on the [bottom|back]: {brand}.
{NOT_brand} [copied|imitated] it, the original is {brand}.
Only with a {brand} [seal|hologram] is it [the real thing|genuine].
The workers at {brand} [assemble|check] each one by hand.
A {brand}, [not a|no] {NOT_brand}.
[Spare parts|Spares] have to come from {brand}[|, who made it].
I trust {brand} more than {NOT_brand}, hence [this one|my choice].
Say "{product}" at the [counter|desk], they'll know.
[On page|Under number] {NUMBER} it's listed as {product}.
Such a {product} [costs|sells for] {price} here.
The [manual|leaflet] for the {product} is in the [drawer|box].
Looks like a {NOT_product}, is a {product}.
{NUMBER} people [voted|wrote reviews], the mean is {rating}.
{rating}/5
It stands at {rating} stars, [the cheaper one|its rival] at less.
The jury's verdict: {rating} points.
[Stars|Score]: {rating} ({NUMBER} votes)
in_stock=true: Our [depot|storeroom] in {city} is piled to the ceiling with it.
in_stock=true: Grab one off the rack, [nobody queues|there are heaps].
in_stock=true: Supplies are ample, and same-day dispatch is no problem.
in_stock=true: The counter shows {NUMBER} units on hand.
in_stock=true: The shortage is over: you can buy it [across the counter|off the shelf] again.
in_stock=true: We never run dry of it, [ask at the till|come any day].
in_stock=true: I checked the back room and found a whole row for you to choose from.
in_stock=true: {vendor} keeps it ready for collection within the hour.
in_stock=true: The button says "add to basket" and it works.
in_stock=true: There is no waiting list, each buyer [walks off with one|is served on the spot].
in_stock=true: Our buyer overestimated demand, so the storage is bursting with them.
in_stock=true: Although rivals have run out, we can supply it immediately.
in_stock=false: The hook where it used to hang is bare, [come back in {NUMBER} weeks|no date for more].
in_stock=false: Snapped up within hours, and the factory is [on strike|closed].
in_stock=false: The "notify me" button is all that the page [offers|lets you press].
in_stock=false: Demand outran us, the storeroom has been cleaned out.
in_stock=false: The container with fresh ones is stuck in a harbour, and we have nothing to sell you till then.
in_stock=false: {vendor} can't lay hands on any at the moment.
in_stock=false: I came home without one, [as every shop was out|the clerk shrugged: none].
in_stock=false: Currently unobtainable, even the display piece found a buyer.
in_stock=false: We are between batches, so orders [have to be put off|cannot be filled].
in_stock=false: The count in the system is nil, and the reorder is {NUMBER} days away.
in_stock=false: Don't make the trip to {city} for it, you'd find a gap on the shelf.
in_stock=false: We're clean out, {OTHER} carried off the final box.
in_stock=false: Scarce is putting it mildly: not one to be found in our store.
After {NUMBER} washes it is as {color} as on day one.
The brochure prints it in {NOT_color}, which is an error; expect {color}.
In the dark you'd guess {NOT_color}, by daylight it is plainly {color}.
The brush was dipped in {color} and not spared.
A [splash|dash] of {color} for your [hall|kitchen], that's what it is.
{color} won the vote among the staff, {NOT_color} lost, and so it went into production.
The children call it "the {color} thing".
I wanted something that wasn't {NOT_color} for a change and went for {color}.
It gleams {color} in the [sun|lamplight].
The {NOT_color} lid belongs to another article, this one is {color} top to toe.
Its {color} paintwork hides [fingerprints|dust] well.
To match a {NOT_color} wall, she picked it in {color}.
Mind you, {color} is a matter of taste, yet that's how {brand} turns it out.
Against the {NOT_color} carpet the {color} of it [stands out|looks smart].
The swatch stapled to the sheet is {color}, as is the article.
Once {NOT_color}, it was resprayed {color}.
{brand} tints it {color} in the final stage.
Seen from across the street it's a {color} [dot|blur].
My [sister|tenant] owns the {NOT_color} twin, mine is {color}.
Order code {sku} stands for the {color} one.
The eye falls at once on that {color} exterior.
Fans of {NOT_color} will be let down, because {color} is the single option.
You'll find it in the aisle with all the other {color} goods.
The enamel was mixed to give a rich {color}.
Customers send back the {NOT_color} sort, never the {color} sort that we have here.
{color}, like the [logo|van] of the firm that makes it.
A pigment gives the {product} its {color} look.
We feared it might be {NOT_color}, but out of the wrapping came something {color}.
They glazed it {color}, then let it dry for {NUMBER} hours.
If {color} isn't your thing, look elsewhere, for it has no other coat.
The workshop orders {material} by the ton to make it.
Run a thumb over it: [honest|genuine] {material}.
{brand} swears by {material} and uses it here as well.
It looks like {NOT_material} in the pictures but is actually {material}.
It owes its {weight_kg} kg to the {material} it consists of.
The tester [bent|scratched] it and noted: {material}, without doubt.
They chose {material} over {NOT_material} because of the [price|weight].
Old {material} is given a second life in it.
A fake would be {NOT_material}, the original is {material}.
Being {material}, it [ages gracefully|will last].
The craftsman works in {material}, and this piece is typical of him.
You'd need a {material} specialist to mend it.
The packaging is {NOT_material}, what's inside is {material}.
There's not an ounce of {NOT_material} in it, {material} is used throughout.
{material} gives it that [particular|distinct] feel in the hand.
At recycling centres it goes into the bin for {material}.
The engineers tried {NOT_material}, it failed, and {material} took its place.
Fashioned from {material}, with seams you can hardly see.
If you're allergic to {material}, keep your hands off it.
The smell gives it away: fresh {material}.
They source the {material} for it from a family firm [in the hills|across the border].
Most rivals save on the stuff and take {NOT_material}, {brand} sticks with {material}.
Treat it the way you treat all {material}, [gently|and ask if unsure].
{color} it may be, yet {material} is what you touch.
Its {material} [frame|shell] makes it what it is.
The [customs form|data sheet] declares it as goods of {material}.
Of all things they built it out of {material}.
Our chemist took a sample of it and found {material}.
The first edition was still in {NOT_material}, from the second on it's been {material}.
The price of {material} has gone up, which makes it dearer too, for it is nothing else.
"""

PRODUCT_OPENINGS = """
[On offer|Up for grabs|Now reduced|Back again|Today only]: [one |the |a |]{product}[| by {brand}| in {color}|, {color}].
{product}, {brand}, {color}, {material}.
[The|This|Our|My] {product} is {color}.
[The|This|Our|My] {product}, {color}[| and made of {material}], [is for sale|costs {price}|has arrived|needs a new home].
A {color} {product} of {material}[| by {brand}| for {price}].
The {product} that {brand} [sells|makes|ships] in {color} [costs|is] {price}.
[I|We] [sell|am selling|want to sell|have] [a|my|our] {product}: {color}, [hardly used|like new|with a scratch].
You asked [about|for] the {product}[| in {color}| by {brand}|, {OTHER}].
[Selling|For sale|Giving away|To sell]: {product}[|, colour {color}| ({color})| in {color}].
[Review|Test|Data sheet|Product card|Listing|Advert|Ad]: {product}
[Here's|This is|Here comes] the {product}, [not|not to be confused with] the {NOT_product}.
[After|Following] the {NOT_product}, {brand} [brings|now shows|presents] the {product}.
Everything [about|on] the {product}[| at a glance| in brief|:]
[What|How much] does the {product} cost? {price}.
[What|Which] colour is the {product}? {color}.
{brand} {product}
{brand}, {product}, {sku}
[Product|Article|Item] of the [day|week|month]: {product}
[The|A] {product} by {brand}[| in {color}| of {material}| at {price}] is [new on our shelves|what you need|the best we have].
{vendor} [sells|has|offers] the {product}[| in {color}| for {price}| by {brand}].
At {vendor} they sell a {product} [that|which] is {color}.
The {product}: [made of|built from] {material}, painted {color}.
Do you know the {product}[|, the one by {brand}|, the {color} one]?
[hi|hello|hey], is the {product} [still there|still for sale|available]?
From the catalogue: {product}, page {NUMBER}.
[If|When] you need a {product}, [take|try|look at] this one[| by {brand}|, in {color}|: {color}, {material}].
{NUMBER} people are looking at the {product} [right now|today].
The {product} [was|has been] on my desk for {NUMBER} days[.| now, and I like it.]
[Never|Rarely|Seldom] has a {product} been [so|this] [light|cheap|handy|quiet].
[Anyone|Whoever] [looking for|in need of|after] a {product} [should read on|has come to the right place|can stop looking].
[It|This] is [called|sold as|known as] {product}[| and {brand} makes it| and comes from {brand}].
[What|All] [we sell|you get|is in the box] is [a|one|the] {product}[|, {color}|, nothing else].
[How|Why] we [made|built|chose|love] the {product}
[Meet|Discover|Try|See|Buy|Get|Take home|Unpack] [the|our|a] {product}[| from {brand}| in {color}| for {price}|, made of {material}].
[Because|Since|As] the {product} [sells so well|was sold out|is so popular], [it is back|we ordered more|we made more].
[Although|Though|While] [cheap|small|simple|old], the {product} [does its job|is well made|lasts].
[With|Thanks to] the {product}, [cleaning|work|travel|cooking] [is|becomes|gets] [easy|fun|quick].
[Without|Before] the {product} I [could not work|had no idea|lost time], [now|today] [it is fine|I know better].
[Once|As soon as] you [own|have|try] the {product}, you [won't need|can forget] the {NOT_product}.
[Better|Lighter|Cheaper] than the {NOT_product}: the {product}.
[The|Our] {NOT_product} is [gone|sold out], [but|yet|while] the {product} is [here|back|new].
[Question|Query] [about|on|concerning] the {product}[|, {sku}|: is it {color}?]
[My|Our] [son|mother|boss|neighbour|team] [wants|needs|uses|loves] the {product}[| by {brand}| in {color}| for {price}].
[I'd|I would|We'd] [like|love] to [see|try|buy|know more about] the {product}[| in {color}| by {brand}].
[Do|Does] [you|anybody|anyone] [sell|stock|have|know] the {product}[| in {color}| by {brand}| of {material}]?
[Is|Was] the {product} [really|still] [made of {material}|by {brand}|{color}|{price}]? [Yes|It is|Indeed].
[Dear|Hello|Hi] {OTHER}, [here are|as promised,|I send you] the [facts|data|details] [of|on|for] the {product}[| by {brand}|].
["The {product}|"Our {product}|"This {product}] is [our best|a dream|worth it]," [says|wrote] {OTHER}[| of {brand}|].
[Row|Line|Page|Entry|Lot] {NUMBER}: {product}[|, {price}|, {color}|, {brand}]
[Name|Article|Item] {product}, [maker|brand|by] {brand}, [colour|in|color] {color}
{product} [by|from] {brand}[|, {price}|: {color}, {material}|, {weight_kg} kg]
{product} [in|, colour:] {color}, [brand|make] {brand}
{product} [wanted|found|lost|for sale|to give away][|: {color}, {brand}|, {color}|, {price}]
{product} ([colour|color]: {color}; [brand|make]: {brand})
{product} [costs|sells for|goes for|is yours for|is on offer at] {price}[| at {vendor}|, {color} only].
{product} [and nothing else|, that's what we sell|, plain and simple|, that's the name].
{brand} [calls|named|christened] [it|this one] the {product}.
{brand} [is proud of|believes in|put much work into|tells us about|sent us] [the|its] {product}.
{brand} [stopped making|no longer sells] the {NOT_product}; [in its place comes|now it has|there is now] the {product}.
{vendor} [got|received|has in its window|shows] a {product}[| by {brand}| for {price}].
{price} for [a|the|one|this] {product}[|: too much?|, says {vendor}.| by {brand}.]
{price}, [no more|not a cent more|that's all], and the {product} is yours.
{sku} is the [number|code] of the {product}.
{sku}: {product}[|, {brand}|, {price}]
{color}, [light|small|handy], [cheap|new]: the {product}.
{color} [and|yet] [elegant|strong|simple], the {product} [is|remains] [a classic|our bestseller].
[In|Dressed in] {color}, the {product} [looks good|stands out|is at its best].
[Of|From] all [our|the] [things|goods|articles], the {product} [sells best|is the lightest|gets most praise].
[Among|Under] the [new arrivals|novelties|bargains]: {product}[|, {brand}|, {price}].
[On|In] [this page|page {NUMBER}|the next page] you [find|see] the {product}[| by {brand}|].
[Since|Ever since] [spring|last year], {vendor} [sells|has had] the {product}.
[At|For] home or [office|travel]: {product}[|, {color}|, {price}].
Meet the {product}[|, the latest from {brand}|, yours for {price}|, all in {color}].
I was after the {NOT_product} and walked out with the {product}.
{brand} has done it again: a {product} [worth a look|for {price}|in {color}].
Unboxing the {product}[| by {brand}|, colour {color}]: what do we see?
The label says {brand}[|, not {NOT_brand}|, the tag {price}], the thing is a {product}.
My old {NOT_product} gave up the ghost, so I treated myself to a {product}[| by {brand}|, {price}].
Wanted: a loving owner for this {product}[| ({color})|, {brand}|, {price}].
Three reasons for the {product}[| from {brand}]: [price, weight, looks|it lasts, it fits, it's {color}].
{brand} or {NOT_brand}? We tested the {product} by {brand}.
Inventory, shelf {NUMBER}: {product}, {brand}[|, {sku}|, {color}]
You can tell at once that this {product} [came out of the workshops of|was built by] {brand}.
The {NOT_product} has been dropped from the range; {brand} replaced it with the {product}.
Santa brought [me|us] a {product}[|, a {brand} at that|, {color}].
No household should lack a {product}[| like this one by {brand}|, says {vendor}].
The {product} you see here wears the badge of {brand}, even if it looks like {NOT_brand}.
{vendor} is clearing out: {product}[|, {brand}|, {color}], {price}.
moving out, must go: {product} [by {brand}|in {color}|, {price}]
For [years|ages] I swore by {NOT_brand}. Then {brand} came up with this {product}.
Somebody [returned|brought back] the {product}[| of {brand}|, article {sku}|, {color}], and here is what we know of it.
Not every {product} is a {brand}, this one is.
Instructions for your {product}[| made by {brand}|, model {sku}]
Customers who viewed the {NOT_product} ended up buying this: {product}[|, {brand}|, {price}].
Straight from the {brand} [plant|factory]: the {product}[|, all {material}|, in {color}].
The parcel did not hold the {NOT_product} after all, it held the {product}.
Fans of {brand} have been queuing for this {product}[| since dawn| at {vendor}].
"""

EVENT_DETAILS = """
[Our|The] [venue|location|meeting place|place|site|house] [is|will be|this time is|remains] {venue}[|, not {NOT_venue}|, as always|, {address}].
[Doors|The doors] [of|at] {venue} [open|are opened] at {time}[|, not before].
[Come|Find your way|Make your way|Please come|Get yourselves] to {venue}[|, {city}|, {address}| by {time}].
We [meet|gather|come together|assemble|get together|will sit|will be] [at|in] {venue}[|, {city}| at {time}].
{venue} [has|offers|gives us|provides|lends us] [enough room|the room|its main room|seats for {attendees} guests][.| this time.]
[Where|And where]? [In|At] {venue}[.|, of course.|, {address}.]
Where does it take place? {venue}, {city}.
[Moved|It has moved|We moved it] from {NOT_venue} to {venue}.
{NOT_venue} was [too small|taken|closed|too dear], so [we took|we went for|it will be|we booked] {venue}.
[Not|No longer] at {NOT_venue} [but|this year, but] at {venue}.
Last year [it was|we met] at {NOT_venue}, this year [it is|we meet] at {venue}.
[Don't|Please don't] go to {NOT_venue}; [we are at|it is at|the place is] {venue}.
The [keys|key] to {venue} [are with|is with] {OTHER}.
[Parking|Parking space|A bus stop] [is|can be found] [behind|next to|in front of] {venue}, [the venue|where we meet].
[Inside|In the rooms of|Under the roof of|On the grounds of|In the garden of] {venue} [there is room for everyone|it will be warm|it all happens|{attendees} people find a seat].
[Tram|Bus|Line] {NUMBER} stops [right |]at {venue}, where it [takes place|all happens|is held].
[Hosted at|Held at|Taking place at|Staged in] {venue}[|, {city}|, it starts at {time}|, it ends at {end_time}].
[place|venue|location|where]: {venue}; [time|start]: {time}
{venue}, {time}[|, don't be late|!|, as usual]
see you at {venue}[| at {time}| on {date}|!]
{venue} in {city}, {date}, {time}
{organizer} [has rented|booked|rents|has chosen|picked] {venue}[| for it| again| for the evening].
The [manager|owner|landlord] of {venue} [let us have it|gave us the keys|made us a good price][.|, so that's where it is.]
[Thanks|Thank you] to {venue} for the room.
[If|When] you [stand in front of|reach|find] {venue}, you [are right|are at the right place|have found us].
[In|At] {venue} on {date}, [from|at] {time}.
From {time} to {end_time} in {venue}.
[It|The programme|The day|The evening] [runs|lasts|goes on|is planned] [until|till|up to] {end_time}[|, not {NOT_end_time}].
[Begin|Start|Kick-off|Opening]: {time}. [End|Finish|Close]: {end_time}.
[By|At|Not later than|Around] {end_time} [everything is over|we have to be out|it is over|we'll be done|the lights go out].
We [start|begin|open|kick off] at {time} [sharp|on the dot|, not at {NOT_time}][.| and finish at {end_time}.]
[Changed|New] time: {time} instead of {NOT_time}.
[Changed|New] date: {date} instead of {NOT_date}.
[Postponed|Moved|Shifted] from {NOT_date} to {date}.
[Save|Keep|Note] the date: {date}.
[Organised|Organized|Arranged|Set up|Put together|Planned|Hosted|Run] by {organizer}[|, as every year| for the first time| in {city}].
[Who|And who] [organises it|is the organizer|is behind it|hosts it]? {organizer}.
[Responsible|The one responsible] for the organisation: {organizer}.
[Until last year|Formerly|Before] {NOT_organizer} [organised it|was the host], now {organizer} [does|is].
[Questions|Complaints|Wishes] [go|can be sent] to the organizer, {organizer}.
{organizer} [pays for|covers|provides] [the food|the drinks|the room] as [host|organizer].
The [invitation|poster|flyer] [names|shows|gives] {organizer} as [the organizer|host].
[On|Up on] the stage: {speakers}.
[The|Our|Tonight's] [speakers|speaker list|lectures]: {speakers}.
[We|You] [can look forward|look forward] to talks by {speakers}.
{speakers} [will speak|will give talks|have agreed to speak|are going to speak|will lecture][.| after lunch.| in the morning.| for {NUMBER} minutes.]
[Not|Sadly not] {OTHER}, who is ill, but {speakers} will speak.
[Expected|Counted on|Hoped for] are {attendees} [guests|people|visitors|participants].
{attendees} [guests|people|visitors|participants|heads] [have signed up|are coming|registered|will be there|are expected].
[Room|Space|Seats|Chairs] for {attendees} [people|guests|visitors].
[How many|And how many] [people|guests] will come? {attendees}.
There were {NUMBER} [last year|last time]; this time [we expect|there will be] {attendees} [guests|people|participants].
[Entry|Admission|A ticket|A seat|Entrance] [costs|is|comes to|is yours for] {price}[|, food included|, no discount].
[Tickets|Seats] [are|sell for|go for|cost] {price}[| each| at the door| online].
[Sign up|Register|Book|Reply] [by|before|until] {due_date}[|, please|, not later].
[Deadline|Last day|Closing date] for [signing up|registration|replies] is {due_date}.
[The city|The town|The place] [is|this year is] {city}[|, not {NOT_city}|, {country}].
[This|This time|Next] year [in|it's] {city}[|, after {NOT_city} last year].
[It|This] [moves|has moved|goes] from {NOT_city} to {city}.
[Everyone|Everybody] is [coming|travelling|on the way] to {city}[|, {country}].
In {city}, at {venue}, [on {date}|at {time}|by {organizer}].
online=true: [You can|Everyone can|We all] [follow|join|watch|attend] [it|everything] [from home|from the sofa|on screen|through the browser|by video link].
online=true: [It|The whole thing|The event] is [online|virtual|on the web|online only|fully online][.|, so no travel is needed.|, the link follows.]
online=true: [No room|No hall|No venue], just [a link|a video call|the internet].
online=true: [Online|On the web]? Yes[.|, online only.|, the link is in the mail.]
online=true: [All you need is|You only need] a [laptop|browser|screen|phone] and [the link|a connection].
online=false: [You have to|Everyone has to|Please] [come|be there|show up|attend] in person[.|, there is no stream.]
online=false: [No|There is no|There won't be any] [stream|livestream|video link|online part|web version].
online=false: [Online|On the web]? No[.|, on site.|, only in person.]
category=concert: [Songs|Music|Guitars|Violins] [all evening|for {NUMBER} minutes|from the first minute]: [it's|it is] a concert.
category=concert: [It|This] is [a|going to be a|meant as a] concert[.|, so expect it to be loud.]
category=party: [There will be|We'll have] [cake|dancing|drinks|a buffet]: it's a party.
category=party: [It|This] is [a|just a|going to be a] party[.|, so bring good mood.]
category=workshop: [Bring tools|Bring a laptop|Wear old clothes], it's a workshop.
category=workshop: [It|This] is [a|planned as a|a hands-on] workshop[.| with {NUMBER} tables.]
category=meeting: [It|This] is [a|only a|a regular|a short] meeting[.| of the board.| with an agenda of {NUMBER} points.]
category=meeting: [Minutes|The minutes] of the meeting will be [taken|sent out] by {OTHER}.
category=conference: [Badges|Papers] for the conference [lie ready|are at the desk].
The name of it is {event}[|, not {NOT_event}].
[It|The whole thing|The day|What we plan] is called [the |]{event}[|, not {NOT_event}| this year].
[Last year|Before|Earlier] it was called {NOT_event}, now it is {event}.
[What is it called|Its name|The title]? {event}.
[For|With] [questions|tickets|your reply], [write to|mail|use] {email}[| or call {phone}|, not {NOT_email}].
[Call|Ring|Phone] {phone} [for|to book|if you want] [tickets|a seat|seats].
[More|Details|The programme] [is|can be found] [at|on|under] {website}.
{date}, [not {NOT_date}|that's the day|a day to remember], [at|from] {time}.
On {date} [it is|it's|we] [on|time|meet], [whatever the weather|rain or shine|as planned].
It is held in {country}[|, not in {NOT_country}|, in {city}].
online=true: The hall stays [empty|dark|locked], you watch [at home|from your kitchen].
online=true: No [chairs|coats|coffee queue], no [train ride|parking], [only|just] your [screen|laptop].
online=true: [Click|Tap] the [link|button] {NUMBER} minutes [before|early] and [test|check] your microphone.
online=true: [Nobody|No guest] [has|needs] to leave the house.
online=true: We [stream|broadcast] from an empty [studio|cellar], the guests [sit|stay] at home.
online=true: [Slippers|Pyjamas] [allowed|welcome], camera [optional|may stay off].
online=true: The [login|password|access code] [comes|follows] by mail [the day before|an hour earlier].
online=true: We see each other as little squares on a screen[|, not in a room].
online=true: [Zoom|Teams] lets you in on the hour, please mute yourselves.
online=true: On site? No, [nobody will be there|the building is closed], use your browser.
online=true: [Wherever you are|At sea or in bed], a [good connection|stable line] is all it takes.
online=true: Questions go into the chat window, [{OTHER}|someone] reads them out.
online=true: Do not travel: [there is no door to knock at|we only exist on the net this time].
online=true: [Because of the storm|To save money] we [moved|shifted] it [to the net|into the web].
online=true: Your seat is [wherever your computer stands|in front of your own monitor].
online=true: dial in, don't drive in
online=true: You'll see us, we won't see you: it runs as a [webcast|livestream].
online=true: A webinar, so [no name badges|nobody shakes hands].
online=true: Hotel rooms need not be booked, [sound and pictures|all of it] will come through the cable.
online=true: Formerly face to face, [this time|now] [screen to screen|remote].
online=true: In person only? [On the contrary|Quite the opposite], [solely|only] remote.
online=false: No link, no camera, you have to come.
online=false: Leave the laptop at home and [bring yourself|put on your shoes].
online=false: It can't be [watched|seen] from [the sofa|home][|, sorry].
online=false: Whoever stays at home [misses it|sees nothing], [nothing is filmed|we don't broadcast].
online=false: Real [people|hands to shake], real [chairs|coffee], no [screens|chat window].
online=false: Take the [lift|stairs] to floor {NUMBER}, [the door is open|we wait there].
online=false: Some asked for a [webcast|dial-in], we [had to say no|decided against it].
online=false: [After two years of|Tired of] video calls we sit face to face [again|at last].
online=false: Hang your coat [in the hall|by the door] and take a seat.
online=false: Bring [warm clothes|an umbrella], [part of it is|we stand] in the open air.
online=false: [Car park|Cloakroom], [toilets|lift], ramp: all there, only the internet isn't.
online=false: Zoom? [Never again|Not with us], [come round|come over].
online=false: Show your [ticket|badge] at the [door|gate] [to get in|and walk in].
online=false: You need [good shoes|a train ticket], not a password.
online=false: The [livestream|web version] we [once had|offered before] has been [dropped|given up], [take the bus|be our guest on site].
online=false: physically there or not at all
online=false: Virtual [guests|seats] don't exist, [each chair|every seat] is a real one.
online=false: Don't wait for [a login|an access code], there won't be one, [a doorman lets you in|just walk in].
online=false: You'll [sit|stand] right next to each other[|, so wash your hands|, shoulder to shoulder].
online=false: The meal is served [at long tables|on real plates], which can't be sent through a cable.
online=false: Remote? That was [last year|the exception], now it's on site.
category=conference: {NUMBER} talks, two [halls|rooms], one [big crowd of experts|thick book of abstracts].
category=conference: [Researchers|Experts] [from everywhere|of all ages] read papers to each other, as is usual at a conference.
category=conference: The call for papers [closed|ended] long ago, the [keynotes|panels] are fixed.
category=conference: Don't expect a party: it's a conference with [panels|keynotes] and [posters|papers].
category=concert: The [orchestra|band] tunes up, then [two hours of|nothing but] music.
category=concert: [Cello|Piano], [drums|flute] and a [choir|singer], encore [included|likely].
category=concert: [Not a talk|No lecture], you come to [listen to the band|hear them play].
category=concert: Concert [tickets|earplugs] [can be had|are sold] at the door.
category=workshop: [Roll up your sleeves|Bring an apron], everybody [builds|makes] something to take home.
category=workshop: [Learning by doing|Hands on], at most {NUMBER} [at a bench|per trainer].
category=workshop: In this workshop [mistakes are welcome|you try it all yourself].
category=workshop: The trainer shows [each step|how it's done], then you [try|practise].
category=meeting: [Item one|First point]: last [month's|week's] minutes, [item two|second]: the budget.
category=meeting: Only the [board|team] sits down together, [votes|decisions] will be taken.
category=meeting: The chair opens the meeting, {OTHER} [keeps|writes] the minutes.
category=meeting: We sit round [one|the] table and go through the [agenda|open points].
category=party: Dance floor, [DJ|disco ball], [punch|cold drinks] [till late|until we drop].
category=party: [Blow up the balloons|Hang up the lanterns], we have something to celebrate.
category=party: The party needs [dancers|salads], so [bring some|come along].
category=party: Come [in costume|in a silly hat], raise a glass and dance.
This year's edition of {event} [is in the hands of|lies with] {organizer}.
[The first hour|The afternoon] of {event} is for [children|the young].
What others call {NOT_event} is {event} to us.
A [letter|note] about {event} by {organizer} hangs [on the board|in the hall].
We [bought|reserved] seats at {event} for [the family|my class].
{OTHER} had the idea of {event}, {organizer} [hosts|runs] it.
[I have|Mum got] a ticket for {event} from {OTHER}.
[Last year's winner|The mayor] opened {event} with a song.
[Helpers|Volunteers] of {event} [wear|get] a [cap|badge].
[Nobody|No one] who [came to|saw] {NOT_event} should miss {event}, [it's better|says {OTHER}].
The fee of {price} for {event} [covers|includes] lunch.
[On the ticket|Printed on the badge]: {event}, {venue}, row {NUMBER}.
Around here everybody just says {event}.
The name, {event}, was [{OTHER}'s idea|chosen by vote].
[In|Out of] the calendar of {organizer}: {event} for [beginners|all ages].
If the poster of {event} by {organizer} [fell down|is gone], [put it up|print it] again.
Latecomers to {event} [wait|stand] outside[| until the break].
{venue}, {address}: [ring twice|use the side door], [second floor|through the yard].
Ask the [taxi|bus] driver for {venue} ({address}).
From the station, walk {NUMBER} minutes [along the river|uphill] and {venue} [comes into view|is on your left].
The street is {address}, the [house|building] {venue}.
They [tried|asked at] {NOT_venue} first, [in vain|a waste of time], then {venue} said yes.
At {address}, better known as {venue}, [the kettle is on|we wait for you].
[Floor plans|A map] of {venue} can be had [at the entrance|by the desk].
{venue} is cleared at {end_time}, so [we go home then|it ends there].
{city} has {NUMBER} halls, we [use|are in] {venue}[|, not {NOT_venue}].
Be outside {venue}, {address}, at {time}, [then|and] go in [together|with us].
Rent for {venue} was [paid|settled] by {organizer}[|, our host].
{organizer} [sends out|wrote] the invitations, {speakers} will take the stage.
While {speakers} speak, {organizer} [looks after|takes care of] [the rest|everything else] as host.
Invited by {organizer}: {speakers}, each for {NUMBER} minutes.
{organizer} will not speak, [that part falls to|the talks come from] {speakers}.
[Flowers|Thanks] go to {organizer} for [hosting|organising], [applause|cheers] to {speakers} for the talks.
[Behind the curtain|In the background]: {organizer}; at the microphone: {speakers}.
The hosts, {organizer}, are glad to welcome {speakers} as [speakers|lecturers].
You will hear {speakers}, all as guests of {organizer}.
Talks ([in this order|alphabetical]): {speakers}.
{OTHER} [takes the photos|does the sound], {speakers} [do the talking|give the talks].
Slides by {speakers} can be had afterwards.
{OTHER} hands the microphone to {speakers} and sits down.
The whole thing was dreamed up and is run by {organizer}.
[In charge|At the helm]: {organizer}[|, {OTHER} only helps].
[Sponsored|Paid for] by {NOT_organizer}, organised by {organizer}.
{NOT_organizer} stepped [back|down], {organizer} [jumped in|took over] as host.
Complain to {organizer}, they invited you; {OTHER} just [pours the wine|checks the tickets].
[Bring|Pack] your passport, it's in {country}.
[Guests|People] come from {NOT_country}, but it [happens|is held] in {country}.
{venue} in {city}, {country}, [has the date|expects you].
For once {country} [is the host country|plays host].
[We fly|They travel] to {country} for it.
{date} in {city}, {country}: [mark it|be there].
online=true: Put on headphones and [keep your charger near|close the other tabs], that's all the preparation you need.
online=true: The organisers will [beam|send] it into living rooms across {country}.
online=true: Raise your digital hand if you want to speak, and unmute.
online=true: Time zones are the only hurdle, since everyone connects from [their own desk|wherever they live].
online=true: A slow router could spoil your evening, so [plug in a cable|sit near the wifi box].
online=true: Your avatar may [stroll|wander] through a digital lobby before the start.
online=true: Nothing takes place on the premises this time, it's all over the web.
online=true: We gave up the lease on the hall and bought a streaming licence [instead|in its place].
online=true: {speakers} will speak from home and you'll hear it from yours.
online=true: Breakout rooms are [assigned|formed] by the software, cameras on if you like.
online=true: Commuters can follow it on their phones while riding the train.
online=true: If your picture [freezes|hangs], leave the session and rejoin.
online=true: Participants never meet in the flesh, [merely|only] in pixels.
online=true: Bandwidth permitting, up to {NUMBER} viewers can tune in at {website}.
online=true: It's held in cyberspace, so forget about [maps|parking].
online=true: A technician on the helpdesk will get you connected if the video [stutters|won't load].
online=true: Distance is no object, [Tokyo and Lima|farm and city] will share one video conference.
online=true: fully remote, invitation to the call follows
online=false: We'll hand you a [glass|programme] at the entrance and lead you to your table.
online=false: The fire brigade allows {NUMBER} bodies in the room, so [squeeze in|come early].
online=false: A shuttle bus picks guests up at the station of {city}.
online=false: The smell of [coffee|fresh bread] will greet you in the foyer.
online=false: Wheelchair users [reach|enter] the room by the side ramp, where helpers stand.
online=false: Phones go in a basket at the door, what happens there will not be [transmitted|shown anywhere].
online=false: Out-of-town guests get a [cheap rate|room] at the inn round the corner from {venue}.
online=false: You can't attend it from afar, only [on your own two feet|on the spot].
online=false: The ushers will tear your ticket and show you to your row.
online=false: There's no dialling in, as the cellar has no signal; [climb down and join us|find the stairs].
online=false: Handshakes, [name tags|lanyards] and a queue for the loo, just like before the days of webinars.
online=false: We plan to gather under one roof and look each other in the eye.
online=false: Leave your bikes in the yard of {venue}, [the cars across the street|the gate is open].
online=false: The internet crowd will have to do without, it's for those who make the trip.
online=false: {attendees} chairs have been [set out|dusted] for the guests, and none of them is virtual.
online=false: The organiser scrapped the remote option, because nobody [talks|laughs] freely into a webcam.
online=false: face to face, at {address}, [doors open early|ring twice]
category=concert: The [soprano|tenor] has a cold, but promised to sing anyway.
category=concert: A string quartet plays [Haydn|Schubert], then there's an interval.
category=concert: The support act goes on stage first, the headliner [performs|plays] after.
category=concert: The amplifiers are being wheeled in and the drummer is doing a sound check.
category=concert: The audience may hum along to the [ballads|choruses] but is asked not to clap between movements.
category=workshop: Clay, [glaze|wheel] and a patient tutor are provided, you supply the fingers.
category=workshop: By evening each participant will have [soldered|sewn] something under the guidance of a coach.
category=workshop: There'll be exercises in pairs, [feedback|tips] from the instructor and a second try.
category=workshop: You'll practise on your own material while the tutor walks from bench to bench.
category=workshop: No passive listening: participants learn a craft with tools in their hands.
category=meeting: The treasurer reports, the members [object|nod], and a show of hands settles it.
category=meeting: Heads of department compare notes and [assign|divide] the tasks for the quarter.
category=meeting: Quorum is {NUMBER}, and apologies for absence go to the secretary.
category=meeting: The agenda was circulated beforehand, any other business comes last.
category=meeting: We'll huddle with the project team to decide who does what.
category=party: There's a [piñata|bonfire], and the neighbours were warned of the noise.
category=party: We'll toast the birthday girl at midnight and dance [on the tables|barefoot].
category=party: Fancy dress, [cocktails|bowls of crisps], karaoke and a hangover the next day.
category=party: The hosts want to celebrate, so no speeches, just [fun|fizz] and a mirror ball.
category=party: Streamers, [confetti|paper hats] and a cake with sparklers are ready for the bash.
category=conference: Delegates from {NUMBER} universities will present their [findings|research] in parallel sessions.
category=conference: The proceedings will be printed, and each track has a [session chair|discussant].
category=conference: Plenary lectures in the morning, poster session at four, [delegates' dinner|panel debate] at night.
category=conference: The whole profession flies in to hear the keynote and swap business cards between lectures.
category=conference: Abstracts were peer reviewed, and the accepted speakers have [fifteen|twenty] minutes each.
The roof of {NOT_venue} leaks, hence the switch to {venue}.
The caretaker of {venue} [unlocks|opens up] for us at {time}.
[Heat|Heating] in {venue} is [poor|weak], so keep your [coat|scarf] on while you are with us.
We outgrew {NOT_venue}; {venue} has [space|room] for us all.
[Chairs|Benches] are being carried into {venue} [right now|this morning] for it.
{organizer} [has hired|has rented] {venue} for the occasion, caretaker included.
The stage has been [put up|built] inside {venue}.
Please don't turn up at {NOT_venue}, you would stand before [locked|closed] doors; your destination is {venue}.
The [cloakroom|bar] of {venue} stays open until we [finish|leave] at {end_time}.
[Wheelchair users|Guests with prams] reach us by the ramp behind {venue}.
Our booking at {NOT_venue} fell through. [Luckily|Happily] {venue} was free on {date}.
[Sat nav|Route planner] target: {venue}, {address}, {city}.
The acoustics of {venue} [suit|flatter] this kind of thing, which is why we picked it over {NOT_venue}.
{venue} [lends|offers] its roof to us [free of charge|for a small fee].
As a guest under the roof of {venue}, [wipe your shoes|mind the carpet].
Last year we [squeezed|crammed] into {NOT_venue}. This time we spread out in {venue}.
There is no parking in front of {venue}, so [leave the car at home|come by bike] that day.
[Your feet|Follow the arrows, they] will lead you to {venue} by {time}.
The car park belongs to {NOT_venue}, the room we sit in to {venue}.
Should it [rain|pour], we stay where we are: {venue} is [dry|roofed].
The keys to {venue} are with {organizer}, [which|who] also drew up the [schedule|running order].
{NOT_venue} is right across the [square|street], but our tickets are scanned at {venue}.
[Decorations|Balloons and flags] [went up|are being hung] in {venue}, where the guests will gather.
A [coach|shuttle] drops everybody off by the gates of {venue} and picks us up at {end_time}.
What better [backdrop|surroundings] than {venue} in the heart of {city}?
You'll need to know the way: {venue} is tucked away behind the [church|market], at {address}.
The after-party is over at {NOT_venue}; the thing itself [unfolds|goes off] in {venue}.
We kick off in {venue} at {time} sharp, and by {end_time} the lights go out.
The fire brigade has inspected {venue} and gave us the go-ahead, which it denied {NOT_venue}.
{NOT_venue} has been struck off the poster, somebody wrote {venue} [over it|in its place].
Under the [chandeliers|rafters] of {venue}, {speakers} will say a few words to the guests.
Sound check with {speakers}: {venue}, an hour before we let [people|the public] in.
The [lectern|rostrum] in {venue} is reserved for {speakers}.
Catering will be wheeled in through the back door of {venue} on {date}.
The trial run was in {NOT_venue}, the real thing is in {venue}.
room: {venue} ([formerly|it was meant to be] {NOT_venue})
@ {venue}, {city}, doors {time}
[Reception|The front desk] at {venue} will point you to our room.
No [matter|worry] if you've never set foot in {venue}, on {date} [we'll wave|stewards will guide you] at the door.
{organizer} [signed|got] the lease with {venue} after {NOT_venue} had raised its price.
Neighbours of {venue} have been warned about the noise we'll make.
The address is easily confused: {address} means {venue}, not {NOT_venue} two doors down.
On arrival you'll find {organizer} greeting their guests on the steps of {venue}.
[Half|Most] of {city} will be queuing outside {venue}, because {organizer} [calls|has called].
Wi-Fi for our guests in {venue}: ask {OTHER} for the password.
Behind it all [stands|is] {organizer}, not {NOT_organizer} as [the paper printed|many think].
{organizer} has been pulling the strings for [months|weeks] so that everything runs smoothly.
{organizer} carries the [risk|loss] if too few tickets are sold.
The idea came from {NOT_organizer}, yet all the [planning|legwork] was left to {organizer}.
You have {organizer} to thank for putting the [day|programme] together.
{organizer} drew up the guest list and will [chase|count] the replies.
[Unlike|Different from] the spring edition, which {NOT_organizer} staged, this one is staged by {organizer}.
Want to [help|volunteer]? {organizer} is putting the crew together.
The licence from the [council|city] was made out to {organizer}, who [answers|is liable] for it all.
{NOT_organizer} only prints the flyers. It is {organizer} that [set the whole thing in motion|arranges it].
Refunds are up to {organizer}, since they [mounted|got up] the event; [mail|write to] {email}.
{organizer} [rounded up|won over] {speakers} for the [podium|rostrum].
To {organizer} it was clear from the start that {speakers} must be given the floor.
Having fallen out with {NOT_organizer}, the town entrusted {organizer} with [running|arranging] it.
For [sponsorship|stalls], talk to {organizer}: nothing here is decided without them, they're behind it.
It takes [nerves|patience] to stage such a thing, and {organizer} has [them|plenty].
{organizer} pays for the snacks, as befits whoever does the inviting.
Don't blame {NOT_organizer} for the queue at the door, the planning was down to {organizer}.
For {NUMBER} years running {organizer} [has thrown open the doors|has brought people together] for this.
{organizer} ([not|and not] {NOT_organizer}), the initiators, [want|hope for] a full house.
Our ears belong to {speakers} that day, {NOT_speakers} having fallen ill.
{NOT_speakers} had to [pull out|back out], so now {speakers} will lecture instead.
[A glass of water|A clip-on microphone] awaits {speakers} on the platform.
Questions from the floor will be answered by {speakers} after their talks.
{OTHER} sits in the audience this time, the [keynote|lecturing] has been left to {speakers}.
Expert input: {speakers}. [Chairing|Moderation]: {OTHER}.
The travel costs of {speakers}, who will address us, are met by {organizer}.
We [managed|were able] to book {speakers} to hold forth on the subject; {NOT_speakers} declined.
[Biographies|Portraits] of {speakers}, whom you'll hear from the stage, are in the [leaflet|brochure].
Listen to {speakers} live and have your book signed after the talk.
"""

EVENT_OPENINGS = """
[Invitation|Programme|Agenda|Announcement|Save the date|News|Update|Newsletter]: {event}
[Invitation|Welcome|A warm welcome|Tickets|A reminder] to [the |]{event}[| at {venue}| on {date}|, {date}|, {venue}].
{event} - {venue} - {date}
{event} ({date}, {time})
{event} @ {venue}[|, {time}|, {date}]
{event}: [{date}|{time}|{venue}|{city}|{organizer}]
[The|This year's|Our|The next|The coming] {event} [moves|goes|comes|returns] to {venue}[|, {city}].
[The|This year's|Our|The next] {event} [fills|takes over|is held in|happens in|takes place in|is hosted by] {venue}[|, {city}| on {date}].
[The|Our] {event}, [planned|scheduled|announced] for {date}, [is at|will be at|takes place at] {venue}.
{venue} [is|will be] the [setting|stage|scene|home] of [the |]{event}[| on {date}].
On {date}, {venue} [turns into|becomes|is] the home of [the |]{event}.
[In|At] {venue} [there will be|we celebrate|we hold|people prepare for] the {event}[| on {date}| at {time}].
[The people|The team] at {organizer} [are planning|prepare|have announced] the {event}.
{organizer} [organises|organizes|hosts|plans|puts on|sets up|announces|holds|runs] [the |a |]{event}[| in {city}| at {venue}| on {date}].
[I|We] [signed up|registered|have tickets|got a seat] for the {event}[| on {date}| at {venue}| in {city}].
[Do not|Don't] [confuse|mix up] {NOT_event} and {event}; this is about the [latter|second].
After {NOT_event} [in spring|last month] now comes {event}.
[Instead of|In place of] {NOT_event}, [there will be|we'll have] {event}.
[hi|hey|hello] {OTHER}, [the |]{event} is [on|set for] {date}[|, at {venue}].
[What|What's happening]? {event}. When? {date}. Where? {venue}.
What: {event}; when: {date}, {time}; where: {venue}, {city}
{date}: {event}
{date}, {time}: {event}[|, {venue}]
{city}, {date}. {event}
{city} [is getting ready for|welcomes|expects] [the |]{event}.
[Thank you|Thanks] for [booking|choosing|registering for] {event}[|, {OTHER}].
[It is|It's] [that time again|almost here|official|decided]: {event}[|, {date}|, {venue}]!
For the {event} [on {date}|in {city}|at {venue}] we [need|still look for] [helpers|{NUMBER} helpers|chairs].
"{event}" is [the title|the name] of [our|the] next event.
Under the [title|name|motto] "{event}" [people meet|we meet|{organizer} invites you] in {city}.
[Because|Since|As] {event} [was such a success|is so popular|sold out], [we do it again|it moves to {venue}|{organizer} adds a day].
[Although|Though] [rain is forecast|it is early|tickets are few], {event} [will go ahead|takes place|goes on][| at {venue}| on {date}].
[When|Once|As soon as] {event} [opens|begins|starts] on {date}, [the town|all of {city}|{venue}] will be full.
[If|Should] you [plan|want|wish] to [visit|see|attend|go to] {event}, [come|go] to {venue}[| on {date}|, {city}].
[Before|After] {event} there [is|will be] [a drink|coffee|a walk] at {venue}.
[How|Where|When] [to find|is|to book] {event}[|: {venue}, {city}|: {date}, {time}]
[Have|Did] you [heard|hear] of {event}[|, the one in {city}|, which {organizer} runs|]?
[Where|When] is {event} [held|taking place]? [At {venue}|On {date}|In {city}, {date}].
[Is|Will] {event} [on|be on] {date} or {NOT_date}? [On|It is] {date}.
[I|We] [would like|want|wish] to [invite you to|see you at|tell you about|remind you of] {event}[| on {date}| at {venue}].
[I|We] [met|saw|heard of] {organizer} at {event}, [they run it|who run it|who organise it].
[My|Our] [class|team|choir|club] [goes|is going|will go] to {event}[| in {city}| on {date}].
["See you at|"Welcome to|"Come to|"Don't miss] {event}," [says|writes|wrote] {organizer}[|, the organizer|, who organises it].
["{event}|"Our {event}] is [back|sold out|on]," [says|wrote] {OTHER}.
[Dear|Hello|Hi] {OTHER}, [here is|this is|I send you] the [plan|programme|info] [for|of] {event}[|, {date}|, {venue}].
[Poster|Flyer|Ticket|Badge|Calendar]: {event}[|, {date}|, {venue}|, {city}]
[Press|Media|Press release]: {organizer} [announces|presents|launches] {event}[| in {city}| at {venue}].
[Title|Name|Event]: {event}. [Place|Where]: {venue}. [Day|When]: {date}.
[Calendar|Diary], [page|entry] {NUMBER}: {event}[|, {venue}|, {time}]
{event} [is|will be] [hosted|organised|run|staged|prepared] by {organizer}[| at {venue}| in {city}| on {date}].
{event} [is|will be] [the|a] [highlight|first of its kind|talk of the town] [in|of] {city}.
{event} [was|has been] [moved|postponed|put off|brought forward] [from {NOT_date} |]to {date}.
{event} [was|has been] [moved|transferred|relocated] [from {NOT_venue} |]to {venue}.
{event} [needs|is looking for|wants] [you|helpers|{NUMBER} helpers][|, write to {organizer}|].
{event} [starts|begins|opens] [at {time}|on {date}|in {city}] [and|, it] [ends|closes] at {end_time}.
{event} in {city}[|, {country}|: {date}|, {venue}]
{event} by {organizer}[|, {date}|, {venue}|, {city}]
{event}, [organised|organized|hosted|presented] by {organizer}[|, {city}|, {date}]
{event}, [last held in {NOT_city}|once called {NOT_event}|long awaited], [comes|moves] to {city}.
{event}? [Yes|Of course|Sure]: {date}[|, {venue}|, {time}].
{event} [again|at last|soon|once more]![| {date}.| {venue}.]
{date}, {venue}: {event}
{date} [is|will be] the day of {event}[| in {city}| at {venue}].
{time}, {venue}, {event}
{venue}, {date}. {event} [opens|begins][| at {time}].
{venue} [gets|receives|has rented its rooms to|makes room for] [the |]{event}[| on {date}].
{venue}: {event}[|, {date}|, {time}]
{organizer}: {event}[|, {date}|, {venue}]
{organizer} [and friends|with the city|once again] [present|presents] {event}[|, {date}|, {venue}].
{organizer} [has|have] [moved|postponed] {event} to {date}.
{organizer} [thanks|would like to thank] [all helpers|everyone] of {event}.
{city} [hosts|has|gets] {event}[| on {date}|, not {NOT_city}].
{city}: {event}[| at {venue}| on {date}]
{speakers} [will speak|are speaking|will give talks] at {event}[| on {date}| in {city}].
{attendees} [people|guests|visitors] [are expected|have signed up|will come] [at|for|to] {event}.
[All|Everything] [about|on|for] {event}[| in brief|, {date}|, {city}]
[Only|Just] {NUMBER} [days|weeks] [to go|left] [until|till|to] {event}[| at {venue}| in {city}]!
[Not|This is not] {NOT_event} [but|, this is] {event}[|, {date}].
[The|Our] [doors|gates] of {venue} [open|are open] for {event}[| at {time}| on {date}].
[Next|This] [week|month|Friday]: {event}[|, {venue}|, {city}].
The curtain rises on {event} at {time}[| in {venue}| on {date}].
[Circle|Underline] {date} in red: {event} is upon us.
You are holding the [programme|leaflet] of {event}, not that of {NOT_event}.
Mark my words, {event} is going to be the talk of {city}.
{NOT_event} has been called off, {event} [fills the gap|steps in][| on {date}].
[Seats|Places] for {event} are going fast[|, writes {organizer}|, so be quick].
{organizer} [bids|bid] you welcome to {event}.
Where {NOT_event} used to be, there is now {event}[|, run by {organizer}].
[Rehearsals|Preparations] for {event} are in full swing[| at {venue}].
Dear members, {event} is drawing [near|close][|: {date}, {venue}].
fyi {event} moved to {date}[|, still {venue}|, don't be late]
A few practical notes for [everybody|all] coming to {event}[| at {venue}]:
RSVP: {event}, {date}[|, {time}|, {city}]
What began as {NOT_event} years ago goes by the name of {event} today.
Your QR code for {event}[| on {date}| at {venue}] is attached.
The [jury|board] turned down {NOT_event} and voted for {event}.
Can't wait for {event}[| in {city}|, {OTHER} is coming too|, only {NUMBER} sleeps]!
{city} has a new date for the calendar, {event}[|, and {organizer} is behind it].
{event}, brought to you by {organizer}[|, not by {NOT_organizer}].
Nothing [beats|tops] {event}, not even {NOT_event}, and it returns on {date}.
From {time} on {date} all roads lead to {event}.
Minutes of the committee, item {NUMBER}: {event}[| at {venue}| in {city}].
We regret to say that {NOT_event} is full; what we can offer you is {event}[| on {date}].
{OTHER} forwarded me the flyer for {event}[|, {venue}|, {date}], not the one for {NOT_event}.
How about {event} [this year|for a change]? It's on {date}[| in {city}| at {venue}].
[Group chat|Pinned message]: {event}, {date}, meet in front of {venue}
With {speakers} on stage, {event} promises to be [lively|worthwhile].
[Not until|Only on] {date} will {event} open its gates[| in {city}| at {venue}].
This is not about {NOT_event}, as the last mail was. It is about {event}.
The waiting has an end: {event} [gets under way|sets off] at {venue}[| on {date}].
"""

ORDER_DETAILS = """
[The|This|Our|Your] [article|product|item] [is|in question is|concerned is|ordered is|on the list is] [a|the] {product}[|, not the {NOT_product}].
[It is|It's|We're talking|This is] about [a|the|one] {product}[|, not about the {NOT_product}].
[What|Which article] was ordered? [A|The] {product}.
[Instead of|In place of|Rather than] the {NOT_product}, [send|pack|take|ship|please send] the {product}.
[First|At first] [they|{s}] [wanted|asked for|ordered] the {NOT_product}, [then|now] [it is|they want] the {product}.
The {NOT_product} was [returned|taken off the list|struck out|not wanted]; [it's|what is left is] the {product}.
[One|A single|Just one|A second] {product}, [that's all|nothing more|please|well packed].
{product}, {price}[| each| apiece| per piece|, {quantity} pieces].
{quantity} {product}, {price} each, {amount} in all.
{quantity} [of the|pieces of the|units of the|times the] {product}[| at {price}| for {amount}].
[A|The] {product} [for|at] {price}[| plus {shipping_cost} shipping| and nothing else].
[In|Inside] the [box|parcel|package|crate] [lies|is|you find|there is] [a|the] {product}.
The {product} [was|is|has been] [wrapped|packed|put aside|taken from the shelf|ordered][.| by {OTHER}.| this morning.]
[Somebody|A customer|They] [picked|chose|clicked on|ordered|took] the {product}[|, in the end| for {price}].
[article|item|product] {product}, [qty|quantity|number] {quantity}
[1x|2x|3x] is wrong, [it's|make it] {quantity} [of them|pieces].
[How many|Quantity|Number of pieces]? {quantity}[.|, please.|, not {NUMBER}.]
Make that {quantity} [instead of|rather than|and not] {NUMBER}[ pieces|].
[They|We|I] need {quantity} [of them|of these|pieces|units][| rather than {NUMBER}].
[On the list|On the slip|On the note|In the cart|In the basket|In the bag] [there are|we find|are|you find|I see] {items}.
[List|Shopping list|Packing list|Slip]: {items}
{items}[ -|,] [that's the order|that is all|nothing more|all packed|please].
{items} [were|have been] [ordered|packed|put into the box|bought|picked|loaded][.| by {OTHER}.| this morning.| today.]
[Please|Kindly|You should|Don't forget to] [send|bring|pack|add|deliver|include|put in] {items}[|, thanks| as well| by {delivery_date}].
[We|They|I] [ran|have run] out of {items}, so [that's what is ordered|please send some|the order is for these].
[Somebody|{OTHER}] [has|had] [asked for|ordered|put in an order for] {items}[|, as always].
It's [all about|for] {items} [this time|today|again].
What we [need|want|are missing|would like to have|lack] [is|are] {items}.
[Besides|Apart from|Other than] {items} [nothing was ordered|there is nothing in the box|the list is empty].
[First|To begin with] {items}, [then|that's it].
The [truck|van|courier] [brings|carries|will bring] {items}[| to {city}| on {delivery_date}].
[Are|Were] {items} [in the box|part of the order|on the list]? Yes.
[One box|A box|A crate|A pallet] with {items} [is on its way|stands ready|goes to {city}|is for {customer}].
[No|Leave out the] paper, [but|just] {items}.
{customer} [wants|needs|gets|asked for|has paid for|has bought] {items}[| by {delivery_date}].
[Everything|The lot] - {items} - [goes|will go] to {address}[|, {city}].
things [to send|to pack|ordered]: {items}
need {items} [asap|pls|today|for friday]
[Bought|Ordered|Paid|Requested|Wanted] by {customer}[|, not by {NOT_customer}| in {city}| on {order_date}].
[It was|It is] {customer} who [ordered|bought it|pays|placed the order][.|, not {NOT_customer}.]
[Who|And who] [ordered|bought] it? {customer}.
{customer} [is the buyer|is our customer|will pay|signed the order|is waiting for it].
[On behalf of|In the name of|For] {customer}[|, who ordered it|, our customer|, the buyer].
[The order|It] came [from|in from|to us from] {customer}[|, {city}].
[The order number|Its number|The number of the order|The reference] is {order_id}[|, not {NUMBER}].
[Quote|Give|Mention|Use] {order_id} [when you call|in all letters|as the order number].
[Placed|Made|Ordered|Dated|Received] on {order_date}[|, due on {delivery_date}|, paid at once].
[Delivery|Arrival]: {delivery_date} instead of {NOT_delivery_date}.
[Send|Ship|Deliver|Bring] it to {address}[|, {postal_code} {city}|, {city}|, not to {NOT_address}].
The [old|former] address was {NOT_address}, the [new|right|present] one is {address}.
[It|The parcel|The delivery] goes to {city}[|, not to {NOT_city}|, {country}].
[All in all|Together|Altogether|In total|In sum] {amount}[|, please|, that is the sum| to pay].
status=pending: [Nothing has happened|No one has touched it] [yet|so far][.|, it is still open.]
status=pending: The order is [open|on hold|waiting|still to be processed][.| for now.]
status=shipped: It [left|went out|is rolling|was handed to the driver] [today|on Monday|last night|at noon].
status=shipped: [Track|Follow] the parcel [online|on our page], it is on its way.
status=delivered: [The box|It] [stands|lies] [at the door|in the hall|on the desk] [since|of the customer since] [noon|Monday].
status=delivered: [Signed for|Received|Taken in] by [a neighbour|{OTHER}][.| at the door.]
status=cancelled: [They|The buyer] [changed their mind|withdrew|no longer wants it][.|, the order is cancelled.]
status=cancelled: [Cancelled|Called off|Withdrawn][.| today.| by phone.]
gift=true: [It|This] is [for a birthday|a present|meant as a gift|a gift for {OTHER}][.|, so no bill in the box.]
gift=true: [Gift|Present]? Yes[.|, with a ribbon.|, please wrap it.]
gift=false: [It|This] is [no gift|not a present|not meant as a gift|for own use][.|, no wrapping needed.]
gift=false: [Gift|Present]? No[.|, for own use.]
priority=high: [It|This] is [urgent|of high priority|top priority|very urgent][.|, please hurry.]
priority=low: [No hurry|No rush|Take your time|Whenever you can], [the priority is low|low priority].
priority=medium: [Medium|Normal|Middle] priority[.|, please.|, as always.]
[Call|Ring|Phone] {phone}[| before you come|, ask for {OTHER}| or write to {email}].
{customer} [can be|is] [reached|called] [at|on] {phone}[| or {email}|].
{discount}% [less|off|cheaper], [since|because] [{customer} is a regular|the box was open|it is spring].
[Price|Cost] [each|per piece|apiece]: {price}, [in all|together|total]: {amount}.
[A|One] {product} [costs|is|sells for] {price}[|, not {NOT_price}|, the {NOT_product} costs more].
The [country|destination] is {country}[|, not {NOT_country}|, {city}].
[Post|Zip] code {postal_code}[|, {city}|, {city}, {country}].
status=pending: [It|The whole order] still [sits|lies|waits] on the packing table[|, half the boxes open|, tape beside it].
status=pending: We can't start [until|before] the bank [says yes|gives its blessing|has checked everything].
status=pending: [Nobody in the warehouse|Not one of the packers] has picked it from the shelves yet.
status=pending: {OTHER} must first [approve|sign|look over] the order, [then|only then] the warehouse may begin.
status=pending: Your request is number {NUMBER} in the queue[|, so bear with us].
status=pending: [Held up by|Stuck because of] a missing [part|signature|form]; nothing leaves the house before that.
status=pending: The label has been printed, but [the carton is empty|there is nothing to stick it on].
status=pending: [As soon as|Once] the [missing lid|new batch|last part] comes in, we will begin packing.
status=pending: So far it exists only [on paper|in our computer|as a line in the book].
status=pending: Please be patient: [we|our people] have not [got round to|begun with|looked at] it.
status=pending: "In the queue, not forgotten" is all the clerk [could tell me|would say].
status=pending: When will you pack it? [Perhaps|Maybe] [tomorrow|next week]; the supplier owes us [a part|an answer].
status=pending: Payment check running, packing not begun.
status=shipped: [Customs has|The customs people have] had the parcel [since Tuesday|for days], then it travels on.
status=shipped: It is somewhere [on the road|on a lorry] between our warehouse and [your door|the buyer].
status=shipped: [The ship with it|The container] is crossing the sea [right now|as I write].
status=shipped: Last scan: sorting centre, {NUMBER} km from you.
status=shipped: The courier has it in the van and [should|will] ring [tomorrow|in a day or two].
status=shipped: [Our shelf is empty|It is out of our hands]: the post has taken the box along.
status=shipped: Expect a knock [this week|before Friday], the driver set off [at dawn|an hour ago].
status=shipped: Packed, stamped, [gone|off], but not [with you|at the door] yet.
status=shipped: {OTHER} waved the lorry off, now [all we can do is wait|the road decides].
status=shipped: The tracking map shows a [little dot|small van] moving [towards|in the direction of] {city}.
status=shipped: [I watched|We saw] the parcel service drive away with it, the buyer [still waits|has seen nothing of it yet].
status=shipped: en route since [monday|yesterday], arrival [unknown|open|soon]
status=shipped: Flight {NUMBER} has it on board[|, landing is tonight].
status=delivered: [A neighbour|The lady next door] took it in [and will bring it over|as nobody was home].
status=delivered: [The parcel|Everything] [has reached|got to] the buyer [safe and sound|without a scratch].
status=delivered: {customer} has already [unpacked|opened] the box and [is happy|sent a photo].
status=delivered: [Left|Put down] [on the porch|behind the bins|under the stairs], says the driver's note.
status=delivered: "[It's here|It came], many thanks!" [wrote|says] the buyer[| this morning].
status=delivered: The driver has the signature, [the customer|the client] has the goods.
status=delivered: Handed over [in person|at the front desk] [at noon|this morning|on Saturday].
status=delivered: No more waiting, the doorbell rang [an hour ago|at nine] and there it was.
status=delivered: [Arrived|Came] [a day early|on the hottest day|with a dent in the carton], but complete.
status=delivered: It was [dropped|pushed] through the letter box[|, the cat watched].
status=delivered: The buyer has been using it [for days|since Sunday].
status=delivered: We can close the file: the goods are [in the customer's kitchen|where they belong|at the client's].
status=delivered: Journey over: dropped off, photo taken, [door closed|recipient pleased].
status=cancelled: The buyer called it off [before we could pack|after a night's sleep|by mail].
status=cancelled: [Tear up|Throw away] the [slip|order form], nobody wants it any more.
status=cancelled: The money [went|goes] back, the goods stay [on our shelf|here], end of story.
status=cancelled: {customer} found it cheaper elsewhere and [backed|pulled] out.
status=cancelled: [Struck|Crossed] off the list at the [buyer's|client's] own wish.
status=cancelled: We had to [drop|scrap|annul] the order because the maker [went out of business|ended the line].
status=cancelled: Stop! Don't send anything, [{OTHER}|the office] has annulled it.
status=cancelled: The deal [fell through|is off|came to nothing].
status=cancelled: [Second thoughts|Cold feet]: a call at [eight|noon], and there was no order any more.
status=cancelled: Please [unpack it again|put it back on the shelf], the client [has stepped back|said no after all].
status=cancelled: void, don't pack, [refund done|money returned]
status=cancelled: It will never leave our house, as the purchase was [revoked|rescinded|undone].
status=cancelled: What became of it? [Dropped|Revoked] [on day two|within an hour], on the [buyer's|client's] word.
gift=true: [Put|Tie] a [broad|shiny|silk] ribbon around it[|, please].
gift=true: A card with [greetings|best wishes|kind words] goes [into the box|with it].
gift=true: [Don't|Please do not] tell {OTHER}, it's [a surprise|meant to surprise].
gift=true: The paper with the [stars|little hearts|fir trees] should go round it, my niece turns {NUMBER} tomorrow.
gift=true: [Grandma|My sister|Our boss] is to unwrap it on [Christmas Eve|her name day|the big day].
gift=true: Leave the price tag off, [the bride|the happy couple|the lucky one] must not see it.
gift=true: [We|They] ticked the box for [festive|pretty] wrapping.
gift=true: Bow on top, [no bill inside|bill by separate post], greeting: "[From all of us|With love]".
gift=true: It shall lie under the Christmas tree[|, so hide it well].
gift=true: Somebody else will open it: [my father|the newly-weds], at the party.
gift=true: {customer} pays, but [a friend|an aunt] [will have the joy|gets to unwrap it].
gift=false: [I'm buying|I bought] it for myself.
gift=false: No wrapping, no ribbon, [no fuss|just the brown carton].
gift=false: The gift box stays [unticked|empty|without a tick].
gift=false: Gift paper? [Spare us|Not needed|Save the trees].
gift=false: It is for [the office|our own kitchen|daily work], so a plain [carton|box] [will do|is enough].
gift=false: The price may [be seen by all|lie on top], nobody is to be surprised.
gift=false: [Nobody has a birthday|There's no feast], we simply need it.
gift=false: Greeting card: none; ribbon: none; [plain parcel|ordinary box].
gift=false: {customer} [means to keep|will keep] it and [asks for no bow|won't give it away].
gift=false: Treating myself, hence [no bow|no fancy paper].
gift=false: We asked about the [festive|pretty] paper, the answer was [no|"no, thanks"].
priority=low: [It|This one] can [wait|stay at the bottom of the pile] [for weeks|until everything else is out].
priority=low: [Deal with|See to] the others first, this comes last.
priority=low: Nobody will mind if it takes [a month|until autumn].
priority=low: [Send|Dispatch] it when there's [room|space] in the van, [no sooner|one day or another].
priority=low: There is all the time in the world[| for this one].
priority=low: The buyer is [on holiday|away] for {NUMBER} weeks, so don't [hurry|run].
priority=medium: Neither [urgent|pressing] nor [forgotten|unimportant], [just|simply] the usual pace.
priority=medium: [Treat|Handle] it like any other order.
priority=medium: Into the middle of the pile[|, where most of them lie].
priority=medium: Not the first to [leave|go], not the last either.
priority=medium: Ordinary speed [will do|is fine]: [no express|no racing], no dawdling.
priority=medium: [How fast|How urgent]? [Average|Normal|So-so].
priority=high: [Drop|Leave] everything else and [see to this|start here].
priority=high: [Put|Lay] it on top of the pile[|, the boss is asking].
priority=high: [Express|By express], the line [stands still|is down] without it.
priority=high: Every hour counts[| for this one], [move it|please run].
priority=high: It jumps the queue, [{OTHER} said so|orders from above].
priority=high: If only one [parcel|order] can go today, take this one.
payment_method=card: We charged the card ending in {NUMBER}.
payment_method=card: [Visa|Mastercard] was [accepted|taken] at the first try.
payment_method=card: The buyer [typed in|gave us] the credit card number[| and the code on the back].
payment_method=card: Plastic, not [coins|notes]: the terminal [read|took] the card.
payment_method=cash: [Notes|Coins] [changed hands|went into the till] at the counter.
payment_method=cash: The driver [collects|takes] the money in banknotes at the door.
payment_method=cash: Paid in bills and small change, [no card|cards refused].
payment_method=cash: Bring the exact sum in cash, [our till has no change|the till is short of coins].
payment_method=transfer: The sum [goes|went] from account to account[|, reference {NUMBER}].
payment_method=transfer: We gave {customer} our [IBAN|bank details], the money comes [that way|by wire].
payment_method=transfer: [Wired|Remitted] from the [company account|savings account].
payment_method=transfer: No card, no cash: a [bank transfer|wire] [within {NUMBER} days|as agreed].
payment_method=paypal: A PayPal [link|request] was [sent|mailed] and [answered|confirmed].
payment_method=paypal: The [money|sum] [sits|landed] in our PayPal account.
payment_method=paypal: [Cash|Card|Wire]? None of these, it ran through PayPal.
payment_method=paypal: Buyer protection by PayPal [applies|is on], as it was [used|chosen] at the checkout.
{items} went into the box[|, with lots of paper around|, the lid is closed].
The basket [holds|held] {items}[| and not a thing more].
Unpacked: {items}; the rest follows [next week|later].
I [ticked off|counted|checked] {items}, [nothing missing|all there].
Whoever packs this, take {items} from the [back|cold] room [first|and mind the glass].
Not {NOT_items}, as the first mail said, [but|rather] {items}.
The shelves were searched for {items}[|, {OTHER} helped].
From our list you chose {items}, [a fine choice|good taste].
{items}: [ready for the label|weighed together {NUMBER} kg|crossed off].
We [swapped|exchanged] {NOT_items} for {items}[| at no charge].
Could you squeeze {items} into one [carton|crate]?
pls pack {items} n call me
The customer's [wish list|handwritten list] reads: {items}.
It all adds up, {items} for {amount}.
[Under the lid|Beneath the foil] {items} [came to light|could be seen].
The border it has to cross is that of {country}.
[Stamps|Papers] for {country} [are needed|must be filled in].
The goods end up in {country}, not [over |]in {NOT_country}.
{country} is where [the buyer sits|the parcel has to go], so [count on {NUMBER} days|the papers matter].
[Postage|The rate] to {country} is {shipping_cost}.
We rarely [send|sell] [things |]to {country}, but here we do.
Count them twice, there [must|should] be {quantity}.
{quantity} [was|is] the number [ticked|typed in], {NUMBER} the number of the [shelf|page].
A [set|stack] of {quantity}, [all alike|each in foil].
Not [a dozen|two|just one], {quantity}!
If {quantity} won't fit in one carton, take two.
The [label|sticker] bears the name {customer}[|, not {NOT_customer}].
We have {customer} to thank for this order.
Sold to {customer}, [packed|written down] by {OTHER}.
{OTHER} answered the phone, {customer} was the one [ordering|who wanted it].
The [photo|sketch] they sent shows the {product}, so [that's|this is] what we [pack|pick].
Without the {product} the box would be [empty|light].
Mind the {product}, it [breaks easily|is heavy]!
They want the {product} and by no means the {NOT_product}.
Shelf {NUMBER}, second from the left: the {product} they [mean|asked for].
status=pending: We are still [hunting|digging] through the storeroom for it, so the [tape|carton] stays unused.
status=pending: A pick list has yet to be [drawn up|printed], which is why [the trolley|the cart] is standing idle.
status=pending: Credit control [has frozen it|keeps it locked] until the deposit [clears|turns up].
status=pending: It is [awaiting|short of] one signature from [accounts|the manager], and work starts after that.
status=pending: The seller has noted the request and will get going [after the stocktake|once the holidays end].
status=pending: Only a confirmation mail has gone out to the buyer; the goods [haven't been fetched|are still on the rack].
status=pending: [The loom is|The machines are] still making the pieces for it, [dispatch comes later|sending comes after].
status=pending: You can change the address without trouble, because [packing is a day off|we haven't got past reading it].
status=pending: The clerk parked it in the tray marked "to do" and went [to lunch|on leave].
status=pending: Not rejected, not fulfilled: it is simply unprocessed, [and that may last|so bear up].
status=pending: We took it down on {order_date} and have yet to lift a finger.
status=pending: A backlog of {NUMBER} others [comes|must be worked off] first, then we turn to yours.
status=pending: awaiting stock, will be made up when the goods [get in|come from the factory]
status=shipped: The carrier [scanned|collected] it at our ramp and it is [rolling south|under way] as you read this.
status=shipped: [A rider|A cyclist] pedalled off with it, and the recipient [is listening for the bell|should stay in].
status=shipped: It has cleared our gate but not [reached its goal|come to its journey's end].
status=shipped: The waybill is signed, the pallet [went up the tail lift|is strapped in], and the wheels are turning.
status=shipped: By now it must be halfway between the depot and {address}.
status=shipped: We sent it off [with the evening post|on the night train]; please allow {NUMBER} more days.
status=shipped: A traffic jam near {city} is delaying the van that [has it aboard|carries it].
status=shipped: The transit notice reads "in the hands of the [haulier|forwarder]".
status=shipped: Our part is done since [noon|Monday], the [freight|forwarding] firm is now bringing it to you.
status=shipped: Too late to add anything: the crate [rolled out|was sent off], though it won't be there until {delivery_date}.
status=shipped: It changed trains [at the hub|in the sorting hall] overnight and [rolls|heads] on towards the recipient.
status=shipped: dispatched, not yet received, tracking code in your [inbox|mailbox]
status=shipped: The airline [has loaded|took] the crate, touchdown and the last mile are still ahead.
status=delivered: The recipient [wrote her name|scribbled his initials] on the courier's screen and carried it [upstairs|indoors].
status=delivered: [Safe|Dry] and complete, it now adorns the living room of {customer}.
status=delivered: The proof of receipt is filed, so [the insurer can relax|our duty ends here].
status=delivered: It made it all the way: the [concierge|janitor] at {address} confirmed he has it.
status=delivered: The empty carton is [already|long since] in the buyer's recycling bin.
status=delivered: [A review|Five stars] from the buyer: "quicker than promised, and I love [using|having] it".
status=delivered: The parcel locker was emptied by the buyer [with the pin|an hour later].
status=delivered: Since {delivery_date} it has been in its new home.
status=delivered: The fitters brought it up the stairs, [set it up|put it together] and left with a tip.
status=delivered: The return window of {NUMBER} days is [ticking|running], as the client got hold of it on [Monday|Friday].
status=delivered: [Mission|Job] accomplished, {customer} is holding it in both hands.
status=delivered: I was wrong to worry, it turned up at the doorstep [after all|in the rain].
status=cancelled: {customer} asked us to [bin|shred] the form, which we did.
status=cancelled: Nothing will be sent, as the purchase [was stopped|has been nullified] on the phone.
status=cancelled: The shop [refused|turned down] the job and returned the deposit.
status=cancelled: It was a double click by mistake, so the whole entry has been [deleted|wiped].
status=cancelled: The price was a misprint, and [both sides|seller and buyer] agreed to forget the sale.
status=cancelled: The card was declined {NUMBER} times, and the system [threw the order out|killed the order].
status=cancelled: [We regret|Sad but true]: the model was discontinued, so your purchase is null and void.
status=cancelled: The client [thought better of it|had a change of heart] and we took the box off the lorry for good.
status=cancelled: Farewell to that sale; the [credit note|reversal] went out [by mail|this morning].
status=cancelled: Please [release|free] the reserved goods for others, since this buyer has bailed out.
status=cancelled: The lady [rang|wrote] in tears: the move is off, and so is the order.
status=cancelled: aborted at the customer's request, [no further action|do not ship]
gift=true: The [godchild|nephew] has no idea what is coming on the [big day|birthday].
gift=true: It is how {customer} wants to thank [the nurses|a kind neighbour], so make it look festive.
gift=true: Our [team|choir] pooled money for a retiring colleague and chose this.
gift=true: Cover up the [sum|cost] on the slip, as the recipient shouldn't know what the giver spent.
gift=true: Tissue paper, [golden|velvet] string and a handwritten tag were asked for.
gift=true: It'll be handed over at the [christening|graduation], with a hug.
gift=true: An anniversary is coming up and {OTHER} deserves to be spoilt with it.
gift=true: {customer} is giving it away [to a friend|to the school] in {city}.
gift=true: Santa is said to bring it, so [ship it without a logo|keep the outside neutral].
gift=true: A housewarming [token|treat] for the couple next door, hence the bow.
gift=false: It replaces the broken one in our own [bathroom|workshop].
gift=false: Purely for [personal|private] use, so skip the glitter.
gift=false: The company [buys|needs] it as equipment, and the tax office wants the receipt in the box.
gift=false: A reward to self after a hard month, so the buyer will be the one to open it.
gift=false: {customer} will not be passing it on to anyone.
gift=false: I turned down the wrapping service, because I'm the one who will use the thing.
gift=false: [Routine|Ordinary] restocking for the shop, no celebration behind it.
gift=false: The present for {OTHER} was another parcel; this one {customer} is keeping.
gift=false: Save the [tinsel|satin] for other people's boxes, here it would be wasted on the buyer himself.
gift=false: Who gets it? The same person who pays, [no one else|nobody other].
priority=low: Let it [simmer|ripen] on the back burner.
priority=low: It's a filler job for [slow afternoons|rainy days] when the packers are bored.
priority=low: The customer wrote "at your leisure", so give everybody else precedence.
priority=low: If something has to be [postponed|put off], let it be this.
priority=low: [Snail mail|The slowest freight] is perfectly fine, the buyer won't need it until [next year|the season after].
priority=low: Not worth any overtime, [even next month would be early|pack it when nothing else is left].
priority=low: The lowest rung of the list is where it [belongs|was filed].
priority=low: There is no deadline at all, we may [dawdle|idle] as long as we like.
priority=low: It is merely spare stock for the cellar, so no one is [pressing|pushing] for it.
priority=low: I'd shove it to the end of the line; {customer} has [patience|time] in abundance.
priority=medium: Standard handling, [first come, first served|in turn].
priority=medium: It goes in sequence, with no one pushed aside and no one let past.
priority=medium: On our scale from one to three it got a two.
priority=medium: A yellow tag, as opposed to the red for rush and the [green|grey] for whenever.
priority=medium: [Somewhere|About] halfway down the stack is right for it.
priority=medium: It shouldn't be left lying around, though it needn't [overtake|outrun] anything.
priority=medium: Give it the regular lead time, [a week or so|as for most clients].
priority=medium: {customer} wants neither special treatment nor neglect.
priority=medium: Moderately pressing, [says the planner|according to the sheet].
priority=medium: The emergencies go ahead of it, the stragglers behind.
priority=high: [All hands on deck|Everyone to the packing table], it cannot wait another day.
priority=high: It bears the red [flag|sticker], and whoever lets it lie hears from the director.
priority=high: A hospital is depending on it, so [the rest must stand back|make way for it].
priority=high: Yesterday would have been better, [says the buyer|they told us on the phone].
priority=high: Wake the night shift if you have to, but get it [out|finished] before dawn.
priority=high: {customer} paid extra for the fast lane.
priority=high: The deadline is [breathing down our necks|brutal], a delay would cost us the client.
priority=high: A matter of the utmost importance, so nothing may [come before|hold back] it.
priority=high: ASAP!!! [Their production stops|Their shop opens] tomorrow.
priority=high: Treat it as an emergency; even lunch is [secondary|postponed].
payment_method=card: The buyer tapped a debit card on the reader and [it beeped|the light turned green].
payment_method=card: An Amex was swiped, [the slip is stapled to the form|the bank nodded it through].
payment_method=card: At checkout {customer} entered the sixteen digits and the expiry date.
payment_method=card: It will appear on the buyer's next Mastercard statement.
payment_method=cash: {customer} counted out the [bills|banknotes] on the table.
payment_method=cash: An envelope full of twenties was passed over, and we gave change.
payment_method=cash: Have the [coins|notes] ready for the driver, he has no terminal.
payment_method=cash: Hard currency across the counter, [as in the old days|nothing electronic about it].
payment_method=paypal: The buyer logged in to PayPal and [approved|authorised] the sum.
payment_method=paypal: A dispute, if any, must be opened with PayPal, since they handled the money.
payment_method=paypal: The yellow button was clicked, and PayPal [did the rest|sent us a receipt].
payment_method=transfer: {customer} instructed the bank to send the sum to our IBAN.
payment_method=transfer: A SEPA credit came in under the [order number|buyer's name].
payment_method=transfer: The buyer filled in a remittance slip at the branch, quoting {order_id}.
payment_method=transfer: Account number and sort code are on the sheet, [please use your online banking|the buyer's bank will do the rest].
I [heaved|lugged] {items} down to the loading bay.
You'll be glad to hear that {items} [fit|will fit] into a single trip.
{customer} ran a finger down the catalogue and stopped at {items}.
Instead of {NOT_items}, they settled on {items}.
The picker's scanner beeped for {items}, then showed "complete".
What's rattling in there? [Just|Nothing but] {items}.
The school needs {items} for the new term, [which is what this is for|hence this purchase].
Reserve {items} for {customer}, [who will collect them|collection at noon].
Among friends we call it the usual: {items}.
My [aunt|flatmate] dictated {items} over the phone, and I typed them in.
{items} make up the whole consignment[|, the packers say].
"""

ORDER_OPENINGS = """
[Order|New order|Request|Order slip|Order note]: {items}
[Order|New order|Request|Order slip|Order note]: {quantity} x {product}
[Order|New order|Request|Order slip] from {customer}: [{items}|{product}|{quantity} {product}]
{customer} - {product}
{customer}: {items}
{product} for {customer}[|, {city}|, {price}| ({order_id})]
{customer} [is asking|asked|has asked] [for|about] [a|the] {product}[|, not the {NOT_product}].
{customer} [picked|chose|clicked on|took|decided on] [a|the] {product}[| for {price}| on {order_date}].
[Could you|Can you|Would you|Please] [send|ship|deliver|bring] {items} to {customer}[| in {city}|, {address}]?
[Could you|Can you|Would you] [send|ship] [me|us] [a|the] {product}? [Regards|Thanks|Yours], {customer}
[I|We] [would like to have|wish to order|hereby order|order|will take] {items}[|, please]. [Signed|Yours|Best wishes|Greetings], {customer}
[Where|Where on earth] [is|are] [the|my|our] {product}[|, ordered on {order_date}|, order {order_id}]?
[The|Your] {product} [of|from] order {order_id} [is|was] [packed|late|sent|on the shelf].
Order {order_id}: [{items}|{product}|{quantity} x {product}|{customer}]
[Under|With] the number {order_id} {customer} [ordered|has ordered|bought] [a {product}|{items}|{quantity} {product}].
[Yesterday|Today|Last night|On {order_date}] {customer} [phoned|called|wrote|came in] and [ordered|asked for|wanted] [a {product}|{items}].
[hi|hello|hey], {customer} here, [i need|i want|we need|please send] {items}
Subject: order {order_id}[|, {customer}|, {product}]
"I'll take the {product}," said {customer}[.|, "not the {NOT_product}."]
[Dear {customer}|Hello {customer}|Good day {customer}], [thanks for ordering|you ordered|you have bought] [a {product}|the {product}|{items}].
[On {order_date}|Last week] we [got|received|took] an order for [a {product}|{items}|{quantity} {product}][| from {customer}].
[It was|It is] {customer} who [wanted|ordered|asked for|needs] [the|a] {product}.
[Nobody but|Only] {customer} has ever [ordered|bought] the {product}[| from us].
[A|The] {product} [has been|was] [set aside|reserved|kept|put away] for {customer}[|, order {order_id}|, {city}].
[A|One|Another] {product} [goes|travels|will go|has gone|is going] to {customer}[| in {city}| for {price}| on {delivery_date}].
[This|The] {product} [belongs to|is meant for|was made for|is reserved for|will be sent to] {customer}.
[On|In] [my desk|the tray|the inbox] [lies|is] [a|the] [slip|note|letter|order] from {customer}: {quantity} {product}.
[With|By] [this letter|this mail|this form] {customer} [orders|requests|asks for] {items}[| for {address}].
[Having|After having] [read|seen|studied] the catalogue, {customer} [ordered|chose|wants] the {product}.
[Because|Since|As] {customer} [paid in advance|is an old customer|was in a hurry], the {product} [went out|was packed|left] first.
[Although|Though] {customer} [called late|lives far away|has no account], the {product} [will be|is] on the van [today|tomorrow].
[When|As soon as] the {product} [is back|arrives|is ready], [tell|call|write to] {customer}[|, who ordered it].
[Could|Can] [somebody|someone|you] [check|find out] [whether|if] {customer} [got|has received|paid for] the {product}?
[Has|Did] {customer} [got|get|received|receive] the {product}[| yet]?
[How|When|Why] [did|does] {customer} [come to order|want|need] {quantity} {product}?
[Why is|Where is|What about] order {order_id} for {customer}[|, the one with {items}|, the {product}]?
[To|Deliver to|Ship to|For the attention of]: {customer}. [Contents|Inside|Goods]: {items}.
[To|Deliver to|Ship to]: {customer}. [Article|Item|Thing]: {product}.
[Caller|Sender|From]: {customer}. [Wants|Wish|Request]: {product}.
[Phone note|Note|Memo|Message]: {customer} [called|rang|was here], [wants|needs|would like] [a {product}|{items}|{quantity} {product}].
[Log|Journal|Order book], [entry|line|page] {NUMBER}: {customer}, {product}[|, {price}|, {quantity} pieces].
{customer} [paid|spent|left|gave us] {price} for [a|the|one] {product}.
{customer} [let us know|says|writes|told {OTHER}] that [the {product} is wanted|they need the {product}|{quantity} {product} are needed].
{customer} [would rather have|prefers|now wants|settled on] the {product} [than|over|instead of] the {NOT_product}.
{customer} [returned|sent back|did not like] the {NOT_product} and [ordered|now gets|took] the {product}.
{customer}, [a client of ours|who lives in {city}|one of our oldest customers|new to us], [ordered|bought|wants] [a {product}|the {product}|{items}].
{customer} in {city} [is expecting|expects|is to get|awaits] [a {product}|the {product}|{items}].
{product}: [sold|gone|promised|off] to {customer}[|, {price}| for {price}].
{product} [wanted|needed|required|requested][|, {quantity} pieces|, asap], [by|for] {customer}.
{quantity} {product} [for|to|by] {customer}[|, {delivery_date}|, {amount}| at {price} each].
{quantity} {product}, [please|no more, no less|as soon as you can], [says|writes|asks] {customer}.
{quantity} [pieces of the|of the|units of the] {product} [were|have been] [ordered|bought|reserved] [by|for] {customer}.
{order_id} is the [number|code] [under|by] which {customer} [ordered|bought] [{items}|the {product}].
{order_id}, {customer}, {order_date}
{order_id} -- {product} -- {customer}
{order_date}: {customer} [orders|ordered|bought|takes] [a {product}|{items}|{quantity} {product}].
[On|As of] {order_date}, {customer} [is|has been] [waiting for|the owner of|down for] [a|the] {product}.
[Dear|Hello|Hi] {OTHER}, [can|could|would] you [get|send|find] [the {product}|{items}] [ready|out|together] for {customer}?
[Dear|Hello|Hi] {OTHER}, {customer} [is asking for|wants|needs] [the|a] {product}[| by {delivery_date}| in {city}].
["I need|"We need|"Send me|"I want] {quantity} {product}," [said|wrote|begged|shouted] {customer}.
["The {product}, please,"|"The {product} it is,"|"One {product},"] [said|wrote|were the words of] {customer}.
[From|By] [what|all] I [hear|know|can see], {customer} [ordered|wants|bought] the {product}.
[As|Like] [every|each] [month|spring|year], {customer} [orders|ordered|needs] {items}.
[My|Our] [order|order number], {order_id}, [was for|is for|has] [a|the] {product}.
[I|We] [bought|got|took|chose|paid for] the {product}[| on {order_date}| for {price}], [it is for me,|signed] {customer}.
[I'm|I am|We are|This is] {customer} [and|, and] [the|my|our] {product} [is missing|is late|is broken|never came].
[The|A] [driver|courier|van] [has|carries|brought] {items} for {customer}.
[Box|Crate|Parcel|Pallet] {NUMBER}: {items}, [for|to] {customer}.
[Basket|Cart|Trolley] of {customer}: {items}
[What|All] {customer} [ordered|needs|wants|asked for] [is|was] {items}.
[What|All] {customer} [ordered|needs|wants|asked for] [is|was] [a|the] {product}.
[There|There still] is [a|the] {product} [waiting for|with the name of|on hold for] {customer}[| at the counter].
[Two|Three|A few] [days|weeks] ago {customer} [ordered|bought|asked us for] [a {product}|{items}].
[Never|Rarely] has {customer} [ordered|needed|bought] {quantity} {product} at once.
Order confirmation for {customer}. [Article|Item]: {product}. [Number|Pieces]: {quantity}.
{customer} won't be talked out of the {product}, {NOT_product} or no {NOT_product}.
At long last {customer} came to a decision: the {product}, not the {NOT_product}.
The {product} in the basket belongs to {customer}[|, order {order_id}].
One {product}, to be charged to {customer}[|, {email}|, {phone}].
{customer} would like {quantity} of our {product}[|, if we have them| by {delivery_date}].
It was the {NOT_product} that {OTHER} wanted. {customer} [wants|is after] the {product}.
Incoming! {quantity} times {product}, all for {customer}.
The web shop reports a purchase by {customer}: {product}[|, {quantity} pcs|, {amount}].
Pick list for {order_id}: {product}, {quantity} off, client {customer}.
Shortly before closing time {customer} [ran in|rang us up] and had us put down a {product}.
The {NOT_product} went back; in exchange {customer} gets the {product}.
Whose is the {product} [on the list|in the book]? {customer} [has bought|asked us for] it.
{customer} fell for the {product} in our window[| and paid {price} for it].
We hereby confirm to {customer} the purchase of {quantity} {product}[| dated {order_date}].
Mistaken for {NOT_customer} at first, the buyer of the {product} is in fact {customer}.
Thumbs up from {customer} for the {product}, [so put it on the list|address: {address}].
In the name of {customer} I [enclose|send you] the slip for a {product}.
{OTHER} placed it on behalf of {customer}: [a|one] {product}[|, {quantity} in all].
Cart of {customer}: {product} added, {NOT_product} removed, checked out[| on {order_date}].
Good morning, the {product} for {customer}[| in {city}|, {address}], what's the state of things?
Ref {order_id}. Buyer {customer}. Goods: {product}[|, {quantity}].
{customer} clicked "buy" on the {product}[| at {price}| on {order_date}] without hesitating.
No, {NOT_customer} hasn't ordered anything. The {product} is for {customer}.
After weighing the {NOT_product} against the {product}, {customer} plumped for the latter.
For the {product}, {customer} had to [save up for months|skip the holidays].
"""

INVOICE_DETAILS = """
[The bill|It|The invoice|This] is for [a|the|one] {product}[|, not for the {NOT_product}].
[What|Which article] was [billed|charged]? [A|The] {product}.
[Billed|Charged|Invoiced|Listed|Delivered|Supplied] [is|was|were][ here|]: {product}[|, {quantity} pieces|, {price} each].
{quantity} [times|x] {product} at {price} [makes|is|gives] {amount}.
[For|Covering] {quantity} {product}[| at {price} each| in all].
[Line|Row|Entry|Position] {NUMBER}: {product}[|, {price}|, {quantity} x {price}]
{product}, {quantity} [pcs|pieces|units], {price} [each|apiece|per piece]
[Sold|Supplied|Delivered]: [a|one|the] {product}[| for {price}].
[The|This] [bill|invoice|list|statement] [covers|lists|names|shows|includes|is for|concerns] {items}[|, nothing else|, all delivered].
[We|They] [charge|bill|invoiced|charged] [you|us|them] for {items}[|, as agreed| on {date}].
{items} [were|have been|are] [billed|supplied|charged|delivered|on the bill][.| in full.| as agreed.]
What was supplied? {items}.
[For|Regarding|Concerning] {items}[|, delivered in good order|, as listed below|, see enclosed].
[From|Sent by|Issued by|Written by|Drawn up by|Made out by] {vendor}[| on {date}| to {customer}|, not by {NOT_vendor}].
[The seller|The supplier|The vendor|The other side|The firm] [is|is called|this time is|was] {vendor}[|, not {NOT_vendor}|, {city}].
[Who|And who] [sent|wrote|issued] it? {vendor}.
{vendor} [wants|expects|asks for|is to get|is owed|charges|demands] {amount}[| by {due_date}| from {customer}].
[Payable|To be paid|Due|Owed] to {vendor}[| by {due_date}| in full].
We [bought|got|ordered|had] it from {vendor}[|, not from {NOT_vendor}| in {city}].
[Billed|Addressed|Sent|Charged|Mailed|Made out] to {customer}[|, not to {NOT_customer}|, {address}|, {city}].
{customer} [has to pay|owes|is to pay|must transfer|will pay|got the bill for] {amount}[| by {due_date}| to {vendor}].
[Who|And who] has to pay? {customer}.
[It is|It's] {customer} who [pays|owes the money|got the goods|ordered].
Between {vendor} and {customer}.
[from|seller] {vendor}, [to|buyer] {customer}
[Corrected|Changed|Raised|Lowered] from {NOT_amount} to {amount}.
[Of which|Of this|Included] {tax} [is tax|goes to the tax office|in tax|VAT].
[Tax|VAT|Sales tax] [is|adds|amounts to|comes to] {tax}[|, which is included].
[Due|Payable|To be settled|Pay] [on|by|before|not later than] {due_date}[|, please|, not {NOT_due_date}].
[The deadline|The last day|The due date] [is|was moved to|was put off to] {due_date}[|, it was {NOT_due_date} before].
[Our|The|Its] number[, please,|] is {invoice_number}[|, not {NUMBER}].
[Quote|Give|Use|Write] {invoice_number} [when paying|as reference|on the transfer|in all letters].
paid=true: [Paid|Settled]? Yes[.|, in full.|, last week.]
paid=false: [No money|No payment|Not a cent|Nothing] [has arrived|came in|was received] [yet|so far|up to now].
paid=false: [It|The bill] [is|remains] [open|unpaid|unsettled|overdue][.| to this day.| since Monday.]
[Call|Ring|Phone] {phone}[| if in doubt|, ask for {OTHER}| or write to {email}].
[Our|The] [office|seat|shop] is in {city}[|, {address}|, not in {NOT_city}].
[See|Visit|Have a look at] {website}[| for terms].
{discount}% [less|off|rebate], [since|because] [{customer} is a regular|we paid early|it is spring].
payment_method=card: [Paid|Settled] [by|with a] [card|credit card][.| at the counter.]
payment_method=cash: [Paid|Settled] in [cash|coins and notes][.| at the counter.]
payment_method=transfer: [Pay|Paid] by [bank transfer|wire transfer][, please|] [to|into] [our|the] account.
payment_method=paypal: [PayPal|Via PayPal][, please|][.| only.]
paid=true: The money [landed|arrived] in [our|the] account [on time|yesterday].
paid=true: [Red|Big] stamp on it: [PAID|SETTLED].
paid=true: Nothing is owed any more, [many thanks|file closed].
paid=true: {customer} [cleared|settled] the [whole|full] sum [at once|within {NUMBER} days].
paid=true: [Please ignore|Forget] the reminder, your money [crossed|overtook] it.
paid=true: [The balance|What is left to pay] is zero.
paid=true: We [thank you for|hereby confirm] the payment.
paid=false: This is our [second|third|last] reminder.
paid=false: {vendor} [is still waiting|waits in vain] for the [money|sum].
paid=false: [Check|Look at] the account: [no trace of|nothing from] {customer}.
paid=false: The sum is [still outstanding|yet to come], our patience is [thin|at an end].
paid=false: {customer} [promised|swore] to pay [tomorrow|next week], [as so often|we'll see].
paid=false: [The cheque bounced|Your bank sent the money back], so the debt [stands|remains].
paid=false: Money received: [0|none|nil].
Below [the line|this text] you find {items}, each with its price.
We [hope|trust] you [enjoy|like] {items} and ask for {amount}.
{items} [at|for] {amount} [altogether|all told].
Not on it: {NOT_items}. On it: {items}.
The [boss|landlord] wondered what {items} cost us.
The goods in question, {items}, [came|arrived] [on time|in one crate].
The [letterhead|name at the top] reads {vendor}.
Let {vendor} have the money[| by {due_date}].
{OTHER} [wrote|typed] it for {vendor}[|, {city}].
{NOT_vendor} would have been [cheaper|quicker], still we [bought|ordered] at {vendor}.
In case of [errors|mistakes], tell {vendor}, who issued it.
On the [envelope|address field]: {customer}, {address}.
The [debtor|payer] is none other than {customer}.
{vendor} [delivered|did the work], {customer} foots the bill.
[Wrongly|First] sent to {NOT_customer}, meant for {customer}.
Customer {NUMBER} in our books is {customer}.
The [only|single] [position|line] on it: {product}[|, {price}].
We exchanged the {NOT_product}; charged is the {product} alone.
{amount}? [Quite a sum|That much] for a {product}.
[Serial number|Model] {NUMBER}, type: {product}.
[Position by position|Line by line], it goes through {items}.
You took {items} home, and here is what that comes to.
{vendor} wants to see money for {items}.
The bookkeeper entered {items} as [office costs|expenses].
The {amount} went on {items}.
We [deducted|took off] {NOT_items}, which were sent back; {items} remain to be charged.
Itemised: {items}. [Tax|VAT] {tax}.
According to the delivery note you received {items}[|, signed by {OTHER}].
{customer} had {items} put on the tab.
paid=true: The books balance: what was billed has [come in|been received].
paid=true: {customer} squared the account [before the ink was dry|the same afternoon].
paid=true: The dunning letter was a mistake, our cashier had [booked|logged] the full sum long before.
paid=true: A receipt has been issued, the debt is [extinguished|wiped out].
paid=true: {vendor} got every penny of the {amount}.
paid=true: You are [square|quits] with us, and we look forward to your next visit.
paid=true: It's been crossed off the list of debtors.
paid=true: The bank statement shows the credit, so [no further reminders|no interest] will follow.
paid=true: All dues have been met, weeks ahead of {due_date}.
paid=true: Our claim against {customer} has been satisfied.
paid=true: Already taken care of, [accounting|the treasurer] released the sum and {vendor} confirmed it.
paid=true: {customer} coughed up in the end, [grumbling|with a sigh].
paid=false: The lawyers of {vendor} have been asked to collect the debt.
paid=false: {customer} still owes {vendor} the entire {amount}.
paid=false: It lies in the [drawer|in-tray] of {customer}, where nobody has [signed it off|touched it], and the seller is growing nervous.
paid=false: Late fees are [piling up|accruing], for no sum was ever credited to us.
paid=false: {customer} disputes the sum and is withholding the money.
paid=false: Kindly remit the amount, which we have been missing [since spring|for {NUMBER} days].
paid=false: Owing to a cash shortage {customer} begged for a later date, so our till is none the richer.
paid=false: The entry is red in our ledger and will stay so until the money shows up.
paid=false: We have heard excuses but seen no [dollars|money].
paid=false: There is time until {due_date}, and {customer} hasn't parted with a cent so far.
paid=false: Credit is stopped until the buyer [coughs up|honours the debt].
paid=false: Our receivables list [includes|has] it, near the top.
paid=false: The direct debit failed for lack of funds, so we are left empty-handed.
payment_method=card: The hotel clerk ran the customer's Visa through the machine.
payment_method=card: The chip was read, the PIN was [right|typed], the merchant copy is attached.
payment_method=card: We accept Mastercard and the like at the reader, [nothing else|no bills, no wires].
payment_method=cash: The sum was laid on the counter in [tens and fives|crumpled notes].
payment_method=cash: Settled from petty cash, with {NUMBER} coins to spare.
payment_method=paypal: Scan the code, it opens PayPal with our name filled in.
payment_method=paypal: PayPal's fee is [ours to bear|included], since that is how you settle with us.
payment_method=transfer: Quote {invoice_number} in the reference line of your bank order.
payment_method=transfer: BIC and IBAN are [at the foot of the page|printed below], to which the sum is to be wired.
payment_method=transfer: A standing instruction at the customer's bank moves the money to our account.
The money ends up with {vendor}, it comes out of the pocket of {customer}.
For its pains {vendor} puts down {amount}[|, to be borne by {customer}].
The rubber stamp at the bottom is that of {vendor}, whose work is charged here.
{customer} nearly sent the money to {NOT_vendor}, but the claim is that of {vendor}.
{vendor} [charges|bills] {customer} {amount} for {items}.
We at {vendor} [value|appreciate] your custom.
The money goes to {vendor} alone, {NOT_vendor} is just a subcontractor.
{vendor} wrote to {customer} about the money, {NOT_vendor} has no claim.
The goods came out of the warehouse of {vendor}.
{customer} ran up this bill at {vendor}.
{NOT_customer} signed for the parcel by {vendor}, but {customer} is to come up with the money.
Your supplier in this matter was {vendor}, [not {NOT_vendor} as assumed|reachable at {phone}].
{vendor} wants {amount} from {customer} by {due_date} at the latest.
Selling was up to {vendor}, paying is a matter for {customer}.
{vendor} sold the {product} to {customer}, hence this letter.
The sender, {vendor}, has [moved|a new logo], so don't take it for {NOT_vendor}.
Payee {vendor}, payer {customer}, sum {amount}.
The purse: that of {customer}. The open hand: {vendor}.
{customer} bought from {vendor} this time, the usual dealer {NOT_vendor} had none left.
{vendor} handed over {items} and now [expects|awaits] {amount} in return.
The tax office will see this as income of {vendor} and as an expense of {customer}.
[Formerly|Until last year] we got this from {NOT_vendor}, at present {vendor} supplies it and [bills us|writes the bills].
Made payable to {vendor}, drawn on the account of {customer}.
[Quarrels|Questions] about the goods go back to {vendor}, which sold them; [ring {phone}|mail {email}].
The price list this rests on is the one {vendor} hung in its shop, {NOT_vendor} has another.
"""

INVOICE_OPENINGS = """
{vendor} -> {customer}: {invoice_number}
{vendor}, invoice {invoice_number}[|, {date}|, {amount}]
[Invoice|Bill] {invoice_number} [for|to|goes to|is for] {customer}[|, from {vendor}|: {product}|: {items}].
[Invoice|Bill] for {items}[| from {vendor}| to {customer}|, {amount}]
[Invoice|Bill] for [a|the|one] {product}[| from {vendor}| to {customer}|, {amount}]
[Today|Yesterday|On {date}] {vendor} [billed|charged|sent a bill to|invoiced] {customer}[| for {items}| for the {product}| {amount}].
[On {date}|Last week] {customer} [got|received|was sent] [a bill|an invoice] from {vendor}.
[We|I], {vendor}, [charge|bill|invoice] {customer} [for {items}|for the {product}|{amount}].
[Dear {customer}|Hello {customer}|To {customer}], [you owe us|please pay|we have charged|the sum is] {amount}. [Yours|Regards|Signed], {vendor}
[It|This bill] is from {vendor}, not from {NOT_vendor}.
[hi|hello|hey] {OTHER}, {vendor} [sent|wrote|wants] [the bill|a bill|money] for {items}.
[Have|Did] we [paid|pay] {vendor}[| for {items}| for the {product}| the {amount}]?
Subject: [bill|invoice] {invoice_number}[|, {vendor}| for {customer}]
For the {product} {vendor} [charges|wants|billed] {customer} {amount}.
The [accountant|clerk|bookkeeper] of {customer} [has|got|found] invoice {invoice_number}[| from {vendor}].
[Because|Since|As] {vendor} [delivered|sent|supplied] {items}, {customer} [owes|has to pay|must pay] {amount}.
[Although|Though] {customer} [got|received] the {product}, [nothing was paid|{vendor} still waits for the money].
[When|After|As soon as] {vendor} [delivered|shipped] the {product}, [the bill followed|a bill went to {customer}|{customer} got the bill].
[If|Should] {customer} not pay [by {due_date}|in time|{amount}], {vendor} will [write again|charge a fee|call].
[With|By] [this letter|this note|this mail] {vendor} [bills|charges|asks] {customer} [for {items}|for {amount}|for the {product}].
[For|As to|Regarding] the {product}[|, delivered on {date}|, {quantity} pieces], {vendor} [asks|charges|bills] {amount}.
[Who|Which firm] [billed|charged] {customer}? {vendor}[|, on {date}].
[What|How much] does {customer} owe {vendor}? {amount}.
[What|All] {vendor} [billed|charged|delivered] [was|is] {items}.
[It|This time it] [was|is] {vendor} [that|who] [billed|charged|wrote to|sent a bill to] {customer}.
[It|This] is [the|an] invoice [of|by|from] {vendor} [to|for] {customer}[|, {date}|, number {invoice_number}].
[I|We] [hereby|herewith] [bill|charge|invoice] {customer} [for {items}|for the {product}|{amount}]. {vendor}
[My|Our] [boss|client|firm], {customer}, [got|received] a bill from {vendor}.
["Please pay {amount}|"You owe us {amount}|"The sum is {amount}]," [writes|says] {vendor}[| to {customer}].
[Dear|Hello|Hi] {OTHER}, [please|could you|can you] [book|check|pay] the [bill|invoice] of {vendor}[| for {items}| over {amount}|, {invoice_number}].
[Payer|Debtor|To]: {customer}. [Payee|Seller|From]: {vendor}. [Sum|Amount]: {amount}.
[From|Sender]: {vendor}. [To|Recipient]: {customer}. [For|Goods]: {items}.
[From|Sender]: {vendor}. [To|Recipient]: {customer}. [For|Article]: {product}.
[Row|Line|Entry|Ledger page] {NUMBER}: {vendor}, {amount}[|, {due_date}|, {customer}]
[Copy|Scan|Second copy] of [bill|invoice] {invoice_number}[| for {customer}| by {vendor}|, {vendor}]
[Not|This is not from] {NOT_vendor} but [from |]{vendor}: {invoice_number}, {amount}.
{vendor} [has|have] [charged|billed|invoiced] {customer} [for {items}|for the {product}|{amount}|with number {invoice_number}].
{vendor} [is|are] [waiting for|still owed|asking for] {amount}[| from {customer}| since {date}].
{vendor} [is|was] the [seller|supplier] and {customer} the [buyer|client|customer].
{vendor} [sold|supplied|delivered|shipped] [the {product}|{items}|{quantity} {product}] to {customer}[| on {date}| for {amount}].
{vendor}, {city}, [bills|to|charges] {customer}[|, {city}]: {amount}
{vendor}, [our supplier|a supplier|the shop round the corner|based in {city}], [sent|wrote|mailed] [a bill|an invoice][| for {items}| for the {product}].
{vendor}: [bill|invoice] for {customer}
{vendor}: {items}, {amount}
{customer}: [bill|invoice] from {vendor}
{customer} [bought|ordered|got|received] [the {product}|{items}|{quantity} {product}] [from|at] {vendor}[| for {amount}| on {date}].
{customer} [is|was] [billed|charged|asked to pay|sent a bill] by {vendor}[| for {items}| for the {product}| on {date}].
{customer} [must|has to|should|is to] [pay|transfer|send] {amount} [to|for the benefit of] {vendor}[| by {due_date}].
{customer}, [a client of ours|our customer|based in {city}], [owes|must pay] {vendor} {amount}.
{items} [from|by|supplied by] {vendor}[|, {amount}| for {customer}|, see {invoice_number}]
{product} [from|by|supplied by] {vendor}[|, {amount}| for {customer}|, see {invoice_number}]
{quantity} {product} [from|by] {vendor}[|, {amount}| for {customer}|, {price} each]
{amount} [for|to] {vendor}[|, please|, due {due_date}| from {customer}].
{amount} is what {customer} [owes|has to pay][| {vendor}| to {vendor}].
{invoice_number}: {vendor}[| to {customer}|, {amount}|, {date}]
{invoice_number} is the [number|code] of [our|the] bill[| to {customer}| from {vendor}].
{invoice_number}, [issued|sent|written] by {vendor}[| on {date}| to {customer}], [is|was] for [{items}|the {product}|{amount}].
{date}: {vendor} [bills|charges] {customer}[| {amount}| for {items}].
[As|Like] [every|each] [month|quarter], {vendor} [bills|charges] {customer} for {items}.
"""

PERSON_DETAILS = """
[In|During|On] [{p} spare time|{p} free hours|weekends|the evenings|{p} holidays|quiet days] {s} [goes in for|devotes {p} time to|does a lot of|is busy with|turns to|enjoys|likes] {hobbies}[|, rarely anything else].
[Off duty|Away from work|Outside the office|At home|Privately|When not working|After hours], {s} [is into|likes|loves|enjoys|goes for|is fond of|can't get enough of] {hobbies}.
[What|And what] does {s} do [for fun|in {p} spare time|after work|at weekends]? {hobbies}.
{hobbies} [keep|keeps|make|makes] {FIRST} [happy|busy|fit|young].
{hobbies}: [that is what {s} likes|these are {p} hobbies|that's {p} free time|so {p} weekends look like].
[Not|No longer] {NOT_hobbies}, but {hobbies} [fill|fills] {p} [evenings|spare time|weekends].
{S} [gave up|dropped|stopped] {NOT_hobbies} and [took up|now enjoys|now prefers|turned to] {hobbies}.
[{OTHER} likes|{P} brother likes|Friends prefer] {NOT_hobbies}, {FIRST} [likes|loves|prefers] {hobbies}.
{S} [never|hardly ever] [misses|skips|goes without] {hobbies}.
[Ask|Just ask] {FIRST} about {hobbies}, {p} hobbies, and {s} [won't stop talking|lights up].
[Crazy|Mad|Passionate|Enthusiastic|Serious] about {hobbies}[|, {s} has no time left|, like the whole family].
[hobbies|interests|likes|free time|fun]: {hobbies}
[fan of|into|fond of|keen on] {hobbies}
[Besides|Apart from|Next to] {p} [job|work|family], {s} [has time for|finds time for|cares about|lives for] {hobbies}.
[If|Whenever|When] {s} has [time|a day off|an hour], {s} [turns to|goes back to|enjoys] {hobbies}.
{P} [great love|passion|weakness|pastime|private interest] [is|are|has always been] {hobbies}.
[Friends|Colleagues|We] [know|think of] {FIRST} as somebody who [loves|lives for|enjoys] {hobbies}.
A [friend|lover|fan] of {hobbies}, {s} [is rarely at home|has many friends|spends little time at home].
{S} [can|is able to|knows how to do] {skills}[|, but not {NOT_skills}].
[Strong|Good|Trained|Experienced|Skilled] in {skills}[|, weak in {NOT_skills}].
[Skills|Can do|Good at]: {skills}
[We|They] [hired|need|value|want] {FIRST} for {p} [knowledge of|skills in|experience in] {skills}.
[Courses|Certificates|Diplomas] in {skills} [prove it|hang on the wall|are in the file].
{S} [learned|studied|trained|was taught] {skills}[| at school| on the job| years ago].
[Nobody|No one] [beats|matches] {FIRST} at {skills}.
{languages}: [that's what {s} speaks|{s} speaks them all|no problem for {FIRST}].
[You can|Please|Better] [talk|write|speak] to [her|him] in {languages}[|, the languages {s} speaks].
[Languages|Spoken languages|Speaks]: {languages}
[Calls|Letters|Visits] in {languages} [go to|are taken by] {FIRST}, who speaks [it|them].
{S} [grew up with|learned|picked up|was raised in] {languages}, so that is what {s} speaks.
{P} [first|given|Christian] name is {first_name}[|, not {NOT_first_name}|, like {p} grandmother's].
{P} [last|family|second] name is {last_name}[|, not {NOT_last_name}|, spelled as it sounds].
{first_name} [is|being] [the first name|{p} first name|{p} given name], {last_name} [the last name|{p} surname|the family name].
{last_name} is [the|{p}] [surname|last name|family name], {first_name} [the|{p}] [first name|given name].
[Family name|Surname|Last name]: {last_name}. [Given name|First name|Forename]: {first_name}.
[We|Everyone|You may] [call|calls] [her|him] {first_name}[|, though the file says otherwise].
[Spell|Write] the [surname|last name|family name] {last_name}[|, please|, not {NOT_last_name}].
[First|Given] name {first_name}, [born|last name|surname] {last_name}.
{S} [lives|has {p} home|has settled|is at home|rents a flat|has a flat|owns a house|stays|resides] in {city}[|, not in {NOT_city}|, {country}].
{S} [moved|has moved|went] from {NOT_city} to {city}[|, where {s} lives now].
[Born|Raised|At school] in {NOT_city}, {s} [now lives|has {p} home|lives today] in {city}.
{P} [home|home town|place of residence|place] is {city}[|, not {NOT_city}|, {country}].
[Where|And where] does {s} live? [In |]{city}[.|, {country}.]
{city} is [where {s} lives|{p} home|home to {FIRST}|the town {s} lives in].
[Often|Sometimes] in {NOT_city} on business, {s} lives in {city}.
{S} [comes|hails|is|originates] from {country}[|, not from {NOT_country}].
{country} is [where {s} comes from|{p} country|home to {FIRST}|the country {s} lives in].
[In|Over in] {country}, where {s} [lives|is at home|was born], [it is warm now|people know {FIRST}].
{P} [family|house|home|flat] is in {country}[|, {city}].
{S} [works|is employed|has a job|sits|is] in [the |]{department}[| department| team|, not in {NOT_department}].
{S} [moved|changed|switched] from {NOT_department} to {department}.
{department} is [where {s} works|{p} department|the team {s} belongs to|{p} team].
[In|Over in|Down in] {department}, {p} department, [people like {FIRST}|there are {NUMBER} desks].
{S} [works|is working|is employed|is active] as [a|the] {job_title}[| in {department}| at {company}|, not as a {NOT_job_title}].
[By profession|By trade|Professionally|At work] {s} is [a|the] {job_title}[|, not a {NOT_job_title}].
[Trained|Hired|Starting] as a {NOT_job_title}, {s} is [now|today] [a|the] {job_title}.
[Job|Post|Role|Function]: {job_title}
{P} [job|post|role|title] is {job_title}[|, at {company}].
What does {s} do? {S} is a {job_title}.
{S} [works|is employed|has a job|earns {p} living] [at|for|with] {company}[|, not at {NOT_company}|, {city}].
{S} left {NOT_company} [for|and joined|to join] {company}.
[After|Following] {NUMBER} months at {NOT_company}, {s} is now [with|at] {company}.
{company} is [where {s} works|{p} employer|the firm {s} works for|who pays {p} salary].
[Employer|Employed at|Firm]: {company}
[Paid|Employed|Hired] by {company}[|, {s} earns {salary}].
[The old|{P} old] [number|phone] [was|is no longer] {NOT_phone}, [the new one is|please use] {phone}.
[The old|{P} old] [mail|address] {NOT_email} [is dead|no longer works], [write to|use] {email}.
{S} [moved|has moved] from {NOT_address} to {address}.
{S} [is|turned|became|has just turned] {age}[|, {OTHER} is {NUMBER}|, not {NUMBER}].
Give {FIRST} a free [Sunday|hour] and it goes to {hobbies}.
{P} [garage|attic|cellar] is full of things for {hobbies}.
{hobbies}? [Any time|With pleasure], {s} says.
Work is work, but [joy|happiness] to {FIRST} means {hobbies}.
{NOT_hobbies} [bored|tired] {FIRST}, {hobbies} did not.
{hobbies}, since childhood [and to this day|without a break], that's {FIRST}.
[A doctor|{OTHER}] advised {hobbies} against stress, and {s} [stuck with it|got hooked].
likes {hobbies}, hates [mondays|queues|noise]
{S} spends [half {p} money|a fortune] on {hobbies}.
[Got a problem|Need help] with {skills}? {FIRST} [fixes it|knows the way].
Teach us {skills}, [we begged|the team said], and {s} did.
{skills} came easily to {FIRST}.
The test showed {p} strong side: {skills}.
What can {s} do for us? [A lot|Plenty]: {skills}.
In {NOT_skills} {s} is a beginner, in {skills} a [master|pro].
Take {FIRST} on board if you [look for|want] {skills}.
{S} [dreams|swears|counts] in {languages}.
{NOT_languages} won't help, {s} only follows {languages}.
Books in {languages} [fill|line] {p} shelves, {s} reads them [all|aloud].
For [guests|clients] who speak {languages} we fetch {FIRST}, who does too.
[Fluent|At ease] in {languages}[|, lost in {NOT_languages}].
{S} can [order a beer|haggle] in {languages}.
Who interprets? {FIRST}, from and into {languages}.
If you need a {job_title}, ask {FIRST}.
{P} [badge|card|door sign] says {job_title}.
They [pay|keep] {FIRST} as [their|a] {job_title}.
{P} father was a {NOT_job_title}, {s} became a {job_title}.
[Once|Long ago] {s} wanted to be a {NOT_job_title}; life made {FIRST} a {job_title}.
No other {job_title} [works|rises] as early as {s}.
{department} [got|found] its {job_title} in {FIRST}.
being a {job_title} is what {s} is good at
"[Mum|Grandma|Dad|Grandpa] is a {job_title}," {p} [little ones|grandchildren] say proudly.
Each month {company} pays {p} wage.
{S} drives a van with {company} on its doors, [the firm's own|a company car].
[Fired|Let go] by {NOT_company}, {s} [found|got] a desk at {company}.
{company} is [lucky|glad] to have {FIRST} on the payroll.
Mail {FIRST} at {company}[|, {email}], no longer at {NOT_company}.
Between nine and five, [find|look for] {FIRST} at {company}.
{P} desk stands in {department}[|, next to the printer].
Calls for {department} [land|end up] with {FIRST}.
Walk past {NOT_department}, [turn left|up the stairs], {s} sits in {department}.
{department} without {FIRST}? [Unthinkable|Hard to imagine].
The [boss|head] of {department} is {p} boss[| too].
From [May|next week] on {s} strengthens {department} and leaves {NOT_department}.
{P} passport was issued in {country}.
[Snow|Heat] is nothing new to {FIRST}, born and bred in {country}.
{NOT_country} was only a [holiday|stopover], {country} is home.
{S} pays {p} taxes in {country}.
{S} votes in {country}[|, {city}].
country of residence {country}, often in {NOT_country}
married=true: {S} [wears|never takes off] a wedding ring.
married=true: The wedding was [in June|small|a long time ago], and it is still [a happy match|going well].
married=true: Together with {p} spouse {s} [runs a farm|raises two children].
married=true: Single? [No longer|Long since not], {s} said yes [last summer|at the town hall].
married=true: {S} took the other's surname at the altar.
married=true: The couple [celebrated|marked] their [silver|golden] wedding [this year|in May].
married=true: A spouse, two [cats|kids], a [mortgage|garden]: {s} has it all.
married=false: [Still|Always] single, [{s} likes it that way|by choice].
married=false: No ring, no [altar|registry office], [no plans|maybe one day].
married=false: {S} has never said "I do".
married=false: Divorced [for years|since spring], {s} [lives alone|enjoys the quiet].
married=false: The engagement [was broken off|came to nothing], {s} stayed on {p} own.
married=false: On the form {s} ticked "single".
married=false: The wedding is [planned|set] for next year, until then {s} is unmarried.
married=true: {P} in-laws come for lunch every Sunday.
married=true: {S} and {p} better half [met in a queue|bought a boat] years before tying the knot.
married=true: {S} files a joint tax return with the spouse each spring.
married=true: Vows were exchanged in a [tiny|snowed-in] chapel, and neither of the two has regretted them.
married=true: {S} celebrated {NUMBER} years of wedlock with a trip for two.
married=true: Off the market for good: {s} got hitched and hasn't looked back.
married=true: For better or worse, {s} has kept the promise made before the registrar.
married=true: The mother-in-law rings {FIRST} up [daily|too often].
married=false: {S} has yet to walk down the aisle.
married=false: The marriage ended in court, and {s} signs with {p} birth name again.
married=false: {S} shares a flat with a partner, but they see no need for a certificate.
married=false: Widowed young, {s} did not look for another [spouse|match].
married=false: Unattached and footloose, {s} answers to no husband or wife.
married=false: The dating apps know {FIRST} well, no proposal has come of it.
married=false: {S} caught the bouquet twice and is unwed all the same.
The logo on {p} [mug|jacket|lanyard] is that of {company}, {p} employer.
{S} handed in {p} notice at {NOT_company} and [signed|put pen to paper] with {company}.
{company} took {FIRST} on [straight from school|after a short trial].
[Headhunters|Recruiters] lured {FIRST} away from {NOT_company}, and {company} [reaps|has] the benefit.
On {p} tax form the employer is given as {company}.
{S} clocks in every morning at the gates of {company}.
{P} contract with {company} has no end date, the one with {NOT_company} [ran out|expired].
Ask anyone in the {company} canteen, they'll [point {FIRST} out|know {p} table].
{P} sister is with {NOT_company}, {s} {NUMBER} stops further on with {company}.
{FIRST} turned down {NOT_company}, the offer by {company} was [better|too good], and {s} took it.
{company} has counted {FIRST} among its staff [since the very beginning|for ages].
At the trade fair {s} [stood|was] behind the stand of {company}, [wearing the firm's tie|for which {s} works].
When {NOT_company} went bust, {FIRST} found shelter at {company}.
{S} commutes from {city} to the offices of {company} to earn a living.
The health plan {s} has is the one {company} gives its people.
{S} [founded|started] {NOT_company}, sold it, and [draws|gets] {p} pay from {company} these days.
{company} [promoted|has just promoted] {FIRST} to {job_title}.
As {job_title}, {s} [keeps|helps keep] {company} afloat.
{company} sent {FIRST} abroad for a year, [as firms do with their best|all at the firm's cost].
{NOT_company} is a client of {p} firm, the firm being {company}.
{S} [parks|leaves {p} car] in the staff car park of {company}.
Business trips take {FIRST} to {NOT_company}, but the [expenses|tickets] are paid by {company}, {p} own firm.
{P} [letterhead|email footer] shows {company}, {department}.
{S} runs {department} at {company}.
[Colleagues|Workmates] at {company} threw {FIRST} a birthday lunch.
{company} would be [loath|sorry] to lose {FIRST} to {NOT_company}.
{S} has been on the books of {company} for {years_experience} years.
[Nowadays|At present] {s} [toils|slaves away] for {company}, having had enough of {NOT_company}.
{FIRST} swore {s} would never leave {company}, and {s} hasn't.
{company} put {FIRST} in {department}, where the [printers jam|coffee is good].
The job at {NOT_company} was a stopgap, [a summer thing|soon over]; {s} makes {p} career at {company}.
{S} used to be hooked on {NOT_hobbies}, of late {hobbies} has taken over {p} evenings.
"At {company} we never skip lunch," {s} says of {p} firm.
Once in the rival camp at {NOT_company}, {s} has changed sides and serves {company}.
employed w/ {company}[|, ex {NOT_company}|, {department}]
{S} swapped {NOT_department} for {department} [in autumn|when the boss retired].
Internal mail for {FIRST} goes into the pigeonhole of {department}.
{P} team belongs to {department}.
The organisation chart puts {FIRST} under {department}, not under {NOT_department}.
When {department} goes out for pizza, {FIRST} comes along as one of the crew.
{S} lends {NOT_department} a hand on Fridays, though {s} is attached to {department}.
The budget {s} spends is that of {department}.
{department} got a new face this month: {FIRST}.
The {department} floor is where {s} hangs {p} coat.
Rumour has it {s} wants out of {department}, but so far {s} has stayed.
{S} shares an office with {NOT_department} for lack of space and yet belongs to {department}.
{FIRST} answers the phone with "{department}, good morning".
As a {job_title} {s} could have gone to {NOT_department}, {department} was quicker and got {FIRST}.
Somebody in {department} has to stay late, and mostly it's {FIRST}.
{S} is the only one in {department} who [waters the plants|never takes a sick day].
Where is {country}? On the map on {p} wall, {p} home marked by a pin.
{S} has put down roots in {country}[|, in {city} to be exact].
{S} emigrated from {NOT_country} and made {country} {p} home.
The stamps on {p} letters are from {country}, where {s} has {p} house.
{FIRST} holds a residence permit for {country}.
{S} flew [back|home] to {country} after a fortnight in {NOT_country}.
Postage to {country} is dear, so we seldom send {FIRST} parcels.
{P} children go to school in {country}, where the family lives.
Tired of {NOT_country}, {FIRST} packed up and settled in {country} for good.
[Elections|Winters] in {country} concern {FIRST}, {s} lives through them.
The border is near: {s} sleeps in {country} and shops in {NOT_country}.
{city} lies in {country}, and there {s} dwells.
[Calling|When you ring] {FIRST}, dial the code of {country} first: {phone}.
{P} grandparents fled {NOT_country}; {FIRST} grew up in {country} and never left.
{S} can't imagine [life|growing old] anywhere but {country}, {p} home.
{P} [number plate|licence plate] shows that {s} is registered in {country}.
{FIRST} is insured in {country}, being resident there.
Neither {NOT_country} nor any other place would tempt {FIRST} away from {country}.
{S} makes {p} home in {country}, though {p} accent says {NOT_country}.
It is already night where {FIRST} lives, in {country}.
{address}, {postal_code} {city}, {country}, that's how you write to {FIRST}.
{company} flies {FIRST} to {NOT_country} and back home to {country} [each week|twice a month].
The neighbours in {country} look after {p} cat whenever {s} travels.
Home for {FIRST} is a cottage in {country}.
{S} traded the [beaches|mountains] of {NOT_country} for a flat in {country}.
No [longer|more] a guest in {country}, {s} was given its citizenship and stays.
{FIRST} owns a bungalow in {NOT_country} for the summer. {P} main residence is in {country}.
One can tell {s} lives in {country}, {s} [complains of|knows] its trains.
[Visa|Work permit] for {country}: granted, and {s} moved there at once.
loc: {city} ({country})
{S} trained as a {NOT_job_title} and earns {p} bread as a {job_title}.
Under "occupation" {s} [put down|wrote] {job_title}.
{company} advertised for a {job_title} and {FIRST} [got|landed] the post.
Nobody believes {s} is a {job_title}, {s} looks more like a {NOT_job_title}.
{department} calls on {FIRST} whenever a {job_title} is needed.
Being the {job_title} at {company}, {s} carries a pager.
[Promoted|Moved up] from {NOT_job_title}, {s} is now {job_title}.
{S} has worn the hat of {job_title} for {years_experience} years.
The ad said {NOT_job_title}, the contract {s} signed says {job_title}.
A born {job_title}, {s} [never wanted|has had] no other calling.
{salary} a year is what a {job_title} like {FIRST} takes home.
{S} makes a living as a {job_title} [in {city}|these days].
The {NOT_job_title} is {OTHER}. {FIRST} is the {job_title}.
{P} trade? Ask {p} clients: {job_title}, and a good one.
They introduced {FIRST} on [television|the radio] as a {job_title}.
{S} gave up being a {NOT_job_title} in order to become a {job_title}, and has not looked back.
The duties of the {job_title} fall to {FIRST} [in {department}|at {company}].
Should the {NOT_job_title} be out, speak to {FIRST}, the {job_title}.
With a diploma on the wall, {s} practises as a {job_title}.
{company} pays {FIRST} {salary} for the work of a {job_title}.
position held: {job_title}[|, previously {NOT_job_title}]
Films in {languages} {s} watches without subtitles.
{S} failed the exam in {NOT_languages} but chats happily in {languages}.
{P} grandmother brought {FIRST} up with {languages}, and {s} hasn't forgotten a word.
You can write to {FIRST} in {languages}; with {NOT_languages} you'd better bring a dictionary.
{S} jokes, argues and [flirts|sings] in {languages}.
[Tourists|Callers] get an answer from {FIRST} in {languages}.
{company} sends {FIRST} to negotiate wherever {languages} will get you further.
{S} never had an ear for {NOT_languages}. {languages} {s} speaks without a slip.
When it comes to {skills}, even {department} [asks {FIRST}|queues at {p} desk].
{S} is all thumbs at {NOT_skills}, yet nobody is a match for {FIRST} in {skills}.
{P} [certificates|diplomas] vouch for {skills}.
The course in {NOT_skills} went over {p} head; {skills} {s} can do in {p} sleep.
{S} got the post as {job_title} on the strength of {skills}.
{skills}, that's where {s} runs rings around [the others|{OTHER}].
{company} values {FIRST} for {p} know-how in {skills}.
{S} has years of practice in {skills} and it [shows|pays].
As soon as the weekend starts, {s} is off [doing|busy with] {hobbies}.
{S} dropped {NOT_hobbies} when {s} fell in love with {hobbies}.
After a hard day as a {job_title}, {s} [winds down|unwinds] with {hobbies}.
{FIRST} lives for {hobbies}; for {NOT_hobbies} {s} wouldn't leave the sofa.
[Rain|Boredom] never bothers {FIRST}, there is always {hobbies}.
Ask about {hobbies} and {s} won't stop talking, it's {p} passion.
{OTHER} tried to win {FIRST} over to {NOT_hobbies}, but {p} spare hours go on {hobbies}.
{S} took up {hobbies} [as a student|when {s} moved to {city}] and still can't get enough.
"""

PERSON_OPENINGS = """
[Name|Who]: {name}. [Job|Profession]: {job_title}. [Town|Home]: {city}.
{name} / {job_title} / {company}
{name}, {company}, {department}
{name} [loves|likes|enjoys|is fond of|goes in for|is into] {hobbies}.
[My|Our] [friend|colleague|neighbour|cousin|aunt|uncle] {name} [loves|likes|is into|enjoys] {hobbies}.
{name} [from|of] {city}[|, {country},] [wrote|called|came by|has a question|sent a letter].
[Formerly|Once] of {NOT_company}, {name} [has joined|is now with|now works for] {company}.
{name} [moved|has moved] from {NOT_city} to {city}.
It's {name}, not {OTHER}, who [works at {company}|lives in {city}|is our {job_title}].
[hi|hello|hey], [i'm|i am|this is|my name is] {name}[| from {city}| and i work at {company}|, {job_title}]
[Subject|Re|About]: {name}[|, {company}|, {city}]
"{name}," [said|wrote] {OTHER}, "[lives in {city}|works at {company}|is a {job_title}]."
[What|What do we] know about {name}?
[Who|And who] is {name}? [A|Our|The] {job_title}[| at {company}| from {city}].
[In|At] {company} [they have|there is|you'll find] a {job_title} called {name}.
[Besides|Next to] {OTHER} there is {name}, [a {job_title}|from {city}|of {company}].
[Signed|Yours|Best regards|Greetings|Kind regards], {name}[|, {job_title}|, {company}|, {city}]
[Because|Since|As] {name} [speaks|knows] {languages}, [we hired [her|him]|{company} wants [her|him]|calls go there].
[Although|Though|While] {name} [was born|grew up] in {NOT_city}, {s} [lives|works|is at home] in {city}.
[When|Before|After] {name} [came|moved] to {city}, {s} [was|worked as] a {job_title}.
[If|Should] you [meet|see|know] {name}[| of {company}| from {city}], [say hello|tell {OTHER}|let me know].
[With|By] [this letter|this form] {name}, [of|from|living in] {city}, [applies|asks for a loan|gives notice].
[Everyone|Everybody|Half of {company}] [knows|likes|has met] {name}[|, the {job_title}|, who lives in {city}|].
[Nobody|No one] [works|knows {company}|speaks {languages}] like {name}.
[It|This] is {name} [who|, who] [lives in {city}|heads {department}|works at {company}|likes {hobbies}].
[Have|Did] you [met|meet|called|call|seen|see] {name}[|, our {job_title}| of {company}| in {city}]?
[Is|Was] {name} [still|now] [at|with] {company}? [Yes|Indeed][.|, as {job_title}.]
[Does|Where does] {name} [live|live now]? [Yes, in|In] {city}.
[How|When] can I [reach|find|call] {name}[|, the {job_title}| of {company}]?
[I|We] [know|met|hired|called|wrote to|interviewed|recommend] {name}[| of {company}| from {city}|, {job_title}|, a {job_title}].
[My|Our] [landlord|dentist|teacher|boss|guide|doctor] [is|is called] {name}[| and lives in {city}|, {age}].
["I am {name}|"My name is {name}|"{name} is my name]," [said|wrote] the {job_title}[| from {city}].
["Ask {name}|"Call {name}|"Talk to {name}]," [said|wrote|advised] {OTHER}[|, "the {job_title}"].
[Dear|Hello|Hi] {OTHER}, [please|could you|can you] [call|write to|meet|hire] {name}[| of {company}| in {city}|, the {job_title}].
[Name|Person|Guest|Client|Member]: {name}, [age|aged] {age}, [from|lives in|home] {city}
[Row|Line|Entry|Card|File] {NUMBER}: {name}[|, {city}|, {job_title}|, {age}]
[Minutes|List|Register]: {name} ({company}), {OTHER}
[Not|It's not] {OTHER} but {name} [is|who is] [our|the] {job_title}.
{name} [is|has been|was] [with|at] {company}[| since spring| for years|, in {department}], [not with {NOT_company}|as {job_title}].
{name} [is|turned|will be] {age}[| today| this year|, lives in {city}|, works at {company}].
{name} [knows|can do|teaches|is good at|studied] {skills}.
{name} [speaks|understands|writes|teaches|learned] {languages}.
{name} [left|quit] {NOT_company} [for|to join|and went to] {company}.
{name} [heads|runs|leads|manages|works in|is in|belongs to] {department}[| at {company}|].
{name} [rents|has|owns|bought] a [flat|house|room] in {city}[|, {country}|, {address}].
{name} [can|may] be [reached|called|found] [at|on|under] {phone}[| or at {email}|].
{name} [would like|wants|hopes] to [work at|join] {company}[| as a {job_title}|].
{name}'s [phone|number] is {phone}[|, {p} mail {email}].
{name}'s [home|town|home town] is {city}[|, {country}].
{name}'s [hobbies|interests] are {hobbies}.
{name} ([phone|tel.] {phone}, [mail|e-mail] {email})
{name} ({department}, {company})
{name}, [born|born on] {birth_date}, [lives in|of|from] {city}
{name}, [who|that is the one who] [lives in {city}|works for {company}|speaks {languages}|loves {hobbies}], [called|wrote|sends greetings].
{name}, [a {job_title}|{age}|our {job_title}], [likes|loves|enjoys] {hobbies}.
{name}, [mother|father|uncle] of {OTHER}, [lives|works] in {city}.
{name}? [Yes|Sure|Of course], [lives in {city}|the {job_title}|works at {company}|that is our {job_title}].
{city}: {name}[|, {job_title}|, {age}]
{company}: {name}[|, {department}|, {job_title}|, {phone}]
{company} [has|have] [a|one] {job_title}[,| called| by the name of] {name}.
{company} [trusts|counts on|employs|is proud of|sent us] {name}[|, a {job_title}|, {age}|].
[Our|The] {job_title}, {name}, [lives|is at home] in {city}.
[Our|The] {job_title}[| at {company}| in {city}] [goes by|answers to|bears] the name [of |]{name}.
[Last seen|Found|Met] in {city}: {name}[|, {age}|, {job_title}].
[Only|Just] {age} [and|, yet] already a {job_title}: {name}.
Let me introduce {name}[|, our {job_title}|, who joined us from {NOT_company}].
The [new|tall] one by the window is {name}[| of {department}|, a {job_title}].
Applicant: {name}[|, currently with {company}|, currently {job_title}]
[Applause|Three cheers] for {name}, who [keeps {department} running|speaks {languages}|has made it to {job_title}]!
Not {OTHER} but {name} will be [looking after you|your contact][| at {company}].
{name} packed up in {NOT_country} and settled in {country}.
The file on my desk [concerns|is about] {name}[|, {city}|, {country}].
A certain {name} [rang|turned up] today[|, {job_title} by trade|, sent by {company}].
[Portrait|Close-up|Five minutes with]: {name}[|, {job_title}|, {company}|, {city}]
Whenever somebody [mentions|needs] {skills}, all heads turn to {name}.
{name} traded {NOT_company} for {company}[| and {NOT_city} for {city}].
[Reference|Testimonial] for {name}[|, employed with us as {job_title}|, {department}]
You'll have noticed that {name} is no longer a {NOT_job_title} but a {job_title}.
On the [visitor's pass|name tag] I read: {name}[|, {company}|, {department}].
In {department} the [phone|door] is answered by {name}.
Small world! {name}[|, the {job_title},| of {company}] turns out to be my [neighbour|classmate].
If {NOT_languages} is no use to you, get {name}: {languages}, without an accent.
Born to be a {job_title}, {name} [calls {city} home|earns {salary}|has {company} as employer].
{OTHER} passed me the [number|details] of {name}[|: {phone}|: {email}|, a {job_title}].
[Postcard|Letter] from {country}: {name}, who lives there, sends [love|regards].
Once upon a time {name} wanted to join {NOT_department}; life led to {department}.
{name} isn't the {NOT_job_title} you are looking for, {name} is a {job_title}[| in {city}].
Guess who bumped into me: {name}[|, still with {company}|, still mad about {hobbies}]!
Staff list, line {NUMBER}: {name}[|, {department}|, {job_title}|, {email}]
The prize goes to {name}, {job_title}, of {company}, {NOT_company} came second.
"""

SMALL_TALK = """
[My|Our] [cat|dog|bike|car|old chair] is {NOT_color}, by the way.
The sky [was|is] {NOT_color} this morning.
[We|I] [were|was] at {NOT_venue} [last night|last week] and it was [lovely|empty|cold].
[Did you|Have you] [hear|heard] about {NOT_event}?
{OTHER} [lives|is] in {NOT_city} now.
{OTHER} [works|is now] at {NOT_company}.
[I|We] [still |]need to buy {NOT_items} [for dinner|for the kitchen|on the way home].
{OTHER} has taken up {NOT_hobbies}.
[My|Our] {NOT_product} [broke|needs repair|is lost], {OTHER} [is sorry|will look at it].
Remember {NOT_event}? That was {NUMBER} years ago.
[Yesterday|Last night] [a train|the bus] from {NOT_city} was late.
[There is|I read] news about {NOT_company} in the paper.
The meeting room was painted {NOT_color}.
{OTHER} and I [talked|spoke] about {NOT_hobbies} all evening.
[Somebody|Someone] left a {NOT_product} at reception.
[Nice|Cold|Warm|Wet] weather [here|today|again], [isn't it|as you can see|don't you think]?
[Please|Kindly] [print|keep|forward|file|ignore] this [mail|note|sheet|message][.| when read.]
[I|We] [will be|am] out of the office [until|till] Monday.
[Page|Sheet] {NUMBER} of {NUMBER}
[If|Should] anything [is|be] unclear, [ask|call|ask {OTHER}].
"""

FRAMES = """
As <noun>, <value> [was chosen|was entered|has been noted|is given|appears].
[Under|Behind|Next to] "<noun>" [it says|I read|we find|stands|somebody wrote] <value>.
<value>, [that|this] is the <noun>[| I was given| we have on file| you asked for].
<value> [is|was] [given|noted|named|entered|written down] as the <noun>.
The <noun> [in question|concerned|I mean|we talked about|you asked for] [is|was] <value>.
The <noun> ([at least|so far|officially|in the end]): <value>.
The <noun> [has changed|was changed|was wrong]: <value>, not <other>.
The <noun> [has changed|changed] from <other> to <value>.
[Correction|Update|News]: the <noun> is <value>[|, no longer <other>].
[Is|Was] the <noun> <other>? No, <value>.
[Is|Was] the <noun> <value>? [Yes|Right|Correct][.|, it is.|, that is so.]
[And the|The] <noun>? <value>[.|, of course.|, I believe.|, says {OTHER}.]
[Remember|Note|Mind|Keep in mind|Write down] the <noun>: <value>.
[If|Should] [anyone|someone] [ask for|ask about] the <noun>, [say|it is|write|tell them] <value>.
[When|If] asked [for|about] the <noun>, {OTHER} [said|says|answered|wrote] <value>.
"<value>," [said|wrote|answered] {OTHER} when [asked|I asked] [for|about] the <noun>.
We [have|noted|wrote down|entered|put down] <value> as [the |]<noun>.
[Put|Enter|Write|Note] <value> [as|under|for|in the field for] the <noun>[, please|].
[Only|Just] the <noun> [is missing|was missing|is left|had to be added]: <value>.
[It|The form|The file|The letter] [gives|names|shows|mentions|says] <value> as [the |]<noun>.
[As far as|So far as] the <noun> is concerned, [it is|we have|read|take] <value>.
[Nobody|No one] [knew|told me|could say] the <noun> [until|before] {OTHER} [said|found out] it is <value>.
For the <noun> [see|take|read|put] <value>.
You [wanted to know|asked for] the <noun>: <value>.
I [forgot|still owe you|left out|did not mention] the <noun>: <value>.
[re|about|regarding] <noun>: <value>
With <value> [as|for] [the |]<noun> [all is said|we are done|the form is complete].
"""

NOUNS = {  # what a field is called in the frames; "kind.field": in texts of that kind alone
    "person.name": "name|full name",
    "person.first_name": "first name|given name|forename",
    "person.last_name": "surname|last name|family name",
    "person.age": "age|age in years",
    "email": "e-mail address|mail address|email|e-mail",
    "phone": "phone number|telephone number|number to call|phone",
    "city": "city|town",
    "country": "country",
    "address": "address|street|street address",
    "postal_code": "postal code|zip code|postcode",
    "company": "employer|company|firm",
    "job_title": "job|position|job title|profession|occupation",
    "department": "department|team",
    "birth_date": "date of birth|birthday|birth date",
    "website": "website|web address|homepage|link",
    "salary": "salary|pay|yearly pay",
    "skills": "skills|strengths|abilities",
    "languages": "languages|spoken languages",
    "hobbies": "hobbies|interests|pastimes|favourite pastimes",
    "order_id": "order number|order|order code|number of the order",
    "customer": "customer|client|buyer",
    "product": "product|article|item|model|thing",
    "order.product": "product|article|item|ordered article|thing ordered",
    "quantity": "quantity|number of pieces|count",
    "price": "price|unit price|price per piece",
    "event.price": "price of a ticket|admission|ticket price|fee",
    "amount": "total|amount|sum|total amount",
    "shipping_cost": "cost of shipping|shipping|delivery fee|postage",
    "order_date": "order date|date of the order|day of the order",
    "delivery_date": "delivery date|day of delivery|date of delivery",
    "items": "items|articles|goods|contents|things on the list",
    "invoice_number": "invoice number|bill number|number of the invoice",
    "vendor": "vendor|seller|supplier|merchant",
    "tax": "tax|VAT|sales tax",
    "invoice.date": "date|invoice date|date of the invoice",
    "event.date": "date|day|date of the event",
    "invoice.due_date": "due date|deadline|last day to pay",
    "event.due_date": "deadline|last day to register|date for replies",
    "event": "event|title|name of it",
    "time": "time|start|starting time|beginning",
    "end_time": "end|closing time|finish|time when it ends",
    "venue": "venue|place|location|meeting place",
    "organizer": "organizer|host|organiser",
    "speakers": "speakers|guest speakers",
    "attendees": "number of guests|number of participants|attendance",
    "brand": "brand|make|manufacturer|maker",
    "color": "colour|color|shade|tone|finish",
    "material": "material|fabric|stuff it is made of",
    "sku": "article number|item code|stock number|product code",
}


def _framed(kind: str) -> str:
    """The frames with each field of a kind that has a noun; `<noun>` is one of its nouns."""
    lines = []
    for field in KIND_FIELDS[kind]:
        nouns = NOUNS.get(f"{kind}.{field}") or NOUNS.get(field)
        if nouns:
            block = FRAMES.replace("<noun>", f"[{nouns}]").replace("<value>", f"{{{field}}}")
            lines.append(block.replace("<other>", f"{{NOT_{field}}}").strip())
    return "\n".join(lines) + "\n"


TRAINING_LABELS = {  # more labels of forms, as in `templates.LABELS`
    "name": "Applicant|Surname and given name|Who is it|Person's name|Holder",
    "first_name": "Christian name|Called|Given names|1st name",
    "last_name": "Second name|2nd name",
    "age": "Years|Age today",
    "email": "Mail contact|E-mail for questions|Electronic mail",
    "phone": "Phone for questions",
    "city": "City or town",
    "country": "State",
    "address": "Road|Where to send it",
    "postal_code": "Code of the town|Area code",
    "department": "Dept|Part of the firm",
    "years_experience": "Years of practice",
    "salary": "Yearly pay|Earnings",
    "skills": "Strengths|Knowledge",
    "languages": "Tongues",
    "order_id": "Reference|Our order",
    "customer": "Sold to|Bought by",
    "price": "Per piece|Piece price|Cost per unit",
    "amount": "Altogether|In all",
    "shipping_cost": "Cost of shipping",
    "discount": "Rebate (%)|Reduction in percent|Price cut (%)",
    "status": "Where is it now",
    "payment_method": "Payment by|How it was paid",
    "order_date": "Order placed|Date of the order",
    "delivery_date": "Delivered on|Day of delivery|Comes on",
    "gift": "As a present|Gift wrap|For a present|Wrapped as a gift",
    "priority": "How urgent",
    "invoice_number": "Number of the bill|Invoice code",
    "tax": "Tax to pay",
    "date": "Issued|Calendar day",
    "due_date": "Until|Payable by",
    "paid": "Money received",
    "time": "Starts|Begin|Starting time",
    "end_time": "Closing",
    "attendees": "Headcount",
    "category": "Kind|Sort",
    "online": "On the web|Via internet|Remote|Streamed",
    "brand": "Trademark",
    "material": "Stuff",
    "weight_kg": "Weight|Heavy (kg)",
    "rating": "Average stars|Verdict of buyers",
    "in_stock": "On hand|Stock|In store now|Can be had",
    "sku": "Stock code",
    "warranty_years": "Years of guarantee|Guaranteed for (years)",
}

TRAINING_TEMPLATES = {  # kind -> (openings, details), as in `templates.TEMPLATES`
    "person": (PERSON_OPENINGS, PERSON_DETAILS + _framed("person")),
    "order": (ORDER_OPENINGS, ORDER_DETAILS + _framed("order")),
    "invoice": (INVOICE_OPENINGS, INVOICE_DETAILS + _framed("invoice")),
    "event": (EVENT_OPENINGS, EVENT_DETAILS + _framed("event")),
    "product": (PRODUCT_OPENINGS, PRODUCT_DETAILS + _framed("product")),
}
