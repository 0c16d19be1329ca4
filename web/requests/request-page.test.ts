import { createElement } from "react";
import { renderToStaticMarkup } from "react-dom/server";
import { RouterContextProvider } from "react-router";
import { expect, test, vi } from "vitest";

import { type CustomerRequest, jobSchema } from "../../contract/request-links.ts";
import { quoteRequest } from "../../testing/world.ts";
import type { ApiClient } from "../lib/api.ts";
import { apiContext } from "../lib/server-context.ts";
import RequestPage, { action } from "./request-page.tsx";

// Its scripts exist only in a build.
vi.mock("../documents/document-script.tsx", () => ({ OwnScript: () => null }));
vi.mock("../documents/island.tsx", () => ({ Island: () => null }));
vi.mock("../photos/photos-file.ts", () => ({ photosFile: () => "", photosHandle: {} }));

/** Posts a form of the page, for the given API. */
async function post(fields: string, requests: object) {
  const context = new RouterContextProvider();
  context.set(apiContext, { api: { requests } } as unknown as ApiClient);
  const body = new URLSearchParams(fields);
  const request = new Request("https://naturestrip.test/request/token", { method: "POST", body });
  const args = { request, params: { token: "token" }, context } as unknown as Parameters<typeof action>[0];
  const { init, data } = await action(args);
  return { status: init?.status ?? 200, data };
}

test("only the form to withdraw withdraws the request: a form of another release changes nothing", async () => {
  const withdraw = vi.fn<() => Promise<Response>>(() =>
    Promise.resolve(Response.json({ outcome: "withdrawn" })),
  );
  const api = { withdraw: { $post: withdraw } };
  expect(await post("intent=withdraw", api)).toMatchObject({ status: 200, data: { failure: null } });
  expect(withdraw).toHaveBeenCalledOnce();
  for (const fields of ["", "intent=change", "answer=called"])
    expect(await post(fields, api)).toMatchObject({
      status: 400,
      data: { failure: "Please reload this page and try again." },
    });
  expect(withdraw).toHaveBeenCalledOnce();
});

const REQUEST: CustomerRequest = {
  reference: "NS-1",
  services: ["lawn_mowing"],
  place: "Leichhardt 2040",
  steps: [{ step: "received", at: 0 }],
  call: null,
  review: null,
  provider: null,
  isAskedAboutCalls: false,
  isNumberWrong: false,
  passedOn: null,
  isExpired: false,
  isWithdrawalPending: false,
  contact: { contactMethod: null, contactTime: null, hasEmail: false },
  isCalledOff: false,
  isChangePending: false,
  isErasurePending: false,
  job: jobSchema.parse(quoteRequest()),
  photos: [],
  canEnterDigits: true,
};

/** Posts a form while the API refuses every call. @returns the page that the customer then sees */
async function showRefused(fields: string, refusal: Response): Promise<string> {
  const $post = () => Promise.resolve(refusal.clone());
  const { status, data } = await post(fields, { phone: { $post }, erase: { $post }, contact: { $post } });
  expect(status).toBe(refusal.status);
  const props = {
    loaderData: { request: REQUEST, contactPhone: "1300 000 000", isJobSaved: false },
    actionData: data,
    params: { token: "token" },
  } as unknown as Parameters<typeof RequestPage>[0];
  return renderToStaticMarkup(createElement(RequestPage, props));
}

/** The open parts of a page. */
const openParts = (page: string) => page.match(/<details open="">.*?<\/details>/g) ?? [];

test.each([
  [
    "too many tries",
    Response.json({ code: "too_many_requests", title: "Too many attempts." }, { status: 429 }),
  ],
  ["a fault", new Response("Internal error", { status: 500 })],
])("after %s, a form stays open with what was typed, and the page says so at its top", async (_, refusal) => {
  const phone = "intent=phone&customerPhone=0491+570+156&phoneDigits=1316";
  const email = "intent=email&customerEmail=tess%40example.com&emailDigits=1316";
  const erase = "intent=erase&eraseDigits=1316";
  for (const [fields, ...typed] of [
    [phone, "0491 570 156", "1316"],
    [email, "tess@example.com", "1316"],
    [erase, "1316"],
  ] as const) {
    const page = await showRefused(fields, refusal);
    expect(page.indexOf('role="alert"')).toBeLessThan(page.indexOf("<h1"));
    const [open, ...others] = openParts(page);
    expect(others).toEqual([]);
    for (const value of typed) expect(open).toContain(`value="${value}"`);
  }
  const page = await showRefused("intent=contact&contactMethod=text&contactTime=evening", refusal);
  expect(openParts(page)).toHaveLength(1);
  expect(openParts(page)[0]).toMatch(/<option [^>]*value="text" selected=""/);
  expect(openParts(page)[0]).toMatch(/<option [^>]*value="evening" selected=""/);
});
