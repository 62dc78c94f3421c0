"""Ordinary words for training alone: they stand in for any value of a pool, so that its place must tell a value.

None of them is a held-out word of a pool (a test compares them).
"""

from __future__ import annotations


def _items(source: str) -> list[str]:
    return source.strip().replace("\n", "|").split("|")


def _words(source: str) -> list[str]:
    return source.split()


WORDS = _words("""
acorn aisle almond anchor ankle antler apron arrow ash attic axle badge bagel balcony balloon banner barley
barn barrel basin basket beach bead bean beard beehive beetle bell belt berry bishop biscuit blossom boat bolt bone
border bottle bowl branch brick brook broom bucket buckle bulb bundle butter button cabbage cabin cactus cage cake
canal candy canoe cape carpet carrot cart castle cattle cave ceiling cellar chain chalk cherry chimney cinnamon circle
clay cliff clock cloud clover coast coat cocoa coin collar comb comet cone coral cord cork corn corner cottage couch
cradle crane cream creek crown crumb crust curtain daisy dam dawn deck deer desert dew diamond dirt ditch dock dome
donkey dough dragon drawer dream drum duck dune dust eagle ear east echo elbow elm engine evening fabric feather fence
fern fiddle field fig finger flag flame flask fleece flint floor flour flower flute foam fog forest fork fossil fox
frame frost fruit fur garlic gate gem ginger glacier goat goose gown grain grape grass gravel grove gull gum gutter
hail hammock handle harness harp hat hawk hay hazel heath hedge heel hen herb hero hill hinge hive honey hood hoof hook
horn horse hose ice inn insect iris island ivy jam jar jewel jug juice jungle kite knee knight knob lace lagoon lamb
lantern lark lava lawn leaf lemon lever lily lime lion lizard lobster lock locket log lotus magnet mango mane mask mast
meadow melon mint mist mitten moat mole monk moon moss moth mountain mouth mud mustard nail neck nest nettle night
north nut oat oasis onion orbit otter oven owl oyster paddle palace palm panel parrot pasture path peach peacock pear
pearl pebble pepper petal pier pigeon pillar pipe pit plain plank plum pond pony poplar poppy porch powder prairie
puddle pump puppy quarry quill quilt rabbit radish raft rail rain rainbow raven reed reef ribbon ridge ring roof root
rope rose rubber ruby sack saddle sail salmon salt sand sandal sapphire sauce seal seed shadow shark sheep shell shore
shovel shrimp silk skin skirt slate sleeve slope smoke snail snow sock soil soup south spark sparrow spice spider spoon
spruce squash squirrel stable staff stair stem storm straw stream string sugar sun swamp swan syrup tail tar temple
thistle thorn thread throne thumb thunder tiger timber toad tomato torch tower trail train tree trout trumpet trunk
tulip tunnel turnip turtle twig valley vanilla veil velvet vine vinegar violet violin wagon wall wasp wave wax well
west whale wheat wheel whip whistle wig wind window wing wire wolf wreath wrist yard yarn yeast yolk
bold brave brittle broad calm chilly clever coarse crisp curly damp deep dense dim dry dull dusty early empty faint
fancy fierce firm flat fluffy fresh frozen gentle glossy grand grave hard harsh heavy hollow humble keen late lean
light loose loud low lush mellow merry mild misty moist muddy narrow neat noble odd pale proud pure quiet rare raw
ripe rough round rusty sandy shallow sharp shiny short shy slim slow smooth snug sober soft sour spare steep stiff
still stormy straight strict strong sturdy subtle sunny sweet tall tame tender thick thin tidy tiny tough vast warm
wet wide wild windy wise wooly young
acting archery arguing balancing bending biking blowing boiling bouncing bowling boxing braiding breeding brewing
burning carving catching chasing chopping collecting composing counting crafting crawling cutting digging diving
drawing drifting driving drumming editing farming feeding fencing framing gliding growing guiding harvesting
hunting joking juggling jumping kicking laughing lifting marching measuring mending mixing paddling pacing packing
picking planting polishing pressing quilting racing raking recording repairing riding roasting rolling rowing sawing
sewing shaping sharpening shooting sketching sliding smoking spinning stacking storytelling stretching
strolling tasting throwing trading training trekking tying walking watching weaving whistling winding wrapping writing
wrestling
""")
JUDGEMENTS = _words("""nice good great lovely cheap used fine plain simple solid pretty popular second-hand brand-new
big small large huge well-made famous ordinary beautiful expensive reliable""")
EVENT_SHAPES = _items("""
{} {}|{} of {}|{} for {}|{} and {}|{} & {}|{} in the {}|{} meets {}|The {} {}|{} {} {}|{} of the {}|{}|{} {} Live
Great {} {}|{} with {}|{} - {}|2nd {} {}|10th {} {}|Open {} {}|{} Days|{} Talk
""")
VENUE_SHAPES = _items("""
{}|{} {}|The {}|The {} {}|{} & {}|{} on the {}|Room {n}|{} {n}|Old {}|{} {} {}|Studio {n}|{} of {}|{} Room
Big {}|{}'s|{} at {}|Villa {}|Saint {}|Floor {n}
""")
PHRASES = _items("{} {}|{} {}|{} with {}|{} for {}|{} of {}|{} in the {}|{} a {}|{} the {}|{} {} {}|{} old {}")
SHADES = _items("dark|light|pale|deep|bright")
