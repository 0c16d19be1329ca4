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
async function post(fields: string, requests: object, photos: object = {}) {
  const context = new RouterContextProvider();
  context.set(apiContext, { api: { requests, photos } } as unknown as ApiClient);
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
  const confirmed = "intent=withdraw&confirmed=yes";
  expect(await post(confirmed, api)).toMatchObject({ status: 200, data: { failure: null } });
  expect(withdraw).toHaveBeenCalledOnce();
  for (const fields of ["", "intent=change", "answer=called"])
    expect(await post(fields, api)).toMatchObject({
      status: 400,
      data: { failure: "Please reload this page and try again." },
    });
  expect(withdraw).toHaveBeenCalledOnce();
});

/** The buttons of a page, as the forms that they post. */
const buttonsOf = (page: string) =>
  [...page.matchAll(/<form.*?<\/form>/g)].map(([form]) =>
    [...form.matchAll(/type="hidden" name="(.*?)" value="(.*?)"/g)].map(
      ([, name, value]) => `${name}=${value}`,
    ),
  );

test("a scanner that presses every button withdraws and deletes nothing: the last press is on a page of its own", async () => {
  const $post = vi.fn<() => Promise<Response>>(() =>
    Promise.resolve(Response.json({ outcome: "withdrawn" })),
  );
  const photo = { id: "pho_1", kind: "request" } as CustomerRequest["photos"][number];
  const removal = { ":id": { removal: { $post } } };
  for (const request of [
    { ...REQUEST, photos: [photo] },
    { ...SOLD, photos: [photo] },
  ]) {
    const final = buttonsOf(show(request)).filter(([intent]) =>
      /=(?:withdraw|erase|delete-photo)$/.test(intent!),
    );
    expect(final).toHaveLength(3);
    for (const fields of final) {
      $post.mockClear();
      const { status, data } = await post(
        fields.join("&"),
        { withdraw: { $post }, erase: { $post } },
        removal,
      );
      expect([status, $post.mock.calls]).toEqual([200, []]);
      const asked = show(request, data);
      expect(asked).toContain("You can’t undo this.");
      const [confirmed, ...others] = buttonsOf(asked);
      expect(others).toEqual([]);
      expect(confirmed!.filter((field) => !fields.includes(field))).toEqual(["confirmed=yes"]);
      await post(
        `${confirmed!.join("&")}&eraseDigits=0156`,
        { withdraw: { $post }, erase: { $post } },
        removal,
      );
      expect($post).toHaveBeenCalledOnce();
    }
  }
});

