/** Tests businesses' public pages through the front door: what they show, to whom, and where they are linked. */
import { eq } from "drizzle-orm";
import { expect, test } from "vitest";

import { addCallTime } from "../../../contract/call-clock.ts";
import { DAY_MS, HOUR_MS } from "../../../contract/durations.ts";
import type {
  ListedProfile,
  LocalProvider,
  OwnProfile,
  ProfileForm,
  ProviderProfile,
} from "../../../contract/profiles.ts";
import type { AttentionItem } from "../../../contract/attention.ts";
import type { ProviderPage, ProviderRow } from "../../../contract/providers.ts";
import type { RequestPageAnswer } from "../../../contract/request-links.ts";
import { addDays, startOfSydneyDay, sydneyDay } from "../../../contract/sydney-time.ts";
import { bodyFor } from "../../../testing/routes/api.ts";
import { call, callerFor, db, testEnv } from "../../../testing/client.ts";
import { auditEntries, purchaseRow, setUser } from "../../../testing/facts.ts";
import { requestLink, runSweeps } from "../../../testing/drivers.ts";
import { insertClockedSale, insertReviewedSale } from "../../../testing/clocked-sales.ts";
import { PublicPages } from "../../../testing/main.ts";
import { storeJob } from "../../../testing/operator.ts";
import { insertAbnCheck, insertProfile, insertReview, insertUser, newId } from "../../../testing/world.ts";
import { photos, providerChecks, providerProfiles, type reviews } from "../../tables.ts";
import type { UserRow } from "../../platform/caller.ts";

const NOW = Date.now();
const TODAY = sydneyDay(NOW);

const FORM = bodyFor("PUT /api/user/profile") as ProfileForm;

async function read<T>(path: string): Promise<{ status: number; body: T }> {
  const response = await call("GET", path);
  return { status: response.status, body: await response.json<T>() };
}
const page = (slug: string, query = "") => read<ProviderProfile>(`/api/profiles/${slug}${query}`);
const listed = async (slug: string) =>
  (await read<ListedProfile[]>("/api/profiles")).body.find((profile) => profile.slug === slug);
const near = async (suburb: string) => (await read<LocalProvider[]>(`/api/profiles/near/${suburb}`)).body;

/** Stores written reviews, one a day, the newest today. */
async function insertReviews(
  user: UserRow,
  stars: readonly number[],
  more: Partial<typeof reviews.$inferInsert> = {},
) {
  for (const [i, count] of stars.entries()) {
    const purchaseId = await insertClockedSale(db, user, { purchasedAt: NOW - 40 * DAY_MS - i });
    const review = { stars: count, words: `Review ${i}`, writtenAt: NOW - i * DAY_MS, ...more };
    await insertReview(db, purchaseId, review);
  }
}

/** Stores a business's sales of the last weeks: as many as given, called in time or never. */
async function insertSales(user: UserRow, calledInTime: number, missed: number) {
  for (let i = 0; i < calledInTime + missed; i++) {
    const purchasedAt = addCallTime(startOfSydneyDay(addDays(TODAY, -10 - i))!, 2 * HOUR_MS);
    const calledAt = i < calledInTime ? purchasedAt + (i + 1) * 60_000 : null;
    await insertClockedSale(db, user, { purchasedAt, calledAt });
  }
}

