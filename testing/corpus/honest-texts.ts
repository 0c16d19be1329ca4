/**
 * Texts from customers who hide nothing: sizes, dates, times, prices, house rules, pets, access, plants and
 * phone typos. The texts in the last part were not inspected while the rules were written.
 */

const NOTES = `
Please mow front and back every 2 weeks, about 400 sqm all up.
Lawn is roughly 450m², mostly kikuyu with some buffalo near the clothesline.
Block is 1,012 m2, house takes up about a third of it
1/4 acre block, fairly flat, mower can go straight through the side gate
2.5 acres, mostly slashing along the fence line
Quarter acre, needs a first cut as it's been 3 months.
Front yard 20 x 15 m, back yard 12m x 8m.
Nature strip is 18 metres long and 2.5 metres wide.
Hedge is 14m long, 2.2m high and about 1m deep. Murraya.
Three lilly pillies to trim, each about 3 m tall
lawn approx 300-350 sqm
Around 600 square metres incl. the verge
Area: 35m by 12m plus 2 strips of 6 x 1.5m each side
0.5 ha of grass round the sheds
The grass is 40cm high in places!
Looking for someone from 01/12/2026 onwards.
We move out on 15/01/2027, needs to be done by 13/01/2027 at the latest
Real estate inspection 28 November 2026 at 10:30am
Inspection is on Thu 3rd Dec between 9.15 and 9.45
Free any day except 24, 25 and 26 December
Start the week of 2026-12-07 if possible
Wedding at home on 12.12.26 so needs to look schmick
Need it done before Christmas, ideally 18th-20th Dec
from 1/12 to 31/1 we are overseas
Mon-Fri 7:30am - 4:30pm only please
Not before 8am, not after 6pm. Baby naps 12-2.
Best times: Mon 9-12, Tue 9-12, Thu 1-5
Strata only allows work 8:00-17:00 weekdays and 9:00-13:00 Saturdays
After 3.30 on weekdays or anytime Saturday
7am starts are fine by us, the neighbours not so much
Budget is $80-$120 a visit.
Last bloke charged $65 per fortnight, happy with the same
Happy to pay $450 for the clean up and then $70 every 2-3 weeks
Quoted $1,250 elsewhere which seems steep
up to $2,500 for the landscaping incl. GST
Around 60 bucks a mow?
We can do $100 - $150 for the first one, 80 after that
Please close the gate, 2 dogs (both friendly)
One old labrador, will be inside
We have 3 kids under 6 so no sprays please
Two cats, they hide
Chooks free range in the back, 4 of them
Gate code is 4471#
Side gate has a padlock, code 2580
Key is under the third pot on the left
The side gate sticks a little, lift it and push.
Access via the side of the house, 90cm wide, so no ride-on
Please take shoes off if you come inside for power
Don't use blowers before 9, night shift worker next door
Green bin is for clippings, red bin is nearly full
There is a tap at the front and one out the back near the shed
Power point on the back verandah if you need it
Park on the driveway, street is permit only
2 car garage, please don't block it
Level 2 of a 3 storey block, common garden downstairs
Strata of 12 units, 3 lawns and about 40m of hedge
Units 1 to 8 plus the common area
6 townhouses, front lawns only, roughly 25 m2 each
Body corporate for 24 apartments, fortnightly from Sept to April
Mow, edge and blow please.
Just the usual mow, whipper snip and tidy
Whippersnip along the back fence, about 30 metres
Weeds in the garden beds and between the pavers
Clover and bindii everywhere, lawn is a mess
It's mostly buffalo (Sir Walter) with 2 bare patches
Would like the lawn aerated + top dressed, approx 200m2
Needs a light fertilise in spring, maybe 2 bags
Remove 2 dead camellias and a stump 40cm across
Prune 6 roses, they're about 10 years old
one or two trees, e.g. a jacaranda
Jacaranda drops flowers on the driveway Nov-Dec
5 citrus trees need a prune, two are quite tall, maybe 4m
Mulch: 3 cubic metres, we have it delivered already
4 m3 of mulch to spread, it's in a pile on the nature strip
Pull out agapanthus along the driveway, 15 or so
Hedge along the drive is 1.8 m and getting away from us
Steep slope at the back, about 30 degrees, careful when wet
5 steps up to the rear lawn, so a light mower is best
Retaining wall 1.2m high between the two levels
There's a 3 m drop at the end of the yard
400 sqm with a view over the gully
A 10 minute walk from the station if you train it lol
We're 2 doors down from the school
It's the last house before the park
Corner block so two street frontages
The lawn runs along the side street as well
House is on a busy road, park round the back
We share a driveway with the neighbour, keep left
Turn right at the end of the track
No parking on the main road, use the back lane
battleaxe block, long concrete drive
4 wheel drive only when it rains
Rental property, tenants home most days
I'm a tenant, landlord pays, invoice goes to the agent
Agent wants before and after photos
New owners, settlement was on Friday
Selling in March so want it looking its best
Airbnb, turnover Tuesdays and Fridays 10-2
For my mum, she is 84 and a bit deaf so knock loudly
Dad used to do it but he's had a hip replaced
Just had a baby so running 6 weeks behind on everything
Pensioner discount?
NDIS plan managed, can you invoice for that?
Do you do gutters as well?
Can you take the clippings away or is that extra
is green waste removal included
Found you on Facebook, good reviews!
Saw your ad on Instagram
A friend on the community Facebook group recommended you
Found you through google
No mobile signal out the back so yell
Text is better than a call as I work nights
Please ring the doorbell when you get here
Ring first if it's raining
Happy for you to just turn up, no need to knock
Email is fine for the quote
Look at the back yard first. At the front there is a hedge, 2.5 m tall.
come @ 9am or @ 2pm, either suits
2 hours @ $50 should cover it
Not urgent, next 2-3 weeks is fine
asap pls, grass is up to my knees
Once off for now, maybe regular later
Every 4 weeks in winter, every 2 in summer
Fortnightly Oct-March then monthly
4 to 6 weeks is fine
First mow in about 8 weeks
last cut in March 2026
We've been here since 1998 and the hedge is older than us
built 1925, original garden
Twenty to thirty minutes of work I reckon
one hundred and fifty square metres give or take
two or three hours should do it
six thirty to seven thirty in the morning works best
half past seven is ok
I have one lawn, two hedges, three dogs and four kids!
3 zones of irrigation, please don't mow over the 14 pop ups
12 sleepers need replacing, 2.4m x 200 x 75
Pavers 400x400x40, about 60 of them
1200 x 2400 shed base
Turf 55 m2, soil 5 m3
Lot is 15.24 x 45.7 m (old 50ft x 150ft)
pH 6.5 last time I tested it
N:P:K 10-4-6 on the bag
4WD access only, 1.5t max on the bridge
Size 3 bin, 2 skips max
About 1000m2 of which 600 is lawn
50/50 lawn and garden beds
1 x 20m hedge, 2 x 5m hedges, 1 x lemon tree
Lawn 1: 10x12. Lawn 2: 8x6. Nature strip: 2x15.
10, 15 or 20 metres, hard to say
80, 100 or 120 dollars, whatever is fair
approx. 3-4 hrs, say 2 people
Grass is wet till 10ish in the mornings
Don't cut shorter than 50mm please
cut height 40-50mm in summer, 30 in winter
Your mowers are loud, aren't they? :)
Thanks heaps 😊
Cheers, see you soon 👍
No worries if you can't, just let me know
ta
N/A
as discussed with the bloke last week
same as last time please
Nothing special.
Just want it neat & tidy
please be gentle w/ the frangipani
watch out for the kids' toys and the hose
The sprinkler heads are flush, you'll see the flags
There is a well, it's covered, don't drive over it
Snake seen in November, so boots please
Wasps nest under the eave at the back
septic lids are in the middle of the lawn
Trampoline can be moved, the cubby can't
Please empty the catcher in bay 4
Leave the long grass by the creek for the frogs
Do not touch the veggie patch!!
it's a small yard.please bring edger
lawn is long.also weeds
The gate is locked.my dog is inside
mow it.is that something you do
Quote for the whole lot and for lawn only, thx
$90 inc gst was what i paid b4
2 storey house so sun only hits it from 11am-3pm
Backyard's about 8m wide x 22m deep, frontyard 8x6
Retired couple, he is 79, I am 76, can't push the mower any more
We have a Victa but you can bring your own
Ride-on needed, gate is 3.1m wide
I'd say 5 hrs first go, then 1.5 hrs every fortnight
`;

