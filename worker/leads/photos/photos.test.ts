/** Photos of requests, of work and of businesses, through the front door. */
import { eq, sql } from "drizzle-orm";
import { expect, onTestFinished, test } from "vitest";

import { DAY_MS } from "../../../contract/durations.ts";
import type { LeadSummary } from "../../../contract/leads.ts";
import { MAX_PHOTO_BYTES, MAX_PHOTOS, type Photo, type PhotoAnswer } from "../../../contract/photos.ts";
import type { RequestPageAnswer } from "../../../contract/request-links.ts";
import { call, callerFor, callWith, db, testEnv } from "../../../testing/client.ts";
import {
  auditEntries,
  leadRow,
  publicPhotos,
  purchasesOf,
  setLead,
  setUser,
  sizeOfPhoto,
} from "../../../testing/facts.ts";
import { erase, putOnMarket, requestLink, runSweep } from "../../../testing/drivers.ts";
import { CAMERA, hasText, HEIC, NO_PHOTOS, pngPhoto, polyglot, withGps } from "../../../testing/photos.ts";
import { listedRequest, payingBuyer, rescue, sellTo } from "../../../testing/rescue.ts";
import { openSocket } from "../../../testing/sockets.ts";
import {
  insertPendingLead,
  insertTeamMember,
  insertUser,
  newId,
  quoteRequest,
} from "../../../testing/world.ts";
import { leadPurchases, photos, providerProfiles } from "../../tables.ts";

const PHOTO = pngPhoto(64, 48);

/** Posts a photo, as a browser does. */
function post(path: string, bytes: Uint8Array, headers: Record<string, string> = {}, cookie?: string) {
  const body = new Blob([bytes as Uint8Array<ArrayBuffer>]).stream();
  return call("POST", path, { body, cookie, headers: { "Content-Type": "image/jpeg", ...headers } });
}

const upload = (uploadToken: string, bytes: Uint8Array = PHOTO) =>
  post("/api/photos", bytes, { "Upload-Token": uploadToken });

const addByLink = (token: string, bytes: Uint8Array = PHOTO) =>
  post("/api/photos", bytes, { "Request-Token": token });

const remove = (id: string, body: object) => call("POST", `/api/photos/${id}/removal`, { body });

async function idOf(response: Response): Promise<string> {
  expect(response.status, await response.clone().text()).toBe(201);
  return (await response.json<PhotoAnswer>()).photo.id;
}

async function refusalOf(response: Response): Promise<[number, string]> {
  const { code } = await response.json<{ code: string }>();
  return [response.status, code];
}

/** Returns the status of the large photo for a caller. */
const see = async (id: string, cookie?: string, token?: string) =>
  (await call("GET", `/api/photos/${id}/large${token ? `?token=${token}` : ""}`, { cookie })).status;

/** The file of a photo in the bucket. */
const fileOf = (id: string, size = "large") => `photos/${id}/${size}.webp`;

async function bytesOf(id: string, size: "small" | "large" = "large"): Promise<Uint8Array> {
  return new Uint8Array(await (await testEnv.FILES.get(fileOf(id, size)))!.arrayBuffer());
}

/** The customer deletes their data on their request's page. */
async function eraseByCustomer(token: string): Promise<void> {
  const body = { token, lastDigits: quoteRequest().customerPhone.slice(-4) };
  const response = await call("POST", "/api/requests/erase", { body });
  expect(await response.json()).toEqual({ outcome: "erased" });
}

/** Sends the quote form. @returns the lead and its link's token */
async function send(submissionId: string): Promise<{ id: string; token: string }> {
  const body = { ...quoteRequest(), submissionId };
  return (await call("POST", "/api/leads", { body })).json();
}

async function sold(overrides: Parameters<typeof insertPendingLead>[1] = {}) {
  const leadId = await listedRequest(overrides);
  const buyer = await payingBuyer();
  await sellTo(leadId, buyer, []);
  const [purchase] = await purchasesOf(leadId);
  const { cookie } = await callerFor(buyer.user.id);
  const token = await requestLink(leadId);
  return { leadId, user: buyer.user, cookie, token, purchaseId: purchase!.id };
}

async function countIn(leadId: string): Promise<number> {
  return (await leadRow(leadId)).photoCount;
}

