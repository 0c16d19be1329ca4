/**
 * Words in the most common passwords. We wrote the list by hand, from general knowledge of leaked passwords and
 * Australian English. We copied no published list, so no licence applies. The list is deliberately short: it covers the
 * first minutes of guessing. Words have the form that `stems` returns: lower case, letters instead of look-alike
 * digits, and no digits or symbols at either end.
 */
const WORDS = `
pass password passwd passcode passphrase passwort motdepasse parola geheim secret secrets topsecret private
login logon signin signup welcome welcomeback hello hellothere goodday gday letmein openup opensesame sesame
enter entry access guest user username test tester testing testtest tests demo sample example temp temporary
default changeme change changeit changethis admin administrator adminadmin root toor super superuser superadmin
system server master manager office boss owner staff team support helpdesk service business company account
accounts internet computer laptop desktop windows microsoft google facebook instagram youtube whatsapp apple
iphone samsung android nokia android yahoo gmail hotmail outlook linkedin twitter tiktok netflix spotify amazon
qwerty qwertz azerty asdf asdfgh zxcv zxcvbn qazwsx qwe qwer asd zxc abc abcd abcde abcdef xyz aaa
love iloveyou loveyou loveme iloveme lovely lover loves forever always friend friends family mother father mum
mummy mom mommy dad daddy brother sister baby babygirl babyboy angel angels princess prince queen king honey
sweet sweetie sweetheart darling beautiful pretty cutie sunshine sunflower rainbow butterfly flower flowers rose
rosie lily daisy jasmine summer winter spring autumn sunny star stars moon heaven happy smile smiley lucky magic
dream dreams hope faith grace jesus god bless blessed amen christ angelina monkey dragon tiger lion panther eagle
falcon shark dolphin horse pony puppy kitty kitten cat cats dog dogs doggy bear teddy teddybear chicken rabbit
bunny turtle snake spider wolf fox koala kangaroo wombat possum magpie kookaburra cockatoo galah platypus dingo
football soccer footy cricket rugby league tennis golf hockey basketball baseball softball swimming surfing surf
netball hunter hunting fishing fish player gamer gaming games game minecraft fortnite pokemon pikachu mario zelda
playstation xbox nintendo batman superman spiderman ironman joker marvel starwars vader trustno matrix shadow
ninja samurai warrior killer hacker hack phoenix thunder lightning storm fire flame blaze diamond gold golden
silver crystal money cash dollar rich million millionaire freedom liberty justice peace victory winner champion
cheese chocolate cookie cookies coffee pepper ginger banana orange lemon peanut pizza burger beer whisky vodka
vegemite lamington pavlova timtam meatpie barbie snag whatever nothing something anything everything someone
nobody fuckyou fuckoff fuck shit bitch asshole bastard bloody bugger sex sexy hot hottie pussy penis dick
australia australian aussie aussieaussieaussie straya oz sydney melbourne brisbane perth adelaide hobart darwin
canberra newcastle wollongong parramatta bondi manly cronulla nsw newsouthwales queensland victoria tasmania
harbour harbourbridge operahouse uluru outback beach ocean waves mate matey maate cobber digger anzac bluey
broncos rabbitohs roosters bulldogs eels panthers sharks dragons tigers raiders knights cowboys storm swans
magpies bombers hawks demons cats saints lions crows waratahs wallabies matildas socceroos holden commodore
ford falcon mustang toyota hilux landcruiser ute mercedes ferrari porsche lamborghini harley yamaha kawasaki
honda mazda subaru tractor mower lawnmower lawn lawns lawncare mowing mow garden gardens gardener gardening
grass greengrass green greens hedge hedges tree trees yard backyard frontyard weeds turf naturestrip nature
landscape landscaping cleanup victa stihl husqvarna honda whipper whippersnipper blower spade shovel rake hose
red blue black white purple yellow pink colour color monday tuesday wednesday thursday friday saturday sunday
january february march april may june july august september october november december christmas xmas easter
holiday holidays birthday weekend today tomorrow michael jennifer jessica ashley daniel david matthew joshua
andrew thomas robert charlie george jordan oliver jack jackson william james harry noah lucas liam ethan mason
olivia charlotte amelia isla mia sophie sophia emma emily chloe hannah sarah laura nicole michelle samantha
anthony patrick peter steve steven john johnny joe kevin brian jason justin brandon tyler max buddy bella luna
coco ruby molly milo oscar rocky toby bailey maggie lucky simba nala zoe alex alexander sam sammy ben chris
maria anna lisa linda susan karen donald mohammed muhammad ahmed nguyen nathan hayden liverpool chelsea arsenal
barcelona madrid juventus manchester lakers yankees cowboys steelers eagles patriots metallica slipknot nirvana
eminem beatles elvis blink shakira rihanna beyonce taylorswift music guitar dancer dance singer cooper flyers
`;

export const COMMON_WORDS: ReadonlySet<string> = new Set(WORDS.trim().split(/\s+/));

/** Common all-digit passwords that are not a sequence or a repetition. */
export const COMMON_NUMBERS: ReadonlySet<string> = new Set(
  `112233 11223344 1122334455 102030 10203040 123321 12344321 1234554321 123454321 147258 147258369 159753
   159357 357159 258456 741852 741852963 753951 789456 789456123 456123 321654 321654987 963852 963852741
   852456 142536 123789 987321 246810 135790 13579 02468 314159 31415926 271828 696969 420420 131313 1314520
   5201314 520520 101010 007007 911911 010101 20202020 121314 123698745 1236987 0987654321`.split(/\s+/),
);

/** Common sequences: keyboard rows, the alphabet, the digits, columns and zigzags. */
export const WALKS: readonly string[] = [
  "abcdefghijklmnopqrstuvwxyz",
  "01234567890",
  "qwertyuiop",
  "qwertzuiop",
  "azertyuiop",
  "asdfghjkl",
  "zxcvbnm",
  "yxcvbnm",
  "qazwsxedcrfvtgbyhnujmikolp",
  "1qaz2wsx3edc4rfv5tgb6yhn7ujm8ik9ol0p",
  "1q2w3e4r5t6y7u8i9o0p",
  "q1w2e3r4t5y6u7i8o9p0",
  "1a2b3c4d5e6f7g8h9i",
  "a1b2c3d4e5f6g7h8i9",
];
