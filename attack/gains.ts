/**
 * People who gain by cheating, without breaking in: each scenario plays them through the front door and returns what
 * they gained. A new promise about reviews, free claims, own requests or pages gets a scenario here.
 */
import { eq } from "drizzle-orm";

import { DAY_MS } from "../contract/durations.ts";
import { LEAD_PRICE_CENTS } from "../contract/money.ts";
import type { LeadRequestInput } from "../contract/leads.ts";
import { eventually } from "../testing/eventually.ts";
import { bodyFor } from "../testing/routes/api.ts";
import { insertFreeClaim, insertPendingLead, insertUser } from "../testing/world.ts";
import { createRequestLink } from "../worker/leads/request-link-store.ts";
import { freeClaims, leadPurchases, providerProfiles, reviews, users } from "../worker/tables.ts";
import { newId } from "../worker/platform/ids.ts";
import { SCHEDULE_PATH } from "./counting.ts";
import type { Target } from "./product.ts";
import type { AttackContext } from "./walk.ts";
import { newSession } from "./world.ts";

type Call = (method: string, path: string, body?: object) => Promise<Response>;

/** Returns a caller in a new session of a user, or a visitor. */
async function callerOf(target: Target, userId: string | null): Promise<Call> {
  const session = userId === null ? null : newSession(target, userId, null);
  if (session) await target.batch([session.statement]);
  return (method, path, body) =>
    fetch(target.url + path, {
      method,
      redirect: "manual",
      headers: {
        Origin: target.url,
        "Content-Type": "application/json",
        ...(session && { Cookie: session.cookie }),
      },
      ...(body && { body: JSON.stringify(body) }),
    });
}

/** A provider with a session of their own. */
async function newProvider(target: Target, account: Parameters<typeof insertUser>[1] = {}) {
  const user = await insertUser(target.db, account);
  return { user, call: await callerOf(target, user.id) };
}
type Provider = Awaited<ReturnType<typeof newProvider>>;

/** Stores a visitor's request and lists it on the market. */
async function listLead(target: Target, request: Partial<LeadRequestInput> = {}): Promise<string> {
  // Stored a minute ago: the sweep lists it.
  const { id } = await insertPendingLead(target.db, request, Date.now() - 60_000);
  await fetch(target.url + SCHEDULE_PATH);
  return id;
}

const buy = ({ call }: Provider, leadId: string) =>
  call("POST", `/api/leads/${leadId}/purchase`, bodyFor("POST /api/leads/:id/purchase"));

/** Buys a new lead. */
async function buyLead(target: Target, provider: Provider, request: Partial<LeadRequestInput> = {}) {
  const leadId = await listLead(target, request);
  await eventually(async () => {
    const response = await buy(provider, leadId);
    if (response.status !== 201) throw new Error(`A lead was not sold: ${await response.text()}`);
  });
  const isSold = eq(leadPurchases.leadId, leadId);
  const [purchase] = await target.db.select().from(leadPurchases).where(isSold);
  return { leadId, purchaseId: purchase!.id };
}

/** Asks a customer for a review, as the sweep does two weeks after the sale. Returns the customer's link. */
async function inviteReview(
  target: Target,
  { user }: Provider,
  sold: { leadId: string; purchaseId: string },
) {
  const now = Date.now();
  const invitation = { id: newId("rev"), ...sold, businessId: user.id, serviceType: "lawn_care" };
  const times = { invitedAt: now, endsAt: now + DAY_MS, updatedAt: now };
  await target.db.insert(reviews).values({ ...invitation, ...times });
  return createRequestLink(target.db, sold.leadId, now);
}

const countWritten = async ({ db }: Target, businessId: string) =>
  (await db.select().from(reviews).where(eq(reviews.businessId, businessId))).filter(
    ({ writtenAt }) => writtenAt !== null,
  ).length;

/** Fails a scenario that proves nothing, because even its honest part did not work. */
function mustWork(isWorking: boolean, what: string): void {
  if (!isWorking) throw new Error(`The scenario proves nothing: ${what}.`);
}

type Scenario = {
  /** What the person tries. */
  name: string;
  /** @returns what the person gained; null for nothing */
  play: (target: Target) => Promise<string | null>;
};

/** A five-star review. */
const PRAISE = { stars: 5, words: "The best of all, by far." };

/** Fails unless the review was refused as the business's own. Any other refusal would prove nothing. */
async function mustRefuseOwn(response: Response) {
  const { outcome } = (await response.json()) as { outcome?: string };
  mustWork(outcome === "own_business", "the review was not refused as their own");
}

