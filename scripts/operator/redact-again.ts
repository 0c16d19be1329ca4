/**
 * `npm run redact:again [-- --remote]`: works out again what rivals may read of every lead on the market, in D1
 * and in the exchanges. For after a change of the rules in worker/leads/redaction has been deployed.
 */
import { operate } from "./d1.ts";
import { runJob } from "./job.ts";

await operate({ name: "redact:again" }, true, (target) =>
  runJob(target, { kind: "redact_again", input: {} }),
);
