/**
 * `npm run erase -- --phone="0491 570 006" --email=anna@example.com [--remote]`: removes one person from requests,
 * listings, event logs, notes, bookings and customer accounts. `--username=pat-provider` erases that account of any
 * kind: a provider's with its team, or a team member's. Ledger and audit log stay, without the person. It cannot be
 * undone. It first counts what it would erase and asks for confirmation, unless `--yes` is given.
 */
import { asking } from "../command.ts";
import { operate } from "./d1.ts";
import { runJob } from "./job.ts";

const OPTIONS = { phone: "text", email: "text", username: "text" } as const;

await operate({ name: "erase", options: OPTIONS }, true, async (target, args) => {
  const [phone, email, username] = [args.option("phone"), args.option("email"), args.option("username")];
  if (!phone && !email && !username)
    throw new Error("Name the person by --phone and --email, or an account by --username.");
  const input = { phone, email, username };
  console.log("What would be erased:");
  await runJob(target, { kind: "preview_erasure", input });
  const isMeant = await asking(args.has("yes"))("This cannot be undone.");
  if (!isMeant) throw new Error("Nothing was erased.");
  const counts = await runJob(target, { kind: "erase_person", input });
  if (counts.accountsLeft)
    console.log(
      "Accounts left alone belong to providers, team members or super admins. Erase one by --username; a super admin's right has to be taken away first.",
    );
  console.log(
    "Exports made before hold the person still: delete them. After restoring an older state, erase again.",
  );
});
