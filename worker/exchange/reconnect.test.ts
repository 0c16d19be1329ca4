import { expect, test } from "vitest";

import { listedLead } from "../../testing/cards.ts";
import { insertProvider, openSocket } from "../../testing/sockets.ts";

test("windows receive their reconnect delay in the greeting and with every change", async () => {
  const { as } = await insertProvider();
  const socket = await openSocket("/api/exchange/inner-west/live", as.cookie);
  expect(await socket.frame(0)).toMatchObject({ type: "snapshot", comeBackWithinMs: expect.any(Number) });
  await listedLead();
  expect(await socket.frame(1)).toMatchObject({ type: "changes", comeBackWithinMs: expect.any(Number) });
});
