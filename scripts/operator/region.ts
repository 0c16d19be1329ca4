/**
 * `npm run region -- list|pause|resume [region] [--reason="…"] [--remote]`: takes a region off the market
 * for a while, or opens it again. Requests wait; whoever is paying already may finish.
 */
import { isRegion, REGION_SLUGS } from "../../contract/regions.ts";
import { operate, query } from "./d1.ts";
import type { Arguments } from "../command.ts";
import { runJob } from "./job.ts";

const SPEC = {
  name: "region",
  options: { reason: "text" },
  words: ["list|pause|resume", "region?"],
} as const;
const isChange = ({ words: [action] }: Arguments) => action !== "list";

await operate(SPEC, isChange, async (target, args) => {
  const [action, region = ""] = args.words;
  if (action === "list") {
    const rows = await query(target, "SELECT region, reason, since FROM paused_regions ORDER BY since");
    if (rows.length === 0) console.log("No region is paused.");
    for (const { region, reason, since } of rows)
      console.log(`${region} since ${new Date(Number(since)).toISOString()}: ${reason}`);
    return;
  }
  if (action !== "pause" && action !== "resume") throw new Error("Say list, pause or resume.");
  if (!isRegion(region)) throw new Error(`Name one of: ${REGION_SLUGS.join(", ")}`);
  if (action === "resume") return runJob(target, { kind: "resume_region", input: { region } });
  const reason = args.option("reason");
  if (!reason) throw new Error('Say why, for those who ask later: --reason="…"');
  await runJob(target, { kind: "pause_region", input: { region, reason } });
});
