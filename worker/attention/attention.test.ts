/** What needs a super admin's eyes. */
import { eq } from "drizzle-orm";
import { expect, test } from "vitest";

import { attention, auditLog } from "../db/schema.ts";
import { insertAdmin } from "../../testing/admins.ts";
import { db } from "../../testing/client.ts";
import { raiseAttention } from "./commands.ts";

const { admin, asAdmin, list } = await insertAdmin();

test("what needs attention is resolved by name, logged, and comes back if it happens again", async () => {
  const item = { kind: "refund_failed", subjectId: "pay_records00000000" };
  const raise = (now: number) => raiseAttention(db, item.kind, item.subjectId, "Still owed", now);
  const open = () => list<{ subjectId: string; since: number }>("/api/super-admin/attention");
  await raise(1);
  await raise(2);
  expect(await open()).toMatchObject([{ ...item, since: 1 }]);
  expect((await asAdmin("POST", "/api/super-admin/attention/resolve", item)).status).toBe(200);
  expect(await open()).toEqual([]);
  expect((await asAdmin("POST", "/api/super-admin/attention/resolve", item)).status).toBe(404);
  expect(await list("/api/super-admin/attention?resolved=yes")).toMatchObject([item]);
  await raise(3);
  expect(await open()).toMatchObject([{ ...item, since: 3 }]);
  const lines = await db.select().from(auditLog).where(eq(auditLog.subjectId, item.subjectId));
  expect(lines).toMatchObject([{ action: "attention.resolve", actorUserId: admin.id }]);
  await db.delete(attention);
});