const UNSEEN_NOTES = `
Buffalo, 280m2, cut every 3 weeks Sept to May
The reserve behind us is council's, only do up to the star pickets
Granny flat out the back has own little lawn 4 x 7
Could you come Tues 8/12 or Wed 9/12?
Between 10 and 2 on weekdays, weekends 8.30 - 11.30
Tree roots lifting the path, 2 spots near the letterbox
Need quote by COB Friday 27/11/2026, work in the first week of Dec
Body corp budget is $3,600 a year
We paid $55 in 2024 and $65 in 2025, fair?
House is number 3 of 5 in the row, blue door
Grass clippings to the compost, 3 bays
Heritage listed so nothing higher than 1.2m at the front
7 raised beds, 2.4 x 1.2 each, all need weeding
Hedge trimmed to 1500mm, box shape
Please quote (a) one-off tidy and (b) monthly
A to B fence is 60m, B to C about 25m
The 2 big gums stay, the 3 small ones go
Dog is called Biscuit. He will bring you a ball. Ignore him.
We're on tank water so don't hose down
I've got 4.5 kg of seed left over from last yr
No chemicals, we keep bees (2 hives by the shed)
Motorbike under the tarp, go round it
Between you and me the last crew did a terrible job
Sloping block, about 1 in 5
Kerb to house is 9m, then 14 m behind
Flexible, but before the party on the 19th
Needs doing twice: once now, once in 6 weeks
Mow around 11, bins go out at 12
the lawn out the front.The back can wait
First visit 3-4 hours, then 45 mins each
Want to replace 120sqm of couch with zoysia, May or June 2027
Please don't park on the grass, septic trench runs 10m from the fence
Edging along 45 lineal metres of path
Happy with any day but Wed (bin day) and Sun (church 9:30-11)
Old place, 1930s, so mind the sandstone
About 35 pavers loose, sand is in the garage
wheelchair user so paths need to be clear, 1m min
Kids finish school 3.10, quieter before that
grass at 12/24 is 20 cm high
My daughter's wedding is 6 Feb 2027, 80 guests on that lawn!
Mandarins are yours to take, bag or two
I only need it level enough for a 3.6m pool
Lemon tree, lime tree & 2 olives: light prune
Every second Friday works; bins are back in by 10
Side path 800 mm, tight for a big mower
Soil is clay, drains badly, puddles for 2-3 days
We're in St Ives, bushland at the back so leaf litter all yr
Near St Marys station, 5 min walk
Jacarandas x 2, camphor laurel x 1, all dropping stuff
Hi, just wanting a price for 1 x mow now then maybe monthly. Cheers Dave
Grass is 6 inches. Dog poo picked up before you come, promise
Aiming for under $200 all in, incl tip fees ($40ish)
Bought in 2019, never had it aerated. Soil test: pH 5.8, N low
10 x 1.8m colorbond panels along the side, keep the trimmer off them
Quote 1: front only. Quote 2: front + back. Quote 3: lot incl hedges
Due back 14 Jan, flight lands 6:55pm
Between the two palms there's a pipe 10 cm down
Sun to Tues no one home, gate unlocked, just text when done
Hills hoist in the middle, folds down
About 3/4 of an acre all up, 1/2 of it is trees
Lawn was laid on 12 Sep, first mow was 3 Oct
We did 30 bags of mulch last year (25L each)
My email bounced so hope this gets to you
Please send the quote by email, I don't always hear the phone
1.5 hours last time, 2 blokes
Please be on site 6.45 for a 7.00 start, noise from 7.30
Our unit is the middle one of three
Back lawn ~85sqm; front ~40sqm; verge ~22sqm
Ours is the only brick place on the hill, drive right up
2 trees over 5m, 11 under 2m
Level ground except the last 4-5m
Not sure if it's couch or kikuyu, sending photos if you need
Two of three taps work
From the lane you can back a trailer right in, 2.7m clearance
Mow height no. 4 on most mowers
`;

export type HonestText = { text: string; isHeldBack: boolean };

const linesOf = (text: string) => text.trim().split("\n");

/** Joins two or three notes, as in longer texts. */
function joinNotes(notes: readonly string[], joins: readonly string[]): string[] {
  return notes.flatMap((note, i) => {
    const others = [notes[(i * 7 + 3) % notes.length]!, notes[(i * 11 + 5) % notes.length]!];
    return i % 2 === 0 ? [[note, ...others.slice(0, 1 + (i % 4) / 2)].join(joins[i % joins.length])] : [];
  });
}

const JOINS = ["\n", ". ", " - ", ", ", "; "];

function textsOf(notes: string, isHeldBack: boolean): HonestText[] {
  const lines = linesOf(notes);
  return [...lines, ...joinNotes(lines, JOINS)].map((text) => ({ text, isHeldBack }));
}

export const HONEST_TEXTS: readonly HonestText[] = [...textsOf(NOTES, false), ...textsOf(UNSEEN_NOTES, true)];
