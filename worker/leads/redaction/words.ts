/** Word lists for redaction, in the spelling of tokens.ts: lower case, no accents, no apostrophes. */

/** Creates a map. An object would have inherited keys such as "constructor". */
const table = <Value>(values: Record<string, Value>): ReadonlyMap<string, Value> =>
  new Map(Object.entries(values));
const set = (text: string): ReadonlySet<string> => new Set(text.split(/\s+/).filter(Boolean));

export const DIGIT_WORDS = table({
  zero: "0",
  oh: "0",
  nought: "0",
  naught: "0",
  nil: "0",
  one: "1",
  two: "2",
  three: "3",
  four: "4",
  five: "5",
  six: "6",
  seven: "7",
  eight: "8",
  nine: "9",
  niner: "9",
});

/** Digits in languages that customers speak at home: Spanish, Italian, French, German, Indonesian. */
export const FOREIGN_DIGITS: ReadonlyMap<string, string> = new Map(
  [
    "cero uno dos tres cuatro cinco seis siete ocho nueve",
    "zero uno due tre quattro cinque sei sette otto nove",
    "zero un deux trois quatre cinq six sept huit neuf",
    "null eins zwei drei vier funf sechs sieben acht neun",
    "nol satu dua tiga empat lima enam tujuh delapan sembilan",
  ].flatMap((words) => words.split(" ").map((word, digit) => [word, String(digit)] as const)),
);

/** Two-digit numbers by name. A digit's name may follow the tens. */
export const TENS = table({
  twenty: "2",
  thirty: "3",
  forty: "4",
  fourty: "4",
  fifty: "5",
  sixty: "6",
  seventy: "7",
  eighty: "8",
  ninety: "9",
});
export const TEENS = table({
  ten: "10",
  eleven: "11",
  twelve: "12",
  thirteen: "13",
  fourteen: "14",
  fifteen: "15",
  sixteen: "16",
  seventeen: "17",
  eighteen: "18",
  nineteen: "19",
});

export const isNumberWord = (word: string) => DIGIT_WORDS.has(word) || TENS.has(word) || TEENS.has(word);

/** How often the next digit repeats: "double four". */
export const REPEATS = table({ double: 2, dbl: 2, triple: 3, treble: 3 });

/** Words that sound like a digit. They count as digits only between named digits. */
export const HOMOPHONES = set("to too for fore fower ate won wun tree free fife sicks sevin nein");

/** Filler words between the parts of a number that is read out. */
export const NUMBER_FILLERS = set(`
  and then next last lastly finally followed by after that plus dash hyphen space spaces dot point comma slash stroke
  underscore pause stop full star hash digit digits number numbers figures again also now with ends ending end begins
  beginning starts starting start rest is are its was the my on in comes come goes first second third middle part parts
  um er uh ok okay we i you add put it x dial ring call text sms`);

/** Units of measures and counts. A number before a unit is not part of a phone number. */
export const UNITS = set(`
  m m2 m3 sqm sq sqms square squares squared metre metres meter meters mtr mtrs mt mts cm mm km kms centimetre
  centimetres centimeters millimetres mils ft foot feet inch inches yard yards acre acres ha hectare hectares cubic cube
  cubes litre litres liter liters kg kgs kilo kilos tonne tonnes ton tons bag bags trailer trailers load loads bin
  bins skip skips ute utes percent per pc dollars dollar bucks aud k am pm oclock noon hour hours hr hrs min mins minute
  minutes sec seconds day days daily week weeks weekly wk wks fortnight fortnights month months monthly mth mths year
  years yr yrs yo old time times visit visits cut cuts mow mows session sessions dog dogs puppy puppies cat cats pet
  pets kid kids child children people person persons men man women chook chooks chicken chickens hen hens tree trees
  shrub shrubs bush bushes hedge hedges plant plants palm palms rose roses pot pots bed beds bedroom bedrooms bedder
  bathroom bathrooms car cars unit units townhouse townhouses villa villas apartment apartments flat flats lot lots
  block blocks property properties house houses home homes duplex building buildings storey storeys story stories level
  levels floor floors step steps stair stairs gate gates fence fences panel panels post posts side sides section
  sections area areas strip strips lawn lawns row rows garden gardens yard yards door doors shed sheds tap taps
  sprinkler sprinklers zone zones station stations tenant tenants resident residents quote quotes job jobs photo
  photos picture pictures spot spots stump stumps log logs branch branches weed weeds type types thing things way ways
  wheel wheels degree degrees x by st nd rd th star stars of ish odd gst bdr br  roomed mature large small big tall high long wide deep thick young`);

export const MONTHS = set(`
  jan january feb february mar march apr april may jun june jul july aug august sep sept september oct october nov
  november dec december`);

/** Words between two measures: "20 x 15 m", "2 or 3 weeks". */
export const JOINERS = set("x by to or and til till until");

