import { createElement } from "react";
import { renderToStaticMarkup } from "react-dom/server";
import { expect, test } from "vitest";

import { CONSENT_WORDING, RESCUE_CONSENTS } from "../../contract/consent.ts";
import { ConsentLine } from "./consent-line.tsx";

test("the current wording allows a rescue only if it tells the customer about the next provider", () => {
  const text = renderToStaticMarkup(createElement(ConsentLine));
  const tellsOfNextProvider = /one local provider at a time\b.*\bwe ask the next one\b/.test(text);
  expect(RESCUE_CONSENTS.has(CONSENT_WORDING)).toBe(tellsOfNextProvider);
});

test("a wording that named one provider allows no rescue", () => {
  expect(RESCUE_CONSENTS.has("quote-2026-11-23")).toBe(false);
});