async function readRequest(token: string) {
  return (await (await call("GET", `/api/requests?token=${token}`)).json<RequestPageAnswer>()).request;
}

async function detailOf(purchaseId: string, cookie: string): Promise<{ photos: Photo[] }> {
  return (await call("GET", `/api/lead-purchases/${purchaseId}`, { cookie })).json();
}

async function publicProfile(businessId: string): Promise<void> {
  const now = Date.now();
  const slug = businessId.replace("_", "-");
  await db
    .insert(providerProfiles)
    .values({ businessId, slug, isPublic: true, createdAt: now, updatedAt: now });
  await setUser(businessId, { isVerified: true });
}

test("uploads belong to the request that is sent with their token, and rivals see only how many", async () => {
  const token = crypto.randomUUID();
  const [first, second] = [await idOf(await upload(token)), await idOf(await upload(token))];
  const { id: leadId } = await send(token);
  expect(await countIn(leadId)).toBe(2);

  const rival = await insertUser(db);
  const rivalCookie = (await callerFor(rival.id)).cookie;
  await putOnMarket(await leadRow(leadId));
  const market = await (await call("GET", "/api/leads?region=inner-west", { cookie: rivalCookie })).text();
  expect((JSON.parse(market) as LeadSummary[]).find(({ id }) => id === leadId)?.photoCount).toBe(2);
  expect(market).not.toContain(first);
  for (const cookie of [rivalCookie, undefined]) expect(await see(second, cookie)).toBe(404);
});

test("the buyer, their team, an admin and the customer see the photos of a sold request", async () => {
  const { leadId, user, cookie, token, purchaseId } = await sold();
  const id = await idOf(await addByLink(token));
  expect(await countIn(leadId)).toBe(1);
  const member = await callerFor((await insertTeamMember(db, user)).id);
  const admin = await callerFor((await insertUser(db, { isSuperAdmin: true })).id);
  for (const viewer of [cookie, member.cookie, admin.cookie]) expect(await see(id, viewer)).toBe(200);
  const listed = await (await admin("GET", `/api/super-admin/leads?q=${leadId}`)).json();
  expect(listed).toMatchObject([{ id: leadId, photos: [id] }]);
  expect(await see(id, undefined, token)).toBe(200);
  expect(await see(id, undefined, (await sold()).token)).toBe(404);
  expect((await detailOf(purchaseId, cookie)).photos).toMatchObject([{ id, kind: "request" }]);
  expect((await readRequest(token))?.photos).toMatchObject([{ id, width: 64, height: 48 }]);
});

test("after a rescue the second buyer sees the photos of the request", async () => {
  const { leadId, token } = await sold();
  const id = await idOf(await addByLink(token));
  const second = await payingBuyer();
  const secondLead = await rescue(leadId);
  await setLead(secondLead, { status: "available", listingState: "listed" });
  const cookie = (await callerFor(second.user.id)).cookie;
  expect(await see(id, cookie)).toBe(404);
  await db.insert(leadPurchases).values({
    id: newId("pur"),
    leadId: secondLead,
    buyerId: second.user.id,
    boughtByUserId: second.user.id,
    buyerName: "Second Buyer",
    mode: "direct",
    amountPaidCents: 0,
    paymentStatus: "completed",
    purchasedAt: Date.now(),
    updatedAt: Date.now(),
  });
  expect(await see(id, cookie)).toBe(200);
  expect(await countIn(secondLead)).toBe(1);
});

test("a photo's place and camera are gone, because its pixels are encoded again", async () => {
  const jpeg = await testEnv.IMAGES.input(new Blob([pngPhoto(1700, 1275)]).stream()).output({
    format: "image/jpeg",
  });
  const original = withGps(new Uint8Array(await jpeg.response().arrayBuffer()));
  expect(hasText(original, CAMERA)).toBe(true);
  expect((await testEnv.IMAGES.info(new Blob([original]).stream())).format).toBe("image/jpeg");
  const id = await idOf(await upload(crypto.randomUUID(), original));
  for (const [size, side] of [
    ["small", 480],
    ["large", 1600],
  ] as const) {
    const bytes = await bytesOf(id, size);
    expect(sizeOfPhoto(bytes)).toEqual({ width: side, height: side * 0.75 });
    for (const trace of [CAMERA, "Exif", "EXIF", "XMP "]) expect(hasText(bytes, trace)).toBe(false);
  }
});

