/** Tests the effects of a super admin's refund on Stripe, the ledger, purchase, notes and audit log. */
import { eq } from "drizzle-orm";
import { beforeEach, expect, test } from "vitest";

import { providerNotes } from "../../tables.ts";
import { insertAdmin } from "../../../testing/admins.ts";
import {
  buyer,
  readStatusAndCode,
  listedLead,
  listingOf,
  paymentOf,
  purchaseOf,
  soldLead,
  stripe,
  sweep,
  webhook,
} from "../../../testing/cards.ts";
import { callWith, db } from "../../../testing/client.ts";
import { around } from "../../../testing/faulty-db.ts";
import { auditEntries, problemsOf, roomOf, setLead } from "../../../testing/facts.ts";
import { runJob } from "../../../testing/operator.ts";
import { openSocket } from "../../../testing/sockets.ts";

beforeEach(() => stripe.clearFaults());

const { admin, asAdmin } = await insertAdmin();
const REASON = "The customer had moved away, they say";

const refund = (id: string, reason = REASON) =>
  asAdmin("POST", `/api/super-admin/payments/${id}/refund`, { reason });
const refundsOf = (intentId: string) =>
  stripe.refunds.filter(({ payment_intent }) => payment_intent === intentId);
const notesOf = (id: string) => db.select().from(providerNotes).where(eq(providerNotes.providerId, id));

test("a refund updates Stripe, the ledger, the purchase and the log together; the lead stays sold", async () => {
  const { leadId, pat, holdId, intentId, id } = await soldLead();
  const response = await refund(id);
  expect(await response.json()).toEqual({ state: "refunded" });
  expect(refundsOf(intentId)).toHaveLength(1);
  expect(await paymentOf(holdId)).toMatchObject({ state: "refunded", refundedCents: 5000 });
  expect(await purchaseOf(leadId)).toMatchObject({ paymentStatus: "refunded", buyerId: pat.user.id });
  expect(await listingOf(leadId)).toMatchObject({ state: "sold" });
  const [line, ...more] = await auditEntries(id);
  expect(more).toEqual([]);
  expect(line).toMatchObject({
    action: "payment.refund",
    actorUserId: admin.id,
    before: { state: "succeeded", refundedCents: 0 },
    after: { state: "refund_pending", amountCents: 5000, leadId },
    requestId: response.headers.get("X-Request-Id"),
  });
  // The reason may contain personal information, and the log outlives the account.
  expect(JSON.stringify(line)).not.toContain("moved away");
  expect(await notesOf(pat.user.id)).toMatchObject([
    { kind: "refund", text: REASON, subjectId: id, byUserId: admin.id },
  ]);
});

test("row 42: two admins who refund at once, or one who does so again, refund once", async () => {
  const { pat, intentId, id } = await soldLead();
  const responses = await Promise.all([refund(id), refund(id)]);
  expect(responses.map(({ status }) => status)).toEqual([200, 200]);
  await sweep();
  expect(await (await refund(id)).json()).toEqual({ state: "refunded" });
  expect(refundsOf(intentId)).toHaveLength(1);
  expect(await auditEntries(id)).toHaveLength(1);
  expect(await notesOf(pat.user.id)).toHaveLength(1);
});

test("row 42: a webhook that read the payment before its refund does not undo the refund", async () => {
  const { leadId, holdId, intentId, id } = await soldLead();
  const [hasRead, isRefunded] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()];
  const before = () => (hasRead.resolve(), isRefunded.promise);
  const { body, headers } = await stripe.event("payment_intent.succeeded", intentId);
  const late = callWith(around('update "payments"', { before }), "POST", "/api/stripe/webhook", {
    body,
    headers,
  });
  await hasRead.promise;
  expect(await (await refund(id)).json()).toEqual({ state: "refunded" });
  isRefunded.resolve();
  expect((await late).status).toBe(200);
  expect(await paymentOf(holdId)).toMatchObject({ state: "refunded", refundedCents: 5000 });
  expect(await purchaseOf(leadId)).toMatchObject({ paymentStatus: "refunded" });
  expect(await problemsOf(id)).toEqual([]);
});

test("row 42: a refund that fails at Stripe stays owed, and the sweep makes it and marks the purchase", async () => {
  const { leadId, holdId, intentId, id } = await soldLead();
  stripe.fail("refund", "broken");
  expect(await (await refund(id)).json()).toEqual({ state: "refund_pending" });
  expect(await paymentOf(holdId)).toMatchObject({ state: "refund_pending" });
  // A webhook about the earlier success does not undo the decision.
  await webhook("payment_intent.succeeded", intentId);
  expect(await paymentOf(holdId)).toMatchObject({ state: "refund_pending" });
  await sweep();
  expect(refundsOf(intentId)).toHaveLength(1);
  expect(await paymentOf(holdId)).toMatchObject({ state: "refunded" });
  expect(await purchaseOf(leadId)).toMatchObject({ paymentStatus: "refunded" });
});

test("the buyer's windows receive the changed purchase, and not that the lead is gone", async () => {
  const { leadId, pat, id } = await soldLead();
  const { id: purchaseId } = (await purchaseOf(leadId))!;
  const socket = await openSocket("/api/business/live", pat.as.cookie);
  await socket.frame(0);
  await refund(id);
  await roomOf(pat.user.id).notify({
    type: "purchase_changed",
    purchaseId: "pur_a",
    byUserId: "user_a",
  });
  expect(await socket.frame(1)).toMatchObject({ type: "purchase_changed", purchaseId });
});

test("row 42: the admins see a refund that was returned, and the sale is paid again", async () => {
  const { leadId, holdId, intentId, id } = await soldLead();
  await refund(id);
  stripe.undoRefund(intentId);
  await webhook("refund.failed", intentId);
  expect(await paymentOf(holdId)).toMatchObject({ state: "succeeded" });
  expect(await purchaseOf(leadId)).toMatchObject({ paymentStatus: "completed" });
  const rows = await problemsOf(id);
  expect(rows).toMatchObject([{ kind: "refund_came_back" }]);
});

test("a payment that is unpaid or unknown cannot be refunded", async () => {
  const open = await buyer();
  const { holdId } = await open.opened(await listedLead());
  expect(await readStatusAndCode(await refund((await paymentOf(holdId)).id))).toEqual([
    409,
    "not_refundable",
  ]);
  expect(await readStatusAndCode(await refund("pay_00000000000000000000"))).toEqual([404, "not_found"]);
});

test("row 43: an unknown dispute is reported, and the purchase shows it; a known one is not refunded either", async () => {
  const { leadId, holdId, intentId, id } = await soldLead();
  stripe.dispute(intentId);
  for (let i = 0; i < 2; i++) {
    expect(await readStatusAndCode(await refund(id))).toEqual([409, "not_refundable"]);
    expect(await paymentOf(holdId)).toMatchObject({ state: "disputed" });
    expect(await purchaseOf(leadId)).toMatchObject({ paymentStatus: "disputed" });
  }
  expect(refundsOf(intentId)).toEqual([]);
});

test("erasing the lead's person deletes the reason for its refund", async () => {
  const { pat, leadId, id } = await soldLead();
  await setLead(leadId, { phoneKey: "+61491570156", customerPhone: "0491 570 156" });
  await refund(id, "Anna Brown says she never asked");
  await runJob({ kind: "erase_person", input: { phone: "0491 570 156", email: null } });
  expect(await notesOf(pat.user.id)).toEqual([]);
});
