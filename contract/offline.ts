/**
 * Cookie with the key that encrypts a pipeline stored in the browser for offline use. The browser creates it, and only
 * the browser reads it. The server deletes it when a user signs out or another user signs in. From then on the stored
 * data is unreadable, however the user signed out. The cookie outlives a session that ended in another way, so that the
 * user keeps the changes waiting on the device.
 */
export const OFFLINE_KEY_COOKIE = "offline_key";

/** Path of the cookie: only the application's pages send it. */
export const OFFLINE_KEY_PATH = "/dashboard";

/** `Set-Cookie` header, or `document.cookie` text, that deletes the key. */
export const CLEAR_OFFLINE_KEY = `${OFFLINE_KEY_COOKIE}=; Path=${OFFLINE_KEY_PATH}; Max-Age=0; SameSite=Strict; Secure`;
