import { environmentManager } from "@tanstack/react-query";
import { afterEach, expect, test, vi } from "vitest";

import type { CurrentUser } from "../../contract/auth.ts";
import { ApiError } from "../lib/api.ts";
import type { ApiClient } from "../lib/api.ts";
import { makeQueryClient } from "../lib/query-client.ts";
import {
  cacheCurrentUser,
  changeSession,
  CURRENT_USER_KEY,
  fetchCurrentUser,
  recheckCurrentUser,
} from "./current-user.ts";

const wasServer = environmentManager.isServer();

afterEach(() => {
  environmentManager.setIsServer(() => wasServer);
  vi.useRealTimers();
  vi.unstubAllGlobals();
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

test("while a page signs out, its closing sockets do not check the session; after a failed sign-out they do", async () => {
  const requests: string[] = [];
  const assign = vi.fn<(path: string) => void>();
  vi.stubGlobal("location", {
    pathname: "/dashboard",
    origin: "https://naturestrip.test",
    search: "",
    assign,
  });
  vi.stubGlobal("addEventListener", () => {});
  vi.stubGlobal("fetch", async (input: string | URL) => {
    requests.push(new URL(input).pathname);
    throw new TypeError("offline");
  });
  const client = makeQueryClient();
  const closeSocket = () => void recheckCurrentUser(client);
  const failed = changeSession(async () => {
    closeSocket();
    throw new Error("The server did not answer");
  });
  await expect(failed).rejects.toThrow("The server did not answer");
  expect(requests).toEqual([]);
  await recheckCurrentUser(client);
  expect(requests).toEqual(["/api/auth/me"]);
  await changeSession(async () => closeSocket());
  closeSocket();
  expect(requests).toEqual(["/api/auth/me"]);
  expect(assign).not.toHaveBeenCalled();
});
