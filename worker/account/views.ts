import type {
  Home,
  PersonalInfo,
  PersonalInfoForm,
  SessionInfo,
  SignInInfo,
} from "../../contract/account.ts";
import { DEFAULT_TEMPLATES, type TextTemplate, type TextTemplates } from "../../contract/text-templates.ts";
import type { UserRow } from "../platform/session.ts";
import type { sessions, signIns } from "../db/schema.ts";

/** What a person may see and change about themselves; the company's fields are a provider's only. */
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

/** What becomes of an address: it counts at once, or waits to be confirmed. A team member's is their username. */
function addressChanges(user: UserRow, email: string | null, confirmsEmail: boolean): Partial<UserRow> {
  if (email === user.email) return {};
  if (confirmsEmail && email !== null) return { pendingEmail: email };
  const isName = user.userType === "team_member" && email !== null;
  return { email, pendingEmail: null, ...(isName && { username: email }) };
}

/**
 * The columns a profile's form changes. Fields it leaves out stay.
 * @param confirmsEmail whether a new address has to be confirmed before it counts
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

/** Browser and system as people call them, from a User-Agent header. */
export function formatDevice(userAgent: string | null): string {
  const browser = firstMatch(BROWSERS, userAgent ?? "");
  const system = firstMatch(SYSTEMS, userAgent ?? "");
  if (browser && system) return `${browser} on ${system}`;
  return browser ?? system ?? "Unknown device";
}

/** A session as its person sees it. */
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

/** A sign-in, or a try, as its person sees it. */
export function toSignInInfo({ id, at, method, succeeded, device }: typeof signIns.$inferSelect): SignInInfo {
  return { id, at, method, succeeded, device };
}

/** A business's text messages as its people send them: ours, until it has its own. */
export function toTextTemplates(
  stored: { templates: TextTemplate[] | null; company: string | null; firstName: string } | null,
): TextTemplates {
  return {
    templates: stored?.templates ?? DEFAULT_TEMPLATES,
    // Somebody without a company's name is their own business.
    business: stored?.company || stored?.firstName || null,
  };
}

/** A suburb as its business may know it: by its name and its centre. */
export function homeOf({ name, postcode, latitude, longitude }: Home): Home {
  return { name, postcode, latitude, longitude };
}
