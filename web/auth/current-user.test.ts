import { environmentManager } from "@tanstack/react-query";
import { expect, test, vi } from "vitest";

import type { CurrentUser } from "../../contract/auth.ts";
import { makeQueryClient } from "../lib/query-client.ts";
import { ME_KEY, rememberUser } from "./current-user.ts";

test("whoever is known without a connection stays known, though nothing on the page looks", () => {
  // As in a browser, where what nobody looks at is forgotten after minutes.
  environmentManager.setIsServer(() => false);
  vi.useFakeTimers();
  const client = makeQueryClient();
  const user = { id: "user", isImpersonating: false } as CurrentUser;
  rememberUser(client, user);
  vi.advanceTimersByTime(8 * 3600_000);
  expect(client.getQueryData(ME_KEY)).toEqual(user);
});