const SCENARIOS: readonly Scenario[] = [
  {
    name: "a provider sends a request with their own number and buys it",
    async play(target) {
      const provider = await newProvider(target, { phone: "0491 570 110" });
      const leadId = await listLead(target, { customerPhone: "+61 491 570 110" });
      return eventually(async () => {
        const response = await buy(provider, leadId);
        if (response.status === 201) return "their own request";
        const { code } = (await response.json()) as { code?: string };
        mustWork(code === "own_request", `the purchase was refused as ${code}`);
        return null;
      });
    },
  },
  {
    name: "a provider writes the review of a friend's request in their own session",
    async play(target) {
      const provider = await newProvider(target);
      const token = await inviteReview(target, provider, await buyLead(target, provider));
      await mustRefuseOwn(await provider.call("POST", "/api/reviews", { token, ...PRAISE }));
      return (await countWritten(target, provider.user.id)) > 0 ? "a review of their own" : null;
    },
  },
  {
    name: "a customer writes two reviews of one purchase at once",
    async play(target) {
      const provider = await newProvider(target);
      const token = await inviteReview(target, provider, await buyLead(target, provider));
      const visitor = await callerOf(target, null);
      const answers = await Promise.all(
        [1, 5].map(async (stars) =>
          (await visitor("POST", "/api/reviews", { token, ...PRAISE, stars })).json(),
        ),
      );
      const written = answers.filter((answer) => (answer as { outcome: string }).outcome === "written");
      mustWork(written.length > 0, "the customer could not write a review");
      return written.length > 1 ? "two reviews" : null;
    },
  },
  {
    name: "a provider reports one bad lead twice at once",
    async play(target) {
      const provider = await newProvider(target);
      const { purchaseId } = await buyLead(target, provider);
      const report = () =>
        provider.call("POST", `/api/lead-purchases/${purchaseId}/bad-lead`, { reason: "disconnected" });
      await Promise.all([report(), report()]);
      const admin = await callerOf(target, (await insertUser(target.db, { isSuperAdmin: true })).id);
      const open = (await (await admin("GET", "/api/super-admin/bad-leads")).json()) as { id: string }[];
      for (const { id } of open)
        await admin("POST", `/api/super-admin/bad-leads/${id}/answer`, { decision: "granted" });
      const claims = await target.db
        .select()
        .from(freeClaims)
        .where(eq(freeClaims.buyerId, provider.user.id));
      mustWork(claims.length > 0, "no free claim was granted");
      return claims.length > 1 ? `${claims.length} free claims` : null;
    },
  },
  {
    name: "a provider uses one free claim for two leads at once",
    async play(target) {
      const provider = await newProvider(target);
      await insertFreeClaim(target.db, provider.user);
      const leads = [await listLead(target), await listLead(target)];
      await fetch(target.url + SCHEDULE_PATH);
      const taken = await Promise.all(
        leads.map((id) => provider.call("POST", `/api/leads/${id}/claim-with-credit`)),
      );
      const gained = taken.filter(({ status }) => status === 201).length;
      mustWork(gained > 0, "the free claim could not be used");
      return gained > 1 ? `${gained} leads` : null;
    },
  },
  {
    name: "a provider names a lower price",
    async play(target) {
      const provider = await newProvider(target);
      const leadId = await listLead(target);
      await fetch(target.url + SCHEDULE_PATH);
      const hold = (amount: number) => provider.call("POST", "/api/exchange/holds", { leadId, amount });
      const cheap = await hold(1);
      mustWork((await hold(LEAD_PRICE_CENTS)).ok, "the lead cannot be held at its price");
      return cheap.ok ? "a hold at 1 cent" : null;
    },
  },
  {
    name: "a provider puts their page back after an admin took it offline",
    async play(target) {
      const provider = await newProvider(target, { isVerified: true });
      const page = bodyFor("PUT /api/user/profile");
      await provider.call("PUT", "/api/user/profile", page);
      const isOwn = eq(providerProfiles.businessId, provider.user.id);
      const [profile] = await target.db.select().from(providerProfiles).where(isOwn);
      const visitor = await callerOf(target, null);
      const show = async () => (await visitor("GET", `/api/profiles/${profile!.slug}`)).status;
      mustWork((await show()) === 200, "the page was never public");
      const admin = await callerOf(target, (await insertUser(target.db, { isSuperAdmin: true })).id);
      const hidden = { isHidden: true, reason: "The words are not yours" };
      await admin("PUT", `/api/super-admin/providers/${provider.user.id}/profile`, hidden);
      for (const isPublic of [false, true])
        await provider.call("PUT", "/api/user/profile", { ...page, isPublic });
      return (await show()) === 200 ? "a public page" : null;
    },
  },
  {
    name: "a provider makes themselves verified with their settings",
    async play(target) {
      const provider = await newProvider(target);
      const info = { ...bodyFor("PUT /api/user/personal-info"), isVerified: true, isSuperAdmin: true };
      mustWork((await provider.call("PUT", "/api/user/personal-info", info)).ok, "nothing was saved");
      const [user] = await target.db.select().from(users).where(eq(users.id, provider.user.id));
      return user!.isVerified || user!.isSuperAdmin ? "rights of their own" : null;
    },
  },
  {
    name: "a stranger fills a mailbox with links to its requests",
    async play(target) {
      const email = "flooded.mail@example.com";
      await insertPendingLead(target.db, { customerEmail: email });
      const visitor = await callerOf(target, null);
      const count = () => target.outgoing.sentEmails.filter(({ to }) => to === email).length;
      const before = count();
      for (let i = 0; i < 5; i++) await visitor("POST", "/api/my-requests/links", { email });
      await fetch(target.url + SCHEDULE_PATH);
      const sent = count() - before;
      mustWork(sent > 0, "no email was sent");
      return sent > 1 ? `${sent} emails` : null;
    },
  },
];

/** Plays every scenario. @returns how many there are */
export async function tryGains({ target, judge }: AttackContext): Promise<number> {
  for (const { name, play } of SCENARIOS) {
    const gain = await play(target);
    if (gain !== null) judge.add({ kind: "gain", where: name, what: `gained ${gain}` });
  }
  return SCENARIOS.length;
}