test("nothing that is hidden behind an image is stored", async () => {
  const original = polyglot(PHOTO);
  const id = await idOf(await upload(crypto.randomUUID(), original));
  expect(hasText(original, "<script>")).toBe(true);
  expect(hasText(await bytesOf(id), "<script>")).toBe(false);
  const owner = await insertUser(db);
  await db.update(photos).set({ businessId: owner.id }).where(eq(photos.id, id));
  const { cookie } = await callerFor(owner.id);
  const { headers } = await call("GET", `/api/photos/${id}/small`, { cookie });
  expect(Object.fromEntries(headers)).toMatchObject({
    "content-type": "image/webp",
    "x-content-type-options": "nosniff",
    "content-security-policy": "default-src 'none'; sandbox",
  });
});

test.each(Object.entries(NO_PHOTOS))("%s is refused with a sentence", async (_, bytes) => {
  const response = await upload(crypto.randomUUID(), bytes);
  expect(await response.clone().json()).toMatchObject({ detail: expect.stringContaining("read that photo") });
  expect(await refusalOf(response)).toEqual([422, "photo_refused"]);
});

test("a HEIC that Images cannot decode is refused with a sentence, and one that it can is stored", async () => {
  // The local Images reads its size, but has no decoder for its pixels.
  const refused = await upload(crypto.randomUUID(), HEIC);
  expect(await refused.clone().json()).toMatchObject({
    detail: "We can’t read that photo. Please send it as a JPEG.",
  });
  expect(await refusalOf(refused)).toEqual([422, "photo_refused"]);
  // Stands in for the deployed Images, which decodes HEIC.
  const IMAGES = {
    info: () => testEnv.IMAGES.info(new Blob([PHOTO]).stream()),
    input: () => testEnv.IMAGES.input(new Blob([PHOTO]).stream()),
  } as unknown as ImagesBinding;
  const headers = { "Content-Type": "image/heic", "Upload-Token": crypto.randomUUID() };
  await idOf(await callWith({ IMAGES }, "POST", "/api/photos", { body: new Blob([HEIC]).stream(), headers }));
});

test("an empty file, a bomb and 50 MB are refused with a sentence, and nothing is stored", async () => {
  const before = await db.$count(photos);
  const bomb = pngPhoto(1, 1, { width: 20_000, height: 10_000 });
  expect(await refusalOf(await upload(crypto.randomUUID(), new Uint8Array()))).toEqual([
    422,
    "photo_refused",
  ]);
  const refused = await upload(crypto.randomUUID(), bomb);
  expect(await refused.clone().json()).toMatchObject({ detail: expect.stringContaining("too many pixels") });
  expect(await refusalOf(refused)).toEqual([422, "photo_refused"]);
  const large = await upload(crypto.randomUUID(), new Uint8Array(50 * 1024 * 1024));
  expect(await large.clone().json()).toMatchObject({ detail: expect.stringContaining("12 MB") });
  expect(await refusalOf(large)).toEqual([413, "payload_too_large"]);
  expect((await upload(crypto.randomUUID(), new Uint8Array(MAX_PHOTO_BYTES))).status).toBe(422);
  expect(await db.$count(photos)).toBe(before);
});

test("four photos belong to one request, however many arrive at once", async () => {
  const token = crypto.randomUUID();
  const responses = await Promise.all(Array.from({ length: 6 }, () => upload(token)));
  expect(responses.filter(({ status }) => status === 201)).toHaveLength(MAX_PHOTOS.request);
  const { id, token: link } = await send(token);
  expect(await countIn(id)).toBe(MAX_PHOTOS.request);
  expect(await refusalOf(await addByLink(link))).toEqual([409, "too_many_photos"]);
  expect(await refusalOf(await upload(token))).toEqual([409, "too_many_photos"]);
});

