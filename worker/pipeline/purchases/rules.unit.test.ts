import { expect, test } from "vitest";

import { HOUR_MS } from "../../../contract/durations.ts";
import { type PurchaseRow, type SoldLead, UNDO_WITHIN_MS } from "../../selling/purchases/rules.ts";
import { applyCorrection, applyOutcome, applyUpdate, decideRestore, findConflict } from "./rules.ts";

const NOW = 1_800_000_000_000;
const KEY = "0c9e1f0a-3b1e-4a52-9f1c-1f6a3c1d2e3f";

const purchase = (columns: Partial<PurchaseRow> = {}) =>
  ({
    salesStage: "called",
    salesNotes: "Two dogs",
    notesVersion: 3,
    customerPaymentAmountCents: null,
    nextActionAt: null,
    nextActionNote: null,
    assignedToUserId: null,
    changeKeys: "",
    calledAt: NOW - HOUR_MS,
    quoteSentAt: null,
    jobBookedAt: null,
    jobCompleteAt: null,
    purchasedAt: NOW - 100 * HOUR_MS,
    reviewDueAt: NOW + 500 * HOUR_MS,
    tries: 2,
    lastContactAt: null,
    reachedAt: null,
    removedAt: null,
    removedByUserId: null,
    isArchived: false,
    finalisedAt: null,
    corrected: null,
    mode: "stripe",
    ...columns,
  }) as PurchaseRow;

const BY = { userId: "usr_owner", undoneAt: null, now: NOW };

test("an update without expectations always applies", () => {
  expect(findConflict(purchase(), { salesStage: "quote_sent" })).toBeNull();
  expect(findConflict(purchase(), { salesNotes: "Three dogs" })).toBeNull();
});

test("notes of another version are a conflict", () => {
  expect(findConflict(purchase(), { salesNotes: "Three dogs", notesVersion: 3 })).toBeNull();
  expect(findConflict(purchase(), { salesNotes: "Three dogs", notesVersion: 2 })).toBe("notes_conflict");
});

test("a late change applies if its field has the expected or already the new value", () => {
  const update = { customerPaymentAmount: "240", was: { customerPaymentAmount: null } };
  expect(findConflict(purchase(), update)).toBeNull();
  expect(findConflict(purchase({ customerPaymentAmountCents: 24_000 }), update)).toBeNull();
  expect(findConflict(purchase({ customerPaymentAmountCents: 100 }), update)).toBe("changed_since");
});

test("an unknown stage counts as the first stage for a late change", () => {
  const update = { salesStage: "quote_sent", was: { salesStage: "accepted_lead" } } as const;
  expect(findConflict(purchase({ salesStage: "unheard of" }), update)).toBeNull();
  expect(findConflict(purchase(), update)).toBe("stage_changed");
});

test("an undo applies only while the lead is at the stage", () => {
  const update = { salesStage: "accepted_lead", undoes: "called" } as const;
  expect(findConflict(purchase(), update)).toBeNull();
  expect(findConflict(purchase({ salesStage: "quote_sent" }), update)).toBe("stage_changed");
});

test("a move sets the time of its stage once", () => {
  expect(applyUpdate(purchase(), { salesStage: "quote_sent" }, BY)).toEqual({
    salesStage: "quote_sent",
    quoteSentAt: NOW,
  });
  expect(applyUpdate(purchase(), { salesStage: "called" }, BY).calledAt).toBe(NOW - HOUR_MS);
});

test("an undo clears the time of its stage only if the undone move set it, a short while ago", () => {
  const update = { salesStage: "accepted_lead", undoes: "called" } as const;
  const undo = (calledAt: number, undoneAt: number) =>
    applyUpdate(purchase({ calledAt }), update, { ...BY, undoneAt });
  const at = NOW - UNDO_WITHIN_MS;
  expect(undo(at, at)).toEqual({ salesStage: "accepted_lead", calledAt: null });
  expect(undo(at - 1, at - 1)).toEqual({ salesStage: "accepted_lead" });
  expect(undo(at, at + 1)).toEqual({ salesStage: "accepted_lead" });
});

