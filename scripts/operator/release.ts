/**
 * `npm run release -- --lead=lead_… [--remote]`: releases a held lead when its payment never ends by itself. Look at
 * the payment in Stripe's dashboard first.
 */
import { leadIdSchema } from "../../contract/leads.ts";
import { operate } from "./d1.ts";
import { runJob } from "./job.ts";

await operate({ name: "release", options: { lead: "text" } }, true, async (target, args) => {
  const lead = leadIdSchema.safeParse(args.option("lead"));
  if (!lead.success) throw new Error("Name the lead: --lead=lead_…");
  await runJob(target, { kind: "release_lead", input: { leadId: lead.data } });
});