test("an upload that is repeated on a bad link is one photo", async () => {
  const token = crypto.randomUUID();
  const headers = { "Upload-Token": token, "Photo-Key": crypto.randomUUID() };
  const again = async () => idOf(await post("/api/photos", PHOTO, headers));
  const [first, second] = await Promise.all([again(), again()]);
  const { id: leadId } = await send(token);
  expect([second, await again()]).toEqual([first, first]);
  expect(await countIn(leadId)).toBe(1);
  // The same key from another visitor is another photo.
  headers["Upload-Token"] = crypto.randomUUID();
  expect(await again()).not.toBe(first);
});

test("a job's photo that a window sends again is one photo, also as the last that fits and twice at once", async () => {
  const { user, cookie, purchaseId } = await sold();
  const path = `/api/photos/purchases/${purchaseId}/after`;
  for (let i = 1; i < MAX_PHOTOS.after; i++) await idOf(await post(path, PHOTO, {}, cookie));
  const headers = { "Photo-Key": crypto.randomUUID(), "Made-By": user.id };
  const again = async () => idOf(await post(path, PHOTO, headers, cookie));
  const [first, second] = await Promise.all([again(), again()]);
  expect([second, await again()]).toEqual([first, first]);
  expect((await detailOf(purchaseId, cookie)).photos).toHaveLength(MAX_PHOTOS.after);
  expect(await refusalOf(await post(path, PHOTO, {}, cookie))).toEqual([409, "too_many_photos"]);
});

test("a job's photo that another user took is not stored, because they may have signed in since", async () => {
  const { user, cookie, purchaseId } = await sold();
  const member = await insertTeamMember(db, user);
  const headers = { "Photo-Key": crypto.randomUUID(), "Made-By": member.id };
  const path = `/api/photos/purchases/${purchaseId}/before`;
  expect(await refusalOf(await post(path, PHOTO, headers, cookie))).toEqual([401, "unauthenticated"]);
  expect((await detailOf(purchaseId, cookie)).photos).toEqual([]);
});

test("a visitor deletes their own photo, before and after the request is sent", async () => {
  const uploadToken = crypto.randomUUID();
  const [first, second] = [await idOf(await upload(uploadToken)), await idOf(await upload(uploadToken))];
  const { id: leadId, token } = await send(uploadToken);
  const stranger = await sold();
  for (const credential of [{}, { uploadToken: crypto.randomUUID() }, { token: stranger.token }])
    expect((await remove(first, credential)).status).toBe(404);
  expect((await remove(first, { uploadToken })).status).toBe(200);
  expect(await countIn(leadId)).toBe(1);
  expect((await remove(second, { token })).status).toBe(200);
  expect(await countIn(leadId)).toBe(0);
  expect(await see(second, undefined, token)).toBe(404);
  await runSweep("photo_sweep");
  expect(await testEnv.FILES.get(fileOf(second))).toBeNull();
});

test("work on a garden is public only while its customer and its provider both agree", async () => {
  const { user, cookie, token, purchaseId } = await sold();
  await publicProfile(user.id);
  const rival = (await callerFor((await insertUser(db)).id)).cookie;
  const path = (kind: string) => `/api/photos/purchases/${purchaseId}/${kind}`;
  expect((await post(path("after"), PHOTO, {}, rival)).status).toBe(404);
  const id = await idOf(await post(path("after"), PHOTO, {}, cookie));
  const offer = (isOffered: boolean, as = cookie) =>
    call("PATCH", `/api/photos/${id}`, { cookie: as, body: { isOffered } });
  const agree = (isAgreed: boolean, as = token) =>
    call("POST", `/api/photos/${id}/agreement`, { body: { token: as, isAgreed } });
  const isPublic = async () => {
    const listed = await publicPhotos(user.id);
    const status = await see(id);
    expect(status).toBe(listed.length > 0 ? 200 : 404);
    return status === 200;
  };

  expect((await readRequest(token))?.photos).toEqual([]);
  expect((await agree(true)).status).toBe(404);
  expect((await offer(true, rival)).status).toBe(404);
  expect((await offer(true)).status).toBe(200);
  expect(await isPublic()).toBe(false);
  expect((await readRequest(token))?.photos).toMatchObject([{ id, isAgreed: false }]);
  expect((await agree(true, (await sold()).token)).status).toBe(404);
  expect((await agree(true)).status).toBe(200);
  expect(await isPublic()).toBe(true);
  await agree(false);
  expect(await isPublic()).toBe(false);
  await agree(true);
  await offer(false);
  await offer(true);
  // A new offer needs a new agreement.
  expect(await isPublic()).toBe(false);
  const consents = await auditEntries(id);
  expect(consents.map(({ action, actorUserId }) => [action, actorUserId]).slice(0, 3)).toEqual([
    ["photo.offer", user.id],
    ["photo.agree", null],
    ["photo.agree", null],
  ]);
  expect((await detailOf(purchaseId, cookie)).photos).toMatchObject([{ id, kind: "after", isOffered: true }]);
  expect((await call("DELETE", `/api/photos/${id}`, { cookie: rival })).status).toBe(404);
  expect((await call("DELETE", `/api/photos/${id}`, { cookie })).status).toBe(200);
  expect((await detailOf(purchaseId, cookie)).photos).toEqual([]);
});

