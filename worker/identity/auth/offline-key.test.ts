/** A browser has the offline key only for the user who last signed in. */
import { expect, test } from "vitest";

import { CLEAR_OFFLINE_KEY } from "../../../contract/offline.ts";
import { call, db } from "../../../testing/client.ts";
import { insertUser, PASSWORD, sessionCookie } from "../../../testing/world.ts";

const [ada, bob] = await Promise.all([insertUser(db), insertUser(db)]);

const signIn = ({ username }: typeof ada, cookie?: string) =>
  call("POST", "/api/auth/login", { body: { username, password: PASSWORD }, cookie });

const deviceOf = (response: Response) =>
  response.headers
    .getSetCookie()
    .find((text) => text.startsWith("device="))!
    .split(";", 1)[0]!;

const clearsKey = (response: Response) => response.headers.getSetCookie().includes(CLEAR_OFFLINE_KEY);

test("the user who last signed in keeps the offline key; another user does not get it", async () => {
  const first = await signIn(ada);
  expect(clearsKey(first)).toBe(true);
  const again = await signIn(ada, deviceOf(first));
  expect(again.status).toBe(200);
  expect(clearsKey(again)).toBe(false);
  const other = await signIn(bob, deviceOf(again));
  expect(clearsKey(other)).toBe(true);
  expect(clearsKey(await signIn(ada, deviceOf(other)))).toBe(true);
});

test("a refused sign-in does not delete the offline key; signing out does, for any user", async () => {
  const device = deviceOf(await signIn(ada));
  const refused = await call("POST", "/api/auth/login", {
    body: { username: bob.username, password: "a wrong guess" },
    cookie: device,
  });
  expect([refused.status, clearsKey(refused)]).toEqual([401, false]);
  const session = await sessionCookie(db, ada.id);
  const out = await call("POST", "/api/auth/logout", { body: {}, cookie: `${session}; ${device}` });
  expect([out.status, clearsKey(out)]).toEqual([200, true]);
});