test("a business makes its page, everyone reads it, and its suburbs link to it", async () => {
  const owner = await insertUser(db, {
    companyName: "Wombat & Daughters",
    businessAddress: "3 Elswick Street, Leichhardt NSW 2040",
    services: ["hedge_trimming"],
  });
  const as = await callerFor(owner.id);
  const first: OwnProfile = await (await as("GET", "/api/user/profile")).json();
  expect(first).toMatchObject({
    isSaved: false,
    form: {
      isPublic: false,
      words: "",
      basedIn: "Leichhardt 2040",
      councils: [],
    },
  });

  PublicPages.expired.length = 0;
  const saved = await as("PUT", "/api/user/profile", FORM);
  expect((await page("wombat-daughters")).status).toBe(404);
  expect(await near("annandale")).toEqual([]);
  await insertAbnCheck(db, owner.id);
  expect(await saved.json()).toMatchObject({ isSaved: true, form: FORM, page: { slug: "wombat-daughters" } });
  expect(PublicPages.expired).toEqual([
    ["council-inner-west-council", "shown-jobs", "provider-wombat-daughters"],
  ]);

  const shown = await page("wombat-daughters");
  expect(shown.body).toEqual({
    slug: "wombat-daughters",
    name: "Wombat & Daughters",
    words: FORM.words,
    services: ["hedge_trimming"],
    councils: ["Inner West Council"],
    suburb: { name: "Leichhardt", postcode: "2040" },
    logo: null,
    work: [],
    jobs: [],
    checks: [{ kind: "abn", seenOn: TODAY, endsOn: null, number: null }],
    call: null,
    reviews: { mean: null, shown: 0, hidden: 0, reviews: [] },
  });
  expect(JSON.stringify(shown.body)).not.toMatch(/Elswick|5550/);
  expect((await listed("wombat-daughters"))!.changedAt).toBeGreaterThanOrEqual(NOW);
  expect((await near("annandale")).map(({ slug }) => slug)).toContain("wombat-daughters");
  expect(await near("parramatta")).toEqual([]);

  // A new name keeps the page's address, and a second business of that name gets another.
  await setUser(owner.id, { companyName: "Wombat Lawns" });
  PublicPages.expired.length = 0;
  await as("PUT", "/api/user/profile", { ...FORM, councils: ["City of Parramatta"] });
  expect(PublicPages.expired).toEqual([
    ["council-inner-west-council", "council-city-of-parramatta", "shown-jobs", "provider-wombat-daughters"],
  ]);
  expect((await page("wombat-daughters")).body).toMatchObject({
    name: "Wombat Lawns",
    councils: ["City of Parramatta"],
  });
  const second = await callerFor((await insertUser(db, { companyName: "Wombat & Daughters" })).id);
  const other: OwnProfile = await (await second("PUT", "/api/user/profile", FORM)).json();
  expect(other.page.slug).toMatch(/^wombat-daughters-[0-9a-z]{4}$/);

  const log = await auditEntries(owner.id);
  expect(log.map(({ action, after }) => ({ action, after }))).toEqual([
    {
      action: "user.page_changed",
      after: { parts: ["words", "basedIn", "councils", "isPublic"], isPublic: true },
    },
    { action: "user.page_changed", after: { parts: ["councils"], isPublic: true } },
  ]);
});

test("only its owner sees a page before the ABN's check, an admin's, or the first paid lead", async () => {
  const ways: ((owner: UserRow) => Promise<unknown>)[] = [
    ({ id }) => insertAbnCheck(db, id),
    ({ id }) => setUser(id, { isVerified: true }),
    (owner) => insertClockedSale(db, owner, { purchasedAt: NOW - HOUR_MS }),
  ];
  for (const [i, establish] of ways.entries()) {
    const owner = await insertUser(db, { companyName: `Phantom Lawns ${i}` });
    const as = await callerFor(owner.id);
    const form = { ...FORM, councils: ["Cobar Shire Council"] };
    const saved: OwnProfile = await (await as("PUT", "/api/user/profile", form)).json();
    expect(saved).toMatchObject({ isEstablished: false, page: { name: `Phantom Lawns ${i}` } });
    const { slug } = saved.page;
    const isShown = async () => [
      (await page(slug)).status === 200,
      (await near("cobar")).some((provider) => provider.slug === slug),
      (await listed(slug)) !== undefined,
    ];
    expect(await isShown()).toEqual([false, false, false]);
    await establish(owner);
    expect(await isShown()).toEqual([true, true, true]);
    expect(await (await as("GET", "/api/user/profile")).json()).toMatchObject({ isEstablished: true });
  }
});

