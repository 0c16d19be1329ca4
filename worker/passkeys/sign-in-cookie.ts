/** Which browser is in the middle of signing in: a cookie that opens nothing by itself. */
import { parse, serialize } from "hono/utils/cookie";

import { hashToken, newToken } from "../auth/tokens.ts";
import type { AppContext } from "../platform/app.ts";
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

/** Gives the browser a token of its own. @returns its hash, by which it is known here */
export function startSignIn(c: AppContext): string {
  const token = newToken();
  write(c, token);
  return hashToken(token);
}

/** The hash of the token a browser came with; null when it is not in the middle of signing in. */
export function signInHolder(c: AppContext): string | null {
  const name = cookieName(c.env.CALLER.secure);
  const token = parse(c.req.header("Cookie") ?? "", name)[name];
  return token ? hashToken(token) : null;
}

/** Takes the token away: it is done. */
export function endSignIn(c: AppContext): void {
  write(c, "");
}
