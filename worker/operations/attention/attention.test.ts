/** Problems that need a super admin's attention. */
import { contextOf } from "../../platform/context.ts";
import { eq } from "drizzle-orm";
import { expect, test } from "vitest";

import { attention, auditLog, messages } from "../../platform/db/schema.ts";
import { insertAdmin } from "../../../testing/admins.ts";
import { db, testEnv } from "../../../testing/client.ts";
import { mailbox } from "../../../testing/stand-ins/mailbox.ts";
import { insertUser } from "../../../testing/world.ts";
import { raiseAttention } from "../../outbox/attention-commands.ts";
import { deliver } from "../../messages/deliver-commands.ts";
import { sweepAttention } from "./report-commands.ts";

const { admin, asAdmin, list } = await insertAdmin();

test("a problem is resolved by an admin, logged, and raised again if it recurs", async () => {
  const item = { kind: "refund_failed", subjectId: "pay_records00000000" };
  const raiseAt = (now: number) => raiseAttention(db, item.kind, item.subjectId, "Still owed", now);
  const open = () => list<{ subjectId: string; since: number }>("/api/super-admin/attention");
  await raiseAt(1);
  await raiseAt(2);
  expect(await open()).toMatchObject([{ ...item, since: 1 }]);
  expect((await asAdmin("POST", "/api/super-admin/attention/resolve", item)).status).toBe(200);
  expect(await open()).toEqual([]);
  expect((await asAdmin("POST", "/api/super-admin/attention/resolve", item)).status).toBe(404);
  expect(await list("/api/super-admin/attention?resolved=yes")).toMatchObject([item]);
  await raiseAt(3);
  expect(await open()).toMatchObject([{ ...item, since: 3 }]);
  const lines = await db.select().from(auditLog).where(eq(auditLog.subjectId, item.subjectId));
  expect(lines).toMatchObject([{ action: "attention.resolve", actorUserId: admin.id }]);
  await db.delete(attention);
});

const raise = (id: string) => raiseAttention(db, "refund_failed", id, "Still owed", 1);

test("if email is set up, super admins get one email about each problem, and another if it recurs", async () => {
  await insertUser(db, { isSuperAdmin: true, email: "alex@example.com" });
  await insertUser(db, { isSuperAdmin: true, email: "gone@example.com", isActive: false });
  await insertUser(db, { email: "pat@example.com" });
  const { sent, changed } = mailbox();
  const sweep = (env = changed) => sweepAttention(contextOf({ ...testEnv, ...env }), Date.now());
  await raise("pay_1");
  await raise("pay_2");
  expect(await sweep({})).toEqual({ told: 0, failed: 0 });
  const broken = mailbox({ isFailing: true });
  expect(await sweep(broken.changed)).toEqual({ told: 2, failed: 1 });
  const inAMinute = Date.now() + 60_000;
  const env = { ...testEnv, ...changed };
  await Promise.all([
    sweep(),
    deliver(contextOf(env), null, inAMinute),
    deliver(contextOf(env), null, inAMinute),
  ]);
  expect(sent).toHaveLength(1);
  expect(sent[0]).toMatchObject({
    to: "alex@example.com",
    subject: "2 things need your attention at Naturestrip",
  });
  expect(sent[0]!.text).toContain("- Still owed (pay_1)");
  await raise("pay_1");
  await sweep();
  expect(sent).toHaveLength(1);
  await asAdmin("POST", "/api/super-admin/attention/resolve", { kind: "refund_failed", subjectId: "pay_1" });
  await raise("pay_1");
  await sweep();
  expect(sent[1]).toMatchObject({ subject: "One thing needs your attention at Naturestrip" });
  await db.delete(attention);
});

test("two runs in one millisecond report each item once, in the email of its own run", async () => {
  await db.delete(messages);
  await insertUser(db, { isSuperAdmin: true, email: "sam@example.com" });
  const { sent, changed } = mailbox();
  const env = { ...testEnv, ...changed };
  const now = Date.now();
  await raise("pay_3");
  await sweepAttention(contextOf(env), now);
  await raise("pay_4");
  await sweepAttention(contextOf(env), now);
  const toSam = sent.filter(({ to }) => to === "sam@example.com");
  expect(toSam.map(({ text }) => text.match(/pay_\d/g))).toEqual([["pay_3"], ["pay_4"]]);
  await db.delete(attention);
});
