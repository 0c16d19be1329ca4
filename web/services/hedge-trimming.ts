import type { Service } from "./service.ts";

export const hedgeTrimming = {
  id: "hedge_trimming",
  href: "/service/hedge-trimming",
  name: "Hedge Trimming",
  icon: "hedge",
  fromDollars: 80,
  duration: "1-2 hours",
  jobs: [
    ["5m of hedge, up to your shoulder", 1],
    ["10m of hedge, up to your shoulder", 1.6],
    ["20m, both sides of a driveway", 2.75],
    ["20m above head height, off ladders", 4],
  ],
  description:
    "A hedge that has got away from you, or one to keep square. Say how long and how high, and get a free quote by phone.",
  text: "Hedges squared up, small trees shaped, clippings gone.",
  includes: ["Hedges of any height", "Small trees shaped", "Screens along fences", "Clippings removed"],
  excludes: ["Cutting down trees", "Branches near power lines", "Council permits"],
  prepare: [
    "Measure the hedge's length and height, and note them in your request",
    "Clear a metre along both sides for the ladder",
    "Check the hedge for nests, wires and taps, and point them out",
  ],
  questions: [
    {
      question: "When is the best time to trim a hedge?",
      answer:
        "Late spring, once the first flush of growth is out, and again at the end of summer. Not in a heatwave, and not while birds are nesting in it.",
    },
    {
      question: "How far back can it be cut?",
      answer:
        "Lilly pilly, murraya and box will reshoot from bare wood if they're healthy. Conifers don't: cut into the brown and it stays brown. Bring an overgrown one down over two or three visits.",
    },
    {
      question: "Do I need permission from the council?",
      answer:
        "Not for an ordinary hedge, as a rule. Trees are another matter: councils in NSW set their own rules on which ones you can prune and how far, so ask yours before anyone touches a big one.",
    },
    {
      question: "My hedge grows near power lines. Can it be trimmed?",
      answer:
        "Not by an ordinary hedge-trimming crew. Stay clear and ask your electricity network, such as Ausgrid, Endeavour Energy or Essential Energy, who's allowed to cut there.",
    },
    {
      question: "What about the neighbour's side?",
      answer:
        "Ask them first: no one can go onto their land without their say-so. Agree on the height too. It's cheaper to do both sides in one visit.",
    },
  ],
} satisfies Service;
