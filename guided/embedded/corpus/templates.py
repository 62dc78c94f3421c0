"""Sentence templates for five kinds of text, one a line.

`{field}` is a value of that field and states it. `[a|b]` is a choice. `{S}`/`{s}` is She/He, `{P}`/`{p}` Her/His,
`{FIRST}` and `{LAST}` parts of the main person's name, `{OTHER}` somebody else's name, `{NUMBER}` an unrelated number. A line that starts
with `field=value:` is used only when the field has that value, which the sentence then states. "opening" lines start a
text; "detail" lines follow in any order. Every 6th line of each list is held out for testing (`documents.py`).
"""

from __future__ import annotations

PERSON_OPENINGS = """
{name} is a {age}-year-old {job_title} from {city}.
{name}, {age}, works as a {job_title} [at|for] {company}.
{name} [lives|has lived for years] in {city}[| and works as a {job_title}].
My name is {name}[| and I am {age} years old| and I live in {city}].
Please add {name} to the [contact list|directory|database].
[New|Updated] contact: {name}, {email}.
{name} [joined|started at] {company} as a {job_title} [last year|in spring|two months ago].
[Yesterday|Last week|This morning] I [met|spoke with|talked to] {name}[| from {company}|, who works at {company}|, a {job_title} from {city}].
You can [reach|contact] {name} [at|under|via] {email}[| or {phone}| or by phone at {phone}].
{name} ({job_title}, {company}) will be [our|your] new contact person.
Our new colleague in {city} is [called|named] {name}.
This is {name} [from|of] {company}.
I am writing to introduce {name}, [our|the new] {job_title} [at|of] {company}.
[Meet|Introducing] {name}: {job_title}, based in {city}.
{name} was born [on|in {city} on] {birth_date}.
We [are pleased|are happy|are delighted] to welcome {name}, who joins [us|the team] as {job_title}.
{city}-based {job_title} {name} [has|brings] {years_experience} years of experience.
Hello, I'm {name} from {city}[|, {country}].
At the age of {age}, {name} [moved to|settled in] {city}[|, {country}].
The [candidate|applicant] is {name}, [aged {age}|{age} years old|a {job_title}].
{name} - {job_title} at {company} - can be called at {phone}.
Call {name} [at|on] {phone}.
Dr. {name} [is|works as] a {job_title} [in|based in] {city}.
In {city} lives a {job_title} [named|called|by the name of] {name}.
Name's {name}, I'm a {job_title} [in|from] {city}.
Patient {name}, {age} years old, [lives at|address] {address}, {city}.
The {job_title} at {company}[| in {city}] is {name}.
Here are the details [of|for] {name}[|, our {job_title}].
{company} has [hired|appointed|promoted] {name} as [its new|the new|its] {job_title}.
{name} [applied|is applying] for the [position|job] of {job_title}.
Please welcome {name} from [our|the] {department} department.
[Ms.|Mr.|Mrs.] {name} [lives|works|is based] in {city}.
[Our|The] [client|guest|member|tenant|student] {name} is {age} years old [and lives|and comes from|, home town:] {city}.
[I am|I'm] {name}, {job_title}[| at {company}| from {city}].
[Last night|On Friday] we had dinner with {name}, a {job_title} [at|with] {company}.
{name} from {company} [called|wrote|asked us to call back].
[Speaker|Guest|Author|Expert]: {name}, {job_title} at {company}.
[Prof.|Dr.|Ms.|Mr.] {name} [can be reached|is available] at {email}.
{name}, [{age} years old|aged {age}], {job_title}, {city}.
[The new|A new] employee [in the {department} team|in {department}] is {name}.
[After ten years abroad|Since last summer], {name} lives in {city}[| again].
[Say hello to|Get to know] {name}, [our|the] {job_title} in {city}.
[For|About] {name}: {age} years, {city}, {country}.
Ask for {name} when you [ring|call] {phone}[|, that is our {job_title}].
I got your name from {name}, who [is a {job_title}|lives] in {city}.
{name} here[|, {age}, from {city}|, {job_title} by trade].
Quick note [on|about] {name}: {job_title}, {company}, {email}.
The person responsible is {name}[|, {email}|, whose number is {phone}].
If you need a {job_title}, try {name}[| in {city}|, {phone}].
When {name} turned {age}, the family moved to {city}.
Did you know that {name} [now works for {company}|has moved to {city}|became a {job_title}]?
Forward this to {name} at {company}, please.
{company} is represented by {name}[|, {job_title}|, who sits in {city}].
Met at the fair: {name} ({company}), {email}.
Since {s} was a child, {name} has wanted to be a {job_title}.
As a {job_title}, {name} travels a lot between {city} and the coast.
{OTHER} recommended {name}, a {job_title} [who lives in|from] {city}.
Application received from {name}, born {birth_date}[|, {city}].
Hey, could you save this number? {name}, {phone}.
{age} years old and full of plans: {name} from {city}.
Signed, {name}[|, {job_title}|, {company}|, {city}].
A big hand for {name}, [our|the] {job_title} [of the year|of the month]!
I, {name}, [live at|residing at] {address}, {city}, hereby apply.
We have [hired|found] a {job_title}: {name}, {age}.
The interview was with {name}[| of {company}|, who is {age}|, a {job_title}].
Member profile: {name}[|, {city}|, {country}].
Working out of {city}, {name} [designs|builds|fixes] things as a {job_title}.
According to the register, {name} lives at {address} in {city}.
Name of the applicant is {name}, and the place of residence is {city}.
To my neighbour {name}, who is {age} today!
This form was filled in by {name}[|, {email}|, {phone}].
My boss is {name}, {job_title} at {company}.
{name} wrote to us from {city}[|, {country}].
[Mr.|Ms.|Mrs.|Dr.] {name} is [our|the|their] {job_title}[| in {city}|, tel. {phone}|, mail {email}].
{name} [/|-|,|;] {job_title} [/|-|,|;] {company}
{name}, {city}[|, {country}]
{job_title}: {name}[|, {age}|, {city}|, {phone}]
[contact|new contact|lead|guest|applicant]: {name}[| ({company})| ({city})| - {email}| - {phone}]
[Today|On Monday|At noon] {name} [called|phoned|rang] from {city}[| and left the number {phone}].
[The|A] mail from {name} [came|arrived], the address is {email}.
A {age}-year-old called {name} has applied as a {job_title}.
{OTHER} introduced me to {name}[|, who works for {company}|, the {job_title} of {company}|, a {job_title}].
{name} has been our {job_title} [since spring|for some time][|, and sits in {city}].
[Since|From] Monday on {name} [works|will work] for {company} as a {job_title}.
{name} (born {birth_date}) [lives|has a house] in {city}.
{name} - {age} - {city}
[Is|Was] {name} [still|now] with {company}? [I think so.|Yes.]
The guest is called {name} and comes from {city}.
[We|I] would like to thank {name}[| of {company}|, our {job_title}| from {city}].
There is a {job_title} in {city}, {name}, who [can help us|knows the answer].
{name}, {job_title}, {address}, {postal_code} {city}
[Everyone|Anyone] who needs help can ask {name}[|, {phone}|, {email}|, our {job_title}].
[Born|Raised] in {city}, {name} [became|is] a {job_title}.
Not many people know {name}, a {job_title} from {city}.
{email} belongs to {name}[|, the {job_title}| of {company}].
{phone} is [the number|the phone] of {name}[| from {company}].
For {company}, {name} is in [charge|town], a {job_title} from {city}.
[Good|Great] news: {name} [is joining|joins] {company}[| as a {job_title}].
How about [inviting|asking] {name}? [The address is {email}.|The number is {phone}.|A good {job_title}.]
The {company} people sent {name}[|, {age}|, a {job_title}].
I'm [writing|calling] because of {name}, your {job_title}[| in {city}].
Let me tell you about {name}, who at {age} [is|works as] a {job_title}.
{name}'s [job|profession] is {job_title}.
{name}'s [email|e-mail] is {email}[| and the phone number is {phone}].
[Customer|Patient|Visitor] no. {NUMBER}: {name}, {address}, {city}.
Registered: {name}, {birth_date}, {city}.
{city} has a new {job_title}: {name}.
Under {phone} you get {name}[| of {company}|, {job_title}].
[Talk|Speak|Write] to {name}[| at {company}| in {city}], the {job_title}.
Our team in {city} [got|has] a new member, {name}[|, {age}].
[The winner|The author|The buyer|The driver] is {name}[|, {age},| ({age})] from {city}.
{department} [is headed|is run] by {name}[| at {company}].
{name} of the {department} department [has|uses] the address {email}.
"""

