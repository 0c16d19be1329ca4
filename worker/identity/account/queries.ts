import { and, desc, eq, gt } from "drizzle-orm";

import type {
  Home,
  PersonalInfo,
  PersonalInfoForm,
  SessionInfo,
  SignInInfo,
} from "../../../contract/account.ts";
import { ADDRESS_PLACEHOLDER } from "../../../contract/auth.ts";
import {
  DEFAULT_TEMPLATES,
  type TextTemplate,
  type TextTemplates,
} from "../../../contract/text-templates.ts";
import type { UserRow } from "../../platform/caller.ts";
import type { Db } from "../../platform/db/client.ts";
import { bankDetails, signIns } from "../tables.ts";
import { sessions, users } from "../../platform/db/users.ts";
import type { BusinessScope } from "../auth/rules.ts";

/** Maximum sessions listed. Unused sessions expire after 30 days, and users do not read a longer list. */
const MAX_SESSIONS = 50;

/** Lists a user's live sessions, most recently used first. */
export function listSessions(db: Db, userId: string, now: number) {
  return db
    .select()
    .from(sessions)
    .where(and(eq(sessions.userId, userId), gt(sessions.expiresAt, now)))
    .orderBy(desc(sessions.lastSeenAt))
    .limit(MAX_SESSIONS);
}

export async function findBankDetails(db: Db, scope: BusinessScope) {
  const [row] = await db.select().from(bankDetails).where(eq(bankDetails.userId, scope.businessId));
  return row ?? null;
}

/**
 * Returns a business's text templates and the names to sign them with. `templates` is null if the business has never
 * changed them.
 */
export async function findTextTemplates(db: Db, scope: BusinessScope) {
  const [row] = await db
    .select({
      templates: users.textTemplates,
      company: users.companyName,
      firstName: users.firstName,
    })
    .from(users)
    .where(eq(users.id, scope.businessId));
  return row ?? null;
}

/** Returns a business's address; null until it has entered one. */
export async function findBusinessAddress(db: Db, scope: BusinessScope): Promise<string | null> {
  const [row] = await db
    .select({ address: users.businessAddress })
    .from(users)
    .where(eq(users.id, scope.businessId));
  const address = row?.address ?? null;
  return address === ADDRESS_PLACEHOLDER ? null : address;
}

const MAX_SIGN_INS = 20;

/** Lists a user's latest sign-ins and failed attempts, newest first. */
export function listSignIns(db: Db, userId: string) {
  return db
    .select()
    .from(signIns)
    .where(eq(signIns.userId, userId))
    .orderBy(desc(signIns.at), desc(signIns.id))
    .limit(MAX_SIGN_INS);
}

/** Returns the fields that a user may see and change about themselves. Only providers have company fields. */
export function personalInfoOf(user: UserRow): PersonalInfo {
  const isProvider = user.userType === "provider";
  return {
    username: user.username,
    firstName: user.firstName,
    lastName: user.lastName,
    phone: user.phone,
    email: user.email,
    pendingEmail: user.pendingEmail,
    companyName: isProvider ? user.companyName : null,
    businessAddress: isProvider ? user.businessAddress : null,
    abn: isProvider ? user.abn : null,
    insuranceDetails: isProvider ? user.insuranceDetails : null,
    serviceAreas: isProvider ? user.serviceAreas : null,
  };
}

const COMPANY_FIELDS = ["companyName", "businessAddress", "abn", "insuranceDetails", "serviceAreas"] as const;

/**
 * Returns the column changes for a new address. The address applies at once or waits for confirmation. A team member's
 * username is their address.
 */
function addressChanges(user: UserRow, email: string | null, confirmsEmail: boolean): Partial<UserRow> {
  if (email === user.email) return {};
  if (confirmsEmail && email !== null) return { pendingEmail: email };
  const isName = user.userType === "team_member" && email !== null;
  return { email, pendingEmail: null, ...(isName && { username: email }) };
}

/**
 * Returns the column changes for a profile form. Omitted fields do not change.
 * @param confirmsEmail Whether a new address must be confirmed before it is used
 */
export function profileChanges(
  user: UserRow,
  form: PersonalInfoForm,
  confirmsEmail: boolean,
): Partial<UserRow> {
  const changes: Partial<UserRow> = {
    firstName: form.firstName,
    lastName: form.lastName,
    phone: form.phone,
  };
  if (form.email !== undefined) Object.assign(changes, addressChanges(user, form.email, confirmsEmail));
  if (user.userType === "provider") {
    for (const field of COMPANY_FIELDS) if (form[field] !== undefined) changes[field] = form[field];
  }
  return Object.fromEntries(
    Object.entries(changes).filter(([field, value]) => value !== user[field as keyof UserRow]),
  );
}

const SYSTEMS: readonly [RegExp, string][] = [
  [/iPhone/, "iPhone"],
  [/iPad/, "iPad"],
  [/Android/, "Android"],
  [/Windows/, "Windows"],
  [/Mac OS X|Macintosh/, "Mac"],
  [/CrOS/, "ChromeOS"],
  [/Linux/, "Linux"],
];
const BROWSERS: readonly [RegExp, string][] = [
  [/Edg(?:e|A|iOS)?\//, "Edge"],
  [/OPR\//, "Opera"],
  [/SamsungBrowser\//, "Samsung Internet"],
  [/Firefox\/|FxiOS\//, "Firefox"],
  [/Chrome\/|CriOS\//, "Chrome"],
  [/Safari\//, "Safari"],
];

function firstMatch(list: readonly [RegExp, string][], text: string): string | undefined {
  return list.find(([pattern]) => pattern.test(text))?.[1];
}

/** Returns the common names of the browser and operating system in a User-Agent header. */
export function formatDevice(userAgent: string | null): string {
  const browser = firstMatch(BROWSERS, userAgent ?? "");
  const system = firstMatch(SYSTEMS, userAgent ?? "");
  if (browser && system) return `${browser} on ${system}`;
  return browser ?? system ?? "Unknown device";
}

export function toSessionInfo(row: typeof sessions.$inferSelect, currentId: string): SessionInfo {
  return {
    id: row.id,
    device: formatDevice(row.userAgent),
    isCurrent: row.id === currentId,
    isSupport: row.impersonatorId !== null,
    createdAt: row.createdAt,
    lastSeenAt: row.lastSeenAt,
  };
}

export function toSignInInfo({ id, at, method, succeeded, device }: typeof signIns.$inferSelect): SignInInfo {
  return { id, at, method, succeeded, device };
}

/** Returns a business's text templates, or the defaults if it has none of its own. */
export function toTextTemplates(
  stored: { templates: TextTemplate[] | null; company: string | null; firstName: string } | null,
): TextTemplates {
  return {
    templates: stored?.templates ?? DEFAULT_TEMPLATES,
    // Without a company name, use the provider's first name.
    business: stored?.company || stored?.firstName || null,
  };
}

/** Returns a suburb's name, postcode and centre, which is all that a business may see. */
export function toHome({ name, postcode, latitude, longitude }: Home): Home {
  return { name, postcode, latitude, longitude };
}
