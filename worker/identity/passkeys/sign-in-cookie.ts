/** The cookie that identifies a browser during sign-in. It grants nothing by itself. */
import { parse, serialize } from "hono/utils/cookie";

import { hashToken, newToken } from "../auth/tokens.ts";
import type { AppContext } from "../../platform/app.ts";
import { SECOND_STEP_MS } from "./rules.ts";

function cookieName(secure: boolean): string {
  return secure ? "__Host-sign-in" : "sign-in";
}

function write(c: AppContext, token: string) {
  const { secure } = c.env.CALLER;
  const cookie = serialize(cookieName(secure), token, {
    path: "/",
    httpOnly: true,
    secure: true,
    sameSite: "Strict",
    maxAge: token ? SECOND_STEP_MS / 1000 : 0,
  });
  c.header("Set-Cookie", cookie, { append: true });
}

/**
 * Sets a new sign-in token in the browser's cookie.
 * @returns the hash of the token, which identifies the browser in D1
 */
export function startSignIn(c: AppContext): string {
  const token = newToken();
  write(c, token);
  return hashToken(token);
}

/** Returns the hash of the browser's sign-in token; null if it has none. */
export function signInHolder(c: AppContext): string | null {
  const name = cookieName(c.env.CALLER.secure);
  const token = parse(c.req.header("Cookie") ?? "", name)[name];
  return token ? hashToken(token) : null;
}

export function endSignIn(c: AppContext): void {
  write(c, "");
}