PERSON_DETAILS = """
{S} is {age} years old.
{S} is {age}.
At {age}, {s} is [still|already] very active.
{S} turned {age} [this year|last month|in spring].
{FIRST} is {age} years old[| now].
{P} age is {age}.
{S} [lives|is based|resides] in {city}.
{S} [lives|is living] in {city}, {country}.
{P} home is in {city}.
{FIRST} [moved|recently moved] to {city}.
{S} comes from {city}[| in {country}].
{S} is originally from {country}.
{P} home country is {country}.
{S} was born in {country}.
{S} [was born|celebrates a birthday] on {birth_date}.
Date of birth: {birth_date}.
{P} birthday is {birth_date}.
{FIRST} was born on {birth_date}.
{S} works [at|for] {company}[| as a {job_title}].
{S} is [employed|working] at {company}.
{P} [employer|company] is {company}.
{FIRST} works for {company} in {city}.
At {company}, {s} [leads|is part of|belongs to] the {department} department.
{S} works in {department}[| at {company}].
{S} is [a member|head|part] of the {department} team.
By profession {s} is a {job_title}.
{S} works as a {job_title}[| at {company}].
{P} job title is {job_title}.
{FIRST} is employed as a {job_title}.
{S} is now the {job_title} [of|at] {company}.
[You can reach|Reach|Contact] [her|him|{FIRST}] at {email}[| or call {phone}| or {phone}].
{P} [email|e-mail|email address|mail address] is {email}.
[Emails|Mail] should [go|be sent] to {email}.
[Write|Send an email|Send a message] to {email}[| for details| to get in touch].
Email: {email}.
You can email {FIRST} at {email}, or [call|ring|phone] {phone}.
{P} [phone|phone number|mobile number|number|telephone number] is {phone}.
[Call|Phone|Ring] {phone} [to reach [her|him]|for questions|if it is urgent].
{S} can be [reached|called] [on|at|under] {phone}.
Phone: {phone}.
{S} [asked us to|asks to] call [back at|at] {phone}.
Tel. {phone}, email {email}.
{P} address is {address}, {city}.
{S} lives at {address}[, {postal_code} {city}|, {city} {postal_code}| in {city}|, {city}].
[Mail|Letters|Post] can be sent to {address}, {postal_code} {city}.
The [postal|zip|post] code is {postal_code}.
{S} moved to {address} in {city}.
{P} [website|web page|site] is {website}.
More [about [her|him]|information] [at|on] {website}.
{S} runs a blog at {website}.
{S} has {years_experience} years of [experience|professional experience].
{S} brings {years_experience} years of experience [with [her|him]|to the job].
{FIRST} has worked in the field for {years_experience} years.
{S} has been doing this job for {years_experience} years.
{S} earns {salary} [a year|per year|annually].
{P} [salary|annual salary|yearly pay] is {salary}.
The position pays {salary} [a year|per year].
{S} [asks for|expects] a salary of {salary}.
{S} speaks {languages}.
{S} is fluent in {languages}.
{P} languages are {languages}.
{FIRST} speaks {languages}.
{S} can [talk|write] to clients in {languages}.
{S} [is skilled in|is good at|knows] {skills}.
{P} [skills|main skills|strengths] [are|include] {skills}.
Skills: {skills}.
{S} has experience [in|with] {skills}.
{FIRST} is an expert in {skills}.
In {p} [free time|spare time], {s} [enjoys|likes|loves] {hobbies}.
{P} hobbies are {hobbies}.
{S} [enjoys|likes|loves] {hobbies} [in [her|his] free time|on weekends|after work].
When not working, {FIRST} enjoys {hobbies}.
After work {s} spends {p} time with {hobbies}.
married=true: {S} is married[| with two children| and has a son].
married=true: {S} lives with {p} [wife|husband] and [two children|a dog].
married=true: {S} [got married|married] [last year|in 2019|ten years ago].
married=true: {FIRST} is married to {OTHER}.
married=true: {P} [husband|wife] {OTHER} works nearby.
married=false: {S} is single.
married=false: {S} is not married.
married=false: {S} is unmarried[| and lives alone].
married=false: {FIRST} has never married.
[Her|His] home address is {address} in {city}.
{S} lives in {postal_code} {city}[, {address}|].
Address: {address}, {city} {postal_code}.
{S} can be found at {address}, {postal_code} {city}, {country}.
[Drop|Send] [her|him] a line at {email}[|, or call {phone}].
{P} direct line is {phone}[|, mail goes to {email}].
The best number is {phone}.
[Tel|Phone|Mobile] {phone}, [mail|e-mail] {email}.
{FIRST} [runs|leads|manages] the {department} department [at|of] {company}.
{S} has been with {company} for {years_experience} years.
{S} [grew up|was raised|spent years] in {country}.
[Besides|Apart from] [English|work], {s} speaks {languages}.
{S} [likes|enjoys] {hobbies} [very much|a lot].
[Strong|Good] at {skills}.
{FIRST} is a {age}-year-old {job_title}.
{S} [just turned|will soon turn|is about to turn] {age}.
Age: {age}. City: {city}.
Born {birth_date}[| in {city}].
married=true: {S} and {p} [wife|husband] [have|own] a house.
married=true: Marital status: married.
married=false: Marital status: single.
married=false: {S} lives alone and is not married.
{S} gets {salary} [per year|a year][| at {company}].
[Visit|See] {website} for {p} work.
Being {age}, {s} [feels young|has seen a lot].
Now {age} years old, {FIRST} lives in {city}.
Although {s} is only {age}, {s} has worked as a {job_title} for {years_experience} years.
On {birth_date}, {FIRST} was born in {city}.
{P} parents, who come from {country}, named [her|him] {FIRST}.
How old? {age}. Where from? {city}.
{S} will be {age} this year and lives in {city}.
{S} has a flat in {city}, [not far from the station|near the river].
Home is {city}[|, {country}|, {address}].
For the last years {city} has been {p} home.
You will find [her|him] in {city}, where {s} works for {company}.
{S} left {country} [as a child|years ago] and now lives in {city}.
{P} family is from {country}.
{country} is where {s} grew up.
A native of {country}, {s} speaks {languages}.
{S} holds a passport of {country}.
{P} passport was issued in {country}.
{P} job: {job_title}. {P} employer: {company}.
At work {s} is a {job_title} [and reports to {OTHER}|in the {department} department].
What does {s} do? {S} is a {job_title}.
{company} pays [her|him] {salary} a year.
{company} employs [her|him] as a {job_title}.
{company} made [her|him] {job_title} [in spring|two years ago].
Before lunch {s} is usually at {company}, {address}, {city}.
{P} boss at {company} is {OTHER}.
I know that {s} works for {company}.
{OTHER} says that {s} is now with {company}.
{S} joined {company} after {years_experience} years in the business.
Ten colleagues work with [her|him] in {department}.
The {department} team is [led|run] by {FIRST}.
{S} was moved from another team to {department}.
{P} desk is in {department}, on the second floor.
With a yearly income of {salary}, {s} can afford the flat.
We offered [her|him] {salary} a year.
{S} would start for {salary} per year.
Salary expectations: {salary}.
{salary} a year is what {s} [makes|earns].
{S} can look back on {years_experience} years in the job.
After {years_experience} years as a {job_title}, {s} knows every trick.
[It has been|These were] {years_experience} years since {s} became a {job_title}.
Work experience: {years_experience} years.
{P} inbox is {email}.
{email} is {p} address[|, {phone} {p} number].
If you want to write, use {email}; if you want to call, use {phone}.
Should anything come up, {s} answers mails sent to {email}.
Best way to get in touch: {email}.
I always write to {email}, never to the office.
{S} left a number: {phone}.
{phone} is the number of {p} [mobile|office|desk].
Dial {phone} and ask for {FIRST}.
My colleague reached [her|him] on {phone} this morning.
{S} picks up the phone at {phone} until five.
Text me at {phone}[| or write to {email}].
No answer by mail? Then try {phone}.
Please note the new number {phone} and the new address {address}, {city}.
The flat is at {address}, {postal_code} {city}.
{address} in {city} is where {s} lives.
{P} letters go to {address}, {postal_code} {city}.
Parcels reach [her|him] at {address}, {city}, {country}.
{city} has the postal code {postal_code}[|, {p} street is {address}].
The code for {p} part of town is {postal_code}.
{FIRST} has put everything on {website}.
On {website} {s} shows {p} work.
Have a look at {website}, that is {p} page.
{P} portfolio ({website}) is worth a visit.
Nobody knows {skills} better than {FIRST}.
What {s} does best: {skills}.
The course taught [her|him] {skills}.
We need somebody for {skills}, and {s} can do that.
{S} learned {skills} [at university|on the job].
Besides {skills}, {s} has no special training.
{languages} [are|is] spoken at {p} home.
{S} answers calls in {languages}.
In meetings {s} uses {languages}.
{S} learned {languages} at school.
You can talk to [her|him] in {languages}.
On Sundays {s} is busy with {hobbies}.
What {s} likes most is {hobbies}.
{hobbies}: that is how {s} relaxes.
{P} weekends are full of {hobbies}.
{P} favourite pastimes are {hobbies}.
As a student {s} discovered {hobbies}, and never stopped.
married=true: {P} [wife|husband] is called {OTHER}.
married=true: {S} has been married [for years|since spring].
married=true: Together with {p} [wife|husband] {s} bought a house.
married=true: Is {s} married? Yes.
married=true: {S} and {OTHER} are husband and wife.
married=true: The wedding was [last year|in May], so {s} is married now.
married=false: {S} has no [wife|husband].
married=false: Is {s} married? No.
married=false: {S} is still single.
married=false: {S} says that {s} will never marry.
married=false: {S} is engaged but not married yet.
Surname {last_name}, first name {first_name}.
{P} first name is {first_name}, {p} last name {last_name}.
The surname is spelled {last_name}.
Friends call [her|him] {first_name}.
{S} signs as {name}.
Full name for the badge: {name}.
[Age|Years]: {age} / Job: {job_title} / City: {city}
job {job_title}, firm {company}, town {city}
born {birth_date}, lives in {city}, {country}
{phone} (mobile), {email} (mail), {website} (web)
{S}'s {age}, a {job_title}, and lives in {city}.
A {job_title} of {age}, {s} came to {city} last year.
I think {s} is {age}.
The records give {birth_date} as the date of birth.
{P} birthday, {birth_date}, is celebrated with friends.
Every year on {birth_date} {s} throws a party.
At {company} they pay [her|him] {salary}, and {s} is happy in {department}.
{S} commutes to {city}, where {company} has its office.
{S} is reachable by mail ({email}) and by phone ({phone}).
Would you please send the papers to {address}, {postal_code} {city}?
One more thing: {p} e-mail has changed to {email}.
PS: {p} number is {phone}.
{OTHER} thinks that {s} is about {age}.
Known for {skills}, {s} was hired by {company}.
{S} studied abroad, speaks {languages} and loves {hobbies}.
{city} is [where|the town where] {s} [lives|works|stays].
{S} [stays|works|studies] in {city} [these days|at present].
{country} is {p} home.
{P} roots are in {country}.
[At|In] {company} {s} is [responsible for|in] {department}.
{department} is {p} department[| at {company}].
{company} is {p} [employer|firm].
{S} [left|changed] the old firm and is with {company} now.
{S} is on the payroll of {company}.
{P} [present|new] job: {job_title} [at|with] {company}.
{job_title} is {p} [job|trade|profession].
[Trained|Hired] as a {job_title}, {s} [loves the work|works hard].
{S} was [made|named|hired as] {job_title}.
{P} work as a {job_title} [keeps [her|him] busy|is fun].
[For|Over] {years_experience} years {s} has [done this|worked as a {job_title}].
{years_experience} years in the [job|trade] [lie behind [her|him]|taught [her|him] a lot].
{P} age in years: {age}
{age} years old, {s} [still studies|lives alone|has time].
{S} was born {age} years ago in {country}.
{FIRST} ([age|aged] {age}) is a {job_title}.
{birth_date} is {p} [birthday|date of birth].
{S} has {p} birthday on {birth_date}.
{P} pay is {salary}[| a year| per year].
For {salary} a year {s} [signed|took the job].
The firm pays {salary}[| per year].
{S} makes {salary} a year.
{S} will answer at {email}.
{S} [reads|checks] {email} [every day|twice a day].
Contact by [mail|e-mail] ({email}) [is best|works best].
mail {email}, phone {phone}
{S} [gave|left] us {phone} and {email}.
{P} [office|private] number: {phone}.
[On|Under] {phone} {s} can be [called|reached].
The number to call is {phone}.
{P} house is at {address}[|, {city}|, {postal_code} {city}].
{address} is {p} [street|address].
{S} [rents|owns] a [flat|house] at {address}, {city}.
Send [it|the contract|flowers] to {address}, {city}.
{postal_code} is {p} [zip|postal] code.
{website} is {p} [page|site|homepage].
{S} writes on {website}.
{S} has mastered {skills}.
{S} is [trained|experienced] in {skills}.
Strong points: {skills}.
{P} CV lists {skills}.
{S} has a good command of {languages}.
{P} mother tongue is not English; {s} speaks {languages}.
Spoken at home: {languages}.
{S} spends the evenings with {hobbies}.
{S} is [keen on|fond of|mad about] {hobbies}.
{hobbies} [is|are] what {s} does for fun.
married=true: {S} is a married [woman|man].
married=true: {P} [wife|husband], {OTHER}, [answered the phone|sends regards].
married=true: {S} and {p} [wife|husband] live together.
married=false: {S} is [a bachelor|unmarried|single] and [lives with {p} parents|has a cat].
married=false: There is no [wife|husband].
married=false: {S} [was never|is not] married.
"""

ORDER_OPENINGS = """
{customer} [ordered|has ordered|bought] {quantity} {product} [for|at] {price} each.
Order {order_id} [was placed|was made|came in] on {order_date}[| by {customer}].
Order {order_id}: {quantity} x {product}, {price} each.
[New|Incoming] order [#|no. |number |]{order_id} from {customer}.
[Thank you|Thanks] for your order {order_id}[| of {order_date}|, {customer}].
Dear {customer}, [we received|thank you for|we confirm] your order [#|no. |]{order_id}.
[Your|The] order {order_id} [for|of] {quantity} {product} [has been received|is confirmed].
On {order_date}, {customer} [ordered|bought|purchased] [a {product}|{quantity} {product}|{items}].
Hi, I would like to order {quantity} {product}.
I [ordered|bought|purchased] a {product} on {order_date}[| for {price}].
We [received|got] an order from {customer} for {quantity} units of {product}.
Purchase order {order_id} from {customer} [covers|lists|is for] {items}.
{customer} [placed|made|has placed] an order on {order_date}.
The customer [is|is called] {customer}, [order|order number] {order_id}.
Please [send|ship|deliver] {quantity} {product} to {customer}.
{customer} [wants|would like|needs|asks for] {quantity} {product}.
Order confirmation [no. |#|]{order_id}, dated {order_date}.
{quantity} {product} were ordered by {customer} on {order_date}.
Receipt for order {order_id}: {items}.
[My|Our] order number is {order_id} and I [ordered|bought] [a {product}|{quantity} {product}].
Regarding order {order_id} [from|by|for] {customer}:
A new order came in from {customer}[|: {quantity} x {product}|: {quantity} pieces of {product} at {price}].
{customer} from {city} [ordered|bought] {quantity} {product} on {order_date}.
Please process the order of {customer}: {quantity} {product}.
Order placed by {customer}, reference {order_id}.
[Hello|Hi|Good morning], [this is|here is] {customer}. [We|I] [ordered|need|would like] {quantity} {product}.
[Order|Purchase] of {order_date}: {quantity} {product} for {customer}.
{customer} [has just ordered|just bought|bought] {quantity} {product} [from us|in our shop].
[Dear|Hello] {customer}, your {product} [is|will be] on its way soon.
[Last week|Yesterday|Today] {customer} ordered {items}.
[We confirm|This confirms] the order of {quantity} {product} [at|for] {price} each.
No. {order_id}: {customer}, {quantity} {product}.
[Order|Ref.] {order_id} / {customer} / {quantity} x {product}.
[Another|One more] order for {product}: {quantity} pieces, {price} each.
[Your|My|The] order {order_id} from {order_date} [includes|lists|has] {items}.
Could you [please |]send {quantity} {product} to {address}, {city}?
{customer} here. We placed order {order_id} on {order_date}.
Order {order_id} belongs to {customer}.
For {customer}: {items}.
What happened to order {order_id}? I ordered [a {product}|{quantity} {product}] on {order_date}.
A parcel for {customer} with {items} is ready.
We have noted your order of {quantity} {product}[|, {customer}|, number {order_id}].
{quantity} {product}, please, for {customer} in {city}.
On behalf of {customer} I am ordering {quantity} {product}.
From our shop {customer} picked {items}.
Number {order_id} is an order by {customer} for {quantity} {product} at {price} each.
The {product} that {customer} ordered on {order_date} [costs|cost] {price}.
Looking at order {order_id}, I see {quantity} {product}.
{order_date}: {customer} orders {items}.
Customer {customer} bought {items} [online|by phone|in the shop].
My name is {customer} and I am waiting for my {product}.
In order {order_id}, {customer} asked for {quantity} {product}.
{order_id} - {customer} - {items}
We are pleased to confirm, {customer}, that your order {order_id} was received on {order_date}.
Yesterday's order came from {customer}: {items}.
Somebody called {customer} wants {quantity} {product} for {price} apiece.
Sales note: {quantity} {product} to {customer}, ordered {order_date}.
Hi, it's {customer}. Could I get {quantity} {product}?
There is a new request for {quantity} {product} from {customer}.
I'd like {items}, please. [Regards|Thanks], {customer}
Under the number {order_id} we booked {quantity} {product} for {customer}.
To {customer}, order {order_id}.
{customer}, {quantity} x {product}, {price}
[order|ord.|po|no.] {order_id}[,|:|;| -] {customer}[,|;| -] {items}
{order_id}: {quantity} {product}[| to {customer}| for {customer}| ({customer})].
[Please|Kindly] [note|book|enter] the following order of {customer}: {items}.
{customer} [rang|called|phoned] and [wants|ordered] {quantity} {product}.
We have [an order|a request] of {customer} [over|for] {quantity} {product}[| at {price} each|, number {order_id}].
The [buyer|client], {customer}, [chose|took|picked] {quantity} {product}.
I am {customer} and [I|we] [ordered|bought] {items}[| on {order_date}].
[Hi|Hello], {customer} [speaking|writing]. [Where is|What about] our order {order_id}?
On {order_date} we [took|got|noted] an order from {customer}.
{quantity} {product} [have been|were] [sold|promised|offered] to {customer}[| on {order_date}| for {price} each].
Your {product}, {customer}, [can be sent|is packed|is being made].
[Our|A] customer {customer} [needs|asked for|is waiting for] {items}.
A {product} [for|at] {price} was [ordered|bought] by {customer}.
[Can|Could] [I|we] get {quantity} of your {product}? [Yours|Regards], {customer}
{items}: ordered by {customer}[| on {order_date}| under {order_id}].
With order {order_id}, {customer} [buys|gets|wants] {items}.
{order_id} was [opened|created|entered] for {customer}[| on {order_date}].
Hello {customer}, we [have|got] your order of {quantity} {product}.
Hello {customer}, about {order_id}: the {product} [is|are] [ready|here].
The {quantity} {product} [go|are going] to {customer}[| in {city}].
{customer} in {city} [bought|has bought|wants to buy] {quantity} {product}.
We [want|need|would like] {quantity} {product} at {price} apiece. {customer}
{price} each, {quantity} {product}: that is [what|the order that] {customer} [placed|signed].
It is about order {order_id}, {quantity} {product} for {customer}.
[Dear team|Dear shop], please [reserve|keep|send us] {items}. {customer}
The shop [sold|has sold] {quantity} {product} to {customer} on {order_date}.
New in the system: {order_id}, {customer}.
Order of the day: {items} for {customer}.
When {customer} ordered {quantity} {product} on {order_date}, the price was {price}.
{customer} says that nobody [ever got|has seen] order {order_id}.
As {customer} [told|wrote] us, {quantity} {product} [are|is] needed.
Delivery note {order_id}: {quantity} {product}, recipient {customer}.
Packing list for {customer}: {items}.
{order_date}, {order_id}, {customer}
Sold: {quantity} {product}, {price} each, buyer {customer}.
"""

