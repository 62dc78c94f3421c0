"""English texts as people write them, one a line: mails, notes, advertisements, receipts, lists. `scenes.py` reads them.

Written for the generator. None has five words in a row from `tests/cases/realistic_texts.jsonl` (a test compares them).
"""

from __future__ import annotations

PEOPLE = """
{HELLO}¶[please welcome|say hello to] {name}, who has joined [us|the team] as {job_title}[ in {department}|]. {S} will sit in the {city} [office|branch][. Extension: {phone}| (desk {N})|].¶{BYE}¶{OTHERFIRST}
[hi|Hi|Hello], {name@first} here, {age}, {job_title} [at|with] {company}[ in {city}|, based in {city}|]. [My free time goes into|After work it's|Big fan of] {hobbies}. [I speak|Fluent in] {languages}.[ Write me: {email}| Mail: {email}|]
{name} [is|has been] [a|our] {job_title} with {years_experience} years of experience[| and lives in {city}]. {S} [speaks|is fluent in] {languages}[ and is good at {skills}|]. [Contact|Bookings|Enquiries]: {email}.
Our {job_title}, {name}, [leaves us|goes into retirement] [at the end of the month|in spring|after {N} years]. {S} is {age} [now|] and will move back to {city}. [What we will miss|{P} great love]: {hobbies}.
[Now hiring|Job opening|Vacancy]: {job_title} [(full time) |]in {city}. {years_experience} years of experience [are a must|required|needed]; {languages} an advantage. [Salary|Pay] from {salary}[ a year| p.a.|]. [Send your CV to|Write to] {email}.
{name@first} here. [New number|I have a new phone], please save: {phone}. [The old one is dead|Delete the old one]. [Also we moved, now {address}, {postal_code} {city}|]
[My aunt|My old teacher|My uncle] {name} has lived in {city} for [ages|{N} years]. {S} used to be a {job_title} and is {age} now. [{S} still loves|{P} hobbies are] {hobbies}.
[Visitor pass|Badge] {WEEKDAY}: {name} ({company}), [{job_title}, |]from {time}. [Needs wifi|Parking space {N}]. [Host|Met by]: {OTHER}.
{MR} {name@last} called [again|this morning], wants to be called back before noon on {phone}. [It is about|Subject:] the {THING}. [{S} is with {company}|].
[Volunteer|New member] sheet¶{name}¶{address}¶{postal_code} {city}¶[t: |tel. |]{phone}¶[e: |]{email}¶[Interests|Likes]: {hobbies}
{name}¶{job_title}[, {department}|]¶{company}¶{address} · {postal_code} {city}¶[T|Tel.|Phone|M] {phone}¶{email} | {website}
[On call tonight|Duty roster]: {name} ({department}), {phone}; [from|starts] {time} [until|to] {end_time}[, {date}|].
[Team page|Who's who]: {name@first} [keeps the servers running|does the numbers|answers your mail]. {job_title}[ since {N4}|], at home in {city}, loves {hobbies}.
[hello|Hi], who do I ask about tutoring? My [son|niece] is {N}. We live in {city}, {postal_code}. I could pay {price} [per hour|each time]. {name}, {phone}
Found on the {N} bus: a {product}, {color}. Collect it at {address} [until {end_time}|]. Ask for {name}.
[Interview notes|Second interview]: {name}. [Currently|At present] {job_title} at {company}, {salary} a year. [Strong in|Knows] {skills}. [Could start|Notice period: until] {date}. [Weak spot: punctuality|Asked good questions].
Re: references¶¶{HELLO}¶{name} was our {job_title} for {years_experience} years. I can recommend {p0} [warmly|without hesitation]. [If you need more,|Questions?] call me on {phone}.¶{BYE}¶{OTHER}, {company}
[Gym|Fitness] contract¶Member: {name}¶Date of birth: {birth_date}¶Street: {address}¶Town: {postal_code} {city}¶Mobile: {phone}¶[Monthly fee|Rate]: {price}¶Begins: {date}
[Referral|Prescription] for {name} (born {birth_date}), [two tablets a day|X-ray of the left knee]. {organizer@person}, {city}, {phone}. Issued {date}.
[Alumni news|Class of {N4}]: {name} [works|is working] as {job_title} for {company} in {city}, [has two kids|married a dentist{married=true}|never married{married=false}|just got divorced{married=false}] and [took up|still does] {hobbies}.
[Emergency card|In case of emergency call] {OTHER}, {NOT_phone}.¶This card belongs to {name}, {address}, {city}. [Blood type A|Allergic to nuts].
[Profile|Dating profile|About]: {name@first}, {age}, {city}. [Single{married=false}|Divorced{married=false}|Widowed{married=false}]. [Likes|Into] {hobbies}. [Looking for someone to laugh with|No smokers].
[The transfer is done|Transfer news]: {name}, {age}, [leaves|moves from] {NOT_city} [for|to] {city}. [The fee|Price]: {amount}. {P} first match is on {date}.
[Police report|Theft report]: {name}, {age}, of {address}, {city}, [missed|reports] a {product} ({color}) worth {amount}. Noticed at {time}.
[Baby news|It's a girl|It's a boy]! {name@first} was born on {date} at {time} in {city}. [Mother and child are well|{N} cm long]. [Visits only after calling|Call first]: {phone}.
Passport application. {last_name}, {first_name}. Place of birth: {city}. Date of birth: {birth_date}. [Married{married=true}|Unmarried{married=false}|Marital status: widowed{married=false}]. Street: {address}. [Fee paid: {price}|].
[Babysitter|Cleaner|Gardener] [list|contacts]: {name@first} ([{age}, |]{phone}) [takes|wants] {price} an hour, [lives in {city}|speaks {languages}|comes on {WEEKDAY}].
[Taxi|Cab] for {MR} {name@last}, pick-up {time}, {address}[, {city}|], to the airport. [Pays cash{payment_method=cash}|Card payment{payment_method=card}|Bill to {company}]. [Ring twice.|]
[{MR} |]{name} [has been|was] [named|made|appointed] {job_title} [of|at] {company}, [the firm said|as reported] on {WEEKDAY}. {S} is {age} and [was|used to be] {job_title} nowhere else[; {p} salary is {salary}|].
[Author|Artist] biography: {name}, born {birth_date}[ in {city}|], [writes|paints] early in the morning. [Enjoys|Otherwise:] {hobbies}. [Agent|Represented by]: {OTHER}. {website}
{name} <{email}> [wrote|asked]: could somebody from {department} [phone|call] me on {phone}? [I'm in|Best before] {time}. [Thank you|Thx].
[Student|Course] record: {name}, {age}. [Speaks|Languages] {languages}; [can|skills:] {skills}. [Lodging|Lives] with {OTHER}, {address}, {city}.
[The winner|First prize] is {name} from {city}! [{S} is {age} and|The {age}-year-old] works as {job_title}. [The prize of|A cheque over] {amount} was handed over on {date}.
[Guest book|Hotel registration]: {name}, {address}, {postal_code} {city}. Arrival {date}, [around|at] {time}. [Passport|Car]: {N}-{N4}. {phone}
{OTHERFIRST}, [you asked for|here is] the [contact|number] of the {job_title}: {name}, {phone}. [Not cheap ({price} an hour), but good|Say I sent you]. [Workshop|Office]: {address}, {city}.
[Staff changes|Moves]: {name} [switches|goes] from {NOT_department} to {department} [on|as of] {date}. [New phone|Extension]: {phone}. [Mail stays|Mail]: {email}.
[Talk to|Ask] {name@first} about the {THING}, [{s} knows|{s} can do] {skills}. [{P} desk|Room] {N}, {phone}, [or|else] {email}.
[Obituary|We mourn]: {name}, {job_title}, [died|passed away] on {date} at the age of {age}. [{S} lived|Home was] in {city}. The family asks for [no flowers|donations].
[The nurse|Our guide|My landlord] is [called|named] {name}[, {age}|]. {S} [has worked|works] for {company}, [earns|makes] {salary} a year, and [lives|rents a flat] at {address}.
Coach: {name}, {phone}¶[Training|Practice]: {WEEKDAY} {time}-{end_time}, {venue}¶[Fee|Cost]: {price}
[My name's|It's] {name}. I [used to be|was] with {NOT_company} and now [run|own] {company} in {city}. [Coffee on {WEEKDAY}?|Let's talk.] {phone} / {email}
"""

