import { createElement } from "react";
import { renderToStaticMarkup } from "react-dom/server";
import { RouterContextProvider } from "react-router";
import { expect, test, vi } from "vitest";

import type { ApiClient } from "../lib/api.ts";
import { apiContext, policyContext, reportContext, requestContext } from "../lib/server-context.ts";
import { resolveClaims } from "../site/claims.ts";
import { buildSentCookie } from "./sent-request.ts";
import SuccessPage, { loader } from "./success-page.tsx";

// Its scripts exist only in a build.
vi.mock("./conversion-consent.tsx", () => ({ ConversionConsent: () => null }));
vi.mock("../documents/island.tsx", () => ({ Island: () => "photo picker" }));
vi.mock("../photos/photos-file.ts", () => ({ photosFile: () => "", photosHandle: {} }));
vi.mock("../site/site-claims.ts", () => ({ useClaims: () => resolveClaims({}, true) }));

/** Loads the page after a request was sent. @param answer of the API about that request */
function load(answer: Response) {
  const context = new RouterContextProvider();
  const requests = { $get: () => Promise.resolve(answer) };
  context.set(apiContext, { api: { requests } } as unknown as ApiClient);
  context.set(requestContext, { contactPhone: "1300 000 000", adsConversion: null } as never);
  context.set(policyContext, {} as never);
  context.set(reportContext, () => {});
  const cookie = buildSentCookie({ customerPhone: "0491570006" }, { token: "secret" }, true)!;
  const request = new Request("https://naturestrip.test/success", { headers: { Cookie: cookie } });
  return loader({ request, params: {}, context } as unknown as Parameters<typeof loader>[0]);
}

const show = async (answer: Response) => {
  const props = { loaderData: await load(answer) } as unknown as Parameters<typeof SuccessPage>[0];
  return renderToStaticMarkup(createElement(SuccessPage, props));
};

/** The API's answer about a request. */
const found = (hasEmail: boolean, photos: number) =>
  Response.json({ request: { contact: { hasEmail }, photos: Array.from({ length: photos }, () => ({})) } });

const NO_EMAIL = "You gave us no email address, so save the link to your request’s page.";

test("a request that was withdrawn gets no thanks any more, but a fault does not take them away", async () => {
  const thrown: unknown = await load(Response.json({ request: null })).catch((error: unknown) => error);
  expect((thrown as Response).headers.get("Location")).toBe("/request/secret");
  expect(await show(new Response("", { status: 500 }))).toContain("Thanks. We’ll find a provider for you");
});

test("the page shows the phone number in groups, so that a mistake is easy to see", async () => {
  expect(await show(found(true, 0))).toContain("<dt>Your provider will call</dt><dd>0491 570 006</dd>");
});

test("a customer without an email address reads that only the link leads back", async () => {
  expect(await show(found(false, 0))).toContain(NO_EMAIL);
  expect(await show(found(false, 0))).not.toContain("/my-requests");
  expect(await show(found(true, 0))).not.toContain(NO_EMAIL);
  expect(await show(found(true, 0))).toContain("/my-requests");
});

test("the page counts the photos that came with the form, and takes no more than four", async () => {
  expect(await show(found(true, 0))).not.toContain("We have your");
  expect(await show(found(true, 1))).toContain("We have your photo. You can see or delete it on your");
  expect(await show(found(true, 2))).toContain("photo picker");
  expect(await show(found(true, 4))).toContain("We have your 4 photos. You can see or delete them on your");
  expect(await show(found(true, 4))).not.toContain("photo picker");
});