test("the provider's open windows show at once that the customer agrees, or no longer does", async () => {
  const { cookie, token, purchaseId } = await sold();
  const id = await idOf(await post(`/api/photos/purchases/${purchaseId}/after`, PHOTO, {}, cookie));
  await call("PATCH", `/api/photos/${id}`, { cookie, body: { isOffered: true } });
  const window = await openSocket("/api/business/live", cookie);
  onTestFinished(() => window.socket.close());
  await window.frame(0);
  for (const [i, isAgreed] of [true, false].entries()) {
    await call("POST", `/api/photos/${id}/agreement`, { body: { token, isAgreed } });
    expect(await window.frame(i + 1)).toMatchObject({ type: "purchase_changed", purchaseId });
    expect((await detailOf(purchaseId, cookie)).photos).toMatchObject([{ isAgreed }]);
  }
});

test("a business's photos are public with its profile, and a new logo replaces the old one", async () => {
  const owner = await insertUser(db);
  const { cookie } = await callerFor(owner.id);
  const member = await callerFor((await insertTeamMember(db, owner)).id);
  const old = await idOf(await post("/api/photos/own/logo", PHOTO, {}, cookie));
  const logo = await idOf(await post("/api/photos/own/logo", PHOTO, {}, cookie));
  const work = await idOf(await post("/api/photos/own/work", PHOTO, {}, cookie));
  expect((await post("/api/photos/own/logo", PHOTO, {}, member.cookie)).status).toBe(403);
  expect((await call("DELETE", `/api/photos/${work}`, { cookie: member.cookie })).status).toBe(403);
  expect([await see(old, cookie), await see(logo, cookie), await see(work)]).toEqual([404, 200, 404]);
  await publicProfile(owner.id);
  expect([await see(logo), await see(work)]).toEqual([200, 200]);
  await db.update(providerProfiles).set({ hiddenAt: 1 }).where(eq(providerProfiles.businessId, owner.id));
  expect([await see(logo), await see(logo, cookie)]).toEqual([404, 200]);
  const listed = await (await call("GET", "/api/photos/own/logo", { cookie })).json<{ photos: Photo[] }>();
  expect(listed.photos.map(({ id }) => id)).toEqual([logo]);
});

test("row 79: erasing a customer deletes their photos and those of the work, also from a bucket that fails at first", async () => {
  const { leadId, cookie, token, purchaseId } = await sold();
  const own = await idOf(await addByLink(token));
  const work = await idOf(await post(`/api/photos/purchases/${purchaseId}/before`, PHOTO, {}, cookie));
  await eraseByCustomer(token);
  expect(await countIn(leadId)).toBe(0);
  for (const id of [own, work]) expect(await see(id, cookie)).toBe(404);

  // The bucket fails at first: the rows stay, and the next sweep deletes the files.
  const broken = { ...testEnv.FILES, delete: () => Promise.reject(new Error("R2 is down")) };
  const failing = { ...testEnv, FILES: broken as unknown as R2Bucket };
  await expect(runSweep("photo_sweep", Date.now(), failing)).rejects.toThrow("R2 is down");
  await runSweep("photo_sweep");
  for (const id of [own, work]) {
    expect(await db.$count(photos, eq(photos.id, id))).toBe(0);
    expect(await testEnv.FILES.get(fileOf(id, "small"))).toBeNull();
  }
});

