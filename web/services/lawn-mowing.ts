import type { Service } from "./service.ts";

export const lawnMowing = {
  id: "lawn_mowing",
  href: "/service/lawn-mowing",
  name: "Lawn Mowing",
  icon: "mower",
  fromDollars: 50,
  duration: "30-60 minutes",
  jobs: [
    ["Small lawn, block under 300m²", 1],
    ["Medium lawn, block of 300-600m²", 1.3],
    ["Large lawn, block of 600-1000m²", 1.8],
    ["Extra large lawn, block over 1000m²", 2.6],
  ],
  description:
    "Mowed, edged and blown clean, once or every fortnight. Tell us about your lawn, and one local provider calls with a free quote.",
  text: "Mowed to the right height for your grass, edged along paths and beds, and blown clean.",
  includes: ["Mowing and catching", "Edges and borders", "Paths blown clean", "One-off or regular visits"],
  excludes: ["Weeding the beds", "Fertilising or spraying", "Clippings taken to the tip"],
  prepare: [
    "Pick up toys, hoses and dog mess from the lawn",
    "Unlock the side gate, and mention any step or tight turn",
    "Mark the sprinkler heads in the grass",
  ],
  questions: [
    {
      question: "How short should my lawn be cut?",
      answer:
        "Never take off more than a third of the blade at once. As a rule of thumb, keep couch at 20-30 mm, kikuyu at 30-50 mm and buffalo at 40-60 mm, and leave everything a little longer in shade and in midsummer.",
    },
    {
      question: "How often does it need mowing?",
      answer:
        "Every week or two while it grows fast, and every three to four weeks in the cooler months. Where winters are cold it may need no cut at all until spring.",
    },
    {
      question: "My grass is knee-high. Is that still mowing?",
      answer:
        "Yes, but it takes two passes and leaves a lot of clippings, so the first visit costs more. Choose Overgrown as the lawn condition and you'll be quoted for the job as it is.",
    },
    {
      question: "Can it be done in the rain?",
      answer:
        "Best not. Wet grass clumps, and wheels leave ruts in soft ground. After heavy rain, expect your provider to push the visit back a day or two.",
    },
    {
      question: "Do I have to be home?",
      answer:
        "No, as long as the gate is open and the dog is inside. Mention locked gates, steps and pets when you ask, and sort out the rest on the phone.",
    },
  ],
} satisfies Service;
