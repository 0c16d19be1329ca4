import { Steps } from "./steps.tsx";

const STEPS = [
  {
    title: "Tell us your needs",
    text: "Address, property size, what needs doing and how soon. It takes about a minute.",
  },
  {
    title: "Get matched",
    text: "Your request goes to one provider who works in your area. Nobody else gets your number.",
  },
  {
    title: "Choose your provider",
    text: "They call you with a quote. Ask what you like; you only book if it suits you.",
  },
  {
    title: "Enjoy your lawn",
    text: "The work gets done on the day you agreed. You pay your provider, never us.",
  },
] as const;

/** From the first tap to a mown lawn, in four steps. */
export function HowItWorks() {
  return <Steps steps={STEPS} />;
}
