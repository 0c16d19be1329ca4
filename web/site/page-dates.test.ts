/** The dates that the pages say, and their texts. */
import { createHash } from "node:crypto";

import { createElement, type FunctionComponent } from "react";
import { renderToStaticMarkup } from "react-dom/server";
import { createMemoryRouter, RouterProvider } from "react-router";
import { expect, test } from "vitest";

import { sydneyDay } from "../../contract/sydney-time.ts";
import { textBlocks } from "../../testing/page-text.ts";
import { type Claims, resolveClaims } from "./claims.ts";
import HowItWorksPage from "./how-it-works-page.tsx";
import { type DatedPath, PAGE_DATES } from "./page-dates.ts";
import PrivacyPage from "./privacy-page.tsx";
import TermsPage from "./terms-page.tsx";

const COMPONENTS: Readonly<Record<DatedPath, unknown>> = {
  "/how-it-works": HowItWorksPage,
  "/privacy-policy": PrivacyPage,
  "/terms-conditions": TermsPage,
};

const contact = {
  contactPhone: "1800 975 711",
  contactEmail: "hello@naturestrip.example",
  legalEntity: { name: "Lawns Pty Ltd", abn: "00 000 000 000", address: "PO Box 0" },
};

/** The settings and claims that add or change sentences: all off, and all on. */
const VARIANTS = [
  {
    claims: resolveClaims({}, false, {}),
    loaderData: {
      checksBreaches: false,
      hasAds: false,
      hasMaps: false,
      hasChallenge: false,
      hasTexts: false,
      retention: { requestDays: 0, soldDays: 0 },
      slowCallers: "warn",
    },
  },
  {
    claims: { ...resolveClaims({}, true, {}), guaranteeRefund: "on" },
    loaderData: {
      checksBreaches: true,
      hasAds: true,
      hasMaps: true,
      hasChallenge: true,
      hasTexts: true,
      retention: { requestDays: 365, soldDays: 2557 },
      slowCallers: "no_rescue_offers",
    },
  },
];

/** Renders a page in the layout that loads its claims. Returns its text. */
function renderText(page: DatedPath, claims: Claims, loaderData: object): string {
  const component = COMPONENTS[page] as FunctionComponent<{ loaderData: object }>;
  const element = createElement(component, { loaderData: { ...contact, ...loaderData } });
  const router = createMemoryRouter([{ id: "site/site-layout", path: "/", element }], {
    hydrationData: { loaderData: { "site/site-layout": { claims } } },
  });
  const html = renderToStaticMarkup(createElement(RouterProvider, { router }));
  return textBlocks(html)
    .filter((block) => !block.startsWith("Last updated "))
    .join("\n");
}

test.each(Object.keys(PAGE_DATES) as DatedPath[])(
  "the text of %s changes only together with its day",
  (page) => {
    const texts = VARIANTS.map(({ claims, loaderData }) => renderText(page, claims, loaderData));
    expect(texts[0], "each variant has its own text").not.toBe(texts[1]);
    const hash = createHash("sha256").update(texts.join("\n")).digest("hex").slice(0, 16);
    const dated = PAGE_DATES[page];
    const current = dated.hash === hash ? dated : { day: sydneyDay(Date.now()), hash };
    expect(dated, `put ${JSON.stringify(current)} into web/site/page-dates.ts`).toEqual(current);
  },
);
