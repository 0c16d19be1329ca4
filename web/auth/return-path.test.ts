import { expect, test } from "vitest";

import type { CurrentUser } from "../../contract/auth.ts";
import { getLoginPath, getPathAfterSignIn } from "./return-path.ts";

const PROVIDER = { id: "ada", userType: "provider", needsPasskey: false } as CurrentUser;

const opened = (query: string, user: CurrentUser = PROVIDER) =>
  getPathAfterSignIn(user, `https://naturestrip.test/login${query}`);

test("signing in opens the page where the user had to sign in, and the online one if that was offline", () => {
  const page = { pathname: "/dashboard/offline", search: "?lead=one&tab=called" };
  for (const path of [getLoginPath(page), getLoginPath(page, "ada"), getLoginPath(page, "")])
    expect(opened(new URL(path, "https://naturestrip.test").search)).toBe("/dashboard?lead=one&tab=called");
});

test("a page of another user, of a customer or before the passkey is not opened", () => {
  expect(opened("?ended=bob&next=%2Freceipts%2Fone")).toBe("/dashboard");
  expect(opened("?next=%2Freceipts", { ...PROVIDER, userType: "customer" })).toBe("/");
  expect(opened("?next=%2Freceipts", { ...PROVIDER, needsPasskey: true })).toBe(
    "/settings?tab=password#passkeys",
  );
});

test.each([
  "https://evil.test/",
  "//evil.test/",
  "/\\evil.test/",
  "/\t/evil.test/",
  "/.//evil.test/",
  "javascript:alert(1)",
  "http://[",
  "",
])("signing in never follows %j", (next) => {
  expect(opened(`?${new URLSearchParams({ next })}`)).toBe("/dashboard");
});
