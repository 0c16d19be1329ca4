import type { Service } from "./service.ts";

export const pressureWashing = {
  id: "pressure_washing",
  href: "/service/pressure-washing",
  name: "Pressure Washing",
  icon: "spray",
  fromDollars: 120,
  duration: "1-2 hours",
  jobs: [
    ["A front path and porch", 1],
    ["A double driveway", 1.5],
    ["Driveway, paths and patio", 2.25],
    ["Driveway, paths, patio and fences", 3.5],
  ],
  description:
    "Moss, grime and tyre marks off the driveway, the paths and the patio. One local provider calls with a free quote.",
  text: "Moss, grime and tyre marks gone from driveways, paths and patios.",
  includes: ["Driveways and paths", "Patios and decks", "Walls and fences", "Around the pool"],
  excludes: ["Sealing afterwards", "Roofs and gutters", "Anything with asbestos"],
  prepare: [
    "Park the cars on the street, and clear mats and pots away",
    "Close windows and doors nearby, and cover outdoor power points",
    "Check that the garden tap works and the water can drain away",
  ],
  questions: [
    {
      question: "Is there anything that shouldn't be pressure washed?",
      answer:
        "Yes. Soft sandstone, old render, flaking paint and weathered timber need low pressure or a brush. Never asbestos sheeting: NSW work health and safety law bans high-pressure water on it.",
    },
    {
      question: "Where does the dirty water go?",
      answer:
        "Onto the lawn or garden beds wherever possible. Street drains run straight to creeks and beaches, and you can be fined for water pollution if detergent or sludge gets into them.",
    },
    {
      question: "Whose water and power do they use?",
      answer:
        "Usually yours: the garden tap, and often an outdoor power point. Say so if you have neither, and check whether water restrictions apply where you live.",
    },
    {
      question: "How soon can I park on the driveway again?",
      answer:
        "Once it's dry: a few hours in the sun. If you want it sealed, that's a separate job and needs a day or two without cars.",
    },
    {
      question: "Will the tyre marks and oil come out?",
      answer:
        "Moss, mould and mud nearly always do. Fresh oil mostly does, old oil only partly, because concrete soaks it up. Ask for a test patch.",
    },
  ],
} satisfies Service;
