import { createElement } from "react";
import { renderToStaticMarkup } from "react-dom/server";
import { RouterContextProvider } from "react-router";
import { expect, test } from "vitest";

import ForgotPasswordPage, { action as askForPassword } from "../auth/forgot-password-page.tsx";
import type { ApiClient } from "../lib/api.ts";
import { apiContext } from "../lib/server-context.ts";
import MyRequestsPage, { action as askForRequests } from "./my-requests-page.tsx";

const $post = () => Promise.resolve(new Response("Internal error", { status: 500 }));

/** Posts a page's form while the API fails. @returns the page that the visitor then sees */
async function showFailed(
  Page: unknown,
  action: unknown,
  fields: Record<string, string>,
  loaderData: object,
) {
  const context = new RouterContextProvider();
  const api = { "my-requests": { links: { $post } }, auth: { "forgot-password": { $post } } };
  context.set(apiContext, { api } as unknown as ApiClient);
  const body = new URLSearchParams(fields);
  const request = new Request("https://naturestrip.test/", { method: "POST", body });
  const answer = await (action as (args: object) => Promise<{ init: ResponseInit; data: object }>)({
    request,
    context,
  });
  expect(answer.init.status).toBe(500);
  const props = { loaderData, actionData: answer.data };
  return renderToStaticMarkup(createElement(Page as React.FC<typeof props>, props));
}

test("an address with a likely typing error gets a link to the typed address, and an offer to use the right one", () => {
  const loaderData = { requests: null, sendsEmail: true, contactPhone: "1300 000 000", isCustomer: false };
  const showAsked = (email: string) =>
    renderToStaticMarkup(
      createElement(MyRequestsPage as unknown as React.FC<{ loaderData: object; actionData: object }>, {
        loaderData,
        actionData: { isAsked: true, failure: null, email },
      }),
    );
  expect(showAsked("anna@gmial.com")).toMatch(
    /Did you mean <button [^>]*value="anna@gmail\.com" name="email"/,
  );
  expect(showAsked("anna@gmail.com")).not.toContain("Did you mean");
});

test("a failed form that asks for a link stays open with the typed address", async () => {
  const loaderData = { requests: [], sendsEmail: true, contactPhone: "1300 000 000", isCustomer: false };
  const fields = { email: "anna@example.com" };
  const page = await showFailed(MyRequestsPage, askForRequests, fields, loaderData);
  expect(page).toMatch(/<details class="fold" open="">.*value="anna@example.com"/);
  const fresh = { ...loaderData, requests: null };
  expect(await showFailed(MyRequestsPage, askForRequests, fields, fresh)).toContain(
    `value="anna@example.com"`,
  );
  const forgot = await showFailed(
    ForgotPasswordPage,
    askForPassword,
    { username: "pat" },
    { sendsEmail: true },
  );
  expect(forgot).toContain(`value="pat"`);
});

test("only a customer with an account reads what is deleted and what stays, and a wrong password stays on the page", () => {
  const Page = MyRequestsPage as unknown as React.FC<{ loaderData: object; actionData?: object }>;
  const show = (isCustomer: boolean, actionData?: object) => {
    const loaderData = { requests: [], sendsEmail: false, contactPhone: "1300 000 000", isCustomer };
    return renderToStaticMarkup(createElement(Page, { loaderData, ...(actionData && { actionData }) }));
  };
  expect(show(false)).not.toContain("Delete your account");
  const page = show(true);
  expect(page).toContain("because the law requires records");
  expect(page).toContain('href="/api/my-requests/export.json"');
  const failed = { isAsked: false, failure: null, email: "", closing: "That password isn't right." };
  expect(show(true, failed)).toMatch(/<details class="fold" open="">.*That password isn&#x27;t right/s);
});