ORDER_DETAILS = """
The order number is {order_id}.
[Order|Reference] [number|no.|ID]: {order_id}.
[Please quote|Please use|Quote] order {order_id} [in all messages|when you write to us].
It [has|carries|got] the order number {order_id}.
The order was placed on {order_date}.
[It|This order] was made on {order_date}.
Order date: {order_date}.
We [received|got] it on {order_date}.
The [item|product] is a {product}.
The order [is for|contains|includes] {quantity} {product}.
{quantity} [pieces|units] of {product} were ordered.
The order [contains|includes|lists] {items}.
Items: {items}.
[In the box|In the parcel] are {items}.
[They|The customer] ordered {items}.
The quantity is {quantity}.
Each [one|unit|piece] costs {price}.
The [unit price|price per unit|price per piece|price] is {price}.
[One|A single piece] costs {price}, the [whole order|total] {amount}.
Unit price: {price}.
The price was {price} [apiece|each].
The [total|total amount|sum|order total] [is|comes to|was] {amount}[|, including shipping].
Total: {amount}.
[That makes|This makes|That comes to] {amount} in total.
The customer [paid|will pay|pays] {amount} [altogether|in total].
We charged {amount} [for everything|in total].
Shipping [costs|is|was] {shipping_cost}.
[A shipping fee|Shipping] of {shipping_cost} [was added|is included|applies].
Delivery costs {shipping_cost} [extra|on top].
Plus {shipping_cost} for shipping.
A discount of {discount}% [was applied|applies|has been granted].
[You get|The customer gets|We gave] {discount}% off.
With the voucher the price drops by {discount} percent.
There is a {discount}% discount on [this order|everything].
It [will arrive|should arrive|will be delivered|is due] [on|by] {delivery_date}.
[Delivery|The delivery] is [planned|scheduled|expected] for {delivery_date}.
Expected delivery: {delivery_date}.
The [parcel|package] should [be there|reach you] by {delivery_date}.
The [shipping|delivery] address is {address}, {city}.
[Ship|Deliver|Send] [it|everything|the order] to {address}[, {postal_code} {city}|, {city}| in {city}].
[Deliver|Ship] to: {address}, {city} {postal_code}.
The parcel goes to {address}, {postal_code} {city}, {country}.
The customer lives in {city}.
[Questions|Updates|The confirmation] [go|goes|should go] to {email}.
[Customer contact|Contact]: {email}, {phone}.
The customer can be reached at {phone}.
[Send|Mail] the [receipt|confirmation] to {email}.
If there are problems, call {phone}.
status=pending: The order is [still pending|pending|waiting for confirmation].
status=pending: It has not been [processed|shipped] yet.
status=pending: Nothing has been sent so far.
status=pending: Status: pending.
status=pending: We are still [working on it|preparing it].
status=pending: The order is being prepared.
status=shipped: [It|The order|The parcel] [has been shipped|was shipped|has shipped|is on its way].
status=shipped: The package left our warehouse [yesterday|this morning|today].
status=shipped: [It|The parcel] was [sent out|handed to the courier] [yesterday|this morning|on Monday].
status=shipped: Status: shipped.
status=shipped: The goods are [in transit|on the way].
status=shipped: Everything [shipped|was dispatched] [today|yesterday].
status=delivered: [It|The order|The parcel] [has been delivered|was delivered|arrived] [|yesterday|this morning|safely].
status=delivered: The customer [has received|received] [it|everything|the parcel].
status=delivered: Status: delivered.
status=delivered: The parcel has [arrived|reached the customer].
status=delivered: It arrived [on time|in good shape|two days ago].
status=delivered: The delivery was [completed|successful].
status=cancelled: The order [was cancelled|has been cancelled|is cancelled].
status=cancelled: [The customer|They] cancelled [it|the order] [|yesterday|later].
status=cancelled: Status: cancelled.
status=cancelled: Unfortunately [it|the order] had to be cancelled.
status=cancelled: Please cancel [it|this order|the order].
status=cancelled: The order was called off[| by the customer].
payment_method=card: [Payment was made|It was paid|The customer paid] by [credit card|card|debit card].
payment_method=card: [A credit card|A card|A Visa card] was [used|charged].
payment_method=card: Payment: credit card.
payment_method=card: I [paid|will pay] with my [credit card|card].
payment_method=cash: [Payment was made|It was paid|The customer paid|The customer pays] in cash.
payment_method=cash: Payment: cash[| on delivery].
payment_method=cash: [They|The customer] will pay cash[| on delivery].
payment_method=cash: I [paid|will pay] [in cash|cash].
payment_method=transfer: [Payment was made|It was paid|The customer paid] by [bank transfer|wire transfer|transfer].
payment_method=transfer: The money was [transferred|wired] [to our account|from the bank].
payment_method=transfer: Payment: bank transfer.
payment_method=transfer: I will [transfer|wire] the money.
payment_method=paypal: [Payment was made|It was paid|The customer paid] [with|via|through] PayPal.
payment_method=paypal: Payment: PayPal.
payment_method=paypal: [PayPal was used|They used PayPal] [for the payment|to pay].
payment_method=paypal: I paid [with|by|via] PayPal.
gift=true: It is a gift[|, so please wrap it].
gift=true: [Please wrap it|Wrap it, please,] as a [gift|present].
gift=true: This is a [birthday present|present|gift] for {OTHER}.
gift=true: Gift wrapping: yes.
gift=true: It will be given as a [present|gift].
gift=false: It is not a gift.
gift=false: No gift wrapping[| is needed|, please].
gift=false: Gift wrapping: no.
gift=false: It doesn't need to be wrapped as a gift.
gift=false: This is not meant as a present.
priority=high: [It is urgent|This is urgent|It is very urgent].
priority=high: The priority is high.
priority=high: This has high priority.
priority=high: Please [hurry|treat this with high priority].
priority=medium: The priority is medium.
priority=medium: This has medium priority.
priority=medium: Priority: medium.
priority=low: The priority is low.
priority=low: There is no [rush|hurry].
priority=low: It has low priority.
priority=low: This is not urgent[|, take your time].
[Ship|Send] it to {address}, {city} {postal_code}.
Delivery address: {address}, {postal_code} {city}.
It goes to {city}, {country}.
{quantity} [pieces|units], {price} each.
[At|For] {price} [each|apiece|per piece], [that is|that makes] {amount}[| in total| altogether].
The [whole order|order] [costs|is worth] {amount}.
[Freight|Postage] [is|costs] {shipping_cost}.
[Arrival|Delivery]: {delivery_date}.
[They|The customer] should have it by {delivery_date}.
We [plan|promised] to deliver [it|everything] on {delivery_date}.
It was [ordered|bought] on {order_date}.
[Confirmation|Receipt] to {email}[|, phone {phone}].
status=pending: [It|The order] is not yet [confirmed|sent|shipped].
status=pending: It is waiting to be packed.
status=shipped: It has left the warehouse.
status=shipped: [It|The parcel] is on the road.
status=delivered: [It|The parcel] was handed over to the customer.
status=delivered: Everything has arrived [well|safely|in time].
status=cancelled: The customer has cancelled the order.
status=cancelled: They do not want it any more, so it was cancelled.
payment_method=card: [They|We|The customer] paid by card.
payment_method=transfer: [They|We|The customer] paid by bank transfer.
payment_method=cash: [They|We|The customer] paid in cash.
payment_method=paypal: [They|We|The customer] paid by PayPal.
gift=true: It is meant as a gift.
gift=false: It is not a present.
priority=high: Priority: high.
priority=low: Priority: low.
You will find the order under {order_id}.
{order_id} is the number you need.
In our system it is listed as {order_id}.
For questions keep the number {order_id} at hand.
My reference: {order_id}, placed {order_date}.
The shop gave it the number {order_id}.
On {order_date} the order reached us.
The order dates from {order_date}.
That was on {order_date}, when we ordered it.
I placed it on {order_date} and paid {amount}.
Since {order_date} the order has been in our books.
The buyer is {customer}, {city}.
The goods are for {customer}.
{customer} is the one who ordered.
Everything goes to {customer} in {city}.
It was {customer} who bought it[| on {order_date}].
Sold to {customer}, {address}, {city}.
What was ordered: {quantity} {product}.
They need {quantity} of the {product}.
We packed {quantity} {product} into one box.
Of the {product}, {quantity} were requested.
The {product} [costs|cost] {price} [each|a piece].
For one {product} we charge {price}.
A {product} is {price}, shipping is {shipping_cost}.
At {price} per {product}, the bill is {amount}.
With {quantity} pieces at {price} and {shipping_cost} for postage, the sum is {amount}.
Per piece the customer pays {price}.
{price} is the price of one.
The list price per unit, {price}, was accepted.
The box holds {items}.
Inside you will find {items}.
{items} were added to the cart.
What did they buy? {items}.
The list reads: {items}.
All in all it costs {amount}.
{amount} is the final sum.
The bill of {amount} [is correct|was checked].
Altogether {amount} were charged, of which {shipping_cost} [was|is] for shipping.
So you owe us {amount}.
I was charged {amount} in total.
Grand total with shipping: {amount}.
Their account was debited with {amount}.
For the transport we ask {shipping_cost}.
{shipping_cost} for delivery [is|was] added to the price.
The courier takes {shipping_cost}.
Sending it costs another {shipping_cost}.
We took {discount}% off, as promised.
As a regular customer you save {discount}%.
{discount} percent were deducted.
Because they are old customers, we gave them {discount}% off.
{discount}% discount for {customer}.
You will have it on {delivery_date}.
Count on delivery by {delivery_date}.
{delivery_date} is the day on which it should arrive.
The courier comes on {delivery_date}.
Can you deliver by {delivery_date}? That would help us.
We need it before the weekend, so delivery is set for {delivery_date}.
The truck will bring it to {address}, {city}, on {delivery_date}.
If all goes well, the parcel is there on {delivery_date}.
The goods travel to {city}[|, {country}].
{address}, {postal_code} {city} is the place to deliver to.
It should be left at {address} in {city}, next to the door.
The recipient lives at {address}, {postal_code} {city}.
Our driver knows {address} in {city}.
Write to {email} [if|when] something is missing.
{email} gets the tracking link.
Tracking news will be sent to {email}.
The customer's number is {phone}, the mail address {email}.
Before you deliver, ring {phone}.
{phone} is the phone of the buyer.
status=pending: We will start on it next week.
status=pending: Nobody has packed it yet.
status=pending: As of today it is pending.
status=pending: The order is open and waits for [approval|stock|the supplier].
status=pending: It will be sent as soon as the payment is in.
status=pending: Has it been sent? Not yet.
status=shipped: Since [yesterday|Monday|this morning] it is with the courier.
status=shipped: The courier picked it up [yesterday|an hour ago], it is on its way.
status=shipped: We sent it [yesterday|on Friday|this morning].
status=shipped: It was put in the post [today|on Tuesday].
status=shipped: The truck is on the way to you.
status=shipped: Has it been sent? Yes, [yesterday|today], but it has not arrived yet.
status=delivered: The neighbour took the parcel in.
status=delivered: It is already at the customer's door.
status=delivered: {customer} got everything [yesterday|this morning].
status=delivered: We have it here now, thank you.
status=delivered: It reached [me|us|the office] [on Monday|yesterday].
status=delivered: The courier delivered it [today|at noon].
status=cancelled: The order no longer stands, {customer} cancelled it.
status=cancelled: Since the goods were sold out, we cancelled the order.
status=cancelled: I changed my mind, so I cancel the order.
status=cancelled: The sale did not go through; the order was cancelled.
status=cancelled: Do not send anything, it is cancelled.
payment_method=card: The card was charged with {amount}.
payment_method=card: They gave us a card number and paid with it.
payment_method=card: The {amount} went on my credit card.
payment_method=card: How was it paid? By card.
payment_method=cash: The driver will collect the cash.
payment_method=cash: They handed over {amount} in cash.
payment_method=cash: How will it be paid? In cash.
payment_method=transfer: The bank transfer of {amount} has arrived.
payment_method=transfer: They will send the money by bank transfer.
payment_method=transfer: How was it paid? By transfer.
payment_method=paypal: The PayPal payment of {amount} came in.
payment_method=paypal: The money came via PayPal.
payment_method=paypal: How was it paid? With PayPal.
gift=true: Since it is a present, leave out the price tag.
gift=true: Could you wrap it nicely? It is for my [mother|brother|friend]'s birthday.
gift=true: We pack it as a gift.
gift=true: Is it a gift? Yes.
gift=false: Is it a gift? No.
gift=false: It is for own use, not a gift.
gift=false: Please do not wrap it, I keep it myself.
gift=false: The order is no gift.
priority=high: We need it as fast as possible, it is urgent.
priority=high: Handle this first, the priority is high.
priority=high: The customer is in a great hurry.
priority=medium: It was filed with medium priority.
priority=medium: Neither urgent nor unimportant: medium priority.
priority=low: It can wait, the priority is low.
priority=low: No need to hurry with it.
priority=low: The customer has plenty of time.
{quantity}x {product} @ {price}, shipping {shipping_cost}, sum {amount}
ordered {order_date}, delivery {delivery_date}
for {customer}, {address}, {postal_code} {city}
It is [number|no.] {order_id}.
{order_id} [is|was] the [order number|number of the order|reference].
[Note|Remember|Keep] the number {order_id}.
The order, {order_id}, is [from|of] {order_date}.
{order_date} was the [day|date] of the order.
[The buyer|The client|The customer], {customer}, [is in|lives in|writes from] {city}.
{customer} [bought|ordered] [it|them].
{customer} is our customer here.
Ordered [were|by {customer} were] {items}.
[It|The list|The cart] has {items}.
{items} [are|is] [needed|ordered|wanted].
[It|The order] is about {quantity} {product}.
{product}: {quantity} [pieces|units|pcs].
{quantity} [is|was] the number of pieces.
The [wanted|requested] quantity is {quantity}.
They [took|chose] the {product}.
[The article|What they want] is the {product}.
We [sell|offer] it [at|for] {price} a piece.
{price} per [piece|unit|item].
A unit is {price}[|, the sum {amount}].
The sum [to pay|due] [is|of the order is] {amount}.
{amount} in [all|total].
[It|Everything] together [costs|is] {amount}.
We [got|received|billed] {amount} for it.
The price of shipping is {shipping_cost}.
[Sending|Shipping] it [will cost|costs] {shipping_cost}.
{shipping_cost} [is|was] the [fee|price] for delivery.
[We|They] [give|gave|got] {discount} percent off.
{discount}% [less|off] for [members|you|good customers].
The [parcel|order|box] [comes|arrives|gets there] on {delivery_date}.
{delivery_date} [is|was] the delivery date.
[By|On] {delivery_date} [it|everything] [must|has to|will] be there.
We [hope|expect] to deliver it on {delivery_date}.
[Arriving|Delivered] on {delivery_date}.
[To|For]: {address}, {city}.
{address} in {city} is [the address|where it goes].
The [zip|postal] code there is {postal_code}, the city {city}.
[Customer mail|Mail]: {email}.
{email} is [the customer's|their] address.
{phone} is [the customer's|their] number.
[Ask|Call|Ring] {phone} about the delivery.
status=pending: It [will be|is to be] [packed|sent] [soon|next week].
status=pending: We have not [sent|packed|started] it.
status=pending: [It|The order] is [on hold|waiting|in the queue].
status=shipped: It [went out|was posted|left] [yesterday|today|this morning].
status=shipped: [It|The box] is [in the mail|on a truck|with the carrier].
status=shipped: We have [sent|shipped|dispatched] [it|everything].
status=delivered: It [came|got here|was dropped off] [yesterday|today|on Friday].
status=delivered: [They|The customer] [confirmed|signed] the delivery, all is there.
status=delivered: It is [with the customer now|there already].
status=cancelled: [We|They] had to cancel [it|the order].
status=cancelled: The order is off; {customer} does not want it.
status=cancelled: [It|The order] was [withdrawn|stopped] and cancelled.
payment_method=card: [Paid|To be paid] [by|with] [card|credit card].
payment_method=card: {customer} [used|uses|gave] a credit card.
payment_method=cash: [Paid|To be paid] [in cash|cash].
payment_method=cash: {customer} [has|pays|paid with] cash.
payment_method=transfer: [Paid|To be paid] by [bank transfer|transfer].
payment_method=transfer: {customer} [makes|made|sent] a bank transfer.
payment_method=paypal: [Paid|To be paid] [with|by|through] PayPal.
payment_method=paypal: {customer} [uses|used] PayPal.
gift=true: [Gift|Present]: yes, [with ribbon|wrap it].
gift=true: [They|We] want it as a [gift|present].
gift=false: [They|We] do not want it as a gift.
gift=false: [Gift|Present]: no.
priority=high: [It|This] must be done [first|at once], [very urgent|high priority].
priority=medium: Of medium [priority|importance].
priority=low: [It|This] has [time|low urgency], [no rush|no hurry].
"""