test("reserved names and mixed alphabets are refused at sign-up and in Settings, and ticks are removed", async () => {
  const as = await callerFor((await insertUser(db)).id);
  const info = bodyFor("PUT /api/user/personal-info");
  for (const companyName of ["Naturestrip Support ✓ Verified", "NSW Fair Trading", "Lаwn Kings", "✓"])
    for (const response of [
      await call("POST", "/api/auth/provider/signup", {
        body: { ...bodyFor("POST /api/auth/provider/signup"), companyName },
      }),
      ...(companyName === "✓" ? [] : [await as("PUT", "/api/user/personal-info", { ...info, companyName })]),
    ]) {
      expect(response.status).toBe(400);
      const { errors } = await response.json<{ errors: Record<string, string> }>();
      expect(errors.companyName).toMatch(/^Please |required$/);
    }
  const changed = await as("PUT", "/api/user/personal-info", { ...info, companyName: "Ｇreen ✔️ Strip ✅" });
  expect(await changed.json()).toMatchObject({ companyName: "Green Strip" });
});

test("a page never shows a reserved name, also not a person's", async () => {
  const owner = await insertUser(db, { companyName: null, firstName: "Naturestrip", lastName: "Support" });
  const { slug } = await insertProfile(db, owner);
  expect((await page(slug)).body.name).toBe("A local provider");
});

const report = async (slug: string, reason: string) =>
  (await call("POST", `/api/profiles/${slug}/report`, { body: { reason } })).status;

test("a visitor reports a page, and super admins see it and the list of new pages", async () => {
  const admin = await callerFor((await insertUser(db, { isSuperAdmin: true })).id);
  const owner = await insertUser(db);
  const older = await insertUser(db);
  const { slug } = await insertProfile(db, owner);
  await insertProfile(db, older, { createdAt: NOW - 40 * DAY_MS });
  expect(await report(slug, "not_them")).toBe(200);
  expect([await report(slug, "spam"), await report("no-such-page", "other")]).toEqual([400, 404]);
  const items: AttentionItem[] = await (await admin("GET", "/api/super-admin/attention?resolved=no")).json();
  expect(items.filter(({ kind }) => kind === "page_reported")).toMatchObject([
    {
      subjectId: owner.id,
      detail: "A visitor reported this provider's page: It pretends to be another business",
    },
  ]);
  const pages: ProviderRow[] = await (await admin("GET", "/api/users/providers?only=new_page")).json();
  const ids = pages.map(({ id }) => id);
  expect(ids).toContain(owner.id);
  expect(ids).not.toContain(older.id);
});

test("the sitemap has the day of the last change or of the newest shown review", async () => {
  const owner = await insertUser(db);
  const as = await callerFor(owner.id);
  const { slug } = await insertProfile(db, owner, { updatedAt: NOW - 30 * DAY_MS });
  const form = { ...FORM, words: `${FORM.words} We take the clippings away.` };
  const save = async () => (await as("PUT", "/api/user/profile", form)).status;
  const changedAt = async () => (await listed(slug))!.changedAt;
  expect(await changedAt()).toBe(NOW - 30 * DAY_MS);
  await insertReviews(owner, [5], { writtenAt: NOW - 40 * DAY_MS });
  await insertReviews(owner, [1], { hiddenRule: "abuse", hiddenAt: NOW });
  await insertReviews(owner, [1], { writtenAt: null, stars: null });
  expect(await changedAt(), "no newer review is shown").toBe(NOW - 30 * DAY_MS);
  await insertReviews(owner, [4, 5], { writtenAt: NOW - 20 * DAY_MS });
  expect(await changedAt()).toBe(NOW - 20 * DAY_MS);
  expect(await save()).toBe(200);
  expect(await changedAt()).toBeGreaterThanOrEqual(NOW);
  await db
    .update(providerProfiles)
    .set({ updatedAt: NOW - 10 * DAY_MS })
    .where(eq(providerProfiles.slug, slug));
  expect(await save(), "nothing changes").toBe(200);
  expect(await changedAt()).toBe(NOW - 10 * DAY_MS);
});

