import type { SuburbDetail } from "../../contract/suburbs.ts";
import { claim } from "../site/claims.ts";
import { Section } from "../site/section.tsx";
import { formatFromPrice } from "../lib/format-money.ts";
import { Icon } from "../ui/icon.tsx";

/** Frequent questions about a suburb, with their answers. */
export function questions(suburb: SuburbDetail) {
  return [
    {
      question: "How long does a mowing visit take?",
      answer:
        "A mowing visit typically takes 30-60 minutes. Large blocks, slopes and long grass take longer; your provider tells you before they start.",
    },
    {
      question: `What does lawn care cost in ${suburb.name}?`,
      answer: `Prices start from ${formatFromPrice(suburb.priceFrom)}. The final price depends on the size of the property, the state of the lawn and how often you want it done.`,
    },
    {
      question: "How soon will somebody call me?",
      answer: claim("connected")
        ? "We connect you with a provider within 24 hours. If it has to be done within two days, say so in your message."
        : "As soon as a provider in your area takes your request. If it has to be done within two days, say so in your message.",
    },
    {
      question: "Who gets my phone number?",
      answer:
        "One provider, the one who takes your request. Before that, providers see your first name and the first letter of your surname, your suburb, the last three digits of your phone number and the job. Nothing else.",
    },
    {
      question: "Do I have to be at home?",
      answer:
        "No, as long as the provider can get to the lawn. Mention locked gates and pets in your message.",
    },
  ];
}

/** Frequent questions. Opening one closes the other; clicking the open one closes it. No script. */
export function SuburbFaq({ suburb }: { suburb: SuburbDetail }) {
  return (
    <Section id="faq" title="Frequently asked questions" look="split">
      <div className="faq">
        {questions(suburb).map(({ question, answer }) => (
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
