/**
 * Cookie with the key that encrypts the offline pipeline in the browser. Only the browser creates and reads it. The
 * server deletes it when a user signs out or another user signs in, so the stored data becomes unreadable. It survives
 * the end of a session for other reasons, so that the user does not lose unsent changes.
 */
export const OFFLINE_KEY_COOKIE = "offline_key";

/** Path of the cookie: only the application's pages send it. */
export const OFFLINE_KEY_PATH = "/dashboard";

/** `Set-Cookie` header, or `document.cookie` text, that deletes the key. */
export const CLEAR_OFFLINE_KEY = `${OFFLINE_KEY_COOKIE}=; Path=${OFFLINE_KEY_PATH}; Max-Age=0; SameSite=Strict; Secure`;
