import type { Service } from "./service.ts";

export const yardCleanup = {
  id: "yard_cleanup",
  href: "/service/yard-cleanup",
  name: "Yard Cleanup",
  icon: "leaf",
  fromDollars: 100,
  duration: "2-4 hours",
  jobs: [
    ["A courtyard", 1],
    ["A small backyard, knee-high grass", 1.8],
    ["A medium backyard with a side passage", 2.8],
    ["A large block, left for a year", 4.5],
  ],
  description:
    "Long grass, branches and weeds cleared, so that you can use the yard again. One local provider calls with a free quote.",
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
  questions: [
    {
      question: "What should I do before the crew comes?",
      answer:
        "Clear the way in, mark taps, sprinklers and anything you want to keep, and tie up the dog. Say when the grass was last cut: that tells a provider more than the size of the block.",
    },
    {
      question: "Can they take my rubbish too?",
      answer:
        "Often, with the tip fee on top. Ask your council first: many will pick up bulky waste from the kerb at no extra charge if you book.",
    },
    {
      question: "There's old fibro in the yard. What now?",
      answer:
        "Leave it where it is. Old fibro can contain asbestos, so it's a job for a licensed asbestos removalist, not a yard cleanup. Tell your provider where it is.",
    },
    {
      question: "What about snakes in the long grass?",
      answer:
        "It happens in the warmer months. Keep children and pets inside, don't poke around, and ring a licensed snake catcher if you see one. Starting at the house and working outwards leaves animals a way out.",
    },
    {
      question: "Can it be done before my inspection or settlement?",
      answer:
        "Ask as soon as you know the date, and put it in your request. If it's within two days, choose Urgent.",
    },
  ],
} satisfies Service;