ORDERS = """
Subject: [Re: |][{order_id}|delivery problem|a question]¶¶{HELLO}¶two weeks ago [I|we] [ordered|bought] {product} from you. [Your page still lists it as pending{status=pending}|According to your page it was shipped{status=shipped}|You say it was delivered{status=delivered}], but [the box is nowhere|nobody brought it]. [The card was charged{payment_method=card}|The PayPal payment went through{payment_method=paypal}|My bank made the transfer{payment_method=transfer}|]. [The number is|It's order] {order_id}.¶¶{BYE}¶{customer,name@person}[¶{phone}|¶{email}|]
[Hooray|Good news|Hi {customer@first}]! [Order|Parcel|No.] {order_id} [is on its way{status=shipped}|is being packed{status=pending}|goes out tomorrow{status=pending}|was handed over{status=delivered}]. Inside: {product}[ ({color})|]. [You were charged|Total] {amount}[ (card){payment_method=card}| via PayPal{payment_method=paypal}|]. [Your {vendor} team|{vendor}]
[Gift order|This is a present]{gift=true}: [please wrap|wrap] the {product} and leave out the bill. To: {OTHER}, {address}, {city}. [Ordered by|From] {customer,name@person}. [Settled|Charged] with PayPal{payment_method=paypal}, {amount}.
[Order form|Fax order]¶[Customer|Client] no. {N}¶{customer}¶¶{quantity} {product} {price#}¶Shipping {shipping_cost#}¶Total {amount}¶[not a gift{gift=false}|gift wrapping: yes{gift=true}|]
[Status of order|Update on|News about] {order_id} ({customer}): [went out yesterday{status=shipped}|was handed to the courier{status=shipped}|waiting for parts{status=pending}|called off by the client{status=cancelled}|signed for at the door{status=delivered}|arrived safely{status=delivered}|not packed yet{status=pending}]. {quantity} {product}[, {amount}|].
{name,customer@first} [wants|would like|asks for] {quantity} [more |]{product}, [same as last time|in {color}], [at|for] {price} each. [Bill goes to {company}|Deliver to {address}, {city}].
[hey|hi] can u [pls |]add {quantity} {product} to order {order_id}? [deliver to|address] {address} {city}. [ill pay cash{payment_method=cash}|paying by card{payment_method=card}|] thx {name,customer@first}
Order [no. |]{order_id}¶Date: {order_date,date}¶Ship to: {customer}, {address}, {postal_code} {city}¶Item: {product}¶Qty: {quantity}¶Unit price: {price}¶Delivery: {delivery_date}¶Payment: [credit card{payment_method=card}|bank transfer{payment_method=transfer}|cash on delivery{payment_method=cash}]
{HELLO}¶we are out of {product}[ in {color}|]. Could {vendor} send {quantity} [more |]by {due_date,delivery_date}? [Last time we paid|Price as before:] {price}.¶{BYE}¶{name}¶{company}
Table for {attendees,quantity} on {date} at {time}, please, under the name {name@last}. [One of us is vegan.|With a high chair.|Outside if possible.] [My number is|Call me on] {phone}.
[Change|Correction] to booking {order_id}: make it {attendees,quantity} people, not {NOT_quantity}, [same day|{WEEKDAY}], {time}. {name}
[Stock room|Warehouse] to {department}: {quantity} {product} [left|in house]{in_stock=true}. [Somebody|{customer@person}] [reserved|took] {N}. [Reorder|Buy again] at {vendor} for {price}.
Work order {order_id}¶Machine: {product}¶Fault: [no power|leaks oil|error {N}]¶Reported by: {name}, {department}¶[Urgency|Priority]: [can wait{priority=low}|as soon as possible{priority=high}|normal{priority=medium}]¶Tel.: {phone}
[The courier|The driver] [left|dropped] your {product} with [a neighbour|the porter]{status=delivered} at {address}. Shipment {order_id}, sender {vendor}. [Questions|Call]: {phone}
[Web shop|Online order] {order_id} of {order_date,date}: {customer@person} ({email}) [took|chose] {quantity} {product}, [paying|paid] [by bank transfer{payment_method=transfer}|on account|with a credit card{payment_method=card}]. [Ship|Send] to {postal_code} {city}.
[Sorry to bother you|Excuse me], [was|is] {order_id} [my order|the number]? I [asked|wrote] on {order_date,date} for {quantity} {product}. {BYE} {customer,name@person}, {city}
[Claim|Complaint] {order_id}: the {product} ({color}) [came with|has] a [dent|stain]. {customer@person} asks for {amount} back. [Approved by|Handled by] {OTHER}.
[Rush|Express] job{priority=high}! {quantity} {product} for {customer@company}, [must be|has to be] in {city} on {delivery_date,due_date}. [Agreed price|Deal]: {price} [each|apiece]. {OTHERFIRST}
[When there's time|No rush]{priority=low}: order {quantity} {product} from {vendor}, they [want|charge] {price} plus {shipping_cost} freight.
{vendor}¶[Pick list|Picking slip] {order_id}¶[Aisle {N}|Rack {N}]: {product}, {quantity} pcs[, {weight_kg} kg|]¶[Customer|For]: {customer}, {city}¶[Picked by|Checked]: {OTHERFIRST}
[Voice message|Call] from {customer,name@person}: [forget|scrap|call off] order {order_id}{status=cancelled}, [{s} found it cheaper|it took too long]. [Call back|Number]: {phone}.
Room [service|{N}]: {quantity} {product}, [add {color} napkins|no ice], [charge|bill] {amount} to {MR} {customer@last}. [Cash tip|Paid in cash{payment_method=cash}].
[Laundry|Tailor] ticket {order_id}: {product}, {color}. Name {name,customer@last}. [Ready|Pick up] {date} after {time}. {price}[, not paid yet{paid=false}|, prepaid{paid=true}].
[Catering|Kitchen] order {order_id} for {date}: {attendees} people, {product}, {price} a head. [Deliver to|Where:] {venue}, {address}. [Contact on site|Ask for] {name}, {phone}.
[Hi there|Greetings], [please ship|kindly send] {quantity} {product} to {customer@company}, {address}, {postal_code} {city}, [against|for] {amount}. [Attention|c/o] {name}.
"""

