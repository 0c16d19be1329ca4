/**
 * `npm run check:data [-- --remote]`: names every stored value that no list of the contract knows, as
 * every night. Nothing is changed.
 */
import { main, targetOf } from "./d1.ts";
import { runJob } from "./job.ts";

await main(() => runJob(targetOf(), { kind: "check_data", input: {} }));
