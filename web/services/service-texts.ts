import type { PageServiceId } from "../../contract/catalogue.ts";

type ServiceText = {
  headline: string;
  text: string;
  includes: string[];
  /** Work that visitors might expect, but that is a separate job. */
  excludes: string[];
  /** What the visitor can do before the visit. */
  prepare: string[];
};

/** The text of each service page. */
export const SERVICE_TEXTS: Record<PageServiceId, ServiceText> = {
  lawn_mowing: {
    headline: "Lawn Mowing",
    text: "Mowed to the right height for your grass, edged along paths and beds, and blown clean.",
    includes: ["Mowing and catching", "Edges and borders", "Paths blown clean", "One-off or regular visits"],
    excludes: ["Weeding the beds", "Fertilising or spraying", "Clippings taken to the tip"],
    prepare: [
      "Pick up toys, hoses and dog mess from the lawn",
      "Unlock the side gate, and mention any step or tight turn",
      "Mark the sprinkler heads in the grass",
    ],
  },
  garden_cleanup: {
    headline: "Garden Cleanup",
    text: "Beds weeded, plants cut back and mulch spread, so the garden gets a fresh start.",
    includes: ["Weeding by hand", "Pruning and cutting back", "Mulch and soil", "Leaves and litter raked up"],
    excludes: ["Mowing the lawn", "The mulch itself", "Trees taller than a ladder"],
    prepare: [
      "Tie a ribbon on every plant that has to stay",
      "Decide where the prunings and weeds can be piled up",
      "Order the mulch if you'd rather choose it yourself",
    ],
  },
  yard_cleanup: {
    headline: "Yard Cleanup",
    text: "Overgrown yards made usable again: long grass, weeds and rubbish gone in one visit.",
    includes: [
      "Long grass and weeds",
      "Leaves and branches",
      "Side passages cleared",
      "Before a sale or a move",
    ],
    excludes: ["Old fibro or chemicals", "Furniture and whitegoods", "Tip fees for rubbish"],
    prepare: [
      "Take a photo of the worst corner, for when the provider calls",
      "Move furniture, pots and bikes out of the long grass",
      "Check the shed and fence line for paint, oil or chemicals",
    ],
  },
  green_waste_removal: {
    headline: "Green Waste Removal",
    text: "Clippings, branches and palm fronds loaded, taken away and recycled.",
    includes: ["Loaded for you", "Branches and fronds", "Grass and leaves", "Taken to a green waste centre"],
    excludes: ["Soil, bricks and rubble", "Household rubbish", "Stumps in the ground"],
    prepare: [
      "Pile everything in one place, as near to the street as you can",
      "Keep plastic pots, soil and timber out of the pile",
      "Leave room on the street or driveway for a truck",
    ],
  },
  pressure_washing: {
    headline: "Pressure Washing",
    text: "Moss, grime and tyre marks gone from driveways, paths and patios.",
    includes: ["Driveways and paths", "Patios and decks", "Walls and fences", "Around the pool"],
    excludes: ["Sealing afterwards", "Roofs and gutters", "Anything with asbestos"],
    prepare: [
      "Park the cars on the street, and clear mats and pots away",
      "Close windows and doors nearby, and cover outdoor power points",
      "Check that the garden tap works and the water can drain away",
    ],
  },
  hedge_trimming: {
    headline: "Hedge Trimming",
    text: "Hedges squared up, small trees shaped, clippings gone.",
    includes: ["Hedges of any height", "Small trees shaped", "Screens along fences", "Clippings removed"],
    excludes: ["Cutting down trees", "Branches near power lines", "Council permits"],
    prepare: [
      "Measure the hedge's length and height, and note them in your request",
      "Clear a metre along both sides for the ladder",
      "Check the hedge for nests, wires and taps, and point them out",
    ],
  },
};

/** What search engines show below each service page's title. */
export const SERVICE_DESCRIPTIONS: Record<PageServiceId, string> = {
  lawn_mowing:
    "Mowed, edged and blown clean, once or every fortnight. Tell us about your lawn, and one local provider calls with a free quote.",
  garden_cleanup:
    "Weeds out, plants cut back, mulch down. Tell us which beds need work, and one local provider calls with a free quote.",
  yard_cleanup:
    "Long grass, branches and weeds cleared, so that you can use the yard again. One local provider calls with a free quote.",
  green_waste_removal:
    "More branches and clippings than the green bin holds? A local provider loads them and takes them away. Ask for a free quote.",
  pressure_washing:
    "Moss, grime and tyre marks off the driveway, the paths and the patio. One local provider calls with a free quote.",
  hedge_trimming:
    "A hedge that has got away from you, or one to keep square. Say how long and how high, and get a free quote by phone.",
};

/** The 24 areas listed on the services page. */
export const SERVICE_AREAS = [
  { name: "Blacktown", href: "/location/blacktown" },
  { name: "Bankstown", href: "/location/bankstown" },
  { name: "Campbelltown", href: "/location/campbelltown" },
  { name: "Canterbury", href: "/locations?search=Canterbury" },
  { name: "Castle Hill", href: "/location/castle-hill" },
  { name: "Central Coast", href: "/locations?search=Central+Coast" },
  { name: "Chatswood", href: "/location/chatswood" },
  { name: "Cronulla", href: "/location/cronulla" },
  { name: "Dee Why", href: "/location/dee-why" },
  { name: "Eastern Suburbs", href: "/locations" },
  { name: "Hornsby", href: "/location/hornsby" },
  { name: "Hurstville", href: "/location/hurstville" },
  { name: "Inner West", href: "/locations?search=Inner+West" },
  { name: "Liverpool", href: "/location/liverpool" },
  { name: "Manly", href: "/location/manly" },
  { name: "Newcastle", href: "/locations?search=Newcastle" },
  { name: "North Shore", href: "/locations" },
  { name: "Parramatta", href: "/location/parramatta" },
  { name: "Penrith", href: "/location/penrith" },
  { name: "Randwick", href: "/location/randwick" },
  { name: "Ryde", href: "/location/ryde" },
  { name: "Strathfield", href: "/location/strathfield" },
  { name: "Sutherland Shire", href: "/locations?search=Sutherland+Shire" },
  { name: "Wollongong", href: "/location/wollongong" },
] as const;
