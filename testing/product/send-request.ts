/** A visitor's request without the form, for tests of what comes after it. */
import { expect } from "vitest";

import { quoteRequest } from "../world.ts";
import type { BrowserFixture } from "./browser-fixture.ts";

/** Sends a request. @returns its ID, and the token of its page */
export async function sendRequest(
  { product }: BrowserFixture,
  overrides: Parameters<typeof quoteRequest>[0],
): Promise<{ id: string; token: string }> {
  const response = await fetch(`${product.url}/api/leads`, {
    method: "POST",
    headers: { Origin: product.url, "Content-Type": "application/json" },
    body: JSON.stringify(quoteRequest(overrides)),
  });
  const text = await response.text();
  expect(response.status, text).toBe(201);
  return JSON.parse(text) as { id: string; token: string };
}
