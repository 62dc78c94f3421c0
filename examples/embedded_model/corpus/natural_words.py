"""Words of everyday texts for the values of `natural_values.py`: names from many countries, things, trades, places.

Like the pools of `pools.py` each list has a training and a held-out part. Words that the pools hold out are in neither.
"""

from __future__ import annotations

from . import pools


def _known(source: str) -> list[str]:
    """The phrases, separated by semicolons, without those that hold a held-out word of a pool."""
    phrases = [phrase.strip() for phrase in source.replace("\n", ";").split(";")]
    held_out = pools.held_out_words()
    return [p for p in phrases if p and not held_out & {word.lower() for word in p.replace("-", " ").split(" ")}]


FIRST_NAMES = _known("""Aino;Åse;Łukasz;Małgorzata;Željko;Šárka;Çağla;Özgür;Jiří;Zoë;Renée;Björk;Øyvind;Søren;Márta;Gábor;Ágnes
László;Ştefan;Ioana;Ana-Maria;Jean-Luc;Marie-Claire;Benoît;Hélène;Cédric;Aurélie;Thérèse;François;Loïc;Maëlle;Anaïs;Noël
José;María;Íñigo;Begoña;Joaquín;Sofía;Andrés;Inés;Raúl;João;Conceição;Nuno;Fábio;Mónica;Jürgen;Käthe;Günter;Anneliese
Heike;Torsten;Uwe;Sabine;Ulrike;Matthias;Birgit;Rüdiger;Katrin;Ruairí;Niamh;Seán;Órla;Eoin;Gráinne;Rhys;Cerys;Owen;Ewan
Hamish;Morag;Alasdair;Oleksandr;Olena;Dariusz;Grażyna;Wojciech;Kinga;Tibor;Zsófia;Vlad;Radu;Mirela;Dragana;Nikola;Jovana
Goran;Ivana;Blaž;Tjaša;Kostas;Eleni;Giorgos;Despina;Emre;Ayşe;Burak;Elif;Nasrin;Reza;Farhad;Parisa;Samir;Layla;Karim
Nadia;Amina;Moussa;Aïssatou;Kwabena;Abena;Adaeze;Tunde;Folake;Sipho;Lerato;Tendai;Meseret;Haile;Anjali;Rohan;Priyanka
Suresh;Nisha;Farah;Imran;Thuy;Linh;Quang;Somchai;Ploy;Putri;Agus;Haruto;Naoki;Ayumi;Minjun;Seoyeon;Lihua;Weiming;Xiaolan
Tom;Ben;Sue;Liz;Kate;Nick;Joe;Pat;Bob;Meg;Ted;Sam;Max;Lea;Lou;Pia;Ole;Kai;Ute;Udo;Gus;Val;Ned;Fay;Roy;Ivy;Gil;Dot
Rory;Poppy;Harvey;Imelda;Horace;Mabel;Winnie;Cyril;Edna;Clive;Trevor;Maureen;Gillian;Nigel;Barry;Lorna;Hattie;Rufus
Delia;Marcus;Vince;Gloria;Roberta;Hector;Ramona;Dwight;Loretta;Earl;Mavis;Otis;Selma;Dexter;Wilma;Irving;Norma""")
LAST_NAMES = _known("""Håkansson;Sørensen;Ødegård;Åkerlund;Björklund;Sjöberg;Niemi;Mäkelä;Hämäläinen;Łukasik;Wiśniewska
Dąbrowski;Zając;Dvořák;Růžička;Novotná;Šimek;Horváthová;Szabó;Nagy;Tóth;Kovács;Ionescu;Dumitrescu;Petrović;Jovanović
Kovačević;Šarić;Zupančič;Papadakis;Georgiou;Yılmaz;Şahin;Öztürk;Demir;Müller-Lüdenscheid;Schröder;Köhler;Krüger;Jäger
Groß;Böhm;Vogt;Lorenz;Ziegler;Pfeiffer;Brandt;Sommer;Winter;Keller;Seidel;Engel;Bergmann;Kaiser;Kuhn;Hartmann;Lefèvre
Beauchêne;Desprès;Garnier;Chevalier;Fontaine;Rousseau;Mercier;Blanchard;Gaillard;Perrin;Roche;Aubert;Ibáñez;Núñez;Muñoz
Domínguez;Peña;Fuentes;Castaño;Vidal;Serrano;Simões;Magalhães;Conceição;Araújo;Esposito;De Luca;Fontana;Marchetti;Galli
Van den Berg;de Vries;Jansen;Bakker;Visser;Peeters;Claes;Ó Briain;Ní Dhomhnaill;MacLeod;McAllister;Pritchard;Llewellyn
Tennant;Hargreaves;Featherstone;Ashworth;Whitlock;Pemberton;Okonkwo;Nwachukwu;Boateng;Asante;Mwangi;Otieno;Ndlovu;Mokoena
Tesfaye;Bekele;Diallo;Traoré;Benali;El Amrani;Haddad;Khoury;Mansour;Rahimi;Hosseini;Siddiqui;Chaudhry;Bhattacharya;Iyer
Menon;Desai;Nair;Perera;Wijesinghe;Nguyễn;Trần;Suwannarat;Santoso;Wibowo;Fujimoto;Inoue;Matsuda;Cho;Jung;Yoon;Zhao;Lin
Sheffield;Crane;Holt;Pike;Marlow;Drew;Finch;Lowe;Booth;Cross;Dale;Frost;Gray;Nash;Page;Rowe;Swift;Tate;Webb;York;Abbott
Barlow;Cartwright;Dobson;Ellery;Fairfax;Goodwin;Hobbs;Ingram;Jessop;Kirkby;Lockwood;Mercer;Norwood;Osborne;Quigley;Radley""")
CITIES = _known("""Tromsø;Ålborg;Malmö;Göteborg;Jyväskylä;Reykjavik;Łódź;Wrocław;Poznań;Gdynia;České Budějovice;Plzeň;Košice;Pécs
Győr;Timișoara;Cluj-Napoca;Niš;Zagreb;Ljubljana;Thessaloniki;Izmir;Ankara;Köln;Düsseldorf;Nürnberg;Würzburg;Tübingen;Göttingen
Lübeck;Kiel;Rostock;Erfurt;Jena;Kassel;Bielefeld;Münster;Bonn;Mainz;Ulm;Augsburg;Passau;Linz;Salzburg;Innsbruck;Luzern
Winterthur;Chur;Fribourg;Sion;Strasbourg;Besançon;Orléans;Saint-Étienne;Nîmes;Angers;Rennes;Quimper;Le Mans;Dijon;Reims;Pau
Aix-en-Provence;Liège;Namur;Leuven;Mechelen;Eindhoven;Haarlem;Groningen;San Sebastián;Málaga;Cádiz;Córdoba;A Coruña;Évora
Coimbra;Braga;Bologna;Trieste;Padova;Lecce;Cork;Galway;Limerick;Sligo;Kilkenny;Bath;York;Derby;Hull;Truro;Exeter;Norwich
Ipswich;Whitby;Kendal;Hexham;Stirling;Inverness;Dundee;Oban;Cardiff;Swansea;Bangor;Belfast;Tulsa;Duluth;Boise;Spokane;Reno
Tucson;Omaha;Madison;Toledo;Fresno;Burlington;Savannah;Richmond;Halifax;Winnipeg;Regina;Hobart;Darwin;Dunedin;Napier;Durban
Kumasi;Kampala;Mombasa;Lusaka;Dakar;Abidjan;Tunis;Fez;Amman;Beirut;Haifa;Pune;Kochi;Jaipur;Lahore;Dhaka;Colombo;Da Nang
Chiang Mai;Cebu;Penang;Bandung;Sapporo;Nagoya;Daegu;Ningbo;Chengdu;Medellín;Bogotá;Quito;Cusco;Valparaíso;Rosario;Recife
São Paulo;Puebla;Mérida;Querétaro""")
JOBS = _known("""bus driver;caretaker;baker;florist;tailor;bookkeeper;nursery teacher;midwife;optician;locksmith;roofer;joiner;welder
head chef;night porter;receptionist;bartender;butcher;cheesemaker;beekeeper;gardener;forester;vet;dental nurse;radiographer
cardiologist;tax clerk;notary;clerk;court reporter;archivist;curator;conductor;cellist;sound engineer;stage manager
film editor;illustrator;potter;blacksmith;watchmaker;piano tuner;violin teacher;choir director;football coach;ski instructor
lifeguard;flight attendant;train driver;dispatcher;forklift driver;warehouse clerk;shift leader;plant manager;site manager
surveyor;geologist;oceanographer;lab technician;postdoc;lecturer;headteacher;school secretary;student assistant;intern
trainee;apprentice;treasurer;chairwoman;vice president;managing director;CEO;CTO;head of purchasing;head of HR;team lead
HR manager;account manager;key account manager;store manager;branch manager;estate agent;insurance broker;call centre agent
software tester;DevOps engineer;UX designer;game developer;technical writer;press officer;event manager
wedding photographer;tour operator;hotel manager;housekeeper;nanny;carer;paramedic;firefighter;police officer;customs officer""")
DEPARTMENTS = _known("""cardiology;radiology;maternity ward;accounts;payroll;purchasing;dispatch;shipping;facility management;the archive
after-sales service;product development;press office;IT support;controlling;pharmacology;physics;the workshop;the canteen
Accounts Payable;Public Relations;Quality Assurance;Data Protection;Student Affairs;Field Service;Spare Parts;Pre-Press""")
HOBBIES = _known("""model railways;choir singing;bouldering;geocaching;beekeeping;open-water swimming;old motorcycles;growing roses
crosswords;stamp collecting;trail running;salsa;jazz piano;rowing;handball;mushroom picking;writing poems;restoring radios
baking bread;ice skating;stargazing;calligraphy;orienteering;playing the cello;wild camping;cooking Indian food;quiz nights""")
LANGUAGES = _known("""Norwegian;Slovak;Croatian;Serbian;Slovene;Estonian;Latvian;Lithuanian;Catalan;Basque;Irish;Welsh;Igbo;Yoruba
Amharic;Tagalog;Malay;Tamil;Punjabi;Persian;Kurdish;Albanian;Bulgarian;Afrikaans;Zulu;Icelandic;Farsi;sign language""")
SKILLS = _known("""Figma;AutoCAD;SAP;PowerPoint;TypeScript;Docker;LaTeX;MATLAB;lean management;shorthand;forklift licence;sewing
conflict resolution;fundraising;lab safety;phlebotomy;crane operation;proofreading;sound mixing;stock control;pastry""")
ADJECTIVES = _known("""used;nearly new;antique;second-hand;folding;solid;double;single;striped;checked;large;small;mini;cast-iron;enamel
hand-knitted;refurbished;electric;wireless;thermal;inflatable;outdoor;kids';ladies';men's;vintage;custom;spare;rechargeable""")
PRODUCTS = _known("""armchair;dining table;coffee table;side table;chest of drawers;bunk bed;mattress;wardrobe;desk;floor lamp;curtain rail
garden shed;wheelbarrow;lawn mower;hedge trimmer;barbecue;parasol;hammock;deck chair;flower pots;compost bin;rain barrel
washing machine;dishwasher;fridge;freezer;microwave;oven;hob;extractor hood;iron;sewing machine;food processor;waffle maker
pasta machine;espresso machine;bread tin;cake tins;wine glasses;cutlery set;cast-iron pan;rain jacket;hiking boots;wool socks
winter coat;evening dress;wedding dress;sun hat;leather belt;handbag;rucksack;running shoes;ski boots;snowboard;ice skates
road bike;mountain bike;cargo bike;child seat;pram;pushchair;cot;high chair;doll's house;train set;jigsaw puzzle;board game
violin;accordion;cello;trumpet;drum kit;digital piano;music stand;record player;amplifier;radio;television;laptop;smartphone
e-reader;power bank;ink cartridges;USB sticks;graphics card;hard drive;webcam;walkie-talkies;binoculars;telescope;microscope
aquarium;dog basket;cat tree;bird cage;horse blanket;saddle;beehive;chicken wire;fence posts;roof tiles;floor tiles;wallpaper
laminate;wood glue;cordless screwdriver;band saw;extension lead;cement mixer;hot water bottle;wheelchair;crutches;hearing aid
reading glasses;blood pressure monitor;first-aid kit;surgical masks;nitrile gloves;copy paper;ring binders;whiteboard;name tags
business cards;flyers;roll-up banner;gift basket;layer cake;cheese platter;sesame oil;red wine;apple juice;fizzy water
coffee beans;sourdough loaf;wheat flour;hazelnuts;honey;tea towels;bed linen;bath mat;cushion covers;door handles;tyres;roof box
brake pads;snow chains;car battery;camper van;motor scooter;kayak;rowing boat;life jackets;tent pegs;gas stove;sleeping mat""")
MODEL_WORDS = _known("""Borealis;Classic;Comfort;Sprint;Alpina;Marbella;Luna;Tempo;Fjord;Sierra;Vista;Duo;Trio;Basic;Premium;City
Silent;Turbo;Jumbo;Retro;Polar;Tundra;Vela;Riva;Capri;Siena;Oslo;Boston;Roma;Kompakt;Ultra;Neo;Flex;Vario;Lotus;Orka""")
COLORS = _known("""light blue;dark green;anthracite;mint;lilac;burgundy;mustard;cream;off-white;sky blue;bottle green;rust;copper;sand
rosé;apricot;black and white;jet black;petrol;aubergine;bright red;natural;striped;multicoloured;moss green;pale yellow""")
MATERIALS = _known("""beech;larch;pine;solid oak;cast iron;stainless steel;merino wool;suede;faux leather;felt;hemp;slate;granite;porcelain
velvet;denim;rattan;cork;rubber;recycled plastic;ash;cherry;pure cotton;silk;concrete;brushed aluminium""")
SHOPS = _known("""Café;Bar;Bistro;Trattoria;Pizzeria;Gasthaus;Hotel;Pension;Bäckerei;Metzgerei;Gärtnerei;Autohaus;Praxis Dr.;Optik;Möbelhaus
Buchhandlung;Apotheke;Boulangerie;Librairie;Garage;Atelier;Maison;Chez;Studio;Galerie;Salon;Tapas;Taverna;Ferretería;Farmacia
Boutique;Brasserie;Clínica;Taller;Librería;Restaurante;Fahrradladen;Holzbau;Elektro;Druckerei;Spedition;Weingut""")
TRADES = _known("""Roofing;Removals;Cycles;Joinery;Florists;Pottery;Brewery;Farm Shop;Ceramics;Freight;Optics;Outdoor;Office Supply;Seeds
Carpets;Upholstery;Instruments;Marine;Diving;Dental;Veterinary Clinic;Driving School;Language School;Music School;Cheese
Wine Merchants;Coffee Roasters;Tea House;Print;Signs;Web Services;Cloud;Data;Health;Biotech;Aviation;Shipping;Timber;Steel
Glass;Plastics;Packaging;Cleaning;Property;Estates;Lettings;Trust;Foundation;Institute;University;College;Primary School
Arts Council;Rowing Club;Choral Society;Volunteer Centre;Parish Council;Housing Association;Water Board;Tourist Office""")
EVENTS = _known("""summer fair;quiz night;jumble sale;flea market;book fair;open day;open house;carol singing;chess tournament
staff meeting;kick-off meeting;board meeting;team lunch;parents' evening;sports day;school play;blood drive
poetry slam;cinema night;tango evening;wine tasting;whisky tasting;baking course;sewing course;pottery class;drawing class
German course;yoga class;guided tour;city walk;canal cruise;bike tour;charity run;half marathon;regatta;dog show
beer festival;street party;lantern parade;fireworks;vernissage;reading;book launch;panel discussion;lecture;webinar;hackathon
coders meetup;job fair;career day;graduation ceremony;wedding;silver wedding;christening;birthday party;housewarming;funeral
memorial service;farewell drinks;Christmas dinner;annual meeting;general assembly;choir concert;organ recital;school reunion
blood donation;repair café;clothes swap;plant sale;beach clean-up;tree planting;spring cleaning;fire drill;press conference""")
TITLES = _known("""Sponges;Bridges;Night Trains;Wild Bees;Sourdough;Lighthouses;Old Maps;Street Photography;Taxes;Freelancers;Beginners;Taming Data
Quiet Cities;Slow Rivers;Robots;Honest Games;Glaciers;Salt;Paper;Clocks;Good Soil;Lost Letters;Blue Notes;Tides;Owls;Stars
Rust;Kubernetes;Small Boats;Big Questions;Mindful Cooking;Everyday Law;Money;Memory;Islands;Gothic Windows;Moths;Mountains""")
VENUES = _known("""village hall;town hall;parish hall;sports hall;school gym;assembly hall;lecture hall C;main auditorium;seminar room 2
room 4.07;room 104;conference room Elbe;meeting room 5;the old fire station;the courtyard;the beer garden;the rooftop terrace
the canteen;the library;the market square;the boathouse;the bandstand;the botanical garden;the cinema;the crypt;city hall
community centre;youth centre;cultural centre;the harbour;platform 4;the chapel;the synagogue""")
VENUE_HEADS = _known("""The Golden;The Red;The Black;The Old;St. Mary's;St. Anne's;Riverside;Lakeview;Kulturhaus;Stadthalle
Bürgerhaus;Salle;Théâtre;Espace;Centre;Villa;Palais;Teatro;Palazzo;Casa;Haus;Halle;Studio;Kino;Schloss;Kloster;Parc;Jardin""")
VENUE_TAILS = _known(
    """Arms;Lion;Inn;Tavern;Church Hall;Park;Stadium;School;Chapel;Planetarium;Observatory;Brewery;Pier;Playhouse"""
)
COMMON_WORDS = _known("""report;window;kitchen;question;weather;meeting;minute;teacher;village;garden;morning;engine;letter;neighbour;festival
picture;corner;station;afternoon;holiday;summer;machine;cupboard;traffic;colleague;family;folder;problem;solution;manager
customer;building;printer;cable;journey;lesson;exercise;recipe;newspaper;article;reader;author;chapter;page;sentence;sky
river;bridge;street;shop;market;bread;soup;dinner;breakfast;cup;plate;chair;table;carpet;wall;door;roof;stairs;cellar;lamp
cat;dog;bird;horse;tree;leaf;flower;rain;wind;snow;storm;cloud;sunshine;field;farm;fence;gate;path;hill;valley;forest;lake
music;song;concert;stage;curtain;audience;ticket;queue;seat;programme;choir;rehearsal;instrument;melody;film;screen;camera""")
