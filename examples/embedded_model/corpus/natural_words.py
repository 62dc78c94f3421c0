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
Delia;Marcus;Vince;Gloria;Roberta;Hector;Ramona;Dwight;Loretta;Earl;Mavis;Otis;Selma;Dexter;Wilma;Irving;Norma
Aada;Eero;Eino;Veikko;Kaisa;Päivi;Jukka;Seppo;Tuomas;Sanna;Outi;Heikki;Pekka;Riikka;Annika;Birgitta;Gunnar;Göran;Håkan
Ingela;Kerstin;Lennart;Mårten;Pernilla;Rolf;Stig;Torbjörn;Ulla;Viggo;Ylva;Åke;Örjan;Ebba;Alva;Tuva;Linnéa;Agneta;Bosse
Sixten;Vidar;Anders;Bodil;Dorthe;Flemming;Hanne;Inger;Jesper;Kirsten;Lone;Mads;Mette;Morten;Niels;Preben;Rikke;Svend
Thorkild;Ulrik;Vibeke;Asger;Frida;Signe;Magnus;Henrik;Bente;Eirik;Geir;Gro;Håvard;Jorunn;Kjell;Kjersti;Leif;Marit
Ragnhild;Sindre;Solveig;Terje;Trond;Turid;Unni;Bjørn;Guðrún;Sigurður;Þóra;Jökull;Hildur;Ragnar;Halldóra;Einar;Kalju
Liisa;Toomas;Kersti;Andris;Ilze;Jānis;Kārlis;Līga;Māris;Aušra;Gintaras;Jūratė;Kęstutis;Rūta;Vytautas;Agata;Aleksandra
Andrzej;Beata;Bogdan;Bożena;Celina;Danuta;Elżbieta;Ewa;Franciszek;Grzegorz;Halina;Henryk;Iwona;Jacek;Jadwiga;Jarosław
Jerzy;Józef;Katarzyna;Krystyna;Krzysztof;Leszek;Maciej;Marek;Mateusz;Michał;Mikołaj;Paweł;Rafał;Sławomir;Stanisław
Szymon;Urszula;Weronika;Wiesław;Zbigniew;Zofia;Żaneta;Alžběta;Bohumil;Božena;Bronislav;Dana;Dušan;František;Hynek
Jaroslav;Jitka;Kateřina;Libuše;Ludmila;Lukáš;Markéta;Miloš;Miroslav;Ondřej;Otakar;Petra;Radek;Růžena;Stanislava;Štěpán
Tereza;Tomáš;Václav;Věra;Vojtěch;Zdeněk;Ľubica;Ľudovít;Katarína;Marián;Peter;Zuzka;Andrea;Attila;Balázs;Béla;Boglárka
Csaba;Dóra;Enikő;Erzsébet;Ferenc;Gergely;Györgyi;Ildikó;Imre;István;János;Judit;Katalin;Kristóf;Lajos;Mátyás;Nóra
Orsolya;Péter;Piroska;Réka;Sándor;Szilvia;Tamás;Tünde;Zoltán;Zsuzsanna;Adrian;Alexandru;Anca;Bogdana;Călin;Cătălina
Constantin;Cristian;Doina;Dragoș;Florin;Gheorghe;Horia;Ileana;Ion;Lavinia;Liviu;Luminița;Mădălina;Mihai;Octavian;Răzvan
Roxana;Simona;Sorin;Ștefania;Traian;Viorica;Aleksandar;Ana;Biljana;Boris;Branka;Dejan;Đorđe;Dubravka;Duško;Gordana
Hrvoje;Igor;Jasmina;Jelena;Katja;Ljiljana;Maja;Marijana;Matjaž;Mirko;Mladen;Nataša;Nenad;Petar;Predrag;Saša;Slavica
Slobodan;Snežana;Stjepan;Tanja;Tihomir;Vesna;Višnja;Vuk;Zlatko;Zoran;Živa;Bojan;Borislav;Desislava;Dimitar;Georgi
Ivaylo;Kalina;Krasimir;Nevena;Plamen;Radostina;Stoyan;Tsvetan;Yordan;Arben;Besa;Drita;Fatmir;Ilir;Teuta;Andreas
Anastasia;Antonis;Aris;Athina;Charalambos;Christos;Dimitra;Evangelos;Fotini;Ilias;Ioanna;Kalliopi;Konstantinos;Kyriaki
Lefteris;Manolis;Panagiotis;Paraskevi;Sofoklis;Spyros;Stavroula;Thanasis;Vasiliki;Yannis;Ahmet;Aslı;Aydın;Barış;Berna
Cem;Ceren;Deniz;Derya;Ebru;Efe;Engin;Erdal;Fatih;Filiz;Gökhan;Gülay;Gülşen;Hakan;Halil;Hülya;İbrahim;İlknur;İpek;Kemal
Levent;Mehmet;Melis;Merve;Murat;Necla;Nilüfer;Onur;Orhan;Osman;Pınar;Selin;Serkan;Sevgi;Sibel;Tolga;Tuğba;Uğur;Volkan
Yeşim;Zeynep;Adelheid;Albrecht;Alexandra;Alois;Anke;Annegret;Antje;Arndt;Axel;Bärbel;Beate;Bernd;Bertram;Burkhard
Christa;Christoph;Cornelia;Dagmar;Detlef;Dieter;Dietmar;Dörte;Eberhard;Eckhard;Edeltraud;Elfriede;Elke;Erwin;Eva-Maria
Frauke;Friedrich;Gerd;Gerhard;Gerlinde;Gisela;Gottfried;Gudrun;Guido;Hannelore;Harald;Hartmut;Hedwig;Heidrun;Heinz
Helmut;Henning;Hermann;Hildegard;Holger;Horst;Ilse;Imke;Ingeborg;Ingo;Irmgard;Jochen;Joachim;Jörg;Jutta;Karl-Heinz
Karsten;Klaus;Knut;Konrad;Kornelia;Kurt;Lieselotte;Lothar;Lutz;Magdalena;Manfred;Margarete;Marlene;Meike;Monika;Norbert
Otto;Rainer;Reinhard;Renate;Rosemarie;Rosi;Roswitha;Sebastian;Siegfried;Silke;Steffen;Susanne;Swantje;Theresia;Thorsten
Tilman;Traudl;Ulf;Ursula;Verena;Veronika;Volker;Walburga;Waltraud;Werner;Wiebke;Wilfried;Wolfgang;Xaver;Urs;Reto;Beat
Regula;Vreni;Ueli;Jürg;Rösli;Franziska;Gian;Flurin;Ladina;Seraina;Köbi;Adèle;Agnès;Alexis;Amélie;André;Armelle;Arnaud
Aymeric;Baptiste;Bastien;Bénédicte;Bérengère;Blandine;Brigitte;Capucine;Céline;Chantal;Clémence;Clément;Clotilde
Colette;Corentin;Damien;Delphine;Édouard;Éliane;Élodie;Éloïse;Émile;Émilie;Emmanuelle;Estelle;Étienne;Fabrice;Fanny
Florence;Frédéric;Gaël;Gaëlle;Geneviève;Gérard;Ghislaine;Gilles;Grégoire;Guillaume;Guy;Hervé;Honoré;Hortense;Inès
Isabelle;Jacqueline;Jacques;Jean-Baptiste;Jean-Paul;Jérémie;Jérôme;Joël;Joséphine;Julien;Juliette;Léa;Léon;Lucie
Ludovic;Manon;Marcel;Margaux;Marie-Hélène;Mathilde;Maxime;Mélanie;Mireille;Monique;Muriel;Mylène;Nathalie;Nicolas
Océane;Odile;Olivier;Pascale;Patrice;Philippe;Quentin;Raphaël;Régis;Rémi;Rémy;Romain;Sébastien;Ségolène;Sidonie;Solange
Stéphanie;Sylvain;Sylvie;Tanguy;Thibault;Timothée;Valérie;Véronique;Vincent;Violette;Virginie;Xavier;Yannick;Yves
Yvonne;Anouk;Anneke;Bart;Bram;Carlijn;Cees;Dirk;Femke;Floor;Geert;Gerrit;Hendrik;Jeroen;Joost;Joris;Katrien;Koen;Lieke
Lotte;Maarten;Maaike;Marieke;Merel;Mieke;Niek;Pieter;Roos;Ruben;Sander;Sanne;Saskia;Sjoerd;Stijn;Thijs;Tineke;Veerle
Wim;Wouter;Xander;Adriana;Alba;Alejandro;Álvaro;Amparo;Ángel;Antonio;Araceli;Asunción;Aurora;Beatriz;Belén;César
Concepción;Consuelo;Cristina;Dolores;Eduardo;Encarnación;Enrique;Esperanza;Esteban;Fernando;Francisco;Gonzalo;Guadalupe
Gustavo;Héctor;Hernán;Ignacio;Iker;Jaime;Jesús;Jimena;Jordi;Jorge;Josefa;Juan;Julián;Leire;Lourdes;Lucía;Luis;Macarena
Maite;Manuel;Marcelo;Marisol;Martín;Mercedes;Miguel;Montserrat;Nerea;Núria;Óscar;Paloma;Pedro;Pilar;Quim;Ramón;Ricardo
Rocío;Rodrigo;Rosario;Salvador;Santiago;Sergi;Soledad;Susana;Tomás;Trinidad;Verónica;Vicente;Ximena;Xoán;Yolanda;Afonso
António;Armando;Augusto;Bárbara;Caetano;Catarina;Célia;Débora;Domingos;Duarte;Estêvão;Filipa;Gonçalo;Graça;Guilherme
Heitor;Henrique;Iara;Joana;Júlia;Leonor;Letícia;Lourenço;Luís;Luísa;Mafalda;Manuela;Mário;Natália;Otávio;Rita;Rui
Sérgio;Simão;Telma;Teresinha;Thiago;Vasco;Vinícius;Zé;Alessandra;Alessandro;Annalisa;Arianna;Beppe;Bruna;Caterina
Cecilia;Cesare;Claudio;Cosimo;Davide;Domenico;Donatella;Edoardo;Elisabetta;Emanuele;Enzo;Fabrizio;Federica;Filippo
Fiorella;Flavio;Franca;Gaetano;Giacomo;Gianluca;Ginevra;Giorgia;Giovanni;Giulia;Giuseppe;Ilaria;Ivano;Lidia;Loredana
Luigi;Maddalena;Massimo;Michela;Nicolò;Ornella;Ottavia;Paolo;Pasquale;Raffaella;Riccardo;Rosalia;Salvatore;Serena
Silvano;Stefano;Tiziana;Ugo;Umberto;Vincenzo;Vittoria;Aoife;Áine;Bríd;Cathal;Ciarán;Clodagh;Colm;Conor;Deirdre;Dónal
Éamon;Eimear;Fergus;Fionn;Gearóid;Liam;Mairéad;Maeve;Muireann;Nollaig;Oisín;Pádraig;Róisín;Sinéad;Sorcha;Tadhg;Úna
Angus;Ailsa;Callum;Catriona;Dougal;Eilidh;Euan;Finlay;Gregor;Iain;Isla;Kirsty;Lachlan;Mhairi;Rhona;Ruaridh;Shona;Aled
Angharad;Bethan;Carys;Dafydd;Dilys;Eleri;Emrys;Ffion;Gareth;Gethin;Gwyneth;Huw;Idris;Iestyn;Llinos;Megan;Nerys;Sioned
Tegan;Adela;Agatha;Albie;Alfie;Alistair;Alma;Amber;Archie;Arthur;Ashton;Aubrey;Audrey;Barnaby;Basil;Bea;Bella;Bernard
Bernice;Bert;Beverley;Blake;Brenda;Bridget;Bryony;Cameron;Carl;Carla;Cassandra;Cecil;Chester;Christine;Claire;Cleo
Clifford;Colin;Connie;Cora;Craig;Cressida;Curtis;Cynthia;Daisy;Daphne;Darcy;Darren;Dawn;Dean;Deborah;Denise;Derek
Desmond;Diana;Dominic;Doreen;Doris;Duncan;Dylan;Eileen;Elaine;Eleanor;Elijah;Eliza;Ellen;Elliot;Elsie;Enid;Ernest;Ethan
Eugene;Evelyn;Faith;Felicity;Flora;Frances;Freddie;Gavin;Gemma;Geoffrey;Georgina;Geraldine;Gideon;Gina;Glenda;Gordon
Graham;Gwen;Hazel;Hilary;Holly;Howard;Hugh;Imogen;Iris;Isaac;Jade;Jasper;Jeanette;Jemima;Jenny;Jessie;Jill;Joan;Jodie
Joel;Josie;Judith;June;Keith;Kelvin;Kerry;Kieran;Kim;Kirk;Laurence;Leo;Leonard;Leslie;Lester;Lila;Lillian;Logan
Lorraine;Lottie;Lucas;Lydia;Lynn;Malcolm;Mandy;Margaret;Marjorie;Martha;Mason;Maurice;Melissa;Melvin;Mildred;Milo
Miranda;Molly;Morgan;Myra;Myrtle;Nadine;Nancy;Neil;Nell;Nicola;Nigella;Noah;Noreen;Olive;Ollie;Opal;Oscar;Oswald;Pamela
Pauline;Pearl;Peggy;Penelope;Percy;Perry;Phoebe;Phyllis;Piers;Polly;Primrose;Rex;Rhoda;Roger;Roland;Ronald;Rosalind
Rosemary;Rowan;Rupert;Russell;Sadie;Sally;Samantha;Sandra;Seth;Shane;Sharon;Sheila;Shirley;Sidney;Simon;Sonia;Stella
Stuart;Sybil;Tabitha;Tamsin;Tanya;Tara;Tessa;Thelma;Theo;Tiffany;Tilly;Timothy;Tobias;Toby;Tony;Travis;Tristan;Verity
Vernon;Vera;Vivian;Wallace;Walter;Warren;Wayne;Wesley;Wilbur;Wilfred;Willa;Winifred;Zara;Zelda;Alisher;Anahit;Aram
Aziza;Bakhtiyar;Davit;Ketevan;Nino;Giorgi;Tamar;Lusine;Vahan;Gulnara;Rustam;Dilnoza;Timur;Aigerim;Yerlan;Anatoly;Galina
Gennady;Kirill;Ksenia;Larisa;Lyudmila;Maksim;Marina;Mykola;Nikita;Oksana;Oleg;Polina;Ruslan;Stanislav;Taras;Tatiana
Vadim;Valentin;Vasyl;Viktor;Yaroslava;Yevhen;Yulia;Zoya;Avi;Chaim;Dalia;Eitan;Gila;Hadas;Ilan;Liora;Moshe;Noa;Oded
Rivka;Shira;Tzipora;Uri;Yael;Yossi;Abdelkader;Abdullah;Adil;Ahlam;Anwar;Bilal;Dina;Driss;Fadi;Faisal;Ghada;Habib;Hamza
Hanan;Hicham;Hind;Houda;Ibtissam;Ismail;Jamal;Jihane;Khadija;Khaled;Latifa;Lubna;Mahmoud;Malika;Marwan;Mohamed;Mounir
Mustafa;Nabil;Naima;Najwa;Rachid;Rania;Rashid;Rim;Saad;Salma;Sami;Sanaa;Souad;Tarek;Wafa;Walid;Yasmina;Younes;Youssef
Zakaria;Zineb;Arash;Azadeh;Bahar;Behrouz;Darya;Golnaz;Hamid;Kaveh;Laleh;Mahsa;Maryam;Mehdi;Mina;Navid;Niloofar;Omid
Pouya;Ramin;Roya;Saeed;Shirin;Sina;Soraya;Yasaman;Achieng;Adebayo;Afua;Akosua;Akua;Amadou;Awa;Ayodele;Babajide;Baraka
Binta;Boubacar;Bukola;Chiamaka;Chinedu;Chioma;Djibril;Ebele;Efua;Ekow;Esi;Fanta;Fatoumata;Femi;Folasade;Funmilayo
Gakuru;Hadiza;Ibrahima;Ifeoma;Ikenna;Jabari;Juma;Kamau;Khadidiatou;Kgomotso;Khumbu;Kojo;Lindiwe;Makena;Mamadou;Mandla
Mariama;Mpho;Mulu;Naledi;Njeri;Nkosana;Nnamdi;Nomvula;Obinna;Olumide;Oumar;Ousmane;Rutendo;Seydou;Sibusiso;Simba;Tariro
Tembi;Thabo;Tigist;Uche;Wanjiru;Wangari;Yaa;Yared;Yewande;Zanele;Zodwa;Abhishek;Aditi;Ajay;Akash;Amit;Amrita;Anand;Anil
Anita;Anuradha;Aparna;Ashok;Bhavna;Chandra;Deepak;Deepika;Dinesh;Ganesh;Gauri;Gopal;Hari;Harpreet;Indira;Ishaan;Jaya
Jyoti;Kabir;Kamala;Karan;Kiran;Krishna;Lakshmi;Lalita;Madhav;Mahesh;Mandeep;Manoj;Mukesh;Naveen;Neha;Nikhil;Padma;Pooja
Prakash;Pranav;Radha;Rajesh;Rakesh;Ramesh;Rekha;Ritu;Sachin;Sameer;Sandhya;Sangeeta;Satish;Savita;Shankar;Shreya
Siddharth;Sneha;Sunil;Sunita;Swati;Tanvi;Uma;Usha;Varun;Vijay;Vinod;Vivek;Asif;Ayesha;Bushra;Danish;Fahad;Hina;Iqbal
Javed;Kashif;Mehwish;Nadeem;Naveed;Rabia;Rizwan;Saima;Salman;Sana;Shabnam;Shahid;Tahir;Usman;Zahra;Chaminda;Dilani
Kusum;Nimal;Sajith;Tharindu;Pemba;Tenzin;Dorji;An;Bao;Cuong;Dung;Giang;Hằng;Hiếu;Hương;Khánh;Lan;Long;Ngọc;Phúc;Phương
Tâm;Thảo;Trang;Tuấn;Việt;Yến;Anong;Chai;Kanya;Malee;Niran;Prasert;Siriporn;Sunan;Wanida;Adi;Ayu;Budi;Citra;Dewi;Eko
Fitri;Hendra;Indah;Joko;Made;Nyoman;Rini;Siti;Sri;Wayan;Yanti;Amihan;Dante;Jomar;Ligaya;Luzviminda;Rodel;Aung;Khin
Thida;Sokha;Bopha;Akiko;Akira;Asuka;Chiyo;Daichi;Daisuke;Eiji;Emi;Fumiko;Hana;Haruka;Hideo;Hitomi;Isamu;Junko;Kaori
Kazuo;Keiko;Kenta;Koji;Makoto;Mariko;Masako;Michiko;Mika;Misaki;Nobuko;Noriko;Reiko;Ren;Ryo;Sachiko;Satoshi;Shinji
Shiori;Shota;Sora;Tadashi;Takumi;Tomoko;Toshiro;Yoko;Yuji;Yumi;Yuto;Bohyun;Chaewon;Dongwook;Eunji;Hayoon;Hyunwoo
Jaehyun;Jihoon;Jiwon;Kyungsoo;Sangmin;Seojun;Sooyoung;Sunghee;Taeyang;Yeji;Youngmi;Bingwen;Chunhua;Daiyu;Fang;Guang
Haoran;Hongmei;Huiling;Jianguo;Jiayi;Jing;Junjie;Lanying;Lei;Liping;Meiling;Na;Peng;Qiang;Qing;Shan;Shufen;Siyu;Tao
Wenbo;Xiaoming;Xinyi;Yan;Yifan;Ying;Yong;Yuchen;Zhen;Zihan;Zixuan;Aroha;Hine;Kahu;Mere;Ngaio;Rangi;Tama;Tane;Wiremu
Kalani;Leilani;Malia;Moana;Sione;Tevita""")
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
Barlow;Cartwright;Dobson;Ellery;Fairfax;Goodwin;Hobbs;Ingram;Jessop;Kirkby;Lockwood;Mercer;Norwood;Osborne;Quigley;Radley
Aalto;Heikkinen;Heinonen;Järvinen;Karjalainen;Kinnunen;Koskinen;Laine;Lehtonen;Nieminen;Pitkänen;Räsänen;Saarinen
Salonen;Toivonen;Turunen;Väisänen;Ahlgren;Bengtsson;Bergqvist;Blomqvist;Carlsson;Dahlberg;Ekström;Engström;Eriksson
Forsberg;Fredriksson;Gustafsson;Hedlund;Hellström;Holmberg;Isaksson;Jönsson;Karlsson;Lindgren;Lindqvist;Löfgren
Lundgren;Mårtensson;Norén;Nyberg;Nyström;Öberg;Olofsson;Persson;Rönnbäck;Sandström;Sjögren;Söderberg;Strömberg
Sundqvist;Svensson;Wallin;Wikström;Aagaard;Andersen;Bech;Bjerregaard;Brandstrup;Christensen;Damgaard;Frandsen;Friis
Gundersen;Holm;Jacobsen;Jensen;Jørgensen;Kjær;Knudsen;Kristiansen;Lauritsen;Madsen;Mikkelsen;Mortensen;Møller;Nygaard
Overgaard;Pedersen;Poulsen;Rasmussen;Schou;Skov;Søndergaard;Thomsen;Vestergaard;Aasen;Bakke;Bakken;Berntsen;Dahl;Eide
Fjeld;Haugen;Hauge;Johnsen;Kvam;Lie;Lund;Moen;Myhre;Nordli;Rød;Ruud;Sandvik;Solberg;Strand;Tangen;Tveit;Vik;Ødegaard
Guðmundsson;Jónsdóttir;Magnússon;Sigurðardóttir;Þorsteinsson;Kask;Mägi;Tamm;Bērziņš;Kalniņš;Ozols;Kazlauskas;Petrauskas
Žukauskienė;Adamczyk;Baran;Chmielewski;Cieślak;Czarnecka;Duda;Dudek;Gajewski;Głowacki;Górski;Grabowska;Jabłoński
Jankowska;Jaworski;Kaczmarek;Kamiński;Kołodziej;Krawczyk;Król;Kubiak;Kucharska;Lewandowska;Malinowski;Maciejewska;Mazur
Michalak;Nowicki;Olszewska;Ostrowski;Pawlak;Pietrzak;Piotrowska;Rutkowski;Sadowska;Sawicki;Sikora;Sokołowski;Stępień
Szczepańska;Szymański;Tomaszewska;Urbańska;Walczak;Wieczorek;Wilk;Wójcik;Woźniak;Wróbel;Wysocka;Zalewski;Zawadzka
Zieliński;Ziółkowska;Żak;Bartoš;Beneš;Blažek;Bureš;Černá;Čermák;Dušek;Fiala;Hájek;Havlíček;Hrubá;Janda;Jelínková;Kadlec
Kolář;Konečná;Kratochvíl;Kříž;Kučera;Malá;Marešová;Mašek;Moravec;Musil;Nečas;Pokorná;Pospíšil;Procházka;Říha;Šťastný
Štěpánek;Svoboda;Tichá;Urbanová;Vaněk;Veselý;Vlček;Zeman;Baláž;Halaj;Kováčik;Lukáč;Oravec;Polák;Sloboda;Tóthová;Vargová
Balogh;Bíró;Bognár;Fekete;Farkas;Fodor;Gál;Hegedűs;Illés;Juhász;Király;Kiss;Kocsis;Lakatos;Lukács;Magyar;Mészáros
Molnár;Németh;Oláh;Orosz;Papp;Pintér;Rácz;Sipos;Szalai;Szűcs;Takács;Török;Vadász;Varga;Vass;Vörös;Albu;Bălan;Barbu
Cojocaru;Constantinescu;Diaconu;Dinu;Enache;Florea;Georgescu;Iancu;Lungu;Lupu;Marin;Mihăilescu;Moldovan;Munteanu;Neagu
Niculescu;Oprea;Pătrașcu;Pop;Preda;Rusu;Stănescu;Șerban;Toma;Țurcanu;Ursu;Vasilescu;Zamfir;Babić;Blažević;Božić
Đorđević;Filipović;Grgić;Ilić;Ivanović;Janković;Jurić;Knežević;Kos;Lazarević;Lončar;Lukić;Marković;Matić;Milošević
Mlakar;Nikolić;Novaković;Pavić;Perić;Popović;Potočnik;Radić;Savić;Simić;Stanković;Stojanović;Šimić;Tomić;Vidmar;Vuković
Zorić;Živković;Angelov;Dimitrova;Georgiev;Hristov;Ivanova;Kolev;Petkov;Stoyanova;Todorov;Vasilev;Berisha;Gashi;Hoxha
Krasniqi;Shehu;Alexopoulos;Anagnostou;Antoniou;Christodoulou;Dimopoulos;Economou;Ioannidis;Karagiannis;Katsaros;Kontos
Kyriakou;Lambrou;Makris;Nikolaidis;Oikonomou;Pappas;Samaras;Stavrou;Theodorou;Tsakiris;Vlachos;Xenakis;Acar;Aksoy
Arslan;Avcı;Aydın;Bozkurt;Çelik;Çetin;Doğan;Erdoğan;Güler;Güneş;Kaplan;Kara;Kılıç;Koç;Korkmaz;Kurt;Özdemir;Özkan;Polat
Şimşek;Taş;Tekin;Uçar;Uzun;Yalçın;Yıldırım;Yıldız;Abel;Ackermann;Albrecht;Arnold;Bader;Barth;Bauer;Baumann;Beck
Behrendt;Bender;Benz;Berger;Beyer;Binder;Bischof;Blum;Bode;Böttcher;Brand;Braun;Breuer;Brückner;Bucher;Busch;Büttner
Conrad;Decker;Dietrich;Döring;Dreyer;Ebert;Eckert;Ehlers;Eichhorn;Ernst;Esser;Fiedler;Fink;Förster;Franke;Freund;Fricke
Friedrich;Fritsch;Fröhlich;Fuchs;Funke;Gabriel;Gebhardt;Geiger;Gerlach;Göbel;Götz;Graf;Greiner;Grimm;Günther;Haas;Hagen
Hahn;Hamann;Hauser;Heck;Heine;Heinrich;Heller;Henkel;Hentschel;Herbst;Herrmann;Heß;Hildebrandt;Hirsch;Hofer;Hofmann
Holzer;Horn;Hübner;Jacobi;Jahn;Janssen;Jost;Kaufmann;Kern;Kirchner;Klein;Klug;Knapp;Koch;König;Kowalke;Kraft;Kramer
Krämer;Kraus;Krebs;Kreuzer;Kröger;Kunz;Kunze;Lang;Lange;Lehmann;Link;Löffler;Ludwig;Lutz;Maier;Marquardt;Maurer;Mayr
Meier;Meißner;Menzel;Merkel;Metzger;Michel;Mohr;Moser;Münch;Nagel;Naumann;Neubauer;Neumann;Nickel;Noack;Oberhuber;Opitz
Ott;Pabst;Paulsen;Petersen;Pohl;Preuß;Probst;Rau;Rauch;Reich;Reichelt;Reimann;Reinhardt;Renner;Reuter;Richter;Riedel
Ritter;Roth;Rothe;Rudolph;Rühl;Runge;Sander;Sauer;Schäfer;Schatz;Scherer;Schilling;Schlegel;Schlüter;Schmid;Schnabel
Scholz;Schramm;Schreiber;Schubert;Schulte;Schumann;Schuster;Schütz;Schwab;Schwarz;Seifert;Siebert;Simon;Singer;Stark
Staub;Steffen;Stein;Steinbach;Steiner;Stephan;Stock;Strauß;Thiel;Thiele;Timm;Trautmann;Uhlig;Ulrich;Unger;Urban;Vetter
Vogel;Voigt;Völker;Wahl;Walter;Weigel;Weiß;Wenzel;Werner;Wiese;Wild;Wimmer;Witt;Wolf;Wulff;Zander;Zimmer;Zimmermann
Zöller;Aeschlimann;Ammann;Bächtold;Bieri;Egli;Frei;Gerber;Hürlimann;Kälin;Lüthi;Nägeli;Odermatt;Rüegg;Schwyzer;Stucki
Wüthrich;Zgraggen;Zürcher;Allard;Arnaud;Aubry;Baron;Barre;Baudry;Bernard;Berthelot;Besson;Blanchet;Bonnet;Bouchard
Boulanger;Bourgeois;Bouvier;Breton;Brunet;Carpentier;Charpentier;Chauvin;Clément;Collet;Cordier;Coulon;Courtois;Daniel
Delattre;Delmas;Denis;Descamps;Deschamps;Dufour;Dumas;Dumont;Dupont;Dupuis;Durand;Duval;Étienne;Fabre;Faure;Ferrand
Fleury;Fournier;Gauthier;Gautier;Germain;Gilbert;Giraud;Gosselin;Grondin;Guérin;Guillot;Guyot;Hamel;Hébert;Henry;Hubert
Huet;Humbert;Jacquet;Joly;Julien;Lacroix;Lambert;Langlois;Laporte;Lebon;Leblanc;Leclerc;Lecomte;Legrand;Lemaire;Lemoine
Léger;Lévêque;Maillard;Mallet;Marchand;Maréchal;Marie;Marty;Masson;Mathieu;Ménard;Meunier;Millet;Monnier;Morel;Morin
Moulin;Noël;Olivier;Paris;Pasquier;Payet;Pelletier;Perret;Perrot;Petit;Picard;Pichon;Poirier;Poulain;Prévost;Prieur
Rémy;Renard;Renaud;Rey;Richard;Rivière;Robin;Roger;Rolland;Roussel;Roux;Royer;Sauvage;Schmitt;Simonet;Tanguy;Tessier
Thibault;Thierry;Tournier;Vasseur;Verdier;Vincent;Voisin;Weiss;Aerts;Claessens;De Backer;De Clercq;De Smet;Declercq
Desmet;Dubois-Van Hove;Goossens;Hermans;Jacobs;Janssens;Lambrecht;Maes;Mertens;Michiels;Peeters-Claes;Vandenberghe
Verhoeven;Wouters;Bos;Brouwer;Dekker;Dijkstra;Hendriks;Hoekstra;Hofman;Huisman;Jonker;Kok;Kuiper;Kuijpers;Meijer;Mulder
Post;Postma;Prins;Schouten;Smits;Timmermans;van Dam;van den Broek;van der Linden;van der Meer;van Dijk;van Leeuwen
Veenstra;Vermeulen;Vos;Willems;Zijlstra;Aguilar;Alonso;Álvarez;Aranda;Arias;Bautista;Benítez;Blanco;Bravo;Caballero
Cabrera;Calderón;Calvo;Campos;Cano;Carrasco;Castillo;Castro;Cifuentes;Córdoba;Correa;Crespo;Cruz;Cuesta;de la Fuente
de la Torre;Díaz;Echeverría;Escobar;Espinosa;Esteban;Etxebarria;Fernández;Ferrer;Figueroa;Gallardo;Gallego;Gil;Giménez
Gómez;Guerrero;Gutiérrez;Herrera;Hidalgo;Iglesias;Jiménez;Juárez;León;Llorente;Lozano;Maldonado;Manzano;Marín;Márquez
Medina;Méndez;Mendoza;Molina;Montero;Montoya;Mora;Morales;Moreno;Moya;Navarro;Nieto;Ochoa;Olivares;Ortega;Ortiz;Otero
Pacheco;Palacios;Parra;Pascual;Prieto;Quintana;Ramos;Redondo;Reyes;Ríos;Rojas;Rubio;Ruiz;Sáez;Salazar;Santana;Santiago
Saavedra;Soler;Soto;Suárez;Trujillo;Urrutia;Valdés;Vargas;Vázquez;Vega;Velasco;Vera;Vicente;Villanueva;Zamora;Zapata
Abreu;Antunes;Azevedo;Barbosa;Barros;Batista;Borges;Brandão;Brito;Cardoso;Carneiro;Carvalho;Coelho;Correia;Cunha
Esteves;Faria;Fernandes;Figueiredo;Fonseca;Freitas;Gonçalves;Guimarães;Henriques;Leal;Leite;Lima;Lopes;Macedo;Machado
Marques;Matos;Meireles;Melo;Mendes;Miranda;Monteiro;Moreira;Moura;Neves;Nogueira;Pinheiro;Pinto;Pires;Queirós;Ramalho
Rebelo;Ribeiro;Rocha;Salgado;Sampaio;Sequeira;Soares;Sousa;Tavares;Teixeira;Vasconcelos;Vaz;Vieira;Xavier;Amato
Barbieri;Basile;Battaglia;Benedetti;Bernardi;Bruno;Caputo;Carbone;Caruso;Cattaneo;Colombo;Conte;Conti;Coppola;D'Amico
D'Angelo;De Angelis;De Rosa;De Santis;Di Marco;Fabbri;Farina;Ferrara;Ferri;Fiore;Gallo;Gatti;Gentile;Giordano;Giuliani
Grassi;Greco;Guerra;Leone;Lombardi;Longo;Mancini;Mariani;Marini;Marino;Martinelli;Martini;Mazza;Messina;Monti;Moretti
Morelli;Negri;Orlando;Pagano;Palmieri;Palumbo;Parisi;Pellegrini;Piras;Poletti;Riva;Rizzi;Rizzo;Rossetti;Ruggiero;Sala
Sanna;Santoro;Sartori;Serra;Silvestri;Sorrentino;Testa;Valentini;Villa;Vitale;Zanetti;Ó Ceallaigh;Ní Mhurchú;O'Driscoll
O'Leary;O'Mahony;O'Neill;O'Reilly;O'Sullivan;Brennan;Burke;Byrne;Cahill;Collins;Connolly;Daly;Doherty;Doyle;Duffy;Dunne
Farrell;Fitzgerald;Flaherty;Flynn;Foley;Gallagher;Hennessy;Higgins;Hogan;Kavanagh;Keane;Kearney;Kinsella;Lynch;Maguire
McCarthy;McDermott;McGrath;McKenna;Molloy;Mooney;Moran;Mulligan;Nolan;Power;Quinlan;Redmond;Regan;Ryan;Sheehan;Tierney
Tobin;Whelan;Buchanan;Cameron;Chisholm;Cunningham;Drummond;Erskine;Farquharson;Ferguson;Galbraith;Gillespie;Guthrie
Haldane;Innes;Kerr;Kinnaird;Lockhart;Macaulay;MacBride;MacFarlane;MacGregor;MacKay;MacKenzie;MacKinnon;MacLean;MacNeil
Maitland;McIntosh;McIntyre;McLaren;McPherson;Moncrieff;Muir;Munro;Ogilvie;Paterson;Rankine;Sinclair;Strachan;Sutherland
Urquhart;Wallace;Bevan;Bowen;Cadwallader;Davies;Evans;Gethin;Griffiths;Gwynne;Howell;Jenkins;Lloyd;Meredith;Morgan
Parry;Powell;Probert;Pugh;Rees;Tudor;Vaughan;Ackroyd;Addison;Aldridge;Appleby;Archer;Armitage;Atkinson;Bagshaw
Bainbridge;Balfour;Barclay;Barker;Barnett;Bartlett;Bateman;Baxter;Beaumont;Beckett;Bellamy;Benson;Beresford;Birch
Blackwell;Blake;Bolton;Bowman;Bradford;Bradshaw;Braithwaite;Briggs;Broughton;Buckley;Burgess;Burrows;Butler;Butterworth
Byron;Caldwell;Carver;Chadwick;Chambers;Chandler;Chapman;Charlton;Clayton;Clifton;Cobb;Colbert;Connell;Cooper;Copeland
Cornwell;Crawford;Crompton;Croft;Crowther;Curtis;Darby;Davenport;Dawson;Denham;Dickens;Dixon;Draper;Dudley;Eastwood
Eaton;Eldridge;Elliott;Ellison;Emerson;Everett;Fallon;Faulkner;Fenwick;Fielding;Firth;Fletcher;Forsyth;Fowler;Fox
Franklin;Freeman;Fuller;Gibbons;Gibson;Gilmore;Glover;Goddard;Graves;Greenwood;Gregson;Grove;Hadley;Haines;Halliwell
Hammond;Hancock;Harding;Hardwick;Harper;Harrison;Hartley;Harvey;Hastings;Hawkins;Hawthorne;Hayes;Haywood;Heath
Henderson;Herbert;Hewitt;Hinton;Hobson;Hodge;Holbrook;Holden;Holloway;Hopkins;Houghton;Howard;Hudson;Humphrey;Hurst
Hutton;Iverson;Jarvis;Jeffries;Kemp;Kendrick;Kenyon;Kershaw;Kingsley;Kipling;Knowles;Lancaster;Langley;Latimer;Lawrence
Lawson;Leighton;Lennox;Linden;Livingstone;Longfellow;Lovell;Lucas;Lyons;Manning;Marchant;Marsden;Marshall;Mason;Mather
Maxwell;Mayfield;Merritt;Middleton;Milburn;Milner;Montague;Mortimer;Myers;Naylor;Neville;Newton;Nightingale;Norris
Norton;Oakley;Ogden;Oldfield;Orchard;Ormond;Padgett;Palmer;Parker;Parsons;Payne;Pearce;Pendleton;Perkins;Pickering
Plummer;Poole;Porter;Potter;Preston;Proctor;Radcliffe;Ramsay;Randall;Rawlins;Rayner;Reeves;Reid;Rhodes;Richardson
Ridley;Riley;Rollins;Roper;Roscoe;Royle;Rushton;Russell;Salter;Sanders;Saunders;Sawyer;Seymour;Sharpe;Shaw;Shelton
Shepherd;Sherwood;Simmons;Skinner;Slater;Snell;Southwell;Spencer;Stafford;Stanley;Stanton;Stokes;Stratford;Sutton;Sykes
Tanner;Tattersall;Tempest;Thatcher;Thorne;Thornton;Thorpe;Thurston;Tilley;Townsend;Travers;Turner;Tyson;Underwood;Upton
Vernon;Wainwright;Wakefield;Walton;Warburton;Ward;Warner;Waterhouse;Watkins;Watson;Weaver;Wells;Wentworth;Westbrook
Wheeler;Whitehead;Whittaker;Wilde;Wilkins;Willoughby;Winfield;Winslow;Wolfe;Woodard;Woodward;Woolley;Worthington;Wyatt
Yardley;Yates;Abbasi;Abdallah;Abdi;Achebe;Adeleke;Afolabi;Agyeman;Akintola;Amoah;Ansah;Appiah;Ba;Balogun;Bello;Camara
Chanda;Chikwanha;Cissé;Coulibaly;Dembélé;Diop;Ekwueme;Eze;Fofana;Gebre;Githinji;Ibrahim;Jallow;Kamara;Kariuki;Keïta
Khumalo;Kimani;Konaté;Mabaso;Mahlangu;Mbeki;Mthembu;Mutua;Naidoo;Ndiaye;Ngcobo;Njoroge;Nkosi;Ochieng;Odhiambo;Ogunleye
Okeke;Onyango;Owusu;Sesay;Sithole;Sow;Tadesse;Touré;Tshabalala;Wambui;Yeboah;Zulu;Abboud;Al-Hassan;Al-Masri;Aziz;Bakri
Barakat;Ben Salah;Ben Youssef;Bouazizi;Boukhari;Chaoui;Cherif;Darwish;El Fassi;El Idrissi;Farouk;Ghanem;Hakimi;Hamdan
Idrissi;Jaber;Kassab;Lahlou;Mahfouz;Najjar;Nasser;Rahman;Saidi;Salem;Shaheen;Tazi;Zaidi;Ahmadi;Akbari;Azizi;Farahani
Ghorbani;Jafari;Karimi;Moradi;Najafi;Rezaei;Sadeghi;Tehrani;Abramov;Belova;Bondarenko;Fedorov;Kovalenko;Kozlov
Kravchenko;Lysenko;Melnyk;Morozova;Orlova;Pavlenko;Petrenko;Popova;Shevchenko;Smirnov;Sokolov;Tkachenko;Vasiliev
Zaitseva;Abashidze;Beridze;Kapanadze;Avetisyan;Hakobyan;Petrosyan;Sargsyan;Karimov;Nazarov;Rakhimov;Tulegenova;Avraham
Ben-David;Biton;Dayan;Friedman;Goldberg;Mizrahi;Peretz;Shapiro;Weinstein;Agarwal;Bajwa;Banerjee;Bhatia;Bose;Chakraborty
Chandrasekar;Chopra;Das;Deshpande;Dhillon;Dutta;Ganguly;Gill;Hegde;Jain;Jha;Joshi;Kapoor;Kaur;Kulkarni;Mahajan;Malhotra
Mehta;Mishra;Mukherjee;Murthy;Naik;Pandey;Pillai;Prasad;Raghavan;Rajan;Ramaswamy;Rao;Rathore;Saxena;Sethi;Shetty;Shukla
Sinha;Srinivasan;Subramanian;Thakur;Trivedi;Varma;Venkatesh;Verma;Yadav;Akhtar;Ansari;Baig;Bhatti;Butt;Farooqi;Gilani
Hashmi;Javed;Malik;Mirza;Qureshi;Raza;Sheikh;Bandara;Fernando;Gunawardena;Jayawardena;Rajapaksa;Silva-Perera;Gurung
Shrestha;Tamang;Thapa;Bùi;Đặng;Đỗ;Dương;Hoàng;Huỳnh;Lê;Ngô;Phạm;Phan;Võ;Vũ;Chaiyasit;Jaidee;Rattanakul;Saetang
Thongchai;Wongsakul;Halim;Hidayat;Kusuma;Lestari;Nugroho;Pratama;Rahmawati;Saputra;Setiawan;Siregar;Susanto;Utami
Abdullah;Bin Ismail;Aquino;Dela Cruz;Evangelista;Macaraeg;Magsaysay;Pangilinan;Soriano;Abe;Aoki;Arai;Endo;Fujita;Goto
Hasegawa;Hashimoto;Hayashi;Honda;Iida;Imai;Ishikawa;Itō;Iwasaki;Kaneko;Kato;Kikuchi;Kimura;Kondo;Maeda;Matsumoto
Miyazaki;Mori;Murakami;Nakagawa;Nakajima;Nakamura;Nishimura;Noguchi;Ogawa;Okada;Ono;Ota;Saito;Sakai;Sasaki;Sato;Shibata
Shimizu;Sugiyama;Takagi;Takahashi;Takeda;Ueda;Uchida;Wada;Yamada;Yamashita;Yoshida;Ahn;Bae;Baek;Chang;Gwak;Han;Heo;Hong
Hwang;Jang;Jeon;Jeong;Kang;Kwon;Lim;Moon;Nam;Noh;Oh;Ryu;Seo;Shin;Song;Yang;Yoo;Cai;Cao;Chu;Cui;Deng;Ding;Dong;Du;Fan
Feng;Fu;Gao;Gong;Gu;Guo;He;Hou;Hu;Jiang;Jin;Kong;Lai;Liang;Liao;Lu;Luo;Ma;Meng;Pan;Peng;Qian;Qiu;Ren;Shao;Shen;Shi;Su
Sun;Tan;Tang;Tian;Wei;Wen;Wu;Xia;Xiao;Xie;Xu;Xue;Yan;Yao;Ye;Yin;Yu;Yuan;Zeng;Zheng;Zhong;Zhou;Zhu""")
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
São Paulo;Puebla;Mérida;Querétaro
Aalesund;Bodø;Drammen;Fredrikstad;Hamar;Harstad;Kristiansand;Lillehammer;Molde;Narvik;Sandefjord;Skien;Stavanger
Trondheim;Ålesund;Esbjerg;Fredericia;Helsingør;Herning;Hjørring;Holstebro;Horsens;Køge;Kolding;Næstved;Nyborg;Odense
Randers;Ribe;Roskilde;Silkeborg;Skagen;Svendborg;Sønderborg;Vejle;Viborg;Borås;Eskilstuna;Falun;Gävle;Halmstad
Helsingborg;Jönköping;Kalmar;Karlskrona;Karlstad;Kiruna;Linköping;Luleå;Lund;Norrköping;Örebro;Östersund;Skövde
Sundsvall;Umeå;Uppsala;Varberg;Västerås;Växjö;Visby;Ystad;Espoo;Hämeenlinna;Joensuu;Kajaani;Kemi;Kotka;Kuopio;Lahti
Lappeenranta;Mikkeli;Oulu;Pori;Porvoo;Rauma;Rovaniemi;Seinäjoki;Tampere;Turku;Vaasa;Akureyri;Húsavík;Ísafjörður;Selfoss
Tórshavn;Haapsalu;Narva;Pärnu;Rakvere;Tallinn;Tartu;Viljandi;Cēsis;Daugavpils;Jelgava;Jūrmala;Liepāja;Riga;Ventspils
Kaunas;Klaipėda;Panevėžys;Šiauliai;Trakai;Vilnius;Białystok;Bielsko-Biała;Bydgoszcz;Chełm;Cieszyn;Częstochowa;Elbląg
Gdańsk;Gliwice;Gniezno;Jelenia Góra;Katowice;Kielce;Kołobrzeg;Koszalin;Legnica;Lublin;Nowy Sącz;Olsztyn;Opole;Płock
Przemyśl;Radom;Rzeszów;Sandomierz;Słupsk;Sopot;Szczecin;Tarnów;Toruń;Wałbrzych;Zakopane;Zamość;Zielona Góra
Hradec Králové;Jihlava;Karlovy Vary;Kutná Hora;Liberec;Mariánské Lázně;Olomouc;Opava;Ostrava;Pardubice;Tábor;Telč
Ústí nad Labem;Zlín;Znojmo;Banská Bystrica;Bratislava;Levoča;Nitra;Poprad;Prešov;Trenčín;Trnava;Žilina;Debrecen;Eger
Esztergom;Gyöngyös;Kaposvár;Kecskemét;Keszthely;Miskolc;Nyíregyháza;Sopron;Székesfehérvár;Szeged;Szentendre;Szolnok
Szombathely;Tata;Tihany;Veszprém;Zalaegerszeg;Alba Iulia;Arad;Bacău;Baia Mare;Brașov;Buzău;Constanța;Craiova;Galați
Iași;Oradea;Piatra Neamț;Pitești;Ploiești;Râmnicu Vâlcea;Sibiu;Sighișoara;Suceava;Târgu Mureș;Tulcea;Burgas;Plovdiv
Ruse;Sofia;Varna;Veliko Tarnovo;Banja Luka;Bar;Bitola;Čačak;Celje;Dubrovnik;Kotor;Kragujevac;Kranj;Maribor;Mostar
Novi Sad;Ohrid;Osijek;Piran;Podgorica;Prizren;Ptuj;Pula;Rijeka;Rovinj;Sarajevo;Šibenik;Skopje;Split;Subotica;Tirana
Tuzla;Varaždin;Zadar;Chania;Corfu;Heraklion;Ioannina;Kalamata;Kavala;Larissa;Nafplio;Patras;Rhodes;Volos;Adana;Antalya
Bodrum;Bursa;Çanakkale;Diyarbakır;Edirne;Eskişehir;Gaziantep;Iğdır;İzmit;Kayseri;Konya;Mersin;Muğla;Samsun;Şanlıurfa
Trabzon;Aachen;Amberg;Ansbach;Aschaffenburg;Bad Homburg;Bad Tölz;Baden-Baden;Bamberg;Bautzen;Bayreuth;Bochum;Bottrop
Brandenburg an der Havel;Braunschweig;Bremen;Bremerhaven;Celle;Chemnitz;Coburg;Cottbus;Cuxhaven;Darmstadt;Dessau
Detmold;Dortmund;Duisburg;Eisenach;Emden;Erlangen;Essen;Esslingen;Flensburg;Freiburg;Freising;Fulda;Fürth;Garmisch
Gelsenkirchen;Gera;Gießen;Görlitz;Goslar;Gotha;Greifswald;Gütersloh;Hagen;Halle;Hameln;Hamm;Hanau;Hannover;Heidelberg
Heilbronn;Herford;Hildesheim;Hof;Husum;Ingolstadt;Iserlohn;Itzehoe;Kaiserslautern;Karlsruhe;Kempten;Kleve;Koblenz
Konstanz;Krefeld;Landshut;Leer;Leverkusen;Lindau;Lörrach;Ludwigsburg;Lüneburg;Magdeburg;Mannheim;Marburg;Meißen
Memmingen;Minden;Mönchengladbach;Mülheim;Neubrandenburg;Neuss;Norderney;Nordhausen;Offenbach;Offenburg;Oldenburg
Osnabrück;Paderborn;Pforzheim;Pirna;Plauen;Potsdam;Ravensburg;Regensburg;Remscheid;Reutlingen;Rosenheim;Saarbrücken
Salzgitter;Schleswig;Schwäbisch Hall;Schweinfurt;Schwerin;Siegen;Soest;Solingen;Speyer;Stade;Stralsund;Straubing
Stuttgart;Suhl;Trier;Tuttlingen;Uelzen;Villingen;Weiden;Weimar;Wetzlar;Wiesbaden;Wilhelmshaven;Wismar;Wittenberg
Wolfsburg;Worms;Wuppertal;Xanten;Zittau;Zwickau;Bregenz;Bludenz;Dornbirn;Eisenstadt;Feldkirch;Hallein;Klagenfurt;Krems
Kufstein;Leoben;Lienz;Sankt Pölten;Steyr;Villach;Wels;Wiener Neustadt;Aarau;Arosa;Biel;Brig;Bulle;Davos;Frauenfeld
Glarus;Interlaken;La Chaux-de-Fonds;Lausanne;Locarno;Lugano;Martigny;Montreux;Neuchâtel;Olten;Rapperswil;Schaffhausen
Solothurn;St. Gallen;Thun;Vevey;Yverdon;Zug;Agen;Ajaccio;Albi;Amiens;Angoulême;Annecy;Antibes;Arles;Arras;Auch;Aurillac
Auxerre;Avignon;Bastia;Bayonne;Beaune;Beauvais;Belfort;Bergerac;Béziers;Biarritz;Blois;Boulogne-sur-Mer;Bourg-en-Bresse
Bourges;Brest;Caen;Cahors;Calais;Cannes;Carcassonne;Carcès;Cassis;Chalon-sur-Saône;Chambéry;Chartres;Cherbourg
Clermont-Ferrand;Cognac;Colmar;Compiègne;Concarneau;Dax;Dieppe;Digne;Dinan;Dole;Douai;Draguignan;Dunkerque;Épernay
Épinal;Évreux;Foix;Fontainebleau;Fréjus;Gap;Grenoble;Guéret;Guingamp;Honfleur;La Baule;La Rochelle;Laon;Laval;Le Havre
Le Puy-en-Velay;Libourne;Limoges;Lons-le-Saunier;Lorient;Lourdes;Mâcon;Marseille;Mende;Menton;Metz;Millau;Montauban
Montbéliard;Montélimar;Montluçon;Montpellier;Morlaix;Mulhouse;Nancy;Narbonne;Nevers;Nice;Niort;Orange;Périgueux
Perpignan;Poitiers;Pontarlier;Pornic;Privas;Quiberon;Roanne;Rodez;Roubaix;Rouen;Saint-Brieuc;Saint-Malo;Saint-Nazaire
Saint-Quentin;Saintes;Sarlat;Saumur;Sedan;Sens;Sète;Soissons;Tarbes;Thionville;Thonon-les-Bains;Toulon;Toulouse;Tours
Troyes;Tulle;Valence;Valenciennes;Vannes;Verdun;Versailles;Vesoul;Vichy;Vienne;Villefranche;Vitré;Aalst;Arlon;Bastogne
Brugge;Charleroi;Dinant;Eupen;Genk;Hasselt;Knokke;Kortrijk;La Louvière;Leuze;Mons;Oostende;Roeselare;Spa;Tournai
Turnhout;Verviers;Wavre;Ypres;Esch-sur-Alzette;Alkmaar;Almere;Amersfoort;Apeldoorn;Arnhem;Assen;Breda;Delft;Den Bosch
Den Haag;Deventer;Dordrecht;Enschede;Gouda;Heerlen;Hilversum;Hoorn;Leeuwarden;Leiden;Lelystad;Maastricht;Middelburg
Nijmegen;Roermond;Tilburg;Venlo;Zaandam;Zutphen;Zwolle;Albacete;Alcalá de Henares;Algeciras;Alicante;Almería;Ávila
Badajoz;Badalona;Benidorm;Bilbao;Burgos;Cáceres;Cartagena;Castellón;Ciudad Real;Cuenca;Donostia;Elche;Figueres;Gijón
Girona;Granada;Guadalajara;Huelva;Huesca;Ibiza;Jaén;Jerez;Las Palmas;León;Lleida;Logroño;Lugo;Marbella;Murcia;Ourense
Oviedo;Palencia;Palma;Pamplona;Ponferrada;Pontevedra;Ronda;Sabadell;Salamanca;Santander;Segovia;Sitges;Soria;Tarragona
Teruel;Valladolid;Vic;Vigo;Vitoria;Zamora;Zaragoza;Albufeira;Aveiro;Barcelos;Beja;Bragança;Cascais;Chaves;Covilhã;Elvas
Espinho;Faro;Figueira da Foz;Funchal;Guarda;Guimarães;Lagos de Algarve;Leiria;Óbidos;Olhão;Ponta Delgada;Portalegre
Portimão;Póvoa de Varzim;Santarém;Setúbal;Sines;Sintra;Tavira;Tomar;Viana do Castelo;Vila Real;Viseu;Agrigento
Alessandria;Ancona;Aosta;Arezzo;Assisi;Asti;Bari;Benevento;Bergamo;Biella;Bolzano;Brescia;Brindisi;Cagliari;Caserta
Catania;Catanzaro;Como;Cosenza;Cremona;Cuneo;Faenza;Ferrara;Firenze;Foggia;Forlì;Genova;Gorizia;Grosseto;Imola;L'Aquila
La Spezia;Livorno;Lucca;Mantova;Matera;Merano;Messina;Modena;Monza;Novara;Olbia;Otranto;Palermo;Parma;Pavia;Perugia
Pesaro;Pescara;Piacenza;Pisa;Pistoia;Potenza;Prato;Ragusa;Ravenna;Rimini;Rovereto;Salerno;Sanremo;Sassari;Savona
Siracusa;Sondrio;Spoleto;Taranto;Terni;Trapani;Trento;Treviso;Udine;Urbino;Varese;Venezia;Verona;Vicenza;Viterbo
Aberdeen;Aberystwyth;Aldeburgh;Alnwick;Ambleside;Ashford;Aylesbury;Bakewell;Banbury;Barnsley;Barnstaple
Barrow-in-Furness;Basingstoke;Bedford;Berwick-upon-Tweed;Beverley;Birkenhead;Birmingham;Blackburn;Blackpool
Bognor Regis;Bolton;Bournemouth;Bracknell;Bradford;Brighton;Bude;Burnley;Bury St Edmunds;Buxton;Caernarfon;Cambridge
Canterbury;Carlisle;Carmarthen;Chelmsford;Cheltenham;Chester;Chesterfield;Chichester;Colchester;Conwy;Coventry;Crewe
Cromer;Darlington;Doncaster;Dorchester;Dover;Dumfries;Dunfermline;Durham;Eastbourne;Elgin;Ely;Falkirk;Falmouth
Fort William;Frome;Gateshead;Glastonbury;Gloucester;Grantham;Grimsby;Guildford;Harrogate;Hastings;Haverfordwest
Hebden Bridge;Helensburgh;Hereford;Huddersfield;Huntingdon;Ilkley;Keswick;Kettering;Kidderminster;King's Lynn;Kirkwall
Lancaster;Launceston;Leamington Spa;Leicester;Lerwick;Lewes;Lichfield;Lincoln;Liverpool;Llandudno;Llangollen;Lowestoft
Ludlow;Luton;Maidstone;Malvern;Margate;Matlock;Merthyr Tydfil;Middlesbrough;Milton Keynes;Morecambe;Newcastle upon Tyne
Newport;Newquay;Northampton;Nottingham;Oxford;Paisley;Pembroke;Penrith;Penzance;Peterborough;Pitlochry;Plymouth;Poole
Portree;Portsmouth;Reading;Redditch;Ripon;Rochdale;Rugby;Rye;Salisbury;Scarborough;Scunthorpe;Sheffield;Shrewsbury
Skegness;Slough;Southampton;Southend;St Andrews;St Ives;Stafford;Stevenage;Stockport;Stoke-on-Trent;Stornoway
Stratford-upon-Avon;Sunderland;Swindon;Tamworth;Taunton;Tenby;Thirsk;Torquay;Totnes;Ullapool;Wakefield;Walsall
Warrington;Watford;Wells;Weston-super-Mare;Weymouth;Wigan;Winchester;Windsor;Wolverhampton;Worcester;Worthing;Wrexham
Yeovil;Ardara;Armagh;Athlone;Ballina;Bantry;Carlow;Castlebar;Clifden;Derry;Dingle;Drogheda;Dundalk;Ennis;Kenmare
Killarney;Kinsale;Letterkenny;Lisburn;Mullingar;Navan;Newry;Omagh;Portlaoise;Skibbereen;Tralee;Tullamore;Waterford
Westport;Wexford;Abilene;Akron;Albany;Albuquerque;Amarillo;Anchorage;Ann Arbor;Asheville;Bakersfield;Baltimore
Baton Rouge;Beaumont;Bellingham;Berkeley;Billings;Biloxi;Bismarck;Boulder;Bozeman;Bridgeport;Brownsville;Buffalo;Butte
Carson City;Cedar Rapids;Charleston;Charlotte;Chattanooga;Cheyenne;Cincinnati;Cleveland;Colorado Springs;Corpus Christi
Davenport;Dayton;Des Moines;Dubuque;El Paso;Eugene;Fairbanks;Fargo;Flagstaff;Fort Worth;Galveston;Gary;Grand Rapids
Great Falls;Green Bay;Greensboro;Hartford;Helena;Honolulu;Huntsville;Idaho Falls;Indianapolis;Ithaca;Jackson
Jacksonville;Juneau;Kalamazoo;Kansas City;Key West;Knoxville;La Crosse;Lafayette;Laramie;Las Vegas;Lexington
Little Rock;Long Beach;Louisville;Lubbock;Macon;Memphis;Mesa;Milwaukee;Missoula;Mobile;Modesto;Montgomery;Montpelier
Nashville;New Haven;Newark;Norfolk;Oakland;Ogden;Oklahoma City;Olympia;Orlando;Palm Springs;Pensacola;Peoria;Phoenix
Poughkeepsie;Providence;Provo;Raleigh;Rapid City;Roanoke;Rochester;Rockford;Sacramento;Saint Paul;Salem;San Antonio
San Jose;Santa Barbara;Santa Cruz;Santa Fe;Sarasota;Schenectady;Scranton;Shreveport;Sioux Falls;Springfield;St. Louis
Stockton;Syracuse;Tacoma;Tallahassee;Tampa;Topeka;Trenton;Tuscaloosa;Utica;Waco;Wichita;Wilmington;Yakima;Youngstown
Banff;Brandon;Charlottetown;Chicoutimi;Edmonton;Fredericton;Gatineau;Guelph;Hamilton;Iqaluit;Jasper;Kamloops;Kelowna
Kingston;Lethbridge;Medicine Hat;Moncton;Moose Jaw;Nanaimo;Ottawa;Prince George;Québec;Red Deer;Rimouski;Saint John
Saskatoon;Sherbrooke;St. John's;Sudbury;Thunder Bay;Trois-Rivières;Whitehorse;Yellowknife;Adelaide;Albury;Alice Springs
Ballarat;Bendigo;Brisbane;Broome;Bunbury;Byron Bay;Cairns;Canberra;Coffs Harbour;Fremantle;Geelong;Gold Coast;Mackay
Mildura;Newcastle;Rockhampton;Toowoomba;Townsville;Wagga Wagga;Wollongong;Blenheim;Christchurch;Gisborne;Greymouth
Invercargill;Nelson;New Plymouth;Palmerston North;Queenstown;Rotorua;Taupō;Tauranga;Timaru;Whangārei;Apia;Nouméa
Port Moresby;Suva;Abuja;Addis Ababa;Antananarivo;Arusha;Asmara;Bamako;Benin City;Blantyre;Bloemfontein;Bouaké;Bulawayo
Casablanca;Conakry;Cotonou;Dar es Salaam;Dire Dawa;Djenné;Dodoma;Douala;East London;Eldoret;Enugu;Essaouira;Freetown
Gaborone;George;Harare;Ibadan;Johannesburg;Jos;Kaduna;Kano;Kigali;Kimberley;Kinshasa;Kisumu;Libreville;Lilongwe;Luanda
Lubumbashi;Malindi;Maputo;Marrakesh;Maseru;Meknès;Monrovia;Moshi;Mwanza;N'Djamena;Nakuru;Niamey;Nouakchott;Oran
Ouagadougou;Ouarzazate;Pietermaritzburg;Polokwane;Port Elizabeth;Port Harcourt;Pretoria;Rabat;Saint-Louis;Sfax;Sousse
Stellenbosch;Tamale;Tangier;Tema;Thiès;Tlemcen;Windhoek;Yaoundé;Zanzibar;Zinder;Abu Dhabi;Aleppo;Alexandria;Aqaba;Aswan
Baghdad;Baku;Basra;Batumi;Beersheba;Doha;Dubai;Erbil;Gyumri;Isfahan;Jeddah;Jerusalem;Kutaisi;Kuwait City;Luxor;Manama
Mashhad;Muscat;Nazareth;Port Said;Qom;Riyadh;Sharjah;Shiraz;Suez;Tabriz;Tbilisi;Tehran;Tel Aviv;Tripoli;Tyre;Yazd
Yerevan;Agra;Ahmedabad;Ajmer;Allahabad;Amritsar;Aurangabad;Bareilly;Bhopal;Bhubaneswar;Calicut;Chandigarh;Coimbatore
Darjeeling;Dehradun;Goa;Gurgaon;Guwahati;Gwalior;Hyderabad;Indore;Jabalpur;Jamshedpur;Jodhpur;Kanpur;Kolhapur;Kolkata
Kota;Lucknow;Ludhiana;Madurai;Mangalore;Meerut;Mysore;Nagpur;Nashik;Noida;Patna;Pondicherry;Raipur;Rajkot;Ranchi
Shillong;Shimla;Siliguri;Srinagar;Surat;Thrissur;Tiruchirappalli;Udaipur;Vadodara;Varanasi;Vijayawada;Visakhapatnam
Chittagong;Faisalabad;Galle;Gujranwala;Islamabad;Jaffna;Kandy;Karachi;Kathmandu;Khulna;Multan;Negombo;Peshawar;Pokhara
Quetta;Rawalpindi;Sialkot;Sylhet;Thimphu;Almaty;Ashgabat;Astana;Bishkek;Bukhara;Dushanbe;Samarkand;Tashkent;Irkutsk
Kazan;Lviv;Kharkiv;Kyiv;Minsk;Murmansk;Odesa;Poltava;Chernivtsi;Chișinău;Brest-Litovsk;Grodno;Vladivostok;Yekaterinburg
Ayutthaya;Bacolod;Baguio;Balikpapan;Batam;Cần Thơ;Cagayan de Oro;Chiang Rai;Dalat;Davao;Denpasar;Hải Phòng
Ho Chi Minh City;Hội An;Hua Hin;Huế;Iloilo;Ipoh;Johor Bahru;Khon Kaen;Kota Kinabalu;Krabi;Kuala Lumpur;Kuching
Luang Prabang;Makassar;Malacca;Malang;Mandalay;Medan;Nakhon Ratchasima;Nha Trang;Palembang;Pattaya;Phnom Penh;Phuket
Quezon City;Semarang;Siem Reap;Solo;Surabaya;Udon Thani;Vientiane;Vũng Tàu;Yangon;Yogyakarta;Zamboanga;Aomori;Beppu
Fukuoka;Fukushima;Gifu;Hakodate;Hamamatsu;Himeji;Hiroshima;Kagoshima;Kamakura;Kanazawa;Kawasaki;Kobe;Kōchi;Kumamoto
Matsumoto;Matsuyama;Miyazaki;Morioka;Nagano;Nagasaki;Naha;Nara;Niigata;Nikkō;Okayama;Sendai;Shizuoka;Takamatsu;Takayama
Tottori;Toyama;Utsunomiya;Wakayama;Yokohama;Changwon;Cheonan;Daejeon;Gangneung;Gwangju;Gyeongju;Incheon;Jeju;Jeonju
Pohang;Suwon;Ulsan;Changsha;Chongqing;Dalian;Foshan;Fuzhou;Guangzhou;Guilin;Guiyang;Hangzhou;Harbin;Hefei;Hohhot
Hong Kong;Hsinchu;Jinan;Kaohsiung;Kunming;Lanzhou;Lhasa;Luoyang;Macau;Nanchang;Nanjing;Nanning;Qingdao;Shantou;Shaoxing
Shenyang;Shenzhen;Shijiazhuang;Suzhou;Taichung;Tainan;Taiyuan;Tianjin;Ürümqi;Wenzhou;Wuhan;Wuxi;Xi'an;Xiamen;Yantai
Yinchuan;Zhengzhou;Zhuhai;Ulaanbaatar;Acapulco;Aguascalientes;Cancún;Chihuahua;Ciudad Juárez;Cuernavaca;Culiacán
Durango;Ensenada;Guanajuato;Hermosillo;León de los Aldama;Mazatlán;Mexicali;Monterrey;Morelia;Oaxaca;Pachuca
San Luis Potosí;Tijuana;Toluca;Torreón;Veracruz;Villahermosa;Xalapa;Zacatecas;Antigua Guatemala;Belize City;David
Managua;Panama City;Quetzaltenango;San José;San Salvador;Tegucigalpa;Bridgetown;Camagüey;Castries;Havana;Holguín
Kingstown;Montego Bay;Nassau;Ponce;Port of Spain;Port-au-Prince;San Juan;Santo Domingo;Arequipa;Ayacucho;Barranquilla
Bariloche;Bucaramanga;Cali;Caracas;Chiclayo;Cochabamba;Concepción;Cuenca del Sur;Guayaquil;Huaraz;Ibarra;Iquitos;Jujuy
La Paz;La Plata;La Serena;Loja;Manizales;Maracaibo;Mar del Plata;Mendoza;Neuquén;Paraná;Pasto;Pereira;Piura;Posadas
Potosí;Puerto Montt;Puno;Punta Arenas;Salta;San Miguel de Tucumán;Santa Cruz de la Sierra;Santa Marta;Sucre;Temuco
Trujillo;Ushuaia;Viña del Mar;Belém;Belo Horizonte;Blumenau;Brasília;Campinas;Campo Grande;Cuiabá;Curitiba
Florianópolis;Fortaleza;Foz do Iguaçu;Goiânia;João Pessoa;Joinville;Juiz de Fora;Londrina;Maceió;Manaus;Maringá;Natal
Niterói;Olinda;Ouro Preto;Pelotas;Petrópolis;Porto Alegre;Porto Velho;Ribeirão Preto;Rio de Janeiro;Salvador;Santos
São Luís;Sorocaba;Teresina;Uberlândia;Vitória;Asunción;Encarnación;Colonia del Sacramento;Paysandú;Punta del Este;Salto
Cayenne;Georgetown;Paramaribo""")
JOBS = _known("""bus driver;caretaker;baker;florist;tailor;bookkeeper;nursery teacher;midwife;optician;locksmith;roofer;joiner;welder
head chef;night porter;receptionist;bartender;butcher;cheesemaker;beekeeper;gardener;forester;vet;dental nurse;radiographer
cardiologist;tax clerk;notary;clerk;court reporter;archivist;curator;conductor;cellist;sound engineer;stage manager
film editor;illustrator;potter;blacksmith;watchmaker;piano tuner;violin teacher;choir director;football coach;ski instructor
lifeguard;flight attendant;train driver;dispatcher;forklift driver;warehouse clerk;shift leader;plant manager;site manager
surveyor;geologist;oceanographer;lab technician;postdoc;lecturer;headteacher;school secretary;student assistant;intern
trainee;apprentice;treasurer;chairwoman;vice president;managing director;CEO;CTO;head of purchasing;head of HR;team lead
HR manager;account manager;key account manager;store manager;branch manager;estate agent;insurance broker;call centre agent
software tester;DevOps engineer;UX designer;game developer;technical writer;press officer;event manager
wedding photographer;tour operator;hotel manager;housekeeper;nanny;carer;paramedic;firefighter;police officer;customs officer
accounts assistant;actor;actuary;acupuncturist;administrator;aerospace engineer;agronomist;air traffic controller
aircraft mechanic;allergist;ambulance driver;anaesthetist;animal keeper;anthropologist;antiques dealer;arborist
archaeologist;art director;art restorer;art teacher;asset manager;astronomer;auctioneer;audio engineer;auditor;author
back-end developer;bailiff;ballet dancer;bank clerk;bar manager;barber;barista;basket weaver;beautician;bicycle courier
bike mechanic;bookbinder;bookseller;botanist;brand manager;brewer;bricklayer;building inspector;business analyst
cabinet maker;cabin crew;cake decorator;camera operator;car park attendant;car salesman;care worker;cashier
chemical engineer;chief executive;chief financial officer;chief of staff;childminder;chimney sweep;chiropractor
choreographer;cleaner;climate scientist;clinical psychologist;coach driver;cobbler;coffee roaster;comedian
community nurse;company secretary;compliance officer;composer;computer technician;concierge;confectioner
construction worker;content editor;contract manager;cook;copy editor;costume designer;councillor;counsellor;courier
crane operator;creative director;credit controller;cruise director;customer success manager;cutler;cyclist;dairy farmer
dance teacher;data protection officer;database administrator;deckhand;delivery driver;demand planner
dental hygienist;deputy director;dermatologist;design lead;dietician;digital strategist;diplomat;diving instructor
doctor;dog groomer;dog trainer;drama teacher;dressmaker;driving instructor;drummer;dry cleaner;ecologist
education officer;electronics technician;energy consultant;engraver;entomologist;environmental officer;ergotherapist
estate manager;executive assistant;export clerk;fabric designer;facility manager;farm worker;farmer;farrier
fashion designer;field engineer;finance director;fisherman;fishmonger;fitness trainer;fitter;flooring installer;flutist
food inspector;foreman;founder;freelance illustrator;French teacher;front-end developer;full-stack developer;fundraiser
funeral director;furniture maker;gallery owner;game warden;garage owner;general manager;general practitioner
geography teacher;glassblower;glazier;goldsmith;grants officer;greengrocer;grocer;groundskeeper;gunsmith;gynaecologist
hairdresser;harbour master;harpist;head gardener;head of marketing;head of research
healthcare assistant;heating engineer;helpdesk technician;historian;history teacher;homeopath;horse trainer
hospital porter;host;housekeeping manager;human resources officer;hydrologist;ICT coordinator;immigration lawyer
import manager;industrial designer;insurance clerk;interpreter;investment adviser;ironmonger;janitor;jeweller;jockey
judge;junior doctor;kindergarten teacher;kitchen assistant;kitchen fitter;kitchen porter;laboratory assistant
land surveyor;landlady;landscape architect;language assistant;laundry worker;law clerk;leather worker;legal secretary
letting agent;lighting designer;linguist;loan officer;logistics coordinator;lorry driver;luthier;machine operator
make-up artist;market trader;marine biologist;mason;massage therapist;materials scientist;mathematician;maths teacher
mayor;meteorologist;midshipman;milliner;miner;model;mortgage broker;motorcycle mechanic;mountain guide;museum attendant
music producer;music therapist;neurologist;news presenter;night nurse;novelist;nuclear physicist;nurse practitioner
nutritionist;occupational therapist;office clerk;office junior;oncologist;opera singer;operator;optometrist
orchestra manager;organist;orthodontist;orthopaedic surgeon;packaging designer;paediatrician;painter;park ranger
parking attendant;parish priest;pastry chef;patent attorney;pathologist;payroll clerk;penetration tester
personal assistant;personal trainer;pest controller;petrol station attendant;pharmacy technician;PhD student
philosopher;phlebotomist;physics teacher;pianist;picture framer;pilates instructor;planner;plasterer;playwright
podiatrist;poet;political scientist;port agent;postman;postmaster;printmaker;prison officer;probation officer
process engineer;procurement officer;producer;production planner;professor;programme officer;programmer
project assistant;proofreader;property manager;prosecutor;psychiatrist;psychologist;public relations officer;publisher
purchasing clerk;quality inspector;quality manager;quantity surveyor;quilter;rabbi;radio host;railway engineer;ranger
real estate agent;regional manager;registrar;reporter;reservations agent;restaurant manager;retail assistant
retired teacher;risk manager;robotics engineer;rubbish collector;sailor;sales assistant;sales representative
saxophonist;scaffolder;school bus driver;school nurse;science teacher;scientist;screenwriter;scrum master;sculptor
seamstress;security guard;set designer;sheep farmer;ship broker;shoemaker;shop assistant;shop owner;shopkeeper
sign maker;signalman;singer;site engineer;ski patroller;social media manager;solicitor;solution architect;sommelier
sous-chef;speech therapist;sports journalist;stable hand;state secretary;station master;statistician;stock clerk
stonemason;store detective;structural engineer;stylist;supply chain manager;supply teacher;support engineer
swimming instructor;switchboard operator;systems engineer;systems analyst;taxi driver
teaching assistant;team assistant;telephonist;tennis coach;test engineer;textile designer;theatre director;theologian
thatcher;ticket inspector;tiler;toolmaker;town planner;trade union secretary;traffic warden;train conductor
transport planner;travel agent;travel writer;tree surgeon;truck driver;tutor;TV presenter;undertaker
university lecturer;upholsterer;urban planner;urologist;usher;van driver;ventilation engineer;verger;vicar;video editor
vineyard manager;violin maker;violinist;virologist;voice actor;volunteer coordinator;waiter;waitress;ward sister
warehouse manager;weaver;web designer;wedding planner;weights officer;welfare officer;wholesaler
wind turbine technician;window cleaner;wine merchant;winemaker;wood carver;works manager;writer;yoga teacher
youth worker;zookeeper;zoologist;Bäcker;Buchhalterin;Bürokauffrau;Elektrikerin;Erzieher;Fahrlehrer;Friseurin
Geschäftsführer;Gärtnerin;Hausmeister;Hebamme;Köchin;Krankenpfleger;Lehrerin;Maurer;Pfarrerin;Rechtsanwalt;Schreinerin
Steuerberaterin;Tierärztin;Zahnarzt;boulangère;comptable;infirmier;institutrice;menuisier;plombier;avocate;serveuse
vétérinaire""")
DEPARTMENTS = _known("""cardiology;radiology;maternity ward;accounts;payroll;purchasing;dispatch;shipping;facility management;the archive
after-sales service;product development;press office;IT support;controlling;pharmacology;physics;the workshop;the canteen
Accounts Payable;Public Relations;Quality Assurance;Data Protection;Student Affairs;Field Service;Spare Parts;Pre-Press
accounting;admissions;adult education;aftercare;analytics;animal welfare;applied mathematics;archives;art history
assembly;asset management;audit;biochemistry;body shop;building services;business development;buying;careers service
catering;central stores;change management;child protection;civil engineering;claims;cleaning;clinical research
commercial;communications and events;community health;compliance;construction;contracts;corporate affairs
credit control;customer care;customer success;data science;dermatology;despatch;diagnostics;digital;ear nose and throat
economics;editorial;education;electrical engineering;emergency department;emergency room;energy;environmental health
estates;exports;external relations;family law;film studies;finance and tax;fire safety;fleet management;food safety
front desk;front office;fundraising;gastroenterology;general surgery;geriatrics;goods inward;grants office;graphics
ground operations;haematology;health and safety;highways;history;home delivery;housekeeping;human resources development
imports;in-house legal;infrastructure;innovation;inside sales;intensive care;internal audit;international office
investor relations;kitchen;laboratory;landscape planning;law;leisure services;lettings;linguistics;loans;lost property
machine shop;mail room;maintenance;manufacturing;market research;mechanical engineering;medical records;membership
merchandising;modern languages;museum education;network operations;neurology;night shift;nursing;occupational health
oncology;online shop;orthopaedics;outpatients;paediatrics;paint shop;parks;parts;passports;patents;pathology
people and culture;pharmacy;philosophy;photography;planning;policy;politics;pre-sales;printing;private clients
production;project office;property;psychiatry;public affairs;public works;quality control;rail services;real estate
reception;recruitment;refunds;registry;renewables;repairs;reservations;returns;risk;safety;sales support
school of music;security office;service desk;sewing room;social services;software development;special collections
sports science;stores;strategy;supply chain;surgery;sustainability;tax;technical support;telesales;theology;tool shop
tooling;town planning;trade marketing;trading;training;transport;travel desk;treasury;underwriting;urology
vehicle licensing;visitor services;warehouse;waste management;web team;wholesale;X-ray;youth services;zoology
Buchhaltung;Einkauf;Personalabteilung;Vertrieb;Versand;Kundendienst;Produktion;Verwaltung;Lager;Achats;Comptabilité
Ressources humaines;Service client;Accident and Emergency;Corporate Finance;Customer Experience;Digital Services
Events Team;Facilities;Global Accounts;Health Records;Internal Communications;Key Accounts;Learning Support
Library Services;Medical Imaging;Platform Engineering;Print Services;Programme Management;Regulatory Affairs
Site Services;Talent Acquisition;Technical Operations;Trade Compliance;Vendor Management""")
HOBBIES = _known("""model railways;choir singing;bouldering;geocaching;beekeeping;open-water swimming;old motorcycles;growing roses
crosswords;stamp collecting;trail running;salsa;jazz piano;rowing;handball;mushroom picking;writing poems;restoring radios
baking bread;ice skating;stargazing;calligraphy;orienteering;playing the cello;wild camping;cooking Indian food;quiz nights
abseiling;acting in amateur plays;air rifle shooting;antique hunting;aquariums;archery;astrophotography;badminton
ballroom dancing;banjo;basket weaving;basketball;beach volleyball;bell ringing;belly dancing;billiards;birding
board game design;body building;bonsai;bookbinding;bowling;boxing;brass band;brewing beer;bridge;building drones
bungee jumping;cake decorating;canoeing;canyoning;card tricks;caravanning;caving;ceramics;charity work;cheese making
collecting coins;collecting comics;collecting minerals;collecting vinyl records;computer games;cosplay;cricket;crochet
cross-country skiing;croquet;curling;cycle touring;darts;debating;decoupage;disc golf;diving;dog agility;dog walking
drawing comics;dressmaking;dry stone walling;embroidery;escape rooms;falconry;family history;fencing;figure skating
film photography;flamenco;floristry;flower arranging;flying kites;folk dancing;folk music;foraging;fossil hunting
furniture restoration;gliding;gospel choir;growing orchids;growing vegetables;gymnastics;hang gliding;herb gardening
historical re-enactment;hockey;home brewing;horse riding;ice hockey;improv theatre;inline skating;Italian cooking
jewellery making;jigsaw puzzles;jogging;judo;juggling;karaoke;karate;kayaking;keeping chickens;keeping tortoises
kickboxing;kite surfing;lace making;lacrosse;landscape painting;learning Greek;leatherwork;letterpress;life drawing
lindy hop;line dancing;local history;long walks;macramé;magic tricks;making candles;making jam;making soap;manga
marathon running;martial arts;metal detecting;miniature painting;model aeroplanes;model ships;motor racing;motorcycling
mountain biking;mountaineering;mosaics;museums;netball;night photography;nordic walking;oil painting;old cameras;opera
origami;padel;paintball;papercraft;paragliding;parkour;patchwork;petanque;philately;pickleball;pilates;pinball
playing chess online;playing in a band;playing the flute;playing the guitar;podcasting;poker;pole vaulting
pony trekking;printmaking;programming;pub quizzes;puppetry;quilting;rambling;rap;reading crime novels;reading maps
recorder music;restoring old cars;road cycling;rock climbing;role-playing games;roller derby;rugby;scrapbooking
scuba diving;sculpture;sea fishing;sewing;silent films;singing in a choir;skateboarding;sketching;skittles;snooker
snorkelling;snowboarding;softball;songwriting;spinning;squash;stand-up comedy;steam engines;storytelling;street art
sudoku;swing dancing;table football;table tennis;tai chi;tango;tap dancing;taxidermy;theatre;tinkering with engines
toy trains;trampolining;triathlon;tropical fish;ukulele;ultimate frisbee;upcycling;urban sketching;vegetable growing
video games;vintage clothes;volleyball;volunteering;walking the dog;watching cricket;water polo;watercolours;weaving
weight lifting;whittling;wild flowers;wildlife photography;windsurfing;wine tasting;wood carving;wood turning;wrestling
writing letters;writing short stories;zumba;Backen;Wandern;Klettern;Schach;Gartenarbeit;Radfahren;Lesen;Stricken
la randonnée;la cuisine;le jardinage;la lecture;le tricot;les échecs""")
LANGUAGES = _known("""Norwegian;Slovak;Croatian;Serbian;Slovene;Estonian;Latvian;Lithuanian;Catalan;Basque;Irish;Welsh;Igbo;Yoruba
Amharic;Tagalog;Malay;Tamil;Punjabi;Persian;Kurdish;Albanian;Bulgarian;Afrikaans;Zulu;Icelandic;Farsi;sign language
Abkhaz;Armenian;Assamese;Azerbaijani;Bambara;Belarusian;Berber;Bosnian;Breton;Burmese;Cebuano;Chichewa;Corsican;Dari
Dzongkha;Esperanto;Ewe;Faroese;Fijian;Flemish;Frisian;Fula;Galician;Ganda;Georgian;Greenlandic;Guarani;Gujarati
Haitian Creole;Hakka;Hausa;Hawaiian;Hokkien;Ilocano;Indonesian;Javanese;Kannada;Kazakh;Khmer;Kikuyu;Kinyarwanda;Konkani
Kyrgyz;Lao;Latin;Lingala;Luxembourgish;Macedonian;Malagasy;Malayalam;Maltese;Maori;Marathi;Moldovan;Mongolian
Montenegrin;Nahuatl;Navajo;Ndebele;Nepali;Occitan;Oromo;Pashto;Plattdeutsch;Quechua;Romani;Romansh;Samoan;Sami;Sanskrit
Sardinian;Scots;Scottish Gaelic;Sesotho;Setswana;Shona;Sicilian;Sindhi;Sinhala;Somali;Sorbian;Sundanese;Swiss German
Syriac;Tajik;Tatar;Telugu;Tibetan;Tigrinya;Tongan;Twi;Turkmen;Uyghur;Uzbek;Venetian;Wolof;Xhosa;Yiddish;Deutsch
Englisch;Französisch;Spanisch;Italienisch;Türkisch;Polnisch;Russisch;Arabisch;français;anglais;allemand;espagnol
italien;néerlandais;British Sign Language;Brazilian Portuguese;Ancient Greek""")
SKILLS = _known("""Figma;AutoCAD;SAP;PowerPoint;TypeScript;Docker;LaTeX;MATLAB;lean management;shorthand;forklift licence;sewing
conflict resolution;fundraising;lab safety;phlebotomy;crane operation;proofreading;sound mixing;stock control;pastry
3D printing;accident investigation;agile coaching;Ansible;animation;arc welding;asphalt laying;audio mastering;AWS
Azure;barista training;baking;Bash;bid writing;Blender;blood sampling;bricklaying;bridge design;brewing;C#
call handling;cash handling;child care;circuit design;CNC milling;colour grading;community outreach;complaint handling
contract negotiation;cost estimation;crisis communication;crop rotation;dance;data entry;data modelling;data protection
database design;debugging;decorating;dental imaging;desktop publishing;diagnostics;diving;dog handling;drafting
driving licence C;drywall;editing;electrical testing;Elixir;email marketing;embroidery;Erlang;estimating;etching
fabric printing;fault finding;fencing;financial modelling;Final Cut;first response;floor laying;flower arranging
food hygiene;food styling;Fortran;French polishing;furniture assembly;GIS;Git;glazing;Google Ads;grafting;grant writing
hair colouring;harvesting;Haskell;heat pump installation;horse care;HTML;hydraulics;illustration;InDesign
industrial sewing;infection control;interpreting;inventory control;invoicing;irrigation;IT security;JIRA;joinery;kanban
kitchen planning;knife skills;Kotlin;landscape design;language teaching;leather tooling;legal research;letter cutting
lifeguarding;lighting design;Lightroom;load planning;lobbying;locksmithing;lip reading;make-up;marking;masonry
media training;mediation;menu planning;metal casting;microscopy;milking;minute taking;model making;motion graphics
mould making;mountain rescue;music theory;MySQL;net making;network design;news writing;night driving;Node.js
note taking;numerical analysis;NVivo;offset printing;OpenGL;optics;oral history;order picking;Oracle;packaging design
page layout;paint spraying;palletising;paragliding;parsing;patient care;pattern cutting;payroll;PCB layout;Perl
pest control;PHP;pipe fitting;piping;plastering;PostgreSQL;PLC programming;plumbing;podcast production;policy writing
Power BI;presentation skills;pricing;print making;process mapping;procurement law;product photography;prototyping
pruning;public procurement;quality audits;quilting;R;radio operation;rapid prototyping;Revit;rigging;risk assessment
robot programming;roof insulation;route planning;Ruby;safe lifting;safety inspections;sales forecasting;sampling
sanding;Scala;scaffolding;screen printing;scriptwriting;scuba certification;sensor calibration;SEO;set design
sheep shearing;shorthand typing;sign language;silk screening;Sketch;SketchUp;snow clearing;social media;soldering
SolidWorks;Spanish;spot welding;SPSS;stage lighting;stakeholder management;Stata;stencilling;stock taking;stone cutting
storyboarding;stress management;subtitling;surveying;Swift;switchgear;Tableau;tailoring;tax returns;team building
telemetry;telephone sales;Terraform;test automation;thatching;tiling;time management;tree felling;tool setting
tour guiding;traffic planning;translation;transcription;truck loading;TIG welding;typing;typography;Unity;upholstery
usability testing;user interviews;vaccination;venue management;veterinary nursing;visa applications;vocal coaching
voice-over;volunteer management;waste sorting;watch repair;water sampling;web analytics;wedding cakes;wine pairing
wiring;wood turning;workshop facilitation;wound care;X-ray imaging;yoga teaching""")
ADJECTIVES = _known("""used;nearly new;antique;second-hand;folding;solid;double;single;striped;checked;large;small;mini;cast-iron;enamel
hand-knitted;refurbished;electric;wireless;thermal;inflatable;outdoor;kids';ladies';men's;vintage;custom;spare;rechargeable
acoustic;adhesive;aluminium;anti-slip;apple-green;assorted;automatic;battery-powered;beige;bespoke;big;boxed;braided
brass;breathable;brand-new;bright;broad;brown;brushed;carved;child-proof;chrome;clip-on;coarse;collapsible;combined
compostable;concealed;corner;curved;deep;deluxe;detachable;digital;disposable;double-sided;dried;dual;easy-care;edible
embroidered;energy-saving;engraved;extendable;extra-large;extra-long;fair-trade;faux-fur;fine;fireproof;flat;flexible
floral;free-standing;freeze-dried;fresh;frosted;galvanised;gas-powered;gilded;glazed;gluten-free;half-round;hand-made
hand-painted;hardwood;heated;heavy;hexagonal;high;home-made;hooded;illustrated;imported;indoor;industrial;inlaid
knitted;L-shaped;lacquered;laminated;large-print;leather-bound;left-handed;light;lightweight;limited-edition;lined
lockable;long;long-sleeved;low;low-fat;lockable steel;magnetised;manual;marbled;matt;medium;metal;metric;mixed;mobile
motorised;mounted;multi-purpose;narrow;natural;navy;non-stick;noise-cancelling;oak-veneered;oiled;old;one-way
orthopaedic;oval;over-ear;oversized;padded;painted;panoramic;patterned;personalised;pickled;plain;pleated;pocket
pointed;polished;pre-owned;pre-packed;pressed;printed;professional;quilted;rare;raw;ready-made;reclining;rectangular
reinforced;remote-controlled;restored;retractable;reusable;reversible;ribbed;right-handed;rope-handled;rotating;round
rustic;rustproof;salted;scented;self-adhesive;self-cleaning;semi-automatic;shatterproof;shock-resistant;short
short-sleeved;signed;silent;silver-plated;single-use;slim;slip-on;small-batch;smoked;soft;soundproof;spare-wheel;split
spotted;square;stackable;stained;steel-toed;stretch;strong;sugar-free;super-soft;swivel;tabletop;tall;tartan;tempered
thick;thin;three-legged;toughened;translucent;transparent;travel-size;triangular;two-tier;unbleached;unframed;unisex
unpainted;unscented;upholstered;upright;UV-resistant;vacuum-packed;varnished;vegan;ventilated;wall-mounted;washable
waxed;weatherproof;wheeled;white;whole-grain;wide;windproof;wood-burning;woollen;woven;wrap-around""")
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
brake pads;snow chains;car battery;camper van;motor scooter;kayak;rowing boat;life jackets;tent pegs;gas stove;sleeping mat
adjustable spanner;air compressor;air fryer;air mattress;alarm clock;allen keys;almond flour;anchor chain;angle grinder
ankle boots;apron;arm floats;art prints;axe;baby bath;baby carrier;baby monitor;badminton rackets;baking tray
balance bike;ball bearings;balloons;bamboo mat;banana boxes;bandages;bar stools;barley;baseball cap;basil plants;basket
basketball hoop;bath towels;bathrobe;bathroom cabinet;bathroom scales;beach ball;bean bag;bed frame;bedside table
beer glasses;bell;belt sander;bench vice;bib;bicycle bell;bicycle lock;bicycle pump;bike rack;bike trailer;bin bags
bird feeder;bird house;birdseed;black pepper;blackboard;bleach;blinds;blood oranges;blouse;blowtorch;bobble hat;boiler
bolt cutter;bolts;bonnet;bookcase;bookends;bookmark;bottle opener;bow tie;bowls;bowling shoes;bracelet;braces
bread basket;bread knife;bread maker;breast pump;bricks;bridal veil;briefcase;brooch;broom;bubble wrap;bucket
building blocks;bulldog clips;bungee cords;bunting;butter dish;cabinet hinges;cable drum;cable ties;cake stand
calculator;camp bed;camping chair;camping stove;candle holder;canned tomatoes;canoe paddle;canvas shoes;car mats
car seat;card reader;cardboard boxes;cardigan;carnival costume;carpet cleaner;carry-on bag;casserole dish;cat flap
cat food;cat litter;catering trays;ceiling fan;ceiling light;chain lock;chain oil;chainsaw;chalk;champagne flutes
changing table;chest freezer;chess set;chicken feed;children's books;chisel set;chopping board;Christmas lights
Christmas tree;circular saw;clamps;clarinet;clay pots;climbing harness;climbing rope;clothes airer;clothes horse
clothes rail;coat hooks;coat rack;coconut oil;coffee filters;coffee grinder;coffee machine;coffee mugs;coin album
colander;coloured pencils;comb;compass;computer mouse;concrete mix;conference phone;contact lenses;cookery book
cool bag;cool box;corkscrew;corn flakes;corner desk;corner sofa;cotton buds;cough syrup;court shoes;crayons
cream cheese;cricket bat;crochet hooks;croissants;cross trainer;crossbody bag;crystal vase;cufflinks;cupboard
cupcake cases;curry powder;curtains;cycling gloves;cycling shorts;darts;dehumidifier;denim jacket;dental floss
desk calendar;desk organiser;detergent;diary;dictaphone;dinner plates;dinner service;dinosaur puzzle;disinfectant
display cabinet;diving mask;document folders;dog bowl;dog coat;dog food;dog lead;door bell;door mat;door stop
doorbell camera;double bed;double bass;down jacket;drain pipe;draining board;drawing pins;dressing gown;dressing table
dried apricots;drill bits;drumsticks;dry shampoo;dumb waiter;dungarees;dust pan;dust sheets;dustbin;duvet;duvet covers
ear plugs;earrings;easel;Easter eggs;egg boxes;egg timer;electric blanket;electric guitar;electric kettle
electric piano;electric razor;electric scooter;electric toothbrush;encyclopaedia;engagement ring;envelopes;epoxy resin
eraser;espresso cups;exercise bike;exercise books;external monitor;eye drops;face cream;face masks;fabric softener
fairy lights;felt pens;fence panels;fertiliser;field bed;filing cabinet;filter papers;fire blanket;fire extinguisher
fire pit;firewood;fish fingers;fish tank;fishing line;fishing rod;fishing tackle;flags;flannel shirt;flask;flat iron
fleece;flip chart;flip-flops;flour sieve;flower bulbs;flower seeds;flute;foam board;folding table;food containers
football boots;football shirt;footstool;fork-lift;frozen peas;fruit bowl;fruit juice;funnel;furniture polish;fuse box
gaming chair;garage door;garden bench;garden fork;garden gloves;garden hose;garden rake;garden shears;garden table
garlic press;gas bottle;gas cooker;gas heater;gearbox;generator;gift vouchers;gift wrap;ginger biscuits
glasses case;globe;glue gun;glue sticks;goggles;golf balls;golf clubs;golf trolley;grand piano;granola;grass seed
gravel;greenhouse;greeting cards;guest bed;guinea pig cage;guitar amp;guitar strings;gumboots;gym bag;gym membership
hacksaw;hair clips;hair dryer;hair straightener;hairbrush;halogen lamps;hand cream;hand soap;hand towels;handcart
handlebar tape;handlebars;hanging baskets;hard hats;harmonica;harness;harp;headboard;headlamp;headset;heat pump
heating oil;height-adjustable desk;hi-fi system;hi-vis vests;high heels;highlighters;hinges;hockey stick;hole punch
hoodie;hoover bags;horse feed;horseshoes;hosepipe;hot plate;hot tub;house plants;hula hoop;humidifier;ice bucket
ice cream machine;ice cream tubs;ice pack;icing sugar;incense sticks;index cards;induction hob;infrared lamp
inkjet printer;insect repellent;insoles;instant coffee;insulation foil;ironing board;jam jars;jeans;jewellery box
jigsaw;jogging bottoms;jug;juice extractor;jumper;jumper cables;kennel;key cabinet;key rings;kids' bike;kilt;kimono
kitchen knives;kitchen roll;kitchen scales;kitchen table;kitchen timer;kite;knee pads;knitting needles;knitting wool
label printer;lace curtains;ladles;lampshade;lanyards;laser pointer;laser printer;laundry basket;lavender oil
lawn edging;leaf blower;leather gloves;leather jacket;LED strip;leggings;lemonade;letter box;letter scales;level
light switch;linen napkins;linen trousers;lip balm;litter box;loafers;lock nuts;log splitter;loudspeaker;luggage scales
luggage tags;lunch box;magazine rack;magnets;magnifying glass;mailing tubes;make-up bag;mandolin;map of the Alps
maple syrup;marble tiles;marbles;marmalade;masking tape;massage oil;massage table;measuring cups;measuring jug
meat grinder;medicine cabinet;memory card;memory foam pillow;menu boards;metal detector;metronome;milk frother;milk jug
mini fridge;mitre saw;mixing bowl;mixing desk;mobile phone;modelling clay;mop;mosquito net;motor oil;motorcycle helmet
mountain boots;mouse mat;mouthwash;mud guards;muesli bars;muffin tin;mulch;music box;mustard seeds;nail clippers
nail polish;nappies;napkin rings;necklace;needles;nest box;netbook;network cable;night light;notepads;number plates
nutmeg;oatmeal;oboe;office desk;oil filter;oil paints;olives;onions;optical sensor;orange juice;organ pipes;oven gloves
overalls;oyster knife;packing tape;paddling pool;padlock;paint roller;paint tray;pallet truck;pallets;panama hat
paper bags;paper clips;paper cups;paper shredder;paperback novels;paprika powder;parchment;parcel scales;parquet
party hats;passport photos;pasta;patio heater;paving stones;pea gravel;peanut butter;pedometer;pencil case;pencils
pendant light;pepper mill;perfume;pet carrier;petrol can;petrol mower;photo album;photo frame;photo paper;piano lessons
piano stool;picnic basket;picnic blanket;picture hooks;pill box;pillowcases;pin board;ping-pong table
pipe wrench;pizza oven;pizza stone;place mats;plant pots;plasterboard;plasters;plastic crates;playing cards;playpen
pliers;plug adapter;plywood;pocket knife;pogo stick;polo shirts;poncho;pool cover;popcorn maker
porridge oats;post-it notes;postage stamps;postcards;pot plants;potato peeler;potato sacks;potatoes;potting soil
pressure cooker;pressure washer;pressure gauge;printing plates;protein bars;pruning saw;puffer jacket;pulse oximeter
punch bag;puppet theatre;putty knife;pyjamas;quilt;rabbit hutch;radiator;radiator valve;rag doll;railway sleepers
raincoat;rakes;raspberry jam;ratchet straps;receipt rolls;reclining chair;recorder;reel mower;reflectors;remote control
resistance bands;revolving chair;rice cooker;riding boots;riding hat;ring light;rivets;rocking chair;rocking horse
roller blinds;roller skates;rolling pin;rolls of film;roof windows;rope ladder;rosemary plants;rotary dryer
rowing machine;rubber bands;rubber boots;rubber duck;rugby ball;running vest;safety boots;safety glasses;safety pins
sailing jacket;salad bowl;salad spinner;salt cellar;sand;sandals;sandbags;sandpaper;sanitary towels;sash windows;satnav
saucepan;saucers;sauna stove;saw blades;saxophone;scaffold boards;school bag;school uniform;scissors;scooter
screen protector;screwdriver set;sea salt;seat cushion;secateurs;security camera;sewing kit;shampoo;sharpening stone
shaving foam;sheet music;sheets;shelving unit;shin pads;shipping labels;shirt;shoe cabinet;shoe polish;shoelaces
shopping trolley;shower cabin;shower curtain;shower gel;shower head;side lamp;sideboard;silicone sealant;single bed
sink;skateboard ramp;sketch pad;ski goggles;ski jacket;ski poles;skipping rope;skirting boards;slate tiles;sledge
sledgehammer;slide projector;slippers;slow cooker;smart speaker;smart thermostat;smartwatch;smoke alarm;smoked salmon
snack bars;sneakers;snorkel set;snow blower;snow shovel;soap dispenser;socket set;socks;sofa bed;soft toys;solar panels
solar shower;soldering iron;sound card;soundbar;soup bowls;soy milk;spade;spark plugs;spectacle frames;spice rack
spinach;spirit level;spoons;spray bottle;spray paint;springboard;squash racket;stacking chairs;stair carpet;stamp album
standard lamp;staple gun;stapler;starter motor;steam cleaner;steam iron;stemware;stepladder;stethoscope;sticky tape
stirrups;stock cubes;stockpot;storage box;storage heater;stove;straw bales;strawberry plants;streaming stick;string
stroller;suit;suit bag;summer dress;summer tyres;sun cream;sun lounger;sunflower oil;sunglasses;surfboard;suspenders
sweater;swim fins;swimming goggles;swimming trunks;swimsuit;swing;swing seat;table saw;tablecloth;tap;tape measure
tarpaulin;tea bags;tea caddy;tea set;tea strainer;teddy bear;teething ring;tennis balls;tennis racket;tennis shoes
terracotta pots;test tubes;thermal socks;thermos flask;thumb drive;tie;tights;tile cutter;timber beams;tin opener
tissue paper;toast rack;toddler bed;toilet brush;toilet paper;toilet seat;tomato plants;tomato sauce;tool belt
toothbrushes;toothpaste;top hat;topsoil;torch;tow rope;towel rail;toy cars;toy kitchen;toy tractor;track suit
tractor tyre;training shoes;trampoline;travel adapter;travel cot;travel guide;travel mug;tricycle;trolley jack;trombone
trouser press;trousers;trowel;TV stand;tumble dryer;turntable;tweezers;typewriter;ukulele;underlay;underwater camera
vacuum bags;vacuum flask;vanilla pods;ventilator;video game;viola;vinegar;vinyl records;vitamin tablets;voile curtains
volleyball net;waistcoat;walking frame;walking poles;wall clock;wall hooks;wall paint;wall tiles;warehouse trolley
wash basin;washing line;washing powder;waste bin;water butt;water filter;water jug;water pump;watering can
waterproof trousers;watercolour set;wax crayons;webcam cover;wedding invitations;wedding rings;weed killer
weighing scale;welding helmet;welding mask;wellington boots;wet wipes;wetsuit;wheel bearings;wheel rim;whisk
whisky glasses;whistle;wicker basket;wicker chair;wind chimes;windbreak;window boxes;window cleaner fluid;windscreen
windscreen wipers;wine rack;winter tyres;wire cutter;wire mesh;wok;wood chips;wood pellets;wood screws;wooden blocks
wooden spoon;wool blanket;wool yarn;work gloves;work trousers;workbench;wrapping paper;wrench;wrist watch;writing desk
xylophone;yoga blocks;yoghurt;zip ties;zips;car service;carpet cleaning;piano tuning;window cleaning;house painting
boiler service;oil change;wheel alignment;dog grooming;hair cut;wedding album;guided museum visit;airport transfer
bicycle hire;boat hire;catering for 20;hall hire;data recovery;website hosting;domain renewal;annual subscription
monthly pass;day ticket;cinema tickets;concert ticket;breakfast buffet;half board;double room;sea view room
parking space;gift card;photo shoot;logo design;proofreading service;translation of a contract
driving lessons;French lessons;swimming lessons;ski pass;chimney sweeping;garden waste removal;lawn mowing
roof inspection;energy certificate;tax advice;eye test;dental check-up;massage;manicure;tyre change;key cutting
shoe repair;watch battery;screen repair;printer rental;tent hire;sound system hire;club sandwich;tomato soup
goulash soup;lentil curry;fish pie;chicken wings;vegetable lasagne;pizza margherita;Caesar salad;goat's cheese tart
beef stew;lamb shank;spring rolls;miso soup;pad thai;sushi platter;falafel wrap;onion bhaji;mango lassi;tiramisu
apple strudel;lemon tart;cheesecake;chocolate mousse;carrot cake;pancakes;scones;bagels;pretzels;flat white;cappuccino
latte;hot chocolate;green tea;iced tea;ginger ale;orange squash;draught beer;wheat beer;house red;prosecco
sparkling water;tap water;crème brûlée;quiche;ratatouille;moules frites;croque-monsieur;galette;cassoulet
tarte aux pommes;pain au chocolat;baguettes;paella;gazpacho;churros;risotto;gnocchi;minestrone;bruschetta;pierogi;bigos
borscht;moussaka;baklava;couscous;tajine;hummus;kimchi;ramen;gyoza;pho;nasi goreng;jollof rice;biryani;samosas
naan bread;ceviche;empanadas;arepas;tacos;Aktenordner;Akkuschrauber;Bettwäsche;Bilderrahmen;Blumenkübel;Bohrmaschine
Bratpfanne;Brennholz;Bücherregal;Bügeleisen;Couchtisch;Dachziegel;Druckerpapier;Esstisch;Fahrradhelm;Fliesen
Gartenschlauch;Gartenstuhl;Gefrierschrank;Glühbirnen;Handtücher;Herrenhemd;Hochstuhl;Kaffeebohnen;Kinderwagen
Kleiderschrank;Kopfhörer;Kühlschrank;Lattenrost;Leinwand;Matratze;Mineralwasser;Nähmaschine;Ofen;Pinsel;Rasenmäher
Regenjacke;Rucksack;Sägeblätter;Schlafsack;Schlitten;Schraubenzieher;Schreibtisch;Sonnenschirm;Spülmaschine;Staubsauger
Stehlampe;Tapeten;Teekanne;Teppich;Tischdecke;Türklinke;Vorhänge;Wanderschuhe;Waschmaschine;Wasserkocher;Weinkiste
Wollmütze;Zelt;Zement;appareil photo;aspirateur;bibliothèque;bottes;bougies;bouilloire;canapé;cartouches d'encre
casserole;chaise longue;chaussures de marche;commode;couette;couteau suisse;fauteuil;fer à repasser;four;grille-pain
gants;imprimante;lampe de bureau;lave-linge;lit bébé;machine à coudre;manteau;marteau;matelas;meuble TV;miroir;montre
nappe;ordinateur portable;papier peint;parapluie;peinture blanche;perceuse;poêle;poussette;rideaux;robe;scie
stylos;tapis;tasses;théière;tondeuse;tournevis;trottinette;valise;vélo;verres à vin;vis""")
MODEL_WORDS = _known("""Borealis;Classic;Comfort;Sprint;Alpina;Marbella;Luna;Tempo;Fjord;Sierra;Vista;Duo;Trio;Basic;Premium;City
Silent;Turbo;Jumbo;Retro;Polar;Tundra;Vela;Riva;Capri;Siena;Oslo;Boston;Roma;Kompakt;Ultra;Neo;Flex;Vario;Lotus;Orka
Accent;Adagio;Adria;Aero;Aida;Air;Allegro;Alto;Amalfi;Ambiente;Andante;Antares;Aqua;Arctic;Arena;Argo;Aria;Arrow;Astra
Athena;Atlantic;Aurora;Avalon;Avanti;Azur;Bali;Baltic;Bella;Bergen Line;Black Line;Bolero;Boreal;Breeze;Brio;Cadenza
Calypso;Camino;Canto;Caravel;Carrera;Cascade;Castello;Celeste;Ceres;Chic;Cielo;Cirrus;Club;Coast;Colibri;Combo;Compact
Concerto;Condor;Contour;Coral;Corsa;Cosmo;Country;Cozy;Creta;Cumulus;Cyclone;Dakota;Dino;Dolce;Domino;Dynamic;Eco;Edge
Eiger;Elan;Elba;Electra;Elegance;Elite;Enzo;Epic;Equinox;Essence;Etna;Europa;Evo;Excel;Expert;Fiesta;Figaro;Finesse
Flair;Flash;Fleur;Flora;Focus;Force;Forte;Fusion;Galaxy;Gaucho;Gemini;Genius;Gloria;Grande;Gusto;Harmony;Helios
Helsinki;Heritage;Hexa;Hobby;Hydra;Icon;Idea;Iglu;Impala;Indigo;Infinity;Inspira;Iris;Isar;Jade;Java;Jazz;Jet;Junior
Jupiter;Kansas;Kappa;Karma;Kiruna;Kiwi;Komet;Korsika;Lagoon;Lago;Largo;Laser;Legend;Levante;Liberty;Lima Plus;Linea
Lite;Loft;Logic;Lumen;Lux;Lynx;Lyra;Madeira;Maestro;Magic;Malaga;Mambo;Manta;Maris;Matrix;Maxi;Mercury;Meridian;Milano
Mira;Mistral;Moda;Modena;Mojave;Monte;Montana;Mosaic;Motion;Murano;Napoli;Natura;Nautic;Nevada;Nimbus;Nomad;Nordkap
Novo;Oasis;Ocean;Octavia;Odessa;Olympia;Omega;Onyx;Opera;Optima;Orbit;Orion;Osaka;Otto;Oxford;Palermo;Palma;Panda
Panorama;Paso;Patagonia;Pegasus;Performance;Piccolo;Pico;Pilot;Pinto;Piano;Plus;Portofino;Power;Presto;Prima;Prisma;Pro
Puma;Pulse;Quadro;Quattro;Quick;Radius;Ranger;Rapido;Rebel;Regatta;Relax;Rhythm;Rialto;Rider;Rigi;Rio;Ritmo;Rival;Rondo
Royal;Safari;Salsa;Samba;San Remo;Saturn;Savanna;Scala;Scout;Senator;Serena;Serenade;Shadow;Shine;Sigma;Signal;Sirius
Smart;Solo;Sonata;Sonic;Sorrento;Spectra;Spirit;Sport;Star;Status;Stella;Storm;Strada;Studio;Style;Sunrise;Super;Swing
Sylt;Symphony;Taiga;Tango;Tara;Tasman;Terra;Texas;Thor;Thunder;Titan;Tornado;Toscana;Touring;Trend;Trento;Triton;Trophy
Tropic;Tulip;Twin;Uno;Vado;Valencia;Valley;Vanilla;Vega;Velo;Venezia;Venice;Venus;Verona;Verve;Viking;Vienna;Vision
Viva;Vivo;Volta;Voyager;Wave;Wien;Windsor;Xeno;Yukon;Zebra;Zen;Zephyr;Zest;Zodiac;Zoom""")
COLORS = _known("""light blue;dark green;anthracite;mint;lilac;burgundy;mustard;cream;off-white;sky blue;bottle green;rust;copper;sand
rosé;apricot;black and white;jet black;petrol;aubergine;bright red;natural;striped;multicoloured;moss green;pale yellow
almond;amber;amethyst;antique white;aquamarine;army green;ash grey;ash blonde;baby blue;baby pink;banana yellow
beetroot;birch;bisque;bluish grey;blush;bone;brick red;bright blue;bright green;bright orange;bright yellow;bronze
burnt orange;butter yellow;cadet blue;camel;canary yellow;candy pink;caramel;carmine;champagne;cherry red;chestnut
chestnut brown;chocolate;chocolate brown;cinnamon;clear;cobalt blue;cocoa;coffee;coral;cornflower blue;cyan
dark brown;dark grey;dark pink;dark purple;dark red;dark turquoise;deep blue;deep purple;deep red;denim blue;dove grey
duck egg blue;dusky pink;ebony;ecru;eggshell;electric blue;emerald;emerald green;fawn;fir green;flamingo;flesh pink
forest green;fuchsia;ginger;glossy black;glossy white;golden brown;golden yellow;graphite;grass green;greenish blue
grey-blue;gunmetal;hazel;heather;honey;hot pink;ice blue;indigo;iron grey;khaki;lavender;leaf green;lemon;lemon yellow
light brown;light green;light grey;light pink;light purple;light yellow;lime;lime green;magenta;mahogany;marine blue
matt black;matt white;mauve;metallic blue;metallic red;midnight blue;milky white;mocha;mouse grey;neon green;neon pink
neon yellow;nut brown;ochre;old rose;olive green;orange-red;oxblood;pale blue;pale green;pale grey;pale pink;peach
pearl;pearl white;periwinkle;pewter;pigeon blue;pine green;pistachio;platinum;plum;poppy red;powder blue;powder pink
pure white;racing green;raspberry;raven black;reddish brown;reseda;rose gold;rosewood;royal blue;ruby red;russet
rust red;saffron;sage;sage green;salmon;salmon pink;sapphire;scarlet;sea green;seafoam;sepia;shell pink;signal red
silver grey;slate;slate blue;slate grey;smoke;snow white;space grey;spruce green;steel blue;stone;stone grey;straw
sunflower yellow;tan;tangerine;taupe;tobacco;tomato red;transparent;ultramarine;umber;vanilla;vermilion;violet
walnut brown;warm grey;wheat;wine red;wood effect;zinc grey;black with white dots;blue with stripes;red with gold trim
half white half grey;two-tone grey;camouflage;tartan;floral;leopard print;silver-black;white-gold;blue-green
yellowish green;hellblau;dunkelgrün;dunkelrot;hellgrau;weinrot;himmelblau;bleu clair;bleu marine;vert foncé;gris perle
blanc cassé;rouge vif;jaune moutarde""")
MATERIALS = _known("""beech;larch;pine;solid oak;cast iron;stainless steel;merino wool;suede;faux leather;felt;hemp;slate;granite;porcelain
velvet;denim;rattan;cork;rubber;recycled plastic;ash;cherry;pure cotton;silk;concrete;brushed aluminium
acacia;acrylic;alabaster;alpaca;aluminium foil;angora wool;artificial leather;asphalt;balsa;bamboo fibre;basalt;birch
birch plywood;black walnut;blown glass;boiled wool;bone china;bronze;buffalo leather;burlap;calfskin;camel hair
carbon fibre;cardboard;cashmere;cedar wood;cellulose;chamois;chestnut wood;chiffon;chipboard;chrome steel;clay
coconut fibre;copper;cork oak;cotton blend;crêpe paper;crystal;damask;deerskin;down;earthenware;ebony;elm
embossed leather;enamelled steel;epoxy;fibreglass;flannel;fleece;foam;frosted glass;galvanised steel;gauze;goatskin
gold;granite stone;gravel;Gore-Tex;gypsum;handmade paper;hardboard;hardwood;hemp rope;horn;horsehair;jade;jersey;jute
kraft paper;lace;lambskin;lambswool;laminated glass;lead crystal;limestone;linoleum;loden;mahogany;maple;maple veneer
marble dust;MDF;melamine;memory foam;mesh;metal;microfibre;mohair;mother-of-pearl;moulded plywood;muslin;nappa leather
natural rubber;natural stone;neoprene;nickel silver;nylon;oiled oak;olive wood;onyx;organic cotton;organza
painted steel;papier-mâché;parchment;patent leather;pear wood;perforated steel;pewter;pigskin;plaster;plexiglass;plush
plywood;polycarbonate;polyester fleece;polypropylene;polystyrene;poplar;powder-coated steel;pressed glass;PVC;quartz
quartz sand;raffia;raw silk;reclaimed wood;recycled paper;reed;rope;rosewood;rubberwood;rush;sandstone;satin;sea grass
sheepskin;sheet metal;shell;softwood;soapstone;solid beech;solid brass;solid silver;spandex;spruce;sterling silver
stone;stoneware;straw;synthetic leather;tarpaulin;teak;tempered glass;terracotta;terry cloth;tin;toughened glass
travertine;tulle;tweed;twill;vegetable-tanned leather;velour;veneer;vinyl;viscose;volcanic stone;waxed cotton
waxed canvas;wicker;willow;woven cotton;wrought iron;yew;zinc;Buche;Eiche massiv;Edelstahl;Leinen;Baumwolle;Schafwolle
chêne massif;coton bio;laine;acier inoxydable;verre soufflé""")
SHOPS = _known("""Café;Bar;Bistro;Trattoria;Pizzeria;Gasthaus;Hotel;Pension;Bäckerei;Metzgerei;Gärtnerei;Autohaus;Praxis Dr.;Optik;Möbelhaus
Buchhandlung;Apotheke;Boulangerie;Librairie;Garage;Atelier;Maison;Chez;Studio;Galerie;Salon;Tapas;Taverna;Ferretería;Farmacia
Boutique;Brasserie;Clínica;Taller;Librería;Restaurante;Fahrradladen;Holzbau;Elektro;Druckerei;Spedition;Weingut
Abbaye;Albergo;Alimentari;Agence;Agriturismo;Almacén;Antica Trattoria;Antiquariat;Antiquités;Apothecary;Armazém
Asesoría;Auberge;Azienda Agricola;Banca;Baustoffe;Bazar;Bed & Breakfast;Bierstube;Bijouterie;Biohof;Bistrot;Blumen
Blumenhaus;Bodega;Bootsverleih;Boucherie;Brauerei;Brauhaus;Brillen;Bar-Tabac;Bureau;Büro;Cabinet;Cafetería;Camping
Cantina;Carnicería;Carpintería;Carrosserie;Casa Rural;Cascina;Cave;Charcuterie;Chocolaterie;Clinique;Coiffure
Confiserie;Confitería;Cordonnerie;Crêperie;Cukiernia;Dachdeckerei;Domaine;Droguerie;Eetcafé;Eisdiele;Elektrohandel
Enoteca;Épicerie;Estudio;Fahrschule;Farmácia;Feinkost;Ferme;Fioreria;Fischhaus;Fleuriste;Floristería;Forno;Fotostudio
Friseur;Fromagerie;Galeria;Garten;Gasthof;Gelateria;Getränke;Gioielleria;Glaserei;Goldschmiede;Haus;Hof;Hofladen;Hostal
Hostel;Hotell;Imkerei;Imprimerie;Inmobiliaria;Institut;Jardinerie;Joyería;Juwelier;Kaffeehaus;Kanzlei;Kavárna;Keramik
Kino;Klinik;Konditorei;Kosmetik;Kwiaciarnia;Kwekerij;Küchen;Laboratoire;Lavanderia;Lederwaren;Libreria;Livraria;Locanda
Macelleria;Malerbetrieb;Maler;Maschinenbau;Masseria;Mechanik;Menuiserie;Mercería;Metallbau;Mode;Molkerei;Motel;Moto
Museum;Musikhaus;Musikschule;Mühle;Musée;Officina;Optique;Orthopädie;Osteria;Ottica;Padaria;Panadería;Panificio
Papeterie;Papelería;Pasticceria;Pastelaria;Pâtisserie;Peluquería;Pensjonat;Pescadería;Pharmacie;Piekarnia;Pizza
Poissonnerie;Praxis;Primeur;Pub;Pâtisserie-Salon;Quincaillerie;Quinta;Rahmen;Raumausstattung;Reinigung;Reisebüro
Reiterhof;Relais;Reparaturwerkstatt;Restauracja;Restaurang;Ristorante;Salón;Sanitär;Sartoria;Schlosserei;Schneiderei
Schreinerei;Schuhhaus;Segelschule;Slagerij;Societé;Spielwaren;Sport;Stolarstwo;Stoffe;Surf Shop;Tabac;Tanzschule
Teehaus;Tenuta;Tierklinik;Tierpraxis;Tintorería;Tischlerei;Traiteur;Uhren;Verlag;Vinería;Vivero;Werkstatt;Wäscherei
Winzerhof;Wirtshaus;Zimmerei;Zahnarztpraxis;Zoo;Étude;Ébénisterie;Łazienki""")
TRADES = _known("""Roofing;Removals;Cycles;Joinery;Florists;Pottery;Brewery;Farm Shop;Ceramics;Freight;Optics;Outdoor;Office Supply;Seeds
Carpets;Upholstery;Instruments;Marine;Diving;Dental;Veterinary Clinic;Driving School;Language School;Music School;Cheese
Wine Merchants;Coffee Roasters;Tea House;Print;Signs;Web Services;Cloud;Data;Health;Biotech;Aviation;Shipping;Timber;Steel
Glass;Plastics;Packaging;Cleaning;Property;Estates;Lettings;Trust;Foundation;Institute;University;College;Primary School
Arts Council;Rowing Club;Choral Society;Volunteer Centre;Parish Council;Housing Association;Water Board;Tourist Office
Accountants;Acoustics;Advisory;Air Conditioning;Animal Rescue;Antiques;Apartments;Appliances;Architects;Art Supplies
Asphalt;Associates;Athletics;Auctions;Audio;Auto Parts;Autos;Bagels;Barbers;Bathrooms;Beauty;Bikes;Blinds;Boat Hire
Boatyard;Bookbinders;Bookshop;Bookstore;Boilers;Bricks;Building Supplies;Butchers;Camping;Car Hire;Car Rental;Caravans
Care;Care Home;Castings;Chemicals;Chimneys;Chocolate;Cider;Cinema;Civil Engineering;Clothing;Coaches;Coatings;Coffee
Components;Confectionery;Construction;Contractors;Cookware;Copy Shop;Couriers;Craft Supplies;Credit Union;Cruises
Curtains;Dairies;Dance Academy;Decorators;Delicatessen;Demolition;Diagnostics;Distillery;Doors;Dry Cleaners;Drones
Dynamics;Eggs;Electrical;Electricals;Elevators;Engineering;Engravers;Equestrian;Estate Agents;Excavations;Exports
Eyewear;Fabrics;Farms;Fasteners;Feed;Fencing;Ferries;Fertilisers;Film;Fine Art;Fire Safety;Fisheries;Fitness
Flight School;Flooring;Florist;Flour Mill;Footwear;Forestry;Forge;Foundry;Frames;Fruit;Fuels;Funeral Services
Furnishings;Gallery;Gaming;Garage;Garden Centre;Gas;Gin;Glazing;Golf Club;Greenhouses;Groceries;Guitars;Gymnastics
Haulage;Heating;Hospice;Hosiery;Ice Cream;Imaging;Imports;Insulation;Ironworks;Jewellers;Karate Club;Kennels;Kitchens
Knitwear;Labels;Laboratories;Ladders;Landscaping;Laser;Laundry;Leasing;Leather;Legal;Library;Lifts;Lighting;Lime;Linens
Locksmiths;Luggage;Machinery;Maintenance;Malt;Manufacturing;Maps;Market;Masonry;Mattresses;Meats;Mechanical;Medical
Medical Centre;Metals;Milling;Minerals;Mining;Mobile;Mobility;Models;Montessori;Mortgages;Motor Works;Motorcycles;Music
Natural Stone;Navigation;News;Nurseries;Oils;Opticians;Orchards;Organics;Outfitters Club;Paints;Paper;Parcel;Pasta
Patents;Paving;Pest Control;Pets;Pharmacy;Photography;Physiotherapy;Pianos;Pies;Pipes;Pizza;Planning;Plants;Plastering
Play Centre;Pools;Ports;Poultry;Precision;Primary Care;Produce;Projects;Publishing;Pumps;Quarries;Radio;Rail;Realty
Records;Recruitment;Recycling;Refrigeration;Removals and Storage;Rentals;Repairs;Research;Rice;Riding School;Robots
Rope;Rubber;Saddlery;Safety;Sailing;Salt;Sanitation;Sawmill;Scaffolding;School;Scientific;Screen Printing;Seafood
Seating;Sensors;Services;Sheds;Shoes;Sign Writers;Skiing;Skincare;Skips;Soap;Solicitors;Spas;Spices;Sports;Springs
Stables;Staffing;Stationers;Stone;Stoneware;Storage;Stoves;Surf;Surveyors;Swim School;Tailors;Tax;Taxis;Technologies
Technology;Telecom;Tents;Test Centre;Theatre Company;Therapeutics;Tiles;Tobacco;Tours;Toys;Tractors;Trading;Trailers
Training;Translations;Transport;Tree Care;Trout Farm;Tutors;Tyres;Unlimited;Utilities;Valves;Vans;Vegetables;Vehicles
Ventilation;Ventures;Video;Vineyards;Vision;Vintage;Walking Tours;Warehousing;Watches;Water;Weddings;Welding;Wellness
Wholesale;Wind Power;Windows;Wire;Woodwork;Wool;Workwear;Yachts;Yarns;Yoga;Zoo;Anlagenbau;Automobile;Bau;Bedachungen
Dentaltechnik;Druck;Elektrotechnik;Fenster;Haustechnik;Heizung;Immobilien;Landtechnik;Logistik;Maschinen;Medizintechnik
Reisen;Transporte;Umzüge;Verpackungen;Werkzeuge;Bâtiment;Carrelage;Électricité;Espaces Verts;Immobilier;Menuiseries
Peinture;Plomberie;Transports;Voyages;Costruzioni;Impianti;Mobili;Trasporti;Construcciones;Muebles;Reformas;Seguros
Bouw;Installatie;Bygg;Fastigheter;Snickeri;Budownictwo;Meble;Usługi;Stavby""")
EVENTS = _known("""summer fair;quiz night;jumble sale;flea market;book fair;open day;open house;carol singing;chess tournament
staff meeting;kick-off meeting;board meeting;team lunch;parents' evening;sports day;school play;blood drive
poetry slam;cinema night;tango evening;wine tasting;whisky tasting;baking course;sewing course;pottery class;drawing class
German course;yoga class;guided tour;city walk;canal cruise;bike tour;charity run;half marathon;regatta;dog show
beer festival;street party;lantern parade;fireworks;vernissage;reading;book launch;panel discussion;lecture;webinar;hackathon
coders meetup;job fair;career day;graduation ceremony;wedding;silver wedding;christening;birthday party;housewarming;funeral
memorial service;farewell drinks;Christmas dinner;annual meeting;general assembly;choir concert;organ recital;school reunion
blood donation;repair café;clothes swap;plant sale;beach clean-up;tree planting;spring cleaning;fire drill;press conference
acoustic evening;advent market;afternoon tea;air show;allotment open day;antiques fair;apple day;archery taster session
art auction;artist talk;autumn walk;awards ceremony;baby group;balloon festival;ballet evening;barbecue;barn dance
beach volleyball cup;bike check;bingo night;birdwatching walk;bonfire night;book club;book signing;boot camp
brass band concert;breakfast briefing;brewery tour;budget meeting;cabaret night;cake sale;camp reunion
candlelight dinner;candle making workshop;canoe trip;car boot sale;castle tour;ceilidh;cello recital;cheese tasting
chess club evening;children's disco;children's theatre;choir rehearsal;Christmas fair;Christmas market;circus workshop
citizens' forum;civil wedding;client lunch;climbing course;coding class;coffee morning;collectors' fair;comedy night
comic fair;community breakfast;company outing;conference dinner;confirmation;consultation hour;cookery demonstration
cooking class;costume party;council meeting;craft fair;crime reading;cross-country race;cruise dinner;customer day
cycling tour;dance class;dance show;debate evening;demo day;design sprint;dinner dance;dinner party;diving course
dog training;dragon boat race;dress rehearsal;driving safety course;Easter brunch;Easter egg hunt;eco fair
election night;engagement party;English conversation class;evacuation exercise;evening class;exam preparation course
exhibition opening;exit interview;face painting;family brunch;family day;fancy dress ball;farm visit;farmers' market
fashion show;fencing tournament;field trip;film premiere;film screening;first-aid training;fishing contest
fitness class;flamenco show;flower show;folk night;food market;football tournament;foraging walk;founders' breakfast
freshers' week;fun run;fundraising dinner;games evening;garden party;garden tour;general rehearsal;ghost walk
gin tasting;golden wedding;golf day;gospel service;grand opening;grape harvest;grill party;guest lecture;guitar lesson
gymkhana;hairdressing demo;Halloween party;handicraft market;harbour tour;harvest festival;health check;health day
hen party;heritage walk;hiking weekend;history lecture;hockey match;horse show;hymn evening;ice rink opening
improv show;induction day;information evening;inspection visit;international breakfast;introduction to pilates
investor call;jam session;jazz brunch;job interview;judo championship;karaoke night;kayak trip;kite festival
knitting circle;language café;launch party;leaving do;legal advice session;library tour;life drawing class;light show
line dance evening;literature festival;live podcast;lunch concert;magic show;management meeting;maths olympiad
May Day rally;medieval market;meditation evening;members' meeting;memory café;midnight mass;midsummer party
mindfulness course;model train show;monthly review;moonlight swim;morning yoga;mother and baby yoga;motorcycle rally
mountain hike;moving sale;murder mystery dinner;mushroom walk;museum night;music lesson;musical;naming ceremony
nativity play;naturalisation ceremony;neighbours' picnic;networking breakfast;New Year's concert;New Year's Eve party
night hike;onboarding session;one-to-one;online course;online tutorial;open air cinema;open mic night;open rehearsal
open stage;opera evening;orchestra rehearsal;orientation day;painting course;pancake breakfast;parade;parent council
parents' breakfast;parkrun;parish fair;pasta making class;pensioners' lunch;pet blessing;photo course;photo exhibition
physics lecture;piano recital;picnic;pilgrimage;pizza evening;planning workshop;play reading;poker night;pop concert
portfolio review;pre-Christmas drinks;press breakfast;press preview;private viewing;product demo;product launch
project review;prom;prize giving;pub crawl;public consultation;public hearing;puppet show;quarterly review;quilting bee
railway open day;rap workshop;record fair;recruitment evening;reggae night;rehearsal dinner;relaxation class
research colloquium;residents' meeting;retirement party;retro gaming night;road race;rock concert
roller disco;roundtable;rowing course;safety briefing;sailing course;sales meeting;salsa night;sample sale;sauna night
school concert;school fair;science slam;sculpture walk;seed swap;self-defence course
senior citizens' afternoon;seniors' dance;sewing circle;shareholders' meeting;shooting competition;sing-along
site visit;ski trip;snow hike;soap making course;soup kitchen;speed dating;spelling bee;spring ball;spring concert
sprint planning;squash ladder;stag night;stamp fair;stargazing evening;steam rally;steering committee
storytelling evening;strategy day;street food market;student union party;study group;summer camp;summer concert
summer school;Sunday roast;supervisors' meeting;supper club;surprise party;swap meet;swimming gala
table tennis tournament;tai chi in the park;talent show;tap class;tasting menu evening;tax workshop;tea dance
team building day;tech talk;tennis open;thanksgiving service;theatre trip;thesis defence;tombola;toddler group;toy sale
tractor pull;trade fair;training day;treasure hunt;trial lesson;triathlon;trivia night;tug of war;upcycling workshop
vaccination day;veterans' lunch;village fete;vintage car rally;violin recital;volunteers' evening;walking tour
warehouse sale;water fun day;weaving course;wedding anniversary;wedding fair;welcome drinks;welcome reception
wellness day;wildlife talk;wine festival;winter ball;winter swim;women's breakfast;woodland walk;work anniversary
world music night;wreath making workshop;writers' circle;writing workshop;year-end party;youth camp;youth forum
zumba class;Sommerfest;Flohmarkt;Elternabend;Betriebsversammlung;Lesung;Kinoabend;Tag der offenen Tür;Weinprobe
Stadtführung;Nachbarschaftsfest;Adventskonzert;Mitgliederversammlung;Yogakurs;Nähkurs;Weihnachtsfeier;Schulfest
Grillabend;Töpferkurs;Frühjahrsputz;Laternenumzug;brocante;vide-grenier;fête de quartier;soirée jeux;atelier cuisine
assemblée générale;visite guidée;concert de Noël;portes ouvertes;stage de danse;repas de quartier;kermesse;loto
cours de dessin;réunion de chantier;pot de départ;conférence-débat;bourse aux vêtements;feu d'artifice;marché de Noël""")
TITLES = _known("""Sponges;Bridges;Night Trains;Wild Bees;Sourdough;Lighthouses;Old Maps;Street Photography;Taxes;Freelancers;Beginners;Taming Data
Quiet Cities;Slow Rivers;Robots;Honest Games;Glaciers;Salt;Paper;Clocks;Good Soil;Lost Letters;Blue Notes;Tides;Owls;Stars
Rust;Kubernetes;Small Boats;Big Questions;Mindful Cooking;Everyday Law;Money;Memory;Islands;Gothic Windows;Moths;Mountains
Apples;Arctic Foxes;Bees;Birds of Prey;Bicycles;Black Holes;Bread;Bronze;Burnout;Butterflies;Calm Mornings;Canals
Castles;Cats;Chairs;Cheap Flights;Cheese;Cities;Clay;Clever Kitchens;Clouds;Coffee;Comets;Compost;Cookbooks;Coral Reefs
Cranes;Curious Minds;Dark Matter;Deep Sleep;Deserts;Dinosaurs;Dragons;Drums;Earthquakes;Eels;Electric Dreams;Elephants
Empty Houses;Endless Fields;Fables;Faces;Fear of Flying;Fermentation;Ferns;Fire;First Dates;Fish;Flags;Floods
Folk Tales;Fonts;Forgotten Heroes;Fossils;Foxes;Fungi;Gardens;Gentle Giants;Ghosts;Glass;Global Trade;Good Habits
Gravity;Great Speeches;Hats;Healthy Backs;Hedgehogs;Heritage Seeds;Hidden Rooms;High Mountains;Honey;Horses;Hot Springs
Houses;Ice;Inheritance;Ink;Insects;Inventions;Iron;Jam;Kings;Knots;Knights;Lace;Ladders;Large Numbers;Lemons;Lichen
Light;Limestone;Local Food;Long Roads;Love Letters;Magic;Maps;Marble;Masks;Meadows;Medieval Towns;Migrants;Milk;Mirrors
Monsters;Moon Landings;Mosses;Murals;Mushrooms;Mysteries;Myths;New Neighbours;Night Skies;North Winds;Numbers;Oak Trees
Old Friends;Olives;Open Doors;Orchids;Oysters;Painted Walls;Palaces;Paradise;Parrots;Patience;Pensions;Pepper;Pirates
Plain Language;Planets;Plumbing;Poisons;Polar Light;Potatoes;Power Lines;Prime Numbers;Privacy;Puzzles;Quilts;Railways
Rainbows;Rare Books;Red Kites;Rent;Rice;Riddles;Ropes;Roses;Ruins;Sailors;Sand;Scents;Screens;Secret Gardens;Shadows
Sharks;Sheep;Ships;Shoes;Silence;Silk;Simple Meals;Small Gestures;Smoke;Snails;Snow;Social Housing;Soup;Spices;Spiders
Stained Glass;Steam;Storms;Strange Animals;Street Names;Strong Women;Sugar;Swallows;Tapestries;Tea;Teeth
Theatre Curtains;Time;Tiny Homes;Tomatoes;Towers;Trains;Trees;Tulips;Tunnels;Turtles;Typewriters;Umbrellas;Unions
Urban Trees;Vaccines;Velvet;Vineyards;Violins;Volcanoes;Walls;Water;Waves;Weddings;Weeds;Whales;Wheat;White Nights
Wild Garlic;Wills;Windmills;Winter Gardens;Wolves;Wooden Toys;Wool;Words;Worms;Yeast;Young Voices""")
VENUES = _known("""village hall;town hall;parish hall;sports hall;school gym;assembly hall;lecture hall C;main auditorium;seminar room 2
room 4.07;room 104;conference room Elbe;meeting room 5;the old fire station;the courtyard;the beer garden;the rooftop terrace
the canteen;the library;the market square;the boathouse;the bandstand;the botanical garden;the cinema;the crypt;city hall
community centre;youth centre;cultural centre;the harbour;platform 4;the chapel;the synagogue
aula;auditorium 1;banqueting hall;barn 3;basement bar;bike shed;board room;boardroom 2;bowling alley;breakfast room
building C;business lounge;cafeteria;campsite kitchen;casino;castle courtyard;cathedral;charity shop;chess café
children's library;clubhouse;common room;computer lab 3;concert hall;conference room Rhine;conference suite 4
conservatory;convent garden;cookery school;court room 2;covered market;craft room;cricket pavilion;crypt chapel
dance studio 2;day centre;debating chamber;dining hall;drama studio;dry dock;east wing;entrance hall;equestrian centre
events barn;exhibition hall 5;factory hall;farmhouse;ferry terminal;film museum;first-floor lounge;fish market
football ground;foyer;function room;garden room;garden shed café;gate 12;glasshouse;golf club;granary;great hall
green room;guard house;gym B;harbour office;health centre;hospital chapel;hotel bar;ice rink;indoor pool;jazz cellar
job centre;kitchen studio;lab 2.14;language lab;lecture room 7;leisure centre;lifeboat station;lighthouse;lodge
long gallery;lounge on level 2;main gate;main square;main stage;maritime museum;market hall;meeting point B
meeting room Oslo;meeting room Lisbon;mosque;mountain hut;museum café;music room;music school;national library
natural history museum;night club;nursery;office on the third floor;old brewery;old mill;open-air theatre;orangery
orchard;outdoor pool;paddock;parents' room;park café;parsonage;picture gallery;pier 7;planetarium;playground
practice room 9;press room;primary school;promenade;public baths;pump room;quayside;quarry;railway museum
railway station;reading room;refectory;registry office;rehearsal room A;retreat house;riding hall;rose garden
sailing club;school canteen;school hall;science park;scout hut;sculpture park;seminar room 11;skate park;ski lodge
small hall;snooker club;social club;south lawn;sports ground;squash courts;stable yard;staff room;station hotel
studio 3;studio theatre;summer house;swimming pool;tasting room;tea room;tennis club;terrace;theatre bar;thermal baths
third-floor kitchen;tithe barn;training room 6;university library;upper deck;vaulted cellar;velodrome;vestry
village green;village pub;village school;vineyard;visitor centre;waiting room;warehouse 9;water tower;waterfront
wedding barn;west hall;wine cellar;winter garden;woodland stage;workshop 2;yacht club;youth hostel;zoo entrance
Festzelt;Gemeindehaus;Sitzungssaal;Turnhalle;Mensa;Bürgersaal;Pfarrsaal;Stadtbibliothek;Vereinsheim;Waldbühne
salle des fêtes;médiathèque;salle polyvalente;mairie;gymnase;maison des associations;parvis de la gare;salle 12;amphi B""")
VENUE_HEADS = _known("""The Golden;The Red;The Black;The Old;St. Mary's;St. Anne's;Riverside;Lakeview;Kulturhaus;Stadthalle
Bürgerhaus;Salle;Théâtre;Espace;Centre;Villa;Palais;Teatro;Palazzo;Casa;Haus;Halle;Studio;Kino;Schloss;Kloster;Parc;Jardin
The Blue;The White;The Green;The Crooked;The Crown &;The Drunken;The Flying;The Grand;The Happy;The Hidden;The Jolly
The King's;The Laughing;The Little;The Lost;The Merry;The Mill;The New;The Queen's;The Royal;The Silver;The Sleeping
The Two;St. Peter's;St. John's;St. Catherine's;St. George's;St. Luke's;St. Martin's;St. Michael's;St. Nicholas
St. Olaf's;St. Patrick's;St. Stephen's;All Saints;Holy Trinity;Abadía;Alte;Altes;Am Alten;Arena;Auditorio;Auditorium
Aula;Bahnhof;Bar;Biblioteca;Burg;Cabaret;Café;Campus;Cascina;Castello;Castillo;Centro;Chapelle;Château;Christuskirche
Cinéma;Club;Dom;Domaine;Estadio;Ferme;Festhalle;Fort;Forum;Galerie;Gasthaus;Gemeindehaus;Halle aux;Hofgut;Hotel;Hôtel
Jugendhaus;Kapelle;Keller;Kulturzentrum;Kunsthalle;La;Le;Les;Literaturhaus;Mercado;Messe;Museo;Museum;Musée;Opera
Paleis;Palacio;Parkhotel;Pfarrheim;Plaza;Pont;Rathaus;Restaurant;Salon;Sala;Scheune;Schule;Sporthalle;Stadion;Stadtpark
Stiftung;Taverne;Teatr;Theater;Torre;Turm;Vereinshaus;Weingut;Zeche;Zelt;Église;Église Saint-Pierre""")
VENUE_TAILS = _known("""Arms;Lion;Inn;Tavern;Church Hall;Park;Stadium;School;Chapel;Planetarium;Observatory;Brewery;Pier;Playhouse
Abbey;Academy;Allotments;Amphitheatre;Assembly Rooms;Ballroom;Barn;Barracks;Baths;Bingo Hall;Boat Club;Bookshop
Bowls Club;Bridge;Cafeteria;Campus;Casino;Castle;Cathedral;Cellar;Chambers;Cinema;Clinic;Club House;Community School
Concert Hall;Corn Exchange;Country House;Courtyard;Cricket Ground;Dance Studio;Diner;Dock;Exchange;Exhibition Centre
Farm;Field;Fort;Foundry;Gardens;Gate;Golf Course;Grange;Guildhall;Gymnasium;Harbour;Head;Heath;Hill;Hospital;Hostel;Hub
Ice Rink;Institute;Jazz Club;Lake;Leisure Centre;Lido;Lighthouse;Lodge;Manor;Marina;Market;Meadow;Meeting House;Mill
Mission;Mosque;Office Park;Opera House;Palace;Parade;Parish Church;Plaza;Point;Priory;Quay;Racecourse;Recital Hall
Rectory;Restaurant;Room;Rooms;Sailing Club;Sanctuary;School of Art;Shed;Showground;Social Club;Spa;Sports Centre;Square
Stables;Stage;Station;Studio;Studios;Synagogue;Temple;Terrace;Tower;Tram Depot;University;Vaults;Village Hall;Vineyard
Warehouse;Waterfront;Wharf;Winery;Woods;Working Men's Club;Works;Yard;Youth Club;Bad;Halle;Saal;Bühne;Museum;Schule
Festwiese""")
COMMON_WORDS = _known("""report;window;kitchen;question;weather;meeting;minute;teacher;village;garden;morning;engine;letter;neighbour;festival
picture;corner;station;afternoon;holiday;summer;machine;cupboard;traffic;colleague;family;folder;problem;solution;manager
customer;building;printer;cable;journey;lesson;exercise;recipe;newspaper;article;reader;author;chapter;page;sentence;sky
river;bridge;street;shop;market;bread;soup;dinner;breakfast;cup;plate;chair;table;carpet;wall;door;roof;stairs;cellar;lamp
cat;dog;bird;horse;tree;leaf;flower;rain;wind;snow;storm;cloud;sunshine;field;farm;fence;gate;path;hill;valley;forest;lake
music;song;concert;stage;curtain;audience;ticket;queue;seat;programme;choir;rehearsal;instrument;melody;film;screen;camera
account;acorn;advice;airport;album;almond;ambulance;anchor;angel;animal;ankle;answer;apartment;apple;apron;arch
argument;army;arrow;artist;attic;aunt;autumn;avenue;award;baby;bakery;balcony;ball;balloon;banana;bank;barn;barrel
basket;bath;battery;beach;beam;bean;bear;beard;beaver;bedroom;bee;beer;bell;belt;bench;berry;bicycle;birch;birthday
biscuit;blanket;blossom;board;boat;bone;boot;border;bottle;bottom;boulder;bowl;box;boy;branch;brick;bride;brook;broom
brother;brush;bucket;bud;bug;bulb;bull;bus;bush;butcher;butter;butterfly;button;cabbage;cabin;cage;cake;calendar;camel
camp;canal;candle;canvas;captain;car;card;carrot;cart;castle;caterpillar;cathedral;cave;ceiling;cement;centre;cereal
chain;chalk;channel;cheek;cheese;cherry;chess;chestnut;chicken;child;chimney;chin;church;cinema;circle;circus;clay
cliff;climate;clock;cloth;clover;club;coach;coal;coast;coat;coffee;coin;collar;college;colour;comb;comet;compass;cook
copper;coral;cork;cottage;cotton;council;country;courage;cousin;cow;crab;cradle;crane;crayon;cream;creek;cricket;crow
crowd;crown;crystal;cuckoo;cushion;dance;danger;daughter;dawn;daylight;deer;desert;design;dessert;dew;diamond;diary
dice;dictionary;dinosaur;direction;dish;dolphin;donkey;dragon;drawer;dream;dress;drum;duck;dust;eagle;earth;east;echo
edge;egg;elbow;elephant;emerald;empire;energy;evening;eye;fable;face;factory;falcon;farmer;fashion;father;feather;fern
ferry;fever;fiddle;finger;fire;fish;flag;flame;flock;flood;floor;flour;flute;fog;foot;fork;fort;fountain;fox;frame
freedom;friend;frog;frost;fruit;furniture;future;gallery;game;garage;garlic;gem;ghost;giant;gift;ginger;girl;glacier
glass;glove;goat;gold;goose;grain;grammar;grape;grass;gravel;grocery;grove;guest;guide;guitar;hair;hammer;hand;harbour
hare;harp;harvest;hat;hawk;hazel;heart;heather;heaven;hedge;helmet;herb;heron;hero;hobby;honey;hook;hope;horizon;horn
hospital;hotel;hour;house;ice;idea;ink;insect;iron;island;ivory;ivy;jacket;jam;jar;jewel;joke;judge;juice;jungle;kettle
key;king;kiss;kite;kitten;knee;knife;knight;knot;ladder;lady;lamb;language;lantern;lark;laundry;lavender;lawn;leader
leather;legend;lemon;letter box;library;light;lighthouse;lily;linen;lion;lizard;lobster;log;lunch;lynx;magnet;maple
marble;mask;mast;match;mattress;meadow;medal;medicine;memory;merchant;metal;meteor;milk;mill;mine;mirror;mist;monkey
moon;moss;moth;mother;motor;mountain;mouse;mouth;mud;museum;mushroom;mystery;nail;napkin;nature;neck;needle;nest;net
night;noise;noon;north;nose;notebook;nurse;nut;oak;oar;oasis;ocean;office;olive;onion;orange;orbit;orchard;otter;oven
owl;ox;oyster;paint;palace;palm;pan;paper;parade;parcel;parent;parrot;party;passage;path finder;peach;peacock;pear
pearl;pebble;pencil;penguin;people;pepper;perfume;petal;piano;pier;pigeon;pillar;pillow;pilot;pine;pipe;pirate;planet
plant;platform;plum;pocket;poem;poet;point;pond;pony;poppy;port;postcard;potato;powder;prince;prize;proverb;pumpkin
puppet;purse;puzzle;pyramid;quarry;queen;quilt;rabbit;radio;raft;railway;rainbow;raven;recipe book;reef;ribbon;rice
riddle;ring;road;robin;rock;rocket;root;rope;rose;rubber;ruby;sail;salad;salmon;salt;sand;sauce;saw;scale;scarf;science
scissors;sea;seal;season;seed;shadow;shark;sheep;shell;shelter;shield;ship;shirt;shoe;shore;shoulder;shower;silk;silver
singer;sister;skirt;sleep;slope;smile;smoke;snail;soap;sofa;soil;soldier;son;south;space;spark;sparrow;spice;spider
spirit;spoon;sport;spring;square;squirrel;stable;stair;stamp;star;statue;steam;step;stocking;stone;story;stove;straw
stream;student;sugar;suit;sun;swallow;swan;sweater;swing;sword;syrup;tail;tailor;tale;tea;tent;term;thistle;thread
throat;thumb;thunder;tide;tiger;tile;timber;toast;tomato;tongue;tooth;torch;tower;town;toy;tractor;trade;train;travel
treasure;triangle;tribe;trumpet;trunk;tulip;tunnel;turtle;twig;uncle;universe;vase;vegetable;velvet;verse
village square;vine;violet;violin;visitor;voice;volcano;voyage;wagon;waiter;wallet;walnut;wardrobe;water;wave;wax
weasel;wedding;weed;week;west;whale;wheat;wheel;whisper;whistle;willow;window sill;wing;winter;witch;wolf;wood;wool
word;worker;world;worm;wren;yard;yeast;zebra""")
BRANDS = _known("""Abelux;Adlerhorst;Agrinor;Akena;Albatros;Alderman;Almhof;Amberley;Andoria;Aquila;Ardent;Arvo;Ashby & Co.;Aventis Home
Azura;Babylino;Baltika;Bärenherz;Barrow;Bellmont;Bergfreund;Beryl;Bianca Casa;Birkwood;Blixt;Bluefin;Bodenwerk;Boltz
Bonheur;Borgström;Brava;Brisa;Brontë;Cadmus;Calor;Cambria;Canterfield;Carrick;Casalinga;Cavallo;Chronos;Clipper;Colline
Cordova;Corvus;Crownlight;Cuisinova;Dalton;Danube;Delphi;Diamant;Dovetail;Drava;Dulcinea;Eberle;Edelweiss;Eichenhof
Elmstead;Enduro;Ergona;Estrella;Étoile;Evander;Fairline;Fernwood;Ferrox;Fil d'Or;Fjällbo;Flint & Son;Fossa;Frigo
Galileo;Gardalux;Gecko;Glacier;Glenmore;Globus;Goldhahn;Grünwald;Gustavsen;Hammerfest;Hartwig;Hearthside;Heidi's
Helvetia Sport;Herkules;Hilltop;Hoplite;Ibex;Igloo Pro;Ilmari;Inovo;Isola;Jardin d'Eve;Jolie;Juno;Kaldi;Kastor;Kestrel
Kinderland;Kolibri;Kronberg;Kumo;La Fontaine;Lakeland Tools;Lamborg;Lanterna;Larkfield;Leda;Leuchtturm;Lindhaus;Lumo
Lundqvist;Madrigal;Magenta Home;Maison Blanche;Maplewood;Mareblu;Marlin;Matterhorn;Mercato;Merlin;Minerva;Molino
Montclair;Moonraker;Myrtle;Nanook;Narwhal;Nautilus;Nestra;Nobile;Nordlicht;Novatec;Oakhurst;Obelisk;Odense Design
Olympos;Orlando;Orsola;Otterbach;Pallas;Papillon;Pax;Pebble;Pelikano;Penrose;Petit Ours;Phoenix;Pino;Platinum Line
Polarstern;Pomona;Portobello;Primavera;Quercus;Quill;Rabenstein;Rapidex;Raven;Redwood;Regina;Rheingold;Riviera;Rockwell
Rondell;Rosalie;Rowntree Outdoor;Sable;Salamander;Sampo;Santorini;Sauerländer;Schwalbe;Seraph;Sheltie;Sirocco;Skagerrak
Solara;Sparrow;Spinnaker;Starling;Steinbock;Stratus;Suave;Sumatra;Svea;Tamarack;Teddy & Co.;Tempelhof;Terranova
Thermolux;Tidewater;Tivoli;Torro;Trailhead;Tramontana;Tritonix;Trudi;Ulmer;Urania;Valdor;Vanguard;Vela Sport;Velvetine
Verdi;Vesuvio;Vidar;Vintner's;Vistula;Vulcan;Waldmann;Wanderlust;Waverley;Weathervane;Wildgoose;Windrose;Wolkenlos
Xenia;Yeti;Ystad Living;Zaffiro;Zenit;Zugvogel;Zwilling & Bär""")
STREETS_EN = _known("""Abbotsford Road;Acacia Avenue;Airport Way;Alma Street;Anchor Lane;Angel Hill;Ash Grove;Back Lane;Bank Street
Barrack Street;Bath Row;Battery Place;Beacon Hill;Bedford Square;Beech Close;Bell Lane;Belmont Terrace;Birch Court
Blackberry Lane;Blossom Street;Boundary Road;Bow Lane;Brewer's Yard;Brick Lane;Broad Street;Broadway;Brook Green
Buckingham Gate;Butcher Row;Canal Walk;Canal Street;Cannon Street;Carlton Place;Cathedral Close;Chapel Hill
Charing Place;Cherry Orchard;Church Walk;Circular Road;Clarence Parade;Cliff Road;Coach Road;College Green
Commercial Street;Coopers Row;Corn Street;Cornmarket;Cow Lane;Crown Hill;Custom House Lane;Dairy Lane;Dean Street
Dock Road;Drovers Way;Duke Street;East Parade;Elmhurst Gardens;Exchange Place;Factory Lane;Fairview Drive;Farm Road
Ferry Road;Field View;Fifth Avenue;First Avenue;Fish Street;Fleet Lane;Forge Lane;Fountain Place;Fourth Street
Friar Gate;Furnace Road;Gallows Hill;Gas Street;George Square;Gillygate;Glebe Road;Goose Green;Granary Wharf
Grange Road;Grove Park;Half Moon Lane;Hanover Square;Hawthorn Rise;Heath Road;Hemlock Court;Hibernia Row;High Street
Hollow Way;Holly Bank;Hospital Road;Ivy Lane;Jamaica Street;Jubilee Drive;Juniper Way;Kiln Lane;King's Parade;Kirkgate
Laburnum Grove;Ladywell;Lamb Street;Laurel Avenue;Leather Lane;Liberty Street;Lime Street;Linden Avenue;Lock Lane
London Road;Long Acre;Lower Green;Magnolia Drive;Manor Road;Market Place;Marsh Lane;Meadow Rise;Mercer Row;Mews Lane
Middle Street;Milestone Road;Milk Street;Monument Way;Moor Lane;Mount Pleasant;Mulberry Close;Nether Street;New Road
Newgate;Nile Street;Ninth Street;North Circular;North Parade;Northfield Road;Nursery Lane;Old Coach House Lane
Old Mill Lane;Orchard Rise;Oxford Street;Paddock Way;Paradise Row;Parliament Street;Peacock Lane;Piccadilly
Pilgrim Street;Plantation Road;Plough Lane;Pond Lane;Poplar Avenue;Pound Lane;Priory Road;Prospect Place;Quarry Hill
Quay Street;Quayside;Railway Terrace;Rectory Lane;Regent Street;Ridge Road;Riverside Drive;Rope Walk;Rose Hill
Rowan Close;Saddler Street;Salisbury Road;Saville Row;Second Avenue;Seventh Street;Shambles;Sheep Street;Silver Street
Smithy Lane;South Parade;Spinners Way;Spruce Street;St Andrew's Road;St Giles;St James Street;St Mary's Lane
Stable Yard;Steep Hill;Stoney Lane;Strand;Summerfield Road;Sunset Boulevard;Sycamore Avenue;Tannery Lane;Temple Street
Tenter Ground;Third Street;Thorn Lane;Tollgate Road;Tower Hill;Townsend Lane;Trafalgar Square;Trinity Street
Turnpike Lane;Upper Green;Vale Road;Viaduct Street;Vicarage Road;Vine Street;Warren Close;Water Lane;Waterloo Road
Weavers Row;Wellington Place;West End Lane;Westgate;Wharf Road;Whitefriars;Wicket Lane;Windmill Hill;Wood Street
Woodland Drive;Yew Tree Lane;York Way""")
STREETS_DE = _known("""Ahornweg;Akazienallee;Alte Gasse;Alter Markt;Altstadtring;Am Anger;Am Bahndamm;Am Brunnen;Am Hang;Am Kirchplatz
Am Mühlbach;Am Sportplatz;Am Stadtpark;Am Wasserturm;Amselweg;An der Alten Post;An der Ziegelei;Augustinerstraße
Bachgasse;Bäckergasse;Badstraße;Bahnhofplatz;Bahnhofstraße;Beethovenstraße;Bergstraße;Birkenweg;Bismarckplatz
Blumenstraße;Brauhausgasse;Breite Straße;Brückenstraße;Brunnenweg;Buchenring;Burgstraße;Dammstraße;Domplatz;Donaustraße
Dorfstraße;Eichenweg;Elbchaussee;Erlenweg;Feldstraße;Finkenweg;Fischergasse;Fliederweg;Friedhofstraße
Friedrich-Ebert-Straße;Fuchsgraben;Gänsemarkt;Gartenstraße;Gerbergasse;Goethestraße;Große Gasse;Grüner Weg;Hafenstraße
Hauptplatz;Hauptstraße;Heideweg;Herrengasse;Hintere Gasse;Hirschgraben;Hochstraße;Hofgasse;Holzmarkt;Im Winkel;Im Grund
In den Auen;Industriestraße;Innere Wiener Straße;Jahnstraße;Kaiserdamm;Kapellenweg;Kastanienallee;Kirchgasse
Kirchstraße;Klosterhof;Kornmarkt;Krumme Gasse;Landstraßer Gürtel;Lange Reihe;Lerchenweg;Lessingstraße;Lindenallee
Lindenstraße;Ludwigstraße;Mariahilfer Straße;Marktplatz;Marktstraße;Meisenweg;Mozartgasse;Mühlenweg;Münsterplatz
Neuer Wall;Neugasse;Nordring;Obere Hauptstraße;Obstgasse;Ostendstraße;Pappelallee;Parkstraße;Pfarrgasse;Poststraße
Quellenweg;Rathausplatz;Ringstraße;Rosengasse;Rosenweg;Roßmarkt;Sandweg;Schillerstraße;Schlossallee;Schlossplatz
Schmiedgasse;Schulstraße;Schützenstraße;Seestraße;Sonnenhang;Spitalgasse;Stadtgraben;Steinweg;Südring;Talstraße
Tannenweg;Theaterplatz;Torgasse;Turmstraße;Uferweg;Unter den Linden;Untere Gasse;Veilchenweg;Vordere Gasse;Waldstraße
Wallstraße;Wassergasse;Weberstraße;Weidenweg;Weinbergstraße;Wiesenweg;Wilhelmstraße;Windmühlenweg;Zeppelinstraße
Ziegelhütte;Zum Sägewerk;Zur Alten Schmiede""")
STREETS_FR = _known("""allée des Tilleuls;allée du Château;avenue de la Gare;avenue de la République;avenue des Alpes;avenue du Maréchal Foch
avenue Jean Jaurès;boulevard Carnot;boulevard de la Liberté;boulevard des Arceaux;boulevard Gambetta;boulevard Voltaire
chemin de la Fontaine;chemin des Vignes;chemin du Lavoir;chemin du Moulin;cité des Fleurs;cours Mirabeau
cours Saint-Louis;impasse des Lilas;impasse du Puits;passage du Commerce;place de l'Église;place de la Mairie
place des Halles;place du Marché;place Saint-Michel;quai de la Loire;quai des Bateliers;quai du Port;route de Bordeaux
route de la Plage;route du Lac;rue au Pain;rue Basse;rue Blanche;rue Carnot;rue Chanzy;rue d'Alsace;rue de Bourgogne
rue de l'Abbaye;rue de l'Étang;rue de l'Horloge;rue de la Butte;rue de la Forge;rue de la Monnaie;rue de la Paix
rue de la Poste;rue des Acacias;rue des Bouchers;rue des Carmes;rue des Cordeliers;rue des Écoles;rue des Jardins
rue des Lavandières;rue des Peupliers;rue des Roses;rue des Tanneurs;rue du Bac;rue du Château;rue du Four
rue du Général Leclerc;rue du Pont;rue du Port;rue du Vieux Marché;rue Émile Zola;rue Gambetta;rue Haute
rue Jeanne d'Arc;rue Lafayette;rue Lamartine;rue Molière;rue Neuve;rue Notre-Dame;rue Pasteur;rue Paul Bert
rue Pierre Curie;rue Saint-Denis;rue Saint-Jacques;rue Victor Hugo;rue Vieille;square des Platanes;venelle des Oiseaux
villa des Arts""")
STREETS_OTHER = _known("""Avenida da Boavista;Avenida de la Constitución;Bajcsy út;Brede Hilledijk;Calle Alcalá;Calle de la Cruz;Calle del Olmo
Calle Mayor;Calle Nueva;Carrer de Mallorca;Corso Garibaldi;Corso Vittorio;Damrak;Drottninggatan;Fő utca;Gran Vía
Hämeenkatu;Havnegade;Herengracht;Istiklal Caddesi;Karl Johans gate;Keizersgracht;Kerkstraat;Kirkegata;Kopernika
Kungsgatan;Largo do Carmo;Lijnbaan;Mannerheimintie;Masarykova;Meir;Nowy Świat;Nygade;Paseo del Prado;Piazza Dante
Plac Wolności;Plaza de España;Plaza Mayor;Praça da Alegria;Prinsengracht;Ronda Sant Pere;Rua Augusta;Rua da Prata
Rua das Flores;Sandgata;Skolgatan;Stationsweg;Storgata;Stortorget;Strandgatan;Strandvejen;Torggata;Travessa do Forno
ulica Długa;ulica Piwna;Vasagatan;Vesterbrogade;Via Appia;Via Cavour;Via dei Mille;Via delle Rose;Via Mazzini;Via Roma
Via San Marco;Viale Europa;Vodičkova;Vörösmarty tér;Wilanowska;Zelný trh;Østergade""")
