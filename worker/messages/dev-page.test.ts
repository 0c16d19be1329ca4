/** The page of sent messages exists only in local development. */
import { contextOf } from "../platform/context.ts";
import { afterEach, expect, test, vi } from "vitest";

import { db, testEnv } from "../../testing/client.ts";
import { fillDemoWorld } from "../../testing/demo.ts";
import { MessageBox } from "../../testing/stand-ins/message-box.ts";
import { newPushKeys, PushStandIn } from "../../testing/stand-ins/push-stand-in.ts";
import { insertPendingLead } from "../../testing/world.ts";
import { messageChannels } from "../platform/db/schema.ts";
import { type Bindings, readSettings } from "../platform/env.ts";
import { putOnMarket } from "../leads/commands.ts";
import { deliver } from "./deliver-commands.ts";
import { devMessages } from "./dev-page.ts";

const STAND_IN = "http://box.test";
const local: Bindings = { ...testEnv, EMAIL_FROM: "hello@example.com", MESSAGE_STAND_IN: STAND_IN };
const ask = (url: string, env: Bindings, init?: RequestInit) =>
  devMessages(new Request(url, init), contextOf(env));

const form = () => ({ method: "POST", body: new URLSearchParams({ message: "Friday?" }) });

afterEach(() => vi.unstubAllGlobals());

test("the page shows sent messages as recipients see them, under a policy that blocks scripts", async () => {
  const box = new MessageBox(new PushStandIn(await newPushKeys()));
  vi.stubGlobal("fetch", (input: RequestInfo | URL, init?: RequestInit) =>
    box.fetch(new Request(input, init)),
  );
  await putOnMarket(contextOf(local), await insertPendingLead(db, { customerEmail: "visitor@example.com" }));
  expect(await deliver(contextOf(local), null, Date.now())).toMatchObject({ sent: 1 });
  const response = await ask("http://localhost:8787/dev/messages", local)!;
  expect(await response.text()).toContain("email to visitor@example.com");
  expect(response.headers.get("Content-Security-Policy")).toContain("default-src 'none'");
  expect(response.headers.get("Cache-Control")).toBe("no-store");
});

test("with a local host, emails link to the local site", async () => {
  const box = new MessageBox(new PushStandIn(await newPushKeys()));
  vi.stubGlobal("fetch", (input: RequestInfo | URL, init?: RequestInit) =>
    box.fetch(new Request(input, init)),
  );
  const here = { ...local, SITE_HOST: "localhost:8787" };
  await putOnMarket(contextOf(here), await insertPendingLead(db, { customerEmail: "visitor@example.com" }));
  await deliver(contextOf(here), null, Date.now());
  const text = await (await ask("http://localhost:8787/dev/messages", here)!).text();
  expect(text).toMatch(/http:\/\/localhost:8787\/request\/[\w-]{20,}/);
});

test("a reply to a text goes to the stand-in unchanged, and the response returns to the page", async () => {
  const heard: string[] = [];
  vi.stubGlobal("fetch", async (input: RequestInfo | URL, init?: RequestInit) => {
    const request = new Request(input, init);
    heard.push(`${request.method} ${request.url} ${String((await request.formData()).get("message"))}`);
    return new Response(null, { status: 303, headers: { Location: "/dev/messages" } });
  });
  const response = await ask("http://localhost:8787/dev/messages/7/reply", local, form())!;
  expect([response.status, response.headers.get("Location")]).toEqual([303, "/dev/messages"]);
  expect(heard).toEqual([`POST ${STAND_IN}/dev/messages/7/reply Friday?`]);
  expect(ask("http://localhost:8787/dev/messages/7/reply", testEnv, form())).toBeNull();
  expect(ask("https://naturestrip.example/dev/messages/7/reply", local, form())).toBeNull();
});

test("the page does not exist in production: without a stand-in, or on a public host", () => {
  vi.stubGlobal("fetch", () => expect.unreachable("nothing is asked"));
  for (const host of ["https://naturestrip.example", "http://localhost:8787"])
    expect(ask(`${host}/dev/messages`, testEnv)).toBeNull();
  for (const host of ["naturestrip.example", "naturestrip.test", "localhost.example.com", "192.168.0.7:8787"])
    expect(ask(`https://${host}/dev/messages`, local), host).toBeNull();
  expect(ask("http://localhost/dev/messages", local, { method: "POST" })).toBeNull();
  expect(ask("http://localhost/dev/messages-of-others", local)).toBeNull();
});

test("a stand-in on another host is an invalid setting, and every request fails", () => {
  for (const MESSAGE_STAND_IN of ["https://collector.example.com", "http://10.0.0.7:9000", "mailbox"])
    expect(() => readSettings({ ...testEnv, MESSAGE_STAND_IN }), MESSAGE_STAND_IN).toThrow(/./);
});

test("the demo world sends texts, so that developers can see them and reply", async () => {
  await fillDemoWorld({ db, addDrawing: async () => {}, now: Date.now() });
  const channels = await db.select().from(messageChannels);
  expect(channels).toMatchObject([{ channel: "sms", isOn: true }]);
});
