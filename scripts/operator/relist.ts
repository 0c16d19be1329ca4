/**
 * `npm run exchange:relist -- --region=inner-west|--all [--remote]`: relists leads that D1 offers but their exchange no
 * longer has, because its storage was lost. Never relists sold leads. Safe to repeat. The minute's sweep does the same
 * for an exchange it finds empty.
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
