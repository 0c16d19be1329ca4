import { contextOf } from "../platform/context.ts";
import { runInDurableObject } from "cloudflare:test";
import { beforeEach, expect, test } from "vitest";

import type { Bindings } from "../platform/env.ts";
import { exchange, listedLead } from "../../testing/cards.ts";
import { testEnv } from "../../testing/client.ts";
import { newId } from "../../testing/world.ts";
import { exchangeIn } from "../../testing/facts.ts";
import { holdOrder } from "../../testing/orders.ts";
import { sendCommand } from "./exchange-calls.ts";

let calls = 0;
beforeEach(() => {
  calls = 0;
});

/** Returns the Worker's bindings with an exchange that fails every call with this error. */
function exchangeThatThrows(error: Error): Bindings {
  const decide = () => {
    calls += 1;
    return Promise.reject(error);
  };
  const namespace = { idFromName: () => "", get: () => ({ decide }) };
  return { ...testEnv, LEAD_EXCHANGE: namespace as unknown as Bindings["LEAD_EXCHANGE"] };
}

const callExchange = (env: Bindings) =>
  sendCommand(contextOf(env), "inner-west", { type: "lapse", leadId: "lead_a" });

test("a call to an exchange with a broken stub is retried, three attempts in total", async () => {
  await expect(callExchange(exchangeThatThrows(new Error("Network connection lost")))).rejects.toMatchObject({
    code: "exchange_unavailable",
  });
  expect(calls).toBe(3);
});

test("a call to an overloaded exchange is not retried, since more calls would add to the load", async () => {
  const error = Object.assign(new Error("Durable Object is overloaded"), { overloaded: true });
  await expect(callExchange(exchangeThatThrows(error))).rejects.toMatchObject({
    code: "exchange_unavailable",
  });
  expect(calls).toBe(1);
});

test("an exchange deletes expired rows of any business", async () => {
  const stub = exchangeIn("inner-west");
  const countOld = () =>
    runInDurableObject(
      stub,
      (_, { storage }) =>
        storage.sql.exec<{ n: number }>("SELECT count(*) AS n FROM releases WHERE at < 1000").one().n,
    );
  await runInDurableObject(stub, (_, { storage }) => {
    for (let i = 0; i < 12; i++) {
      storage.sql.exec(
        "INSERT INTO releases (business_id, at, lead_id, lapsed) VALUES (?, ?, 'lead_a', 1)",
        `gone_${i}`,
        i,
      );
    }
  });
  for (let i = 0; i < 2; i++) {
    const leadId = await listedLead();
    const order = holdOrder(leadId, { id: newId("user") });
    const { holdId } = order;
    expect(await exchange.decide(order)).toMatchObject({ ok: true });
    const closing = { type: "release", leadId, holdId, cause: "closed" } as const;
    expect(await exchange.decide(closing)).toMatchObject({ ok: true });
  }
  expect(await countOld()).toBe(0);
});
