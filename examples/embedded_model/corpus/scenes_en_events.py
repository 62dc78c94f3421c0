"""English texts as people write them, one a line. About events: invitations, agendas, posters, appointments. `scenes_en.py` collects them.

Written for the generator. None has five words in a row from `tests/cases/realistic_texts.jsonl` (a test compares them).
"""

from __future__ import annotations

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
{HELLO}¶[quick reminder|just so nobody forgets]: {event}, {date}, [starting|from] {time}, [in|at] {venue}. [It was first announced for {NOT_date}, please cross that out.|Bring your own mug.] [We should be done by {end_time}.|Around {end_time} we lock up.] [So far {attendees} people are coming.|{attendees} names are on the sheet.] [Those who can't make it dial in via {website}.{online=true}|There won't be a video link.{online=false}]¶{BYE}¶{organizer@person}
BEGIN:VEVENT¶SUMMARY:{event}¶DTSTART:{date} {time}¶[DTEND:{end_time}¶|]LOCATION:{venue}[, {city}|]¶ORGANIZER:{organizer@person}[¶DESCRIPTION:[bring the minutes|see the mail of {WEEKDAY}]|][¶URL:{website}|]¶END:VEVENT
[Do you have plans|Doing anything] on {date}? {organizer@first} [is throwing a party{category=party}|turns {N} and has people over{category=party}] at {address}, [from|starting] {time} [till the neighbours complain|till {end_time}]. [About {attendees} folks|{attendees} of us], [bring drinks|no presents]. [Tell {p0} by {due_date}|Let {p0} know]: {phone}
[Tickets|Your tickets] for {event}¶{date} · [doors|starts] {time} · {venue}, {city}¶[Seats|Admit]: {attendees}¶[Each|Price per ticket]: {price}¶[Presented by|Promoter]: {organizer@company}¶[Show this code at the gate.|No refunds.] [Help: {email}|]
Minutes¶[Meeting|Session]: {event}¶Date: {date}, {time} to {end_time}¶[Room|Place]: {venue}¶Chair: {organizer@person}¶Present: {attendees} [members|people]¶[1. {OTHER} reports on the {THING}.|1. Minutes approved.]¶[2. Next date: {NOT_date}.|2. Any other business.]
[On a wet evening|Last {WEEKDAY}], some {attendees} people [squeezed into|filled] {venue} in {city} to hear {speakers@one}[, whose new book had sold out|]. "{event}" [was the title of the talk|the evening was called]. [Entry was {price}, and nobody complained.|The organisers, {organizer@company}, had expected half as many.] [It ended at {end_time}|By {end_time} it was over], [and the wine with it|to long applause].
[To everyone who signed up|Dear guests], [due to illness|because of the storm] the {event} [cannot take place on {NOT_date}|is put off from {NOT_date}]. The new date is {date}, [same place|now at {venue}], {time}. [Tickets stay valid|Your {price} ticket remains good], [or we pay you back until {due_date}|refunds run until {due_date}]. {organizer@company}[, {email}|]
[Anyone up for|Who's in for] {event} [this|next] {WEEKDAY}? [i mean the {date}|that's {date}], {time}, we'd meet at {venue}. [costs like {price}|{price} a head i think]. [need to book by {due_date}|booking closes {due_date}]. {name@first}[ ({phone})|]
{city} [what's on|diary]¶{date}¶{time} {event}, {venue}[, {price}|, free]¶[{NOT_time} {NOT_event}, {NOT_venue}|More tomorrow]
Calendar [entry|update]: {event}¶[When|Time]: {WEEKDAY}, {date}, {time} – {end_time}¶[Where|Place]: [{venue}|{venue} (not {NOT_venue})]¶[Required|Invited]: {OTHER} and [others|{N} more]¶[Link: {website}{online=true}|No dial-in{online=false}]
[Appointment|Slot] [confirmed|booked]: {name}, [vaccination|eye test|hair cut], {date}, {time}, at {organizer@company}, {address}, {city}. [Come ten minutes early.|Please wear a mask.] [To cancel|Running late?] call {phone}. [It costs {price}.|]
The [third|second] [summit|symposium] "{event}"{category=conference} [will bring|brings] [nearly|around] {attendees} experts to {venue} in {city}, {country}. [Among the speakers:|On the programme:] {speakers}. It [opens on|runs from] {date} at {time}. [Whoever registers before {due_date} pays {price}.|Passes cost {price} until {due_date}.] [All talks are streamed as well.{online=true}|No stream this year.{online=false}] {website}
[Band|Quartet] on tour{category=concert}: {speakers} play [{venue}|in {venue}], {city}, on {date}. [Doors {NOT_time}, first note {time}.|They start at {time}.] [At the box office|Tickets]: {price}. [The night before they are in {NOT_city}.|] [More on|See] {website}
[Work|Team] [outing|day out]: [bowling|rafting], {date}. [Bus leaves at {time}|We set off {time}] from {venue}, [back by|home about] {end_time}. [{attendees} have signed up.|Places: {attendees}.] [Own share: {price}.|] [Sign up with|Questions to] {organizer@person}, {email}[, until {due_date}|].
[Learn to weld|Hands on!|Course]: {event}{category=workshop}¶[Taught by|Your teacher]: {speakers@one}¶[Dates|First day]: {date}, {time}-{end_time}¶[Held at|In]: {venue}, {address}, {city}¶[Group size|Max.]: {attendees}¶[Fee|Cost]: {price}[, materials extra|]¶[Enrol by|Deadline] {due_date}: {email}
{OTHERFIRST}, [can we meet|let's talk] about the {THING}? [I could do|How is] {date} at {time}, [my office|{venue}]. [{NOT_time} is bad, I have the dentist.|Half an hour is enough, I must go at {end_time}.] [If not, online: {website}{online=true}|Better in person this time{online=false}]. {organizer@first}
[Protest|March|Vigil] [on|this coming] {WEEKDAY}, {date}. [Gather|We meet] at {venue}, {city}, {time}. [Police expect {attendees} people.|Last time we were {attendees}.] {speakers} [will speak|have promised to speak]. [Called by|Behind it]: {organizer@company}. [Stewards wanted: {phone}|]
[Parish|Village] newsletter: [on|for] {date} the {organizer@company} [invites you to|holds its] {event} [in|at] {venue}. [Coffee from {NOT_time}, the programme starts at {time}.|It begins at {time}.] [A place costs {price}; children pay nothing.|Donations welcome.] [Please tell {OTHER} by {due_date}.|Say so by {due_date}: {phone}.]
Webinar [details|invitation]{online=true}¶Topic: {event}¶Host: {organizer@company}¶[Speaker|Speakers]: {speakers}¶{date}, {time} [sharp|]¶[Duration: one hour|Ends {end_time}]¶[Join|Link]: {website}¶[Seats: {attendees}|Free of charge]
[Screening|Film night]: {event}, {venue}, {date}. [Film rolls|Lights out] {time}[, over at {end_time}|]. [Director {speakers@one} takes questions.|With guests {speakers}.] [Members free, others {price}.|{price}, popcorn extra.] [Only {attendees} seats|{attendees} seats], [book|write to]: {email}
train [ticket|booking]: {city} [main station|central] [->|to] {NOT_city}, {date}, dep. {time}, arr. {end_time}. [Passenger|For] {name}[, {attendees} adults|]. [Fare|Paid] {price}. [Platform changes possible.|Quiet coach.]
[Voicemail|Message] from {name}: [sorry|oh dear], I mixed up the times. The {event} is at {time}, not {NOT_time}, [still on {date}|on {date} as planned]. [And it's in {venue}.|Come to {venue}.] [Call me if that's bad,|Ring me,] {phone}.
Dear [parents|families],¶[on|this year] {date} we [hold|celebrate] our {event}. [The children sing at {time}.|Doors open at {time}.] [Each class brings a cake.|Please label your dishes.] [We need {attendees} helpers.|Room for {attendees} only.] [Sign the list by {due_date}|Answer by {due_date}], [{venue}|{address}].¶{BYE}¶{organizer@person}
{event} | {date} | {time} | {venue} | {city} | [{price}|{attendees} pax] | [on site{online=false}|remote{online=true}|hybrid{online=true}] | [contact {email}|contact {phone}]
[Hen night|Stag do|Baby shower] for {OTHER}!{category=party} [Save|It's on] {date}, [kick-off|we begin] {time} at {venue}, {city}. [I need {price} from each of you|Everyone chips in {price}] [by|before] {due_date}. [Shh, it's a secret.|There are {attendees} of us.] {organizer,name@first}
[Inspection|Meter reading|Chimney sweep] [notice|announcement]: [our man calls|we come to] {address}, {city}, on {date} between {time} and {end_time}. [Someone must be at home.|Please clear the way.] [If the day is bad, ring {phone}.|Another day? {email}] {organizer@company}
[Auditorium log|Room booking] {venue}: {date}, {time}–{end_time}, {organizer}, "{event}", {attendees} [chairs|persons], [beamer|no catering][, fee {price}|].
Stand-up [notes|summary]{category=meeting}, {date}: [{attendees} on the call{online=true}|all {attendees} in the room{online=false}]. [{OTHERFIRST} is out sick.|{OTHERFIRST} demoed the {THING}.] [Tomorrow|Next one]: {NOT_time}. [Took until {end_time}, too long.|Over at {end_time}.] {organizer@first}
[Open mic|Reading] at {venue}, {address}: {speakers} [read|perform] on {date}, {time}. [Pay what you like.|Entrance {price}.] [The bar closes {end_time}.|Till {end_time}.] [Thanks to {organizer@company}.|Put on by {organizer@company}.]
[I'm afraid|Sadly] I [can't come to|must miss] your {event} on {date}; [I'm in {NOT_city} that week|my train gets in at {NOT_time}]. [Could {OTHER} have my ticket?|Give my seat to {OTHER}.] [I already paid the {price}.|Keep the {price}.] [Say hello to everyone in {city}!|Enjoy {venue}!] {name@first}
Training calendar¶{date}: {event} ([trainer|by] {speakers@one}), {time} to {end_time}, {venue}¶[For whom: {department}¶|][Max. {attendees} people|{attendees} places left]¶[Internal price|Cost centre pays] {price}¶[Sign up by {due_date}|Book before {due_date}]
"""
