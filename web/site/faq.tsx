import { Icon } from "../ui/icon.tsx";
import { Section } from "./section.tsx";

/** A question and its answer in plain text. */
export type Question = { question: string; answer: string };

/** Frequent questions. Opening one closes the other; clicking the open one closes it. No script. */
export function Faq({ title, questions }: { title: string; questions: readonly Question[] }) {
  return (
    <Section id="faq" title={title} look="split">
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

/** Returns questions as structured data. Pass exactly the questions and texts that the page shows. */
export function faqData(questions: readonly Question[]) {
  return {
    "script:ld+json": {
      "@context": "https://schema.org",
      "@type": "FAQPage",
      mainEntity: questions.map(({ question, answer }) => ({
        "@type": "Question",
        name: question,
        acceptedAnswer: { "@type": "Answer", text: answer },
      })),
    },
  };
}