test("a customer who withdrew can ask again, or delete their data with the last four digits", async () => {
  expect(buttonsOf(show(null)), "on a later visit").toEqual([["intent=erase"]]);
  const withdrawn = await post("intent=withdraw&confirmed=yes", {
    withdraw: { $post: () => Promise.resolve(Response.json({ outcome: "withdrawn" })) },
  });
  const page = show(null, withdrawn.data);
  expect(page).toContain('<a href="/get-quote">Ask again</a>');
  const [button] = buttonsOf(page);
  expect(button).toEqual(["intent=erase"]);
  const asked = show(null, (await post(button!.join("&"), {})).data);
  expect(asked).toContain("Delete your data?");
  const confirmed = `${buttonsOf(asked)[0]!.join("&")}&eraseDigits=0156`;
  for (const [answer, text] of [
    [{ outcome: "wrong_digits", triesLeft: 2 }, "You have 2 more tries."],
    [{ outcome: "call_us" }, "We haven’t deleted your data yet"],
    [{ outcome: "waiting" }, "We’ll delete your data soon"],
    [{ outcome: "erased" }, "We’ve deleted your data"],
  ] as const) {
    const erase = { $post: () => Promise.resolve(Response.json(answer)) };
    expect(show(null, (await post(confirmed, { erase })).data)).toContain(text);
  }
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

/** Returns the page of a request, after a form was posted if `actionData` is given. */
function show(request: CustomerRequest | null, actionData?: object): string {
  const props = {
    loaderData: {
      request,
      contactPhone: "1300 000 000",
      isJobSaved: false,
      guarantee: "If the first job isn’t right, tell us.",
    },
    actionData,
    params: { token: "token" },
  } as unknown as Parameters<typeof RequestPage>[0];
  return renderToStaticMarkup(createElement(RequestPage, props));
}

/** Posts a form while the API refuses every call. @returns the page that the customer then sees */
async function showRefused(fields: string, refusal: Response): Promise<string> {
  const $post = () => Promise.resolve(refusal.clone());
  const { status, data } = await post(fields, { phone: { $post }, erase: { $post }, contact: { $post } });
  expect(status).toBe(refusal.status);
  return show(REQUEST, data);
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
  for (const [fields, ...typed] of [
    [phone, "0491 570 156", "1316"],
    [email, "tess@example.com", "1316"],
  ] as const) {
    const page = await showRefused(fields, refusal);
    expect(page.indexOf('role="alert"')).toBeLessThan(page.indexOf("<h1"));
    const [open, ...others] = openParts(page);
    expect(others).toEqual([]);
    for (const value of typed) expect(open).toContain(`value="${value}"`);
  }
  const erase = await showRefused("intent=erase&confirmed=yes&eraseDigits=1316", refusal);
  expect(erase).toMatch(/role="alert".*<h1[^>]*>Delete your data\?.*value="1316"/);
  const page = await showRefused("intent=contact&contactMethod=text&contactTime=evening", refusal);
  expect(openParts(page)).toHaveLength(1);
  expect(openParts(page)[0]).toMatch(/<option [^>]*value="text" selected=""/);
  expect(openParts(page)[0]).toMatch(/<option [^>]*value="evening" selected=""/);
});

const RUNNING = {
  canAnswer: true,
  answer: null,
  callBy: Date.parse("2026-11-28T08:00:00+11:00"),
  isContactedSince: false,
  isAskedAgain: false,
  isWithAdmin: false,
} as const satisfies CustomerRequest["call"];

/** A request that Green Thumbs bought. */
const SOLD: CustomerRequest = {
  ...REQUEST,
  steps: (["received", "listed", "taken"] as const).map((step) => ({ step, at: 0 })),
  call: RUNNING,
  provider: { name: "Green Thumbs", phone: "0491 570 006", checks: [], slug: null },
};
const DONE = { step: "done", at: 0 } as const;

test("while the call clock runs, a job that the provider marks as done keeps the call question, but cannot be called off", () => {
  const rights = ["Not Yet", "I never asked for this", "This isn’t my number", "How to reach you"];
  expect(show(SOLD)).toContain("Call off the job");
  const marked = { ...SOLD, steps: [...SOLD.steps, DONE] };
  for (const right of rights) expect(show(marked)).toContain(right);
  expect(show(marked)).not.toContain("will call you");
  const called = { ...SOLD, steps: [...SOLD.steps, { step: "called", at: 0 } as const, DONE] };
  for (const right of rights) expect(show(called)).toContain(right);
  for (const request of [marked, called]) expect(show(request)).not.toContain("Call off the job");
  // The customer has confirmed the call.
  const confirmed = { ...called, call: { ...RUNNING, canAnswer: false, answer: "called" as const } };
  for (const right of rights) expect(show(confirmed)).not.toContain(right);
});

test("the page says by which day and time the provider has to call", () => {
  expect(show(SOLD)).toContain("They have until Saturday 8:00 am to call.");
  const answered = { ...SOLD, call: { ...RUNNING, answer: "not_yet" as const } };
  expect(show(answered)).toContain("they have until Saturday 8:00 am to call you.");
});

test("once the provider has logged a call, the page asks about it and names no time to call", () => {
  const called = show({ ...SOLD, steps: [...SOLD.steps, { step: "called", at: 0 }] });
  expect(called).toContain("Green Thumbs says they’ve called you. Is that right?");
  const since = show({ ...SOLD, call: { ...RUNNING, answer: "not_yet", isContactedSince: true } });
  expect(since).toContain("Since then, Green Thumbs has logged a call or a text to you.");
  for (const page of [called, since]) {
    expect(page).not.toContain("have until");
    expect(page).toContain("Yes, They Called");
  }
});

/** The news at the top of a page; null without any. */
const newsOn = (page: string) => /<output class="request__news">(.*?)<\/output>/.exec(page)?.[1] ?? null;

test("the top of the page confirms what the customer has just saved", () => {
  const contact = { contactMethod: "text", contactTime: "evening", hasEmail: true } as const;
  expect(newsOn(show({ ...SOLD, contact }, { outcome: "saved" }))).toBe(
    "Saved. You prefer a text in the evening.",
  );
  expect(newsOn(show(SOLD, { outcome: "saved" }))).toBe("Saved. You have no preference.");
  const phone = { outcome: "changed", act: { intent: "phone", errors: {} } };
  expect(newsOn(show(SOLD, phone))).toBe("We’ve saved your new phone number, and Green Thumbs can see it.");
  expect(newsOn(show(REQUEST, phone))).toBe(
    "We’ve saved your new phone number. Only the provider who takes the job will see it.",
  );
  const email = { intent: "email", errors: {}, suggestion: "anna@gmail.com" };
  expect(newsOn(show(REQUEST, { outcome: "changed", act: email }))).toBe(
    "Saved. From now on, we’ll email you at your new address. Did you mean anna@gmail.com? If so, please change it again.",
  );
  expect(newsOn(show({ ...SOLD, isNumberWrong: true }))).toBe(
    "We’ve let Green Thumbs know that the number is wrong. If this is your request, change your number below.",
  );
  expect(newsOn(show(SOLD))).toBeNull();
});

test("the page does not promise a call that the customer has stopped or had", () => {
  expect(show(SOLD)).toContain("They have your details and will call you.");
  const answered = (answer: "called" | "never_asked") => show({ ...SOLD, call: { ...RUNNING, answer } });
  for (const page of [answered("called"), answered("never_asked"), show({ ...SOLD, isNumberWrong: true })])
    expect(page).not.toContain("will call you");
  expect(answered("never_asked")).toContain("We’ve asked them not to call you.");
});

test("the page explains what it hides in the customer's notes", () => {
  const hint = "▮▮▮ hides details that only your provider can see.";
  expect(show(REQUEST)).not.toContain(hint);
  const job = { ...REQUEST.job, specificRequests: "Ring me on ▮▮▮" };
  expect(show({ ...REQUEST, job })).toContain(hint);
});

test("when the job is done, the page says what to do if it is not right", () => {
  const promise = "If the first job isn’t right, tell us.";
  expect(show(SOLD)).not.toContain(promise);
  const done = { ...SOLD, steps: [...SOLD.steps, DONE] };
  expect(show(done)).toContain(promise);
  expect(show({ ...done, review: "later" })).toContain("Soon, you can review Green Thumbs on this page.");
  expect(show({ ...SOLD, review: "later" })).not.toContain("you can review");
});
