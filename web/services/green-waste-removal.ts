import type { Service } from "./service.ts";

export const greenWasteRemoval = {
  id: "green_waste_removal",
  href: "/service/outdoor-cleaning",
  name: "Green Waste Removal",
  icon: "skip",
  fromDollars: 90,
  duration: "1-2 hours",
  jobs: [
    ["A box trailer, about 1m³", 1],
    ["A caged ute, about 2m³", 1.6],
    ["A small truck, about 4m³", 2.8],
    ["Two truck loads, about 8m³", 5],
  ],
  description:
    "More branches and clippings than the green bin holds? A local provider loads them and takes them away. Ask for a free quote.",
  text: "Clippings, branches and palm fronds loaded, taken away and recycled.",
  includes: ["Loaded for you", "Branches and fronds", "Grass and leaves", "Taken to a green waste centre"],
  excludes: ["Soil, bricks and rubble", "Household rubbish", "Stumps in the ground"],
  prepare: [
    "Pile everything in one place, as near to the street as you can",
    "Keep plastic pots, soil and timber out of the pile",
    "Leave room on the street or driveway for a truck",
  ],
  questions: [
    {
      question: "What counts as green waste?",
      answer:
        "Grass, leaves, weeds, prunings, branches and palm fronds. No soil, treated timber, plastic pots or bags: one bag of rubbish can get a whole load turned away.",
    },
    {
      question: "How do I estimate a load?",
      answer:
        "Multiply the length, width and height of your pile in metres, then halve it for loose branches: they pack down. A cubic metre is about four full 240-litre green bins.",
    },
    {
      question: "Do I need to bundle or bag it?",
      answer:
        "No. A pile near the driveway, with the thick ends facing the same way, loads quickest. Carrying it through the house takes longer and costs more.",
    },
    {
      question: "Can logs and palm trunks go as well?",
      answer:
        "Mention them when you ask. Anything thicker than your leg is heavy, often charged by weight, and may have to be cut up first.",
    },
  ],
} satisfies Service;
