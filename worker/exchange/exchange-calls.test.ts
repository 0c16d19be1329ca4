import { runInDurableObject } from "cloudflare:test";
import { beforeEach, expect, test } from "vitest";

import type { Bindings } from "../platform/env.ts";
import { LEAD_PRICE_CENTS } from "../../contract/money.ts";
import { buyer, exchange, listedLead } from "../../testing/cards.ts";
import { callWith, testEnv } from "../../testing/client.ts";
import { newId } from "../../testing/world.ts";
import { exchangeIn } from "../../testing/facts.ts";
import { holdOrder } from "../../testing/orders.ts";

const overloaded = Object.assign(new Error("Durable Object is overloaded"), { overloaded: true });

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

test.each([
  ["with a broken stub is retried, three attempts in total", new Error("Network connection lost"), 3],
  ["that is overloaded is not retried, since more calls would add to the load", overloaded, 1],
])("a call to an exchange %s", async (_, error, attempts) => {
  const leadId = await listedLead();
  const { as } = await buyer();
  const body = { leadId, amount: LEAD_PRICE_CENTS };
  const failing = exchangeThatThrows(error);
  const response = await callWith(failing, "POST", "/api/create-payment-intent", { cookie: as.cookie, body });
  expect(await response.json()).toMatchObject({ status: 503, code: "exchange_unavailable" });
  expect(calls).toBe(attempts);
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
