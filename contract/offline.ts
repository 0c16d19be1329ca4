/**
 * The cookie with the key to what a browser keeps of a pipeline for times without a connection. Made by the
 * browser, read by nobody else, and taken away by the server whenever a session ends or another begins: what
 * was kept can be read by nobody from then on, whichever way somebody signed out.
 */
export const OFFLINE_KEY_COOKIE = "offline_key";

/** Where it is: the application's pages alone send it. */
export const OFFLINE_KEY_PATH = "/dashboard";

/** The `Set-Cookie` header, or `document.cookie` text, that takes the key away. */
export const CLEAR_OFFLINE_KEY = `${OFFLINE_KEY_COOKIE}=; Path=${OFFLINE_KEY_PATH}; Max-Age=0; SameSite=Strict; Secure`;