INVOICES = """
INVOICE¶{vendor}¶[Invoice no.|No.|Invoice] {invoice_number}¶[Date|Dated] {date}¶[Bill to|To|For]: {customer}¶¶{LINES}¶[Shipping {shipping_cost#}¶|][VAT {N} % {tax#}¶|Tax {tax#}¶|]Total {amount}¶[Payable until|Due] {due_date}[.|]
{vendor}¶{address}, {postal_code} {city}¶¶{LINES}¶[TOTAL|Sum|To pay] {amount}¶[CASH{payment_method=cash}{paid=true}|VISA{payment_method=card}{paid=true}|card payment{payment_method=card}{paid=true}] {date} {time}¶[Thank you!|Please come again|]
[Till {N}|Shop {N}] {vendor}, {city}¶{LINES}¶Balance {amount}¶[debit card{payment_method=card}{paid=true}|given cash{payment_method=cash}{paid=true}] {date} {time}
[Dear customer|Dear {MR} {customer@last}], [your money arrived|we booked your payment]{paid=true}: {amount}, bill {invoice_number}, [on|dated] {date}. {vendor}
[First|Last] reminder{paid=false}. Bill {invoice_number}[ for the {product}|] is [overdue|open]. [Kindly send|We wait for] {amount} by {due_date}. {vendor}[, {phone}|].
{HELLO}¶attached [is|you find] our invoice {invoice_number} for the {product} ({amount}). It is due on {due_date}. [Our bank details have changed.|]¶{BYE}¶{name}¶{vendor,company}[¶{phone}|]
[Deposit|Down payment] of {amount} [arrived|came in]{paid=true} for the {product}, invoice {invoice_number}. The rest must be paid by {due_date}. {vendor}
[Electricity|Gas|Water|Phone] bill {invoice_number}¶Customer: {customer@person}¶{address}, {postal_code} {city}¶[Period {N}/{N4}|Meter {N}]¶[Net {NOT_amount}¶|]Tax {tax#}¶[Amount due|To be paid]: {amount}¶[Direct debit on|Due] {due_date}
[Paid in full|Settled|All paid]{paid=true}: {invoice_number}, {customer}, {amount}, [by bank transfer{payment_method=transfer}|in cash{payment_method=cash}|by card{payment_method=card}] on {date}.
[Still open|Not paid yet|Overdue]{paid=false}: {invoice_number}, {customer}, {amount}, due {due_date}. [Please chase.|]
{OTHERFIRST}, did we ever pay {vendor}? Invoice {invoice_number}, {amount}, [from|dated] {date}. [They say no money came in.{paid=false}|They called twice, still unpaid.{paid=false}] [Call {phone} please|]
[Expenses|Expense claim] {name}, {department}: [train to|hotel in] {city}, {date}, {amount}, [paid privately|by card{payment_method=card}].
[Donation|Gift] receipt: {name,customer}, {address}, {postal_code} {city}, gave {amount} on {date}[ by bank transfer{payment_method=transfer}| in cash{payment_method=cash}|]{paid=true}. {vendor,organizer}
[Parking|Library] fine {invoice_number}: {amount}, [car at|for] {address}, {date}, {time}. [Pay within {N} days|Pay by {due_date}] [by card{payment_method=card}|by bank transfer{payment_method=transfer}|].
[Item|Pos.] | [Qty|pcs] | [Price|each]¶{product} | {quantity} | {price#}¶[Freight|Shipping] | 1 | {shipping_cost#}¶[Sum|Total] | | {amount}¶[Invoice|Bill] {invoice_number}, {date}, {customer}
[Proforma|Credit note] {invoice_number}¶Supplier: {vendor}, {city}¶Buyer: {customer@company}¶Goods: {quantity} {product} at {price}¶Grand total {amount}[¶Discount {discount} % already taken off|]
[Account|Bank] statement {date}¶[Out|Debit]: {amount}, {vendor}, ref. {invoice_number}¶[In: {NOT_amount}|Balance: {NOT_amount}]
[Rent|Lease] account, {address}, {city}: {name} [owes|is behind with] {amount}{paid=false}[, since {date}|]. [Letter sent|Phoned {phone}].
[Insurance|Policy] {invoice_number}: {customer@person}, premium {amount}, [due|payable] {due_date}, [direct debit|card{payment_method=card}]. [Agent|Adviser]: {OTHER}, {phone}.
[Tax office|Treasury]: [refund|credit] of {tax} for {customer@person}, {city}, ref. {invoice_number}, [booked|issued] {date}.
{vendor} [sent|mailed] [us|me] a bill ({invoice_number}) over {amount} for {quantity} {product}. [Too much!|Fine by me.] {due_date} is the last day. {name@first}
[I've|I have] [just paid|settled]{paid=true} the {vendor} bill, {amount}, [cash{payment_method=cash}|with my card{payment_method=card}|by transfer{payment_method=transfer}]. [The number was|Ref.] {invoice_number}. {name@first}
[Checkout|Payment page]¶{product}¶Subtotal {price#}¶Tax {tax#}¶Shipping {shipping_cost#}¶You pay {amount}¶[Pay with card{payment_method=card}|PayPal{payment_method=paypal}|Bank transfer{payment_method=transfer}]
[Garage|Workshop] bill {invoice_number}, {date}¶{product} {price#}¶[labour|work] {NOT_price}¶[VAT|tax] {tax#}¶[sum|all in] {amount}¶{vendor}, tel. {phone}
"""