/** Marks and words that stand for the dot of an email address or a host. */
export const DOT_MARKS = set(". 。 • · ∙ ⋅ ‧ ● ◦");
export const DOT_WORDS = set("dot d0t punkt punto period fullstop");
export const CORE_ENDS = set("com net org");
/** Host endings that can also begin a sentence: "mow it.is that fine" is a typing slip. */
export const UNSURE_ENDS = set(`
  my is it in to at be no so as us am do by id la pm call can how here now one next today new free like love man menu
  mom open phone place plus prof pub room run safe save sale search select show skin space star stream style support
  surf team then tips top total toys trade training tube video vet watch weather win work works world zone as ad ai al
  an are ba bar bb bet bid big bio black blue box build ca cab camp cards care case cat cc cf ch ci cl class clean click
  cool country day dad date de deal diy dog`);

export const MAIL_HOSTS = set(`
  gmail googlemail gmial gmale hotmail hotmale yahoo ymail icloud bigpond optusnet proton protonmail tpg iinet
  internode dodo msn fastmail zoho gmx aol rocketmail`);
/** Mail hosts that are also ordinary words. */
export const AMBIGUOUS_MAIL_HOSTS = set("outlook live me mail westnet");

export const PLATFORMS = set(`
  facebook fb instagram insta ig whatsapp watsapp telegram wechat weixin viber snapchat tiktok twitter linkedin discord
  skype youtube messenger pinterest hipages airtasker oneflare facetime kik`);
/** Platforms that are also ordinary words. They count only before a word that looks like a handle. */
export const AMBIGUOUS_PLATFORMS = set("snap tg gram threads signal zoom");
export const HANDLE_CUES = set(
  "handle handles channel id username user nick nickname as under called named name search add tag profile account is at find my me for im its",
);
/** Cues for a name that follows. */
export const NAMING = set(
  "handle handles channel id username user nick nickname as under called named tag is search add for",
);
/** Cues for a name before "… on facebook". */
export const SELF_CUES = set(
  "as im am called named add follow message dm msg pm search handle find its is user username",
);

/** Words that are never part of a handle, street or host, so that ordinary sentences stay intact. */
export const COMMON = set(`
  a about above across after again against all also always am an and any are area around as at away back be because
  been before behind being below best beside between big both but by call came can car close come community corner
  could dead did do does done down during each either end every face few find first for found friend friends from
  front full gate gets give go good great group groups had has have having he her here him his house how i if im in
  inside into is it its just keep left let like little local long look looking lot main many may me more most mow much
  must my narrow near need next nice no not now of off often on one only onto open opposite or other our out outside
  over own page pages past people photo photos pics picture pictures please plus post posts private public quiet quite
  rather real rear recently recommendation recommendations recommended review reviews right said same saw see seen she
  should side since small so some someone soon still such than thanks that the their them then there these they thing
  this those through to together too toward towards under until up upon us use used very via was way we well were what
  when where which while who whole why will with within without work would yes yet you your yours marketplace ad ads
  neighbour neighbours neighbourhood group feed story stories link message messages if ok okay today tomorrow also
  maps map earth street view search calendar reviews says shows`);

/** Words that describe a street rather than name it. */
export const STREET_TRAITS = set(`
  the a an our my your their his her its this that these each every any some no one two main busy quiet side front back
  rear next same whole long short narrow wide steep dirt gravel sealed unsealed concrete brick shared common private
  public council nature dead end way cross corner across opposite behind beside near nearby along off on in at to from
  of and or with down up over under into onto by toward towards tree leafy hilly rough old new high service access
  through cul level single double car cars wheel road street school bus local state very clear
  nice lovely great good bad big small large little lower upper middle top bottom left right first second third only
  please mow clean clear edge whipper mulch water sea ocean harbour park garden lawn grass weed hedge flower veggie
  vegetable fence gate bush open green flat sloped sloping sunny shady poor hard easy hour hours minute minutes min mins
  metre metres meter meters m cm km sqm acre acres week weeks day days month months year years dog dogs storey story bay
  bedroom for is are be was it we i you they has have just about around approx approximately all both between per x
  hundred thousand fenced paved tarred driveway path pebble rock stone timber retaining 1st 2nd 3rd st nd rd th weekly fortnightly
  monthly then also but so if when where court tennis netball fast food rose half full`);

/** Street types. A name before a street type is always a street name. */
export const STREETS = set(`
  street str st road rd avenue ave av crescent cres cresent parade pde highway hwy boulevard bvd blvd esplanade esp tce
  terrace circuit cct cres`);
/** Street types with other meanings. */
export const AMBIGUOUS_STREETS = set(`
  lane ln drive dr court ct place pl close cl way grove gr square sq loop walk rise row mews track view crest mall
  quay glen gardens circle ridge link path pass plaza promenade vale outlook`);
export const UNIT_WORDS = set("unit flat apt apartment shop lot level no number suite villa townhouse u");