INVOICE_OPENINGS = """
Invoice {invoice_number} from {vendor}[| to {customer}], dated {date}.
[Invoice|Bill] [no. |number |#|]{invoice_number}.
{vendor} [sent|has sent|issued] [us|{customer}] an invoice [over|for|of] {amount}.
[Attached|Enclosed] [is|you will find] invoice {invoice_number} [over|for|of] {amount}.
[We received|I received|There is] [an invoice|a bill] from {vendor} [over|for|of] {amount}.
Invoice {invoice_number} [was issued|was sent|is dated] [on {date}|by {vendor} on {date}].
On {date}, {vendor} billed {customer} {amount} for {product}.
{vendor} charged {customer} {amount} on {date}.
[Please pay|Kindly settle|Please settle] invoice {invoice_number} [over|of|for] {amount} by {due_date}.
{customer} owes {vendor} {amount}[| for {product}| for {items}].
This is a reminder [about|regarding] invoice {invoice_number}[| of {date}].
Dear {customer}, please find our invoice {invoice_number} [below|attached].
[Billed to|Bill to]: {customer}. [From|Seller|Issued by]: {vendor}.
The invoice with the number {invoice_number} [is addressed to|went to|was sent to] {customer}.
{vendor} invoiced us for {items}.
Here is the bill from {vendor}[| of {date}|, number {invoice_number}].
[Our|Your] invoice {invoice_number} of {date} [amounts to|comes to|is over] {amount}.
Reference {invoice_number}: {vendor} to {customer}, {amount}.
We at {vendor} [send you|are sending you] [invoice|bill] {invoice_number}.
{amount} is [what {customer} has to pay|due] to {vendor}.
[A|One] bill from {vendor} [arrived|came in] on {date}[| over {amount}].
[Invoice|Bill] from {vendor}: {amount}, due {due_date}.
{vendor} wants {amount} from {customer} [for|because of] {product}.
[Dear|Hello] {customer}, [you still owe us|we ask you to pay] {amount} [for invoice|for] {invoice_number}.
[Regarding|About] invoice {invoice_number} from {vendor} to {customer}.
{vendor} to {customer}: invoice {invoice_number} of {date}.
[Your|The] bill number {invoice_number} [over|of] {amount} is due on {due_date}.
[The invoice|The bill] {invoice_number} from {vendor} [is over|is for|shows|says] {amount}.
[Today|Last week] {customer} got invoice {invoice_number} from {vendor}.
[We received|We got] invoice {invoice_number} from {vendor}.
{customer} received {items} from {vendor}[| and the invoice {invoice_number}].
Could you check the invoice of {vendor}[| dated {date}| over {amount}|, number {invoice_number}]?
{invoice_number}: {amount} to {vendor}.
To {customer}: our invoice of {date}, number {invoice_number}.
I have a bill here from {vendor}, number {invoice_number}, dated {date}.
On {date} {vendor} wrote an invoice to {customer}.
{vendor} asks {customer} to pay {amount} by {due_date}.
For {items}, {vendor} charges {customer} {amount}.
Invoice to {customer}: {product}, {amount}.
The {product} for {customer} [was|is] billed by {vendor} with invoice {invoice_number}.
Have you seen invoice {invoice_number}? It is from {vendor}.
Dear {customer}, {vendor} has delivered {items} to you.
We, {vendor}, bill you {amount} for {items}.
Accounting note: {vendor}, invoice {invoice_number}, {date}.
{vendor} / {invoice_number} / {date} / {amount}
Payment request of {vendor} to {customer} over {amount}.
What we owe {vendor}: {amount}, see invoice {invoice_number}.
{customer} was billed {amount} by {vendor}.
With invoice {invoice_number} of {date}, {vendor} charges {amount}.
The latest bill for {customer} carries the number {invoice_number}.
{customer} got {product} from {vendor} and now has to pay {amount}.
Subject: invoice {invoice_number}, {vendor}
From {vendor} came a bill [for|over] {amount}, number {invoice_number}.
An amount of {amount} was invoiced to {customer} on {date}.
{vendor}, {customer}, {amount}, {date}
[inv.|bill|invoice|no.] {invoice_number}[,|:|;| -] {vendor}[,|;| -] {amount}
{invoice_number} [from|by|of] {vendor} [to|for] {customer}[|: {amount}|, {date}].
{vendor} [has sent|sends|posted] {customer} the bill {invoice_number}.
The {vendor} invoice, number {invoice_number}, [shows|gives] {amount}.
[A|The] bill for {customer} [came|arrived] from {vendor}[|, {amount}| on {date}].
{amount} [is|are] to be paid by {customer} to {vendor}.
{amount} for {items}: that is what {vendor} [asks|wants|charges].
For {product}, {vendor} [asks|wants|has billed] {amount}.
{customer} [must|has to|should] pay {vendor} {amount} [before|by] {due_date}.
{customer}, your bill from {vendor} is [here|ready]: {amount}.
[Dear|Hello] {customer}, {vendor} [kindly asks|asks you] for {amount}.
[Dear|Hello] {customer}, for the {product} we charge {amount}. {vendor}
[We|I] [have to|must] pay {amount} to {vendor}[|, invoice {invoice_number}| by {due_date}].
[Our supplier|The supplier|The firm] {vendor} [billed|invoiced] {amount} on {date}.
The client {customer} [was sent|has got] invoice {invoice_number} on {date}.
[Yesterday|Today] the mail brought invoice {invoice_number} from {vendor}.
Issued {date} by {vendor}: invoice {invoice_number}.
Issuer {vendor}, recipient {customer}, number {invoice_number}.
{date}: {vendor} invoices {customer} for {items}.
Payment of {amount} to {vendor} [is|was] requested from {customer}.
Who ordered {items} from {vendor}? The bill is {amount}.
{vendor} did some work for {customer} and [wants|charges] {amount}.
There is an open bill of {customer} with {vendor}, number {invoice_number}.
The document {invoice_number} was [made|written] by {vendor} for {customer}.
Between {vendor} and {customer} there is a bill of {amount}.
On {date} {customer} was charged {amount} by {vendor}.
Re: bill {invoice_number}, {customer}
I am [missing|looking for] the invoice {invoice_number} of {vendor}.
Please transfer {amount} to {vendor}[|, reference {invoice_number}| by {due_date}].
{vendor} delivered {items} to {customer}, invoice {invoice_number}.
The bill that {vendor} sent on {date} is over {amount}.
Hi, {customer} here, I got your invoice {invoice_number}[| of {date}].
Note for {customer}: {vendor} {amount}, due {due_date}.
Total {amount}, invoice {invoice_number}, {vendor}.
"""

