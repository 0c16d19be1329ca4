/**
 * The cookie with the key to what a browser keeps of a pipeline for times without a connection. Made by the
 * browser, read by nobody else, and taken away by the server when somebody signs out or somebody else signs in: what
 * was kept can be read by nobody from then on, whichever way somebody signed out. It outlives a session that ended
 * otherwise, so that its person goes on with what waits on their device.
 */
export const OFFLINE_KEY_COOKIE = "offline_key";

/** Where it is: the application's pages alone send it. */
export const OFFLINE_KEY_PATH = "/dashboard";

/** The `Set-Cookie` header, or `document.cookie` text, that takes the key away. */
export const CLEAR_OFFLINE_KEY = `${OFFLINE_KEY_COOKIE}=; Path=${OFFLINE_KEY_PATH}; Max-Age=0; SameSite=Strict; Secure`;
