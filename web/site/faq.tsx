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

/** Returns questions as structured data. Pass the same questions and answers that the page shows. */
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