INVOICE_DETAILS = """
The invoice number is {invoice_number}.
Invoice [no.|number|#]: {invoice_number}.
[Please quote|Use|Please use] the number {invoice_number} [for the payment|as reference].
It carries the number {invoice_number}.
It [was issued|is dated|was written] on {date}.
[Date|Invoice date|Date of issue]: {date}.
The invoice date is {date}.
We [sent|mailed] it on {date}.
The [vendor|seller|supplier] is {vendor}.
[It|The invoice] [comes|came|was sent] from {vendor}.
It was issued by {vendor}[| in {city}].
The [service|work|delivery] was done by {vendor}.
The [customer|client|buyer] is {customer}.
It is [addressed|made out] to {customer}.
[Billed to|Customer|Client]: {customer}.
{customer} [has to|must|should] pay [it|this].
The [total|total amount|amount|sum|amount due|balance] [is|comes to|was] {amount}.
[Total|Amount due|Amount|Total due]: {amount}.
[It comes to|It is for|It is over|It amounts to] {amount}[| in total].
In total {amount} [is|are] due.
The sum of {amount} must be paid.
[Tax|VAT|Sales tax] [is|comes to|of] {tax}[| on top].
[The tax|The VAT] [amounts to|is] {tax}.
This includes {tax} [in tax|of tax|VAT].
[Tax|VAT]: {tax}.
[It is|Payment is|The amount is] due [on|by] {due_date}.
[Please pay|Pay|Payment is expected] [by|before|no later than|until] {due_date}.
Due date: {due_date}.
The deadline for payment is {due_date}.
The money has to arrive by {due_date}.
paid=true: [It|The invoice|The bill] [has been paid|was paid|is paid|has already been paid][|, thank you].
paid=true: We [have received|received|got] [the money|your payment][|, thank you].
paid=true: [The customer|They] [has|have] already paid.
paid=true: Paid: yes.
paid=true: [It|The balance] [was settled|has been settled] [|last week|in full].
paid=true: The payment [has arrived|went through].
paid=true: There is nothing left to pay.
paid=false: [It|The invoice|The bill] [has not been paid|is still unpaid|is unpaid|is not paid yet][| so far].
paid=false: We are still waiting for [the money|payment|your payment].
paid=false: [The payment|Payment] is [outstanding|overdue|still missing].
paid=false: Paid: no.
paid=false: We have not received [any money|your payment|a payment] [yet|so far].
paid=false: The amount is still open.
paid=false: So far nobody has paid it.
The invoice [is for|covers|lists] {items}.
It covers {quantity} {product} [at|for] {price} each.
[Items|Positions]: {items}.
They charged us for {quantity} {product}.
It was for {product}.
[Item|Product]: {product}, quantity {quantity}, unit price {price}.
A discount of {discount}% [is included|was granted|has been deducted].
[Questions|If you have questions, write] to {email}[| or call {phone}].
[Contact|Our contact]: {email}.
[The office|Their office|The company] is [at|located at] {address}, {city}.
{vendor} is based in {city}[|, {country}].
Call {phone} [with questions|for details].
See {website} for [details|payment options].
payment_method=card: [Payment was made|It was paid|Pay] by [credit card|card].
payment_method=card: [A credit card|A card] was [used|charged].
payment_method=card: Payment method: card.
payment_method=cash: [Payment was made|It was paid|Pay] in cash.
payment_method=cash: Payment method: cash.
payment_method=cash: We paid cash.
payment_method=transfer: [Payment was made|It was paid|Pay] by [bank transfer|wire transfer|transfer].
payment_method=transfer: The money was [transferred|wired] [to their account|last week].
payment_method=transfer: Payment method: bank transfer.
payment_method=paypal: [Payment was made|It was paid|Pay] [with|via|through] PayPal.
payment_method=paypal: Payment method: PayPal.
payment_method=paypal: We used PayPal.
[It|The invoice|The bill] is from {vendor} and [goes to|is for] {customer}.
[Number|No.] {invoice_number}, dated {date}.
[The total|It all] [adds up to|amounts to|is] {amount}, [tax|VAT] included.
[With|Plus] {tax} [tax|VAT] [it is|that is] {amount}.
[Payable|To be paid] [by|until|before] {due_date}.
It must be paid [by|before] {due_date}.
[The final date|The last day] for payment is {due_date}.
paid=true: [The customer|The client] paid [it|the bill] [on time|last week|already].
paid=true: The bill is settled.
paid=false: The bill is not settled.
paid=false: [The customer|The client] has not paid [it|the bill] [yet|so far].
paid=false: Payment has not arrived.
{quantity} {product} [at|for] {price} [each|apiece].
The address of {vendor} is {address}, {postal_code} {city}.
[Send|Mail] questions to {email}.
The number of the [bill|invoice] is {invoice_number}.
You find the invoice under {invoice_number}.
{invoice_number} is its number.
In our books it has the number {invoice_number}.
When you pay, mention {invoice_number}.
The paper says {invoice_number}, {date}.
Without the number {invoice_number} we cannot match your payment.
{date} is printed on it.
The paper bears the date {date}.
It reached us with the date {date}.
The invoice, written on {date}, is due on {due_date}.
On {date} the invoice was made.
{vendor} did the work.
The sender is {vendor}[|, {address}, {city}].
The money goes to {vendor}.
Who sent it? {vendor}.
The work for {customer} was done by {vendor}.
It is {vendor} that [gets|wants] the money.
Pay {amount} to {vendor}.
{vendor}, whose office is in {city}, asks for {amount}.
Who has to pay? {customer}.
The one who pays is {customer}.
The name on the bill is {customer}.
It was written for {customer}, {city}.
{customer} is the recipient of the invoice.
We charged {customer} {amount}.
The sum on the paper is {amount}.
{amount} must be paid, {tax} of which is tax.
How much is it? {amount}.
Of the {amount}, {tax} is VAT.
The balance due, {amount}, includes {tax} for tax.
Altogether it makes {amount}.
Total with tax: {amount}.
{amount} is open for payment until {due_date}.
It says {amount} at the bottom.
The final amount of {amount} was agreed on.
A tax of {tax} was added.
{tax} goes to the tax office.
On top comes the VAT of {tax}.
The state gets {tax} in taxes.
{tax} was charged as VAT, which makes {amount} in all.
Let us pay it before {due_date}.
The term of payment ends on {due_date}.
We expect your money by {due_date}.
{due_date} is the last day to pay.
Please make sure that the money is there by {due_date}.
You have until {due_date} to pay.
If it is not paid by {due_date}, a fee is charged.
Payment within the term, that is by {due_date}.
paid=true: The money is already on our account.
paid=true: I paid it [yesterday|on Monday|last week].
paid=true: {customer} has paid the {amount}.
paid=true: Has it been paid? Yes.
paid=true: Everything is paid, nothing is open.
paid=true: We thank {customer} for the payment, which came in [on time|yesterday].
paid=true: They settled it at once.
paid=true: The bank confirms that the payment came in.
paid=false: The money has not come in.
paid=false: I have not paid it yet.
paid=false: {customer} still has to pay the {amount}.
paid=false: Has it been paid? No.
paid=false: Until now no money has arrived.
paid=false: We forgot to pay it, sorry.
paid=false: This is our second reminder, as nothing has been paid.
paid=false: The sum remains unpaid.
The bill is for {items}.
We got {items} for it.
{items} were delivered.
What was delivered: {quantity} {product}.
One {product} is billed at {price}.
The {product} is listed with {price} per piece, quantity {quantity}.
{quantity} pieces of {product}, at {price} apiece, were charged.
Line 1: {quantity} x {product}, {price}.
{product}, {quantity} pcs, {price} each
For {quantity} {product} the price is {price} per unit.
It lists the {product} at {price}.
The {product} cost {price}.
They gave us {discount}% off.
{discount}% were taken off as agreed.
Thanks to a discount of {discount}% it is cheaper.
Minus {discount}% discount.
Direct your questions to {email}.
{email} answers all questions about the bill.
If there is a mistake, mail {email} or ring {phone}.
The accounting department can be reached at {phone}.
{phone} is the number of their office.
For a copy, write to {email}.
{address} in {city} is their address.
They have their office at {address}, {city}.
Their seat is {city}.
You can download it from {website}.
It can be paid on {website} too.
Their terms are on {website}.
payment_method=card: The card was charged [yesterday|at once].
payment_method=card: How was it paid? By credit card.
payment_method=card: Somebody used the company card.
payment_method=cash: The money was handed over in cash.
payment_method=cash: How was it paid? In cash.
payment_method=cash: The {amount} was paid in cash at the desk.
payment_method=transfer: The sum is to be sent by bank transfer.
payment_method=transfer: How is it paid? By transfer.
payment_method=transfer: Please wire the {amount} to our bank account.
payment_method=paypal: How was it paid? With PayPal.
payment_method=paypal: Send the {amount} through PayPal.
payment_method=paypal: They only accept PayPal.
no. {invoice_number}, {date}, due {due_date}, total {amount}
{amount} incl. {tax} VAT, payable by {due_date}
from {vendor} to {customer}
{invoice_number} [is|was] the number on [it|the bill|the invoice].
[See|It is] [number|no.] {invoice_number}.
[File|Book] it as {invoice_number}.
{date} [is|was] the date [on it|of the invoice|of issue].
[Written|Issued|Dated] {date}.
[The firm|The company|The issuer] is {vendor}.
{vendor} [made|wrote|sent] [it|the bill|the invoice].
[It|The bill] was [made|sent|written] by {vendor}.
Payable to {vendor}[|, {city}].
{customer} [ordered|got|received] the [work|goods].
[It|The bill] is for {customer}.
[We|They] [sent|addressed] it to {customer}.
[Made out|Sent] to {customer}.
The price in all is {amount}.
{amount} [is|was] [the sum|the total|to be paid].
[It|The bill] [says|shows|reads] {amount}.
[We|They] [want|ask for|expect] {amount}.
The [open|whole|full] amount is {amount}.
{tax} [of it |][is|are] [tax|VAT].
[Taxes|The taxes|VAT] [make|makes] {tax}.
There [is|are] {tax} [tax|of VAT] in it.
The net price plus {tax} [tax|VAT] gives {amount}.
It should be [paid|settled] by {due_date}.
{due_date} [is|was] the [deadline|due date|last day].
[Due|Payable]: {due_date}.
[They|We] [want|expect] the money by {due_date}.
The [bill|invoice] [falls due|is due] on {due_date}.
paid=true: [It|This one] is [already |]paid.
paid=true: The money [has come|came|is here].
paid=true: {customer} [paid|settled] it [in May|yesterday|in full].
paid=false: [It|This one] is [still |]not paid.
paid=false: The money [has not come|is not here|did not come].
paid=false: {customer} did not pay.
[It|The bill] [names|shows|mentions] {items}.
[Bought|Delivered|Charged] were {items}.
{quantity} of the {product} [were|are] on it, {price} each.
The {product} [is|was] {price}.
[It|The bill] is about the {product}.
The goods: {quantity} {product}.
{discount}% [was|were] [deducted|taken off|given].
There [is|was] a discount of {discount} percent.
[Mail|Contact] them: {email}.
{email} is [their|the] address for questions.
Their [phone|number] is {phone}.
[You|We] [reach|get] them at {phone}.
{vendor}, {address}, {city}
{vendor} [sits|is|works] in {city}.
Their [page|site] is {website}.
payment_method=card: [Paid|To be paid|Payable] [by|with] [card|credit card].
payment_method=cash: [Paid|To be paid|Payable] in cash.
payment_method=transfer: [Paid|To be paid|Payable] by [bank transfer|transfer].
payment_method=paypal: [Paid|To be paid|Payable] [with|by|through] PayPal.
"""

EVENT_OPENINGS = """
The {event} [takes place|will take place|will be held|happens] on {date}[| in {city}| at {venue}| at the {venue} in {city}].
[Join us|You are invited|Come] [for|to] the {event} on {date}[| at {time}].
[Join us|Be there] on {date} at {time} for the {event}.
{event}, {date}, {venue}, {city}.
{event} - {date}, {time}, {venue}.
[We are|I am] happy to [announce|invite you to] the {event}[| in {city}| on {date}| at {venue}].
[Save the date|Mark your calendar]: the {event} is on {date}.
{organizer} [invites|welcomes] you to the {event}[| on {date}| in {city}].
{organizer} [is hosting|hosts|organizes|is organizing] the {event} [at {venue}|in {city}|on {date}].
The {event} [starts|begins] at {time} on {date}.
On {date}, {city} [hosts|will host] the {event}.
This year's {event} [is|will be] [held|hosted] [at {venue}|in {city}|by {organizer}].
Don't miss the {event} [at {venue}|in {city}|on {date}].
[Register|Sign up|Get your ticket] now for the {event}[| on {date}| in {city}].
Invitation: {event}.
Event: {event}. [When|Date]: {date}, {time}. [Where|Place]: {venue}.
The next {event} is [planned|scheduled] for {date}.
[Next week|Next month|Soon] {organizer} will [hold|host|run] the {event} in {city}.
There will be a {event} at {venue} on {date}.
The city of {city} [celebrates|is looking forward to] the {event}.
{venue} in {city} [hosts|will host|is the place for] the {event}.
Reminder: {event} at {time}, {venue}.
Hello everyone, the {event} is [coming up|near]!
Tickets for the {event} are [now on sale|available].
[On|This] {date} the {event} [opens|returns|comes] to {city}.
[Come and see|Visit] the {event} at {venue}, {city}, on {date}.
[We invite you|You are welcome] to the {event}, {date} at {time}.
{event} in {city}: {date}, {time}, {venue}.
[Good news|Hooray]: the {event} is back[| on {date}| in {city}| at {venue}].
{city} [welcomes|celebrates] the {event} on {date}.
{organizer} presents: {event}[| at {venue}| on {date}].
[The|Our] {event} [with|by|from] {organizer} [starts|begins] on {date}.
[Meet us|See you|We meet] at the {event} in {city} on {date}.
[Everybody|Everyone] is welcome at the {event}[| on {date}], [held|hosted] at {venue}.
Are you coming to the {event}[| in {city}| on {date}| at {venue}]?
In {city}, the {event} [begins|starts] on {date}.
At {venue}, {organizer} [will open|opens] the {event} on {date}.
I bought tickets for the {event} in {city}, {date}.
Have you heard? {organizer} brings the {event} to {city}.
{date} is the day of the {event}.
What: {event}. Who: {organizer}. Where: {venue}, {city}.
For the {event}, {organizer} has rented {venue}.
Dear guests of the {event}, we start at {time} on {date}.
With the {event}, {organizer} comes to {city} on {date}.
Our calendar says {event}, {date}, {time}.
{city}, {date}: {event}
As a friend of {organizer} you are invited to the {event}.
Once again {venue} opens its doors for the {event}.
The {event}, organized by {organizer}, is on {date}.
You can now book seats for the {event} at {venue}.
Everyone in {city} is talking about the {event}.
The date of the {event} was moved to {date}.
{speakers} will speak at the {event}[| on {date}| in {city}].
We meet for the {event} at {time}, {venue}.
Let's go to the {event} together, it is on {date} in {city}.
{organizer} and friends: the {event}[|, {date}|, {venue}].
The program of the {event} is out.
Kick-off of the {event}: {date}, {time}.
This is to remind you of the {event} on {date} in {city}.
{event}[,| /| -|:] {date}[,| /| -] {city}[|, {venue}]
{event} @ {venue}, {date}, {time}
{date}[:| -|,] {event}[| in {city}| at {venue}| with {speakers}]
[We|I] [would like|want] to invite you to the {event} of {organizer}.
{organizer}: {event} on {date}[| in {city}].
The {event} of {organizer} [takes place|is] in {city}.
On {date} at {time} we [open|start] the {event}.
In {city} there [is|will be] the {event}[| on {date}| at {venue}].
At {time} on {date}, {organizer} [opens|starts] the {event}.
[Who|Is anybody] going to the {event}[| at {venue}| in {city}| on {date}]?
[Come|Go|Drive] to {city} for the {event}[|, {date}].
[I|We] will be at the {event} in {city}[| on {date}].
The [big|small|famous|yearly] {event} [is|will be] in {city} this year, at {venue}.
{venue}, {date}, {time}: {event}.
{venue} is where {organizer} [holds|runs|has] the {event}.
[Thanks|Thank you] for registering for the {event}[| on {date}| in {city}].
Your ticket for the {event}: {date}, {time}, {venue}.
Program of the {event}, {city}, {date}
The {event}? That is on {date}, {time}.
From {date} on, {city} is the home of the {event}.
{city} is ready for the {event} [by|of] {organizer}.
{organizer} [announces|announced|is planning] the {event} for {date}.
{organizer} invites [everyone|you all] to {venue} for the {event}.
[Our|The] {event} will [open|start] at {venue} on {date} at {time}.
Tonight I read about the {event}, which {organizer} runs in {city}.
Put it in your diary: {event}, {date}, {time}.
You have a seat at the {event} on {date}.
Speakers at the {event} [are|will be] {speakers}.
The {event} [was|has been] [moved|brought] to {venue}[| in {city}].
Subject: {event} on {date}
Next stop {city}: the {event} [opens|begins] there on {date}.
Guests of {organizer} meet at the {event} on {date}.
{attendees} people [came|will come] to the {event} in {city}.
How about the {event} at {venue}? It is on {date}.
{organizer} and {venue} bring you the {event}.
"""