test("erasing a business deletes its photos", async () => {
  const owner = await insertUser(db);
  const { cookie } = await callerFor(owner.id);
  const id = await idOf(await post("/api/photos/own/work", PHOTO, {}, cookie));
  await erase({ username: owner.username });
  await runSweep("photo_sweep");
  expect(await db.$count(photos, eq(photos.id, id))).toBe(0);
});

test("an upload without a request is deleted after a day, and no other photo is", async () => {
  const token = crypto.randomUUID();
  const kept = await idOf(await upload(token));
  await send(token);
  const left = await idOf(await upload(crypto.randomUUID()));
  await runSweep("photo_sweep", Date.now() + DAY_MS - 60_000);
  expect(await db.$count(photos, eq(photos.id, left))).toBe(1);
  await runSweep("photo_sweep", Date.now() + DAY_MS + 1);
  expect(await db.$count(photos, eq(photos.id, left))).toBe(0);
  expect(await testEnv.FILES.get(fileOf(left))).toBeNull();
  expect(await testEnv.FILES.get(fileOf(kept))).not.toBeNull();
});

test("an upload needs a token, and the link of an erased request takes none", async () => {
  expect(await refusalOf(await post("/api/photos", PHOTO))).toEqual([400, "invalid_input"]);
  expect(await refusalOf(await post("/api/photos", PHOTO, { "Upload-Token": "short" }))).toEqual([
    400,
    "invalid_input",
  ]);
  expect(await refusalOf(await addByLink("made-up"))).toEqual([410, "link_ended"]);
});

/** Uploads a photo while something else happens: after the Worker has checked the caller, before it stores the photo. */
function uploadDuring(path: string, options: Parameters<typeof callWith>[3], act: () => Promise<unknown>) {
  const IMAGES = {
    info: async (stream: ReadableStream<Uint8Array>) => {
      await act();
      return testEnv.IMAGES.info(stream);
    },
    input: (stream: ReadableStream<Uint8Array>) => testEnv.IMAGES.input(stream),
  } as ImagesBinding;
  const body = new Blob([PHOTO as Uint8Array<ArrayBuffer>]).stream();
  const headers = { "Content-Type": "image/jpeg", ...options?.headers };
  return callWith({ IMAGES }, "POST", path, { ...options, body, headers });
}

test("a photo that arrives while its customer or its business is erased is not kept", async () => {
  const { leadId, user, cookie, token, purchaseId } = await sold();
  const late = await uploadDuring("/api/photos", { headers: { "Request-Token": token } }, () =>
    eraseByCustomer(token),
  );
  expect(await refusalOf(late)).toEqual([404, "not_found"]);
  const work = await post(`/api/photos/purchases/${purchaseId}/after`, PHOTO, {}, cookie);
  expect(await refusalOf(work)).toEqual([404, "not_found"]);
  const leave = () => erase({ username: user.username });
  const own = await uploadDuring("/api/photos/own/work", { cookie }, leave);
  expect(await refusalOf(own)).toEqual([404, "not_found"]);
  expect(await db.$count(photos, eq(photos.leadId, leadId))).toBe(0);
  expect(await db.$count(photos, eq(photos.businessId, user.id))).toBe(0);
});

test("the first buyer of a passed-on request sees no photo that the customer adds afterwards", async () => {
  const { leadId, cookie, token, purchaseId } = await sold();
  const before = await idOf(await addByLink(token));
  await rescue(leadId, Date.now() + 1);
  const after = await idOf(await addByLink(token));
  await db
    .update(photos)
    .set({ createdAt: Date.now() + 2 })
    .where(eq(photos.id, after));
  expect(await see(before, cookie)).toBe(200);
  expect(await see(after, cookie)).toBe(404);
  expect((await detailOf(purchaseId, cookie)).photos.map(({ id }) => id)).toEqual([before]);
  expect(await see(after, undefined, token)).toBe(200);
});

