import type { SuburbDetail } from "../../contract/suburbs.ts";
import { keepUnits } from "../lib/keep-units.ts";
import { Section } from "../site/section.tsx";
import { lawnFacts, SOURCES, textOf } from "./local-climate.ts";

/** Shows what is special about lawns in a suburb, with the sources. */
export function SuburbLawns({ suburb }: { suburb: SuburbDetail }) {
  const facts = lawnFacts(suburb);
  if (facts.length === 0) return null;
  const names = [...new Set(facts.flatMap((fact) => fact.sentences.flatMap(({ sources }) => sources)))].map(
    (source) => SOURCES[source],
  );
  return (
    <Section id="lawns" title={`Lawns in ${suburb.name}`} variant="split">
      <div>
        <dl className="suburb-facts">
          {facts.map((fact) => (
            <div key={fact.term}>
              <dt>{fact.term}</dt>
              <dd>{keepUnits(textOf(fact))}</dd>
            </div>
          ))}
        </dl>
        <p className="note">Sources: {names.join("; ")}. We worked out when to mow from these.</p>
      </div>
    </Section>
  );
}