test("notes get a new version and an author, and a change key comes first", () => {
  const change = applyUpdate(purchase({ changeKeys: "older " }), { salesNotes: null, changeKey: KEY }, BY);
  expect(change).toEqual({
    salesNotes: null,
    notesVersion: 4,
    notesByUserId: "usr_owner",
    notesAt: NOW,
    changeKeys: `${KEY} older `,
  });
});

test("a purchase keeps its eight newest change keys", () => {
  const older = "0c9e1f0a-0000-4a52-9f1c-1f6a3c1d2e3f ";
  const update = { customerPaymentAmount: "240", changeKey: KEY };
  const { changeKeys } = applyUpdate(purchase({ changeKeys: older.repeat(8) }), update, BY);
  expect(changeKeys).toBe(`${KEY} ${older.repeat(7)}`);
});

const dueAfter = (reviewDueAt: number | null) =>
  applyUpdate(purchase({ reviewDueAt }), { salesStage: "job_complete" }, BY).reviewDueAt;

test("a complete job brings the question for a review forward, but never back", () => {
  expect(dueAfter(NOW + 500 * HOUR_MS)).toBe(NOW);
  expect(dueAfter(NOW - 5)).toBe(NOW - 5);
  expect(dueAfter(null)).toBeUndefined();
});

test("a call moves the lead on, resets the tries and keeps the latest time", () => {
  const row = purchase({ salesStage: "unheard of", calledAt: null, lastContactAt: NOW - 5 });
  expect(applyOutcome(row, "called", { at: NOW - 10, now: NOW })).toEqual({
    tries: 0,
    lastContactAt: NOW - 5,
    reachedAt: NOW - 10,
    salesStage: "called",
    calledAt: NOW,
  });
});

test("a call leaves a later stage, a booking ends a decline, and an unanswered call is a try", () => {
  const row = purchase({ salesStage: "quote_sent" });
  expect(applyOutcome(row, "called", { at: NOW, now: NOW })).not.toHaveProperty("salesStage");
  const declined = purchase({ salesStage: "declined" });
  expect(applyOutcome(declined, "booked", { at: NOW, now: NOW }).salesStage).toBe("job_booked");
  expect(applyOutcome(row, "no_answer", { at: NOW, now: NOW })).toEqual({ tries: 3, lastContactAt: NOW });
});

test("a restore opens a closed purchase and leaves an open one", () => {
  expect(decideRestore(purchase(), "usr_owner", NOW)).toBeNull();
  expect(decideRestore(purchase({ isArchived: true }), "usr_owner", NOW)).toMatchObject({
    action: "purchase.restore",
  });
});

test("only the user who removed a manual lead can undo that, for a few minutes", () => {
  const removed = { mode: "manual", removedAt: NOW - UNDO_WITHIN_MS, removedByUserId: "usr_owner" } as const;
  expect(decideRestore(purchase(removed), "usr_owner", NOW)).toMatchObject({ action: "purchase.unremove" });
  expect(decideRestore(purchase(removed), "usr_other", NOW)).toBe("gone");
  expect(decideRestore(purchase({ ...removed, mode: "stripe" }), "usr_owner", NOW)).toBe("gone");
  expect(decideRestore(purchase(removed), "usr_owner", NOW + 1)).toBe("gone");
});

test("a correction keeps earlier ones and records the details that it replaces", () => {
  const sold = {
    purchase: purchase({ corrected: { name: "Ann", email: "" } }),
    lead: { customerName: "Anne", customerPhone: "0411", customerEmail: "a@x.au", customerAddress: "1 A St" },
  } as SoldLead;
  const correction = {
    customerName: "Ann",
    customerPhone: "0422",
    customerEmail: "b@x.au",
    customerAddress: null,
  };
  expect(applyCorrection(sold, correction)).toEqual({
    corrected: { name: "Ann", phone: "0422", email: "b@x.au", address: "" },
    before: { phone: "0411", email: "", address: "1 A St" },
  });
});
