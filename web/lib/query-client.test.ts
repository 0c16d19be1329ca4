import { MutationObserver, QueryObserver } from "@tanstack/react-query";
import { expect, test } from "vitest";

import { eventually } from "../../testing/eventually.ts";
import type { ToastMessage } from "../ui/toaster.tsx";
import { ApiError } from "./api.ts";
import { makeQueryClient, type MutationEffects } from "./query-client.ts";

/** Runs a mutation with a `meta`. @returns the toasts that were shown */
async function run(meta: MutationEffects, work: () => Promise<unknown>) {
  const toasts: ToastMessage[] = [];
  const client = makeQueryClient((message) => toasts.push(message));
  await new MutationObserver(client, { mutationFn: work, meta }).mutate().catch(() => {});
  return toasts;
}

const refuse = (code: string) => () => {
  const problem = { type: "about:blank", title: "No", status: 409, detail: "Someone was faster.", code };
  return Promise.reject(new ApiError(409, "Conflict", JSON.stringify(problem)));
};

test("a mutation shows its text after a success", async () => {
  expect(await run({ done: "Saved", failed: "Not saved" }, async () => null)).toEqual([{ title: "Saved" }]);
});

test("a mutation shows the server's message after a refusal", async () => {
  expect(await run({ done: "Saved", failed: "Not saved" }, refuse("conflict"))).toEqual([
    { title: "Not saved", description: "Someone was faster.", tone: "destructive" },
  ]);
});

test("a mutation shows its own description after a failure without a message", async () => {
  const failed = { title: "Not saved", description: "Please try again." };
  expect(await run({ failed }, () => Promise.reject(new TypeError("offline")))).toEqual([
    { ...failed, tone: "destructive" },
  ]);
});

test("a fixed description hides the server's message", async () => {
  const failed = { title: "Not saved", description: "Please try again.", isFixed: true } as const;
  const [message] = await run({ failed }, refuse("conflict"));
  expect(message).toEqual({ title: "Not saved", description: "Please try again.", tone: "destructive" });
});

test("a mutation without texts shows no toast", async () => {
  expect(await run({}, async () => null)).toEqual([]);
  expect(await run({}, refuse("conflict"))).toEqual([]);
});

test("a user who does not confirm reads that nothing was changed", async () => {
  const [message] = await run({ failed: "Not saved" }, refuse("confirm_needed"));
  expect(message).toMatchObject({ title: "Nothing was changed" });
});

test.each([
  ["success", async () => null],
  ["refusal", refuse("conflict")],
])("after a %s, a mutation is pending until its queries are fresh", async (_, work) => {
  const client = makeQueryClient();
  let count = 0;
  const read = (queryKey: string[]) =>
    new QueryObserver(client, { queryKey, queryFn: async () => ++count }).subscribe(() => {});
  const stops = [read(["admin", "leads", "open"]), read(["admin", "payments"])];
  await eventually(() => expect(count).toBe(2));
  const meta = {
    refreshes: [
      ["admin", "leads"],
      ["admin", "leads", "open"],
    ],
  };
  const observer = new MutationObserver(client, { mutationFn: work, meta });
  await observer.mutate().catch(() => {});
  expect(client.getQueryData(["admin", "leads", "open"])).toBe(3);
  expect(client.getQueryData(["admin", "payments"])).toBeLessThan(3);
  for (const stop of stops) stop();
});

test("a list that was loading for the first time while a mutation ran shows what the mutation changed", async () => {
  const client = makeQueryClient();
  let rows = ["an open case"];
  const waiting: (() => void)[] = [];
  const observer = new QueryObserver(client, {
    queryKey: ["admin", "reviews"],
    // The server reads the rows when the request arrives. The first response is slow.
    queryFn: () => {
      const read = rows;
      return waiting.length > 0
        ? Promise.resolve(read)
        : new Promise<string[]>((resolve) => waiting.push(() => resolve(read)));
    },
  });
  const stop = observer.subscribe(() => {});
  const decide = async () => {
    rows = [];
  };
  const meta = { refreshes: [["admin", "reviews"]] };
  const mutation = new MutationObserver(client, { mutationFn: decide, meta }).mutate();
  await eventually(() => expect(rows).toEqual([]));
  waiting[0]!();
  await mutation;
  expect(observer.getCurrentResult().data).toEqual([]);
  stop();
});
