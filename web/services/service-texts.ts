import type { PageServiceId } from "../../contract/catalogue.ts";

/** What each service page says about its service. */
export const SERVICE_TEXTS: Record<PageServiceId, { headline: string; text: string; includes: string[] }> = {
  lawn_mowing: {
    headline: "Lawn Mowing",
    text: "Mown to the right height for your grass, edged along paths and beds, and blown clean.",
    includes: ["Mowing and catching", "Edges and borders", "Paths blown clean", "Once or on a regular round"],
  },
  garden_cleanup: {
    headline: "Garden Cleanup",
    text: "Beds weeded, plants cut back and mulch spread, so the garden gets a fresh start.",
    includes: ["Weeding by hand", "Pruning and cutting back", "Mulch and soil", "Leaves and litter raked"],
  },
  yard_cleanup: {
    headline: "Yard Cleanup",
    text: "Overgrown yards made usable: long grass, weeds and rubbish gone in one visit.",
    includes: [
      "Long grass and weeds",
      "Leaves and branches",
      "Side passages cleared",
      "Before a sale or a move",
    ],
  },
  green_waste_removal: {
    headline: "Green Waste Removal",
    text: "Clippings, branches and palm fronds loaded, taken away and recycled.",
    includes: ["Loaded for you", "Branches and fronds", "Grass and leaves", "Taken to a green waste centre"],
  },
  pressure_washing: {
    headline: "Pressure Washing",
    text: "Moss, grime and years of tyre marks blasted off driveways, paths and patios.",
    includes: ["Driveways and paths", "Patios and decks", "Walls and fences", "Around the pool"],
  },
  hedge_trimming: {
    headline: "Hedge Trimming",
    text: "Hedges straight again, small trees in shape, every clipping taken away.",
    includes: ["Hedges of any height", "Small trees shaped", "Screens along fences", "Clippings removed"],
  },
};

/** The 24 areas the services page lists. */
export const SERVICE_AREAS = [
  "Blacktown",
  "Bankstown",
  "Campbelltown",
  "Canterbury",
  "Castle Hill",
  "Central Coast",
  "Chatswood",
  "Cronulla",
  "Dee Why",
  "Eastern Suburbs",
  "Hornsby",
  "Hurstville",
  "Inner West",
  "Liverpool",
  "Manly",
  "Newcastle",
  "North Shore",
  "Parramatta",
  "Penrith",
  "Randwick",
  "Ryde",
  "Strathfield",
  "Sutherland Shire",
  "Wollongong",
] as const;
