import { Icon } from "../ui/icon.tsx";
import { Section } from "./section.tsx";

/** A question and its answer, both in plain text. */
export type Question = { question: string; answer: string };

/** Shows frequently asked questions. Opening one closes the others. It needs no script. */
export function Faq({ title, questions }: { title: string; questions: readonly Question[] }) {
  return (
    <Section id="faq" title={title} variant="split">
      <div className="faq">
        {questions.map(({ question, answer }) => (
          <details key={question} name="faq">
            <summary>
              {question}
              <Icon name="chevron" />
            </summary>
            <p>{answer}</p>
          </details>
        ))}
      </div>
    </Section>
  );
}
