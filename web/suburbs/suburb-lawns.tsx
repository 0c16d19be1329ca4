import type { SuburbDetail } from "../../contract/suburbs.ts";
import { Section } from "../site/section.tsx";
import { lawnFacts, SOURCES } from "./local-climate.ts";

/** Shows what is special about lawns in a suburb, with the sources. */
export function SuburbLawns({ suburb }: { suburb: SuburbDetail }) {
  const facts = lawnFacts(suburb);
  if (facts.length === 0) return null;
  const sources = [...new Set(facts.flatMap((fact) => fact.sources))].map((source) => SOURCES[source]);
  return (
    <Section id="lawns" title={`Lawns in ${suburb.name}`} variant="split">
      <div>
        <dl className="suburb-facts">
          {facts.map(({ term, text }) => (
            <div key={term}>
              <dt>{term}</dt>
              <dd>{text}</dd>
            </div>
          ))}
        </dl>
        <p className="note">Sources: {sources.join("; ")}. Mowing: our rule of thumb.</p>
      </div>
    </Section>
  );
}