EVENT_DETAILS = """
It [takes place|will be held|happens|is] on {date}.
[Date|When]: {date}.
The date is {date}.
We [meet|start] on {date} at {time}.
Everything happens on {date}[| in {city}].
It [starts|begins|kicks off] at {time}[| and ends at {end_time}| and lasts until {end_time}].
[Start|Time|Doors open]: {time}.
The [start|beginning] is at {time}.
Doors open at {time}.
It [runs|goes|lasts] from {time} [to|until|till] {end_time}.
{time} - {end_time}.
It ends at {end_time}.
We [finish|close|will be done] at {end_time}.
The [end|closing] is [planned|expected] for {end_time}.
The [venue|location|place] is {venue}[| in {city}].
[Venue|Location|Where|Place]: {venue}[|, {city}].
It [takes place|will be held|is] at [|the ]{venue}[| in {city}|, {address}, {city}].
We meet at [|the ]{venue}[|, {address}].
The address is {address}, {city}.
You find us at {address} in {city}.
This time we are in {city}[|, {country}].
It will be held in {city}.
The event is [organized|hosted|run] by {organizer}.
[Organizer|Host|Organized by]: {organizer}.
{organizer} is [the organizer|the host|responsible for the program].
Behind the event is {organizer}.
The host of the evening is {organizer}.
The speakers [are|will be|include] {speakers}.
Speakers: {speakers}.
There will be talks by {speakers}.
{speakers} will [speak|give a talk|be on stage].
[We look forward to|Listen to] talks from {speakers}.
[About|Around|Some|Roughly] {attendees} [people|guests|visitors|participants] are expected.
{attendees} [people|guests] have [registered|signed up].
[We expect|The organizers expect|There is room for] {attendees} [guests|people|participants|visitors].
Expected attendance: {attendees}.
The hall [seats|holds] {attendees} people.
[Tickets|A ticket|Entry|Admission] [costs|cost|is] {price}.
Ticket price: {price}.
The [entrance fee|fee|price] is {price}[| per person].
You pay {price} at the door.
online=true: [It|The event] [takes place|is held|is|will be] online.
online=true: [You can join|Join] [online|by video|via Zoom|from home].
online=true: It is a virtual event.
online=true: Everything will be streamed online.
online=true: A link to the [video call|online meeting] follows.
online=false: It [is|takes place] [in person|on site].
online=false: It is not online.
online=false: There is no online stream.
online=false: You have to come in person.
online=false: This is an in-person event.
category=conference: [It is|This is] a conference[| for experts].
category=conference: The conference [has|offers] many talks.
category=conference: Category: conference.
category=concert: [It is|This is] a concert.
category=concert: The concert will be [loud|wonderful|fun].
category=concert: Category: concert.
category=workshop: [It is|This is] a [hands-on workshop|workshop].
category=workshop: In this workshop you [will learn a lot|work in small groups].
category=workshop: Category: workshop.
category=meeting: [It is|This is] [just a|a|an internal] meeting.
category=meeting: The meeting will be short.
category=meeting: Category: meeting.
category=party: [It is|This is] a party[| with music and food].
category=party: The party goes on all night.
category=party: Category: party.
[Questions|Registration|Sign up] [at|via|to] {email}.
[Register|Sign up] at {website}.
[More information|Details|Tickets] [at|on] {website}.
For [questions|details] [call|phone] {phone}[| or write to {email}].
[Contact|Please contact|RSVP to] {email}[| by {due_date}].
[Register|Sign up|Please reply] by {due_date}.
The registration deadline is {due_date}.
[It|The event] [opens|starts] at {time} [and closes|and ends] at {end_time}.
[From|Between] {time} [to|and] {end_time}.
[The doors|The gates] open at {time}.
[Place|Where]: {venue}, {address}, {city}.
[It is|It will be] at {venue} in {city}, {country}.
[Hosted|Organized|Run|Presented] by {organizer}.
[The host|The organizer] is {organizer}.
[On stage|Speaking|Talking]: {speakers}.
[We will hear|You can hear|Listen to] {speakers}.
[Over|More than|Up to|Nearly] {attendees} [people|guests|visitors] [will come|are coming|will attend].
[There are|We have] {attendees} seats.
[The ticket|A seat|Entry] is {price}.
online=true: It is held online, so [you can watch|join] from home.
online=true: We meet online.
online=false: We meet in person.
online=false: It is not held online.
[Sign up|Register] [by|before|until] {due_date}[| at {website}| via {email}].
[Questions|More]? [Call|Phone] {phone}.
Keep {date} free.
See you on {date}!
{date} is when it happens.
It was moved to {date}, {time}.
The whole thing is set for {date} at {venue}.
Please be there at {time}, when we start.
At {time} the doors open, at {end_time} everybody goes home.
{time} is when we start.
From {time} on you can come in.
We begin at {time} sharp and stop at {end_time}.
The first talk is at {time}.
The program begins at {time} with coffee.
When does it start? At {time}.
Until {end_time} there is food and music.
After {end_time} the building is closed.
By {end_time} we want to be finished.
At {end_time} it is over.
The last guest leaves at {end_time}.
The schedule says {time} to {end_time}.
Where? At {venue}[|, {address}|, {city}].
We rented {venue} in {city}.
{venue} is the place to be.
Come to {venue}, {address}, in {city}.
Our room is in {venue}.
The building, {venue}, stands at {address}.
You get to {venue} by bus.
Food and music are waiting for you at {venue}.
{city} is this year's host city.
For this we travel to {city}, {country}.
Guests come to {city} from everywhere.
In {country} it is the biggest of its kind.
It happens in {city}, at {address}.
{address}, {city}: that is where you have to go.
It was {organizer} who had the idea and who runs it.
It is put on by {organizer}.
We thank {organizer}, our host.
The people behind it are {organizer}.
{organizer} has been running it for years.
Your host is {organizer}.
In charge of everything: {organizer}.
This year {speakers} will be talking.
On the list of speakers [are|we find] {speakers}.
Who speaks? {speakers}.
The stage belongs to {speakers}.
Talks are given by {speakers}.
{organizer} has invited {speakers} as speakers.
We booked {speakers} to speak.
About {attendees} people want to come.
They count on {attendees} visitors.
{attendees} guests are on the list.
So far {attendees} have signed up.
The number of participants is limited to {attendees}.
Last week the number of guests reached {attendees}.
How many people? {attendees}.
A crowd of {attendees} is expected in {city}.
{price} is what you pay to get in.
Seats are {price} each.
For {price} you get in and a drink.
Bring {price} for the entry.
You can buy tickets for {price} at {website}.
How much is a ticket? {price}.
They charge {price} per head.
online=true: You do not have to travel, it is all online.
online=true: All talks are shown live on the internet only.
online=true: Is it online? Yes.
online=true: We see each other on the screen.
online=true: The link for the online session comes by mail.
online=true: It can be followed from your sofa, as it is online.
online=false: Is it online? No.
online=false: It can only be visited on site.
online=false: Nothing will be streamed, you must be there.
online=false: We want to see you there in person.
online=false: This year it is not online but in a real hall.
category=conference: For three days experts meet at this conference.
category=conference: It is the biggest conference of the year.
category=conference: What is it? A conference.
category=concert: Come and listen to the concert.
category=concert: A concert with [a big band|a famous choir|local musicians].
category=concert: What is it? A concert.
category=workshop: A workshop where everybody tries things out.
category=workshop: Bring a laptop to the workshop.
category=workshop: What is it? A workshop.
category=meeting: It is a meeting of the whole team.
category=meeting: Please prepare for the meeting.
category=meeting: What is it? A meeting.
category=party: We will dance, it is a party.
category=party: Bring friends to the party.
category=party: What is it? A party.
Mail {email} to get a seat.
{email} takes your registration.
Ask {email} if you need a ticket.
Seats can be booked by phone ({phone}) or on {website}.
{phone} is the number for bookings.
Is something unclear? Then call {phone}.
The program can be found on {website}.
{website} has the whole program.
We need your answer by {due_date}.
After {due_date} nobody can register any more.
{due_date} is the last day to sign up.
Do not forget to register by {due_date}.
Let {organizer} know by {due_date} if you come.
{date}, {time} to {end_time}, {venue}, {city}
entry {price}, about {attendees} guests
tickets: {website}, {price}
The day is {date}.
{date} [is|was] [chosen|set|the day].
[Come|Be there] on {date}[| at {time}| by {time}].
[It|The event] is on {date}, {time}.
[We|They] [open|start|begin] at {time}.
{time} is the [start|beginning].
[Beginning|Begin] {time}, end {end_time}.
It is [over|finished] at {end_time}.
[Closing|The end] is at {end_time}.
[We|They] [stop|close|end] at {end_time}.
Between {time} and {end_time} [you can come in|we are there].
[It|Everything] [happens|is] [at|in] {venue}.
{venue} [is|was] [chosen|booked|the place].
[Find|Meet] us at {venue}, {city}.
{city} [is|was] [chosen|the place|the city].
[We|They] [will be|are] in {city} [for it|that day].
The house is at {address}, {city}.
{organizer} [runs|organizes|hosts|does] it.
[It|The event] is [by|from] {organizer}.
{organizer} [invites|welcomes] you.
[Our|The] speakers: {speakers}.
{speakers} [speak|talk|will talk|are coming].
[You will meet|Meet] {speakers}[| on stage].
[With|By] {speakers}.
{attendees} [guests|people|visitors] are [coming|invited|expected].
[They|We] [wait for|hope for|invited] {attendees} [guests|people].
The number of [guests|seats|visitors] is {attendees}.
[It|Entry|A ticket] is {price}[| per person].
{price} per [ticket|person|guest|head].
[We|They] [ask|take] {price} for a ticket.
online=true: [It|The event] is [only |]online.
online=true: [Watch|Follow] it [on your computer|on the web|online].
online=true: [We|They] do it as a [video call|web stream].
online=false: [It|The event] is not [online|on the web|streamed].
online=false: [Come|You must come] in person.
category=conference: As a conference it is [big|new].
category=concert: As a concert it is [loud|short].
category=workshop: As a workshop it is [small|practical].
category=meeting: As a meeting it is [short|important].
category=party: As a party it is [wild|nice].
[Reply|Answer|Write] to {email}[| by {due_date}].
[Tickets|Seats|Booking]: {phone}.
[See|Visit|Look at] {website}.
Book on {website}[| before {due_date}].
{due_date} is the [deadline|last day|closing date] for [registration|replies|tickets].
"""