test.each([
  ["words", `${FORM.words} Call 0412 345 678.`, /Please leave out phone numbers/],
  ["basedIn", "Atlantis", /don't know that suburb/],
  ["councils", [], /at least one council/],
  ["councils", ["Inner West Council", "Atlantis City Council"], /Please choose councils from the list/],
] as const)("a page is refused for its %s: %j", async (field, value, message) => {
  const as = await callerFor((await insertUser(db)).id);
  const refused = await as("PUT", "/api/user/profile", { ...FORM, [field]: value });
  expect(refused.status).toBe(400);
  const { errors } = await refused.json<{ errors: Record<string, string> }>();
  expect(errors[field]).toMatch(message);
  expect((await (await as("GET", "/api/user/profile")).json<OwnProfile>()).isSaved).toBe(false);
});

test("building work needs a licence that is valid today", async () => {
  const owner = await insertUser(db, { isVerified: true });
  const as = await callerFor(owner.id);
  const form = { ...FORM, words: `${FORM.words} We build retaining walls.` };
  const save = async () => (await as("PUT", "/api/user/profile", form)).status;
  const check = {
    businessId: owner.id,
    kind: "licence",
    number: "123456C",
    seenOn: TODAY,
    createdAt: NOW,
  } as const;
  await db.insert(providerChecks).values({ ...check, id: "chk_l1", state: "waiting", endsOn: null });
  expect(await save()).toBe(400);
  await db
    .insert(providerChecks)
    .values({ ...check, id: "chk_l2", state: "valid", endsOn: addDays(TODAY, -1) });
  expect(await save()).toBe(400);
  await db.insert(providerChecks).values({ ...check, id: "chk_l3", state: "valid", endsOn: TODAY });
  expect(await save()).toBe(200);
  // At the end of the licence the words are no longer public. The business still finds them in its editor.
  const own = async () => (await as("GET", "/api/user/profile")).json<OwnProfile>();
  const { slug } = (await own()).page;
  expect((await page(slug)).body.words).toBe(form.words);
  await db
    .update(providerChecks)
    .set({ endsOn: addDays(TODAY, -1) })
    .where(eq(providerChecks.id, "chk_l3"));
  expect((await page(slug)).body.words).toBe("");
  expect((await own()).form.words).toBe(form.words);
});

test("the logo stays, however many photos are newer", async () => {
  const owner = await insertUser(db);
  const { slug } = await insertProfile(db, owner);
  const photo = { width: 1, height: 1, bytes: 1, businessId: owner.id };
  await db.insert(photos).values({ ...photo, id: "pho_firstlogo", kind: "logo", createdAt: 1 });
  for (let i = 0; i < 45; i++)
    await db.insert(photos).values({ ...photo, id: `pho_many${i}`, kind: "work", createdAt: NOW + i });
  expect((await page(slug)).body.logo?.id).toBe("pho_firstlogo");
});

test("a page is gone while it is private, hidden by an admin, or its business is deactivated", async () => {
  const owner = await insertUser(db);
  const admin = await callerFor((await insertUser(db, { isSuperAdmin: true })).id);
  const as = await callerFor(owner.id);
  const { slug } = await insertProfile(db, owner, {}, ["Hay Shire Council"]);
  const isShown = async () => [
    (await page(slug)).status === 200,
    (await near("hay")).some((provider) => provider.slug === slug),
    (await listed(slug)) !== undefined,
  ];
  const everywhere = [true, true, true];
  const nowhere = [false, false, false];
  expect(await isShown()).toEqual(everywhere);

  await as("PUT", "/api/user/profile", { ...FORM, councils: ["Hay Shire Council"], isPublic: false });
  expect(await isShown()).toEqual(nowhere);
  await as("PUT", "/api/user/profile", { ...FORM, councils: ["Hay Shire Council"] });
  expect(await isShown()).toEqual(everywhere);

  const path = `/api/super-admin/providers/${owner.id}`;
  expect((await admin("PUT", `${path}/profile`, { isHidden: true, reason: " " })).status).toBe(400);
  PublicPages.expired.length = 0;
  await admin("PUT", `${path}/profile`, { isHidden: true, reason: "Not your photos." });
  expect(PublicPages.expired).toEqual([["council-hay-shire-council", "shown-jobs", `provider-${slug}`]]);
  expect(await isShown()).toEqual(nowhere);
  // The business sees why, and cannot put the page back.
  await as("PUT", "/api/user/profile", { ...FORM, councils: ["Hay Shire Council"] });
  expect(await (await as("GET", "/api/user/profile")).json()).toMatchObject({
    hiddenReason: "Not your photos.",
  });
  expect(await isShown()).toEqual(nowhere);
  const shown: ProviderPage = await (await admin("GET", path)).json();
  expect(shown.profile).toEqual({
    slug,
    isPublic: true,
    isEstablished: true,
    hiddenReason: "Not your photos.",
  });
  await admin("PUT", `${path}/profile`, { isHidden: false, reason: null });
  await admin("PUT", `${path}/profile`, { isHidden: false, reason: null });
  expect(await isShown()).toEqual(everywhere);

  PublicPages.expired.length = 0;
  await admin("PATCH", path, { isActive: false, reason: "Asked to stop" });
  expect(PublicPages.expired).toEqual([["council-hay-shire-council", "shown-jobs", `provider-${slug}`]]);
  expect(await isShown()).toEqual(nowhere);
  await admin("PATCH", path, { isActive: true });
  expect(await isShown()).toEqual(everywhere);

  const log = await auditEntries(owner.id);
  expect(log.map(({ action }) => action).filter((action) => action.startsWith("user.page_"))).toEqual([
    "user.page_changed",
    "user.page_changed",
    "user.page_hidden",
    "user.page_shown",
  ]);
  const without = await insertUser(db);
  const missing = await admin("PUT", `/api/super-admin/providers/${without.id}/profile`, {
    isHidden: true,
    reason: "None there",
  });
  expect(missing.status).toBe(404);
});

test("the cached suburb pages of an erased business are purged", async () => {
  const owner = await insertUser(db);
  const { slug } = await insertProfile(db, owner);
  // Other tests' checks have ended.
  await runSweeps(Date.now(), { ...testEnv, SITE_HOST: "naturestrip.example" });
  PublicPages.expired.length = 0;
  await storeJob({ kind: "erase_person", input: { phone: null, email: null, username: owner.username } });
  await runSweeps(Date.now(), { ...testEnv, SITE_HOST: "naturestrip.example" });
  expect(PublicPages.expired).toEqual([["council-inner-west-council", "shown-jobs", `provider-${slug}`]]);
  expect(PublicPages.expiries.at(-1)).toBe("purge");
});

test("suburb pages expire when a business changes what they show, or loses a check", async () => {
  const owner = await insertUser(db, { abn: "51 824 753 556", companyName: "Green Strip" });
  const as = await callerFor(owner.id);
  const admin = await callerFor((await insertUser(db, { isSuperAdmin: true })).id);
  const { slug } = await insertProfile(db, owner, {}, ["Hay Shire Council"]);
  const tags = [["council-hay-shire-council", "shown-jobs", `provider-${slug}`]];
  const save = async (changes: object) => {
    const { firstName, lastName, phone, abn, companyName } = owner;
    const body = { firstName, lastName, phone, abn, companyName, ...changes };
    expect((await as("PUT", "/api/user/personal-info", body)).status).toBe(200);
    return PublicPages.expired.splice(0);
  };
  PublicPages.expired.length = 0;
  expect(await save({ phone: "02 5550 7777" }), "no page shows it").toEqual([]);
  expect(await save({ companyName: "Blue Strip" })).toEqual(tags);
  expect(await save({ companyName: "Blue Strip", abn: "53 004 085 616" })).toEqual(tags);

  const id = newId("chk");
  const check = { businessId: owner.id, kind: "abn", state: "valid", seenOn: TODAY, createdAt: NOW } as const;
  await db.insert(providerChecks).values({ ...check, id });
  const body = { decision: "refused", reason: "It is cancelled." };
  expect((await admin("POST", `/api/super-admin/checks/${id}/decision`, body)).status).toBe(200);
  expect(PublicPages.expired.splice(0)).toEqual(tags);

  const reviewId = await insertReviewedSale(db, owner, { writtenAt: NOW, stars: 1 });
  for (const rule of ["abuse", null]) {
    expect((await admin("POST", `/api/super-admin/reviews/${reviewId}`, { rule })).status).toBe(200);
    expect(PublicPages.expired.splice(0), "the rating").toEqual(tags);
    // A hidden review must not be served again. A shown one may be served a minute later.
    expect(PublicPages.expiries.at(-1)).toBe(rule === null ? "invalidate" : "purge");
  }

  const logo = { id: newId("pho"), kind: "logo", width: 300, height: 300, bytes: 1, createdAt: NOW } as const;
  await db.insert(photos).values({ ...logo, businessId: owner.id });
  expect((await as("DELETE", `/api/photos/${logo.id}`)).status).toBe(200);
  expect(PublicPages.expired.splice(0), "the logo").toEqual(tags);

  await as("PUT", "/api/user/services", { services: ["pressure_washing"] });
  expect(PublicPages.expired.splice(0), "the services").toEqual(tags);
  expect((await page(slug)).body.services).toEqual(["pressure_washing"]);
  expect((await call("GET", `/api/profiles/${slug}`)).headers.get("Cache-Tag")).toBe(`provider-${slug}`);

  const yesterday = addDays(TODAY, -1);
  await db
    .insert(providerChecks)
    .values({ ...check, id: newId("chk"), kind: "insurance", endsOn: yesterday });
  await runSweeps(Date.now(), { ...testEnv, SITE_HOST: "naturestrip.example" });
  expect(PublicPages.expired.splice(0)).toEqual(tags);
});

test("the page shows checks that are valid today, and no policy number", async () => {
  const owner = await insertUser(db);
  const { slug } = await insertProfile(db, owner);
  const check = { businessId: owner.id, seenOn: "2026-03-02", createdAt: NOW };
  await db.insert(providerChecks).values([
    { ...check, id: "chk_p1", kind: "abn", state: "valid", number: "51824753556" },
    { ...check, id: "chk_p2", kind: "insurance", state: "valid", number: "POL 77", endsOn: TODAY },
    { ...check, id: "chk_p3", kind: "police", state: "ended", endsOn: addDays(TODAY, -1) },
    { ...check, id: "chk_p4", kind: "licence", state: "refused", number: "1C" },
  ]);
  expect((await page(slug)).body.checks).toEqual([
    { kind: "abn", number: null, seenOn: "2026-03-02", endsOn: null },
    { kind: "insurance", number: null, seenOn: "2026-03-02", endsOn: TODAY },
  ]);
});

test("the page shows ten reviews at a time, their mean, and how many are hidden", async () => {
  const owner = await insertUser(db);
  const { slug } = await insertProfile(db, owner);
  await insertReviews(owner, [5, 4, 5, 1, 5, 4, 3, 5, 5, 4, 2]);
  await insertReviews(owner, [1], { hiddenRule: "abuse", hiddenAt: NOW });
  await insertReviews(owner, [1], { writtenAt: null, stars: null });
  const { reviews: first } = (await page(slug)).body;
  expect([first.mean!.toFixed(2), first.shown, first.hidden]).toEqual(["3.91", 11, 1]);
  expect(first.reviews.map(({ words }) => words)).toEqual([...Array(10).keys()].map((i) => `Review ${i}`));
  const starsOn = async (number: number) =>
    (await page(slug, `?page=${number}`)).body.reviews.reviews.map(({ stars }) => stars);
  expect([await starsOn(2), await starsOn(3)]).toEqual([[2], []]);
  expect((await page(slug, "?page=0")).status).toBe(400);
});

test("the time to call is public from five calls on", async () => {
  const owner = await insertUser(db);
  const { slug } = await insertProfile(db, owner);
  await insertSales(owner, 4, 3);
  expect((await page(slug)).body.call).toBeNull();
  const fifth = addCallTime(startOfSydneyDay(addDays(TODAY, -5))!, 2 * HOUR_MS);
  await insertClockedSale(db, owner, { purchasedAt: fifth, calledAt: fifth + 50 * 60_000 });
  expect((await page(slug)).body.call).toEqual({ medianMs: 3 * 60_000, count: 5 });
});

test("photos of a job show only if the customer and the business agreed", async () => {
  const owner = await insertUser(db);
  const { slug } = await insertProfile(db, owner);
  const purchaseId = await insertClockedSale(db, owner, { purchasedAt: NOW - 40 * DAY_MS });
  const photo = { width: 1600, height: 1200, bytes: 1, createdAt: NOW };
  const both = { customerAgreedAt: NOW, providerAgreedAt: NOW };
  await db.insert(photos).values([
    { ...photo, id: "pho_logo", kind: "logo", businessId: owner.id },
    { ...photo, id: "pho_work", kind: "work", businessId: owner.id },
    { ...photo, ...both, id: "pho_before", kind: "before", purchaseId, businessId: owner.id },
    {
      ...photo,
      ...both,
      id: "pho_after",
      kind: "after",
      purchaseId,
      businessId: owner.id,
      createdAt: NOW + 1,
    },
    { ...photo, id: "pho_customer", kind: "after", purchaseId, businessId: owner.id, customerAgreedAt: NOW },
    { ...photo, id: "pho_provider", kind: "after", purchaseId, businessId: owner.id, providerAgreedAt: NOW },
    { ...photo, ...both, id: "pho_request", kind: "request", leadId: "lead_inner-west_x" },
  ]);
  const { logo, work, jobs } = (await page(slug)).body;
  const size = { width: 1600, height: 1200 };
  expect([logo, work, jobs]).toEqual([
    { id: "pho_logo", ...size },
    [{ id: "pho_work", ...size }],
    [{ before: [{ id: "pho_before", ...size }], after: [{ id: "pho_after", ...size }] }],
  ]);
});

test("a suburb's page lists three at most: good standing first, then the nearest", async () => {
  const council = ["Bourke Shire Council"];
  const at = async (suburbId: string, calledInTime = 0, missed = 0) => {
    const owner = await insertUser(db);
    await insertSales(owner, calledInTime, missed);
    return { owner, slug: (await insertProfile(db, owner, { suburbId }, council)).slug };
  };
  const low = await at("sub_bourke", 3, 7);
  const fresh = await at("sub_bourke");
  const far = await at("sub_leichhardt", 10);
  const good = await at("sub_bourke", 9, 1);
  await insertReviews(good.owner, [5, 4]);
  const shown = await near("bourke");
  expect(shown.map(({ slug }) => slug)).toEqual([good.slug, far.slug, fresh.slug]);
  expect(shown[0]).toMatchObject({
    suburb: "Bourke",
    distanceKm: 0,
    checks: ["abn"],
    rating: { mean: 4.5, shown: 2 },
    calls: { inTime: 9, counted: 12 },
  });
  expect(shown.map(({ slug }) => slug)).not.toContain(low.slug);
});

test("the customer's page links to the page of the provider who has the request", async () => {
  const owner = await insertUser(db);
  const purchaseId = await insertClockedSale(db, owner, { purchasedAt: NOW - HOUR_MS });
  const purchase = await purchaseRow(purchaseId);
  const token = await requestLink(purchase.leadId, NOW);
  const slugOnPage = async () =>
    (await read<RequestPageAnswer>(`/api/requests?token=${token}`)).body.request!.provider!.slug;
  expect(await slugOnPage()).toBeNull();
  const { slug } = await insertProfile(db, owner);
  expect(await slugOnPage()).toBe(slug);
  await (
    await callerFor(owner.id)
  )("PUT", "/api/user/profile", { ...FORM, isPublic: false });
  expect(await slugOnPage()).toBeNull();
});
