/** The page of sent messages exists only in local development. */
import { afterEach, expect, test, vi } from "vitest";

import { callWith, db, testEnv } from "../../testing/client.ts";
import { deliverMessages, putOnMarket } from "../../testing/drivers.ts";
import { MessageBox } from "../../testing/stand-ins/message-box.ts";
import { newPushKeys, PushStandIn } from "../../testing/stand-ins/push-stand-in.ts";
import { insertPendingLead } from "../../testing/world.ts";
import type { Bindings } from "../platform/env.ts";

const STAND_IN = "http://box.test";
const local: Bindings = { ...testEnv, EMAIL_FROM: "hello@example.com", MESSAGE_STAND_IN: STAND_IN };
/** Calls a deployment at any address. Its other pages are just "page". */
function ask(url: string, env: Bindings, message?: string): Promise<Response> {
  const { origin, pathname } = new URL(url);
  if (message === undefined) return callWith(env, "GET", pathname, { origin });
  const headers = { "Content-Type": "application/x-www-form-urlencoded" };
  const body = String(new URLSearchParams({ message }));
  return callWith(env, "POST", pathname, { origin, body, headers });
}

const OTHER_PAGE = "page";
const isOther = async (response: Promise<Response>) => (await (await response).text()) === OTHER_PAGE;

afterEach(() => vi.unstubAllGlobals());

test("the page shows sent messages with links to the local site, under a policy that blocks scripts", async () => {
  const box = new MessageBox(new PushStandIn(await newPushKeys()));
  vi.stubGlobal("fetch", (input: RequestInfo | URL, init?: RequestInit) =>
    box.fetch(new Request(input, init)),
  );
  const here = { ...local, SITE_HOST: "localhost:8787" };
  await putOnMarket(await insertPendingLead(db, { customerEmail: "visitor@example.com" }), here);
  expect(await deliverMessages(Date.now(), here)).toMatchObject({ sent: 1 });
  const response = await ask("http://localhost:8787/dev/messages", here);
  const text = await response.text();
  expect(text).toContain("email to visitor@example.com");
  expect(text).toMatch(/http:\/\/localhost:8787\/request\/[\w-]{20,}/);
  expect(response.headers.get("Content-Security-Policy")).toContain("default-src 'none'");
  expect(response.headers.get("Cache-Control")).toBe("no-store");
});

test("a reply to a text goes to the stand-in unchanged, and the response returns to the page", async () => {
  const heard: string[] = [];
  vi.stubGlobal("fetch", async (input: RequestInfo | URL, init?: RequestInit) => {
    const request = new Request(input, init);
    heard.push(`${request.method} ${request.url} ${String((await request.formData()).get("message"))}`);
    return new Response(null, { status: 303, headers: { Location: "/dev/messages" } });
  });
  const response = await ask("http://localhost:8787/dev/messages/7/reply", local, "Friday?");
  expect([response.status, response.headers.get("Location")]).toEqual([303, "/dev/messages"]);
  expect(heard).toEqual([`POST ${STAND_IN}/dev/messages/7/reply Friday?`]);
  for (const [host, env] of [
    ["http://localhost:8787", testEnv],
    ["https://naturestrip.example", local],
  ] as const)
    expect(await isOther(ask(`${host}/dev/messages/7/reply`, env, "Friday?"))).toBe(true);
  expect(heard).toHaveLength(1);
});

test("the page does not exist in production: without a stand-in, or on a public host", async () => {
  vi.stubGlobal("fetch", () => expect.unreachable("nothing is asked"));
  for (const host of ["https://naturestrip.example", "http://localhost:8787"])
    expect(await isOther(ask(`${host}/dev/messages`, testEnv))).toBe(true);
  for (const host of ["naturestrip.example", "naturestrip.test", "localhost.example.com", "192.168.0.7:8787"])
    expect(await isOther(ask(`https://${host}/dev/messages`, local)), host).toBe(true);
  expect(await isOther(ask("http://localhost/dev/messages", local, "Friday?"))).toBe(true);
  expect(await isOther(ask("http://localhost/dev/messages-of-others", local))).toBe(true);
});

test("a stand-in on another host is an invalid setting, and every request fails", async () => {
  for (const MESSAGE_STAND_IN of ["https://collector.example.com", "http://10.0.0.7:9000", "mailbox"])
    expect((await callWith({ MESSAGE_STAND_IN }, "GET", "/api/health")).status, MESSAGE_STAND_IN).toBe(500);
});
