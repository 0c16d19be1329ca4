/**
 * `npm run redact:again [-- --remote]`: recomputes what rivals may read of every lead on the market, in D1 and in the
 * exchanges. Run it after deploying a change to the rules in worker/leads/redaction.
 */
import { operate } from "./d1.ts";
import { runJob } from "./job.ts";

await operate({ name: "redact:again" }, true, (target) =>
  runJob(target, { kind: "redact_again", input: {} }),
);
