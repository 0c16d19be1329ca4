import type { Service } from "./service.ts";

export const gardenCleanup = {
  id: "garden_cleanup",
  href: "/service/garden-cleanup",
  name: "Garden Cleanup",
  icon: "rake",
  fromDollars: 80,
  duration: "1-3 hours",
  jobs: [
    ["One or two beds", 1],
    ["A front garden", 1.75],
    ["Front and back", 3],
    ["A big garden, most of a day", 5],
  ],
  description:
    "Weeds out, plants cut back, mulch down. Tell us which beds need work, and one local provider calls with a free quote.",
  text: "Beds weeded, plants cut back and mulch spread, so the garden gets a fresh start.",
  includes: ["Weeding by hand", "Pruning and cutting back", "Mulch and soil", "Leaves and litter raked up"],
  excludes: ["Mowing the lawn", "The mulch itself", "Trees taller than a ladder"],
  prepare: [
    "Tie a ribbon on every plant that has to stay",
    "Decide where the prunings and weeds can be piled up",
    "Order the mulch if you'd rather choose it yourself",
  ],
  questions: [
    {
      question: "Garden cleanup or yard cleanup: which one do I need?",
      answer:
        "Garden cleanup is for beds: weeding, pruning, mulching. Yard cleanup is for ground you can't use any more: long grass, branches, a side passage full of leaves.",
    },
    {
      question: "How much mulch will I need?",
      answer:
        "One cubic metre covers about 13m² at a depth of 75 mm. Keep it a hand's width away from trunks and stems, or they'll rot.",
    },
    {
      question: "When is the best time to cut plants back?",
      answer:
        "For most shrubs, any time from late autumn to the end of winter. For spring-flowering ones, straight after they've flowered, or you'll cut off next year's blossom.",
    },
    {
      question: "Will the weeds come back?",
      answer:
        "Some will: seeds can sit in the soil for years. Pull weeds before they seed, mulch over the top and there'll be fewer each time. A short visit every month or two keeps on top of them.",
    },
  ],
} satisfies Service;
