/** From the first tap to a mown lawn, in four steps. */
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

export function HowItWorks() {
  return (
    <section className="section section--sunken" aria-labelledby="how-it-works">
      <div className="wrap">
        <div className="section__head">
          <h2 id="how-it-works">How it works</h2>
        </div>
        <ol className="grid grid--4 steps">
          {STEPS.map((step, index) => (
            <li key={step.title}>
              <span className="plate" aria-hidden="true">
                {index + 1}
              </span>
              <h3>{step.title}</h3>
              <p>{step.text}</p>
            </li>
          ))}
        </ol>
      </div>
    </section>
  );
}
