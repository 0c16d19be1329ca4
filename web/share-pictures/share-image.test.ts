import { readFileSync } from "node:fs";

import { initWasm, Resvg } from "@resvg/resvg-wasm";
import { beforeAll, expect, test } from "vitest";

import { SERVICE_IDS } from "../../contract/catalogue.ts";
import type { ProviderProfile } from "../../contract/profiles.ts";
import { SHARE_CARDS } from "../site/share-cards.ts";
import { providerCard, shareSvg, toDrawable } from "./share-image.tsx";

beforeAll(() =>
  initWasm(readFileSync(new URL("../../node_modules/@resvg/resvg-wasm/index_bg.wasm", import.meta.url))),
);

/** Returns the card of a business with a name. */
const cardOf = (name: string, profile: Partial<ProviderProfile> = {}) =>
  providerCard({
    slug: "green-strip",
    name,
    words: "",
    services: ["lawn_mowing", "hedge_trimming"],
    councils: ["Inner West Council"],
    suburb: { name: "North Turramurra", postcode: "2074" },
    logo: null,
    work: [],
    jobs: [],
    checks: [],
    call: null,
    reviews: { mean: 4.76, shown: 1234, hidden: 0, reviews: [] },
    ...profile,
  });

/** Returns the boundaries of everything drawn beside the scene, in pixels. */
function findWords(svg: string) {
  const drawn = new Resvg(svg, { font: { loadSystemFonts: false } }).render();
  const { width, height } = drawn;
  const pixels = new Uint32Array(drawn.pixels.buffer, drawn.pixels.byteOffset, width * height);
  const bounds = { left: width, right: 0, bottom: 0 };
  for (let y = 0; y < height; y++)
    for (let x = 0; x < 620; x++) {
      if (pixels[y * width + x] === pixels[0]) continue;
      bounds.left = Math.min(bounds.left, x);
      bounds.right = Math.max(bounds.right, x);
      bounds.bottom = y;
    }
  return bounds;
}

const NAMES = [
  "Jo",
  "Māra Kōwhai Gardens & Café Señor Šimůnek",
  "W".repeat(120),
  "Wide Mowing ".repeat(10).trim(),
  "a ".repeat(60).trim(),
  `${"Supercalifragilistic".repeat(2)} Gardening`,
];

test("a letter has at most two accents, so that a name cannot draw over the picture", () => {
  expect(toDrawable(`Z${"\u0301".repeat(110)}oe`)).toBe("Z\u0301\u0301oe");
  expect(shareSvg(cardOf(`Z${"\u0301".repeat(110)}oe`))).toBe(shareSvg(cardOf("Z\u0301\u0301oe")));
  expect(toDrawable("Nguyễn")).toBe("Nguyễn".normalize("NFKD"));
});

test("the words of every share picture stay within their margins, however long a name is", () => {
  const many = { services: [...SERVICE_IDS] };
  const cards = [...SHARE_CARDS.values(), ...NAMES.map((name) => cardOf(name, many))];
  for (const card of cards) {
    const { left, right, bottom } = findWords(shareSvg(card));
    expect(left, card.title).toBeGreaterThanOrEqual(58);
    expect(right, card.title).toBeLessThanOrEqual(575);
    expect(bottom, card.title).toBeLessThanOrEqual(590);
  }
});

test("letters have their accents, and what has no outline is left out", () => {
  expect(shareSvg(cardOf("Lưu"))).not.toBe(shareSvg(cardOf("Luu")));
  const plain = shareSvg(cardOf("Mara Cafe"));
  expect(shareSvg(cardOf("Māra Café"))).not.toBe(plain);
  expect(shareSvg(cardOf("Ma\u0304ra Cafe\u0301"))).toBe(shareSvg(cardOf("Māra Café")));
  expect(shareSvg(cardOf("🌱 Mara 🌿  Cafe 草"))).toBe(plain);
  expect(toDrawable("Łódź Đỗ ½")).toBe("Łódź Đỗ 1/2".normalize("NFKD"));
  expect(cardOf("绿草园艺 🌱").title).toBe("Lawn and garden care");
});

test("a business's picture says what its page says", () => {
  expect(cardOf("Green Strip")).toEqual({
    lead: "Based in North Turramurra",
    title: "Green Strip",
    detail: "Lawn mowing, and hedge and tree trimming",
    plate: "★ 4.8 out of 5 from 1234 reviews",
    scene: "lawn_mowing",
  });
  const none = { mean: null, shown: 0, hidden: 1, reviews: [] };
  expect(cardOf("Green Strip", { reviews: none }).plate).toBeUndefined();
  expect(cardOf("Green Strip", { services: ["landscaping", "hedge_trimming"] }).scene).toBe("hedge_trimming");
  expect(cardOf("Green Strip", { services: [...SERVICE_IDS] }).detail).toBe(
    `Lawn mowing, garden cleanup, pressure washing and ${SERVICE_IDS.length - 3} more`,
  );
});
