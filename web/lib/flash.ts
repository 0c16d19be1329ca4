/** Messages that the next page shows once. A short-lived cookie names the message, so URLs stay clean. */
export const FLASHES = {
  login: { title: "Login successful", text: "Welcome back!" },
  signup: { title: "Registration Successful!", text: "Provider account created successfully" },
  password: { title: "Password updated", text: undefined },
  "password-reset": { title: "Password updated", text: "Sign in with your new password." },
  "email-confirmed": { title: "Email confirmed", text: "You can sign in with your email from now on." },
  logout: { title: "Logged out successfully", text: "You have been logged out of your account." },
  "impersonation-started": { title: "Impersonation Started", text: "The audit log names you both." },
  "impersonation-stopped": { title: "Impersonation Stopped", text: "You are back in your own account." },
  reloaded: { title: "Sorry, that didn't open", text: "Please tap again." },
  "logout-failed": {
    title: "Logout failed",
    text: "There was an error logging out. Please try again.",
    destructive: true,
  },
} as const satisfies Record<string, { title: string; text?: string | undefined; destructive?: true }>;

export type Flash = keyof typeof FLASHES;

const COOKIE = "flash";
/** Long enough for a slow redirect, but short enough to expire before a later visit. */
const LIFETIME_SECONDS = 60;

/** Returns the cookie for `flash`, as a Set-Cookie header or `document.cookie` text. */
export function flashCookie(flash: Flash): string {
  return `${COOKIE}=${flash}; Path=/; Max-Age=${LIFETIME_SECONDS}; SameSite=Lax`;
}

/** Clears the cookie after the message was shown. */
export const CLEAR_FLASH = `${COOKIE}=; Path=/; Max-Age=0; SameSite=Lax`;

/** Reads the message to show from a Cookie header or `document.cookie`. */
export function readFlash(cookies: string | null): Flash | null {
  const value = /(?:^|;\s*)flash=([a-z-]+)/.exec(cookies ?? "")?.[1];
  return value !== undefined && Object.hasOwn(FLASHES, value) ? (value as Flash) : null;
}
