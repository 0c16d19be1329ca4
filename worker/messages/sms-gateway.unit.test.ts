/** Parses the gateway's webhooks. */
import { expect, test } from "vitest";

import { MAX_CHARACTERS, type GatewayAnswer } from "../pipeline/answers/rules.ts";
import { readEvent } from "./sms-gateway.ts";

/** A reply from the gateway's documentation. */
const reply = (message: string, more: Record<string, unknown> = {}) => ({
  to: "61491570157",
  sender: "61491570158",
  message,
  received_at: "2026-11-23 01:05:00",
  type: "inbound",
  original_message_id: "",
  original_custom_ref: "",
  ...more,
});
const answerOf = (message: string, more?: Record<string, unknown>) =>
  readEvent(reply(message, more)) as GatewayAnswer;

test("a customer's reply is linked to the text that the gateway names", () => {
  expect(answerOf("Can you come on Friday?", { original_custom_ref: "msg_1" })).toEqual({
    kind: "answer",
    from: "+61491570158",
    words: "Can you come on Friday?",
    textId: "msg_1",
    ref: expect.stringMatching(/^[\w-]{43}$/),
  });
  for (const unknown of ["", null, undefined])
    expect(answerOf("Hi", { original_custom_ref: unknown }).textId).toBeNull();
});

test("equal replies have the same id, and different ones do not", () => {
  const name = answerOf("Yes").ref;
  expect(answerOf("Yes").ref).toBe(name);
  for (const other of [
    answerOf("No"),
    answerOf("Yes", { received_at: "2026-11-23 01:06:00" }),
    answerOf("Yes", { sender: "61491570159" }),
  ])
    expect(other.ref).not.toBe(name);
});

test("STOP opts out of texts, and other words go to the provider", () => {
  expect(readEvent(reply("Stop texts please"))).toEqual({ kind: "stop", from: "+61491570158" });
  const words = "Cancel my request please, I found someone";
  expect(readEvent(reply(words))).toMatchObject({ kind: "answer", words });
});

test.each([
  reply(""),
  reply(" \n\u200b\u0007 "),
  reply("Hi", { sender: "Telco" }),
  reply("Hi", { type: "call" }),
])("an empty reply, or one without a number to call, is ignored: %j", (body) => {
  expect(readEvent(body)).toEqual({ kind: "nothing" });
});

test("an unsubscribe event from the gateway is an opt-out, whatever the text says", () => {
  const body = reply("I would like you to stop", { type: "unsubscribe" });
  expect(readEvent(body)).toEqual({ kind: "stop", from: "+61491570158" });
});

test("a reply keeps its line breaks, but loses invisible and direction-changing characters", () => {
  expect(answerOf("  Hi\r\nthe gate\u2028is\tblue \n\n\n\nBye\u0000\u0007\u001b[31m ").words).toBe(
    "Hi\nthe gate\nis blue\n\nBye[31m",
  );
  expect(answerOf("pay \u202eereh\u202c \u2066now\u2069\ufeff").words).toBe("pay ereh now");
  expect(answerOf("👩‍🌾 <b>&amp;</b> \ud800").words).toBe("👩‍🌾 <b>&amp;</b> \ufffd");
});

test("a long reply is cut between characters", () => {
  expect(answerOf("x".repeat(5_000)).words).toHaveLength(MAX_CHARACTERS);
  const farmer = "👩‍🌾";
  const cut = answerOf(`${"x".repeat(MAX_CHARACTERS - 1)}${farmer}`).words;
  expect(cut).toBe("x".repeat(MAX_CHARACTERS - 1));
  // One character may carry thousands of combining marks.
  expect(answerOf(`hi e${"\u0301".repeat(5_000)}`).words).toBe("hi");
});
