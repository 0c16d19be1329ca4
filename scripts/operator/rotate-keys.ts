/**
 * `npm run keys:rotate [-- --remote]`: re-encrypts all bank details with the first key of BANK_DETAILS_KEYS. Put the
 * new key in front of the old ones first; docs/operations.md has the commands.
 */
import { operate, query } from "./d1.ts";
import { runJob } from "./job.ts";

await operate({ name: "keys:rotate" }, true, async (target) => {
  await runJob(target, { kind: "reseal_bank_details", input: {} });
  const rows = await query(
    target,
    "SELECT key_id, count(*) AS n FROM bank_details GROUP BY key_id ORDER BY key_id",
  );
  for (const { key_id, n } of rows) console.log(`  under key ${key_id}: ${n}`);
  console.log("Once every row is under the new key, the old one may leave the ring.");
});
