import { environmentManager } from "@tanstack/react-query";
import { afterEach, expect, test, vi } from "vitest";

import type { CurrentUser } from "../../contract/auth.ts";
import { ApiError } from "../lib/api.ts";
import type { ApiClient } from "../lib/api.ts";
import { makeQueryClient } from "../lib/query-client.ts";
import { fetchCurrentUser, CURRENT_USER_KEY, cacheCurrentUser } from "./current-user.ts";

const wasServer = environmentManager.isServer();

afterEach(() => {
  environmentManager.setIsServer(() => wasServer);
  vi.useRealTimers();
});

test("an offline user stays cached even if no component uses the query", () => {
  // As in a browser, where the cache evicts unused queries after minutes.
  environmentManager.setIsServer(() => false);
  vi.useFakeTimers();
  const client = makeQueryClient();
  const user = { id: "user", isImpersonating: false } as CurrentUser;
  cacheCurrentUser(client, user);
  vi.advanceTimersByTime(8 * 3600_000);
  expect(client.getQueryData(CURRENT_USER_KEY)).toEqual(user);
  client.clear();
});

/** Returns an API that answers 401 to requests for the current user. */
function apiOf(body: string): ApiClient {
  const $get = () => Promise.resolve(new Response(body, { status: 401 }));
  return { api: { auth: { me: { $get } } } } as unknown as ApiClient;
}

test("only our server's 401 signs the user out, not a network's sign-in page", async () => {
  const problem = { title: "Sign in first", status: 401, detail: "Sign in first", code: "unauthenticated" };
  expect(await fetchCurrentUser(apiOf(JSON.stringify(problem)))).toBeNull();
  await expect(fetchCurrentUser(apiOf("<title>Guests only</title>"))).rejects.toThrow(ApiError);
});
