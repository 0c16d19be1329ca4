/**
 * `npm run region -- list|pause|resume [region|--all] [--reason="…"] [--remote]`: pauses a region's market, or opens it
 * again. While it is paused, requests wait and a buyer who is already paying may finish.
 */
import { isRegion, REGION_SLUGS } from "../../contract/regions.ts";
import type { Arguments } from "../command.ts";
import { operate, query, type Target } from "./d1.ts";
import { runJobs } from "./job.ts";

const SPEC = {
  name: "region",
  options: { reason: "text", all: "flag" },
  words: ["list|pause|resume", "region?"],
} as const;
const isChange = ({ words: [action] }: Arguments) => action !== "list";

async function list(target: Target): Promise<void> {
  const rows = await query(target, "SELECT region, reason, since FROM paused_regions ORDER BY since");
  if (rows.length === 0) console.log("No region is paused.");
  for (const { region, reason, since } of rows)
    console.log(`${region} since ${new Date(Number(since)).toISOString()}: ${reason}`);
}

await operate(SPEC, isChange, async (target, args) => {
  const [action, region = ""] = args.words;
  if (action === "list") return list(target);
  if (action !== "pause" && action !== "resume") throw new Error("Say list, pause or resume.");
  if (args.has("all") === isRegion(region))
    throw new Error(`Say --all or name one of: ${REGION_SLUGS.join(", ")}`);
  const regions = isRegion(region) ? [region] : REGION_SLUGS;
  if (action === "resume")
    return runJobs(
      target,
      regions.map((region) => ({ kind: "resume_region", input: { region } })),
    );
  const reason = args.option("reason");
  if (!reason) throw new Error('Say why, for those who ask later: --reason="…"');
  await runJobs(
    target,
    regions.map((region) => ({ kind: "pause_region", input: { region, reason } })),
  );
});
