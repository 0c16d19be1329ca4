import { expect, test } from "vitest";

import { call, callerFor, db } from "../../testing/client.ts";
import { insertUser, quoteRequest } from "../../testing/world.ts";
import { eventually } from "../../testing/eventually.ts";

test("a visitor's request is sold to exactly one provider", async () => {
  const created = await call("POST", "/api/leads", { body: quoteRequest() });
  expect(created.status).toBe(201);
  const { id } = (await created.json()) as { id: string };
  const first = await callerFor((await insertUser(db)).id);
  const second = await callerFor((await insertUser(db)).id);
  await eventually(async () => {
    const listed = (await (await first("GET", "/api/leads?region=inner-west")).json()) as { id: string }[];
    expect(listed.map((lead) => lead.id)).toContain(id);
  });
  const buyer = { buyerName: "Pat", buyerEmail: "pat@example.com", buyerPhone: "0491 570 006" };
  const won = await first("POST", `/api/leads/${id}/purchase`, buyer);
  expect(won.status).toBe(201);
  expect(await won.json()).toMatchObject({ customerPhone: "02 5550 0123", amountPaid: "50.00" });
  const lost = await second("POST", `/api/leads/${id}/purchase`, buyer);
  expect(lost.status).toBe(409);
  expect(await lost.json()).toMatchObject({ code: "lead_taken" });
});
