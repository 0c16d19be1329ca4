import { Section } from "./section.tsx";

/** Shows numbered steps, with letterbox numbers. */
export function Steps({ steps }: { steps: readonly { title: string; text: string }[] }) {
  return (
    <Section id="how-it-works" title="How it works" variant="sunken">
      <ol className="grid grid--4 steps">
        {steps.map((step, index) => (
          <li key={step.title}>
            <span className="plate" aria-hidden="true">
              {index + 1}
            </span>
            <h3>{step.title}</h3>
            <p>{step.text}</p>
          </li>
        ))}
      </ol>
    </Section>
  );
}
