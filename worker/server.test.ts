import { expect, test } from "vitest";

import { call, callWith } from "./testing/client.ts";

const URLENCODED = "application/x-www-form-urlencoded";

const post = (body: string, type: string) =>
  call("POST", "/get-quote", { body, headers: { "Content-Type": type } });

test("a page reads a form, and only a form of a sane size", async () => {
  expect((await post("intent=next", URLENCODED)).status).toBe(200);
  const wrongType = await post("{}", "text/plain");
  expect(wrongType.status).toBe(415);
  expect(await wrongType.json()).toMatchObject({ code: "unsupported_media_type" });
  const tooLarge = await post(`a=${"x".repeat(70_000)}`, URLENCODED);
  expect(tooLarge.status).toBe(413);
  expect(tooLarge.headers.get("Content-Type")).toBe("application/problem+json");
});

const broken = {
  DB: {
    prepare() {
      throw new Error("D1 is away");
    },
  } as unknown as D1Database,
};

test("a request nobody can answer is a problem with an id, not a bare crash", async () => {
  const response = await callWith(broken, "GET", "/api/auth/me", { cookie: "session=something" });
  expect(response.status).toBe(500);
  expect(await response.json()).toMatchObject({ code: "internal", requestId: expect.any(String) });
});
