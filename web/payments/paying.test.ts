import { expect, test } from "vitest";

import { ApiError } from "../lib/api.ts";
import { tryToPay } from "./paying.ts";
import type { OpenPayment, PayResult, Settled } from "./purchase-api.ts";
import { nextPhase, type Phase } from "./purchase-phase.ts";

type Pay = () => Promise<PayResult | "incomplete">;

const payment = { holdId: "hold_1" } as OpenPayment;
const purchase = { id: "pur_1" } as NonNullable<Settled["purchase"]>;
const answer = (status: Settled["status"], more: Partial<Settled> = {}) =>
  ({ status, purchase: null, ...more }) as Settled;

const open: Phase = { name: "open", payment, isPaying: true, problem: null };
const declined = new ApiError(
  402,
  "",
  JSON.stringify({ title: "", status: 402, detail: "Your card was declined.", code: "card_declined" }),
);
const delayed = new ApiError(
  503,
  "",
  JSON.stringify({ title: "", status: 503, detail: "Within a minute.", code: "details_delayed" }),
);

/** Tries to pay. The server responds with `answers` in order; later requests fail. */
async function attempt(pay: Pay, ...answers: Settled[]) {
  const settle = async () => answers.shift() ?? Promise.reject(new TypeError("Failed to fetch"));
  const { event, toast } = (await tryToPay(pay, settle, () => false))!;
  return { phase: nextPhase(open, event), toasts: toast ? [`${toast.title}: ${toast.description}`] : [] };
}

const paid: Pay = async () => ({ status: "succeeded" });
const cancelled: Pay = async () => ({
  error: { type: "invalid_request_error", code: "payment_intent_unexpected_state" },
});
const failing = (error: Error): Pay =>
  async function fail() {
    throw error;
  };

test("Stripe's status, not the browser's, decides a purchase", async () => {
  expect(await attempt(paid, answer("sold", { purchase }))).toEqual({
    phase: { name: "bought", purchase },
    toasts: [],
  });
  expect((await attempt(paid, answer("open"))).phase).toMatchObject({
    name: "processing",
    status: "succeeded",
  });
  expect((await attempt(paid, answer("processing"))).phase).toMatchObject({
    name: "processing",
    status: "processing",
  });
});

test("a declined card shows the reason and allows a retry", async () => {
  const words = "Your card was declined.";
  const expected = {
    phase: { ...open, isPaying: false, problem: words },
    toasts: [`Payment Failed: ${words}`],
  };
  expect(await attempt(async () => ({ error: { type: "card_error", message: words } }))).toEqual(expected);
  expect(await attempt(failing(declined))).toEqual(expected);
  expect((await attempt(async () => "incomplete")).phase).toEqual({ ...open, isPaying: false });
});

const lost = failing(new TypeError("Failed to fetch"));
const between = failing(new ApiError(502, "", "<h1>502 Bad Gateway</h1>"));
const signIn = failing(new SyntaxError("Unexpected token '<'"));
const connectionLost: Pay = async () => ({ error: { type: "api_connection_error" } });

test.for([lost, between, signIn, connectionLost])(
  "without a response, asks Stripe before reporting anything",
  async (pay) => {
    const problem = "Failed to process payment. Please try again.";
    const toasts = [`Payment Error: ${problem}`];
    const unpaid = { phase: { ...open, isPaying: false, problem }, toasts };
    const following = { name: "checking", why: "answer" };
    expect(await attempt(pay, answer("open"))).toEqual(unpaid);
    expect(await attempt(pay, answer("sold", { purchase }))).toEqual({
      phase: { name: "bought", purchase },
      toasts: [],
    });
    expect(await attempt(pay, answer("processing"))).toMatchObject({ phase: following, toasts: [] });
    // Do not report a failure: the payment may have succeeded.
    expect(await attempt(pay)).toMatchObject({
      phase: following,
      toasts: [expect.stringMatching(/^Payment Error: We don't know yet whether you've paid/)],
    });
  },
);

test("a failed bank authentication counts as a declined card", async () => {
  const refused = {
    type: "invalid_request_error",
    code: "payment_intent_authentication_failure",
    message: "Your bank said no.",
  } as const;
  expect((await attempt(async () => ({ error: refused }))).toasts).toEqual([
    "Payment Failed: Your bank said no.",
  ]);
});

test("asks Stripe about a payment cancelled during the attempt", async () => {
  expect(await attempt(cancelled)).toMatchObject({ phase: { name: "checking", why: "answer" }, toasts: [] });
});

test("a lead with delayed details is still bought", async () => {
  expect(await attempt(failing(delayed))).toEqual({
    phase: { name: "delayed", message: "Within a minute." },
    toasts: [],
  });
});

const cannotSettle = () => Promise.reject(new Error("asked"));

test("a late attempt has no outcome", async () => {
  for (const pay of [paid, cancelled, lost, failing(declined)])
    expect(await tryToPay(pay, cannotSettle, () => true)).toBeNull();
});
