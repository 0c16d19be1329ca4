/**
 * `npm run check:data [-- --remote]`: lists every stored value that is in none of the contract's lists, as the nightly
 * run does. Changes nothing.
 */
import { operate } from "./d1.ts";
import { runJob } from "./job.ts";

await operate({ name: "check:data" }, false, (target) => runJob(target, { kind: "check_data", input: {} }));
