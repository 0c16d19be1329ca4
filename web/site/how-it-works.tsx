import { useClaims } from "./site-claims.ts";
import { Steps } from "./steps.tsx";

const FIRST_STEP = "Your address, the size of the block and what needs doing.";

const LATER_STEPS = [
  {
    title: "Get matched",
    text: "One provider at a time gets your request and your number. Not a crowd.",
  },
  {
    title: "Choose your provider",
    text: "They call you with a quote. You only book if it suits you.",
  },
  {
    title: "Enjoy your lawn",
    text: "You agree on a day for the job. You pay your provider, never us.",
  },
] as const;

/** Shows the four steps from request to mown lawn. */
export function HowItWorks() {
  const { quickQuote } = useClaims();
  const text = quickQuote ? `${FIRST_STEP} It takes about a minute.` : FIRST_STEP;
  return <Steps steps={[{ title: "Tell us your needs", text }, ...LATER_STEPS]} />;
}