PRODUCT_OPENINGS = """
The {product} [by|from] {brand} [costs|is available for|sells for|is on sale for] {price}.
[New|Now] in our shop: the {product}[| by {brand}| for {price}| for only {price}].
{product}, {color}, {price}.
{product} ({sku}): {price}.
[We sell|I am selling|For sale:] a {color} {product} [for|at] {price}.
This {product} is made [of|from] {material}[| and costs {price}|, weighs {weight_kg} kg].
{brand} {product}[, {price}|, {color}|, {material}|].
The {color} {product} [is now available|has arrived|is a best-seller].
{brand} [presents|has released|launches] the {product}[| for {price}].
Get the {product} [now|today] for [only|just] {price}.
I bought the {product} [by|from] {brand}[| for {price}| last month].
Review of the {product} [by|from] {brand}: I [gave it|give it] {rating} [out of 5|stars|points].
Product: {product}. [Brand|Maker]: {brand}. Price: {price}.
Article {sku} is a {product}[| made of {material}| in {color}].
The {product} [comes|is available] in {color}.
[Looking for|Do you need] a {product}?
{price} for a {product}[| by {brand}] is a [good|fair] price.
[Our|The] {product} weighs [only|just|about] {weight_kg} kg.
Meet the {product}[|, made by {brand}].
Item {sku}, {product}, {price}.
The new {product} has a {warranty_years}-year warranty.
[Our|The] [new|popular] {product} [from|by] {brand} is {color}[| and costs {price}].
[Offer|Deal|Sale]: {product} [by|from] {brand}, {price}.
[Buy|Order] the {color} {product} for {price}.
{brand} {product} in {color}, [now|only] {price}.
The {product} is made of {material} and [weighs|has a weight of] {weight_kg} kg.
[I want to sell|For sale is] my {product}[|, {color}|, made of {material}], for {price}.
[This|The] {product} has [a rating of {rating}|{rating} stars] and costs {price}.
No. {sku}: {product} by {brand}.
Have a look at the {product}[| from {brand}| in {color}| for {price}].
Is the {product} still available? I saw it for {price}.
{brand} now makes a {product}[| of {material}| in {color}].
With the {product}, {brand} shows what it can do.
A {product} made of {material} for {price}? Yes, here.
In my shop you find the {product} by {brand}.
{sku}: {product}, {brand}, {color}.
The {product} weighs {weight_kg} kg and is made of {material}.
If you like {color}, you will love this {product}.
My new {product} is from {brand} and cost {price}.
Our customers give the {product} {rating} stars.
{price} - that is all we ask for the {product}.
What do you think of the {color} {product} by {brand}?
From {brand} comes the {product}[|, {price}|, {color}].
You asked about the {product}: it costs {price}.
The {brand} {product} has the number {sku}.
I can offer you a {product} of {material} for {price}.
{product} / {brand} / {sku} / {price}
Just in: {brand} {product}, {color}, {weight_kg} kg.
Today we test the {product}[|, which {brand} sells for {price}|, a {color} model by {brand}].
Selling: {product}, {color}, {price}. [Who wants it?|Write me.]
{brand} sells its {product} for {price}.
This week only: {product} for {price}.
The {product} you see here was made by {brand}.
{product}[,| /| -] {brand}[,| /| -] {price}
{brand}[,|:| -] {product}[,| -] {price}[|, {color}]
[no.|art.|item|code] {sku}[,|:| -| =] {product}[| by {brand}| from {brand}|, {color}|, {price}]
{sku} is [our|the|a] {product}[| by {brand}| made of {material}|, {price}].
{product} in {color}[| by {brand}|, {weight_kg} kg|, {price}]
{product} of {material}[|, {color}|, {price}]
The {product} {brand} [makes|sells|offers] [is|comes in] {color}.
{brand}'s [new |latest |]{product} [costs|is yours for] {price}.
[I|We] [have|offer|sell] a {product} by {brand}[| in {color}| for {price}].
[I|We] [tried|tested|got] the {brand} {product}[| in {color}|, {price}].
At {price}, the {product} [is|by {brand} is] [cheap|a bargain].
[My|Our] {product}, which {brand} [made|built], weighs {weight_kg} kg.
The {product} [has|carries] the number {sku} and [costs|is] {price}.
[Yesterday|Last week] I [ordered|bought] a {color} {product}[| from {brand}| for {price}].
[You|Customers] can [buy|get|order] the {product} for {price}.
Here is [my|our|the] {product}[| from {brand}|: {color}, {material}].
It is a {product}[| by {brand}| in {color}| made of {material}], and it costs {price}.
This is [a|the] {color} {product} [by|from|of] {brand}.
This {brand} {product} [costs|is] {price}[| and weighs {weight_kg} kg].
[Wanted|Found|Sold]: {color} {product}, {brand}.
In our catalog: {product}, number {sku}, {price}.
{material}, {color}, {price}: the {product} [is here|by {brand}].
Only {price} for this {product} [of|made of] {material}!
We have reviewed the {product} [that {brand} makes|of {brand}]: {rating} out of 5.
{rating} stars for the {product}[| from {brand}| by {brand}].
[Everybody|Everyone] wants the {product}, [and no wonder at {price}|made by {brand}].
The maker {brand} [sells|brings out] a {product}[| in {color}| for {price}].
Made of {material}: the {product} [by|from] {brand}.
Our price for the {product} is {price}.
How much is the {product}? [It is|We ask] {price}.
Do you have the {product} in {color}? [Yes, for {price}.|Of course.]
Description: {color} {product}, {material}, {weight_kg} kg.
The {product} ([no.|item] {sku}) [is|costs] {price}.
Listed under {sku}: {product}, {brand}.
A {brand} {product} of {material} is [for sale|on offer] [for|at] {price}.
"""

PRODUCT_DETAILS = """
It [costs|is|sells for] {price}.
The price is {price}.
Price: {price}.
You [get|can have] it for {price}.
We ask {price} for it.
It is [made|manufactured|produced] by {brand}.
The [brand|maker|manufacturer] is {brand}.
Brand: {brand}.
{brand} [makes|produces|builds] it[| in {country}].
This model comes from {brand}.
It is {color}.
The color is {color}.
Color: {color}.
It comes in {color}.
We have it in {color} [only|at the moment].
It is made [of|from] {material}.
The material is {material}.
Material: {material}.
The [body|frame|case] is [made of|of] {material}.
High-quality {material} was used for it.
It weighs [|about |only ]{weight_kg} [kg|kilograms|kilos].
[Weight|Its weight]: {weight_kg} kg.
The weight is {weight_kg} kg.
With {weight_kg} kg it is [quite light|rather heavy].
[Customers|Buyers|Users] [rate|rated] it {rating} [out of 5|stars|out of 5 stars].
The rating is {rating}[| out of 5].
It has [a rating of {rating}|{rating} stars].
[Rating|Score]: {rating}[|/5].
The average score is {rating}.
in_stock=true: It is [in stock|available now|available immediately|available].
in_stock=true: We have [it|plenty of them] in stock.
in_stock=true: In stock: yes.
in_stock=true: It can be shipped [today|at once|right away].
in_stock=true: There are [still some|enough] left.
in_stock=true: You can buy it right now.
in_stock=false: It is [out of stock|sold out|not available|currently unavailable|not in stock].
in_stock=false: Unfortunately it is [sold out|out of stock][| at the moment].
in_stock=false: In stock: no.
in_stock=false: We have none left.
in_stock=false: It is not available [at the moment|right now].
in_stock=false: New ones will only come in [next month|spring].
The [article number|item number|SKU|product code] is {sku}.
[SKU|Item no.|Article number]: {sku}.
You can find it under the number {sku}.
Please order it with the code {sku}.
It [comes with|has|carries] a {warranty_years}-year warranty.
The warranty lasts {warranty_years} years.
[Warranty|Guarantee]: {warranty_years} years.
We give {warranty_years} years of warranty on it.
[There is a|We offer a|Now with a] {discount}% discount[| this week].
It is {discount}% off [this week|today].
[Shipping|Delivery] costs {shipping_cost}.
Add {shipping_cost} for shipping.
See {website} for [more|details|pictures].
[Order|Buy] it at {website}.
[Ask|Write to|Contact] {email} [for details|if you are interested].
Call {phone} [to order|if you are interested].
The seller is {vendor}[| in {city}].
You can buy it from {vendor}[| in {city}].
[You can pick it up|Pick-up] in {city}.
payment_method=cash: Cash only.
payment_method=cash: Please pay in cash.
payment_method=cash: We only take cash.
payment_method=card: You can pay by card.
payment_method=card: We take cards only.
payment_method=card: Pay with your credit card.
payment_method=paypal: Payment via PayPal.
payment_method=paypal: Please pay with PayPal.
payment_method=paypal: We only take PayPal.
[Its|The] price is {price}[| plus {shipping_cost} for shipping].
It is a product of {brand}.
[Its|The] color is {color}, [its|the] material {material}.
[Weighs|Weight] {weight_kg} kg.
{rating} [out of 5|of 5] stars.
in_stock=true: You can have it [today|now], it is in stock.
in_stock=true: There are plenty left.
in_stock=false: It is no longer in stock.
in_stock=false: All of them are sold out.
[Item|Article|Product] number {sku}.
{warranty_years} years of warranty [are included|come with it].
[Sold|Offered] by {vendor}[|, {city}].
Save {discount}% [today|now].
For {price} it is yours.
How much? {price}.
{price} is the price.
I paid {price} for it.
You only have to pay {price}[|, shipping is {shipping_cost}].
We lowered the price to {price}.
It goes for {price} in most shops.
Who makes it? {brand}.
{brand} is the name on the box.
{brand} has built it for years.
It was designed by {brand}[| and is sold by {vendor}].
As always with {brand}, it works well.
The label says {brand}, {color}.
I chose the {color} one.
{color} is the only color they have.
It looks great in {color}.
The one in the picture is {color}.
Painted {color}, it fits everywhere.
What color? {color}.
The outside is {color}, the material is {material}.
{material} is what it is made of.
They used {material} for it.
It consists of {material} and weighs {weight_kg} kg.
The surface is {material}.
What is it made of? {material}.
Because it is {material}, it lasts long.
A thing of {material}, {color} and solid.
At {weight_kg} kg it is easy to carry.
It brings {weight_kg} kg to the scales.
How heavy is it? {weight_kg} kg.
{weight_kg} kg is not much.
You have to lift {weight_kg} kilos.
I measured {weight_kg} kg, package included.
The users gave it {rating} stars.
{rating} out of 5 is what buyers say.
With {rating} stars it is [liked|not bad|in the middle].
On average it gets {rating} of 5 points.
My verdict: {rating} out of 5.
In the test it scored {rating}.
in_stock=true: Our shelf is full, you can have it.
in_stock=true: Is it in stock? Yes.
in_stock=true: We can send it today because it is here.
in_stock=true: {vendor} has it in stock.
in_stock=true: The store still has a few, so it is available.
in_stock=true: It is ready to be picked up.
in_stock=false: Is it in stock? No.
in_stock=false: Our shelf is empty, come back later.
in_stock=false: {vendor} has sold the last one.
in_stock=false: At present nobody can deliver it.
in_stock=false: You have to wait, it is out of stock.
in_stock=false: It was sold out within a week.
{sku} is the article number.
When you order, give the number {sku}.
On the box it says {sku}.
In the catalog it is listed as {sku}.
Search our shop for {sku}.
The code on the label is {sku}, the maker {brand}.
For {warranty_years} years repairs are free.
You get a warranty of {warranty_years} years.
{warranty_years} years is how long the warranty runs.
How long is the warranty? {warranty_years} years.
{brand} gives {warranty_years} years of warranty.
Should it break in the first {warranty_years} years, the warranty covers it.
Until Sunday you save {discount}%.
With the code you get {discount}% off.
{discount} percent off for our readers.
The price was cut by {discount}%.
We send it for {shipping_cost}.
Postage is another {shipping_cost}.
{shipping_cost} for the parcel comes on top.
Have it sent for {shipping_cost} or pick it up in {city}.
{website} shows more pictures.
All details are on {website}.
They sell it on {website} for {price}.
If you want it, write to {email}.
{email} is where you can ask for it.
Interested? {email} or {phone}.
Mail me ({email}), please do not call.
My number is {phone}.
Ring {phone} before you come.
I live in {city}, so come and see it.
It stands in {city} and can be seen any time.
{vendor} sells it in {city}.
You find it at {vendor}.
The shop is called {vendor}.
I bought it at {vendor} for {price}.
Dealer: {vendor}, {city}.
payment_method=cash: Bring cash, please.
payment_method=cash: How to pay? In cash.
payment_method=cash: I want the money in cash.
payment_method=card: How to pay? By card.
payment_method=card: Your card will be charged when we send it.
payment_method=card: The shop accepts cards, nothing else.
payment_method=paypal: How to pay? With PayPal.
payment_method=paypal: You can send the money through PayPal.
payment_method=transfer: Please transfer the money to my bank account.
payment_method=transfer: How to pay? By bank transfer.
payment_method=transfer: Payment by transfer only.
{color}, {material}, {weight_kg} kg
{brand}, no. {sku}, {price}
rated {rating}, warranty {warranty_years} years
It is a {color} one by {brand}, {weight_kg} kg, of {material}.
[We|They|I] [want|ask|take] {price}.
[It|This one] is {price}.
{price}, [shipping included|plus shipping|no less].
[Now|Today|Here] for {price}.
[It|This one] is [by|from|a] {brand}.
{brand} [made|built|sells] it.
[The firm|The company] behind it is {brand}.
[Mine|Ours|This one] is {color}.
[In|Only in] {color}.
Its [color|paint|finish] is {color}.
{color} [is|was] [the color|my choice].
[Made|Built] [of|from] {material}.
{material} [all over|everywhere|on all sides].
[It|The thing] is {material}.
Its weight [is|of] {weight_kg} kg [is fine|makes it handy].
[It|The thing] [has|weighs in at] {weight_kg} kg.
{weight_kg} kg [in all|together|altogether].
[I|We|They] give it {rating} [stars|points|out of 5].
{rating} [stars|points] from [buyers|users|us].
in_stock=true: [We|They] have it.
in_stock=true: It is [here|on the shelf|in the store], [ready to go|waiting for you].
in_stock=true: [It|This one] is in stock[| again].
in_stock=false: [We|They] do not have it [now|any more].
in_stock=false: [It|This one] is [gone|sold out|out of stock].
in_stock=false: It cannot be had [now|at present], [the stock is empty|all are sold].
[No.|Art.|Item|Code|Ref.] {sku}.
{sku} is [the number|its number|the code].
The [number|code] is {sku}.
{warranty_years} years [of guarantee|guarantee|warranty].
The [guarantee|warranty] is {warranty_years} years.
[It|This one] has {warranty_years} years of [guarantee|warranty].
{discount}% [off|less] [now|this month|for you].
[We|They] give {discount}% discount.
[Shipping|Postage|Sending it] is {shipping_cost}.
{shipping_cost} [shipping|postage|for the post].
[More|Look|Details]: {website}.
{website} [has it|sells it|tells you more].
[Mail|Write]: {email}.
My [mail|address] is {email}.
[Phone|Tel.|Call]: {phone}.
[It|The thing] is in {city}.
[Here|We are] in {city}.
{vendor} [has|sells|offers] it.
[Shop|Seller|Store]: {vendor}[|, {city}].
payment_method=cash: [I|We|They] [want|take] cash.
payment_method=card: [I|We|They] [want|take] cards.
payment_method=paypal: [I|We|They] [want|take] PayPal.
payment_method=transfer: [I|We|They] [want|take] a bank transfer.
"""

