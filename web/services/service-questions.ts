import type { PageServiceId } from "../../contract/catalogue.ts";
import type { Question } from "../site/faq.tsx";

/**
 * Common questions about each service. The answers are general gardening knowledge and NSW law. They promise nothing.
 */
export const SERVICE_QUESTIONS: Record<PageServiceId, readonly Question[]> = {
  lawn_mowing: [
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
  garden_cleanup: [
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
  yard_cleanup: [
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
  green_waste_removal: [
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
  pressure_washing: [
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
  hedge_trimming: [
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
};
