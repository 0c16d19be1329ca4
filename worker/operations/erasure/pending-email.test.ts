/** The owner of an unconfirmed email address is unknown. An erasure removes the address and leaves the account. */
import { eq } from "drizzle-orm";
import { expect, test } from "vitest";

import { db } from "../../../testing/client.ts";
import { stored, requestEmailChange } from "../../../testing/email-links.ts";
import { userRow } from "../../../testing/facts.ts";
import { runJob } from "../../../testing/operator.ts";
import { oneTimeSecrets } from "../../tables.ts";

test("erasing a pending email address removes it from every account, and the accounts stay", async () => {
  const { user } = await requestEmailChange("zz.waiting77@example.org", { userType: "customer" });
  const other = await requestEmailChange("zz.waiting77@example.org");
  const job = await runJob({
    kind: "erase_person",
    input: { phone: null, email: "zz.waiting77@example.org" },
  });
  expect(job.result).toMatchObject({ accounts: 0, accountsLeft: 2 });
  for (const { username } of [user, other.user])
    expect(await stored(username)).toMatchObject({ pendingEmail: null });
  const rows = await db.$count(oneTimeSecrets, eq(oneTimeSecrets.email, "zz.waiting77@example.org"));
  expect(rows).toBe(0);

  const leaver = await requestEmailChange("zz.leaver77@example.org");
  await runJob({
    kind: "erase_person",
    input: { phone: null, email: null, username: leaver.user.username },
  });
  expect(await userRow(leaver.user.id)).toMatchObject({ email: null, pendingEmail: null });
  expect(await db.$count(oneTimeSecrets, eq(oneTimeSecrets.userId, leaver.user.id))).toBe(0);
});
