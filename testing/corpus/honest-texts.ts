/** Texts from customers with nothing to redact: sizes, dates, times, prices, house rules, pets, access and plants. */
export const HONEST_TEXTS: readonly string[] = `
Please mow front and back every 2 weeks, about 400 sqm all up.
Lawn is roughly 450m², mostly kikuyu with some buffalo near the clothesline.
Block is 1,012 m2, house takes up about a third of it
Front yard 20 x 15 m, back yard 12m x 8m.
Nature strip is 18 metres long and 2.5 metres wide.
Hedge is 14m long, 2.2m high and about 1m deep. Murraya.
lawn approx 300-350 sqm
Area: 35m by 12m plus 2 strips of 6 x 1.5m each side
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
Budget is $80-$120 a visit.
Happy to pay $450 for the clean up and then $70 every 2-3 weeks
Quoted $1,250 elsewhere which seems steep
up to $2,500 for the landscaping incl. GST
We can do $100 - $150 for the first one, 80 after that
Gate code is 4471#
Side gate has a padlock, code 2580
Park on the driveway, street is permit only
Level 2 of a 3 storey block, common garden downstairs
Strata of 12 units, 3 lawns and about 40m of hedge
6 townhouses, front lawns only, roughly 25 m2 each
Would like the lawn aerated + top dressed, approx 200m2
one or two trees, e.g. a jacaranda
Jacaranda drops flowers on the driveway Nov-Dec
Pull out agapanthus along the driveway, 15 or so
Hedge along the drive is 1.8 m and getting away from us
Retaining wall 1.2m high between the two levels
Corner block so two street frontages
House is on a busy road, park round the back
We share a driveway with the neighbour, keep left
No parking on the main road, use the back lane
4 wheel drive only when it rains
For my mum, she is 84 and a bit deaf so knock loudly
NDIS plan managed, can you invoice for that?
A friend on the community Facebook group recommended you
Found you through google
Text is better than a call as I work nights
Look at the back yard first. At the front there is a hedge, 2.5 m tall.
come @ 9am or @ 2pm, either suits
2 hours @ $50 should cover it
We've been here since 1998 and the hedge is older than us
two or three hours should do it
12 sleepers need replacing, 2.4m x 200 x 75
Pavers 400x400x40, about 60 of them
1200 x 2400 shed base
Turf 55 m2, soil 5 m3
Lot is 15.24 x 45.7 m (old 50ft x 150ft)
N:P:K 10-4-6 on the bag
4WD access only, 1.5t max on the bridge
About 1000m2 of which 600 is lawn
50/50 lawn and garden beds
1 x 20m hedge, 2 x 5m hedges, 1 x lemon tree
Lawn 1: 10x12. Lawn 2: 8x6. Nature strip: 2x15.
10, 15 or 20 metres, hard to say
80, 100 or 120 dollars, whatever is fair
cut height 40-50mm in summer, 30 in winter
it's a small yard.please bring edger
lawn is long.also weeds
2 storey house so sun only hits it from 11am-3pm
Backyard's about 8m wide x 22m deep, frontyard 8x6
Retired couple, he is 79, I am 76, can't push the mower any more
Ride-on needed, gate is 3.1m wide
I'd say 5 hrs first go, then 1.5 hrs every fortnight
Buffalo, 280m2, cut every 3 weeks Sept to May
Could you come Tues 8/12 or Wed 9/12?
Between 10 and 2 on weekdays, weekends 8.30 - 11.30
Need quote by COB Friday 27/11/2026, work in the first week of Dec
Body corp budget is $3,600 a year
We paid $55 in 2024 and $65 in 2025, fair?
Heritage listed so nothing higher than 1.2m at the front
7 raised beds, 2.4 x 1.2 each, all need weeding
A to B fence is 60m, B to C about 25m
The 2 big gums stay, the 3 small ones go
Dog is called Biscuit. He will bring you a ball. Ignore him.
I've got 4.5 kg of seed left over from last yr
Needs doing twice: once now, once in 6 weeks
Want to replace 120sqm of couch with zoysia, May or June 2027
Please don't park on the grass, septic trench runs 10m from the fence
Happy with any day but Wed (bin day) and Sun (church 9:30-11)
Kids finish school 3.10, quieter before that
grass at 12/24 is 20 cm high
My daughter's wedding is 6 Feb 2027, 80 guests on that lawn!
Aiming for under $200 all in, incl tip fees ($40ish)
Bought in 2019, never had it aerated. Soil test: pH 5.8, N low
10 x 1.8m colorbond panels along the side, keep the trimmer off them
Due back 14 Jan, flight lands 6:55pm
Sun to Tues no one home, gate unlocked, just text when done
Please be on site 6.45 for a 7.00 start, noise from 7.30
Back lawn ~85sqm; front ~40sqm; verge ~22sqm
Level ground except the last 4-5m
From the lane you can back a trailer right in, 2.7m clearance
Found you on Facebook, good reviews!
Saw your ad on Instagram
WhatsApp is fine, or text me after 5pm
No mobile signal out the back so yell
Clothes line and fence line need a whipper snip
The gate is locked.my dog is inside
mow it.is that something you do
the lawn out the front.The back can wait
Home between 10.30-11.30 or 14.00-15.30
Budget $1000-$1500, or $2000 - 2500 with the hedge
Lawn is 1000 - 1200 m2, the rest 2000-2500 sqm
2 cars on the street, 1 side street entrance
Look at 2 Big Trees at the back, drive right up
Polka dot plant in the bed, please keep it
Quote for 2025-2026 and 2026/2027 please
Weeds along the fence line, e.g. near the gate, and on Instagram, i.e. in my photos
Budget 1500-2000, or 950-1250 dollars without the hedge, in 2027 2028
Ready from 9.30.am, WhatsApp: yes please
soooooooo overgrown, sorry!!
`
  .trim()
  .split("\n");
