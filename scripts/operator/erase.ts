/**
 * `npm run erase -- --phone="0491 570 006" --email=anna@example.com [--remote]`: takes one person out of
 * requests, listings, event logs, notes, bookings and customer accounts. Ledger and audit log stay,
 * without the person. Cannot be undone.
 */
import { main, option, targetOf } from "./d1.ts";
import { runJob } from "./job.ts";

await main(async () => {
  const phone = option("phone");
  const email = option("email");
  if (phone === null && email === null) throw new Error("Name the person by --phone, --email or both.");
  await runJob(targetOf(), { kind: "erase_person", input: { phone, email } });
  console.log(
    "Exports made before hold the person still: delete them. After restoring an older state, erase again.",
  );
});