TEMPLATES = {
    "person": (PERSON_OPENINGS, PERSON_DETAILS),
    "order": (ORDER_OPENINGS, ORDER_DETAILS),
    "invoice": (INVOICE_OPENINGS, INVOICE_DETAILS),
    "event": (EVENT_OPENINGS, EVENT_DETAILS),
    "product": (PRODUCT_OPENINGS, PRODUCT_DETAILS),
}

SMALL_TALK = """
[Please|Do] let me know if [anything is unclear|you have questions|you need more].
Thanks for your help!
Have a nice day.
I hope this finds you well.
[Hi|Hello|Dear] [all|team|everyone],
Hello,
Hi {OTHER},
Best regards
Kind regards, {OTHER}
[Sincerely|Yours|Best], {OTHER}
The weather was [fine|bad|lovely] [all week|yesterday].
We look forward to [it|hearing from you|your answer].
More details will follow soon.
As discussed, here are the details.
{OTHER} will [take care of the rest|be in touch|join us later].
Please forward this to {OTHER}.
This message was written [in a hurry|on the train].
There were {NUMBER} other [requests|messages|questions] this week.
I will be back in the office [tomorrow|on Monday|next week].
Everybody was very [happy|pleased|friendly].
The traffic was terrible, by the way.
{OTHER} sends {p} regards.
See you soon!
Note to self: [file this|print this|archive this].
We have worked together for a long time.
[Sorry|Apologies] for the late reply.
Is everything all right on your side?
Sorry, I am writing this on my phone.
Good to hear from you.
I talked to {OTHER} about it.
{OTHER} asked me to send you this.
Nothing else is new here.
There is one more thing, but it can wait.
We spent {NUMBER} minutes on the phone.
The coffee machine is broken again.
ok thanks
Cheers, {OTHER}
Could you have a look?
Let me know what you think.
See the notes below.
My train leaves in {NUMBER} minutes.
That is all for now.
Everything else stays as it is.
As you know, we are a small team.
Thank you for your patience.
I have told {OTHER} already.
Take care, {OTHER}
We have had {NUMBER} mails about this.
It was nice talking to you.
Good luck with everything.
[Hope|I hope] you are well.
[Thanks|Thank you][| again|, {OTHER}].
[Bye|See you|Until then][|, {OTHER}].
{OTHER} [knows|has been told|will explain].
[It|Yesterday it] was [raining|snowing|hot][| all day].
We [had|got] {NUMBER} [calls|visitors|letters] [today|last week].
[Ask|Tell] {OTHER}, please.
The rest [is|was] [clear|as before|fine].
[Write|Sent] from my [phone|desk].
It took {NUMBER} minutes.
"""

LEAD_INS = """
By the way,
As far as I know,
As I said,
Just so you know:
For your files:
Please note:
Note that
I heard that
I think
It seems that
They told me that
{OTHER} says that
{OTHER} told us that
According to {OTHER},
If I remember right,
To be exact,
At the moment,
Also,
And
But
So
Well,
Yes,
Oh, and
PS:
FYI:
One more thing:
In case you wonder,
As agreed,
It says here that
You should know that
We were told that
"""  # go in front of training sentences

ASIDES = """
as agreed
I think
if I remember right
as far as I know
just so you know
by the way
says {OTHER}
according to {OTHER}
as always
as usual
thanks
please
as you asked
which is good to know
which suits us well
if that helps
no doubt
"""  # go behind training sentences

JOINTS = [", and ", ", and ", "; ", " - ", ", but ", ", while ", ", so ", ", "]  # join training sentences

LABELS = {  # field -> labels in forms and lists; the last one is held out
    "name": "Name|Full name|Contact|Attn|Contact name|Person|Name and surname|Who|Candidate|Employee|Signed by|Contact person",
    "first_name": "First name|Given name|Forename|Forename(s)|Given|Name (first)",
    "last_name": "Last name|Surname|Family name|Surnames|Name of family|Name (last)",
    "age": "Age|Years of age|Age in years|Aged|How old|Present age|Age (years)",
    "email": "Email|E-mail|Mail|Contact email|E-mail address|Mail to|Write to|@|Email address",
    "phone": "Phone|Tel|Telephone|Mobile|Cell|Tel.|Mobile number|Phone no.|Call|Fon|Telephone no.|Landline|Ring|Phone number",
    "city": "City|Town|Location|Place of residence|Home town|Based in|Place|Lives in|Municipality|City of residence",
    "country": "Country|Nation|Home country|Land|Comes from|State or country|Country name|Country of residence",
    "address": "Address|Street|Postal address|Home address|Street and number|Lives at|House|Street, no.|Residence|Street address",
    "postal_code": "Postal code|Zip|ZIP code|Postcode|ZIP|Post code|PLZ|Postal no.|Zip code",
    "company": "Company|Employer|Organization|Firm|Works at|Works for|Business|Employed by|Workplace|Company name",
    "job_title": "Job title|Position|Job|Occupation|Role|Profession|Title|Job name|Works as|Function|Post|Trade|Job position",
    "department": "Department|Dept.|Division|Team|Unit|Section|Works in|Dep.|Department name",
    "birth_date": "Date of birth|Born|Birthday|DOB|Birth date|Birth|Date of birth (DOB)|Birthdate|B.|Born on",
    "website": "Website|Web|Homepage|URL|Site|Web page|Link|Internet|WWW|Online at|Web site",
    "years_experience": "Years of experience|Experience (years)|Years of work|Years in the job|Yrs. of experience|Experience, years|Experience in years",
    "salary": "Salary|Annual salary|Pay|Yearly salary|Income|Earns|Pay per year|Wage|Annual pay",
    "skills": "Skills|Competences|Knows|Main skills|Good at|Expertise|Abilities|Can do|Key skills",
    "languages": "Languages|Speaks|Spoken languages|Language skills|Fluent in|Language(s)|Languages spoken",
    "hobbies": "Hobbies|Interests|Free time|Likes|Pastimes|Leisure|Loves|Spare time|Hobbies and interests",
    "married": "Married|Is married|Married (yes/no)|Has a spouse|Wedded|Married?",
    "order_id": "Order|Order no.|Order number|Purchase order|Order #|Ref.|Order no|Order code|PO number|No. of order|Order ID",
    "customer": "Customer|Client|Buyer|Billed to|Bill to|Customer name|Purchaser|For|Deliver for|Recipient|Ordered by",
    "product": "Product|Item|Article|Model|Goods|Product name|Thing|What|Description|Product ordered|Item name",
    "quantity": "Quantity|Qty|Units|Pieces|Qty.|Number of pieces|How many|Amount of pieces|Pcs|Count|Number of units",
    "price": "Price|Unit price|Price per unit|Cost|Price per piece|Each|A piece|Per unit|Single price|Retail price|Price each",
    "amount": "Total|Amount|Amount due|Sum|Grand total|Balance|Total sum|To pay|In total|Order value|Sum total|Overall|Total amount",
    "shipping_cost": "Shipping|Delivery cost|Postage|Shipping fee|Freight|Delivery fee|Transport|Courier fee|Shipping cost",
    "discount": "Discount (%)|Discount %|Percent off|Rebate %|Reduction in %|Discount, percent|Off (%)|Discount in percent",
    "status": "Status|State|Order state|Current state|Progress|Stage|Current status|Order status",
    "payment_method": "Payment method|Payment|Pay by|Method of payment|Paying by|How paid|Means of payment|Paid with|Paid by",
    "order_date": "Order date|Date of order|Placed on|Date ordered|Ordered|Purchase date|Bought on|Day of order|Ordered on",
    "delivery_date": "Delivery date|Delivery|Arrives|Deliver by|Expected delivery|Delivered by|Arrival|ETA|Arrival date|To be delivered|Date of delivery",
    "gift": "Gift|Is a gift|Gift wrapping|Present|As a gift|Wrap as gift|Gift?",
    "items": "Items|Goods ordered|Contents|Items ordered|List|Contains|Things|In the box|List of items",
    "priority": "Priority|Prio|Level of priority|Urgency|Importance|Prio.|Priority level",
    "invoice_number": "Invoice|Invoice no.|Bill no.|Invoice #|Bill number|Inv. no.|Bill|No. of invoice|Inv.|Invoice number",
    "vendor": "Vendor|Seller|Supplier|Issued by|From|Vendor name|Sender|Merchant|Dealer|Biller|Shop|Sold by",
    "tax": "Tax|VAT|Sales tax|VAT amount|Taxes|Incl. VAT|Tax included|Of which tax|Tax amount",
    "date": "Date|On|Dated|Day|When|Date of issue|Issued on|Written on|On date",
    "due_date": "Due|Deadline|Pay by|Payable until|Due by|Pay until|Last day|To be paid by|Term ends|Reply by|Due date",
    "paid": "Paid|Is paid|Paid?|Settled|Payment received|Was paid|Already paid",
    "event": "Event|Title|What|Event name|Name of event|Occasion|Happening|Name of the event|Program|Event title",
    "time": "Time|Start|Begins|Starts at|Begins at|From|Beginning|Hour|Start at|Opens|Start time",
    "end_time": "End|Ends at|Until|Ends|To|Closes|Finish|Over at|Closes at|End time",
    "venue": "Venue|Where|Place|Location|Hall|At|Room|Building|Venue name",
    "organizer": "Organizer|Host|Hosted by|Organized by|Run by|In charge|Presented by|Organiser|Event host",
    "speakers": "Speakers|Talks by|Speaker list|Speaker(s)|On stage|With talks by|Speaking|List of speakers",
    "attendees": "Attendees|Guests|Participants|Expected guests|Number of attendees|People|Visitors|Crowd|Seats|Expected|Number of guests",
    "category": "Category|Type|Kind of event|Event category|Sort of event|Format|Event kind|Type of event",
    "online": "Online|Virtual|Online event|Is online|Held online|On the internet|By video|Online?",
    "brand": "Brand|Maker|Manufacturer|Made by|By|Producer|Label|Make|Brand name",
    "color": "Color|Colour|Finish|Shade|Paint|Color name|Comes in|Product color",
    "material": "Material|Made of|Materials|Consists of|Fabric|Made from|Mat.|Material used",
    "weight_kg": "Weight (kg)|Weight kg|Kg|Weighs (kg)|Mass in kg|Kilos|Kilograms|Weight in kg",
    "rating": "Rating|Stars|Score|Average score|Points|Reviews|Customer rating|Out of 5|Average rating",
    "in_stock": "In stock|Available|Is in stock|On stock|Can be shipped|Still available|In stock?",
    "sku": "SKU|Article no.|Item no.|Article number|Product code|Code|Article code|Art. no.|Catalog no.|Model no.|Item code",
    "warranty_years": "Warranty (years)|Years of warranty|Guarantee (years)|Warranty, years|Guarantee in years|Warranty in years",
}

KIND_FIELDS = {  # kind -> the fields that a form or a question about such a text may have
    "person": """name first_name last_name age email phone city country address postal_code company job_title department
        birth_date website years_experience salary skills languages hobbies married""".split(),
    "order": """order_id customer product quantity price amount shipping_cost discount status payment_method order_date
        delivery_date gift items priority email phone city address postal_code country""".split(),
    "invoice": """invoice_number vendor customer amount tax date due_date paid product quantity price items discount
        payment_method email phone city address website""".split(),
    "event": """event date time end_time venue city organizer speakers attendees category online price email phone
        website address due_date country""".split(),
    "product": """product brand price color material weight_kg rating in_stock sku warranty_years discount shipping_cost
        website email phone vendor city payment_method""".split(),
}
