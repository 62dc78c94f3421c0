"""Words that values are made of, each pool split into a training and a held-out part.

Half of all names are not in any pool but are spelled from random syllables, so that the model has to copy what it
reads instead of remembering words.
"""

from __future__ import annotations

import random
from functools import cache

FEMALE_NAMES = """Anna Maria Laura Sofia Emma Julia Clara Nina Elena Lucia Hannah Grace Olivia Amelia Isabel Marta Ingrid
Astrid Yuki Mei Priya Fatima Aisha Leila Zoe Chloe Camille Margot Bianca Chiara Greta Helga Ruth Naomi Esther Miriam
Rebecca Sarah Rachel Jessica Ashley Emily Megan Caitlin Fiona Siobhan Catherine Victoria Charlotte Alice Beatrice Ines
Paula Silvia Monica Teresa Gabriela Valentina Daniela Carolina Renata Olga Irina Natasha Svetlana Katarina Agnieszka
Zuzana Eva Linda Karen Susan Patricia Donna Joyce Wendy Yasmin Noor Amara Ngozi Thandi Zainab Hoa Linh Mai Sakura Hana
Jia Xiu Ananya Divya Kavita Meera Joanna Heather Abigail Nora Ida Sigrid Freya Elsa Maja Rosa Carmen Dolores""".split()
MALE_NAMES = """James John Robert Michael David William Richard Joseph Thomas Daniel Matthew Anthony Mark Paul Steven
Andrew Kenneth George Edward Brian Kevin Jason Ryan Jacob Eric Stephen Jonathan Larry Justin Scott Brandon Benjamin
Samuel Gregory Patrick Frank Raymond Jack Dennis Jerry Tyler Aaron Jose Henry Adam Douglas Nathan Peter Zachary Kyle
Luca Marco Matteo Lorenzo Pierre Jean Antoine Hugo Louis Karl Hans Jürgen Stefan Lukas Felix Jonas Lars Erik Björn Olaf
Sven Ivan Dmitri Sergei Pavel Tomasz Piotr Jakub Jan Milan Omar Ali Hassan Yusuf Tariq Ravi Arjun Vikram Sanjay Rahul
Kenji Hiroshi Takeshi Wei Ming Jun Minh Duc Kwame Kofi Chidi Emeka Diego Carlos Javier Pablo Rafael Tiago Bruno""".split()
LAST_NAMES = """Smith Johnson Williams Brown Jones Garcia Miller Davis Rodriguez Martinez Hernandez Lopez Gonzalez Wilson
Anderson Thomas Taylor Moore Jackson Martin Lee Perez Thompson White Harris Sanchez Clark Ramirez Lewis Robinson Walker
Young Allen King Wright Scott Torres Nguyen Hill Flores Green Adams Nelson Baker Hall Rivera Campbell Mitchell Carter
Roberts Müller Schmidt Schneider Fischer Weber Meyer Wagner Becker Schulz Hoffmann Keller Huber Brunner Rossi Russo
Ferrari Bianchi Romano Ricci Dubois Moreau Laurent Lefebvre Girard Kowalski Nowak Novak Horvat Petrov Ivanov Volkov
Popescu Andersson Johansson Lindberg Nilsson Hansen Larsen Olsen Berg Virtanen Korhonen Silva Santos Costa Oliveira
Pereira Almeida Tanaka Suzuki Watanabe Yamamoto Kobayashi Chen Wang Zhang Liu Huang Kim Park Choi Singh Patel Sharma
Gupta Kumar Reddy Khan Ahmed Hussein Osei Mensah Okafor Adeyemi Dlamini Cohen Levy Katz O'Brien O'Connor Murphy Kelly
Walsh MacDonald Stewart Fraser Hughes Price Bennett Coleman Foster Barnes Whitaker Sandoval Delgado Marsh Calloway""".split()
CITIES = """London;Paris;Berlin;Madrid;Rome;Vienna;Zurich;Geneva;Amsterdam;Rotterdam;Brussels;Antwerp;Copenhagen;Oslo;
Stockholm;Helsinki;Dublin;Edinburgh;Glasgow;Manchester;Leeds;Bristol;Lisbon;Porto;Barcelona;Valencia;Seville;Milan;Turin;
Naples;Munich;Hamburg;Cologne;Frankfurt;Leipzig;Dresden;Prague;Brno;Warsaw;Krakow;Gdansk;Budapest;Bucharest;Athens;
Istanbul;Cairo;Nairobi;Lagos;Accra;Cape Town;Tokyo;Osaka;Kyoto;Seoul;Busan;Beijing;Shanghai;Taipei;Hanoi;Bangkok;
Singapore;Jakarta;Manila;Mumbai;Delhi;Bangalore;Chennai;Sydney;Melbourne;Perth;Auckland;Wellington;Toronto;Montreal;
Vancouver;Calgary;New York;Boston;Chicago;Seattle;Portland;San Francisco;Los Angeles;San Diego;Denver;Austin;Dallas;
Houston;Atlanta;Miami;Philadelphia;Pittsburgh;Detroit;Minneapolis;Salt Lake City;New Orleans;Mexico City;Lima;Bogota;
Santiago;Buenos Aires;Montevideo;Sao Paulo;Lyon;Nantes;Bordeaux;Lille;Graz;Basel;Bern;Ghent;Utrecht;Aarhus;Bergen""".replace(
    "\n", ""
).split(";")
COUNTRIES = """Germany;France;Spain;Italy;Portugal;Austria;Switzerland;Belgium;Netherlands;Denmark;Norway;Sweden;Finland;
Ireland;Scotland;Poland;Hungary;Romania;Greece;Turkey;Egypt;Kenya;Nigeria;Ghana;South Africa;Japan;South Korea;China;
Vietnam;Thailand;Indonesia;India;Australia;New Zealand;Canada;Mexico;Peru;Colombia;Chile;Argentina;Uruguay;Brazil;
Iceland;Estonia;Latvia;Croatia;Slovenia;Morocco;Tunisia;Costa Rica""".replace("\n", "").split(";")
STREETS = """Baker Oak Maple Elm Cedar Pine Main Church Station Park High Mill Bridge King Queen Victoria Market Garden
River Lake Hill School Chestnut Willow Walnut Spring Franklin Lincoln Harbour Castle Albert Union Abbey Orchard""".split()
STREET_KINDS = "Street Street Street Road Road Avenue Ave Lane Drive St. Way Square Terrace Court Boulevard".split()
COMPANY_HEADS = """North Blue Green Silver Red Bright Clear Prime Global Urban Summit Vertex Nova Apex Orion Atlas Delta
Pioneer Horizon Harbor Granite Cedar Falcon Beacon Anchor Evergreen Cobalt Copper Amber Crystal Lunar Solar Quantum
Rapid Swift Golden Iron Stone River Ocean Sky Star Maple Willow Meadow Canyon Ember Zenith Pacific Alpine Nordic""".split()
COMPANY_TAILS = """Systems Solutions Software Labs Consulting Logistics Foods Energy Media Design Studios Partners
Industries Robotics Analytics Bank Insurance Pharma Textiles Furniture Books Travel Motors Electronics Security Textiles
Networks Capital Supplies Interiors Outfitters Bakery Plumbing Gardens Printing Tools Office Catering Events""".split()
COMPANY_FORMS = ["", "", "", "", " Inc.", " Ltd", " GmbH", " LLC", " AG", " & Co.", " Group", " Corp"]
JOB_LEVELS = ["", "", "", "", "senior ", "junior ", "lead ", "assistant ", "chief ", "head "]
JOBS = """software engineer;data scientist;accountant;nurse;teacher;architect;graphic designer;product manager;lawyer;
journalist;translator;electrician;pharmacist;chef;pilot;librarian;photographer;project manager;sales manager;marketing
 director;research assistant;civil engineer;dentist;carpenter;financial analyst;web developer;recruiter;biologist;
veterinarian;office manager;consultant;mechanic;social worker;system administrator;editor;physiotherapist;interior
 designer;operations manager;customer support agent;security analyst;chemist;plumber;tour guide;policy advisor;
quality engineer;copywriter;buyer;paralegal;warehouse supervisor;music teacher;surgeon;economist""".replace(
    "\n", ""
).split(";")
DEPARTMENTS = """Sales;Marketing;Engineering;Finance;Human Resources;Legal;Operations;Research;Procurement;IT;
Customer Support;Logistics;Design;Quality;Communications;Security""".replace("\n", "").split(";")
SKILLS = """Python;Java;SQL;Excel;project management;negotiation;public speaking;data analysis;copywriting;JavaScript;
machine learning;accounting;graphic design;Photoshop;budgeting;welding;first aid;teaching;C++;Rust;Kubernetes;Linux;
technical writing;customer service;carpentry;research;statistics;video editing;bookkeeping;event planning;Go;React;
cloud computing;leadership;coaching;interviewing;logistics planning;contract law;market research;web design""".replace(
    "\n", ""
).split(";")
LANGUAGES = """English German French Spanish Italian Portuguese Dutch Polish Czech Hungarian Romanian Greek Turkish Arabic
Hebrew Hindi Bengali Urdu Mandarin Cantonese Japanese Korean Vietnamese Thai Swedish Danish Norwegian Finnish Swahili
Russian Ukrainian""".split()
HOBBIES = """hiking;cycling;painting;chess;cooking;gardening;photography;swimming;reading;running;climbing;knitting;
skiing;sailing;dancing;playing the piano;yoga;birdwatching;fishing;woodworking;tennis;football;pottery;baking;
travelling;surfing;board games;singing;astronomy;camping""".replace("\n", "").split(";")
ADJECTIVES = """wireless portable compact electric wooden steel leather ceramic cotton folding adjustable digital smart
ergonomic stainless vintage classic modern waterproof rechargeable heavy-duty handmade organic ultralight cordless
foldable padded insulated solar magnetic""".split()
PRODUCT_NOUNS = """keyboard;mouse;monitor;desk lamp;office chair;standing desk;backpack;water bottle;coffee maker;
headphones;speaker;camera;tripod;toaster;kettle;vacuum cleaner;drill;hammer;tent;sleeping bag;bicycle;helmet;jacket;
scarf;wallet;watch;notebook;fountain pen;printer;scanner;router;tablet;phone case;charger;blender;frying pan;knife set;
bookshelf;sofa;rug;mirror;candle;vase;teapot;mug;umbrella;suitcase;lantern;blanket;pillow;fan;heater;projector;
microphone;guitar;yoga mat;dumbbell;skateboard;drone;thermometer;shelf;stool;bench;toolbox;ladder""".replace(
    "\n", ""
).split(";")
ITEMS = """apples;bread;milk;cheese;tea;coffee beans;rice;olive oil;paper towels;envelopes;staples;printer paper;pens;
markers;folders;batteries;light bulbs;screws;nails;paint;brushes;gloves;towels;soap;plates;cups;napkins;cables;adapters;
toner;labels;stickers;tape;boxes;chairs;desks;lamps;cushions;candles;mugs;notebooks;calendars;posters;T-shirts;caps""".replace(
    "\n", ""
).split(";")
COLORS = """black white red blue green yellow orange purple grey silver gold brown beige navy turquoise pink crimson
olive ivory charcoal teal maroon""".split()
MATERIALS = """wood steel aluminium leather cotton wool plastic glass ceramic bamboo oak walnut silicone carbon canvas
polyester linen marble brass titanium""".split()
EVENT_THEMES = """Data Science;Web Development;Robotics;Clean Energy;Jazz;Poetry;Photography;Marketing;Leadership;
Public Health;Urban Gardening;Cyber Security;Climate;Design;Startup;Film;Wine;Street Food;Craft Beer;Chess;Astronomy;
History;Nutrition;Mobile Games;Open Source;Machine Learning;Finance;Education;Book;Winter;Summer;Spring;Autumn;
Alumni;Charity;Community;Family;Science;Art;Music""".replace("\n", "").split(";")
EVENT_KINDS = """Summit Conference Workshop Festival Meetup Forum Symposium Gala Fair Night Day Week Expo Congress Seminar
Bootcamp Concert Marathon Picnic Exhibition Hackathon Retreat Reception Auction Showcase Tour""".split()
VENUE_KINDS = """Hall;Center;Hotel;Theatre;Library;Museum;Arena;Auditorium;Gallery;Park;Cafe;Town Hall;Community Center;
Conference Center;Garden;Pavilion;Club;House;Stadium;Rooftop;Church""".replace("\n", "").split(";")
MAIL_HOSTS = """example.com mail.com post.org web.net inbox.io fastmail.co gmx.net office.eu mailbox.org company.com
uni.edu home.nz proton.me""".split()
TOP_LEVELS = "com com com org net io eu de co.uk fr it dev shop info".split()
MONTHS = """January February March April May June July August September October November December""".split()
WEEKDAYS = "Monday Tuesday Wednesday Thursday Friday Saturday Sunday".split()
NUMBER_WORDS = "zero one two three four five six seven eight nine ten eleven twelve".split()

