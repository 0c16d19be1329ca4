import { RouterContextProvider } from "react-router";
import { expect, test, vi } from "vitest";

import type { ApiClient } from "../lib/api.ts";
import { apiContext } from "../lib/server-context.ts";
import { action } from "./request-page.tsx";

// Its scripts exist only in a build.
vi.mock("../documents/document-script.tsx", () => ({ OwnScript: () => null }));
vi.mock("../documents/island.tsx", () => ({ Island: () => null }));
vi.mock("../photos/photos-file.ts", () => ({ photosFile: () => "", photosHandle: {} }));

/** Posts a form of the page. @returns the status, and whether the request was withdrawn */
async function post(fields: string) {
  const withdraw = vi.fn<() => Promise<Response>>(() =>
    Promise.resolve(Response.json({ outcome: "withdrawn" })),
  );
  const context = new RouterContextProvider();
  context.set(apiContext, { api: { requests: { withdraw: { $post: withdraw } } } } as unknown as ApiClient);
  const body = new URLSearchParams(fields);
  const request = new Request("https://naturestrip.test/request/token", { method: "POST", body });
  const args = { request, params: { token: "token" }, context } as unknown as Parameters<typeof action>[0];
  const { init, data } = await action(args);
  return { status: init?.status ?? 200, failure: data.failure, withdrawn: withdraw.mock.calls.length };
}

test("only the form to withdraw withdraws the request: a form of another release changes nothing", async () => {
  expect(await post("intent=withdraw")).toEqual({ status: 200, failure: null, withdrawn: 1 });
  for (const fields of ["", "intent=change", "answer=called"])
    expect(await post(fields)).toEqual({
      status: 400,
      failure: "Please reload this page and try again.",
      withdrawn: 0,
    });
});
