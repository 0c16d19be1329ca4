/** Tests which messages the message box stores, and how it shows them. */
import { expect, test } from "vitest";

import { LOCAL_SMS_KEYS, MessageBox } from "./message-box.ts";
import { newPushKeys, PushStandIn } from "./push-stand-in.ts";

const box = new MessageBox(new PushStandIn(await newPushKeys()));
const request = (path: string, body?: unknown) =>
  box.fetch(
    new Request(`http://stand-in.test${path}`, body ? { method: "POST", body: JSON.stringify(body) } : {}),
  );

test("an email is shown in a frame without scripts, with its text part, whatever it contains", async () => {
  const html =
    "<!doctype html><style>@media (prefers-color-scheme:dark){p{color:red}}</style><p>Hello <script>alert(1)</script></p>";
  const text = "Choose: http://localhost:8787/reset-password/abc\n<b>";
  const mail = { to: "a@example.com", subject: 'A "link" <b>', html, text };
  expect((await request("/emails", mail)).status).toBe(202);
  const page = await (await request("/dev/messages")).text();
  expect(page).toContain("A &quot;link&quot; &lt;b&gt;");
  expect(page).toContain('<a href="http://localhost:8787/reset-password/abc">');
  expect(page).not.toContain("<script>");
  const frames = page.match(/<iframe [^>]*>/g)!;
  expect(frames).toHaveLength(2);
  for (const frame of frames) expect(frame).toContain('sandbox=""');
  const [light, dark] = await Promise.all(
    frames.map(async (frame) => (await request(/src="([^"]+)"/.exec(frame)![1]!)).text()),
  );
  expect([light, dark]).toEqual([
    html.replace("(prefers-color-scheme:dark)", "not all"),
    html.replace("(prefers-color-scheme:dark)", "all"),
  ]);
  expect((await request("/dev/messages/99")).status).toBe(404);
});

test("a text sent with the local keys is accepted, and shown with its length in message parts", async () => {
  const text = {
    to: "61491570158",
    message: "Naturestrip: <b>Green</b> has taken it",
    sender: "61491570006",
  };
  const send = (keys: string) =>
    box.fetch(
      new Request("http://stand-in.test/sms/v1/messages", {
        method: "POST",
        headers: { Authorization: `Basic ${btoa(keys)}` },
        body: JSON.stringify({ messages: [text] }),
      }),
    );
  expect((await send("other:keys")).status).toBe(401);
  expect(await (await send(LOCAL_SMS_KEYS)).json()).toMatchObject({ results: [{ status: "success" }] });
  const page = await (await request("/dev/messages")).text();
  expect(page.match(/<h2>Text message<\/h2>/g)).toHaveLength(1);
  expect(page).toContain("text to 61491570158 · 38 of 160 characters");
  expect(page).toContain("Naturestrip: &lt;b&gt;Green&lt;/b&gt; has taken it");
});

test("a reply from the page reaches the product in the gateway's format", async () => {
  const words: object[] = [];
  const own = new MessageBox(new PushStandIn(await newPushKeys()), async (word) => void words.push(word));
  const post = (path: string, body: BodyInit, headers = {}) =>
    own.fetch(new Request(`http://stand-in.test${path}`, { method: "POST", headers, body }));
  const text = { to: "61491570158", message: "Hi", sender: "61491570006", custom_ref: "msg_1" };
  await post("/sms/v1/messages", JSON.stringify({ messages: [text] }), {
    Authorization: `Basic ${btoa(LOCAL_SMS_KEYS)}`,
  });
  const page = await (await own.fetch(new Request("http://stand-in.test/dev/messages"))).text();
  const [, action] = /<form method="post" action="([^"]+)"/.exec(page)!;
  const answered = await post(action!, new URLSearchParams({ message: "Friday?" }));
  expect([answered.status, answered.headers.get("Location")]).toEqual([303, "/dev/messages"]);
  expect(words).toMatchObject([
    { type: "inbound", sender: "61491570158", message: "Friday?", original_custom_ref: "msg_1" },
  ]);
  expect((await post("/dev/messages/99/reply", new URLSearchParams({ message: "?" }))).status).toBe(404);
});

test("a notification to an unknown browser is gone, and is not shown", async () => {
  expect((await request("/some-browser", {})).status).toBe(410);
  expect(await (await request("/dev/messages")).text()).not.toContain("<h2>Notification</h2>");
});