_ONSETS = "b br c ch d dr f fl g gr h j k kl l m n p pr qu r s sh st t th tr v w y z".split()
_VOWELS = "a a e e i i o o u ai ea ee ia io ou ei au".split()
_CODAS = ["", "", "", "n", "r", "l", "s", "m", "t", "ck", "nd", "rt", "x", "ld", "ng", "sk", "v", "b"]

HELD_OUT_EVERY = 7  # every 7th word of a pool is held out


@cache
def _split(words: tuple[str, ...]) -> tuple[list[str], list[str]]:
    unique = sorted(set(words))
    held_out = unique[3::HELD_OUT_EVERY]
    return [word for word in unique if word not in held_out], held_out


def pick(rng: random.Random, words: list[str], held_out: bool) -> str:
    """A word of the pool's training part, or of its held-out part."""
    return rng.choice(_split(tuple(words))[held_out])


@cache
def held_out_words() -> frozenset[str]:
    """Every word of four letters or more in the held-out part of a pool, in lower case."""
    split = [COMPANY_HEADS, COMPANY_TAILS, JOBS, DEPARTMENTS, SKILLS, LANGUAGES, HOBBIES, ADJECTIVES, PRODUCT_NOUNS]
    split += [ITEMS, COLORS, MATERIALS, EVENT_THEMES, EVENT_KINDS, VENUE_KINDS, CITIES, COUNTRIES, STREETS, LAST_NAMES]
    split += [FEMALE_NAMES, MALE_NAMES, FEMALE_NAMES + MALE_NAMES]
    phrases = {phrase for pool in split for phrase in _split(tuple(pool))[1]}
    return frozenset(word.lower() for phrase in phrases for word in phrase.split(" ") if len(word) > 3)


def invent(rng: random.Random, words: list[str]) -> str:
    """A phrase that looks like those of the pool's training part: words of two of them, each often spliced with another."""
    training = _split(tuple(words))[0]
    first, second = rng.choice(training).split(" "), rng.choice(training).split(" ")
    phrase = first if rng.random() < 0.5 else [*first[: len(first) // 2 + 1], second[-1]][:3]
    return " ".join(splice(rng, word, rng.choice(training)) if rng.random() < 0.7 else word for word in phrase)


def splice(rng: random.Random, head: str, tail: str) -> str:
    """The beginning of one word and the end of another, in the first one's case."""
    return head[: rng.randint(1, max(1, min(5, len(head) - 1)))] + tail[-rng.randint(2, 5) :].split(" ")[-1].lower()


def syllables(rng: random.Random, least: int = 1, most: int = 3) -> str:
    """A capitalised word that does not exist, of `least` to `most` syllables."""
    word = "".join(
        rng.choice(_ONSETS) + rng.choice(_VOWELS) + rng.choice(_CODAS) for _ in range(rng.randint(least, most))
    )
    return word.capitalize()
