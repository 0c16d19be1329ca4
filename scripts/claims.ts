/**
 * `npm run claims` lists each claim of the site with the condition that makes it true.
 * `npm run claims -- confirm rating --by="Your Name"` confirms a claim. `hide` removes one from every page.
 * `hide undecided` removes every undecided claim. The next deploy applies the decisions.
 */
import { sydneyDay } from "../contract/sydney-time.ts";
import { decide, describeClaims, readDecisions, undecidedClaims, writeDecisions } from "./claims-file.ts";
import { main, readArguments } from "./command.ts";

await main(async () => {
  const args = readArguments({ name: "claims", options: { by: "text" }, words: ["confirm|hide?", "claim?"] });
  const [act, what] = args.words;
  const before = readDecisions();
  if (act === undefined) {
    console.log(describeClaims(before));
  } else {
    writeDecisions(decide(before, { act, what, by: args.option("by"), on: sydneyDay(Date.now()) }));
  }
  const open = undecidedClaims(readDecisions()).length;
  console.log(
    `\n${open === 0 ? "All claims are decided." : `${open} undecided: no deploy before they are.`}`,
  );
});
