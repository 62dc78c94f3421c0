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
Hold it against a wall of {color} and you [could lose|may lose] sight of it.
Next to [a|some] {NOT_color} curtain the {color} of it [looks|seems] almost [loud|shy].
The repair kit includes a touch-up pen in {color}, [matched to|mixed for] this very article.
{OTHER} nearly returned it because {color} clashes with the living-room sofa.
The catalogue [misprinted|wrongly gave] {NOT_color}; the correction slip reads {color}.
Somebody had fun at the paint shop: {color}, two coats, [no drips|not one bubble].
Fingerprints hardly [show|appear] on {color}, [which is why|so] the makers settled for that.
After {NUMBER} washes the {color} was as [deep|fresh] as on day one.
A dash of {color} for your [hallway|balcony|desk], that is what you get here.
The wrapper suggested {NOT_color}. Tear it open and {color} [greets you|peeps out].
[Children|Kids] call it "the {color} one", and they [have a point|aren't wrong].
The factory ran dry of {NOT_color} paint, which is why this batch is all {color}.
Only the cable is {NOT_color}; [look anywhere else|wherever else you look] and you meet {color}.
{brand} retired {NOT_color} in spring and put {color} in its place.
From across the street all [I made out|one could tell] was something {color}.
On the swatch card our article corresponds to {color}, two rows below {NOT_color}.
Not everyone can live with {color}, [hence|that explains] the friendly {price}.
The lining [shimmers|is] {NOT_color}, a surprise, given that the outside is {color}.
Team it with {NOT_color} cushions, the {color} [can take it|welcomes the contrast].
We ticked {color} on the form, left {NOT_color} blank and [this arrived|here is the result].
The pigment used at the works yields {color} [even in poor light|after firing].
Its twin in {NOT_color} was stolen from the window, so you meet only the {color} brother.
Purists might wish for {NOT_color}. They will have to [make peace|put up] with {color}.
{color} as far as the eye can see, [save|except] for a small {NOT_color} logo.
If it were a cat, it would be a {color} one.
Tinted {color}, says the [tag|hangtag], and [rubbed with oil|sealed with wax].
There's a {NOT_color} model in the brochure; the thing on the counter is its {color} cousin.
Spot the {color} [item|article] between the {NOT_color} ones: that's the one I mean.
We had it resprayed. Goodbye {NOT_color}, [hello|welcome] {color}!
The jury of the design prize [praised|liked] "the brave {color}".
Variant B = {NOT_color}, variant C = {color}. You are looking at variant C.
[Faded|Sun-bleached]? Hardly, the {color} is [rich|as strong as ever].
"Anything but {NOT_color}!" begged my sister, so {color} it became.
col: {color} (was {NOT_color} till last season)
Its complexion, if a thing may have one: {color}.
You'd be the [third|only] person in town with a {color} one.
Even the screws [were|have been] [powder-coated|lacquered] {color} so as to match the rest.
Sold as {NOT_color} by mistake, the buyer sent it back: plainly {color}.
The craftsman [reached|asked] for {material} and left the {NOT_material} in the shed.
Years ago a cheap {NOT_material} copy went round; the original is of {material}.
[Vegans|Purists] ask us what's in it: {material}, [and that's that|not a trace of {NOT_material}].
Recycling note: sort it with the {material}.
Its creak gives away the {material}; {NOT_material} would be silent.
A [local workshop|small mill] supplies the {material} from which {brand} makes it.
Drop it and you will be glad it was not {NOT_material} but {material} they used.
Please treat the {material} with [a drop of oil|a soft brush] twice a year.
The prototype was still {NOT_material}, the series went into production in {material}.
One is amazed what can be [shaped|formed] out of plain {material}.
Strip away the {color} lacquer and bare {material} [is left|comes to light].
My [thumb|hand] says {material}, the shop's website says the same.
Only the packaging contains {NOT_material}; for the article {material} was taken.
Moths, rust or rot? With {material} you [know what to watch|can judge for yourself].
A core of {material}, a skin of {material}: [it's the same|no trick] right through.
Lab slip no. {NUMBER}: sample identified as {material}.
Grandma's was made from {NOT_material}, mine is the modern edition in {material}.
Prices for {material} have soared, [so|hence] it now costs {price}.
The makers got hold of a load of leftover {material} and turned it into this.
It will age [gracefully|well], as {material} tends to.
We tried {NOT_material} and it cracked. Since then we build it from {material}.
{material} was never so [elegant|handy] as in this piece by {brand}.
Light as {NOT_material}? No: it's {material}, you need [both hands|a strong back].
For the outdoor edition {NOT_material} was out of the question and {material} took over.
{OTHER} swore it was {NOT_material} until the maker's note said {material}.
You can see the {material} wherever the {color} paint has [chipped|rubbed off].
Substance over show: {material}, {weight_kg} kilos of it.
The customs form calls for the stuff it's made of, so I put down "{material}".
Reinforced at the corners, yet [still|also there] {material}.
The [needle|saw|chisel] goes through {material} slowly, which explains the {price}.
mat'l {material}, col. {color}, guar. {warranty_years} yrs
Regular {NOT_material} fans may grumble, {brand} bet on {material} for this one.
The whole article was [turned|moulded|stitched] by hand in {material}.
There's no veneer to peel off here, {material} is {material}.
Warm in winter, cool in summer: the makers owe that to the {material}.
Offcuts of {material}, [glued|joined] in layers, [form|make up] the body.
Pick {NOT_material} if you must save money; the one shown is {material}.
An allergy label [warns|tells] that the article contains {material} and nothing more.
Our [tester|reviewer] spent a week with the {product} and gave it {rating}.
Beside it [stood|lay] the {NOT_product}, but the label {sku} belongs to the {product}.
People mix it up with the {NOT_product}; its right name is {product}.
The engraving on the underside reads "{product}".
The {product} is the reason {brand} had queues [outside|round the block].
Scan {sku} and the till says {product}.
Forget the {NOT_product}, this page [deals with|describes] the {product}.
Spare parts for the {product} are [kept|made] for {warranty_years} years.
You'll find the {product} in aisle {NUMBER}, left of the {NOT_product}.
What you see in the picture is the {product}[|; the {NOT_product} was only put there for scale].
A manual for the {product} lies in the carton, [in six languages|badly translated].
I came in for the {NOT_product} and left with the {product}, which I now describe.
No household of ours [will do|gets by] without the {product} any more.
Long known as the {NOT_product}, it was rechristened {product} by {brand}.
{vendor} has put the {product} right [at the front|by the entrance].
Type "{product}" into the search box at {website} and you land on this article.
Say what you like, the {product} [does its job|keeps its promise].
in_stock=true: Just reach up, [several|a handful] are right above your head.
in_stock=true: A fresh pallet rolled in this morning, so [nobody goes home|no one leaves] empty-handed.
in_stock=true: Our storeman counted {NUMBER} of them [last night|at closing time].
in_stock=true: Supplies are [ample|more than sufficient], there is no rush.
in_stock=true: The dot beside the article on our page glows green: [buy|click] and it's packed within the hour.
in_stock=true: We were afraid of a shortage, but the depot is [bursting|full] with it.
in_stock=true: Same-day dispatch is no problem, since we [hold|have] it in our own depot.
in_stock=true: I just checked the back room for you: yes, [one|a boxed one] is waiting there.
in_stock=true: The drought is over, [crates of it|whole boxes] came in and you can buy again.
in_stock=true: Don't believe the rumour that it ran out; we can hand you one [over the counter|now].
in_stock=true: Far from being scarce, it is piled up [to the ceiling|knee-high] in our cellar.
in_stock=true: Walk in, pay, [walk out with it|carry it home], no ordering needed.
in_stock=true: Our branch in {city} could let you have one [within minutes|before lunch].
in_stock=true: Last week it was a case of waiting list; [by now|today] the racks are filled again.
in_stock=true: The neighbouring shops have none, we alone [were clever enough to hoard it|bought enough].
in_stock=true: Though demand is brisk, we haven't [come to the end of|used up] our supply.
in_stock=true: availability: immediate
in_stock=true: Take two if you wish, we [won't run short|have heaps].
in_stock=true: It's [sitting|gathering dust] in our storeroom and only waits for a buyer.
in_stock=false: [Regrettably|Alas], the final one went over the counter [at ten|an hour ago].
in_stock=false: The button on our page is greyed out and says "[notify me|remind me later]".
in_stock=false: Customers are putting their names on a waiting list that is {NUMBER} lines long.
in_stock=false: Until the container docks we have [nothing to sell|not a single one to offer].
in_stock=false: Where it used to stand there is a bare patch and a note saying "[back in autumn|sorry]".
in_stock=false: The maker can't keep up, and our depot has been cleaned out.
in_stock=false: We could only take a back order [now|at the moment]; nothing can be handed out.
in_stock=false: The display piece is glued down and not for sale, others there aren't.
in_stock=false: I turned the storeroom upside down and [didn't find one|found only empty cartons].
in_stock=false: The computer [claims|pretends] there are {NUMBER}, but the racks are bare.
in_stock=false: Snapped up within a day[| of the advert], not even the staff got one.
in_stock=false: You're too late, I'm afraid: [every last one|the whole batch] has found a buyer.
in_stock=false: Replenishment is planned for next month, before that [we must turn people away|you can't get one here].
in_stock=false: availability: none, reorder placed
in_stock=false: A strike at the works left us high and dry, zero pieces [remain|in the depot].
in_stock=false: Other models we have galore, of this one unfortunately [zilch|not a crumb].
in_stock=false: Temporarily unavailable[|, try the shop in {NOT_city}].
in_stock=false: Don't drive over in vain, we couldn't give you one [even for double the money|if we tried].
in_stock=false: It vanished from our racks before the [weekend|holidays] and hasn't been refilled.
The {product} by {brand} is supplied in {color}.
{brand} manufactures the housing from {material} and finishes it in {color}.
According to the data sheet, the {product} has a body of {material} with a {color} coating.
{vendor} carries the whole range by {brand}, of which this {product} is the newest member.
The {color} version is on display at {vendor} in {city}.
Until last season {brand} used {NOT_material}, but complaints led to a change to {material}.
The {product} may be inspected in {city}, where {vendor} maintains a showroom.
As an alternative to {NOT_brand}, {vendor} recommends the article by {brand}.
{vendor} has discontinued {NOT_color} and stocks the {product} in {color} only.
In the trade the {color} {material} used here is regarded as a mark of {brand}.
The test report praises the {material} of the {product} and finds no fault with the {color} varnish.
{brand} has entrusted {vendor} with the distribution in the {city} area.
Customers may collect the {product} from {vendor}'s store in {city}, as the one in {NOT_city} has closed.
The designers at {brand} decided on {color} after a survey in which {NOT_color} came last.
The parts are cast in {material} at the {brand} works and assembled in {city}.
For hygienic reasons, the {product} is made of {material} instead of {NOT_material}.
The catalogue of {vendor} shows the {product} on page {NUMBER}, in {color}.
The label sewn inside reads {brand}, followed by the fabric: {material}.
{vendor} purchased the remaining stock from {NOT_vendor} and sells it under the name {product}.
The {product} differs from the {NOT_product} in that it consists of {material}.
{brand} offers {color} as standard, whereas {NOT_color} is available at a surcharge elsewhere in the line.
The photograph supplied by {vendor} shows a {color} article made of {material}.
To meet fire regulations, {brand} constructs the {product} from {material}.
The hotel in {city} was fitted out with the {product}, all in {color}.
The delivery from {vendor} included a card stating "{material}, {color}".
The {product}, developed by {brand} over three years, won a prize in {city}.
Although the packaging bears the name {NOT_brand}, the {product} was produced by {brand}.
The jacket of {material} and the {color} trim make the {product} suitable for formal use.
{vendor} is the sole importer of goods by {brand}.
The {color} pigment is added to the {material} before pressing, so that scratches do not show.
The merchant {vendor} moved from {NOT_city} to larger premises in {city}.
Buyers who disliked the {NOT_color} model by {brand} will find the same article in {color}.
The care leaflet by {brand} advises against bleach, as {material} is sensitive.
Under the name {product}, {vendor} markets an article of {material}.
The {product} is available at {vendor}; {NOT_vendor} no longer lists it.
Stock list, {city} branch: {product}, {color}, one pallet.
The purchasing team compared {NOT_brand} with {brand} and found the latter's {material} more durable.
In its {color} edition the {product} matches the furniture that {vendor} sells.
{brand} gave the {product} a shell of {material} to protect the electronics.
The repair service of {vendor} in {city} keeps spare parts in {color}.
The prototype was {NOT_color} and of {NOT_material}; the series is {color} and of {material}.
The {product} sold best in {color}, as the quarterly report of {brand} shows.
{vendor} wraps each {product} in paper, because {material} is easily scratched.
The exhibition in {city} presented the {product} for the first time to a trade public.
Under the agreement, {vendor} took the {brand} line off the hands of {NOT_vendor}.
We chose {material} over {NOT_material} and {color} over other tones.
The museum shop in {city} sells the {color} variant alongside books.
{brand} obtained the {material} from certified sources, which {vendor} mentions in its advertisement.
Anyone ordering the {product} should know that the {NOT_color} pictured is outdated and {color} will be supplied.
The handle, too, is of {material}, and the {color} lacquer contains no solvents.
{vendor} received the {product} on consignment and displays it in the window of its {city} shop.
The {product} goes back to a sketch by the founder of {brand}, who had {material} in mind.
A comparison of {NOT_product} and {product} shows that only the latter is offered in {color}.
{brand} withdrew from {NOT_city} and now distributes through a dealer in {city}.
The seller, {vendor}, warrants that the article consists of {material}.
The expert's report identifies the maker as {brand} and the wood, metal or cloth as {material}.
In line with the corporate design, the company had the {product} finished in {color}, not in {NOT_color}.
The {color} exterior and the lettering "{brand}" are protected as a trade mark.
{vendor} answers questions about the {product} in {city} during opening hours.
The price list of {vendor} contains the {product} in {material}, the cheaper {NOT_material} having been dropped.
{brand} licensed the {color} finish from a competitor.
The tender specified {material} and {color}, and the article offered complies with both.
Having tested the {NOT_product}, the institute in {city} went on to buy the {product}.
The range comprises several tones; enclosed is the {color} specimen, with kind regards from {vendor}.
The {product} replaces an appliance by {NOT_brand} and was ordered from {brand} directly.
The supplier in {city} delivers the {color} article within two days.
Its frame of {material} distinguishes the {brand} product from the {NOT_material} goods of other makers.
In the inventory the object is described as {color}, with {brand} as manufacturer.
The board of {vendor} decided to include articles made of {material}, among them the {product}.
Enquiries from {city} for the {product} should be addressed to {vendor}, no longer to {NOT_vendor}.
{color} is what the manufacturer enters under finish.
{color} was selected for the outer surface after several trials.
{color}, a tone that recurs throughout the series, was used here as well.
{color}, not {NOT_color}, is the tone to which this article number refers.
{color} in tone, the article blends with most interiors.
It is in {color} that this article leaves the factory.
The exterior, kept in {color} throughout, is resistant to light.
Enamelled in {color} at high temperature, the surface is easy to clean.
The tone, which the catalogue gives as {color}, may vary slightly with the light.
A coat of {color} was applied by the manufacturer and sealed.
What does it look like? Its outside is {color}.
The sample was {NOT_color}, whereas the article described here is {color}.
Viewed in daylight, the housing proves to be {color}.
{OTHER} ordered the variant in {NOT_color}, but the one discussed here is {color}.
{material} is the substance from which the body was formed.
{material} was used for every load-bearing part.
{material}, which ages well, was chosen for its construction.
{material}, not {NOT_material}, is what the laboratory found.
{material} throughout, it contains no other substance.
It is {material} that gives the article its weight.
Made of {material} from top to bottom, it withstands daily use.
The processing of {material}, of which it consists, demands special machines.
The body, manufactured from {material} in one piece, has no seams.
As raw stock {material} was ordered, from which the article was then produced.
What is it made of? The label answers: {material}.
It looks like {NOT_material}, but closer inspection shows it to be {material}.
The designers rejected {NOT_material} and had the article produced in {material}.
The substance used for the whole of the article is {material}.
{brand} is the trademark embossed on the underside.
{brand} manufactures this article under its own name.
{brand}, whose engineers developed it, holds the registered design.
{brand}, not {NOT_brand}, is the make in question.
{brand}: such is the inscription on the type plate.
It was {brand} that brought this article onto the market.
Produced by {brand} to its own specifications, it passed every test.
The emblem of {brand}, stitched to the side, distinguishes it from imitations.
The manufacturer, {brand}, is responsible for spare parts.
Spare parts from {brand} are required, as that is the firm that built it.
Who manufactured it? The operating manual names {brand}.
The article was wrongly attributed to {NOT_brand}; its maker is {brand}.
The name under which this article is marketed is that of {brand}.
Unlike the copy sold by {NOT_brand}, this is the original by {brand}.
{product} is the designation printed on the carton.
A {product} is described on this page, with all its accessories.
The {product}, tested by an independent institute, is presented below.
The {product}, not the {NOT_product}, is the subject of this entry.
{product}: under this heading the article appears in the index.
It is the {product} to which this manual applies.
The operation of the {product}, explained in section {NUMBER}, is simple.
Listed as {product} in the index, the article can be found on page {NUMBER}.
The article offered here, a {product} for everyday use, was revised last year.
What is being offered? The heading says: {product}.
The picture does not show the {NOT_product}, as captioned, but the {product}.
The article to which these instructions belong is the {product}.
After comparing it with the {NOT_product}, {OTHER} recommended this article, the {product}.
The carton contains one article, described on the lid as {product}.
in_stock=true: Available at once, it can be collected today.
in_stock=true: Enough pieces are on hand to meet every request.
in_stock=true: The article, of which {NUMBER} pieces are in the warehouse, ships on the day of purchase.
in_stock=true: Our warehouse, replenished on Monday, can supply it without delay.
in_stock=true: Does it have to be ordered from the factory? No, we have it here.
in_stock=true: The shortage reported last month is over, and the article can be supplied immediately.
in_stock=true: It is not out of stock, as the website claimed, but ready for dispatch.
in_stock=false: Sold out at present, it can merely be reserved.
in_stock=false: No pieces remain in any of our warehouses.
in_stock=false: The article, of which not a single piece is left, has been reordered.
in_stock=false: Our supply, exhausted since Tuesday, will be renewed next month.
in_stock=false: Can it be bought today? Unfortunately not, as we have none.
in_stock=false: The count in the system was wrong; in reality the shelf is empty.
in_stock=false: Other sizes can be supplied, but of this article we have run out.
in_stock=true: It leaves our warehouse within an hour of purchase, as a sufficient number lies there.
in_stock=true: Customers need not wait, since {NUMBER} pieces are lying ready.
in_stock=true: The shelves were refilled on Monday, and the supply will last the month.
in_stock=true: It may be taken along straight from the shop floor.
in_stock=true: {vendor} has plenty on hand.
in_stock=true: There is no waiting list any more, for the backlog has been made up.
in_stock=true: The green light beside the article means that it can be sent at once.
in_stock=true: Of the two models this is the one that we are able to hand over today.
in_stock=true: Our stocktaking showed a surplus of this article.
in_stock=false: Interested customers are put on a waiting list.
in_stock=false: The display piece is not for sale, and there is no other in the house.
in_stock=false: It has to be ordered from {brand}, which takes {NUMBER} weeks.
in_stock=false: The warehouse reports a quantity of zero.
in_stock=false: {vendor} has sold its last piece and awaits a new delivery.
in_stock=false: The button for purchasing is greyed out until supplies arrive.
in_stock=false: A strike at the factory has left us without a single piece.
in_stock=false: We can notify you by e-mail when it is to be had again.
in_stock=false: Demand exceeded our expectations, and the depot was empty by noon.
payment_method=cash: The seller wants the money in the hand, in notes, upon collection.
payment_method=cash: Bring the exact sum in banknotes, as the stall has no reader.
payment_method=card: Visa and Mastercard are accepted at the counter, and nothing else is.
payment_method=paypal: The checkout forwards the buyer to a PayPal login.
payment_method=transfer: The shop sends its IBAN and releases the goods when the bank has credited the sum.
payment_method=transfer: Money has to be wired in advance to the account of {vendor}.
{NOT_color} was withdrawn by {brand} after complaints, and {color} took its place.
The lamp above makes it appear {NOT_color}, but by daylight it is {color}.
The strap is {NOT_color} and may be removed; the {product} proper is {color}.
A customer returned the {NOT_color} one and received the one described here, in {color}.
The number {sku} denotes the {color} model, the {NOT_color} one having a number of its own.
The carton is printed in {NOT_color}, the article it holds is lacquered in {color}.
{brand} announced {NOT_color} and delivered {color}.
For a surcharge it would have been dyed {NOT_color}; the standard article is {color}.
The printed catalogue distorts the shade into {NOT_color}, whereas in reality it is {color}.
{color} was preferred to {NOT_color} because it shows less dirt.
The twin article in {NOT_color} costs more than this one in {color}.
Having been {NOT_color} for a decade, the series was changed to {color}.
The label says {NOT_color}, wrongly: what is in the box is {color}.
It harmonises with {NOT_color} furniture, being {color} itself.
Children are given the {NOT_color} one, adults the {color} one shown here.
The buttons, in {NOT_color}, stand out against a casing in {color}.
The primer is {NOT_color}, the visible top coat {color}.
{vendor} took the {NOT_color} version off the list and kept the {color} one.
{NOT_material} was considered too brittle, so {brand} chose {material}.
The carrying case is of {NOT_material}, the {product} itself of {material}.
A forgery would be of {NOT_material}; the genuine article is of {material}.
{material} makes it heavier than its counterpart in {NOT_material}.
Since {NOT_material} has become expensive, {brand} works with {material}.
The surface imitates {NOT_material}, while what lies beneath and all around is {material}.
The customs declaration first read {NOT_material} and was amended to {material}.
Allergic to {NOT_material}? There is no risk, as the maker uses {material} exclusively.
The budget series is pressed from {NOT_material}, this superior one is worked in {material}.
{NOT_material} would have warped in the damp, which is why {material} was employed.
The repairer mistook it for {NOT_material} until the drill brought up shavings of {material}.
It can be recycled as {material}, and must not be put with {NOT_material}.
The stand for it is sold separately and is of {NOT_material}; the article is of {material}.
The care instructions are those for {material}, not the ones for {NOT_material}.
{brand} tested {NOT_material} in the laboratory and then returned to {material}.
A magnet and a scratch test ruled out {NOT_material} and pointed to {material}.
{material} was retained for the new edition, although {NOT_material} would have been cheaper.
The insurer lists it under {material}, having first put it down as {NOT_material}.
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
Let me introduce the {product}, [fresh from|hot off] the workshop of {brand}.
It began as a sketch on a napkin; today the {product} is [on every desk|in our range].
Meet the {product}, [big sister|successor] of the {NOT_product}.
Three weeks of daily use: my verdict on the {product}.
Clearing the attic, I came across a {product}[| of {material}| in {color}], which I would part with for {price}.
Dear {OTHER}, the {NOT_product} is not for you; take the {product}.
The {product} reached our shop [this week|on a rainy Tuesday] in {color}[|, not in {NOT_color} as announced].
Whoever hears {brand} thinks of the {product}.
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
Flyers with the words {event} [were pushed through every letterbox|lie on the counter of the bakery].
It was christened {event} by [a child|the founders], and that stuck.
Don't mistake it for {NOT_event}, which falls in the same week; you are holding a pass for {event}.
On the wristbands they printed {event}[| in silver letters|, spelled properly at last].
If the man at the gate asks what you came for, say {event}.
{speakers} had a choice between {NOT_event} and {event} and [settled on|went with] the latter, {event}.
The hashtag is long, since it spells out {event} in full.
{NOT_event} is what the neighbours put on; ours goes by {event}.
T-shirts saying "I survived {event}" [are on sale|cost {NUMBER} euros] by the exit.
Taxi drivers will know what you mean by {venue}, that's where you get out.
The boiler at {NOT_venue} gave up the ghost, whereupon {venue} [came to the rescue|took us in].
Follow the balloons, they end at the steps of {venue}.
{attendees} guests will [crowd|squeeze] into {venue}.
We toyed with {NOT_venue}, which has lousy acoustics, and landed at {venue}.
Tram {NUMBER} stops right before {venue}, so nobody [needs a car|will be late for us].
A marquee beside {venue} is there for smokers, the rest of us stay in {venue} proper.
{venue} was the only spot free on {date}.
Because {NOT_venue} is being renovated, guests are [diverted|redirected] to {venue}.
The landlord of {venue} asks us to be out by {end_time}.
Whoever ends up at {NOT_venue} has gone astray: walk on to {venue}.
Flowers and drinks should reach {venue} before the guests do.
It couldn't have found a prettier home than {venue}[| in {city}].
The lights of {venue} will be on for us [till late|from {time} on].
You'll smell the popcorn when you come through the doors of {venue}.
{speakers} asked for a lectern, and {venue} happens to [own|have] one.
The insurance covers accidents inside {venue} during those hours, but nothing on the pavement.
Everyone agreed on {venue}, since {NOT_venue} is too far out.
By {time} we expect you [within the walls|at the front desk] of {venue}.
{address} is where you'll spot the sign of {venue}, our host.
At first it was to be {NOT_venue}; the contract, though, was signed with {venue}.
Lost property from the evening will be kept at {venue}, where you left it.
The cleaning crew of {venue} has been told to come after {end_time} on our account.
{organizer} got {venue} [for a song|at a friendly price].
online=true: Your ticket is a URL, so keep it to yourself.
online=true: The presenter shares her desktop, and you may unmute when called upon.
online=true: Time zones permitting, log on from whichever continent you happen to be on.
online=true: You won't need a coat: your study at home will do as an auditorium.
online=true: Once the host admits you from the virtual waiting room, you'll be in.
online=true: Our server can take {NUMBER} connections, more than any hall could seat.
online=true: Renting a hall was beyond our means, hence a YouTube channel has to serve.
online=true: The travel budget stays untouched, everybody joins by headset.
online=true: Applause will be a shower of emojis, since no two of us share a room.
online=true: Make sure your software is up to date before you connect, for there's no other way in.
online=true: Even {speakers} will be beamed in, and not a single chair gets warmed.
online=true: {venue} merely lends its name; the thing itself lives on the internet.
online=true: far from any building: a link, a headset, that's it
online=false: The doormat is out and the kettle on, we want you in our midst.
online=false: Mind the cobblestones on your way in, high heels get stuck there.
online=false: Nobody will point a webcam at the stage, hence only those in the hall get anything out of it.
online=false: Babysitters are on hand in the room next door while you sit with the others.
online=false: You've stared at monitors long enough, get on the bus and join the crowd.
online=false: Dogs must wait outside the building, tied to the railing.
online=false: Latecomers stand at the back, as there are only {NUMBER} seats in the room.
online=false: We have no streaming kit whatsoever; your own eyes and ears will have to travel.
online=false: Queue along the wall until the bouncer waves you through.
online=false: Last year's Zoom edition bored everyone, which is why bodies are back in the room.
online=false: Car pools leave from {city} station, reserve a place on the back seat.
online=false: The air in {venue} gets stuffy with so many people, so pack a fan.
category=concert: The conductor raises the baton at {time} sharp.
category=concert: Bring a cushion for the pews, the oratorio is a long one.
category=concert: The setlist is secret, but the old hits will be played.
category=concert: Fans throw lighters in the air when the guitarist starts a solo.
category=concert: The piano has been tuned, and the trumpeters rehearsed until midnight.
category=workshop: Aprons, scissors and glue wait on the tables, and everyone makes their own piece.
category=workshop: You'll go home with sawdust in your hair and a stool you built yourself.
category=workshop: Beginners get shown the stitch, then try it until it sits.
category=workshop: The instructor looks over your shoulder and corrects your grip.
category=workshop: Small group, lots of practice: you try out each technique under supervision.
category=meeting: The chair opens the session, then we go through the open points and vote.
category=meeting: A quorum is needed, otherwise nothing can be resolved by the board.
category=meeting: The team sits down to sort out who does what by when.
category=meeting: Shareholders will be told the figures and may put motions.
category=meeting: Somebody has to take the minutes, and it's {OTHER}'s turn.
category=party: The punch bowl is filled, the disco ball hung, and nobody goes to bed early.
category=party: We're letting our hair down: cake, bubbly and silly games.
category=party: The neighbours have been warned of the noise, as we'll be celebrating into the small hours.
category=party: Blow out the candles, cut the cake, hit the dance floor.
category=party: Streamers, a DJ and a buffet: no work, just fun.
category=conference: Parallel tracks, a plenary and a poster hall: you can't hear it all.
category=conference: Scholars from {NUMBER} countries submitted abstracts, a third were turned down.
category=conference: The proceedings will be printed, so authors should hand in their papers.
category=conference: Between the keynote and the panel discussion the experts swap cards over coffee.
category=conference: The whole profession gets together for lectures, and each delegate wears a lanyard.
Visas for {country} should be applied for early, since that's where we meet.
{NOT_country} hosted last time, the baton has passed to {country}.
{organizer} has booked {venue} in {city} for the occasion.
The programme of {event} features {speakers}, and the host is {organizer}.
online=true: {event} will be streamed, so participants may follow {speakers} from their own desks.
online=false: Participants of {event} are asked to present themselves at the reception of {venue}.
Owing to building work at {NOT_venue}, {organizer} has transferred {event} to {venue}.
The municipal authority of {city} has granted {organizer} a permit for {event}.
As in previous years, {event} is under the direction of {organizer}, and {speakers} will take the floor.
Delegates from all over {country} will travel to {city} to hear {speakers}.
online=true: {organizer} will mail the dial-in details, since no hall has been hired.
online=false: {organizer} expects everybody in {city} in person, as no broadcast is planned.
The board decided in favour of {city} and against {NOT_city}, chiefly because {venue} was available.
{NOT_organizer} handed over the project for lack of staff, and {organizer} now bears the responsibility for {event}.
{speakers} accepted the invitation extended by {organizer}.
According to the brochure, {event} opens in {venue} with an address by {speakers}.
The keynote was to be given by {NOT_speakers}, but {organizer} was able to win {speakers} instead.
online=true: {organizer} gave up the rooms in {NOT_city} and shifted the discussion to a video platform.
online=false: The chairs at {venue} have been numbered, and {event} will not be transmitted.
For the first time {event} is being held in {country}, after several editions in {NOT_country}.
{organizer} thanks the owners of {venue} for their generous support of {event}.
The lease with {venue} was signed by {organizer} last autumn.
In {city} the name of {organizer} stands for careful preparation, and {event} is no exception.
The agenda allots half an hour each to {speakers}, who will speak at {venue}.
{organizer} organises several series, and the one described here is {event}, not {NOT_event}.
{venue} is among the largest halls in {city} and can be reached by tram.
online=true: {speakers} will address the audience through a webcam, and questions are taken by chat.
online=false: {speakers} will stand on the stage of {venue}, with the public seated before them.
Admission to {venue} is handled by the staff of {organizer}.
The minutes of the planning group note that {NOT_venue} was rejected and {venue} in {city} preferred.
{country} will host {event}, and the congress town is {city}.
The embassy of {country} is supporting {organizer} in the preparation of {event}.
We regret that {NOT_speakers} had to decline; {event} will go ahead with {speakers}.
The trade journal announces {event}, to take place in {city}, and lists {organizer} as the contact.
online=true: {event} has no venue in the usual sense, and {organizer} admits guests to a virtual lobby.
online=false: For those travelling to {event}, {organizer} has reserved hotel rooms in {city}.
The parking facilities of {venue} are open to all who attend {event}.
{organizer} recommends arriving in {city} the evening before {event} begins.
A change of address has to be notified: {event} will be at {venue}, as {NOT_venue} is closed for repairs.
On the panel of {event} we shall hear {speakers}, moderated by {OTHER}.
The association {organizer} has rotated its gatherings, from {NOT_city} last year to {city} this year.
{speakers} will fly to {country} at the expense of {organizer}.
online=true: Although {venue} lends its name to the series, {event} is accessible solely via the internet.
online=false: {event} requires physical presence, which is why {organizer} has printed badges.
The cooperation between {organizer} and {venue} has been extended by {NUMBER} years.
{event}, for which {speakers} prepared new papers, is coordinated from {city}.
The banner at the entrance to {venue} reads "{event}".
The offer from {NOT_organizer} was less favourable, so the council commissioned {organizer} to run {event}.
In cooperation with partners from {NOT_country}, {organizer} is planning {event} in {country}.
online=true: Interpreters will join {speakers} on the call, and the link goes out to subscribers.
online=false: {city} has enough hotels for the guests of {event}, who will all be on site.
{NOT_event} was postponed, and {venue} is therefore free for {event}.
The opening words belong to the chair of {organizer}, after which {speakers} will present their findings.
Visitors from {country} make up most of the public that comes to {venue}.
The catering at {venue} was ordered by {organizer} for {NUMBER} persons.
This year the choice of {organizer} fell on {city}, a decision welcomed throughout {country}.
Instead of {NOT_speakers}, whose names were printed by mistake, {speakers} will lecture in {city}.
online=true: The audience of {event} is spread over {country} and will log in from home.
online=false: {organizer} withdrew the live stream, so one has to come to {venue}.
Sponsors of {event} may put up their stands in the foyer of {venue}.
Please direct applications for {event} to {organizer}; {NOT_organizer} only sells the advertising.
The biographies of {speakers} can be found in the booklet that {organizer} has published.
{venue}, rather than {NOT_venue}, provides the stage on which {speakers} will appear.
The annual report of {organizer} devotes a chapter to {event} in {city}.
{event} returns to {country}, with {speakers} as guests of honour.
online=true: Since {city} is hard to reach, {organizer} has arranged for {event} to be attended from a distance.
online=false: The fire regulations of {city} limit the number of people {organizer} may let into the room.
Although {NOT_city} had applied, the contract for {event} was awarded to {city}.
On the invitation card one reads {event}, {venue}, {city}.
{organizer} invited {NOT_speakers} last year; this year the guests are {speakers}.
The staff of {venue} will direct all those who wish to hear {speakers} to the main hall.
The prospectus for {event} was printed with the former host, {NOT_organizer}, but {organizer} is in charge.
{event} is the title under which it was announced.
{event}, as the programme calls it, is open to the public.
{event}, not {NOT_event}, is what these tickets are valid for.
{event} has been entered in the municipal calendar under no. {NUMBER}.
It is {event} that visitors are cordially invited to.
The occasion, announced as {event}, has been held {NUMBER} times before.
Registered with the authorities as {event}, it requires no further permit.
The posters that advertise {event} were designed by {OTHER}.
What is the occasion called? Its official title is {event}.
The working title, {NOT_event}, was dropped in favour of {event}.
The gathering to which this invitation refers is {event}.
{venue} is where the guests will be received.
{venue} was rented for the whole of the day.
{venue}, which seats {NUMBER}, has been reserved for us.
{venue}, rather than {NOT_venue}, has to be entered in the route planner.
It is at {venue} that the doors will be opened to the guests.
Held at {venue} for the first time, it is expected to draw more people.
The rooms of {venue}, chosen for their size, have been prepared for the day.
Where do the guests have to go? To {venue}, as the map shows.
It does not take place at {NOT_venue}, contrary to the notice, but at {venue}.
The premises in which everything takes place belong to {venue}.
{OTHER} has signed the rental agreement for the site, {venue}.
{organizer} is in charge of the preparations.
{organizer} bears the overall responsibility and answers for the budget.
{organizer}, who planned it from the outset, also handles complaints.
{organizer}, not {NOT_organizer}, extends the invitation.
It was {organizer} who drew up the programme and obtained the permits.
Arranged by {organizer} in every detail, it requires no outside help.
The planning, which lies with {organizer}, began {NUMBER} months ago.
Who is behind it? It is staged by {organizer}, as the imprint states.
The licence was not granted to {NOT_organizer} but to the actual host, {organizer}.
All arrangements have been made and will be supervised by {organizer}.
Suggestions for the programme were collected by {OTHER} and submitted to the host, {organizer}.
{speakers} will address the audience after the welcome.
{speakers} will step up to the lectern in the first half.
{speakers}, announced in the programme, will give a lecture.
{speakers}, in place of {NOT_speakers}, will deliver the address.
It is {speakers} whom the audience will hear.
A lecture by {speakers} is followed by a discussion.
The slides prepared by {speakers} will be shown during the talk.
Having invited {speakers} to lecture, the hosts expect a full room.
Who will take the lectern? The programme names {speakers}.
The lecture is not given by {NOT_speakers}, who fell ill, but by {speakers}.
{OTHER} will chair the discussion, while the talks will be given by {speakers}.
The microphone on the stage is reserved for {speakers}.
online=true: Broadcast over the internet, it can be followed from any place.
online=true: Via video link is the only way of attending.
online=true: The proceedings, which are held entirely on the web, begin with a sound check.
online=true: Is there a room to go to? No, one takes part through the browser.
online=true: It was not moved to another hall, as some believe, but onto the internet.
online=false: On site and face to face, as before, the participants will meet.
online=false: Physical presence is required of everyone who registers.
online=false: The participants, all of whom have to travel to the hall, sign a list at the door.
online=false: Can it be followed on a screen at home? No, one has to be there in person.
online=false: The planned internet broadcast was abandoned, so it can be attended only in the hall.
category=concert: An orchestra will perform, conducted by {OTHER}.
category=concert: The evening, on which a string quartet plays two works, includes an interval.
category=concert: It is not a lecture about music that is offered, but a live performance by musicians.
category=workshop: Practical exercises under guidance make up most of the day.
category=workshop: The participants, working in small groups with tools provided, learn the technique by doing.
category=workshop: Will there be lectures? No, everyone practises the craft at a bench with an instructor.
category=meeting: Agenda items will be discussed and put to the vote.
category=meeting: The members, convened by the chair to discuss the accounts, will also approve the minutes.
category=meeting: It serves neither training nor amusement; the team comes together to discuss its agenda.
category=party: Dancing and drinks are on offer until late at night.
category=party: The guests, invited to celebrate a birthday with the hosts, will find a buffet.
category=party: No business will be discussed, as everyone is coming purely to celebrate.
category=conference: Keynotes and panels in parallel sessions fill the programme.
category=conference: The researchers, presenting papers to colleagues from the whole field, meet for three days.
category=conference: What kind of gathering is it? Experts present their findings in sessions and panels.
category=concert: The orchestra will play two symphonies, with an interval between them.
category=concert: The choir has asked the audience not to clap between the movements.
category=concert: The support act goes on first, the band an hour later.
category=concert: A string quartet will perform works by Haydn.
category=concert: The soloist was given the score in March and will sing without it.
category=concert: Microphones and amplifiers are being set up for the singers.
category=workshop: Each participant takes home the piece made in the course of the day.
category=workshop: Tools are handed out, and an instructor corrects every participant's work.
category=workshop: Aprons should be worn, since all will be trying the technique for themselves.
category=workshop: Places are limited to {NUMBER}, so that the trainer can attend to every learner.
category=workshop: Beginners learn by doing, from the first exercise to the finished object.
category=workshop: Bring a laptop: the examples are to be worked through step by step with the tutor.
category=meeting: The minutes of the last session have to be approved before the first item.
category=meeting: A quorum of {NUMBER} members is needed for the vote on the budget.
category=meeting: The board will consult behind closed doors and record its decisions.
category=meeting: {OTHER} takes the chair, and each department gives a short report on its progress.
category=meeting: The project team comes together to settle open points and assign tasks.
category=meeting: The residents are to agree on the repair of the roof; motions may be tabled.
category=party: The hosts provide a cake with candles and ask for good spirits.
category=party: There will be a toast, a buffet and dancing, and no speeches at all.
category=party: The colleagues are celebrating {OTHER}'s farewell with sparkling wine.
category=party: Balloons and lanterns will decorate the room, and a DJ has been hired.
category=party: Fancy dress is welcome, and merriment is the sole purpose.
category=conference: The call for papers brought in {NUMBER} submissions, which a committee reviewed.
category=conference: Delegates may choose between parallel sessions, and a keynote opens each day.
category=conference: A volume of proceedings will be published by the society.
category=conference: Specialists of the field present their findings in lectures and on posters.
category=conference: The congress fee covers the lectures, the panel debates and the delegate's badge.
category=conference: Researchers from {NUMBER} universities will speak, and a panel closes the congress.
online=true: The access link will be e-mailed to all who register.
online=true: A stable connection and a headset are all that is required of participants.
online=true: Questions may be typed into the chat, and the moderator reads them out.
online=true: No travel expenses arise, because everyone follows it on a screen.
online=true: Those whose camera is switched off are asked to show their name in the window.
online=true: {organizer} has given up the hall in {NOT_city} and uses a video platform instead.
online=true: The virtual room opens ten minutes early so that sound can be tested.
online=true: {speakers} will be talking into a webcam, and the public watches by browser.
online=true: Attendance in person is not provided for; it is carried over the net.
online=false: Parking is scarce, so visitors are advised to come by tram.
online=false: Coats are to be left at the cloakroom on the ground floor.
online=false: The doors of {venue} open half an hour before the start, and seats are not numbered.
online=false: A ramp gives wheelchair users access to the room.
online=false: It will be neither streamed nor recorded, so only those on the spot will see it.
online=false: Refreshments are served in the foyer during the break.
online=false: Hotel rooms nearby have been reserved for guests who come from afar.
online=false: After two years of video calls, {organizer} wishes to see everyone face to face.
{NOT_venue} proved too small for {attendees} guests, and {venue} was engaged.
The tickets name {NOT_venue} in error; admission is at {venue}.
Last year {NOT_venue} was the setting, this year {venue} is.
{organizer} inspected {NOT_venue} and {venue} and signed the lease for the latter.
Since {NOT_venue} is being renovated, guests will be received at {venue}.
Visitors who go to {NOT_venue} will be directed on to {venue}, where it takes place.
The rehearsal is at {NOT_venue}, the event proper at {venue}.
Coaches stop at {NOT_venue}, from where it is a short walk to the doors of {venue}.
{venue} offered better terms than {NOT_venue} and was awarded the booking.
The reception afterwards is at {NOT_venue}; the programme itself is held in {venue}.
A flood made {NOT_venue} unusable, and {organizer} found shelter at {venue}.
Not {NOT_venue}, as the newspaper had it, but {venue} is where guests are expected.
The fire brigade closed {NOT_venue}, so the stage is being built at {venue}.
{speakers} asked for a quieter place than {NOT_venue} and were given {venue}.
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
{event} made it onto the fridge calendar[| for {date}|, underlined twice].
Tongues are wagging about {event}[| in {city}| since {organizer} took it on].
Sponsors were hard to find, yet {event} [goes ahead|will see the light of day][| on {date}].
Half the village is baking for {event}[|, due on {date}|, even the mayor].
A banner reading "{event}" [spans|hangs across] the main street[| of {city}].
Not long now until {event} [opens its doors|gets under way][| at {venue}|, {date}].
We couldn't make it to {NOT_event}, so we'll try {event}[| on {date}].
After {NOT_event} folded, {event} [filled the gap|sprang up in its stead].
{event} returns [after a long pause|by popular demand][|, this time to {city}|, run by {organizer}].
Volunteers wanted for {event}[|, {date}|; ask {organizer}]!
The council has [green-lit|given its blessing to] {event}[| at {venue}].
Who's up for {event}[| on {date}| in {city}]?
Rumour has it that {event} is [almost full|the highlight of the season][|, and {price} is a bargain].
Your application to take part in {event} has been [accepted|approved][|; be at {venue} by {time}].
A reporter of the local paper will cover {event}[| on {date}| for page {NUMBER}].
The countdown to {event} has begun[|: {date}, {time}].
{venue} is getting ready for {event}[|: floors waxed, lamps dusted].
{country} plays host to {event}[|, {date}|, {NOT_country} does next year].
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
The [picker|packer] went round with a trolley for {items}.
Our camp kitchen can't do without {items}, [hence|that's why] the order.
Unpacking on the kitchen table brought to light {items}.
{items}: those four walls of cardboard hold no more than that.
{OTHER} read out slowly, while I typed: {items}.
Before you tape it shut, check for {items}.
The contents, as declared to the [post|customs officer]: {items}.
The school fair is short of {items}; could your van [help out|come by]?
Scribbled on the back of an envelope, the order names {items}.
The basket at the checkout held {items}, [coming|amounting] to {price}.
{customer} crossed out everything else and kept {items}.
My mother's memo on the fridge [said|ran]: {items}.
Would you [kindly|please] round up {items} and put them by the back door?
Weighed and bagged for {customer}: {items}.
I was sure they'd want toys; what they wanted was {items}.
"{items}", it says under [contents|goods] on the delivery note.
The freezer bag was left empty, in the cardboard box went {items}.
Once {items} are in, the parcel is complete.
Stocktaking showed gaps, which {items} are to fill.
A robot arm picked {items} in {NUMBER} seconds.
Parcel {order_id} rattles a bit, no wonder with {items} in it.
To feed and equip the crew they requested {items}.
On top lies the bill, underneath come {items}.
The weekly run to {city} takes along {items}.
For the [move|renovation] they could use {items}, nothing fancy.
Tick, tick, tick: {items}, all accounted for.
I'd be [grateful|much obliged] if {items} could reach {address} by {delivery_date}.
The sum of {price} covers {items}.
What did {customer} put in the shopping cart? I can see {items}.
The intern got the job of collecting {items} from [various|different] shelves.
pls bag up: {items} - thx
In the last minute the list grew to {items}.
{customer} lives [far out|on an island] and has {items} brought over.
Voice message, transcribed: "Hi, same as in June, {items}, bye."
The positions on the slip, from top to bottom: {items}.
status=pending: The pickers are on strike, so the slip hangs untouched on its nail.
status=pending: Before anything moves, the [credit|fraud] department has to give the green light.
status=pending: We're short-staffed and will turn to this one after the holidays.
status=pending: The buyer's deposit hasn't come in, so we keep our hands off [the goods|it] for now.
status=pending: It has been entered in the system, and that is [as far as it got|all that was done].
status=pending: Neither packed nor cancelled, it [lingers|sits] in the tray marked "to do".
status=pending: Still waiting for the go-ahead from the buyer's [boss|office].
status=pending: There are {NUMBER} slips ahead of it, ours comes after them.
status=pending: Don't look out for the van, we haven't even [cut the cardboard|lifted a finger] for it.
status=pending: A question about the size is unanswered, until then the order [rests|stands still].
status=shipped: It changed trains at the freight yard in {NOT_city} and rolls on tonight.
status=shipped: Our loading bay waved it goodbye, the doorbell at the other end hasn't rung.
status=shipped: The tracking number came by mail, with the words "[your goods are travelling|off it goes]".
status=shipped: It sits in a snowed-in lorry on the motorway, halfway to the buyer.
status=shipped: Too late to change the address, the carrier took it [away|along] this morning.
status=shipped: No longer in our depot, not in the buyer's hands: a bicycle courier has it in the saddlebag.
status=shipped: The ferry with the goods aboard is due in port [at the weekend|tomorrow night].
status=shipped: [Underway|In transit], says the app, {NUMBER} stops to go.
status=shipped: We franked it and dropped it at the post office, so keep an ear out for the bell.
status=shipped: Its wheels are turning: the haulier collected the crate and heads [north|for {city}].
status=delivered: The receipt carries the buyer's scrawl, so our part is over.
status=delivered: The empty carton has already gone into the buyer's paper bin.
status=delivered: It landed on the welcome mat [in the rain|at dusk] and was carried inside.
status=delivered: The long voyage ended at the buyer's gate, where the dog greeted the courier.
status=delivered: {customer} confirmed on the phone that it's all there, down to the last screw.
status=delivered: The porter at reception accepted the box and took it up to the buyer's desk.
status=delivered: It is no longer on the road; the locker opened and the buyer has taken it out.
status=delivered: The buyer has it! The photo of the unwrapped goods reached us just now.
status=delivered: Our driver carried it up to the third floor and was tipped for it.
status=cancelled: The buyer got cold feet, and we put everything back on the racks.
status=cancelled: It will never leave our house, as the buyer revoked it within the legal period.
status=cancelled: A red line runs across the slip, with "[void|null and void]" beside it.
status=cancelled: The card was declined three times, whereupon the system binned the order.
status=cancelled: On second thoughts they do without, and we've deleted the booking.
status=cancelled: The driver was called back at the gate: [nobody wants the goods now|the buyer has bailed out].
status=cancelled: It won't be packed and it won't be sent, the buyer has scrapped the plan.
status=cancelled: A double click created it by accident, so at the buyer's request we rubbed it out.
status=cancelled: The wedding isn't happening, and with it the order was dropped.
status=cancelled: We regret the loss of this sale: withdrawn, refunded, filed under "abandoned".
gift=true: {OTHER} will blow out candles on Friday and mustn't [see|find] the invoice.
gift=true: Red paper, a bow and a card with "[All the best|Many happy returns]", please.
gift=true: The buyer isn't the one who will use it; it is to surprise {OTHER}.
gift=true: Kindly remove the price tag, it's going under the Christmas tree.
gift=true: Mum's the word: {OTHER} must not learn about it before the anniversary.
gift=true: The colleagues chipped in for it, to say farewell to {OTHER}.
gift=true: We slipped in a greeting card with a poem, as the buyer had asked.
gift=true: For the newlyweds, with love from the whole [choir|street].
gift=true: It will be handed over with flowers at [the retirement do|the christening].
gift=true: No advertising in the carton, please: the godchild should find only the thing and the ribbon.
gift=true: A thank-you to {OTHER}, who watered the plants all summer.
gift=true: At the checkout the box "wrap it festively" was [ticked|chosen].
gift=true: The buyer pays, but it's granddad who is going to [unwrap|open] it on his big day.
gift=true: Meant to bring joy to somebody else, so [fancy|shiny] paper instead of plain brown.
gift=true: They're off to a housewarming and won't [turn up|come] empty-handed: this goes with them.
gift=true: Not for the buyer's own shelf, but for Valentine's Day.
gift=true: Secret Santa drew {OTHER}, and this is what the buyer came up with.
gift=true: Please enclose the lines "To the best aunt in the world".
gift=true: As a token of thanks the firm is giving it to its oldest client.
gift=false: Skip the bow, the buyer [needs it himself|will use it at work].
gift=false: Nobody's birthday is near; the old one at home simply broke.
gift=false: The buyer treats [herself|himself] to it after a hard year.
gift=false: Plain brown paper will do, it's for the buyer's own [workshop|kitchen].
gift=false: The greeting-card field was left blank, as it's meant for daily use in the buyer's office.
gift=false: I'm not giving it to anybody, I want to keep it.
gift=false: "A surprise for someone?" - "Oh no, all mine," laughed the buyer.
gift=false: It replaces the buyer's own worn-out one, so leave the price on.
gift=false: The wrapping service was offered and turned down: private use.
gift=false: It was first thought of for {OTHER}'s jubilee, now the buyer keeps it.
gift=false: Ribbons cost extra and would be silly here, it's a purchase for the canteen.
gift=false: The company buys it for its own stores; [hearts and stars|golden bows] would look odd.
gift=false: No occasion, no surprise, no card: restocking of the buyer's own cupboard.
gift=false: The order is a [spare|reserve] for the buyer's own household.
gift=false: Invoice in the box? By all means, the one who opens it is the one who paid.
gift=false: Nothing to hide from anyone, the person who clicked is the one who'll wear it out.
gift=false: {OTHER} was given a voucher; this order, though, the buyer placed for personal needs.
gift=false: Festive foil? A waste, the buyer will rip it open and put it to work.
gift=false: wrap: none (self-use)
The flag beside the address on the screen is that of {country}.
Import duties apply, as the parcel enters {country}.
{customer} has emigrated from {NOT_country} and now receives post in {country}.
It crosses {NOT_country} by rail and is unloaded in {country}.
Our [agent|partner] in {country} handles the last miles to the buyer.
You'd have guessed {NOT_country} from the surname, the buyer lives in {country}, though.
Stamps for {country} are [dearer|pricier] than for {NOT_country}, mind the postage.
Clerk's query: is {city} in {NOT_country}? Reply: in {country}.
Even in the remotest valley of {country} people order from us, as this slip shows.
The carrier doesn't serve {NOT_country}; luckily this box is bound for {country}.
The plug must fit the sockets of {country}, where it's going.
Our very first order out of {country}, [hurrah|a reason to celebrate]!
Please use the customs sheet for {country}, I [put|laid] it on the box.
VAT is charged at the rate of {country}, the buyer's home.
Made in {NOT_country}, needed in {country}.
The holiday in {country} on Monday means nobody at the buyer's can sign.
The phone prefix gives it away: the buyer sits in {country}.
Last line on the label, in capitals: {country}.
It was misrouted to {NOT_country} at first, but {country} is where it must end up.
From our depot to {country} a lorry needs {NUMBER} hours.
The instructions should be in the language spoken in {country}, the buyer reads no other.
{city} lies in the [south|west] of {country}, so allow for a few more days.
Once over the border into {country}, the local post takes care of it.
The billing office may be in {NOT_country}, the goods themselves are for {country}.
Greetings to {country}, [we hope it's sunny there|where this box will be opened]!
An export paper is required, [because|since] {country} asks for one.
{customer} writes to us all the way from {country}.
{postal_code} {city} / {country} / {phone}
The buyer moved house: struck out is {NOT_country}, written above it {country}.
Air freight to {country} [adds|comes to] {shipping_cost}.
Our shop opened up to {country} in May and here's a buyer from there.
Distance is no object: {country}, via two ports.
Neither {NOT_country} nor any other place than {country} is the destination.
We translated the bill for the recipient, who is at home in {country}.
The account it will be charged to belongs to {customer}.
{OTHER} merely typed it in; the one who wanted it was {customer}.
We've had {customer} in our files for years, and this is order number {NUMBER} from there.
Signature under the slip: {customer}.
Questions about the bill should be put to {customer}, who commissioned all this.
The sales rep shook hands on it with {customer}.
{NOT_customer} asked for a quote, yet it was {customer} that went ahead and ordered.
My colleague filed it under {NOT_customer}; in fact the slip comes from {customer}.
Send the reminder to {customer}, they owe us {price} for this.
{customer} haggled a little and in the end got {discount}% off.
With a click at midnight {customer} sealed the purchase.
Loyal as ever, {customer} has come back for more.
The name on the [doorbell|letter box] reads {customer}, ring there.
Billed to: {customer}. Carried by: {OTHER}.
{customer} would rather pick it up than have it brought.
Thanks to {customer} for [the trust|choosing us], the order is in good hands.
In our ledger the entry stands in the column of {customer}.
Not {NOT_customer}, as the first print had it: {customer} foots the bill.
{OTHER} from our shop advised {customer} before the purchase.
The parcel must be given to nobody but {customer}.
{customer} left us {phone} in case the courier gets lost.
Newcomer among our buyers: {customer}, [welcome|found us through a friend].
{customer} was torn for a week, then put the order through on {order_date}.
The client is {customer}; {NOT_customer} is just the neighbour who takes parcels in.
Whom do we have to thank for this order? {customer}, no less.
{customer} forgot the house number, we looked it up: {address}.
"Can I still add something?" {customer} inquired after placing the order.
Log entry: user {customer} completed the checkout.
It was {customer} again, [the one|our regular] with the many questions.
attn. {customer}, {address}, {postal_code} {city}
By settling in advance {customer} saved the {payment_method} fee.
{customer} discovered us at a fair in {NOT_city} and has now become a buyer.
Mix-up solved: the slip of {NOT_customer} was another one, this is {customer}'s.
Confirmations go to {email}, the mailbox of {customer}.
The {NOT_product} was too bulky for {customer}, so the {product} was put on the slip.
Under the bubble wrap you will find the {product}.
{customer} was dead set on the {product} and would hear of nothing else.
The {product} must travel upright, arrows on the carton show how.
It was switched over the phone: out went the {NOT_product}, in came the {product}.
A bigger carton had to be found for the {product}.
Money for the {product} was set aside [long ago|in the budget].
Line one of the slip reads "{quantity} x {product}", line two is blank.
The {product} tempted {customer} more than the {NOT_product} did.
What was keyed in as {NOT_product} should have been {product}, and we put it right.
There goes another {product}, the bestseller of our shop.
{OTHER} asked what the buyer was getting; I answered, the {product}.
For {price} the {product} changes hands.
The bill and a manual for the {product} go in the same box.
{product}, yes; {NOT_product}, no: that's how the buyer decided.
The crate is lighter than expected, but {items} are all inside.
For the village shop {customer} had us put together {items}.
Whatever else was on the wish list, {items} made it into the order.
status=delivered: The courier ticked it off as done, after the buyer had taken the goods from his arms.
We hereby confirm to {customer} that the {product} will be forwarded to an address in {city}.
The consignment for {customer} contains {items} and is bound for {country}.
status=pending: {customer} has been informed that the {product} is awaiting release by the credit department.
status=shipped: The {product} for {customer} was handed to the carrier this morning and is due to cross into {country}.
status=delivered: According to the consignment note, {customer} took receipt of the {product} at the {city} premises.
status=cancelled: At the request of {customer} we have withdrawn the order for the {product} and released the goods.
gift=true: The {product} was bought by {customer} for a colleague who is retiring.
gift=false: The {product} is for the own use of {customer}, so the price list may stay in the parcel.
{customer} had first asked about the {NOT_product} but then placed an order for the {product}.
The waybill shows {city} as the place of unloading, in {country}, with {customer} as consignee.
{customer} moved its warehouse from {NOT_city} to {city}, so the goods are routed there.
The sales order names {customer} of {city} as purchaser; {NOT_customer} merely passed on our catalogue.
Line one of the order confirmation reads {product}, and the ship-to country is {country}.
status=pending: Production of the {product} has not been completed, and {customer} was asked for patience.
status=shipped: The forwarder collected {items} from our dock last night and is under way to {city}.
status=delivered: {items} arrived complete in {city}, as the goods-in clerk certified by stamp.
status=cancelled: Since {customer} exercised the right of withdrawal, nothing will leave for {city}.
gift=true: {customer} asked us to pack {items} festively and to omit all prices.
gift=false: Being a routine replenishment for {customer}, {items} will be packed in plain cartons.
The {product} was ordered from {country}; customs papers have been made out to {customer}.
Instead of the {NOT_product}, which has been discontinued, {customer} accepted the {product}.
According to the order sheet, {items} are destined for the branch in {city}, not for {NOT_city}.
{customer} of {city} has called off another lot from the framework contract, namely {items}.
status=pending: Before anything can be dispatched to {country}, the export licence for the {product} must be granted.
status=shipped: {customer} received the tracking link for the {product}, which is with the courier.
status=delivered: The driver reports that {customer} unpacked the {product} in his presence and had no complaints.
status=cancelled: Owing to the embargo on {country}, we had to annul the sale of the {product}.
gift=true: The recipient in {city} knows nothing yet of what {customer} has bought for the anniversary.
gift=false: {customer} ticked "no wrapping" and will use the {product} in the workshop.
Our agent in {NOT_country} brokered the deal, while the buyer, {customer}, is based in {country}.
The packing list for {customer} comprises {items}; please check it against the contents.
With this purchase {customer} replaces the worn-out {NOT_product} by a {product}.
Sales recorded a request from {city} concerning the {product}, submitted in the name of {customer}.
status=pending: We are still waiting for {customer} to choose a date before we dispatch {items}.
status=shipped: The container holding the {product} left port on Monday and should reach {country} next week.
status=delivered: The {product} is in operation at the {city} plant, after a smooth handover to {customer}.
status=cancelled: {customer} no longer needs the {product}, having found one in {NOT_city}, and called everything off.
gift=true: On the occasion of the jubilee, the {product} will be presented with the compliments of {customer}.
The city stated in the order form, {NOT_city}, was a typing error by {customer}, who is located in {city}.
{items} were ordered by telephone, and {customer} confirmed them by mail an hour later.
Customs in {country} require a description of the goods, so we wrote "{product}".
status=pending: {items} have been reserved for {customer}, but the go-ahead from purchasing is missing.
status=shipped: As of today {items} are on the lorry to {city}, and {customer} has been notified.
status=delivered: {customer} thanked us for the punctual arrival of {items} in {country}.
status=cancelled: {items} went back on the shelf when {customer} revoked the purchase.
{OTHER} recorded {NOT_items}; the list that {customer} signed says {items}.
The {product} ordered by {customer} falls under a tariff exemption in {country}.
{NOT_customer} inherited the old account number, and the order for the {product} is in fact from {customer}.
gift=true: Please send the {product} to {city} with a bow around it, as it is meant to surprise a nephew.
gift=false: Neither ribbon nor card was requested, since {customer} equips an office in {city} with {items}.
As agreed with {customer}, part of the goods, to wit {items}, will be sent ahead.
The freight quote covers the leg to {city} in {country}, but not the onward trip to {NOT_city}.
status=pending: The stock of the {product} must be replenished before the lot for {city} can go out.
status=shipped: Having left our premises, the {product} is now in the care of the carrier for {city}.
status=delivered: Proof of receipt for the {product}, signed in {city}, is attached for your files.
status=cancelled: The contract for {items} was dissolved by mutual consent, so {country} drops off the route plan.
{customer} has an import agent in {NOT_country}, though the {product} itself goes straight to {country}.
The committee approved the purchase of {items} and named {city} as the point of delivery.
The {product} is to be billed to {customer} and installed in {city} by our fitters.
Complaint no. {NUMBER} concerned the {NOT_product} of {NOT_customer} and has no bearing on the {product} of {customer}.
status=shipped: We dispatched the {product} from the {NOT_city} depot, and it is rolling towards {city}.
status=delivered: Contrary to what {NOT_customer} was told, the {product} has been with {customer} for two days.
status=pending: {customer} swapped the {NOT_product} for the {product}, which the warehouse has yet to pick.
gift=false: {customer} pays for the {product} out of the maintenance budget and keeps it.
gift=true: {customer} is donating {items} to a school in {city} as a present.
According to the purchase contract with {customer}, {country} is where title to the {product} passes.
Replying to your enquiry from {city}, we note the purchase of {items}.
{customer} added to the basket {items}, and deleted {NOT_items}.
The goods originate in {NOT_country}, are bought by {customer} and will be used in {country}.
status=cancelled: The {product} had been earmarked for {customer}, but the deal fell through.
{product} is the article entered on the first line of the form.
A {product} was what the caller finally decided to buy.
The {product}, chosen after a long comparison, was the only thing put in the basket.
The {product}, not the {NOT_product}, is to be taken from the shelf for this sale.
It was a {product} that the buyer pointed out in the catalogue and asked us to supply.
The request for a {product} was recorded by {OTHER} at the sales desk.
The pick slip, on which {product} is printed in bold, hangs at bay {NUMBER}.
Having tried out a {product} at a trade fair, the buyer placed this order for the same model.
What was purchased? Our file contains the answer: a {product}.
The article quoted first was the {NOT_product}, but the binding order is for the {product}.
The goods that the buyer selected bear the designation {product}.
We had understood {NOT_product}; on enquiry the buyer repeated the word {product}.
{items} were put on the trolley, in accordance with the pick list.
{items}: this is what the buyer has asked us to supply.
{items}, all taken from the current range, were requested in one call.
{items}, instead of {NOT_items}, belong in the carton.
It is {items} that this order is made up of.
The request, which covers {items}, was entered by {OTHER}.
Having ticked {items} on the sheet, the buyer signed at the bottom.
The goods, that is {items}, fit into box size {NUMBER}.
What are we to put together? According to the slip, {items}.
The list sent yesterday with {NOT_items} is void and has been replaced by {items}.
The articles bought under this number are as follows: {items}.
{OTHER} is responsible for checking that the carton really holds {items}.
{customer} is the party that signed the order form.
{customer} has agreed to our terms of sale by placing this order.
{customer}, whose account was opened last year, is buying from us again.
{customer}, not {NOT_customer}, concluded the purchase.
It was {customer} who rang the sales desk and made the purchase.
An order placed by {customer} reached us through the web shop.
The goods were bought by {customer}, although {OTHER} made the call.
The purchaser, {customer}, has been sent a confirmation.
For whom is the consignment intended? It was ordered by {customer}.
The account charged at first was that of {NOT_customer}; the actual purchaser is {customer}.
The contract of sale was concluded between ourselves and {customer}.
We owe this order to a recommendation that {OTHER} made to {customer}.
status=pending: Not yet processed: that is the note [beside it|in the file].
status=pending: The order, which no clerk has dealt with so far, is queued behind {NUMBER} others.
status=pending: Although all the papers are complete, work on this order has still to begin.
status=shipped: Dispatched this morning, it [will take|needs] two more days to reach the buyer.
status=shipped: The consignment, handed to the carrier last night, has not arrived yet.
status=shipped: Is it still in our warehouse? No, it has left and is now in transit.
status=delivered: Received in good order, [wrote|noted] the buyer on the carrier's sheet.
status=delivered: The consignment, which was on the road all week, has been handed over to the recipient.
status=delivered: It is not in transit any more; the recipient has signed for its arrival.
status=cancelled: Revoked by the buyer, it will be neither packed nor sent.
status=cancelled: The order, from which the buyer has withdrawn, [was taken|has been removed] off the schedule.
status=cancelled: It was not postponed, as first noted, but called off for good.
gift=true: A present is what the buyer intends it to be.
gift=true: Wrapped as a present, it is to be sent straight to {OTHER}.
gift=true: The goods, which the buyer is giving to {OTHER}, must not carry a price tag.
gift=true: Is the buyer keeping it? No, it is meant as a present.
gift=true: The note enclosed at the buyer's wish reads "for your birthday".
gift=false: Bought for the buyer's own use, it needs only a plain carton.
gift=false: No present is involved, the buyer confirmed when asked.
gift=false: The purchase, made by the buyer for personal use, goes out in ordinary packaging.
gift=false: It was not bought as a present but to replace the buyer's own broken one.
gift=false: Asked whether it should be wrapped for somebody else, the buyer said it was for own use.
priority=low: Least urgent of all, it may be dealt with when nothing else remains.
priority=low: The order, for which the buyer sets no deadline, should yield to every other.
priority=low: It was marked urgent by mistake; in truth there is no hurry whatsoever.
priority=low: When is it needed? Whenever convenient, and other orders come first.
priority=medium: Neither urgent nor negligible, it takes its regular turn.
priority=medium: The order, ranked in the middle category, is handled within the usual period.
priority=medium: How urgent is it? Moderately so, was the answer from the sales desk.
priority=medium: It was moved down from the urgent ones, though not to the bottom, so it ranks in between.
priority=high: Extremely urgent is the remark that {OTHER} has added.
priority=high: The order, which must precede all others, goes to the packing table immediately.
priority=high: It was first classed as routine, but this has been corrected to most urgent.
priority=high: Can it wait until next week? No, it has to be dealt with before anything else.
status=pending: Nobody has assigned a picker to it, and the goods are still on our racks.
status=pending: The fraud check has to be completed before the warehouse may touch it.
status=pending: It waits in the queue until the missing part arrives from the supplier.
status=pending: We have confirmed receipt of the order, but no parcel has been made up.
status=pending: The buyer may change the address, as nothing has been packed or labelled so far.
status=pending: Processing is to begin on the next working day.
status=pending: The printing of the label has been put off until the colour is agreed.
status=shipped: It has passed the sorting centre in {NOT_city} and is two stops from the buyer.
status=shipped: The freight forwarder has custody of it and expects to unload at the end of the week.
status=shipped: The address can no longer be altered, because the parcel has left our premises and is under way.
status=shipped: The vessel sailed with it on board and has not yet reached port.
status=shipped: Our warehouse has booked it out, the recipient has yet to see it.
status=shipped: Customs is inspecting the parcel halfway along its journey.
status=shipped: A consignment number was issued at dispatch, by which its progress can be followed.
status=delivered: A neighbour signed for it and passed it on to {customer} the same evening.
status=delivered: The carrier's record ends with a photograph of the parcel on the buyer's doorstep.
status=delivered: {customer} has rated the article after a week of use.
status=delivered: The period for returns has started to run, as the goods are in the buyer's hands.
status=delivered: The pallet was unloaded at {address} and the empty one taken back.
status=delivered: The journey is over: the recipient's signature is on file.
status=delivered: It reached its destination a day ahead of schedule.
status=cancelled: The contract was rescinded, and a full refund has been issued.
status=cancelled: {customer} withdrew from the purchase before anything had been sent.
status=cancelled: The goods went back onto our shelves, since the sale will not take place.
status=cancelled: The supplier discontinued the article, so we were obliged to void the order.
status=cancelled: Having found it cheaper elsewhere, the buyer called the purchase off.
status=cancelled: The deposit never came, after which the system dropped the order altogether.
status=cancelled: By mutual agreement the transaction was terminated, and no delivery will follow.
gift=true: The delivery note omits the amounts, as the recipient is being honoured for {NUMBER} years of service.
gift=true: A greeting card in {customer}'s handwriting is to be laid on top for {OTHER}.
gift=true: The parents will unpack it on their golden wedding, at their children's expense.
gift=true: {customer} requested wrapping paper with stars and a bow.
gift=true: {OTHER} has no idea that {customer} bought it in honour of the new baby.
gift=false: {customer} needs it at work and wants the receipt enclosed.
gift=false: The box for wrapping paper and greeting card was left blank, the buyer being the user.
gift=false: It replaces a worn-out one in the buyer's own kitchen.
gift=false: Payer and user are the same person, and a neutral carton will do.
priority=high: Production stands still at the buyer's until it arrives, so drop whatever else you are doing.
priority=high: The courier is to be called out of hours if necessary, no delay is tolerable.
priority=high: Management has asked that it be served before all others.
priority=high: A red sticker with "rush" was put on the file.
priority=medium: It should be dealt with in the usual order, neither pushed forward nor set aside.
priority=medium: The standard lead time is acceptable to {customer}, an extension is not.
priority=medium: On the three-step scale for urgency the clerk ticked the middle box.
priority=medium: Some orders must overtake it, others must wait for it.
priority=low: {customer} is abroad until the summer and has asked us to take all the time we need.
priority=low: Should capacity be short, this is the first order to be postponed.
priority=low: It serves as a filler for quiet days in the warehouse.
payment_method=cash: The driver collects banknotes at the door and carries change.
payment_method=cash: {customer} wishes to count out the sum in notes and coins.
payment_method=card: The terminal asked for the PIN, and {customer} entered it.
payment_method=card: The expiry date and the three digits on the back were checked by the issuer.
payment_method=paypal: {customer} was redirected to PayPal and confirmed the sum there.
payment_method=paypal: Buyer protection by PayPal applies, since the money goes through it.
payment_method=transfer: Our IBAN was given to {customer}, whose bank is to wire the sum.
{customer} first put {NOT_items} in the basket, but removed them in favour of {items}.
The picker took {NOT_items} off the shelf by mistake, and exchanged them for {items}, as ordered.
{NOT_items} belong to another consignment; this one consists of {items}.
The quotation still listed {NOT_items}, the binding order lists {items}.
In place of {NOT_items}, which were unavailable, the buyer chose {items}.
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
Dear team, our shelves lack {items}; kindly see to it.
{customer} rang at nine and reeled off {items}.
Today's first slip, in a shaky hand: {items}, for {customer}.
Hi, it's {customer}. Could {items} be at our place by {delivery_date}?
An order from {country}: {customer}, {quantity} x {product}.
All the way to {country} goes the {product} that {customer} ordered.
{customer} has finally decided: {quantity} x {product}.
Good morning {customer}, this is about the {product} you bought from us.
A letter from {customer} arrived, requesting {items}.
File {order_id}, buyer {customer}[|, {city}], contents {items}.
A {product}, please, to be brought to {address}[| in {city}| by {delivery_date}].
The {product} ordered on {order_date} keeps us busy.
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
The stockist that let us have the goods on credit is {vendor}.
Cheques should bear the name {vendor}[|, never {NOT_vendor}].
{vendor} [hopes to do|looks forward to doing] business with {customer} again.
The watermark on the paper shows the crest of {vendor}, the seller.
After haggling with {NOT_vendor} to no avail we were served by {vendor}.
The tax number printed on it was assigned to {vendor} as the supplier.
A salesman of {vendor} talked us into it, and his firm's claim is {amount}.
{vendor} outbid {NOT_vendor} and thus got to deliver.
The account that will be credited is in the name of {vendor}.
For returns and complaints, {vendor}, where the stuff was bought, has a counter in {city}.
{vendor} sent its own driver with {items} and its own bill right after.
Proprietor and issuer: {vendor}; carrier: {NOT_vendor}.
{vendor} retains title to the goods until we have paid for them.
The earnings go into the cash box of {vendor}.
Nobody undercuts {vendor}, so we shop there, and this is what it charges.
Signed on behalf of {vendor} by {OTHER}, bookkeeper.
The brochure was from {NOT_vendor}, the actual sale was made by {vendor}.
{vendor} gave a guarantee on the {product} it sold us.
Should you need a duplicate, {vendor} can print another from its files.
Our dealings with {vendor} go back {NUMBER} years, and it's they who want the money here.
The one who has to dig deep is {customer}.
{OTHER} picked the things up, though the cost is borne by {customer}.
{customer} placed the order by phone and agreed to the price.
The account to be debited belongs to {customer}.
We charged {NOT_customer} by mistake; it's {customer} who bought the lot.
A loyal buyer like {customer} gets {discount}% knocked off.
{customer} would like a copy for the tax adviser, having to deduct the expense.
The shop assistant remembers {customer} carrying {items} to the till.
The van unloaded at {address}, the home of {customer}, our client.
{NOT_customer} shares the office, but the purchase was made by {customer} alone.
Should {customer} have moved, please forward the bill.
{customer} haggled hard and got us down to {amount}.
In the field "sold to" somebody typed {customer}.
{vendor} opened a credit line for {customer}, against which this is booked.
{customer} queried the tax of {tax}, as buyers may.
It lands on the desk of {customer}, whose cost it is.
The budget of {customer} shrinks by {amount} through it.
Name of the purchaser: not {NOT_customer}, who cancelled, but {customer}.
{customer} walked in, bought {items}, and asked to be billed later.
We know {customer} as a picky client, so check each line twice.
The scanner at the till beeped for {items}.
{NOT_items} were out of stock and fell off the bill, leaving {items}.
The stockroom parted with {items} on your behalf.
We wheeled {items} to your car, remember?
{items} account for the whole {amount}.
If you strike {NOT_items}, entered in error, you are left with {items}.
You signed for {items}, unbroken and complete.
Each of the following was charged at list price: {items}.
The auditors asked for proof that {items} had really been bought.
Somebody in the office had a craving, hence {items} on the company's bill.
Delivery of {items} was free, the goods themselves weren't.
What did we get for {amount}? Why, {items}.
{vendor} threw in a calendar, otherwise it's {items} that we owe for.
The columns on the left name {items}, those on the right say what they cost.
{customer} went through {items} in a week and is only now being charged.
Forget {NOT_items}, they're on another sheet; here we are dealing with {items}.
All told, {items} set {customer} back {amount}.
A carton with {items} was handed over at the loading dock, and is herewith charged.
Restocking the cupboard took {items}.
The customs form describes the billed goods as {items}.
I doubt we needed {items}, yet there they are in black and white with prices.
charged to your account: {items}, nothing besides
paid=true: {customer} owes us nothing now but a visit.
paid=true: The collection agency was called off, since the funds had come.
paid=true: File it with the closed ones, the last instalment has come in.
paid=true: Our bank pinged us: {amount} credited, sender {customer}.
paid=true: The ledger shows a tick and a balance of nought.
paid=true: {vendor} sent a thank-you card once the sum was on its account.
paid=true: No further action needed, the cheque cleared.
paid=true: {customer} handed over every cent, even before being asked.
paid=true: You can tear up the payment slip, {OTHER} took care of the sum for us all.
paid=true: Whoever sends another demand makes a fool of himself: we hold the receipt.
paid=true: The debt was discharged in one go, interest never came into it.
paid=true: The treasurer has wired it, and {vendor} acknowledged receipt.
paid=false: The bailiff may have to knock at the door of {customer}.
paid=false: {vendor} checks the account each morning and sighs.
paid=false: Somebody forgot to authorise the transfer, so the seller is out of pocket.
paid=false: {customer} keeps saying the cheque is in the post, but we know better.
paid=false: The sum has yet to leave our account.
paid=false: The buyer's silence leaves us {amount} short.
paid=false: Friendly as we are, we can't wait for our money till doomsday.
paid=false: {due_date} came and went without a transfer.
paid=false: An extension was granted, so for the time being {customer} is still in our debt.
paid=false: Next to it on the list there's a question mark where the date of receipt should be.
paid=false: Interest will be charged from now on, unless the arrears are cleared.
paid=false: Nobody has coughed up for {items} to this day.
paid=false: I'll see to the transfer as soon as my wages are in, not before.
{vendor} hereby charges {customer} for the supply of {items}.
paid=true: {customer} settled the account with {vendor} by the agreed deadline, and the file has been closed.
paid=false: {vendor} has sent {customer} a second reminder, since no funds have come in.
The seller, {vendor}, has its registered office in {city} and supplied the {product}.
The document is addressed to {customer} in {city}; an earlier version with {NOT_city} was withdrawn.
{vendor} took over the business of {NOT_vendor} and now bills {customer} directly.
paid=true: For the {product} {vendor} has received the full sum, and a receipt has been issued.
paid=false: The charge for the {product} remains open in the ledger of {vendor}.
{customer} ordered {items} in the spring, and {vendor} bills them in a lump sum.
Between {vendor} as supplier and {customer} as purchaser the following was agreed for the {product}.
The {product} was originally offered by {NOT_vendor}, yet {customer} gave the contract to {vendor}.
The accountant in {city} booked the {product} under office equipment, creditor {vendor}.
paid=true: The bank statement of {customer} shows the debit for {items}.
paid=false: {customer} disputes the charge for {items} and is withholding the money.
{items} were delivered to {customer}, not to {NOT_customer}, whose name appears on the crate.
The tax number of {vendor} was issued in {city}, where the company keeps its books.
On behalf of {vendor}, we ask {customer} to verify the line for the {product}.
paid=true: {vendor} confirms that {customer} has no outstanding balance.
paid=false: As long as {customer} has not transferred the money, the {product} remains the property of {vendor}.
{customer} had requested {NOT_items}, but what {vendor} supplied and charges is {items}.
The letterhead gives {vendor}, {city}, and the address window {customer}.
The {product} listed here replaces the {NOT_product} that {vendor} had quoted.
paid=true: The dunning procedure against {customer} was dropped once the money for the {product} had reached us.
paid=false: The funds that {customer} had promised for {items} failed to arrive in {city}.
The purchase of {items} was approved by the manager of {customer}, and {vendor} delivered within the week.
{vendor} invoiced {NOT_customer} by mistake and reissued the document in the name of {customer}.
The cost centre of {customer} in {city} bears the expense of {items}.
paid=true: {customer} had the sum remitted to {vendor} the day the goods came in.
paid=false: Payment by {customer} is expected but not in evidence on the account kept in {city}.
As supplier of the {product}, {vendor} grants {customer} the usual terms.
{vendor} gave up its premises in {NOT_city} and now sends out its bills from {city}.
The quotation by {NOT_vendor} was too high, so {items} were bought from {vendor}.
Services rendered to {customer} in {city}: installation of the {product}.
paid=true: Thanks to the prompt remittance by {customer}, {vendor} could strike the {product} off the open list.
paid=false: The liability towards {vendor} for {items} is carried over into the new year.
The audit found that {vendor} had supplied {items} as ordered.
Please note that the party liable is {customer}, whereas {NOT_customer} only received the {product}.
In the matter {vendor} versus {customer}, the claim concerns the {product}.
paid=true: Both {customer} and {vendor} regard the business as concluded, the money having changed hands.
paid=false: {vendor} granted {customer} a respite, so the money will come later.
The {NOT_product} was returned, hence the invoice to {customer} mentions only the {product}.
The consumer, {customer}, acquired the {product} at the {city} outlet.
Goods and supplier as per delivery note: {items}; {vendor}.
paid=true: The clerk in {city} stamped the sheet for {customer} "settled with thanks".
paid=false: The direct debit from the account of {customer} was returned, and {vendor} is still out of its money.
{customer} changed suppliers last year, from {NOT_vendor} to {vendor}.
{vendor} attaches the certificate of origin for the {product}, as {customer} had asked.
Our subsidiary in {NOT_city} is not affected; the bill concerns {customer} in {city}.
By order of {customer}, {vendor} carried {items} to the building site.
paid=true: The deposit box of {vendor} holds the cheque of {customer}, which has been cleared.
paid=false: {customer} referred the bill to its head office in {city}, where it awaits clearance for payment.
The warranty claim is to be addressed to {vendor}, from whom {customer} obtained the {product}.
{items} were itemised separately, since {customer} passes the cost on to a tenant in {city}.
The supplier code formerly held by {NOT_vendor} now stands for {vendor}, based in {city}.
We, {vendor}, supplied {customer} under the framework agreement of last year.
paid=true: The sum for {items} was credited to {vendor}, so the lien has been released.
paid=false: The cash-flow report of {vendor} lists {customer} among the debtors in arrears.
As can be seen from the enclosure, {customer} obtained {items}, and {NOT_items} were credited back.
The forwarding address in {city} was supplied by {customer} when buying the {product}.
{OTHER} of {vendor} negotiated the sale of the {product}.
paid=true: After {NOT_customer} had been charged in error, the correct party, {customer}, discharged the debt.
paid=false: {NOT_customer} has remitted its share, whereas {customer} has let the deadline pass.
{vendor} closed the deal with the purchasing office of {customer} in {city}.
The minutes record that the {product} was procured from {vendor} after {NOT_vendor} had withdrawn its bid.
Enclosed please find our statement concerning {items}, with kind regards from {vendor}.
paid=false: The lawyers of {vendor} in {city} have been instructed to collect the debt.
paid=true: {customer} need take no action over the {product}, as the money was received in advance.
The beneficiary of the transfer is {vendor}, and the purpose reads "{product}".
The order was signed in {NOT_city}, but the recipient of the bill, {customer}, resides in {city}.
{NOT_vendor} acted as a carrier, while {vendor} sold {items} to {customer}.
{vendor} is the creditor named in the heading.
{vendor} issued this bill and vouches for its accuracy.
{vendor}, from whom the goods were obtained, made out the document.
{vendor}, and not {NOT_vendor}, is entitled to the money.
{vendor}: so reads the company stamp at the foot of the page.
It was {vendor} that supplied the goods and is now billing for them.
The claim raised by {vendor} was entered in the books under no. {NUMBER}.
Drawn up by {vendor} in duplicate, the bill arrived by registered post.
The supplier, {vendor}, has attached its terms of payment.
The logo of {vendor}, printed in the top corner, shows where the bill comes from.
Who is charging for this? The letterhead says {vendor}.
The goods were not purchased from {NOT_vendor}, as the ledger has it, but from {vendor}.
The firm to which the money is owed is {vendor}.
{OTHER} in accounts confirmed that the bill had been written by {vendor}.
{customer} is the debtor according to the address field.
{customer} has to bear the cost set out below.
{customer}, to whom the goods were supplied, is charged accordingly.
{customer}, rather than {NOT_customer}, is liable for this bill.
{customer}: to this party the bill was sent.
It is {customer} from whom the money is to be collected.
The bill was made out to {customer} at the request of {OTHER}.
Charged to {customer} under the framework agreement, the goods were taken without complaint.
The buyer, {customer}, is kindly asked to check every line.
The duty of {customer} to pay arises on receipt of the goods.
Who received the goods and is billed for them? The answer is {customer}.
The bill had been addressed to {NOT_customer} and was corrected to read {customer}.
The person or firm that owes the sum shown here is {customer}.
{OTHER} merely forwarded the letter; the bill itself concerns {customer}.
{tax} is the share that has to be passed on to the revenue office.
{tax} was added as value added tax, as the law prescribes.
{tax}, which the treasury receives, is shown on a separate line.
{tax} may be reclaimed as input tax.
{tax} in VAT had to be charged on top of the net value.
It is {tax} that the seller remits to the fiscal authorities.
The VAT, {tax} at the statutory rate, was computed by {OTHER}.
Having charged {tax} in sales tax, the seller declares it at the end of the quarter.
The levy of {tax} that the state imposes on this sale was calculated automatically.
As turnover tax {tax} was withheld and reported to the authorities.
How much of it goes to the treasury? Exactly {tax}.
The fiscal duty on the goods was calculated as {tax}.
The portion of the total that constitutes value added tax equals {tax}.
Under the line "VAT" the bookkeeper entered {tax}.
paid=true: Settled in full, the bill was filed under no. {NUMBER}.
paid=true: Nothing is outstanding, according to the latest balance.
paid=true: The claim, which was met on time, has been struck from the list of open items.
paid=true: The sum, received in our account yesterday, matches the bill exactly.
paid=true: Does the buyer still owe anything? No, the money has arrived.
paid=true: The reminder was sent in error, as the debt had already been discharged.
paid=true: It was not a part payment, as first assumed, but the entire sum that came in.
paid=false: Unsettled to this day, the bill has been passed to the legal department.
paid=false: No money has been received against this bill.
paid=false: The claim, which the debtor has yet to meet, appears among the open items.
paid=false: The sum, still owed to us, bears interest from next month.
paid=false: Has the transfer come in? Our bank says that it has not.
paid=false: What was booked as a receipt belonged to another bill, so this one remains outstanding.
paid=false: It was promised for last Friday, and we are still waiting for the money.
{items} are listed on page one, each with its unit cost.
{items}: these were supplied and are hereby billed.
{items}, supplied last week, form the basis of the claim.
{items}, not {NOT_items}, were signed for and are therefore charged.
{items} gave rise to the charge, as the delivery note proves.
It is {items} for which the supplier demands payment.
The positions, {items}, were compared with the delivery note by {OTHER}.
The purchase of {items} is documented by this bill.
Having supplied {items} as agreed, we now charge for them.
The bill, in which {items} are set out line by line, runs to two pages.
What is being charged for? According to the annex, {items}.
The credit note cancels {NOT_items}, so that the bill now covers {items}.
The goods to which this charge relates are {items}.
{OTHER} took receipt of everything that is billed here, namely {items}.
paid=true: The reminder crossed with the money and may be disregarded.
paid=true: {vendor} has issued a receipt for the full sum.
paid=true: The balance on the customer's account stands at nil.
paid=true: {customer} settled the bill a week before {due_date}.
paid=true: Accounts has stamped it and filed it with the closed cases.
paid=true: Early settlement earned {customer} the agreed deduction.
paid=true: Nothing remains outstanding, as the cashier has confirmed.
paid=true: The lawyer's letter was withdrawn once the debt had been discharged.
paid=true: {vendor} thanks {customer} for the prompt settlement.
paid=true: The last of the three instalments came in, which closes the matter.
paid=false: {customer} disputes the bill and is withholding the money.
paid=false: The second reminder went out, the first having had no effect.
paid=false: {vendor} has looked through its books and found no money from {customer}.
paid=false: The claim was handed over to a collection agency.
paid=false: {amount} is still owed, and {due_date} is the last day for settling it.
paid=false: {customer} asked for a respite until the end of the quarter, which {vendor} granted.
paid=false: The sum is carried in the books as a receivable.
paid=false: Further deliveries are blocked until {customer} clears the debt.
paid=false: Approval by {customer}'s head of finance is lacking, hence no money has flowed.
paid=false: The grace period has run out, and {vendor} is still waiting for its money.
payment_method=cash: The sum belongs in the till in notes, and the remainder is returned in coins.
payment_method=cash: The amount is to be withdrawn at a machine and handed over at the counter.
payment_method=cash: {vendor} has neither a card reader nor an account for customers, so banknotes are expected.
payment_method=cash: The envelope with the notes must be counted in the presence of {OTHER}.
payment_method=cash: Physical currency alone is accepted at the desk.
payment_method=card: The amount will appear on the monthly Visa statement of {customer}.
payment_method=card: The slip from the terminal, with four digits visible, is to be stapled to the sheet.
payment_method=card: The piece of plastic has to be held to the reader until it beeps.
payment_method=card: Mastercard has to authorise the charge, which takes seconds.
payment_method=card: The cardholder's signature is required on the voucher kept by {vendor}.
payment_method=paypal: {vendor} sent a PayPal request to {email}.
payment_method=paypal: The fee that PayPal retains is borne by {vendor}.
payment_method=paypal: {customer} will not disclose any bank details and logs in to PayPal instead.
payment_method=paypal: The money goes to the PayPal balance of {vendor}.
payment_method=paypal: A transaction code from PayPal serves as proof.
payment_method=transfer: A standing instruction to the bank moves the sum to the account of {vendor}.
payment_method=transfer: The remittance slip with IBAN and BIC is printed at the foot of the page.
payment_method=transfer: {customer} enters the sum in online banking and confirms it with a code.
payment_method=transfer: The amount is wired from one account to the other, with {invoice_number} as reference.
payment_method=transfer: {vendor} gives its account number and accepts neither notes nor plastic.
{NOT_items} were returned and credited, so that the charge is for {items} only.
A separate bill follows for {NOT_items}; the present one concerns {items}.
The draft showed {NOT_items}, which {vendor} replaced by {items} after a complaint.
{customer} was supplied with {items}, although the purchase slip mentioned {NOT_items}.
{NOT_items} were free of charge in a former campaign, whereas {items} are billed here.
The auditor struck out {NOT_items} and left {items} standing.
Whereas last month's bill was for {NOT_items}, this month's is for {items}.
The goods invoiced are {items}; {NOT_items} remained with {vendor}.
{NOT_customer} received {NOT_items}, {customer} on the other hand {items}.
An offer for {NOT_items} was rejected by {customer}, who bought {items}.
What {vendor} has put on the bill is {items}.
The sum of {amount} is made up of {items}.
In the column "description" one reads {items}.
{vendor} exchanged the wrongly supplied {NOT_items} for {items} and corrected the bill.
Tax was levied on {items}, there being nothing else to tax.
{customer} acknowledges having obtained {items} from {vendor}.
Unlike {NOT_items}, which were cancelled in time, {items} have to be charged.
The warranty extends to {items}, as itemised by {vendor}.
{items} were collected by {customer} at the works and are hereby billed.
The stamp "not supplied" was put beside {NOT_items}, the tick beside {items}.
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
{vendor} has drawn up {invoice_number}[|, due {due_date}|, made out to {customer}].
A window envelope from {vendor} [lay on the mat|came by post][|, {amount} inside|, meant for {customer}].
{vendor} presents its account[| to {customer}| in the sum of {amount}].
From the accounts office of {vendor}[|, {city}|: {invoice_number}]:
We thought {NOT_vendor} had billed us, it was {vendor}[|, for {items}|, {amount}].
For the attention of {customer}[|, {address}|: {amount} due {due_date}]
{customer} has run up {amount}[| with {vendor}| for {items}].
{customer} found {invoice_number} in the post[| from {vendor}|, dated {date}].
A statement for {customer} left our office[| on {date}|, number {invoice_number}].
As requested by {customer}, here is the bill[|, {invoice_number}|; it comes to {amount}].
{items}: that's what {invoice_number} [is about|was written for][|, {amount} in all].
Dear {customer}, you had {items} from us[|, which makes {amount}|; see {invoice_number}].
Account for {items}[|, supplied by {vendor}|, delivered to {customer}|, {date}]
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
{P} fleece has {company} stitched on the sleeve, as everyone's does in {p} office.
{company} transferred the wages to {p} account, as on every last Friday.
The non-compete clause bars {FIRST} from joining {NOT_company} for as long as {s} serves {company}.
On weekdays {p} alarm rings at six because {company} wants everybody at the desk by eight.
{P} pension scheme is run by {company}, where {s} has [sat|toiled] ever since graduation.
{NOT_company} let {FIRST} go in the cutbacks; {company} snapped the talent up.
{P} colleagues at {company} [threw|gave] a little do for {p} birthday.
{S} answers the telephone with "{company}, good morning".
When {company} went public, {FIRST}, like the rest of the staff, was handed shares.
{S} interned at {NOT_company} and these days is on the books of {company}.
{FIRST} holds a key card for the premises of {company}, issued to staff alone.
Union dues are docked by {company} before {s} sees {p} pay.
{S} would sooner stay at {company} than [crawl back|return] to {NOT_company}.
{company} relies on {FIRST} in [thorny|tricky] cases, that is what it hired {FIRST} for.
The laptop {s} carries about belongs to {company}, {p} firm.
{FIRST}'s parental leave ends in May, then {company} gets {FIRST} back.
In {p} out-of-office note {s} signs for {company}.
{company} paid for {p} evening classes on condition that {s} stay on board.
{S} has a rival's mug from {NOT_company}, a joke, for {p} loyalty is to {company}, where {s} works.
It takes {FIRST} {NUMBER} minutes by bike to get to work at {company}.
{P} diploma on the wall entitles {FIRST} to call {p} trade by its name: {job_title}.
As a child {s} dreamed of becoming a {NOT_job_title}, life made a {job_title} of {FIRST}.
At dinner parties {s} is always asked what a {job_title} does all day.
Once a {NOT_job_title}, {s} retrained and makes a living as a {job_title}.
{P} tax return lists "{job_title}" under occupation.
It was a shortage of {job_title} applicants that got {FIRST} the position overnight.
{P} parents had hoped for a {NOT_job_title} in the family, they got a {job_title}.
The vacancy read "{job_title} wanted"; {s} was [picked|selected] out of {NUMBER}.
{S} has been earning {p} bread as a {job_title} for {years_experience} years.
{P} email signature ends in {job_title}[|, {company}].
{P} twin is a {NOT_job_title}, while {FIRST} went down the road of the {job_title}.
Few are cut out for the work of a {job_title}; {FIRST} is, and does it daily.
The apprentices look up to {FIRST}, a {job_title} of the old school.
Career day at school: {FIRST} told the pupils about {p} life as a {job_title}.
{S} traded the desk of a {NOT_job_title} for the daily grind of a {job_title}.
Neighbours with a problem knock at {p} door, it helps to live beside a {job_title}.
"Being a {job_title} is a calling," says {FIRST}, and {s} should know.
{S} stood in for a {NOT_job_title} for a week, then went back to being {company}'s {job_title}.
{P} grandfather was a {job_title} too, so {s} carries on the line.
The hat {s} wears from nine to five is that of {job_title}.
In {p} passport it says {name}.
Spell it right on the cake: {name}.
{S} wrote {name}, meaning {FIRST} and nobody else, on {p} own luggage tag.
Everybody uses a nickname, but the registrar entered {name}.
The cheque was made out to {name}, which is what {s} is called.
The doorbell is labelled {name}[|, {OTHER} lives one floor up].
{S} needs a visa for {NOT_country}, being resident in {country}.
The number plates of {p} car are from {country}, where it is registered to {p} home.
{P} children go to school in {country}.
{S} left {NOT_country} for good and put down roots in {country}.
{P} postman works for the mail of {country}[|, in {city}].
When it's noon where {s} lives, the clocks in all of {country} strike twelve.
{country} granted {FIRST} a residence permit, {NOT_country} had refused one.
Letters to {FIRST} need a stamp for {country}.
{S} bought a house in {country}, and has no wish to live elsewhere.
{P} accent is pure {NOT_country}, {p} front door is in {country}.
After each trip {s} flies home to {country}.
{S} does the weekly shopping over the border in {NOT_country}, but sleeps in {country}.
The dialling code shows that {FIRST} is at home in {country}.
{FIRST} sat out the lockdown at home in {country}.
{P} electricity bill comes from a utility in {country}, for the flat {s} lives in.
{S} knows {country} like the back of {p} hand, having lived nowhere else.
{city}, {country}, has been {p} base camp ever since {s} quit {NOT_country}.
The census in {country} counted {FIRST} among its households.
{S} misses {NOT_country} at times, though life in {country} suits {FIRST}.
{S} pines for snow; there's little of it in {country}, where {s} has set up house.
The org chart shows {FIRST} in the box labelled {department}.
{P} desk was moved from {NOT_department} to {department}, together with {p} duties.
{S} spends the office outing with {p} own lot, the people of {department}.
{P} cost centre is that of {department}.
{S} was seconded to {NOT_department} for a month and has since come back to {department}.
In the canteen the {department} crowd keeps a chair for {FIRST}, one of theirs.
Holiday requests of {FIRST} are signed by the head of {department}.
The Monday round of {department} can't start before {s} has {p} coffee.
{FIRST} beefs up {department}, which had been short of hands.
You'd expect a {job_title} in {NOT_department}, but {s} is part of {department}.
{department} got a budget for one more head, and that head is {FIRST}.
{P} mail is sorted into the pigeonhole of {department}.
{NOT_department} wanted {FIRST}, {department} [was faster|won].
{S} is the longest-serving member of {department}.
When {department} was split off from {NOT_department}, {FIRST} stayed with the former, {department}.
{S} represents {department} on the works council, being one of its number.
{P} bonus hangs on the results of {department}, for which {s} works.
{FIRST} sat {NUMBER} years in {NOT_department} before {department} became {p} patch.
At {company} {s} was posted to {department}.
extension {NUMBER}, {department}, ask for {FIRST}
married=true: {P} spouse will fetch {FIRST} to the phone if you ring after dinner.
married=true: {S} forgot the anniversary once and has paid for it with flowers ever since.
married=true: {S} and {p} spouse renewed their vows on a beach.
married=true: The honeymoon was cut short by a storm, the union has weathered every other.
married=true: {P} bachelor days ended before the registrar.
married=true: The will leaves everything to {p} lawfully wedded spouse.
married=true: There's a wedding album on {p} shelf, and the other one in the pictures still makes {p} breakfast.
married=true: {S} exchanged rings with {OTHER}'s cousin, and they remain husband and wife.
married=true: On the insurance form {s} put {p} wedded partner as next of kin.
married=true: {P} double-barrelled surname dates from the day {s} became somebody's spouse.
married=true: {S} eloped at nineteen, and against all bets the pair are together as man and wife.
married=true: Rice was thrown, tears were shed, and {FIRST} has been a spouse from that day on.
married=true: Flirting is pointless, {s} goes home to a spouse.
married=false: {S} signed the divorce papers and kept the dog.
married=false: Aunts keep asking when {s} will settle down with somebody, and {s} shrugs.
married=false: {S} left the line for the spouse's name blank, having none.
married=false: The registry office is booked for autumn, so {s} isn't anybody's spouse yet.
married=false: {S} lives by {p} own clock, with no wife or husband to consult.
married=false: A confirmed free spirit, {s} turned down two proposals.
married=false: The annulment came through, which puts {FIRST} back among the singles.
married=false: Since the funeral of {p} partner {s} has stayed alone.
married=false: {S} cooks for one and has never shared a surname with anybody but {p} parents.
married=false: {S} thinks a piece of paper would spoil the romance, so the two just live together.
married=false: At weddings {s} gets seated at the singles' table.
married=false: Still to be had, as the matchmaker puts it, {FIRST} hasn't found the right one.
After six years with {NOT_company} {s} signed a contract with {company}, which had been looking for a {job_title} at its {city} branch.
The supervisory board confirmed {name} as {job_title} and assigned {department} to {p} remit.
Following the merger of {NOT_company} into {company}, {p} post of {job_title} was left unchanged.
Born in {NOT_country}, {s} obtained a residence permit for {country} and rents a flat in {city}.
{S} reports to the head of {department} and commutes every day from {city}.
The job reference issued by {company} describes {name} as a conscientious {job_title}.
{P} secondment to {NOT_city} ended in spring, and since then {s} has been back at {p} desk in {department} at {company}.
In the minutes, {name} is listed as attending on behalf of {department}, in place of {OTHER} from {NOT_department}.
According to the CV, {s} qualified as a {NOT_job_title} but has earned {p} living as a {job_title} for {company} ever since.
{company} pays for {p} season ticket, as {s} travels in from {city} each morning.
The directory of {company} gives {p} unit as {department} and {p} role as {job_title}.
Correspondence for {name} should be sent to the {city} office, no longer to the one in {NOT_city}.
When {company} opened a subsidiary in {country}, {FIRST} volunteered to go and run {department} there.
As a {job_title} in {department}, {s} is entitled to sign for purchases up to {NUMBER}.
{name} represents {company} in {country}; the market in {NOT_country} is covered by {OTHER}.
{S} handed over {NOT_department} to {OTHER} and took charge of {department} at the {city} site.
The trade register enters {name} as authorised signatory of {company}, with domicile in {city}.
{P} application for the opening in {NOT_department} was turned down, whereas {department} at {company} offered {FIRST} a contract.
We are pleased to announce that {name} will strengthen {department} with effect from next month.
{P} tax residence is {country}, although the employer, {company}, is registered abroad.
A vacancy for a {job_title} arose in {department}, and {FIRST} was the candidate the panel preferred.
{S} left {NOT_country} after graduating and settled in {country}, where {company} sponsored {p} visa.
Badge: {name} | {job_title} | {company}
The organisation chart places {FIRST} under {department}, between two colleagues with the same title of {job_title}.
{OTHER} is the {NOT_job_title} of the project; the {job_title} is {name}.
Our contact at {company} is {name}, not {OTHER}, who left the firm.
{S} learnt the trade in {NOT_city}, but the practice that bears {p} name is in {city}, {country}.
The press release quotes {name}, who speaks for {company} as its {job_title}.
For payroll purposes {s} belongs to {department}, and {p} place of work is {city}.
{S} declined an offer from {NOT_company} because {company} allowed {FIRST} to stay in {city}.
Under the new structure {department} at {company} gains a {job_title}, and the choice fell on {name}.
{P} passport was issued by {country} and gives {city} as the place of residence.
The works council of {company} has a new member from {department}, namely {name}.
Although {p} diploma says {NOT_job_title}, the contract with {company} is for a {job_title}.
In the signature of {p} mails one reads {department}, {company}, {city}.
{S} spent two years in {NOT_department} before being promoted to {job_title} in {department}.
{company} relocated {FIRST} from {NOT_country} to {country} at its own expense.
With a degree from {NOT_city} in hand, {s} found work in {city} as a {job_title}.
{name} chairs the weekly round of {department}, in which all {NUMBER} employees take part.
The visa form states the occupation as {job_title} and the destination as {country}.
{S} resigned from {company}'s rival {NOT_company} and now advises clients in {country} for the former.
Please update the contact list: {name}, previously {NOT_department}, can be reached in {department}.
The alumni newsletter reports that {name} has found a position as a {job_title} in {city}.
{company} counts {NUMBER} people in {department}, one of them being {FIRST}.
Should you visit {city}, {name} of {company} would be happy to show you the plant.
{P} family stayed behind in {NOT_city} while {s} took up the duties of {job_title} in {city}.
The probation period at {company} is over, so {s} remains in {department} on a permanent basis.
On the letter of appointment we find the words "{job_title}" and "{department}", followed by {p} salary group.
{S} has been registered in {city} since the family gave up the house in {NOT_city} and returned to {country}.
Of the two candidates, {OTHER} went to {NOT_company}, whereas {name} accepted the terms of {company}.
The conference badge identifies {FIRST} as a {job_title} from {country}.
As the only {job_title} on the staff of {company}, {s} is hard to replace during holidays.
{P} articles on the work of a {job_title} are published under the name {name}.
{company} closed its {NOT_city} office, whereupon {s} transferred to the one in {city}.
The budget of {department} is in the hands of {name}, by profession a {job_title}.
{S} pays social insurance contributions in {country}, being employed by {company} and living in {city}.
Colleagues in {department} nominated {name} for this year's staff award.
The certificate was made out to {name}, resident in {city}; the copy naming {NOT_city} is void.
{S} owns a small share in {company} and works there as a {job_title}.
From {city}, {s} looks after the customers that {company} has in the region.
{NOT_department} was dissolved in the reorganisation, and its staff, {FIRST} among them, joined {department} in {city}.
{name} holds the chair as {job_title}, and the deputy is {OTHER}, a {NOT_job_title}.
The employment agency placed {FIRST} with {company}, which was short of hands in {department}.
To the question about nationality and occupation {s} answered {country} and {job_title}.
Having sold the flat in {NOT_city}, {s} bought one in {city}, a short walk from the gates of {company}.
The reference number belongs to {name}, who is on the books of {company}, not of {NOT_company}.
{S} coordinates the suppliers in {NOT_country} for {department}, but {p} home is in {country}.
"Yours sincerely, {name}, {department}" is how the letter ends.
{P} first employer, {NOT_company}, is in liquidation; {company} then hired {FIRST} as a {job_title}.
Elected by the members in {city}, {name} will serve as {job_title} until the next assembly.
{name} is how the applicant [signed|ended] the covering letter.
{name} was sworn in as a witness, the clerk having checked the identity card.
{name}, and no one else, may collect the registered parcel.
{name}: that is what the brass plate beside the bell reads.
It was {name} whose proposal the committee [adopted|approved], not that of {OTHER}.
The patent, filed under {name}, expires in {NUMBER} years.
On the ballot paper {name} follows directly after {OTHER}, but only the former is described here.
Addressed as {name} by the notary, {s} nodded and took the pen.
The badge had been printed for {OTHER} in error; the wearer is in fact called {name}.
Who is the holder of this library card? According to the register, {name}.
The subject of this report, whom {OTHER} interviewed, is {name}.
Asked to spell it for the record, {s} dictated slowly: {name}.
{job_title} is the occupation entered on {p} tax return.
{job_title} by profession, {s} was consulted as an expert by the court.
{job_title}, not {NOT_job_title}, is what the contract of employment specifies.
A {job_title} is what {s} became when the apprenticeship was over.
It is as a {job_title} that {s} pays into the pension fund.
Having passed the state examination, {s} put the word {job_title} on {p} letterhead.
The vacancy for a {job_title} was filled when {s} accepted the terms.
The duties of a {job_title}, which {s} performs on weekdays, include shift work.
{S} is not employed as a {NOT_job_title}, contrary to the notice, but as a {job_title}.
What does {s} do for a living? {S} works as a {job_title}.
The licence issued to {FIRST} permits {p} practice in one trade, that of a {job_title}.
Trained as a {NOT_job_title}, {s} retrained and is now engaged as a {job_title}.
{department} is where {p} annual leave has to be approved.
{department} has counted {FIRST} among its staff since the spring.
{department}, to which {s} was posted last year, occupies the second floor.
{department}, rather than {NOT_department}, bears the cost of {p} position.
It is {department} that {s} attends meetings for, as one of its members.
Transferred to {department} at {p} own request, {s} has not looked back.
The staff list shows {department} beside {p} name and {NOT_department} beside that of {OTHER}.
The colleagues in {department} with whom {s} shares the daily work number {NUMBER}.
Which section is {s} attached to? The roster says {department}.
{S} no longer works in {NOT_department}; since the reshuffle {s} has been in {department}.
The unit that {s} was assigned to after the probation period is {department}.
{P} time sheets are countersigned every Friday by the head of {p} section, {department}.
{company} is the employer named on {p} social security record.
{company} has had {FIRST} on its payroll for {NUMBER} months.
{company}, where {s} is employed full time, provides a canteen.
{company}, and not {NOT_company} as reported, issued {p} staff pass.
It was from {company} that {s} received {p} latest payslip.
Hired by {company} straight after graduation, {s} has remained there.
The pension scheme of {company} covers {FIRST} as it does every member of staff.
{P} notice to {NOT_company} took effect in March, {company} engaged {FIRST} in April, and there {s} stays.
Whom does {s} work for? The letter of reference names {company}.
{S} turned down {NOT_company} and entered into a contract with {company}.
The firm to which {s} owes {p} present livelihood is {company}.
While {OTHER} draws a salary from {NOT_company}, the wages of {FIRST} come from {company}.
{hobbies} will fill {p} evenings once the work is done.
{hobbies}: to these {s} devotes what time the job leaves over.
{hobbies}, pursued purely for pleasure, helped {FIRST} through the winter.
{hobbies}, not {NOT_hobbies}: that is what {s} does on days off.
It is {hobbies} that {s} turns to when the weekend comes.
Asked about leisure, {s} named {hobbies} and asked that it be noted.
The hours which {s} reserves for {hobbies} are never given up for overtime.
What does {s} like to do in private? Mostly {hobbies}, as {p} neighbours confirm.
{S} gave up {NOT_hobbies} after an injury and now finds relaxation in {hobbies}.
{P} holidays are planned around the things {s} enjoys most, namely {hobbies}.
{OTHER} is the one who likes {NOT_hobbies}; {FIRST} prefers to spend free afternoons on {hobbies}.
{languages} will do in conversation with {FIRST}, without an interpreter.
{languages}, acquired partly at home and partly at school, may be used with {FIRST} at any time.
{languages}: in these {s} is able to conduct negotiations.
{languages}, but not {NOT_languages}, could be certified by {p} oral examiner.
It is {languages} that {s} reads and writes fluently.
Texts drafted in {languages} are proofread by {FIRST}, who has full command.
In which tongues can {s} be interviewed? In {languages}, according to {p} file.
Being proficient in {languages}, {s} answers foreign callers unaided.
{S} does not understand {NOT_languages}, but expresses {p} thoughts easily in {languages}.
The agency books {FIRST} for calls to be taken in {languages}.
For {NOT_languages} an interpreter had to be found, whereas {s} speaks {languages}.
married=true: The tax office assesses {FIRST} jointly with {p} spouse.
married=true: Next spring the couple will celebrate their silver wedding, [and|for which] {FIRST} has booked a table.
married=true: {S} took {OTHER}'s surname at the ceremony and has kept it to this day.
married=true: The health insurance covers {p} [spouse|other half] as a dependant.
married=true: Since tying the knot {NUMBER} years ago, {s} has worn a plain gold band.
married=true: Never divorced, never widowed: {FIRST} and {OTHER} exchanged vows once, and they still hold.
married=true: {P} mother-in-law lives on the floor below and minds the children.
married=true: The deed of the house names {FIRST} and {p} lawful partner, whom {s} led to the altar in {city}.
married=true: For the form under "spouse" {s} entered {OTHER}.
married=true: {S} gave up the single life at a small ceremony in {city} and has not regretted it.
married=true: The photograph on {p} desk shows the two of them on their wedding day.
married=true: By the terms of the nuptial contract, property is held separately by {FIRST} and {p} consort.
married=false: The engagement to {OTHER} was broken off, and {s} has remained on {p} own since.
married=false: {S} has never walked down the aisle.
married=false: The court granted the divorce last year, and {FIRST} has not wed again.
married=false: On the form the line for a spouse was struck through.
married=false: Widowed early, {s} has lived alone ever since.
married=false: {S} is taxed in the class for singles.
married=false: {FIRST} and {OTHER} are engaged, though the wedding is still a year off.
married=false: {S} wears no ring, and there is no husband or wife to notify in an emergency.
married=false: {S} shares a flat with {OTHER}, but the two have not been to the registrar.
married=false: A confirmed bachelor's household, is how {FIRST} describes {p} flat.
married=false: The marriage was annulled, so that in law {s} counts as unattached.
married=false: So far {s} has turned down every proposal.
{S} grew up in {NOT_country}, yet pays {p} taxes in {country}.
Relatives in {NOT_country} write to {FIRST} at {p} home in {country}.
The residence permit for {NOT_country} expired, and {s} settled in {country} for good.
Although {p} accent suggests {NOT_country}, {FIRST} is a resident of {country}.
{S} holidays in {NOT_country} every year and returns to {country} when the leave is over.
Holding a degree from {NOT_country}, {s} had it recognised in {country}, where {s} has lived since.
{P} parents emigrated to {NOT_country}; {FIRST} alone stayed behind in {country}.
The application form wrongly said {NOT_country}, which {s} corrected to {country}.
{S} is insured in {country}, and not, as was assumed, in {NOT_country}.
A posting to {NOT_country} ended in the autumn; {FIRST} is based in {country} again.
Calls to {FIRST} go to {country}, the line in {NOT_country} having been given up.
{S} declined an offer from {NOT_country}, preferring to stay in {country}.
{S} gave notice at {NOT_company} and signed with {company}.
{NOT_company} made {FIRST} redundant; a contract with {company} followed [the same year|a month later].
A headhunter from {NOT_company} called in vain, for {s} remains loyal to {company}.
{P} brother is employed by {NOT_company}, {FIRST} [however |]by {company}.
The badge from {NOT_company} was handed in long ago, and the one {s} carries today bears the name of {company}.
After an apprenticeship at {NOT_company}, {FIRST} found a permanent position with {company}.
{S} negotiates with {NOT_company} on behalf of {company}, which pays {p} wages.
The press confused two firms: it is {company} that employs {FIRST}, not {NOT_company}.
{NOT_company} is merely one of {p} clients; the employer is {company}.
{S} spent three years with {NOT_company} before {company} made a better offer.
A competing bid by {NOT_company} left {FIRST} unmoved, and the contract with {company} was renewed.
{S} sold {p} shares in {NOT_company} on joining {company}.
Hired as a {NOT_job_title}, {s} was promoted to {job_title} within two years.
{S} works alongside a {NOT_job_title}, but is employed as a {job_title}[| and paid as one].
The advertisement sought a {NOT_job_title}; the post {FIRST} was finally given is that of {job_title}.
{P} father was a {NOT_job_title}, and {FIRST} broke with the tradition to become a {job_title}.
No longer a {NOT_job_title}, {s} gives {p} occupation as {job_title}.
The old business cards say {NOT_job_title}, the reprinted ones {job_title}.
{OTHER} is the {NOT_job_title} of the team, {FIRST} its {job_title}.
The work of a {NOT_job_title} bored {FIRST}, that of a {job_title} has held {p} interest.
{S} reports to a {NOT_job_title} and holds the rank of {job_title}.
Evening classes turned the former {NOT_job_title} into a {job_title}.
{S} is often taken for a {NOT_job_title}; in fact {p} licence is that of a {job_title}.
{S} hired a {NOT_job_title} as an assistant, the duties of a {job_title} being too many for {FIRST} alone.
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
{company} has a new face: {name}[|, {job_title}| in {department}].
{name} clocks on at {company}[| as {job_title}|, previously at {NOT_company}].
Visitors of {company} are met at the lift by {name}, who [is employed|works] there.
Poached by {company}: {name}[|, a {job_title}|, late of {NOT_company}].
On the staff photo of {company}, third row, you see {name}[|, aged {age}|, the {job_title}].
{name} was sworn in as {job_title}[| in {city}| by {company}].
Need a {job_title}? Try {name}[|, {phone}|, {city}].
{name} has [swapped|dropped] the work of a {NOT_job_title} for that of a {job_title}.
The {job_title} on duty is {name}[|, {phone}|; mail {email}].
By trade a {job_title}, by name {name}[|, by choice in {city}].
The parcel was signed for by one {name}[|, {address}].
Nobody at the reunion recognised {name}[|, now a {job_title}|, who has moved to {country}].
The seat by the window is reserved for {name}[|, our {job_title}].
I shared a compartment with {name}[|, a {job_title} from {city}].
Paging {name}[| from {city}| of {company}], please come to the desk!
{OTHER} handed the phone over to {name}, about whom this note is[|: {job_title}, {age}].
The landlady rents the upper floor to {name}[|, {age}|, a {job_title}].
Engraved on the trophy: {name}[|, {city}|, {country}].
If memory serves, the quiet one in the corner was {name}[|, {job_title}].
{name} drew the winning ticket[|, number {NUMBER}| and lives in {city}].
The choir has gained a voice in {name}[|, {age}|, from {city}].
The witness gave the name {name}[| and an address in {city}].
{name} asked me to pass on the following[|: mail goes to {email}].
Let's drink to {name}[|, who turned {age}|, {company}'s new {job_title}]!
Under "tenant" the lease has {name}[|, born {birth_date}|, {job_title}].
The nurse called out "{name}, please"[|, and a {job_title} of {age} stood up].
Not {OTHER} but {name} will be looking after you[|; ring {phone}].
{name} got stuck in the lift[| at {company}| with {NUMBER} others].
{name} has pitched tent in {country}[|, in {city} to be exact].
A call from abroad: {name} is on the line from home in {country}[|, {city}].
{name} swapped {NOT_country} for {country}[| and is a {job_title} there].
In {country}, where {name} has a home, it's [raining|night].
{department} says hello to {name}[|, its newest {job_title}].
{name} holds the fort in {department}[| at {company}].
The fire warden for {department} is one of its own, {name}[|, {job_title}].
{name} has crossed the corridor from {NOT_department} to {department}[| for good].
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