test("row 78: while Images or R2 is down, the request is sent, and the same upload works later", async () => {
  const token = crypto.randomUUID();
  const headers = { "Upload-Token": token, "Photo-Key": crypto.randomUUID() };
  const quota = Object.assign(new Error("IMAGES_INFO_ERROR 9422: usage limit"), { code: 9422 });
  for (const error of [new Error("Network connection lost."), quota]) {
    const down = await uploadDuring("/api/photos", { headers }, () => Promise.reject(error));
    expect(down.status).toBe(500);
  }
  // The bucket stores one of the two sizes, and then fails.
  const FILES = {
    put: (key: string, ...file: [ReadableStream, R2PutOptions]) =>
      key.includes("large") ? Promise.reject(new Error("R2 is down")) : testEnv.FILES.put(key, ...file),
  } as unknown as R2Bucket;
  const body = new Blob([PHOTO]).stream();
  const cut = await callWith({ FILES }, "POST", "/api/photos", {
    body,
    headers: { "Content-Type": "image/jpeg", ...headers },
  });
  expect(cut.status).toBe(500);
  const { id: leadId, token: link } = await send(token);
  expect(await countIn(leadId)).toBe(0);
  expect(await readRequest(link)).toMatchObject({ photos: [] });
  const id = await idOf(await post("/api/photos", PHOTO, headers));
  expect(await countIn(leadId)).toBe(1);
  expect(await see(id, undefined, link)).toBe(200);
});

test("a flood of uploads without a request stops new ones, but none of a request that was sent", async () => {
  await db.run(sql`INSERT INTO photos (id, kind, width, height, bytes, created_at)
    SELECT 'pho_flood' || key, 'request', 1, 1, 1, ${Date.now()} FROM json_each(${JSON.stringify(Array(2_000).fill(0))})`);
  try {
    const token = crypto.randomUUID();
    expect(await refusalOf(await upload(token))).toEqual([429, "too_many_requests"]);
    await send(token);
    await idOf(await upload(token));
  } finally {
    await db.run(sql`DELETE FROM photos WHERE id LIKE 'pho_flood%'`);
  }
});

test("the photo of a bad-lead report is for the business and admins only, and a second one replaces it", async () => {
  const { user, purchaseId, cookie, token } = await sold();
  const path = `/api/photos/purchases/${purchaseId}/report`;
  const member = await callerFor((await insertTeamMember(db, user)).id);
  expect(await refusalOf(await post(path, PHOTO, {}, member.cookie))).toEqual([403, "forbidden"]);
  const first = await idOf(await post(path, PHOTO, {}, cookie));
  const id = await idOf(await post(path, PHOTO, {}, cookie));
  const admin = await callerFor((await insertUser(db, { isSuperAdmin: true })).id);
  expect([await see(first, cookie), await see(id, cookie), await see(id, admin.cookie)]).toEqual([
    404, 200, 200,
  ]);
  const rival = await callerFor((await insertUser(db)).id);
  expect([await see(id), await see(id, undefined, token), await see(id, rival.cookie)]).toEqual([
    404, 404, 404,
  ]);
  expect(await refusalOf(await member("DELETE", `/api/photos/${id}`))).toEqual([403, "forbidden"]);
  const offer = await call("PATCH", `/api/photos/${id}`, { cookie, body: { isOffered: true } });
  expect(offer.status).toBe(404);

  const report = await call("POST", `/api/lead-purchases/${purchaseId}/bad-lead`, {
    cookie,
    body: { reason: "not_as_described", hasPhoto: true },
  });
  expect(report.status).toBe(201);
  const listed = await call("GET", "/api/super-admin/bad-leads", { cookie: admin.cookie });
  expect(await listed.json()).toContainEqual(expect.objectContaining({ purchaseId, photoId: id }));
  for (const change of [post(path, PHOTO, {}, cookie), call("DELETE", `/api/photos/${id}`, { cookie })])
    expect(await refusalOf(await change)).toEqual([409, "bad_lead_reported"]);
  expect(await see(id, cookie)).toBe(200);
});

test("a report without its photo deletes one that an earlier try has stored", async () => {
  const { purchaseId, cookie } = await sold();
  const id = await idOf(await post(`/api/photos/purchases/${purchaseId}/report`, PHOTO, {}, cookie));
  const body = { reason: "fake" };
  expect((await call("POST", `/api/lead-purchases/${purchaseId}/bad-lead`, { cookie, body })).status).toBe(
    201,
  );
  expect(await see(id, cookie)).toBe(404);
});