EVENTS = """
[Invitation|You are invited]: {event} of [the |]{company}, {date}, {venue}, {city}. [Please reply|RSVP] by {due_date} to {name}, {email}.
[Programme|Agenda]¶{time} [Welcome|Opening]¶{NOT_time} [Lunch|Break]¶{end_time} [End|Close]¶{event}, {date}, {venue}¶[Contact|Questions]: {phone}
[Lineup|Tonight]: {speakers} at {venue}, {city}. From {time}, {price}[ at the door|]. {category=concert}[Concert|Gig] ends [around|at] {end_time}.
{HELLO}¶the {event} is [on|confirmed for] {date}. [We meet|Meeting point:] {venue}, {time} sharp. [It should be over by|Ends] {end_time}. {attendees} have said yes so far.¶{BYE}¶{name,organizer@person}
[Save the date|Mark your calendar]: {event}, {date}, {city}. [In person only{online=false}|Livestream only, no hall{online=true}|]. [Fee|Ticket]: {price}. {website}
[Judo|Dance|Chess] every {WEEKDAY}, {time} to {end_time}, {venue}. [Ask for|Teacher:] {name@first}, {phone}. [{price} per session|].
[team meeting{category=meeting}|jour fixe{category=meeting}|standup{category=meeting}] moved to {date}, {time}, {venue} ([was|not] {NOT_time}). dial-in{online=true}: {website}. {name,organizer@first}
[The conference|The congress]{category=conference} {event} [brings|draws] {attendees} [researchers|visitors] to {city} [on|from] {date}. Keynotes: {speakers}. [Early fee|Fee] {price} until {due_date}.
[There's a party|We throw a party]{category=party} on {date}! {address}, {city}, from {time}. [BYO|Bring cake]. {name@first}, {phone}
[Hands-on workshop|Two-day workshop]{category=workshop}: {event}. {date}, {venue}, {city}. Max. {attendees} people, {price} each. {name,organizer@person}
[On|This] {WEEKDAY}, {date}: {event}. [Where|Place]: {venue}. [When|Start]: {time}. [Cost|Admission]: [{price}|nothing]. [Who asks|Run by] {organizer}.
{event} ([hosted|put on] by {organizer}) [sold out|is full]: {attendees} tickets gone for {date}. [Extra night|Second show] {NOT_date}. {venue}, {city}.
{HELLO}¶[is|would] {venue} [free|be free] on {date}? It's for a {event}, {attendees} [heads|persons], {time} till {end_time}. [We can pay|Budget:] {amount}.¶{BYE}¶{name}[, {phone}|, {email}|]
[Doctor|Dentist|Hairdresser|Physio] [slot|visit]: {WEEKDAY} {date}, {time}, with {organizer,name@person}, {address}. [Bring your card|Cancel on] {phone}
[Virtual|Zoom|Remote] {event}{online=true}: log in from {time} on {date}. [Moderated by|Speaker:] {speakers@one}, {job_title}. [Seat|Fee] {price}. {email}
Log {date}¶[{OTHERFIRST} opens the meeting|All present]¶* [spend|cost of the] {THING}: {amount}¶* [gather again|meet next] {NOT_date}, {venue}
[In|At] {venue} [tonight|on {WEEKDAY}]: {speakers@one} of {company} [speaks|talks] about "{event}". {time}. [Bring friends|Snacks after].
{organizer} [presents|proudly presents] {event}, {date}, {venue}, {city}. Curtain up {time}. Seats [from|at] {price}.
[Brass band|Orchestra|Choir] [plays|sings]{category=concert} {date}, {time}, {venue} ({city}). [Seats|Chairs] {price}. [Info|Ask] {name@first}: {email}
[can't make it|not coming] to the {event} today, [train stuck|baby ill]. [How about|maybe] {WEEKDAY} {time}, {address}? {name@first}
[Debate|Round table]: "{event}". [On stage|Guests]: {speakers}. {venue}, {city}, {date}, {time}. [{price}|No fee].
Bus [tour|trip] to {city}, {date}: {price} a seat, {attendees} [seats taken|on the list]. Pay {name} before {due_date}. {email}
[Delay|New time]: departure {city} {time}, [earlier planned|instead] {NOT_time}, {date}. [Booked for|Traveller] {name}. [Coach|Gate] {N}.
[Booked|Confirmed]: {name@first}, {job_title}, {date} {time}, {venue}, {city}. [We hold a deposit of {amount}{paid=true}|].
[Show|Exhibition] of [prints|pots] by {name}, {venue}. [Party|{event}] on {date} from {time}, runs to {due_date}. [Tickets {price}|Free].
[Swim|Run|Sing] with {name@first} [daily|each {WEEKDAY}], {time}. [Meet|Start] at {venue}, {city}. [Donation|Fee] {price}, {phone}
[Road|Hall|Pool] closed {date} from {time}: {event}, [about|some] {attendees} [runners|visitors] [expected|due].
[Final|Kick-off|Match] {date}, {time}: {city} against {NOT_city}, {venue}. [Tickets|Standing] {price}. [{attendees} fans expected|].
[Wedding|Anniversary] of {name} and {OTHER}: church {time}, dinner {NOT_time}. {date}, {venue}, {city}. [Answer|Reply] by {due_date}, {email}
[Training|Induction] for {department}: {date}, {time} to {end_time}, {venue}. Trainer {speakers@one}. [Max {attendees}|{attendees} signed on]. [Questions to|Ask] {name}.
{name} [added|moved] "{event}" [to the calendar|in the calendar]: {date}, {time} - {end_time}, {venue}. [Invited: {attendees}|Link: {website}{online=true}]
[Fire drill|Inspection] on {date}, [about|at] {time}. Assemble: {venue}. [In charge|Officer]: {name}, {phone}.
[Hope|Trust] you can come to our {event}! [It's|That's] {WEEKDAY} {date} at {address}, {city}, [doors|gate] {time}. [Text|Ring] {phone}. {name@first}
"""

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
"""

SCENES = {"person": PEOPLE, "order": ORDERS, "invoice": INVOICES, "event": EVENTS, "product": PRODUCTS}
