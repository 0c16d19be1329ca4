/**
 * `npm run release -- --lead=lead_… [--remote]`: gives back a lead that is being bought for ever, because
 * its payment does not come to its end by itself. Look at the payment in Stripe's dashboard first.
 */
import { leadIdSchema } from "../../contract/leads.ts";
import { main, option, targetOf } from "./d1.ts";
import { runJob } from "./job.ts";

await main(async () => {
  const lead = leadIdSchema.safeParse(option("lead"));
  if (!lead.success) throw new Error("Name the lead: --lead=lead_…");
  await runJob(targetOf(), { kind: "release_lead", input: { leadId: lead.data } });
});
