/** What search engines and link previews read: metadata, structured data and images. */
import { inflateSync } from "node:zlib";

import { eq } from "drizzle-orm";
import { expect, test } from "vitest";

import { describeLegalEntity } from "../contract/legal-entity.ts";
import { IS_LONG } from "../testing/long.ts";
import { setUpFixture } from "../testing/product/browser-fixture.ts";
import { decode } from "../testing/page-text.ts";
import { PUBLIC_PAGE_LIST } from "../testing/routes/pages.ts";
import { insertProfile, insertUser } from "../testing/world.ts";
import { providerProfiles } from "../worker/tables.ts";

const fixture = setUpFixture();

const fetchPage = (path: string) => fetch(fixture.product.url + path, { redirect: "manual" });
const read = async (path: string) => (await fetchPage(path)).text();

type Thing = { "@type": string; [property: string]: unknown };

function structuredData(html: string): Thing[] {
  const blocks = [...html.matchAll(/<script type="application\/ld\+json">(.*?)<\/script>/gs)];
  return blocks.map(([, json]) => JSON.parse(json!) as Thing);
}

const text = expect.stringMatching(/\S/);
const address = expect.stringMatching(/^https?:\/\/[^/]+\//);
const postal = expect.objectContaining({
  "@type": "PostalAddress",
  addressRegion: "NSW",
  addressCountry: "AU",
});

/** Required properties of each type we use, according to schema.org and Google's documentation. */
const REQUIRED: Record<string, unknown> = {
  LocalBusiness: {
    name: text,
    url: address,
    image: address,
    telephone: expect.stringMatching(/^[\d +]+$/),
    priceRange: expect.stringMatching(/^\$\d+-\$\d+$/),
    address: postal,
    openingHours: expect.arrayContaining([
      expect.stringMatching(/^(Mo|Tu|We|Th|Fr|Sa|Su)(-\w\w)? \d\d:\d\d-\d\d:\d\d$/),
    ]),
  },
  BreadcrumbList: {
    itemListElement: expect.arrayContaining([
      { "@type": "ListItem", position: 1, name: "Home", item: address },
    ]),
  },
  Service: {
    name: text,
    serviceType: text,
    description: text,
    url: address,
    provider: { "@type": "Organization", name: text, url: address },
    offers: expect.objectContaining({ "@type": "Offer", priceCurrency: "AUD" }),
  },
};

const TYPES: Record<string, string[]> = {
  "/": ["LocalBusiness"],
  "/location/parramatta": ["BreadcrumbList", "Service"],
  "/service/hedge-trimming": ["BreadcrumbList", "Service"],
};

test("structured data is JSON with what schema.org requires for its types, and its breadcrumbs lead to pages", async () => {
  for (const [path, types] of Object.entries(TYPES)) {
    const things = structuredData(await read(path));
    expect(things.map((thing) => thing["@type"]).toSorted(), path).toEqual(types.toSorted());
    for (const thing of things) {
      expect(thing["@context"], path).toBe("https://schema.org");
      expect(thing, path).toMatchObject(REQUIRED[thing["@type"]] as object);
      expect(JSON.stringify(thing), "no value is missing").not.toMatch(/undefined|null|NaN/);
    }
    const crumbs = things.find((thing) => thing["@type"] === "BreadcrumbList");
    if (!crumbs) continue;
    const items = crumbs.itemListElement as { position: number; item: string }[];
    expect(
      items.map(({ position }) => position),
      path,
    ).toEqual([1, 2, 3]);
    for (const { item } of items) expect((await fetch(item)).status, item).toBe(200);
  }
});

test("the business that runs the site is in the footer, the terms, the privacy policy and the structured data", async () => {
  const name = "Example Lawns Pty Ltd";
  const abn = "00 000 000 000";
  const postal = "PO Box 0, Exampleville NSW 2000";
  for (const path of ["/providers", "/terms-conditions", "/privacy-policy"]) {
    const [main, footer] = (await read(path)).split("<footer");
    const line = describeLegalEntity({ name, abn, address: postal });
    expect(footer, path).toContain(line);
    if (path !== "/providers") expect(main, path).toContain(line);
  }
  const [home] = structuredData(await read("/"));
  const address = { postOfficeBoxNumber: "0", addressLocality: "Exampleville", postalCode: "2000" };
  expect(home).toMatchObject({ legalName: name, taxID: abn, address });
  expect(home!.address, "a postal box is no street address").not.toHaveProperty("streetAddress");
});

test("a suburb's page answers in order: cost, how soon, what others say, what is special here, and the last offer", async () => {
  const [html] = (await read("/location/byron-bay")).split("</main>");
  const titles = [...html!.matchAll(/<h[12][^>]*>(.*?)<\/h[12]>/gs)].map(([, title]) =>
    decode(title!.replaceAll(/<!-- -->|<[^>]*>/g, "")),
  );
  expect(titles.filter((title) => !/Providers who work|Why choose us|Frequently/.test(title))).toEqual([
    "Perfect Lawn Care in Byron Bay",
    "What it costs in Byron Bay",
    "Book a visit in Byron Bay",
    "How it works",
    "What customers say",
    "Lawns in Byron Bay",
    "Local information",
    "Location and contact",
    "Near Byron Bay",
    "Don't See Your Area?",
  ]);
});

const meta = (html: string, name: string) =>
  new RegExp(`<meta (?:name|property)="${name}" content="([^"]*)"`).exec(html)?.[1];

/** Returns the addresses of public pages that need no record. */
const addressesOf = (isWanted: (page: (typeof PUBLIC_PAGE_LIST)[number]) => boolean) =>
  PUBLIC_PAGE_LIST.filter((page) => isWanted(page) && page.pattern !== "/provider/:slug").flatMap(
    ({ examples }) => examples,
  );

test("every indexable page has its own title, description and URL", async () => {
  const { db } = fixture.product;
  const profiles = [
    await insertProfile(db, await insertUser(db, { companyName: "Green Strip" })),
    await insertProfile(db, await insertUser(db, { companyName: "Wide ".repeat(24).trim() }), {
      words: "We mow, weed & prune. ".repeat(60),
    }),
  ];
  const titles = new Set<string>();
  const more = [
    "/location/manly",
    "/location/south-wentworthville",
    `/locations?${new URLSearchParams({ council: "Cootamundra-Gundagai Regional Council" })}`,
    ...profiles.map(({ slug }) => `/provider/${slug}`),
  ];
  for (const path of [...addressesOf((page) => page.isIndexed === true), ...more]) {
    const html = await read(path);
    const title = /<title>([^<]+)<\/title>/.exec(html)![1]!;
    expect(titles.has(title), title).toBe(false);
    titles.add(title);
    expect(decode(title).length, title).toBeLessThanOrEqual(60);
    const description = decode(meta(html, "description")!);
    expect(description.length, path).toBeGreaterThan(50);
    expect(description.length, description).toBeLessThanOrEqual(155);
    expect(html, path).toContain(`<link rel="canonical" href="${fixture.product.url}${path}"/>`);
    expect(meta(html, "og:url"), path).toBe(fixture.product.url + path);
    expect(html, path).toContain('<html lang="en-AU"');
    expect(meta(html, "robots"), path).toBeUndefined();
  }
  for (const path of [...addressesOf((page) => !page.isIndexed), "/location/atlantis"]) {
    expect(meta(await read(path), "robots"), path).toBe("noindex");
  }
  const home = await read("/");
  expect([meta(home, "geo.region"), meta(home, "geo.placename")]).toEqual(["AU-NSW", "Sydney"]);
});

test("every locality in the state has a working page; search engines get those with enough facts", async () => {
  const sitemap = await read("/sitemap.xml");
  for (const [slug, name, council] of [
    ["aarons-pass", "Aarons Pass", "Mid-Western Regional Council"],
    ["packsaddle", "Packsaddle", "Unincorporated NSW"],
  ] as const) {
    const path = `/location/${slug}`;
    const answer = await fetchPage(path);
    const html = await answer.text();
    expect(answer.status, path).toBe(200);
    expect(meta(html, "robots"), path).toBe("noindex");
    expect(html, path).toContain(`Book a visit in ${name}`);
    expect(html, path).toContain(`Near ${name}`);
    expect(html, path).not.toContain("ld+json");
    const councilPage = `/locations?${new URLSearchParams({ council })}`;
    expect(html, path).toContain(`href="${councilPage}"`);
    const listed = await read(councilPage);
    expect(listed, councilPage).toContain(`href="${path}"`);
    expect(meta(listed, "robots"), councilPage).toBeUndefined();
    expect(listed).toContain(`<link rel="canonical" href="${fixture.product.url}${councilPage}"/>`);
    expect(sitemap).not.toContain(`${path}<`);
    expect((await fetchPage(`/og/${slug}.png`)).status, slug).toBe(404);
  }
  // None of these is in our own lists.
  for (const slug of ["bondi", "glebe", "gosford", "newcastle"]) {
    const path = `/location/${slug}`;
    const html = await read(path);
    expect(meta(html, "robots"), path).toBeUndefined();
    expect(html, path).toContain("ld+json");
    expect(sitemap).toContain(`${path}<`);
  }
  const byName = await fetchPage("/location/Bondi");
  expect([byName.status, byName.headers.get("Location")]).toEqual([301, "/location/bondi"]);
});

/**
 * Returns the pixels of an 8-bit RGBA PNG, still filtered. Enough to distinguish a drawing from an empty
 * image.
 */
function readPng(bytes: Buffer) {
  expect(bytes.subarray(0, 8).toString("latin1")).toBe("\x89PNG\r\n\x1a\n");
  const parts: Buffer[] = [];
  for (let at = 8; at < bytes.length;) {
    const length = bytes.readUInt32BE(at);
    if (bytes.toString("latin1", at + 4, at + 8) === "IDAT")
      parts.push(bytes.subarray(at + 8, at + 8 + length));
    at += 12 + length;
  }
  const pixels = inflateSync(Buffer.concat(parts));
  return { width: bytes.readUInt32BE(16), height: bytes.readUInt32BE(20), pixels };
}

test("each suburb has a share image of 1200 by 630, and so does every other page", async () => {
  const pictures = new Map<string, Buffer>();
  const pages = ["/", "/services", "/service/lawn-mowing"];
  const more = ["/service/hedge-trimming", "/locations", "/providers", "/reviews", "/how-it-works"];
  for (const path of ["/location/manly", "/location/parramatta", ...pages, ...(IS_LONG ? more : [])]) {
    const url = meta(await read(path), "og:image")!;
    const answer = await fetch(url);
    expect([answer.status, answer.headers.get("Content-Type")], url).toEqual([200, "image/png"]);
    const { width, height, pixels } = readPng(Buffer.from(await answer.arrayBuffer()));
    expect([width, height], url).toEqual([1200, 630]);
    expect(new Set(pixels).size, "it is drawn on").toBeGreaterThan(64);
    pictures.set(path, pixels);
  }
  const distinct = new Set([...pictures.values()].map((picture) => picture.toString("base64")));
  expect(distinct.size, "each page has a picture of its own").toBe(pictures.size);
  const answer = await fetchPage("/og/manly.png");
  expect(answer.headers.get("Cloudflare-CDN-Cache-Control")).toContain("max-age=");
  expect(answer.headers.get("Cache-Tag")).toContain("suburb-manly");
  for (const path of ["/og/atlantis.png", "/og/manly.jpg", "/og/page-none.png"])
    expect((await fetchPage(path)).status, path).toBe(404);
});

test("a business's page has a share picture of its own; a private or hidden page has none", async () => {
  const { db } = fixture.product;
  const owner = await insertUser(db, { companyName: "Māra & Daughters" });
  const { slug } = await insertProfile(db, owner);
  const url = meta(await read(`/provider/${slug}`), "og:image")!;
  expect(new URL(url).pathname).toBe(`/og/provider-${slug}.png`);
  const answer = await fetch(url);
  expect([answer.status, answer.headers.get("Cache-Tag")]).toEqual([200, `public,provider-${slug}`]);
  expect(answer.headers.get("Cloudflare-CDN-Cache-Control")).toContain("max-age=");
  const { pixels } = readPng(Buffer.from(await answer.arrayBuffer()));
  const { slug: other } = await insertProfile(db, await insertUser(db, { companyName: "Mara & Daughters" }));
  const plain = readPng(Buffer.from(await (await fetchPage(`/og/provider-${other}.png`)).arrayBuffer()));
  expect(plain.pixels.equals(pixels), "the macron is drawn").toBe(false);
  for (const change of [{ isPublic: false }, { isPublic: true, hiddenAt: Date.now() }]) {
    await db.update(providerProfiles).set(change).where(eq(providerProfiles.slug, slug));
    const gone = await fetch(url);
    expect([gone.status, gone.headers.get("Cloudflare-CDN-Cache-Control")]).toEqual([404, null]);
  }
});

test("the sitemap lists existing pages, and robots.txt names the sitemap", async () => {
  expect(await read("/robots.txt")).toContain(`Sitemap: ${fixture.product.url}/sitemap.xml`);
  const named = [...(await read("/sitemap.xml")).matchAll(/<loc>([^<]+)<\/loc>/g)].map(([, url]) => url!);
  expect(named.length).toBeGreaterThan(280);
  expect(new Set(named).size).toBe(named.length);
  for (const url of [...named.slice(0, 14), ...named.slice(-2)])
    expect((await fetch(url)).status, url).toBe(200);
  const { db } = fixture.product;
  const { slug } = await insertProfile(db, await insertUser(db), {
    updatedAt: Date.parse("2026-03-31T14:30Z"),
  });
  const business = `/provider/${slug}</loc><lastmod>2026-04-01</lastmod>`;
  expect(await read("/sitemap.xml")).toContain(business);
  expect(await read("/sitemap/1.xml")).toBe(await read("/sitemap.xml"));
  for (const path of ["/sitemap/2.xml", "/sitemap/none"])
    expect((await fetchPage(path)).status, path).toBe(404);
});
