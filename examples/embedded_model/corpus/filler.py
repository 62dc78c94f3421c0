"""Sentences that state nothing: what stands before and behind the facts in newsletters, long mails and notes.

They are made of patterns and everyday words, so that no two fillers are alike.
"""

from __future__ import annotations

import random

from . import natural_words, pools
from .values import foreign_phrase

PATTERNS = {
    "en": """The [n] [in|behind|near] the [n] [was|is] [a] [again|this year|all week|].
We [talked|laughed|argued] about the [n] and the [n] [for a while|until late|].
[Nobody|Everybody|Somebody] [knows|remembers|asked] why the [n] is [a].
[When|If|Because] the [n] is [a], the [n] [stays|gets|looks] [a] [too|as well|].
[It|This] has been a [a] [year|week|month] for the [n].
[Many|Some|Most] of you [wrote|asked|told us] about the [n]; [thank you|we are working on it|more on that later].
There [is|was] [a|no] [a] [n] [on|under|beside] the [n].
[Last|This] [spring|autumn|winter] the [n] [had to be repaired|was painted|got a new [n]].
[Please|Do] [keep|leave] the [n] [closed|as it is|where it stands].
I [still|never|often] think of the [a] [n] [we saw|from back then|by the [n]].
A [a] [n] [is worth|needs|makes] a [a] [n].
[Read|See] [below|further down] for [news|details] [of|about] the [n].
[On the other hand|Meanwhile|In the end|Of course], the [n] [was|seemed|felt] [a] and [a].
[Some of us|A few people] would [like|prefer] a [a] [n] [instead|next time|].
[What|How much] the [n] [means|needs|costs us in nerves] is [another story|hard to say|anybody's guess].
[Thanks|Thank you] to all who [helped|came|gave a hand] with the [n].
The [n] [group|team|committee] [meets|met] [as usual|without news|again].
[You may have noticed|As some of you know], the [n] [looks|works] [a] [now|these days|].
[Let's|We should] [hope|see to it that] the [n] [stays|remains] [a].
[As always|As every year], [bring|take] a [n] [and a [n]|] and [good mood|some patience].""",
    "de": """[Der|Unser|Ein] [n] [am|im|beim] [n] [war|ist] [a] [wie immer|diese Woche|].
Wir [sprachen|redeten] [lange|kurz] über [das Wetter|den Sommer|die Nachbarn|die Schule].
[Niemand|Jeder] weiß, warum es so [a] ist.
[Wenn|Weil] es [a] ist, bleibt [der Laden|die Küche|das Fenster] zu.
[Danke|Vielen Dank] an alle, die [geholfen haben|da waren|mitgemacht haben].
[Viele|Einige] haben [gefragt|geschrieben], [mehr dazu später|wir arbeiten daran|das freut uns sehr].
[Im letzten Jahr|Im Frühling|Im Winter] wurde [das Dach|der Zaun|die Heizung] repariert.
[Wie immer|Wie jedes Jahr] [gibt es Kuchen|ist für alles gesorgt|bringt gute Laune mit].
[Bitte|Denkt daran]: [die Tür schließen|das Licht ausmachen|nichts liegen lassen].
[Weiter unten|Am Ende] steht, was [sonst noch wichtig|neu] ist.
Es war ein [a]es Jahr, und [das nächste wird besser|wir machen weiter|so soll es bleiben].""",
    "fr": """[Le|Notre|Un] [n] [était|est] [a] [cette semaine|comme toujours|].
Nous avons [parlé|discuté] [longtemps|un peu] [du temps|de l'été|des voisins|de l'école].
[Personne|Tout le monde] ne sait pourquoi.
[Merci|Un grand merci] à tous ceux qui [ont aidé|sont venus|ont participé].
[Beaucoup|Certains] ont [écrit|demandé], [nous y travaillons|on en reparlera|cela nous touche].
[L'an dernier|Au printemps|Cet hiver], on a réparé [le toit|la clôture|le chauffage].
[Comme toujours|Comme chaque année], [il y aura du gâteau|tout est prévu|venez avec le sourire].
[Merci de|Pensez à] [fermer la porte|éteindre la lumière|ne rien oublier].
[Plus bas|À la fin] vous trouverez [le reste|les nouvelles].
C'était une année [a], et [la suite sera belle|on continue|ce n'est pas fini].""",
}
ADJECTIVES = {
    "en": """quiet busy cold warm bright empty crowded pleasant strange useful simple careful lucky patient tired hopeful
        serious cheerful dusty muddy windy late early broken clean heavy gentle boring famous""".split(),
    "de": "gut ruhig kalt warm schön leer voll seltsam einfach laut freundlich lang kurz schwierig bunt".split(),
    "fr": "calme froide chaude belle vide pleine étrange simple longue difficile joyeuse agréable riche".split(),
}
NOUNS = {
    "de": "Garten Bericht Weg Bahnhof Markt Nachbar Zug Abend Ofen Brief Schrank Sommer Verein Brunnen Keller".split(),
    "fr": "jardin rapport chemin marché voisin train four courrier placard club puits couloir débat texte repas".split(),
}


class FillerWriter:
    """Writes sentences of one language that state no fact."""

    def __init__(self, rng: random.Random, language: str, held_out: bool) -> None:
        self.rng = rng
        self.language = language
        self.held_out = held_out
        lines = PATTERNS[language].splitlines()
        self.patterns = [line for i, line in enumerate(lines) if (i % 6 == 4) == held_out] or lines

    def sentence(self) -> str:
        """One sentence with a capital and a mark at its end."""
        text = self.rng.choice(self.patterns)
        while "[" in text:
            end = text.index("]")
            start = text.rindex("[", 0, end)
            text = text[:start] + self._chosen(text[start + 1 : end]) + text[end + 1 :]
        return " ".join(text.replace(" .", ".").replace(" ,", ",").split())

    def _chosen(self, options: str) -> str:
        if options == "n":
            return self._noun()
        if options == "a":
            return self.rng.choice(ADJECTIVES[self.language])
        return self.rng.choice(options.split("|"))

    def _noun(self) -> str:
        if self.language != "en":
            return self.rng.choice(NOUNS[self.language])
        if not self.held_out and self.rng.random() < 0.4:
            return foreign_phrase(self.rng, "word")
        return pools.pick(self.rng, natural_words.COMMON_WORDS, self.held_out)

    def paragraphs(self, num_characters: int) -> str:
        """Paragraphs of so many characters and at most a sentence more."""
        parts: list[str] = []
        length = 0
        while length < num_characters:
            parts.append(self.sentence())
            length += len(parts[-1]) + 1
            parts.append(self.rng.choice([" ", " ", " ", "\n", "\n\n"]))
        return "".join(parts[:-1])
