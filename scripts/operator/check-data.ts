/**
 * `npm run check:data [-- --remote]`: names every stored value that no list of the contract knows, as
 * every night. Nothing is changed.
 */
import { operate } from "./d1.ts";
import { runJob } from "./job.ts";

await operate({ name: "check:data" }, false, (target) => runJob(target, { kind: "check_data", input: {} }));
