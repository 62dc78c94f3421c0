"""English texts as people write them, one a line. About people: introductions, signatures, forms, notes. `scenes_en.py` collects them.

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
{HELLO}¶[a few words about|may I introduce] {name}, [who takes over as|our next] {job_title} on {date}. [{S} spent the last years with {NOT_company}, and turned down a rise to come here.|Before us {s} was at {NOT_company}.] {S} [brings|has] {years_experience} years in the trade[, knows {skills}|] and will [sit|be found] in {department}. [Say hello at {phone}.|Mail reaches {p0} at {email}.]¶{BYE}¶{OTHERFIRST}
CURRICULUM VITAE¶{name}¶[born|b.] {birth_date}[ in {city}|]¶{address}[, {postal_code} {city}|]¶{phone} [/|·] {email}¶¶[WORK|Experience]¶{N4}-[now|today]: {job_title}, {company}¶[earlier: {NOT_company}|before: various firms]¶¶SKILLS¶{skills}¶¶LANGUAGES¶{languages}[¶¶INTERESTS¶{hobbies}|]
BEGIN:VCARD¶FN:{name}¶[ORG:{company}¶|]TITLE:{job_title}¶[TEL;TYPE=cell|TEL]:{phone}¶[EMAIL:{email}¶|][ADR:;;{address};{city};;{postal_code};{country}¶|]END:VCARD
{name} grew up in {NOT_city} and [moved|came] to {city} [for love|for the sea air|after school]. [It took {p0} a while to feel at home there.|The first winter was hard.] By day {s} is a {job_title}[ at {company}|]; [in the evenings|at weekends] it's {hobbies}. {S} [just turned {age}|is {age}, though nobody believes it], [has been married for ages{married=true}|swears never to marry{married=false}|lost {p} husband last year{married=false}] and [dreams|talks] in {languages}.
[Call log|Messages while you were out]¶¶For: {OTHERFIRST}¶Caller: {name}[, {company}|]¶Number: {phone}¶[Re: the {THING}¶|][x wants|( )] call back[ after {time}| today|]
[{OTHERFIRST}: |]anyone got the number of {name}?¶[{OTHERFIRST}: |]{phone}, [but {s} never picks up|try after lunch]¶[{OTHERFIRST}: |]mail then?¶[{OTHERFIRST}: |]{email}[¶thx!|¶you're a star|]
[Applicant|Candidate] no. {N}¶[Surname|Family name]: {last_name}¶[Given name|First name]: {first_name}¶[Nationality|Country]: {country}¶Position sought: {job_title}¶[Desired|Expected] salary: {salary}¶Years in the field: {years_experience}¶[Marital status: single{married=false}|Marital status: married{married=true}|Civil status: divorced{married=false}]
Patient [file|chart]: {name}, [DOB|born] {birth_date}, [retired|works as] {job_title}. [Complains of|Came in with] back pain since {WEEKDAY}. [Lives alone at|Home visit:] {address}, {city}. [Next of kin: {OTHER}, {NOT_phone}.|] [Reach patient on|Mobile:] {phone}.
[Dear|To] {MR} {OTHERLAST},¶[I apply for the post|please find my papers for the opening] in your {department}[ department|]. At the moment I earn {salary} [a year|gross] as {job_title} at {company}, [which I would leave|a place I'd only leave] for more responsibility. [My strengths:|What I do well:] {skills}. [I could begin on {date}.|I am free from {date}.]¶{BYE}¶{name}¶{address}¶{postal_code} {city}
[Lost and found|Front desk]: [a wallet|a phone] was handed in, the card inside says {name}, [born|b.] {birth_date}, {address}, {city}. [We tried {phone} without luck.|Rang {phone}, nobody there.] [It waits at the desk|Keep it till {time}].
{name@first} ({age}) [runs the bar|took over the kiosk] in {city} [when {p} father fell ill|five summers ago]. "[I wouldn't swap it|Best job I ever had]," {s} says. [Days off mean {hobbies}.|If the place is shut, look for {hobbies}.] [Orders are taken in {languages}.|]
[Neighbours|Residents], [I lost my keys|the hallway light is broken again]. [If you can help,|Whoever knows more,] ring {name@last} on {phone}[, second floor|] or [slip a note under the door|write to {email}]. [{address}, {city}|]
[Meet the team|Faces of {company}]: {name}¶[What do you do here?|Your role?] I'm a {job_title}[ in {department}|].¶[How long have you done this?|Experience?] {years_experience} years.¶[And after work?|Free time?] {hobbies}.¶[Which tongues do you speak?|Languages?] {languages}.
name={name}¶role={job_title}¶[dept={department}¶|]office={city}¶[ext={phone}|tel={phone}]¶[mail={email}|web={website}]
[Thanks for coming in|It was a pleasure to meet you], {name@first}. We [would like to offer|offer] you the post of {job_title} in {department}[ at {company}|]. [The pay is|You would earn] {salary} [a year|per annum], [and your first day would be|starting] {date}. [Please sign by {due_date}.|Let me know by {due_date}.] {OTHER}
{name} [resigned|handed in {p} notice] on {date}. [{S} will be replaced by {OTHER}.|The search for a successor is on.] As {job_title} {s} [earned|cost us] {salary}[, a fair sum|]. [Exit talk with {department} at {time}.|Return of laptop and badge: {time}.] [Private mail: {email}|]
[Swimming club|Choir|Allotment society] [membership list|new entries]¶¶{name}[, {age}|]¶{address}, {postal_code} {city}¶{phone}¶[joined|since] {date}¶[fee {price}, settled{paid=true}|fee {price}, still outstanding{paid=false}]
[Wanted:|We need a] {job_title} for our {department}[ in {city}|]. [You have|Bring] {years_experience} years behind you, [speak|know] {languages} and [are at ease with|can do] {skills}. [We pay {salary}.|The post carries {salary} a year.] [Apply to {OTHER}|Apply], {email}[, by {due_date}|]. {company}
[Speaker bio|About the author]: {name} is {job_title} at {company}, where {s} [has worked since {N4}|looks after] {department}. [Before, {s} taught.|{S} writes on {website}.] {S} lives [with a cat|on a boat] in {city}, {country}[, and speaks {languages}|].
[In memory of|With sorrow we announce the death of] {name}, [our {job_title}|for long our {job_title}], born on {birth_date}. [Whoever met {p0} remembers the laugh.|{S} was kind to everybody.] {S} [loved|lived for] {hobbies}. [{P} family, {city}|The family, {address}, {city}]
[sms|text] from unknown: hi its {name@first} [from the train|from {company}]! [this is my number now|save this one]: {phone}. [moved to {city} btw|still in {city} btw], [working as {job_title}|they made me {job_title} lol]. [coffee?|call me!!]
Witness [statement|record]. I, {name}, [aged {age}|{age} years old], {job_title}, [residing at|of] {address}, {city}, [declare|state] as follows: [at about {time} on {date}|on {date} around {time}] I heard a bang. [I then saw {OTHER} run away.|Nobody else was about.] [Signed, in person.|]
[Sponsor a runner|Charity run start list]¶[Bib|No.] {N}: {name}, {age}, {city}, [club|team] {company}[, sponsored with {amount}|][¶Emergency contact: {OTHER} {NOT_phone}|]
[You asked who fixed our roof|The man who does our hedges]: {name@first}[ from {city}|], [{phone}|call {phone}]. [He takes|Expect to pay] {price} an hour[, cash only{payment_method=cash}|, and cards are fine{payment_method=card}|]. [Don't mention me|Tell him we sent you].
Interview, [tape {N}|part {N}]. [Q: Your name please?|- Who are you?]¶[A|-]: {name}.¶[Q: And you are how old?|- Age?]¶[A|-]: {age}[, since last week|].¶[Q: Profession?|- Work?]¶[A|-]: {job_title}, at {company}.¶[Q: Married?|- A family?]¶[A: Not any more.{married=false}|A: My wife is outside.{married=true}|- Never was.{married=false}]
{HELLO}¶[I write on behalf of my mother|this is about my grandmother], who [can't type|owns no laptop]: {name}, {age} years old, of {address}, {postal_code} {city}. [She'd like to join the {WEEKDAY} group.|Is there a place in the day centre?] [Please phone her|Her number is] {phone}, [she hears badly|let it ring]. [She speaks {languages}.|]¶{BYE}¶{OTHER}
[Flat share|Room hunting]! I'm {name@first}, {age}, [student and part-time|working as] {job_title}. [I cook, I clean.|Quiet, no pets.] [Into|I like] {hobbies}. Max {price} [a month|rent]. [Reach me|Text]: {phone}[ or {email}|]. [{city} only|Anywhere in {city}].
[HR system|Staff record] #{N}[:|] {last_name}, {first_name} | {department} | {job_title} | [hired|since] {date} | {salary} | [married{married=true}|single{married=false}] | {email}
[Report from the regional paper:|Local:] {name}, {job_title} [from|of] {city}, [pulled a child out of the river|won the cycling race]. "[Anyone would have done it|I was lucky]," said the {age}-year-old, [whose hobbies are|who otherwise enjoys] {hobbies}. [The mayor, {OTHER}, thanked {p0}.|{P} boss at {company} gave {p0} a day off.]
[Our new au pair|The exchange student] [is coming|arrives] on {date}: {name}, {age}, from {city}, {country}. {S} [speaks|has learnt] {languages}, [eats no meat,|is shy,] and [likes|loves] {hobbies}. [Pick-up at {time}.|Host family: {OTHERLAST}.]
[Tutor|Freelancer] profile — {name} — {job_title}¶Rate: {price}/h¶[Based in|Location]: {city}¶[Teaches|Offers]: {skills}¶[Experience|In business]: {years_experience} years¶[Works in|Languages]: {languages}¶[Book: {website}|Book via {email}]
{company} [has a new boss|names new head]: {name}[, {age},|, who] [steps in for|replaces] {OTHER}. [{S} was chief of {NOT_company} until spring.|The board voted on {WEEKDAY}.] [{P} pay of {salary} raised eyebrows.|Shareholders hear {p} plans on {date}.]
"""
