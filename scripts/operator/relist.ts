/**
 * `npm run exchange:relist -- --region=inner-west|--all [--remote]`: puts leads back on the market that D1
 * offers and their exchange has forgotten, because its storage was lost. Sold leads never come back.
 * Harmless when repeated; the minute's sweep does the same for an exchange it finds empty.
 */
import { isRegion, REGION_SLUGS } from "../../contract/regions.ts";
import { operate } from "./d1.ts";
import { runJob } from "./job.ts";

const SPEC = { name: "exchange:relist", options: { region: "text", all: "flag" } } as const;

await operate(SPEC, true, async (target, args) => {
  const region = args.option("region");
  if (args.has("all") === (region !== null)) throw new Error("Say --region=… or --all, one of them.");
  if (region !== null && !isRegion(region)) throw new Error(`Name one of: ${REGION_SLUGS.join(", ")}`);
  await runJob(target, { kind: "relist", input: { region } });
});
