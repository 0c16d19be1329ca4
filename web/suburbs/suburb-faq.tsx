import { findNeighbours, hasReliablePopulation } from "../../contract/suburb-facts.ts";
import type { NearbySuburb, SuburbDetail } from "../../contract/suburbs.ts";
import { findNearbyCouncils } from "../lib/council-links.ts";
import { formatCount } from "../lib/format-count.ts";
import { keepUnits } from "../lib/keep-units.ts";
import type { Claims } from "../site/claims.ts";
import { Faq, type Question } from "../site/faq.tsx";
import { getAreaName } from "./council-area.ts";
import { formatDirection } from "./format-direction.ts";
import { describeMowing, findClimate, GRASS_TERM, lawnFacts, textOf } from "./local-climate.ts";

type Known = {
  suburb: SuburbDetail;
  nearby: readonly NearbySuburb[];
  claims: Claims;
};

const list = (texts: readonly string[]) => new Intl.ListFormat("en-AU").format(texts);

/** Names the neighbours with postcode, distance and people, and those of other councils. */
function describeCoverage({ suburb, nearby }: Known): string {
  const neighbours = findNeighbours(nearby);
  const area = getAreaName(suburb.council);
  if (neighbours.length === 0) return `Yes, all of NSW, including the rest of ${area}.`;
  const places = neighbours.map((place) => {
    const people = hasReliablePopulation(place) ? `, ${formatCount(place.population)} people` : "";
    return `${place.name} ${place.postcode} (${place.distanceKm.toFixed(1)} km ${formatDirection(place.bearing)}${people})`;
  });
  const others = Map.groupBy(
    neighbours.filter(({ council }) => council !== suburb.council),
    ({ council }) => council,
  );
  const across = [...others].map(([council, these]) => {
    const names = list(these.map(({ name }) => name));
    return ` ${names} ${these.length === 1 ? "is" : "are"} in ${getAreaName(council)}.`;
  });
  // A place with fewer neighbours is remote, and the next councils are hundreds of kilometres away.
  const councils =
    neighbours.length < 3
      ? []
      : findNearbyCouncils(suburb.council).map(({ council }) => getAreaName(council));
  const around = councils.length > 0 ? [`the councils around it (${councils.join(", ")})`] : [];
  return `Yes, all of NSW. Close to you: ${list([...places, `the rest of ${area}`, ...around])}.${across.join("")}`;
}

/** Returns the questions with local answers, and the specification's question about the length of a visit. */
export function questions(known: Known): Question[] {
  const { suburb, claims } = known;
  const { name } = suburb;
  const mowing = describeMowing(suburb);
  const grass = lawnFacts(suburb).find(({ term }) => term === GRASS_TERM);
  const rain = findClimate(suburb)?.rainMm;
  const seasons = [
    mowing && {
      question: `How often does a lawn in ${name} need mowing?`,
      answer: mowing,
    },
    grass && {
      question: `Which grass grows well in ${name}?`,
      answer: `${textOf(grass)} The year brings ${rain?.toLocaleString("en-AU")} mm of rain.`,
    },
  ].filter((question) => typeof question === "object" && question !== null);
  return [
    {
      question: "How long does mowing take?",
      answer: claims.durations ? "A mowing visit typically takes 30-60 minutes." : "It depends on the lawn.",
    },
    ...seasons,
    { question: `Do you cover places near ${name} too?`, answer: describeCoverage(known) },
  ].map(({ question, answer }) => ({ question, answer: keepUnits(answer) }));
}

export function SuburbFaq(known: Known) {
  return <Faq title="Frequently asked questions" questions={questions(known)} />;
}
