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
Please welcome {name}, our new {job_title} in {department}.
Meet {name}: {age}, {city}, {job_title}.
To whom it may concern: this letter confirms that {name} is employed by {company}.
Candidate sheet — {name}
hey, did you get a chance to talk to {name} from {company} yet?
Applicant {last_name}, {first_name} – file opened at the request of {OTHER}.
{company} has appointed {name} as {job_title}[.|, effective immediately.]
I'd like to introduce an old friend of mine, {name}, who lives in {city}.
It was at a trade fair that I got to know {name}, {job_title} at {company}.
Who is {name}? Someone aged {age} with a house full of plants in {city}.
Contact card for {name}, {company}
Speaker bio: {name} leads the {department} team at {company}.
Dear {OTHER}, as promised, here is what I know about {name}.
New tenant: {name}, until now at {address}, {city}.
FYI {OTHER} - the person you want for this is {name} ({job_title}).
"Just call me {FIRST}," said {name} when we shook hands.
Let me put in a word for {name}, whose office at {company} is two doors down from mine.
Patient: {last_name}, first name {first_name}, born {birth_date}.
Staff news: after a long search, {department} has found its new {job_title}. Welcome, {name}!
My name is {name} and I am writing about the vacancy you advertised.
Hi all, {name} here, {job_title} from {city}.
At {age}, {name} can already look back on {years_experience} years in the trade.
Born on {birth_date}, {name} [grew up among books|was the youngest of {NUMBER} children].
Membership form received. Name given: {name}. Country: {country}.
Reference no. {NUMBER}: personal record of {name}
Looking for someone who speaks {languages}? Then ring {name}.
Among the {NUMBER} people who applied, {name} stood out.
The winner of this year's staff award is {name} of {department}!
RE: {name} – background check, {OTHER} in charge
Colleague of the month is {name}, whose desk in {department} is famous for its cactus collection.
Quick note on {name} before {OTHER} calls back.
From {country} comes {name}, {age} years old.
We interviewed {name} over the phone this morning; {OTHER} sat in.
{FIRST}? You mean {name}, the {job_title}.
Guest registration. Surname {last_name}, given name {first_name}, country of residence {country}.
This week {name} celebrates {years_experience} years in the profession.
Happy birthday to {name}, who turns {age} today!
Not {OTHER} but {name} will take over as {job_title}.
Kindly add the following person to the directory: {name}, {department}, {company}.
Update to personnel file {NUMBER} ({name})
ok so the new neighbour is called {name} and moved in at {address}
Seen in the local paper: {name}, {job_title} by profession, saved a swan from the canal.
Free-time corner, today with {name}, who spends every spare minute on {hobbies}.
Subject: introducing {name}
Under the name {name} the following resident is registered in {city}.
Say hello to {name} – {FIRST} for short – a familiar face at {company}.
Freelancer available: {name}, skilled in {skills}.
Our reporter visited {name} at home in {city}, {country}.
I hereby recommend {name} for the post without reservation.
Volunteer list, entry {NUMBER}: {name}, aged {age}
You asked me, {OTHER}, whom to contact at {company}. The answer is {name}.
Lost property: the wallet belongs to {name}, {address}.
This is to certify that {name}, born on {birth_date}, resides in {city}.
Visitor badge issued // {name} // {company} // host: {OTHER}
Nobody in {department} needs to be told who {name} is.
Next Monday somebody new joins the choir: {name} from {city}.
The person standing next to {OTHER} in the photo is {name}, {job_title} for {company}.
Travel desk – please book a seat for {name}, resident in {country}.
Payroll notice concerning {name} ({department})
{name}'s CV landed on my desk today; {OTHER} forwarded it.
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
The name on the door reads {name}.
Kind regards[,| from] {name}
Full name as printed in the passport: {name}.
Do not confuse {name} with {OTHER}, who sits on the same floor.
The signature at the bottom, hard to decipher, is that of {name}.
In full, that would be {name}.
first name {first_name}, family name {last_name}
The parents chose {first_name} as a first name after a long argument.
Friends say {first_name}; on paper the surname {last_name} follows.
You will find the file under the surname {last_name}, not under {OTHER}.
Given name? {first_name}. Last name? {last_name}.
{P} surname, {last_name}, is often misspelt.
"{first_name}" is the first name we should print on the badge.
The family is called {last_name}.
{last_name} is the last name, spelled exactly like that, and {first_name} the first.
In the column for forenames somebody wrote {first_name} in green ink.
{S} signs with {p} last name only: {last_name}.
On first-name terms already? It's {first_name}.
As for the family name, {last_name} was kept.
{S} has just turned {age}.
Though only {age} years of age, {s} sounds like a veteran.
age {age}
There are {age} candles on the cake this year.
At the age of {age} one may take it slower, {s} thinks.
You would never guess that {FIRST} is {age}.
{OTHER} is {NUMBER} years old, while {FIRST} is {age}.
"I'm {age}, and I feel it in my knees," {s} laughs.
Next year {s} will be a year older than {p} present {age}.
Our records give {p} age as {age}.
{age} y/o
How old? {age}, if the form is right.
Week {NUMBER} on the job, and {age} years old.
Having reached {age} years, {s} qualifies for the reduced fee.
Mails reach {FIRST} at {email}.
Drop a line to {email} and {s} will answer within a day.
{email} is {p} address for anything electronic.
Write, don't ring: {email}.
[E-mail|Email|e-mail address]: {email}
The newsletter should go out to {email}, please.
{OTHER} insists on paper letters, but {FIRST} reads everything sent to {email}.
{S} can be contacted by e-mail ({email}).
Got {p} email, it's {email}
For a quick reply use {email} rather than the general inbox.
Invitations were bounced until we corrected the mailbox to {email}.
cc {email} pls, that's {FIRST}
Attachments up to {NUMBER} MB may be mailed to {email}.
If the phone {phone} stays silent, e-mail {email} instead.
Call {phone} and ask for {FIRST}.
{phone} rings right on {p} desk.
Under {phone} {s} picks up at nearly any hour.
Tel. {phone}
{p} mobile is {phone}, text first
The number to dial is {phone}.
Should the matter be urgent, {FIRST} may be phoned on {phone}.
{S} left {phone} as a callback number.
Extension {NUMBER} is dead; the working phone number is {phone}.
ring {FIRST} on {phone} after lunch, not {OTHER}
Reachable by telephone – {phone} – on weekdays only.
"My number hasn't changed, still {phone}," {s} assured us.
Saved in my contacts with the phone number {phone}.
WhatsApp works too: {phone}.
Two ways to get hold of {FIRST}: the telephone, {phone}, or a note to {email}.
Since the spring {s} has been living in {city}.
{city} is where {s} calls home.
Home town these days: {city}.
{S} rents a small flat in the old part of {city}.
based in {city}
Every evening the train takes {FIRST} back home to {city}.
A move away from {city}, where {s} lives, is out of the question.
{OTHER} went abroad, {FIRST} stayed in {city}.
City of residence – {city}
{S} knows every café in {city}, having settled there with {p} two cats.
Where can we visit? In {city}, that's where {s} lives.
In {city} ({country}) {s} has a house with a wild garden.
The place on {p} registration card is {city}.
What keeps {FIRST} in {city} is the river and the cheap rent.
{S} lives at {address} in {city}.
Parcels should go to {address}, {postal_code} {city}.
For visits: {address}, second floor, ring twice.
{p} place is at {address}, the one with the blue gate
Postal address: {address}
{address} is the street address we have on record.
Letters addressed to {address} are certain to reach {FIRST}.
Home is a narrow house, {address}, with {NUMBER} steps up to the door.
A taxi was ordered to {address}, where {s} is staying for good.
The flat at {address} belongs to {FIRST} and not to {OTHER}.
Please send the documents to the following address: {address}, {city}, {country}.
{S} has been registered at {address} since the wedding of a cousin.
postcode {postal_code}
The letter needs the postal code {postal_code} to arrive.
{postal_code} is the ZIP on {p} envelope.
With {postal_code} as a post code the parcel service finds the house at once.
According to the form {p} ZIP code is {postal_code}, locker {NUMBER}.
Town and code: {city}, {postal_code}.
Don't forget {postal_code}, the postal code of {p} district.
{OTHER} wrote a wrong postcode on the card; {postal_code} is the correct one.
{S} lives in {country}.
{country} has been {p} home for a good while.
Country: {country}
As a resident of {country}, {s} needs no visa.
Taxes are paid in {country}, where {s} lives.
The whole family is settled in {country}.
Somewhere in the south of {country} stands the farmhouse {s} calls home.
{S} travels a lot, to {NUMBER} places a year, but always returns home to {country}.
home country = {country}
From {p} kitchen window in {country} {s} can see the mountains.
Which country? {country}, the form says.
Unlike {OTHER}, who moved overseas, {FIRST} never left {country}.
Being from {country}, {s} finds our winters amusing.
Please use the stamps for {country} – that's where {FIRST} is.
Living in {country} suits {FIRST} well.
greetings from {country}, where {s} is at home!
The passport was issued in {country}, {p} country.
{S} writes to us all the way from {country}.
It is in {country} that {s} makes {p} home, in a village outside {city}.
For shipping purposes {p} country is {country}.
{S} works for {company}.
{company} pays {p} wages.
Current employer: {company}
On weekdays you'll find {FIRST} in the offices of {company}.
{S} earns {p} living at {company}.
The firm {s} works for is called {company}.
Employed by {company} since the summer, {s} has settled in well.
{OTHER} left for a competitor; {FIRST} stayed loyal to {company}.
"Best decision I ever made was signing with {company}," {s} told {OTHER}.
company – {company}
{company} counts {FIRST} among its staff of {NUMBER}.
At {company}, {p} employer, the canteen is said to be excellent.
It's {company} that {s} represents at the fair.
{S} joined {company} straight after college and never looked back.
{P} business card? It carries the logo of {company}.
still at {company} btw
{S} is on the payroll of {company}, personnel number {NUMBER}.
As an employee of {company}, {s} gets a discount at the gym.
Working hours at {company} allow {FIRST} to pick up the kids at four.
{S} has a permanent contract with {company}.
Behind the reception of {company} hangs a portrait of {OTHER}, the founder; {FIRST} works one floor up.
By day {s} is {job_title}, by night a terrible singer.
{S} works as {job_title}.
Position held: {job_title}
{job_title} – that's what it says on {p} business card.
What does {s} do for a living? {S} is our {job_title}.
The post of {job_title} has been filled by {FIRST}.
{S} was promoted to {job_title} last month, ahead of {OTHER}.
Employed in the role of {job_title}, {s} reports to {OTHER}.
As {job_title} at {company}, {s} signs off the quarterly figures.
occupation {job_title}
{OTHER} is only the assistant; the actual {job_title} is {FIRST}.
Once an apprentice, now {job_title}.
If you need the {job_title}, knock on {p} door.
Whatever nickname {OTHER} may use, the contract simply says "{job_title}".
Professionally speaking: {job_title}.
{p} mum still can't explain what a job like {job_title} involves, but {s} loves being one
The duties of the {job_title} have been {p} own since spring.
{company} hired {FIRST} to be its {job_title}.
To the customers {s} is known as the friendly {job_title}.
In the staff list {s} appears on line {NUMBER} as {job_title}.
Being {job_title} suits {FIRST}, {s} says.
Title: {job_title}; unit: {department}.
{S} belongs to the {department} department.
{department} is {p} department.
Dept.: {department}
You'll find {p} desk over in {department}.
{FIRST} sits with the {department} people on floor {NUMBER}.
A transfer out of {department}, where {s} works, has been refused.
{OTHER} runs the warehouse, {FIRST} belongs to {department}.
{S} was assigned to {department} after the reorganisation.
Within {company}, {s} is part of {department}.
Internal mail for {FIRST} goes to {department}, tray {NUMBER}.
{S} handles most of what lands in {department}.
works in {department}, two desks from {OTHER}
The {department} unit could not manage without {FIRST}, one of its own.
Which department? {department}.
{S} has been with {department} for as long as anyone remembers.
{P} cost centre is charged to {department}, {p} home department.
Department and position: {department}, {job_title}.
{department}: that's the team {s} is on.
Thanks to {FIRST}, {p} department, {department}, met every deadline.
{S} was born on {birth_date}.
date of birth {birth_date}
{birth_date} is {p} birthday, year included.
DOB: {birth_date}, file no. {NUMBER}
The midwife noted {birth_date} as the day {s} came into the world.
{S} first saw the light of day on {birth_date}.
Birth certificate dated {birth_date}, the day of {p} birth.
According to {p} identity card, {s} was born {birth_date}.
Born? On {birth_date}, a stormy night by all accounts.
{p} date of birth, {birth_date}, has been checked by {OTHER}
Since {birth_date}, the day of {p} birth, the family has never been quiet.
We need the birth date for the insurance: {birth_date}.
More about {FIRST} on {website}.
{S} keeps a blog at {website}.
Homepage: {website}
Samples of {p} work are collected at {website}.
{website} is {p} personal site.
Have a look at {website}, {FIRST} updates it every Sunday.
The portfolio ({website}) was designed by {OTHER}, but the site is {p} own.
On the web you'll meet {FIRST} under {website}.
{S} has {years_experience} years of experience.
{years_experience} years in the business have taught {FIRST} patience.
Professional experience: {years_experience} [years|yrs]
For {years_experience} years now {s} has been doing this kind of work.
Experience? {years_experience} years, if you count the apprenticeship.
With {years_experience} years on the job, {s} trains the newcomers.
{S} brings along {years_experience} years of practice as {job_title}.
It took {FIRST} {years_experience} years in this line of work to get here.
Few people in {department} can match {p} {years_experience} years of experience.
{OTHER} is a beginner; {FIRST} has been at it for {years_experience} years.
"After {years_experience} years in the field nothing surprises me," {s} says.
{S} started out in this profession {years_experience} years ago.
{years_experience} yrs exp., {NUMBER} finished projects
{S} earns {salary} a year.
salary {salary}
{salary} is what {s} takes home, before tax.
The contract provides for a salary of {salary}.
{P} pay was raised to {salary}.
{company} pays {FIRST} {salary}.
Desired remuneration: {salary} per annum.
{S} would not sign for less than {salary}, and that is {p} pay today.
Annual gross pay of {salary} was agreed with {OTHER}.
Salary-wise we are talking about {salary}.
An income of {salary} goes with the position of {job_title}.
{S} draws {salary} in wages, paid in {NUMBER} instalments.
Skills: {skills}
{S} is good at {skills}.
{skills} – that's {p} toolbox.
We value {FIRST} above all for {p} skills in {skills}.
{S} has a solid command of the following: {skills}.
knows {skills} inside out
Asked about {p} strengths, {s} named {skills}.
{P} qualifications cover {skills}.
{OTHER} may be the talker, but when it comes to {skills}, {FIRST} is the expert.
Training certificates prove {p} skills: {skills}.
{skills} may be listed as {p} core competences.
{S} acquired {p} expertise, namely {skills}, on the job.
If a task demands {skills}, give it to {FIRST}.
Years of practice have made {FIRST} proficient in {skills}.
{P} test score of {NUMBER} points confirms how skilled {s} is in {skills}.
Languages: {languages}
You can talk to {FIRST} in {languages}.
{languages} – {s} is fluent.
{P} command of {languages} impressed {OTHER}.
Which languages? {languages}.
At home they used dialect, at school {s} picked up {languages}, which {s} speaks to this day.
Calls in {languages} can be passed to {FIRST}.
{S} reads the papers in {languages}.
{languages} spoken
Having grown up near a border, {s} is at ease in {languages}.
{S} switches between tongues without effort: {languages}.
Language skills (self-assessed): {languages}; typing speed: {NUMBER}.
{OTHER} needs an interpreter; {FIRST} gets along in {languages}.
No translator needed, as {s} understands and writes {languages}.
{FIRST} dreams, swears and counts in {languages}.
Customers are served by {FIRST} in {languages}.
Hobbies: {hobbies}
In {p} free time {s} enjoys {hobbies}.
{hobbies} – that's how {FIRST} spends the weekends.
When not at work, {s} is busy with {hobbies}.
{S} is passionate about {hobbies}.
Among {p} pastimes: {hobbies}.
After office hours it's all about {hobbies}.
Ask {FIRST} about {hobbies} and {s} won't stop talking.
likes {hobbies}
{S} has a soft spot for {hobbies}.
For fun? {hobbies}.
{hobbies} keep {FIRST} sane.
{P} leisure hours are devoted to {hobbies}.
{OTHER} prefers television; {FIRST} goes in for {hobbies}.
What {s} loves outside of {company}: {hobbies}.
"Without {hobbies} I'd go mad," {s} admits.
Retirement will leave more room for {hobbies}, {p} favourite occupations.
Holidays, for {FIRST}, mean {hobbies} from morning to night.
{S} has taken up {hobbies} to relax.
Interests outside work: {hobbies}.
A whole shelf of {NUMBER} books bears witness to {p} love of {hobbies}.
Since childhood {s} has been keen on {hobbies}.
Rainy Sundays are made for {hobbies}, if you ask {FIRST}.
{S} unwinds with {hobbies}, sometimes together with {OTHER}.
married=true: {S} is married[.| and has {NUMBER} nieces.]
married=true: {P} spouse works abroad.
married=true: {S} wears a wedding ring.
married=true: Marital status: married
married=true: The wedding took place in {city}, where the couple still lives.
married=true: {S} and {OTHER} tied the knot years ago and are still together.
married=true: Family: a spouse, {OTHER}, and two dogs.
married=true: Not single any more – the wedding was in May.
married=true: {OTHER}, to whom {s} is married, sends greetings.
married=true: yes, {s}'s married
married=true: As a married person {s} is in tax class {NUMBER}.
married=false: civil status – not married
married=false: {S} has never married.
married=false: {OTHER} is married, {FIRST} is not.
married=false: No ring, no spouse, no plans for a wedding.
married=false: In the box "married" {s} ticked "no".
married=false: A marriage was never on the cards for {FIRST}, who is still single.
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
Hi there, this is {customer} and I'm writing about order {order_id}.
Order {order_id}, placed by {customer}, [is now in our system|has reached us safely|landed on my screen this morning].
Dear {customer}, thank you for choosing our {product}.
A new order has come in: {quantity} x {product}, bought by {customer}.
{customer} has [just |]bought the {product} [from our web shop|in our online store|through the app].
New order! {order_id}, buyer {customer}.
Thanks for shopping with us, {customer}! We filed your purchase under {order_id}.
Note to the warehouse: {order_id} belongs to {customer}.
Could someone look into {order_id}? {customer}, who placed it, [is getting nervous|keeps writing to us|called twice today].
I'd like to order your {product}, please.
Please put me down for {quantity} of the {product}; the name is {customer}.
ORDER CONFIRMATION - {order_id}
It was {customer} who ordered the {product}, [and not|not] {OTHER}.
Sales log, entry {NUMBER}: {customer} ordered the {product}.
What did {customer} order? The {product}, under reference {order_id}.
We're pleased to confirm your purchase of {items}.
hey, quick one - {customer} wants {items}, can we [do that|arrange it|pack it today]?
Purchase order no. {order_id} [follows|is set out below].
{order_id}: {items} for {customer}.
Our records show that the {product} was sold to {customer}.
Hello {OTHER}, please process the order of {customer}, number {order_id}.
Great news: your {product}, {customer}, [is on our list|has been reserved].
Somebody called {customer} filled in the order form and picked the {product}.
Order ref: {order_id}. Item: {product}.
The basket of {customer} held {items} [at checkout|when the order went through].
[Good morning|Good afternoon|Hello], my name is {customer} and I bought {items} in your shop.
To: Dispatch. Re: {order_id}, customer {customer}.
Last call for {order_id}, the one with the {product}.
Under the number {order_id} we have booked an order of {quantity} units of the {product}.
An order from {customer} in {city} [came through|arrived|was taken down] [overnight|today|a little while ago].
Your order with us [- {order_id} -|({order_id})] has been registered, {customer}.
On {order_date} {customer} placed an order with our shop.
{customer} here. I ordered the {product} and wanted to check [a few things|the details].
So, about the {product} that {customer} ordered...
From the order desk: {quantity} pieces of {product} have been requested by {customer}.
Ticket {NUMBER} concerns order {order_id}, which was made in the name of {customer}.
[Received|Booked in] on {order_date}: order {order_id}.
Thank you, {customer}! {items} [will soon be yours|are being set aside for you].
Can I still add something to {order_id}? The order is in my name, {customer}.
Packing slip {order_id}
The client is {customer}; the goods are {items}.
We wish to order from you, as discussed with {OTHER}, the {product} ({quantity} pcs).
For {customer}, order {order_id}, please prepare the following.
Order summary for {customer}
Who gets the {product}? {customer} does, see {order_id}.
Web order taken from {customer} ([by phone|by chat|through the site]): {items}.
You asked us for the {product}, {customer}, and [here we go|we have noted it|it will be done].
{quantity} times the {product}, that is what order {order_id} comes down to.
Just got off the phone with {customer}, {s} is ordering the {product}.
The purchase that {customer} made on {order_date} carries the number {order_id}.
Dear Sir or Madam, I hereby order {items}.
Shop assistant {OTHER} entered an order for {customer}, namely {items}.
Re your order {order_id}
{customer} - order {order_id} - {product}
We owe {customer} an update on the {product} {s} ordered.
An order for the {product} has been opened. It runs under {order_id}.
Incoming! {customer} clicked "buy" on the {product}.
File {order_id} [opened|created] {order_date}, account holder {customer}.
Yes, we did get your order, {customer}; the confirmation code is {order_id}.
I am ordering on my own behalf, {customer}, and need {quantity} of these: {product}.
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
The order number is {order_id}[, please quote it whenever you call|; keep it handy].
Reference: {order_id}.
In case of questions, mention {order_id}, the number of this order.
Our system lists it as {order_id}.
You can track the parcel by typing {order_id} into the search box.
Shelf {NUMBER}, bin 4, label {order_id} (the order number).
"{order_id}" is printed on the slip as the order reference.
If anyone asks which order this is: {order_id}.
Don't mix it up with ticket {NUMBER}: the order itself is {order_id}.
We gave this order the number {order_id}.
Order no.: {order_id}
{order_id} is the number under which the order is kept.
The buyer is {customer}.
{customer} placed the order[, as far as I can see|; the signature matches].
This was ordered by {customer}, though {OTHER} may pick it up.
Customer name: {customer}
The account belongs to {customer}, [a regular|a long-time client|one of our oldest customers].
Our customer, {customer}, [was very friendly on the phone|has been buying from us for years|has no complaints so far].
{OTHER} packed the box, {customer} is the one who bought it.
It is {customer} we are selling to.
Please address the customer as {customer} in all letters.
On the order form stands the name {customer}.
The person who ordered is called {customer}.
Sold to {customer}.
"I'm {customer}, the customer," {s} said when {s} rang.
Ordered in the name of {customer}, checked by {OTHER}.
If {OTHER} opens the door, ask for {customer}, who made the order.
Kindly note that {customer} is the purchaser, {OTHER} only the recipient of the newsletter.
{customer}, the buyer, would like a written confirmation.
Whose order is it? {customer}'s.
[We thank|Our thanks go to] {customer} for this order.
My colleague {OTHER} spoke to the customer, {customer}, about it.
The article ordered is the {product}.
What {s} wanted was the {product}.
Product: {product}
{product} - that's the thing {s} picked.
The order is for the {product}, [nothing else|no extras].
{FIRST} chose the {product} after a long look at the catalogue.
In the box you'll find your {product}.
The {product} was put into the cart and paid for at once.
We're talking about the {product} from page {NUMBER} of the catalogue.
Among all the models {s} went for "{product}".
Item on order: {product}, as seen in the shop window.
You have made an excellent choice with our {product}!
One line only on this order, and it reads "{product}".
{OTHER} had recommended the {product}, so that is what {LAST} ordered.
The {product} has been set aside for this customer.
We shall be sending you the {product} you selected.
Has the {product} been packed? That is the ordered item.
Wrapped in bubble foil lies the {product}, ready to go to its buyer.
The customer specifically asked for the {product}.
Make sure it is the {product} that goes out, not the one from aisle {NUMBER}.
Nothing but the {product} will do, {s} told us.
{product}, {quantity} pcs.
We need {quantity} of them.
{quantity} units were ordered[| in one go].
How many? {quantity}, please.
Pack {quantity} pieces, [not more|not one more|not one less].
The number of copies {s} wants: {quantity}.
Qty {quantity}, unit price {price}.
{FIRST} originally thought of fewer but ended up taking {quantity} of them.
There should be {quantity} in the carton when it leaves us.
Please make that {quantity} pieces instead of the single one I first mentioned.
A total of {quantity} units must be picked from shelf {NUMBER}.
Of the {product} the buyer takes {quantity}.
At {price} apiece, {s} ordered {quantity}.
Count them twice: it has to be {quantity}.
The box holds {quantity} x {product} and a leaflet.
Each one costs {price}.
Unit price: {price}
The {product} sells at {price} [per piece|each|apiece].
For a single unit we charge {price}.
{price} is what one of them costs.
{S} got the {product} at the catalogue price of {price}.
Per piece we agreed on {price}.
Our list says {price} for the {product}[|, tax included].
One {product}, so we told the buyer, is {price}.
You pay just {price} per unit!
The single item was offered at {price}, and the customer said yes.
"How much is one?" asked {OTHER}. "{price}," we said.
The total comes to {amount}.
Order total: {amount}
All in all {s} has to pay {amount}.
{amount} in total[|, everything included|, shipping and all].
Altogether that makes {amount}.
The grand total of the order is {amount}.
We have charged {amount} for the whole order.
That's {amount} for the lot.
Everything together cost the customer {amount}.
{amount} will be the final figure on the bill.
You owe us {amount} for the complete order.
Sum total {amount}, shipping {shipping_cost}.
In the end {LAST} spent {amount} with us.
With {NUMBER} loyalty points on the side, the full order came out at {amount}.
Shipping is {shipping_cost}.
For delivery we add {shipping_cost}.
Postage and packing: {shipping_cost}
{shipping_cost} goes to the courier.
The carrier wants {shipping_cost} for bringing it to {city}.
Delivery fee {shipping_cost}, order total {amount}.
Sending the parcel costs another {shipping_cost}.
On top of the goods there is a freight charge of {shipping_cost}.
Of the total, {shipping_cost} is for shipping.
To have it brought to the door the customer pays {shipping_cost} extra.
Free delivery did not apply, hence the shipping charge of {shipping_cost}.
A discount of {discount}% applies.
{discount} percent off[!|, as promised|, because {s} is a regular]
{S} gets {discount}% off the list price.
The voucher is good for {discount}% off.
As a loyal customer {FIRST} enjoys a {discount} percent reduction.
Rebate granted: {discount}%
Prices are already reduced by {discount}%.
Coupon number {NUMBER} knocked {discount} percent off the order.
With {discount}% shaved off, it was a bargain.
Our sales manager {OTHER} allowed a price cut of {discount} percent.
Did the {discount}% discount go through? It did.
status=pending: Nothing has left the warehouse yet, we are still waiting for [approval|a slot|the go-ahead].
status=pending: The order is pending.
status=pending: We haven't started on it, it sits in the queue.
status=pending: It has yet to be processed.
status=pending: {OTHER} still has to release it before it can be shipped.
status=pending: At the moment the order is on hold, [waiting to be handled|awaiting confirmation].
status=pending: Status: pending
status=pending: Your order is still being prepared and has not been sent out.
status=shipped: The parcel is on its way.
status=shipped: It has been shipped[| with our usual carrier].
status=shipped: We handed the box to the courier, so it is now in transit.
status=shipped: Your goods left our warehouse [today|yesterday|this morning] and are travelling to you.
status=shipped: Status: shipped
status=shipped: {OTHER} dropped it at the post office; it's under way but hasn't arrived yet.
status=shipped: Already dispatched, truck {NUMBER}.
status=shipped: Yes, it went out, and tracking shows it moving.
status=delivered: The package has arrived.
status=delivered: {S} has the goods in hand [now|already].
status=delivered: Delivered, signed for by {OTHER}.
status=delivered: The box was dropped off at the door and the recipient is happy with it.
status=delivered: We can see that the parcel reached its destination.
status=delivered: Status: delivered
status=delivered: Everything turned up in one piece[, thanks|, so we may close the file].
status=delivered: Since the customer has received the goods, this one is done.
status=cancelled: The customer has called the whole thing off.
status=cancelled: This order was cancelled[| before it could leave the house].
status=cancelled: Status: cancelled
status=cancelled: {S} changed {p} mind and withdrew the order.
status=cancelled: Please don't send anything any more, the order is void.
status=cancelled: We had to cancel it, sorry, {OTHER} found the shelf empty.
status=cancelled: It won't be sent after all: {FIRST} backed out.
status=cancelled: Order annulled at the buyer's wish.
payment_method=card: {S} paid by card.
payment_method=card: The amount was charged to the credit card ending in {NUMBER}.
payment_method=card: Payment: card
payment_method=card: My card has been debited already.
payment_method=card: Settled with a debit card at checkout.
payment_method=cash: The courier collects the money in cash.
payment_method=cash: {FIRST} pays cash when {s} picks it up.
payment_method=cash: Payment: cash
payment_method=cash: {S} put the notes and coins on our counter.
payment_method=cash: No cards here, {OTHER} took the money in banknotes.
payment_method=transfer: The customer will wire us the money.
payment_method=transfer: Paid by bank transfer[|, which arrived overnight].
payment_method=transfer: Payment: transfer
payment_method=transfer: We sent {LAST} our bank details so that {s} can transfer the sum.
payment_method=transfer: The money went from {p} bank account to ours.
payment_method=paypal: {S} used PayPal.
payment_method=paypal: Payment went through PayPal, transaction {NUMBER}.
payment_method=paypal: Payment: PayPal
payment_method=paypal: As soon as PayPal had cleared the payment we were notified.
payment_method=paypal: I'd rather pay with my PayPal account, and I did.
Order date: {order_date}
{S} ordered on {order_date}[, a rather busy day|, late in the evening].
Dated {order_date}, the order is [one of many that week|among the newer ones].
On {order_date} the order entered our books.
It was {order_date} when {FIRST} hit the order button.
The purchase goes back to {order_date}.
Ordered {order_date}, to be delivered {delivery_date}.
I bought it on {order_date}, so I still have the right of return.
Since {order_date}, the day of the order, {OTHER} has been in charge.
When was this ordered? On {order_date}, says the log.
{order_date} is the day the customer signed the order.
Delivery is planned for {delivery_date}.
Delivery date: {delivery_date}
It should reach {p} door on {delivery_date}.
Expect the parcel on {delivery_date}.
The driver will come by on {delivery_date}[| between breakfast and lunch].
By {delivery_date} at the latest it must be with the customer.
The goods arrive {delivery_date}.
We promised {LAST} to deliver on {delivery_date}.
{delivery_date} - that's when the courier brings it.
Please be at home on {delivery_date}, because that is delivery day.
Our carrier has pencilled in {delivery_date} for the drop-off in {city}.
Will it be here on {delivery_date}? Yes, delivery is fixed for that day.
Between the order on {order_date} and the delivery on {delivery_date} we need some time to assemble it.
You will have everything in your hands on {delivery_date}.
Van {NUMBER} unloads at the customer's on {delivery_date}.
Due to arrive on {delivery_date}, unless {OTHER} reports a delay.
gift=true: It's a present, so please leave the price tag off.
gift=true: Kindly wrap it as a gift.
gift=true: {FIRST} is giving it to {OTHER} as a birthday present.
gift=true: The order is a gift.
gift=true: Gift: yes
gift=true: A ribbon and a greeting card, please, [this is meant as a surprise|it's somebody's birthday].
gift=true: {S} isn't buying it for {p} own use: {OTHER} will be given it for Christmas.
gift=true: To be gift-wrapped in blue paper.
gift=true: Don't put the receipt in the box, as it is meant to be given away as a present.
gift=true: We were asked to add gift wrapping, card number {NUMBER}.
gift=false: It's not a gift.
gift=false: Gift: no
gift=false: No gift wrapping needed[|, thanks|, a plain box is fine].
gift=false: {S} bought it for {p} own use.
gift=false: This isn't a present for anybody, so save the paper.
gift=false: {OTHER} asked whether to gift-wrap it, and the answer was no.
gift=false: The customer is keeping it, it's nobody's birthday.
gift=false: Skip the ribbon, it's just for me.
gift=false: Plain packaging will do, because the goods are not meant as a gift.
gift=false: The gift box was left unticked.
The order consists of {items}.
Items: {items}
Please pack {items}.
In the parcel you will find {items}.
{items} - that's all {s} wants.
[We have|There are] {items} on this order.
{FIRST} put {items} in {p} basket.
The following articles were ordered: {items}.
What goes into the box? {items}.
{S} ordered {items} and asked {OTHER} for a catalogue.
I need {items}, [if you have them|if that's no trouble].
{items} were picked, scanned and packed by {OTHER}.
Contents of the package: {items}.
For the new flat {s} is getting {items}.
The customer's shopping list, with {items} on it, is attached.
We will be shipping {items} in a single box.
Besides free samples, the carton contains what was ordered, namely {items}.
Could you check that {items} are all in there?
The goods in question are {items}.
Among today's {NUMBER} parcels, this is the one with {items}.
Ordered were {items}, nothing more.
{items} make up the order, and they come to {amount}.
All of it, meaning {items}, leaves from the same warehouse.
priority=low: There's no rush at all with this one.
priority=low: Priority: low
priority=low: Take your time, it may wait until the others are done.
priority=low: Low priority, as {OTHER} put it.
priority=medium: Priority: medium
priority=medium: Treat it with medium priority.
priority=medium: It's of middling urgency, neither a rush job nor one to leave lying around.
priority=medium: {OTHER} ranked it as medium in the queue.
priority=high: This one is urgent!
priority=high: Priority: high
priority=high: Put it ahead of all the others, {s} needs it badly.
priority=high: Top priority, please, drop everything else.
priority=high: It's a rush order, flagged as high priority.
Confirmation goes to {email}.
E-mail: {email}
Write to {email} if something is out of stock.
{P} mail address is {email}.
The tracking link will go to {email}.
{email} is where {s} reads {p} mail.
Should anything be unclear, {LAST} can be e-mailed at {email}.
Phone: {phone}
Call {phone} before you deliver.
{P} number is {phone}[|, mornings only].
On {phone} you can reach the customer.
The driver should ring {phone} when he is at the gate.
Text me at {phone} once it's there.
Reachable under {phone} or by mail at {email}.
{OTHER} noted {phone} as the buyer's telephone.
The parcel goes to {city}.
{S} lives in {city}.
City: {city}
{city} is where the box has to end up.
We deliver it to {p} home in {city}, {country}.
Our courier for {city} will take care of it.
Ship it to {address}.
Delivery address: {address}, {postal_code} {city}
The house is at {address}, door {NUMBER}.
Please deliver to {address}, where {OTHER} will open.
{address} is where {s} wants the goods brought.
I moved, so send everything to {address} in {city}.
The label says {address}, {city}, {country}.
Drop the parcel at {address}[| if no one answers|, at the back door].
You'll find {LAST} at {address}.
The postal code is {postal_code}.
Postcode: {postal_code}
{postal_code} {city} is what must stand on the label.
Sorting centre, please note the ZIP code {postal_code}.
According to the form the postcode of the customer is {postal_code}.
The shipment goes to {country}.
Country: {country}
It's bound for {country}, so attach the customs form.
The customer is based in {country}.
{country} is the country of delivery.
Since the parcel crosses the border into {country}, duties may apply.
From our depot it travels all the way to {country}.
We seldom ship to {country}, but this time we do.
Export paper {NUMBER} covers the trip to {country}.
Yes, we deliver to {country}, where {LAST} lives.
{S} had it sent to {p} address in {country}.
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
Invoice {invoice_number} from {vendor}
{vendor} has [sent|issued] an invoice to {customer}.
Dear {customer}, please find attached our invoice {invoice_number}.
On {date} {vendor} billed {customer} for the {product}.
Hello {OTHER}, a bill from {vendor} [came in the post|turned up today|is lying on my desk].
Bill no. {invoice_number}, issued {date}.
[Hi|Hello|Good morning], this is the accounts department of {vendor}, writing to {customer}.
We, {vendor}, herewith invoice you, {customer}, for the following.
Accounting note: {invoice_number}, supplier {vendor}.
From {vendor}. To {customer}. Invoice {invoice_number}.
{customer} received a bill from {vendor} for {items}.
The invoice that {vendor} drew up for {customer} bears the number {invoice_number}.
Has anybody seen invoice {invoice_number}? {vendor} keeps asking about it.
For the {product} supplied to you, {customer}, we charge as set out below.
INVOICE - {vendor}
Issued to {customer} on {date}, invoice {invoice_number}.
{vendor}, the supplier, has written to {customer} about a bill.
One more copy of invoice {invoice_number}, [since you asked|for your files|as the first one got lost].
We bought the {product} from {vendor}, and now the bill is here.
Billing record {invoice_number}: seller {vendor}, buyer {customer}.
Thank you for your business, {customer}! Your invoice number is {invoice_number}.
You will remember the {product} we delivered to you, {customer}; here is the bill for it.
hey {OTHER}, got the invoice from {vendor}, number's {invoice_number}
Document {invoice_number}, dated {date}, was sent out by {vendor}.
This letter concerns the bill dated {date}, which {vendor} addressed to {customer}.
Tax invoice {invoice_number} made out to {customer}
As agreed with {OTHER}, {vendor} is now invoicing {customer}.
It was {vendor} that supplied {customer} with the {product}.
Booked by {OTHER}: invoice {invoice_number} of {date}.
The deal was between {vendor}, who sold, and {customer}, who bought.
Who is billing whom? {vendor} is billing {customer}.
Please enter this one in the ledger: {vendor}, {invoice_number}.
Our client {customer} was invoiced on {date}.
{vendor} delivered {items} and has written the invoice for them.
With reference to your order, {customer}, we send you invoice {invoice_number}.
The attached PDF is an invoice made out by {vendor} [for|to] {customer}.
A bill numbered {invoice_number} was raised against {customer}.
Statement from {vendor} for the attention of {customer}.
[Yesterday|Last week|This morning] the bookkeeper filed {invoice_number}, a bill by {vendor}.
I am forwarding the invoice of {vendor} to you, {OTHER}, please check it.
{items} were sold by {vendor} to {customer}.
{invoice_number} / {vendor} / {customer}
Subject: your bill from {vendor}, ref. {invoice_number}
Dear Mr or Ms {OTHER}, enclosed is the invoice for our joint client, {customer}.
{vendor} here. We have made out invoice {invoice_number} in your name, {customer}.
Just so you know: on {date} a bill came from {vendor}.
Below are the particulars of invoice {invoice_number}, which we sent to {customer}.
Payment request {invoice_number}, vendor {vendor}
Supplier's name {vendor}, client's name {customer}, [see below for the rest|and here are the figures].
Our firm, {vendor}, has completed the delivery of the {product} to {customer}.
In {city} the company {vendor} wrote a bill for {customer}.
Following the purchase of {items}, {customer} was sent invoice {invoice_number}.
To whom it may concern: {vendor} certifies that invoice {invoice_number} is its own.
Regarding {invoice_number}, the invoice in the name of {customer}
Copy of an invoice. Made out by {vendor} on {date}.
Good news, {customer}: the bill for the {product} [is finally ready|came out lower than feared].
Purchase ledger, page {NUMBER}: bill received from {vendor}.
Could you check the invoice {vendor} sent us on {date}?
Our bill to {customer} for {quantity} x {product} is ready.
An invoice dated {date} has gone from {vendor} to {customer}; it has the number {invoice_number}.
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
Invoice no.: {invoice_number}
Please quote {invoice_number} with your payment[|, otherwise we can't match it].
The bill carries the number {invoice_number}.
{invoice_number} is the reference on the invoice.
In the subject line of the payment write {invoice_number}, the invoice's number.
Filed as invoice {invoice_number} in folder {NUMBER}.
Top right on the sheet you'll see its number, {invoice_number}.
The customer number is {NUMBER}, the invoice number {invoice_number}.
"{invoice_number}" is how the bill is numbered.
Which invoice? The one numbered {invoice_number}.
{OTHER} registered the bill under {invoice_number}.
The seller is {vendor}.
Vendor: {vendor}
The goods were supplied by {vendor}[|, as so often before|, who also installed them].
{vendor} issued the bill[| and signed it].
It comes from {vendor}, not from {OTHER}'s company.
Our supplier in this case was {vendor}.
Money is to be sent to {vendor}, which did the work.
{vendor} is the one asking to be paid.
The letterhead says {vendor}.
We buy most of our things from {vendor}, and these were no exception.
Behind the invoice stands {vendor}, [a small firm|a family business|a well-known dealer].
{OTHER} of {vendor} wrote the bill.
The company billing us is called {vendor}.
Supplied and invoiced by {vendor}.
Payable to {vendor}.
{vendor}, the seller, thanks you for your trust.
The creditor is {vendor}.
We at {vendor} appreciate your prompt payment.
The bill was made out by {vendor}, based in {city}.
Yours faithfully, {vendor}
Make the payment out to {vendor}, please.
Any complaint about the goods should be sent to the supplier, {vendor}.
Who sold it? {vendor} did.
Sender of the bill: {vendor}.
It's {vendor} who delivered, so it's {vendor} that gets the money.
The stamp at the bottom reads "{vendor}".
Our dealings with {vendor}, the supplier, have always been smooth.
The vendor, {vendor}, is a client of {OTHER}'s bank.
On behalf of {vendor}, {OTHER} signed the invoice.
The contractor on this job was {vendor}.
What we owe, we owe to {vendor}.
{OTHER} bought it at {vendor}, see the enclosed invoice.
Our own name is {vendor}, in case your bank asks for the payee.
The customer is {customer}.
Customer: {customer}
Billed to {customer}.
{customer} has to pay the bill[|, nobody else].
The invoice is addressed to {customer}.
It was {customer} who bought the goods.
The buyer, {customer}, [has been with us for years|is new to us|knows our terms].
Bill to: {customer}, attn. {OTHER}
The goods went to our customer {customer}.
The one who owes the money is {customer}.
{customer} is named as the recipient of the invoice.
We sold all this to {customer}.
On the line "sold to" you can read {customer}.
The debtor, {customer}, has been informed by {OTHER}.
For whom is the bill? For {customer}.
Our valued client {customer} will be sent a copy.
Ordered by {customer}, delivered by us.
We have been serving {customer} as a client since room {NUMBER} was still our office.
{customer} asked us to put their name on the bill.
Please charge it to the account of {customer}.
Purchaser: {customer}, order taken by {OTHER}.
The invoice was made out in the name of {customer}.
At the request of the customer, {customer}, the bill was sent by mail.
{OTHER} wrote to {customer}, the client, to explain the figures.
You, {customer}, are kindly asked to check the bill.
The bill landed with {customer}, as it should, since they are the buyer.
The total is {amount}.
Total: {amount}
Amount due: {amount}
In all, {amount} has to be paid.
The invoice amounts to {amount}[|, all included].
{amount} is what the bill comes to.
We ask you for the sum of {amount}.
Altogether {customer} must pay {amount}.
The bottom line says {amount}.
The whole bill adds up to {amount}.
A total of {amount} is being charged.
You'll be asked to send us {amount} in full settlement.
With everything counted, it makes {amount}.
How much is it? {amount} in total.
The invoice total of {amount} was approved by {OTHER}.
{amount}, tax included, is the sum at the foot of page {NUMBER}.
Sum payable {amount}, of which {tax} is tax.
So the grand total reads {amount}.
{vendor} wants {amount} for the job, all told.
The final amount on the invoice, {amount}, [seems right to me|matches the quote|surprised nobody].
Our claim against you stands at {amount}.
All these positions put together give {amount}.
The tax is {tax}.
Tax: {tax}
VAT of {tax} is included.
{tax} of it goes to the tax office.
Sales tax was added in the amount of {tax}.
The VAT comes to {tax}.
Included in the price is {tax} of value added tax.
For tax we had to add {tax}.
{tax} tax, {amount} total.
The tax share of the bill makes {tax}.
According to {OTHER}, the VAT on this one should be {tax}.
On top of the net sum comes tax of {tax}.
How much VAT is in there? {tax}.
Deductible as input tax: {tax}.
We show the tax of {tax} on a separate line.
Line {NUMBER} of the sheet is the tax, {tax}.
The invoice is dated {date}.
Invoice date: {date}
It was issued on {date}.
{date} is the day the bill was written.
We made the bill out on {date}[|, one day after delivery].
Written {date}, payable {due_date}.
The date at the top of the invoice is {date}.
Bill of {date}, sent to {customer}.
{vendor} sent the invoice out on {date}.
On {date} {OTHER} printed the invoice and posted it.
The document bears the date of {date}.
When was it billed? On {date}.
Drawn up in {city} on {date}.
Since {date}, when the invoice was raised, [prices have changed|we haven't talked|nothing has happened].
The billing took place on {date}.
Payment is due on {due_date}.
Due date: {due_date}
Please pay by {due_date}[|, that's all we ask|; later payments cost interest].
The money should reach us no later than {due_date}.
You have until {due_date} to settle it.
After {due_date} we'll charge a late fee.
{due_date} is the last day for payment.
The deadline for paying is {due_date}.
Payable until {due_date}.
We expect to see the sum on our account by {due_date}.
Between {date}, when it was issued, and {due_date}, when it falls due, there's time enough.
The payment term ends on {due_date}.
Mark {due_date} in your calendar, for that is when the bill falls due.
How long can {customer} wait? Until {due_date}.
The invoice matures on {due_date}.
{OTHER} must release the payment before {due_date}, the due date.
Kindly settle the {amount} by {due_date}.
paid=true: The bill has been paid.
paid=true: Paid: yes
paid=true: We've received the money[, thanks|, all of it].
paid=true: This invoice is already settled.
paid=true: PAID IN FULL
paid=true: {customer} has already settled up.
paid=true: Our bank confirms that the payment arrived.
paid=true: {OTHER} put the stamp "paid" on it.
paid=true: Nothing is outstanding any more.
paid=true: {vendor} got its money.
paid=true: You don't need to do anything, the sum has been cleared.
paid=true: The account is balanced, as the buyer paid on the spot.
paid=true: Many thanks for your payment, which we booked under {NUMBER}.
paid=true: Has it been paid? Yes, it has.
paid=false: The invoice has not been paid yet.
paid=false: Paid: no
paid=false: We're still waiting for the money.
paid=false: The sum remains outstanding.
paid=false: So far {customer} hasn't paid.
paid=false: It's still open[|, I'm afraid|, unlike the last one].
paid=false: UNPAID
paid=false: No payment has arrived on our account.
paid=false: {OTHER} is yet to send us the money.
paid=false: {vendor} hasn't seen a cent of it.
paid=false: We could not find any payment from you, so please settle the bill.
paid=false: Payment is pending.
paid=false: The bill lies unpaid in tray {NUMBER}.
paid=false: Have they paid? No, not so far.
paid=false: Nobody has settled this one to date.
The invoice is for the {product}.
Product: {product}
We charge you for the {product}[, as ordered|, delivered and installed|].
Item: {product}, quantity: {quantity}
The bill covers one position, the {product}.
Billed article: "{product}".
It was the {product} that {customer} bought.
{vendor} supplied the {product}.
What is being charged for? The {product}.
Position 1: {product}
{product} is all there is on this bill.
For delivery of the {product} we bill as follows.
The sole article listed is the {product}.
{OTHER} in purchasing had ordered the {product}, and that's what was invoiced.
The {product} you bought [works well, I hope|came with a manual|was the last one we had].
Under "description" the sheet has {product}.
The goods sold: {product}.
We needed a replacement, so we got ourselves the {product}.
According to the delivery note, {customer} was given the {product}.
Serial number {NUMBER} belongs to the {product} on this invoice.
As you had asked for the {product}, this is what we invoiced.
The purchase of the {product} was cleared by {OTHER}.
{customer} took delivery of the {product}, hence the bill.
Without the {product} we couldn't have opened, so we had {vendor} bring it.
Last month's purchase, the {product}, appears here at {price} per unit.
{quantity} x {product} at {price}
The number of units billed is {quantity}.
Quantity: {quantity}
{quantity} pieces were delivered.
{vendor} charged us for {quantity} of them.
We supplied {quantity} units of the {product}.
The bill lists {quantity} pieces, just as {OTHER} had counted.
{customer} had ordered {quantity} of the {product}.
How many units? {quantity}.
Invoiced at {price} each, {quantity} in number.
Pallet {NUMBER} held all {quantity} units of the article billed.
The unit price is {price}.
Price per unit: {price}
A single piece costs {price}.
{price} apiece, as stated in our offer.
The rate is {price} per piece[|, unchanged since spring|, as on our price list].
Each unit sets {customer} back {price}.
{vendor} sells the {product} for {price} apiece.
Multiply {quantity} pieces by the unit price of {price}.
For every unit we put {price} on the bill.
{OTHER} had haggled the unit price down to {price}.
The invoice covers {items}.
Items: {items}
We billed you for {items}.
{items} are listed on the invoice.
Listed there are {items}, [nothing more|no surprises|all of which arrived].
{vendor} delivered {items}.
The positions on the bill: {items}.
You bought {items} from us.
{customer} has had {items} from us and now gets the bill.
The following was supplied: {items}.
What's on it? {items}.
Goods: {items}.
The payment is for {items}, as {OTHER} explained.
{items} - those are the articles charged.
Our office ordered {items}, all for floor {NUMBER}.
The sum was made up of several things, namely {items}.
On the bill I count {items}.
With the delivery of {items} our part is done.
Among the things sold to {customer} were {items}.
{OTHER} unpacked {items}, everything that the bill mentions.
For {items} we charge {amount}.
Description of goods: {items}
The supplier lists {items} line by line.
We're being charged for {items}, and rightly so.
A discount of {discount}% has been deducted.
Discount: {discount}%
{customer} was granted {discount} percent off.
We knocked {discount}% off the bill.
As a returning client you get {discount} percent less to pay.
Less {discount}% rebate.
{vendor} gave us a {discount}% discount.
{OTHER} negotiated a reduction of {discount} percent.
The sum already reflects the {discount} percent discount.
Because of contract {NUMBER} the price falls by {discount}%.
payment_method=card: It is to be paid by card.
payment_method=card: Payment method: card
payment_method=card: {customer} gave us a credit card number.
payment_method=card: The company's credit card was used, says {OTHER}.
payment_method=cash: We'd like to be paid in cash.
payment_method=cash: Payment method: cash
payment_method=cash: The sum changes hands in banknotes at the counter.
payment_method=cash: {OTHER} brought the money in an envelope, all in cash.
payment_method=transfer: Pay by bank transfer.
payment_method=transfer: Payment method: transfer
payment_method=transfer: Kindly wire the sum to our account at the savings bank.
payment_method=transfer: {vendor} takes bank transfers only[|, sorry].
payment_method=paypal: Use PayPal to pay.
payment_method=paypal: Payment method: PayPal
payment_method=paypal: The seller has a PayPal account, and that's the way to send the money.
payment_method=paypal: Settlement is by PayPal, reference {NUMBER}.
Questions? Write to {email}.
E-mail: {email}
Billing queries are answered at {email}.
Send the proof of payment to {email}.
{vendor} can be e-mailed at {email}.
{OTHER} reads the mail that comes in at {email}.
Phone: {phone}
Call us on {phone} if something looks wrong.
The accounts office picks up at {phone}.
{phone} is the telephone number on the letterhead.
Ask for {OTHER} when you dial {phone}.
You may ring {phone} or write to {email}.
City: {city}
{vendor} has its seat in {city}.
The firm is located in {city}.
{address}, {city}
The office in {city} handles the books.
From {city} the bill was posted.
Address: {address}
The invoice was sent to {address}.
Our premises are at {address}[|, second floor|, next to the bakery].
{address} is given as the postal address.
Mail the cheque to {address} in {city}.
{OTHER} brought the bill round to {address}.
Website: {website}
The bill can be downloaded from {website}.
Visit {website} for our terms and conditions.
{website} is where you'll find us online.
Pay comfortably through {website}!
More about {vendor} at {website}.
On our site, {website}, you can view invoice {invoice_number}.
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
{event} is back.
Save the date: {event}, {date}, {venue}.
Dear all, it gives me great pleasure to invite you to {event}.
Have you heard about {event}? It is happening on {date} in {city}.
Hi team, a quick note about {event} so that it does not get lost in the mailbox.
On {date} {venue} opens its doors for {event}.
We are thrilled to announce "{event}", put together by {organizer}.
{organizer} cordially invites you to {event}.
Announcement: {event}
RE: {event} – final arrangements
Mark {date} in your calendar, because that is when {event} comes to {city}.
Ladies and gentlemen, {event} is just around the corner.
hey {OTHER}, u coming to {event}??
Here is what you need to know about {event} before you [pack your bag|set off|leave home].
Nobody in {city} should miss {event}.
After a long break, {event} returns to {venue} on {date}.
Poster text, draft {NUMBER}: "{event}", {date}, {time}, {venue}.
This is to confirm your place at {event}.
For the newsletter, section on {event}:
{city}, {country} – The programme of {event} was published yesterday by {organizer}.
"{event}": under this title {organizer} is bringing people together on {date}.
It's official! {event} will take place [|as planned ]on {date}.
You asked for it, so here it is – {event}.
Thanks for signing up for {event}, which runs from {time} to {end_time}.
Reminder: {event} starts at {time}.
Subject: your ticket for {event}
Dear {OTHER}, please find below the details of {event} as agreed with {organizer}.
There is a new entry in the shared calendar, {event}, for {date}.
I have just come back from the planning call about {event}.
Guess what's on in {city} on {date}: {event}!
EVENT {event} / DATE {date} / PLACE {venue}
Under the name {event}, something rather special is going to happen at {venue}.
With {attendees} people already on the list, {event} is shaping up nicely.
The organising of {event} lies with {organizer} this time.
From {time} on {date}, {venue} belongs to {event}.
Only one more thing to plan this season, and it's called {event}.
Neighbours of {venue}, please be aware that {event} is being held there on {date}.
The invitation that went round this morning was for {event}, {date}.
Welcome to {event}!
If you only go to one thing this year, make it {event}.
Listing no. {NUMBER} – {event} ({city})
{speakers} will be the voices of {event}.
Could you add this to the website? Title: {event}. Date: {date}. Start: {time}.
{event}, hosted by {organizer}, is now open for registration.
Seats for {event} are going fast.
Memo to all staff concerning {event}
As {OTHER} mentioned last week, we are going ahead with {event}.
Registration for {event} closes on {due_date}, so please read this soon.
Tickets for {event} went on sale this morning at {price}.
To whom it may concern: the undersigned wish to announce {event}, to be held in {city}, {country}.
Long awaited and finally confirmed: {event} at {venue}.
{date} it is, then – {event} has a date at last.
Short summary of my call with {organizer} about {event}:
Psst, {event}, {date}, tell your friends!
The crew of {venue} has been told that {event} needs the whole floor on {date}.
Following several requests we have moved {event} to {date}.
What do {speakers} have in common? All of them are on stage at {event}.
You are receiving this message because you put your name down for {event}.
{event} – that's the name. {date} – that's the day. {venue} – that's the place.
A date for the diary of everybody in {city}: {event} on {date}.
Once a year {organizer} fills {venue} for {event}.
Good morning, I'd like to list {event} in your What's On column.
Attached you'll find the flyer for {event}; the essentials are also below.
FYI, {event} has been booked for {date}, {time}–{end_time}.
In the words of {organizer}, {event} is going to be "the best one so far".
Briefing for the helpers at {event}
I'm writing on behalf of {organizer} to tell you about {event}.
Not long to go until {event} begins in {city}.
Frequently asked questions about {event}
So happy to finally share this: {event} is on!
Press release. {organizer} today announced {event}, due to be held on {date} at {venue}.
Since {OTHER} keeps asking, here are the facts about {event}.
Your guide to {event}, [page {NUMBER}|all on one page].
"Are we doing {event} again?" – yes, on {date}.
{country} is where {event} will be held this time, in {city} to be precise.
Before I forget, {event} is on {date} and you are on the guest list.
The board has approved {event}.
Looking for something to do on {date}? Then come along to {event}.
Call for participants: {event}, {city}, {date}
Please forward this invitation to {event} to anyone who might enjoy it.
category=conference: The next conference in our series is {event}, in {city} on {date}.
category=conference: Delegates of the {event} conference are asked to note the following.
category=concert: There will be live music in {city}: the concert is called {event}.
category=concert: {event} is a concert, and not one to be missed.
category=workshop: Roll up your sleeves for {event}, our hands-on workshop.
category=workshop: Places are still available in the workshop "{event}" on {date}.
category=meeting: I am calling a meeting for {date} under the heading "{event}".
category=meeting: Agenda for the meeting "{event}", circulated by {OTHER}
category=party: Put on your dancing shoes, there's a party coming up: {event}!
category=party: You're invited to a party! It's {event}, and it's on {date}.
{organizer} invites you to the {event}[| on {date}| in {city}| at {venue}].
{organizer} [cordially |warmly |]invites [you|all members|friends and neighbours] to [the|this year's] {event}.
You are invited by {organizer} to the {event} on {date}.
[Join|Meet] {organizer} [at|for] the {event} on {date}.
{organizer} presents the {event}[| on {date}].
{organizer} welcomes you to the {event} on {date}, {time}.
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
It kicks off at {time}.
We begin at {time} sharp, so do be in your seat by then.
The start has been fixed for {time}.
At {time} the lights go down and we are off.
Please don't come later than {time}, as we start punctually.
{time} is when the first item on the programme gets going.
Start: {time}
from {time}, open end as far as I know
Kick-off {time}, {venue}, be there!
Doors open half an hour before the {time} start.
Coffee is served first; the official opening follows at {time}.
Why so early? Because the opening is at {time} and {NUMBER} chairs have to be set up first.
The opening words will be spoken at {time}.
{OTHER} thought it began an hour later, but no, the start is at {time}.
I'd be grateful if everyone could be ready to go at {time}.
starts {time}, ends {end_time} – easy
Things get under way at {time} and wind down by {end_time}.
We have the room between {time} and {end_time}.
The whole thing lasts from {time} until {end_time}[|, breaks included].
{time} to {end_time}, that's all the time we've been given.
Timing: {time} – {end_time}
Welcome address {time}, closing words {end_time}.
Opening at {time}, it closes again at {end_time}.
Set aside the hours from {time} till {end_time} on {date}.
You can leave at {end_time}, when the programme finishes.
By {end_time} it will all be over.
It is due to finish at {end_time}.
End: {end_time}
We must be out of {venue} by {end_time}, which is also the official end.
At {end_time} the organisers will wrap things up.
should be done by {end_time} i think
Nothing will go on beyond {end_time}, the neighbours have been promised.
{end_time} is the scheduled end.
The final curtain falls at {end_time}.
If you have a bus to catch, note that we finish at {end_time}.
{OTHER} will lock up right after the close at {end_time}.
Closing time, {end_time}, is not negotiable.
We'll call it a day at {end_time}.
The farewell is planned for {end_time}, so you will be home in good time.
Officially it goes on until {end_time}; unofficially, who knows.
Taxis have been ordered for {end_time}, when everything ends.
Having begun at {time}, we will come to a close at {end_time}.
No earlier than {time} will anything happen on stage.
The hosts suggest arriving a little ahead of the {time} beginning.
Please stay to the end ({end_time}); the raffle comes last.
"We start at {time} whether you are there or not," the hosts joke.
Latecomers will not be let in after the start at {time}.
All activities cease at {end_time}[|, as required by the house rules].
Until when? Until {end_time}.
Set your alarm: {date}, {time}.
It all happens on {date}, starting at {time}.
{date} at {time} – please be punctual.
When? {date}.
It has been scheduled for {date}.
{date} was the only day that suited everybody.
We settled on {date} after {NUMBER} rounds of e-mails.
Keep {date} free!
The big day is {date}.
Held on {date}, it will be the first of its kind.
so it's {date}, don't forget
Date and place: {date}, {venue}.
Originally another day had been suggested by {OTHER}, but it is now {date}.
On {date} we finally get together.
Please block {date} in your diary.
Rain or shine, we go ahead on {date}.
The day in question is {date}; do tell {OTHER} if you can't make it.
In the calendar you will find it under {date}.
Taking place: {date}, {city}.
The team is counting the days to {date}, when it all comes together.
I booked my train for {date}, the day of the event.
Could you come on {date}? That is when we are holding it.
The venue is {venue}.
Where? At {venue}.
We have hired {venue} for the occasion.
{venue} was kind enough to let us use its rooms.
Location: {venue}, {city}
As the venue we chose {venue}, which {OTHER} knows well.
It is being held at {venue}.
Find your way to {venue}, that's where it all happens.
{venue} ({address}) will be our home for the day.
This time we gather at {venue}[| again].
Everyone will be welcomed in the foyer of {venue}.
Unlike last year, when another hall was used, we will be at {venue}.
see you at {venue} then
For lack of space elsewhere, it had to be {venue}.
{venue} is a lovely spot, by the way, and that's where we're having it.
Signs will lead you from the station to {venue}, the venue.
Hosting us is {venue}, in the heart of {city}.
Venue booked: {venue}. Sound system booked too.
You'll find us inside {venue}.
The contract with {venue} for the use of the premises was signed by {OTHER}.
At {venue}, where it takes place, there are {NUMBER} parking spaces.
Moved! The new location is {venue}.
Of all the places we looked at, {venue} had the best acoustics, so that's where we'll be.
The setting could hardly be finer: {venue} in {city}.
Directions to {venue}, where the event is staged, are printed on the back of the ticket.
It takes place in {city}.
Come to {city}!
{city} has the honour of hosting it.
The host city is {city}.
Travel to {city} is at your own expense.
You will have to make your way to {city} for this.
Hotels in {city} fill up quickly during the event, {OTHER} warns.
City: {city}. Country: {country}.
Why {city}? Because most of us live nearby, so we are holding it there.
{city} was picked from {NUMBER} candidates as the place to be.
Guests from abroad should note that it takes place in {country}.
{country} hosts the event for the first time.
The event travels to {country} this year.
Visitors may need a visa for {country}, where it is staged.
It's all the way over in {country}, so book your flight early.
Never before has it been held in {country}, but now it is.
Country: {country}
Somewhere in {country}? Yes – in {city}.
Participants fly to {country} the day before.
The venue, {venue}, lies in {city}, {country}.
Bring a plug adapter that works in {country}, where we'll be.
Among the countries that applied, {country} was given the event.
The address is {address}.
Address of the venue: {address}
Just type {address} into your satnav and you'll get there.
Please come to {address}.
It's at {address}, the building with the {NUMBER} flags.
{address} is where the taxi should drop you off.
You will find {venue} at {address}, {city}.
How to find us: {address}, ring the top bell.
The entrance is at {address}, not round the back.
Deliveries for the event go to {address} as well, that being the location.
{OTHER} got lost last time, so once more: {address}.
There's a car park right opposite {address}, where the event is held.
The hall stands at {address}[| and cannot be missed].
Organizer: {organizer}
It is organised by {organizer}.
Behind it all is {organizer}.
The whole thing was {organizer}'s idea, and it is {organizer} running it.
We owe the organisation to {organizer}.
Responsible for the event: {organizer}.
{organizer} has been organising it for {NUMBER} weeks now.
As organizer, {organizer} reserves the right to change the programme.
Any complaints? {organizer}, who organises the event, will hear them.
Hosted by {organizer}.
Brought to you by {organizer}.
The event is run by {organizer} with a little help from {OTHER}.
Thanks go to {organizer} for organising all this.
Not {OTHER} but {organizer} is organising it this time.
{organizer} set it up, {OTHER} merely prints the badges.
Ask {organizer}, the organizer, if anything is unclear.
The invitation comes from {organizer} as the host.
On the organising side you will be dealing with {organizer}.
{organizer}, as host, looks forward to welcoming you.
Planning and organisation are in the hands of {organizer}.
"We have never had so many requests," says {organizer}, the organizer.
The permit was issued to {organizer} as the organising body.
i think {organizer} is putting it on
Who's organising? {organizer}.
When {organizer} took over the organisation, ticket sales had barely begun.
An event by {organizer}.
For {organizer}, organising this is a matter of the heart.
The organizer's name on the poster reads {organizer}.
{organizer} invites, you come – simple as that.
{organizer} pulled all the strings to make it happen.
Should the weather turn, {organizer} will decide what to do, being the organizer.
It was {organizer} that called the event into being and still organises it.
The host, {organizer}, asks for your understanding.
Catering is done by {OTHER}'s people, everything else by the organizer, {organizer}.
{organizer} is hosting, and that usually means good food.
Liability rests with the organizer ({organizer}).
Under the direction of {organizer}, who has organised it from the first day, preparations are nearly complete.
Many hands help out, yet the lead organizer remains {organizer}.
The event is presented by {organizer} in {city}.
Speakers: {speakers}
On stage: {speakers}.
You will hear talks by {speakers}.
{speakers} will speak.
We are proud to have won {speakers} as speakers.
Confirmed so far as speakers: {speakers}. More to follow, perhaps.
The microphone goes to {speakers}.
{speakers} will be giving talks, while {OTHER} looks after the slides.
Don't miss what {speakers} have to say on the podium.
The line-up of speakers, {speakers}, is printed on the flyer.
Who is speaking? {speakers}.
The organisers managed to get {speakers} to talk.
keynotes from {speakers}!!
Presentations: {speakers} (in that order).
With {speakers} speaking, the hall will surely fill up.
Taking the floor will be {speakers}.
Lectures by {speakers} make up the heart of the programme.
Travel for our speakers {speakers} has been arranged by {OTHER}.
The talks – by {speakers} – will be recorded.
{speakers} accepted our invitation to speak[| at once| without hesitation].
It falls to {speakers} to address the audience.
Introduced by {OTHER}, our speakers {speakers} will share their experience.
We asked {NUMBER} people and got a yes from {speakers}, who will be speaking.
Slides from the speakers ({speakers}) can be downloaded afterwards.
There will be speeches by {speakers}.
If you have questions for the speakers, {speakers}, write them on a card.
Listed in the programme as speakers are {speakers}.
Standing at the lectern: {speakers}.
We had hoped for {OTHER}, but now {speakers} will do the talking.
After the welcome it's over to {speakers} for the talks.
Among us to speak on the day: {speakers}.
Water for the speakers please, i.e. for {speakers}.
The opening speech and those that follow come from {speakers}.
Have a look at the biographies of {speakers}, our speakers.
{attendees} people are expected.
We are counting on {attendees} guests.
Number of attendees: {attendees}
So far {attendees} people have signed up.
The caterer has been told to expect {attendees} guests.
An audience of {attendees} is expected by {organizer}.
There will be {attendees} of us.
Chairs for {attendees} participants are being set up.
Attendance is put at {attendees}.
{attendees} participants have registered, and {OTHER} is on the waiting list.
By the look of the list we'll be {attendees} altogether.
Roughly how many are coming? {attendees}.
With {attendees} attendees it's the biggest one yet.
Please print {attendees} name badges, one for each participant.
The guest list has grown to {attendees} names.
Headcount: {attendees}
All {attendees} participants will get a bag with a pen in it.
The number of visitors, {attendees}, includes the children.
You'll be one of {attendees} attendees.
We plan with {attendees} participants at {NUMBER} tables.
More than {NUMBER} invitations went out and {attendees} people said they would come.
{attendees} are coming, can you believe it
The fire officer was given the figure of {attendees} persons attending.
Last time there were {NUMBER} of us, this time {attendees} will attend.
A crowd of {attendees} will fill {venue}.
Participants: {attendees} (as of today).
The turnout will be {attendees}, if everybody shows up who promised to.
{attendees} seats have been taken by registered guests.
{OTHER} counted the replies and came to {attendees} attendees.
Nearly everyone we asked will be there, which makes {attendees} participants.
Enough cake for {attendees} guests, please!
Places are held for {attendees} attendees, nobody else can be added.
A ticket costs {price}.
Admission: {price}
The entrance fee is {price}[|, payable in advance].
{price} gets you in.
Tickets at {price} are available from {OTHER}.
For {price} you get a seat, a drink and a programme.
How much is it? {price} a head.
The fee of {price} covers lunch and all materials.
Taking part costs {price}.
tickets are {price} each, kinda steep
We have kept the price of a ticket at {price}.
The participation fee comes to {price}.
Price per ticket – {price}
Grab your ticket now for just {price}!
The contribution towards expenses, {price}, is collected at the entrance.
Entry will set you back {price}.
Please have {price} ready for the ticket.
At {price} a ticket, {OTHER} says, it's a bargain.
Students and pensioners pay the same {price} as everyone else for admission.
Admission has been set by {organizer} at {price}.
Questions by e-mail to {email}.
Write to {email} if you would like to come.
E-mail: {email}
The organising team answers mails sent to {email}.
Let us know about allergies at {email}.
{email} is the address for registrations.
Drop {email} a line to reserve a seat.
Cancelled trains, lost tickets, anything at all: {email}.
Please confirm your attendance to {email} by {due_date}.
Contact: {email}, {phone}
My old address no longer works, use {email} instead.
RSVP {email}
Send {NUMBER} copies of the form, or simply a mail to {email}.
You can phone us on {phone}.
Hotline for visitors: {phone}
Call {phone} to book.
Lost on the way? Ring {phone}.
The box office is on {phone}.
Telephone {phone}, ask for {OTHER}.
If all else fails, {phone} is the number to dial.
Text {phone} when you get there.
Reservations are taken by phone on {phone} or by mail at {email}.
Tel. {phone} (answering machine after hours).
Someone will pick up at {phone} on the day of the event.
Wheelchair users are asked to let us know beforehand on {phone}.
Details at {website}.
Have a look at {website} for the full programme.
Website: {website}
Everything else can be found on {website}.
The programme is up on {website} now.
{website} has a map and a list of hotels.
To sign up, visit {website}.
Photos of last year's edition, taken by {OTHER}, are on {website}.
Register through {website} no later than {due_date}.
Our homepage, {website}, is updated daily.
check {website} for tickets
Tickets can be ordered from {website}, {NUMBER} per order at most.
You will find the form under {website}.
The poster with a link to {website} hangs in every shop window.
Please register by {due_date}.
Registration deadline: {due_date}
The last day to sign up is {due_date}.
Sign-up closes {due_date}.
After {due_date} no more registrations will be accepted.
Deadline for registration is {due_date}, the event itself is on {date}.
You have until {due_date} to register.
{due_date} is the cut-off for registrations.
Do put your name down in time – {due_date} at the latest.
Names that reach us later than {due_date} go on the waiting list.
Places must be booked no later than {due_date}.
RSVP by {due_date}, please.
The registration form goes off the air on {due_date}.
{OTHER} missed the deadline last year; this time it's {due_date}.
Replies are requested by {due_date} so that {organizer} can plan ahead.
Applications to take part will be received up to and including {due_date}.
sign up till {due_date} or you're out lol
Still undecided? You can register up to {due_date}.
The window for registering shuts on {due_date}, [with no exceptions|as {OTHER} pointed out].
Would you let me know by {due_date} whether you are coming? That is the deadline.
The list of participants will be closed on {due_date}.
To be sure of a seat, enrol by {due_date}.
online=true: It takes place online.
online=true: You can join from your sofa, since it is held entirely over the internet.
online=true: No travel needed: this is a virtual event.
online=true: We'll be on Zoom.
online=true: The link for the video call will be mailed to you shortly beforehand.
online=true: Everything is streamed live and nobody has to leave the house.
online=true: This year we have gone fully digital.
online=true: All you need is a browser and a stable internet connection, because it's online only.
online=true: Log in a few minutes early and check your microphone and camera.
online=true: Participation is remote.
online=true: its on teams btw, no need to come in person
online=true: Format: online
online=true: {speakers} will speak to you via webcam, as the event is held online.
online=true: Instead of gathering in a hall, we will see each other on screen.
online=true: The event is a webcast, so {attendees} people will be watching from home.
online=true: {organizer} has opted for an online format.
online=true: Access data for the virtual room will be sent out by {OTHER}.
online=true: Dial in from wherever you are, it's all online.
online=true: From {time} you can click on the link and join us online.
online=false: It is held in person.
online=false: There will be no stream, so you really have to be there.
online=false: This is not an online event.
online=false: Format: on site
online=false: We want to see you face to face, not on a screen.
online=false: You have to come in person to {venue}; joining remotely is not possible.
online=false: After so many video calls, {organizer} insists that everybody be physically present.
online=false: Nothing will be broadcast over the internet.
online=false: no zoom this time, we're doing it in real life
online=false: Unfortunately we cannot offer a virtual option.
online=false: {OTHER} asked for a video link, but it's an on-site event and will stay one.
online=false: Everyone will be in the same room, for once without laptops and headsets.
online=false: Please note that remote participation is ruled out.
online=false: Offline, live and in the flesh – that is how we like it.
online=false: An in-person event for {attendees} guests.
online=false: Is there a livestream? No, you need to be at {venue} yourself.
category=conference: It is a conference.
category=conference: Type of event: conference
category=conference: The conference programme includes {NUMBER} sessions in parallel tracks.
category=conference: Conference papers will be published afterwards.
category=conference: {organizer} has been holding this conference for a long time.
category=conference: Researchers and practitioners present their work at the conference.
category=conference: What sort of event is it? A conference, with talks by {speakers}.
category=conference: The conference begins at {time}.
category=conference: {attendees} delegates have registered for the conference.
category=conference: Your conference badge is waiting at the reception of {venue}.
category=concert: It's a concert.
category=concert: The orchestra has been rehearsing for this concert with {OTHER} for weeks.
category=concert: The concert starts at {time}; the support band comes on first.
category=concert: Kind of event – concert
category=concert: Concert tickets: {price}
category=concert: {venue} is famous for its sound, which makes it ideal for a concert.
category=concert: Two bands, one stage, {NUMBER} songs: a concert to remember.
category=concert: The choir will sing three encores at the concert, or so {OTHER} hopes.
category=concert: The concert ends at {end_time}.
category=concert: Live music all through, as befits a proper concert.
category=workshop: It's a workshop, so bring your own tools.
category=workshop: In this workshop you learn by doing.
category=workshop: Event type: workshop
category=workshop: The workshop is limited to {attendees} participants.
category=workshop: Workshop fee: {price}
category=workshop: Under the guidance of {speakers} you will try things out yourself in the workshop.
category=workshop: Please come to the workshop in old clothes, because it gets messy.
category=workshop: Hands-on exercises fill the workshop from {time} to {end_time}.
category=workshop: {organizer} offers this workshop to beginners.
category=workshop: At the end of the workshop everyone takes home a certificate.
category=meeting: It's a meeting, and hopefully a short one.
category=meeting: Minutes of the meeting will be taken by {OTHER}.
category=meeting: The meeting has {NUMBER} items on its agenda.
category=meeting: Type: meeting
category=meeting: The meeting is chaired by {organizer}, who also called it.
category=meeting: We'll keep the meeting brief and close it at {end_time}.
category=meeting: Can you make it to the meeting at {time}?
category=meeting: {attendees} people will sit round the table at the meeting.
category=meeting: Reports will be given at the meeting by {speakers}.
category=meeting: For the meeting we have booked {venue}.
category=party: It's a party!
category=party: Music, snacks and a lot of dancing – what else would you expect of a party.
category=party: Kind of event: party
category=party: The party is thrown by {organizer}.
category=party: Party starts {time}, bring drinks.
category=party: {attendees} guests have said yes to the party.
category=party: Dress code for the party: something with feathers, {OTHER} says.
category=party: The party goes on until {end_time}.
category=party: We're throwing the party at {venue} in {city}.
category=party: {OTHER} bakes {NUMBER} pizzas for the party.
In the category field of the form I entered "{category}".
Category: {category}
The authorities list it as a {category}.
The title of the event is {event}.
We have called it "{event}".
Its full name is {event}.
Event name: {event}
{event} – remember the name.
When booking, quote "{event}" as the name of the event.
{event} is what it says on the ticket.
On the poster you can read "{event}" in huge letters.
With {event}, {organizer} wants to try something new.
{event} was first dreamed up over coffee by {OTHER}.
Everybody is talking about {event} at the moment.
For {event} we are still looking for {NUMBER} helpers.
I for one can't wait for {event}.
{event} promises to be worth the trip to {city}.
The name, {event}, was chosen by vote.
Nothing less than {event} could bring {speakers} together as speakers.
{event} begins at {time} and ends at {end_time}, with {NUMBER} short breaks.
No fewer than {attendees} people want to be at {event}.
It's {event} we're talking about, not the one {OTHER} is doing.
Tickets for {event}, {price} each, can be picked up at the desk.
{organizer} will open {event} with a short welcome, as is fitting for the host.
By popular demand {event} has moved into {venue}.
We hope to see many familiar faces at {event} on {date}.
Because {event} finishes at {end_time}, parents can collect their children right after.
After the start at {time}, {speakers} will take turns speaking until {end_time}.
{date}. {time}. {venue}. Need I say more?
{venue}, {address}, {city} – that's the spot.
In {city} on {date}, {attendees} guests strong.
{organizer} (organizer) – {phone}
Organised by {organizer} and held at {venue}, it lasts until {end_time}.
I'll pick you up in good time for the {time} start, and we'll be back once it ends at {end_time}.
The hall is ours from {time}; {OTHER} brings the keys.
{speakers} speak, {attendees} people listen.
Bring a friend for another {price}, the same as your own ticket.
The caretaker of {venue} wants us gone soon after the end at {end_time}.
At {time} on the dot {organizer}, our organizer, will cut the ribbon.
With talks from {speakers}, the day in {city} should be well worth it.
The local press, represented by {OTHER}, will come for the beginning at {time}.
{OTHER} drives up to {city}, where the event is, with the {NUMBER} folding tables.
Let it be known that {organizer} organises the event at its own risk.
Anyone parking at {address} for the event needs the yellow slip.
{country} in general and {city} in particular will be the place to go on {date}.
From {city} station it's {NUMBER} minutes on foot to {venue}, where we'll be.
The last train leaves well after {end_time}, our finishing time.
online=true: It begins at {time} and is a virtual event.
online=true: This is a [purely |fully |]virtual [event|gathering|meeting].
online=true: The event is virtual[| this year], so nobody has to travel.
online=true: It will be [held virtually|a virtual affair].
online=true: A virtual event, starting at {time}.
online=true: It is virtual and about {attendees} guests are expected.
online=true: It starts at {time} and takes place [on the web|online only|over video].
online=true: Being a virtual event, it needs no venue.
online=false: It starts at {time} and is held [in person|on site].
online=false: This is not a virtual event; please come in person.
online=true: We start at {time}, virtually.
online=true: [Virtual|Online] event, begins {time}.
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
New in our range: the {product} by {brand}.
For sale: {product}, {color}.
Product sheet – {product}
Have you seen the {product} yet?
{brand} proudly presents its latest creation, the {product}.
Dear customer, you asked us for information about the {product}.
Item no. {sku}: {product}
I spent {NUMBER} evenings testing the {product}, and here is my verdict.
hi, is the {product} from your advert still around?
Deal of the week at {vendor}: {product}!
We are listing the following article: {product}, made by {brand}.
Last Saturday {OTHER} showed me the {brand} {product}, and I was sold at once.
A decent {product} need not cost a fortune: this one is {price}.
Catalogue page {NUMBER} – {product}
Subject: your question concerning the {product}
{vendor} now carries the {product}.
Few things improve a household as much as a good {product}.
Reviewed today by {OTHER}: the {product} from {brand}.
Stock memo re. {product} ({sku})
Tired of the old one? Replace it with the {product}.
psst {OTHER}, found the {product} you were after
It is the {product} that most visitors to {vendor} in {city} ask for.
Offered here: one {product} made of {material}.
To all branches: please note the revised data for the {product}.
What costs {price} and makes everybody happy? The {product}!
{product}. {brand}. {color}. Need I say more?
Look no further: this is the {product} in pure {material}.
{OTHER} wants to know all about the {product}, so I wrote down what I found.
Shop window, slot {NUMBER}: {product} by {brand}
On behalf of {vendor} I am sending you the particulars of the {product}.
The label on the box says "{product}".
Introducing the {product}: light, clever and simply good-looking.
Article recall? No, just a reminder that the {product} has new packaging.
Customers who viewed {NUMBER} other articles finally chose the {product}.
Moving house, so I'm parting with my {product}, a genuine {brand}.
Short and sweet: {product}, {price}, sold by {vendor}.
Once more {brand} has reworked the {product}.
Gift idea no. {NUMBER} is the {product}.
Out of the box, the {product} makes a solid impression.
Our {city} store has just unpacked the {product}.
Purchase request: one {product}, make {brand}, as discussed with {OTHER}.
Everything you ever wanted to know about {product}, model code {sku}.
The {color} {product} has arrived!
Flyer text, draft {NUMBER}: "Fall in love with the {product}"
Regarding the {product} which you saw in our shop in {city}:
My flatmate {OTHER} swears by the {product}.
We have taken a closer look at what {vendor} sells under the name {product}.
Clearance! The {product} has to go.
Your wish list contains 1 item: {product}
Not just any {product} but one with the {brand} logo on it.
Allow me to recommend the {product} to you.
Test report {NUMBER}/B. Object tested: {product}
In answer to your letter, the object in the photograph is our {product}.
ok here's the scoop on that {product}
Found at {vendor} in {city}: {product}.
{product} – the name sounds plain, the thing itself is not.
Price tag draft: {product} / {brand} / {price}
This morning's delivery contained the long-awaited {product}.
Buyers' question: "What can you tell me about the {product}?"
From the workshops of {brand} comes a new {product}.
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
The article is listed as "{product}".
Search our shop for {product} and it comes up first.
Product name: {product}
What you see in the picture is the {product}.
{OTHER} ordered something else; the thing described here is the {product}.
Officially it goes by the name {product}.
When ordering, just say {product} and give the code {sku}.
A decent {product}, in short, that does its job.
The carton is marked {product}, box {NUMBER}.
{product}: that is the exact designation.
Nobody who has held the {product} in their hands wants to return it.
We sell more of the {product} than of anything else in aisle {NUMBER}.
It is made by {brand}.
brand {brand}
{brand} is the manufacturer.
Made under the {brand} label, it needs no further praise.
The logo on the back is that of {brand}.
Yes, it's an original {brand}, not a copy.
{brand} stands behind this model with {NUMBER} years of history.
As so often with {brand}, the brand behind it, the finish is flawless.
You can tell at a glance that {brand} built it.
{OTHER} first took it for a no-name article, but it comes from {brand}.
Make: {brand}; model year: see underside
Designed and produced by {brand}.
Fans of {brand} will recognise the brand's handwriting in every detail.
It left the {brand} factory only a few weeks ago.
Spare parts are supplied by the maker, {brand}.
"A typical {brand}," said {OTHER} on unpacking it.
brand is {brand} btw, no fake
Genuine product of {brand}, hologram included.
The manufacturer – {brand} – has won {NUMBER} design awards.
Behind this article stands a well-known brand: {brand}.
Not the cheapest brand, {brand}, but a dependable one.
Developed in the laboratories of {brand}, it passed every test.
{vendor} only sells it, the brand is {brand}.
With {brand} printed on the lid, it could hardly be mistaken for another make.
Brand loyalty pays: {brand} has improved the hinge yet again.
Of all the makes on the shelf, this one is by {brand}.
{brand}, whose products {OTHER} collects, is the name on the type plate.
It costs {price}.
{price} is all we ask.
Price: {price}
Yours for {price}.
How much? {price}, cash in hand or otherwise.
You pay {price} at the till.
The retail price has been set at {price}.
At {price} it is cheaper than you might think.
{price} – a fair price, {OTHER} says.
We let it go for {price}, no haggling please.
Expect to spend {price}.
The price tag shows {price}, the shelf number {NUMBER}.
Asking price {price} ono
For the sum of {price} you can take it home today.
It changed its price twice before settling at {price}.
Listed at {price}, of which shipping, {shipping_cost}, is no part.
I'd want {price} for it.
A single piece is sold at {price}.
{price} buys you one, {brand} quality included.
color {color}
{color} is the colour of this one.
Painted {color} all over.
The finish? A tasteful {color}.
We can supply it in {color} only.
{color} on the outside, full of surprises on the inside.
Its {color} surface hides fingerprints well.
The one in the shop window is {color}.
{OTHER} would have liked a different shade, but the colour is {color}.
Colour as pictured: {color}.
Dressed in {color}, it brightens up any corner.
The designers at {brand} chose {color} as its colour.
In terms of colour we have gone for {color}.
Its colour, {color}, does not fade in the sun.
it's the {color} version, not the one {OTHER} has
Anyone fond of {color} things should grab it.
The shade is called {color}, colour chart no. {NUMBER}.
What colour is it? {color}.
Seen from afar it looks grey, yet the true colour is {color}.
Sprayed in {color} by hand.
We unpacked it and were delighted by how well the {color} matches our curtains.
Available colour: {color} (others sold out for good).
{color}, that's how it leaves the paint shop.
Only the {color} one is part of this offer.
With its {color} coat it passed for a toy, {OTHER} joked.
{color} paint, {material} body.
It is made of {material}.
Material: {material}
{material} is what it is made from.
Solid {material} throughout.
The body consists of {material}.
They used {material} for everything except the {NUMBER} screws.
Crafted from {material}, it ages beautifully.
No plastic wrap, no frills, just {material}.
Knock on it and you hear what it is: {material}.
The maker opted for {material} as a material because it is easy to clean.
{material} – there is no better stuff to make it from, {OTHER} claims.
What did they make it from? {material}.
Since the casing is {material}, you may wipe it with a damp cloth.
Manufactured in {material} to the highest standard.
Its {material} construction weighs {weight_kg} kg.
All visible parts are {material}.
Built out of {material} by {brand}.
Turned on a lathe from one block of {material}.
Touch the {material} and you will know where the money went.
The frame has been cut from {material}.
When asked about the material, the salesman {OTHER} answered "{material}".
The material, {material}, was tested {NUMBER} times for harmful substances.
With {material} as its base material, it survives a fall from the table.
mostly {material}, feels sturdy
Care tip: {material} like this should be kept dry.
{material} gives it its strength.
It weighs {weight_kg} kg.
weight (net): {weight_kg} kg
{weight_kg} kg is what the scales show.
At {weight_kg} kg it can be carried with one hand, or two.
Packed and all, expect {weight_kg} kilograms.
Its weight of {weight_kg} kg was checked by {OTHER}.
Tipping the scales at {weight_kg} kg, it stays where you put it.
The courier lifts {weight_kg} kg per piece.
With a mass of {weight_kg} kilograms it stands firm.
a mere {weight_kg} kg, I put it on the kitchen scales
Put it on the scale and you will read {weight_kg} kg.
{weight_kg} kilos, box {NUMBER}, handle with care
Made of {material}, it brings {weight_kg} kg to the shelf.
It is rated {rating} out of 5.
Rating: {rating}/5
Buyers give it {rating} stars.
{rating} out of 5 points is the average from {NUMBER} reviews.
Reviewers agreed on {rating} of 5 stars.
On the review page it stands at {rating} out of 5.
The customers' verdict? {rating} out of 5.
{OTHER} grumbled about the colour, but the overall rating is {rating} out of 5.
Scoring {rating} out of 5, it beats most of its rivals.
A user rating of {rating} speaks for itself.
{rating} stars, wow
In our test it earned {rating} out of five.
Average score after a month on the market: {rating} out of 5.
Its rating has climbed to {rating} out of 5 since spring.
With {rating} stars from users it ranks among the {NUMBER} articles we watch.
SKU {sku}
The article code is {sku}.
Please quote {sku} when ordering.
{sku} is its SKU.
In our system it runs under the stock number {sku}.
You'll find it in the catalogue as item {sku}, page {NUMBER}.
Stock keeping unit: {sku}
The barcode sticker says {sku}.
Reorders need the code {sku}, {OTHER} reminded me.
Filed under {sku} in the warehouse.
Look up {sku} if the name brings up nothing.
Its product code, {sku}, is engraved on the bottom.
It comes with {warranty_years} years' warranty.
The warranty lasts {warranty_years} [years|yrs].
Warranty (years): {warranty_years}
{warranty_years} years of guarantee are included.
{brand} grants a guarantee of {warranty_years} years.
Should it break within {warranty_years} years, the guarantee covers the repair.
How long is the guarantee? {warranty_years} years from the date on the receipt.
You are covered for {warranty_years} years, says the warranty card.
Covered by the maker's {warranty_years}-year guarantee, whatever {OTHER} may have told you.
For {warranty_years} years the manufacturer repairs it free of charge under warranty.
Warranty claims are accepted for {warranty_years} years.
The battery does {NUMBER} cycles and the warranty runs for {warranty_years} years.
guaranteed {warranty_years} yrs, keep the receipt
Nothing to worry about: the warranty period is {warranty_years} years.
We reduced it by {discount}%.
{discount}% off!
A discount of {discount}% applies.
Discount: {discount} percent
Save {discount} percent if you are quick.
The sticker promises {discount}% off the usual price.
{vendor} takes {discount}% off for regulars.
{OTHER} talked them into {discount}% off.
This month only, the price is cut by {discount} percent.
With code BUY{NUMBER} you get {discount}% off.
{discount} percent will be knocked off at the till.
Subtract {discount}% – that's our rebate.
What about a discount? Yes, {discount}%.
Now {price} after a markdown of {discount}%.
Down by {discount} percent while the sale lasts.
Shipping costs {shipping_cost}.
p&p {shipping_cost}
{shipping_cost} for postage.
We charge {shipping_cost} for delivery.
Postage and packing come to {shipping_cost}.
Add {shipping_cost} if you want it sent.
Delivery to your door is {shipping_cost} extra.
To have it shipped you pay another {shipping_cost}.
{shipping_cost} covers the freight.
The courier takes {shipping_cost}, parcel class {NUMBER}.
Sending it by post sets you back {shipping_cost}.
"Only {shipping_cost} for shipping?" {OTHER} could not believe it.
It is {price}, plus {shipping_cost} for the parcel service.
A flat shipping fee of {shipping_cost} is added to every order.
how much is postage? {shipping_cost}
More at {website}.
Website: {website}
See {website} for pictures from every angle.
The data sheet can be downloaded from {website}.
Order online: {website}
{website} has the full story, along with {NUMBER} photos.
Visit the shop on the web, {website}.
Videos and a manual have been put up on {website}.
{OTHER} found it by chance while browsing {website}.
Questions? {email}
Write to {email} for a sample.
{email} is where orders are taken.
Contact: {email}, {phone}
Our support team answers mails sent to {email}.
Send {OTHER} a line at {email} if anything is unclear.
E-mail address of the shop: {email}
Reservations by e-mail, please – {email}.
Any trouble with it should be reported to {email} within {NUMBER} days.
Call {phone} to reserve one.
Phone {phone}
{phone} is the hotline.
Advice is given by telephone on {phone}.
Ring the seller under {phone} after six.
If you'd rather talk to a human, dial {phone}.
The number for orders: {phone}, ask for {OTHER}.
Text me on {phone} if interested.
Telephone enquiries – {phone} – are dealt with until noon.
It is sold by {vendor}.
Seller: {vendor}
{vendor} is the seller.
You can buy it from {vendor}.
Sold and shipped by {vendor}, not by the marketplace.
Where to get it? At {vendor}.
{vendor} has added it to its assortment.
We at {vendor} pack every piece by hand.
The dealer is {vendor}; {brand} itself does not sell to private buyers.
Get it from {vendor}, where {OTHER} runs the counter.
The offer comes from {vendor}.
bought mine at {vendor}, no complaints
{vendor}, our trusted dealer, distributes it.
Only {vendor} has the licence to sell it here.
The shop is called {vendor}, rated by {NUMBER} buyers so far.
As the retailer, {vendor} handles returns.
This listing was placed by the merchant {vendor}.
Anyone may order it through {vendor}.
Your contract of sale is with {vendor}.
"I never had a problem with {vendor}," {OTHER} wrote about the seller.
The shop is in {city}.
You can pick it up in {city}.
city: {city}
{city} is where the store is located.
Come and see it in our showroom in {city}.
Collection from {city} only, bring a trolley.
Our branch in {city} keeps a display model on floor {NUMBER}.
It is waiting for its new owner at a dealer's in {city}.
From {city}, where {vendor} has its shop, parcels leave twice a day.
I'm selling it in {city}, can't drive it anywhere.
Based in {city}, the seller offers repairs as well.
in_stock=true: It is in stock.
in_stock=true: We have {NUMBER} of them on the shelf.
in_stock=true: Ready to ship today.
in_stock=true: Available immediately.
in_stock=true: No waiting: the warehouse is full of them.
in_stock=true: There are still some left, {OTHER} counted them this morning.
in_stock=true: You can walk out of the shop with one under your arm right now.
in_stock=true: Stock status: available
in_stock=true: On hand at our depot, shelf {NUMBER}.
in_stock=true: Fresh supplies have come in, so it can be had again at once.
in_stock=true: Plenty in stock at {vendor}.
in_stock=true: After weeks of shortage it is back in stock.
in_stock=true: Still available? Yes, it is.
in_stock=true: We keep it in the warehouse and can send it off within the hour.
in_stock=false: It is out of stock.
in_stock=false: Sold out.
in_stock=false: Sorry, none left at the moment.
in_stock=false: The last one went to {OTHER} yesterday, and the shelf is empty now.
in_stock=false: Currently unavailable – there is a waiting list with {NUMBER} names.
in_stock=false: Not in stock; new supplies are on their way.
in_stock=false: We have run out of it.
in_stock=false: Stock status: none
in_stock=false: Unfortunately the warehouse has none to offer until further notice.
in_stock=false: You will have to wait, since {vendor} is out of them.
in_stock=false: Back-ordered for now.
in_stock=false: Can I have one today? No, they are all gone.
in_stock=false: Our supply is exhausted, so it cannot be delivered at present.
payment_method=card: Pay by card.
payment_method=card: We take credit cards only.
payment_method=card: Have your bank card ready, the terminal is on counter {NUMBER}.
payment_method=card: Your Visa or Mastercard will be charged.
payment_method=cash: Cash only, please.
payment_method=cash: It must be paid for in cash on collection.
payment_method=cash: Bring banknotes, {OTHER} accepts nothing but cash.
payment_method=cash: Coins and notes are the only thing taken at the counter.
payment_method=transfer: Payment by bank transfer.
payment_method=transfer: Transfer the money to our account first.
payment_method=transfer: The seller wants the sum wired to the bank, transfer being the only option.
payment_method=transfer: Please settle by transfer, quoting {NUMBER}.
payment_method=paypal: You pay with PayPal at checkout.
payment_method=paypal: PayPal is what {vendor} accepts.
payment_method=paypal: send the money over paypal pls
payment_method=transfer: We post it as soon as your bank transfer, IBAN on request, has been credited.
in_stock=false: The stockroom list shows zero pieces, {OTHER} has checked twice.
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
Thanks a lot for your patience.
It was lovely to hear from you again.
Sorry for the long silence on my side.
Just a quick one before lunch.
The weather here has been dreadful all week.
Let me know if anything is missing.
Have a great weekend!
Give my regards to {OTHER}.
I had {NUMBER} unread messages this morning, so forgive me for being brief.
As always, don't hesitate to get in touch.
The coffee machine is broken again, in case you were wondering.
I'll keep you posted.
{OTHER} says hello.
Please read the whole message before you reply.
It took me {NUMBER} tries to get the printer working.
My apologies if this message reaches you twice.
Looking forward to hearing from you.
Excuse the typos, I'm typing this on my phone.
We've had our share of trouble lately, but things are looking up.
That's about all I know.
Kindly disregard my earlier message.
{OTHER} is copied in for information.
Isn't it funny how quickly the weeks go by?
I'll be on the train for the next few hours, so bear with me.
Should you notice a mistake, tell me and I'll put it right.
No need to reply.
You know how these things go.
The lift is stuck on floor {NUMBER} again.
I promised {OTHER} I would write this up, and here it is.
More on that next week.
Hope you had a good break, [{OTHER} certainly did|you deserved it]!
I'm not the best at keeping things short, as you can tell.
What a week it has been!
I'll tell you the rest when we talk.
Would you mind passing this on to {OTHER}?
I nearly forgot to write this.
As you may have noticed, our logo has changed.
Please keep this message for your records.
It rained so hard that {OTHER} got soaked on the way here.
[As I said to {OTHER}|As I keep saying], things are much as we left them.
If I remember correctly, we talked about this some time ago.
Fingers crossed!
{NUMBER} people have asked me about this already, so I thought I'd write it down once.
We value your opinion.
Anyway, back to the matter at hand.
Have I left anything out? [Probably|Surely not|I don't think so].
{OTHER} and I were laughing about it the other day.
Take care and stay healthy.
Let me give you the short version.
All the best to you and yours.
The usual disclaimers apply.
I have checked everything twice, and {OTHER} has checked it a third time.
A longer message will follow when I find the time.
Sorry, the cat just walked over the keyboard.
Please bear in mind that some of this may still change.
We look forward to a pleasant time together.
See the note on page {NUMBER} of the handbook if you are curious.
I would have called, but I have lost my voice.
Speaking of which, {OTHER} still has my umbrella.
This message was typed with one hand.
You were right, by the way.
Nothing else has changed since we last spoke.
It's all a bit much at the moment, isn't it?
With that out of the way, I can finally breathe again.
Cheers!
Many thanks in advance for your help.
There were {NUMBER} of these notes on my desk, this is the last.
The file name is a bit odd, please ignore it.
{OTHER} will be back next week, should you need a second opinion.
Do let me know what you think.
I've lost count of how often I have been asked.
Fun fact: the old form had {NUMBER} boxes and nobody ever filled in all of them.
Honestly, I could do with a nap.
May I ask you to handle this with discretion?
We would be delighted to answer any questions.
lol sorry that got long
Right, that should be everything.
There was one more thing, but it has slipped my mind.
I found this in a drawer and typed it up.
You can [throw away|delete|forget] the earlier version.
Our neighbour's dog has been barking since breakfast.
Did {OTHER} tell you the story about the ladder?
Thank you for reading this far.
If in doubt, ask.
It goes without saying that your details are safe with us.
{OTHER} read it over my shoulder and nodded.
Ah, before you ask: no, I haven't found my keys yet.
The heating is out, so my fingers are rather stiff as I write.
I went through all {NUMBER} sticky notes to get the facts straight.
Some of you may know this already.
Traffic was a nightmare, {NUMBER} traffic lights and every one of them against me.
I owe {OTHER} a drink for looking this up.
Your kind words last time made my day.
Let's talk soon.
This note replaces the one pinned to the board.
Errors and omissions excepted.
ok that's it from me
Talk to you later!
I trust that the above is of use to you.
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
LISTS = {"skills", "languages", "hobbies", "items", "speakers"}  # fields with more than one value
