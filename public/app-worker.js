/*
 * The dashboard's service worker. It shows push notifications while the dashboard is closed, and caches one page for
 * use offline. Its scope is /dashboard, so it never handles a visitor's page. It caches only that page and its files,
 * which are the same for every user. The page itself stores the user's leads
 * (web/dashboard/use-store-pipeline.ts). To remove this worker, deploy a version that unregisters itself.
 */
const OFFLINE_PAGE = "/dashboard/offline";
/** The list of the page's files. The build writes it (scripts/offline-files-plugin.ts). */
const FILE_LIST = "/offline-files.json";
/** The logo in the page's bar. Its address stays the same, so the network's version is preferred. */
const LOGO = "/favicon.svg";
const CACHE_PREFIX = "offline-page ";

self.addEventListener("activate", (event) => {
  // The browser requests the page while this worker starts.
  event.waitUntil(self.registration.navigationPreload?.enable());
});

self.addEventListener("message", (event) => {
  if (event.data === "cache-offline-page") event.waitUntil(cacheOfflinePage());
});

async function digest(text) {
  const bytes = await crypto.subtle.digest("SHA-256", new TextEncoder().encode(text));
  return Array.from(new Uint8Array(bytes).slice(0, 8), (byte) => byte.toString(16).padStart(2, "0")).join("");
}

/** Caches the page of the current deployment. Deletes older pages once the new one is complete. */
async function cacheOfflinePage() {
  const [page, list] = await Promise.all([fetch(OFFLINE_PAGE, { credentials: "omit" }), fetch(FILE_LIST)]);
  if (!page.ok || !list.ok) return;
  // The list does not contain the manifest of all routes, which the build makes later. The page names it.
  const [manifest] = (await page.clone().text()).match(/\/assets\/manifest-[\w-]+\.js/) ?? [];
  const files = [...(await list.json()), ...(manifest ? [manifest] : [])];
  const current = CACHE_PREFIX + (await digest(files.join()));
  const cache = await caches.open(current);
  if (!(await cache.match(OFFLINE_PAGE))) {
    await cache.addAll([...files, LOGO]);
    // The page comes last, so a cached page has all its files.
    await cache.put(OFFLINE_PAGE, page);
  }
  const others = (await caches.keys()).filter((name) => name.startsWith(CACHE_PREFIX) && name !== current);
  await Promise.all(others.map((name) => caches.delete(name)));
}

/** Returns the cached page, or a redirect from another page to it. The redirect keeps the query. */
async function respondOffline({ pathname, search }) {
  const page = await caches.match(OFFLINE_PAGE, { ignoreVary: true });
  if (!page) return Response.error();
  return pathname === OFFLINE_PAGE ? page : Response.redirect(OFFLINE_PAGE + search);
}

async function respondToNavigation(event) {
  const url = new URL(event.request.url);
  try {
    const response = (await event.preloadResponse) ?? (await fetch(event.request));
    // The cached page works without the server.
    const isBroken = response.status >= 500 && url.pathname === OFFLINE_PAGE;
    const shown = isBroken ? await respondOffline(url) : response;
    return shown.type === "error" ? response : shown;
  } catch {
    return respondOffline(url);
  }
}

/** A file's name contains the hash of its content, so a cached file is never outdated. */
const respondWithFile = async (request) =>
  (await caches.match(request, { ignoreVary: true })) ?? fetch(request);

async function respondWithLogo(request) {
  try {
    return await fetch(request);
  } catch {
    return (await caches.match(LOGO, { ignoreVary: true })) ?? Response.error();
  }
}

self.addEventListener("fetch", (event) => {
  const { request } = event;
  const { origin, pathname } = new URL(request.url);
  if (request.method !== "GET" || origin !== self.location.origin) return;
  if (request.mode === "navigate") event.respondWith(respondToNavigation(event));
  else if (pathname.startsWith("/assets/")) event.respondWith(respondWithFile(request));
  else if (pathname === LOGO) event.respondWith(respondWithLogo(request));
});

self.addEventListener("push", (event) => {
  const { notification } = event.data?.json() ?? {};
  if (!notification?.title) return;
  const { title, body, tag, lang, navigate } = notification;
  const shown = self.registration.showNotification(title, {
    body,
    tag,
    lang,
    renotify: Boolean(tag),
    icon: "/apple-touch-icon.png",
    data: { navigate },
  });
  // A dot on the app's icon, where the system has one. The application clears it when opened.
  const badged = self.navigator.setAppBadge?.().catch(() => {});
  event.waitUntil(Promise.all([shown, badged]));
});

/** Sends a subscription that replaces an old one to the server. */
async function sendSubscription({ oldSubscription, newSubscription }) {
  const applicationServerKey = oldSubscription?.options.applicationServerKey;
  const subscription =
    newSubscription ??
    (applicationServerKey &&
      (await self.registration.pushManager.subscribe({ userVisibleOnly: true, applicationServerKey })));
  // Without the old key, the application subscribes again when it is next opened.
  if (!subscription) return;
  const { endpoint, keys } = subscription.toJSON();
  await fetch("/api/notifications/devices", {
    method: "POST",
    headers: { "Content-Type": "application/json" },
    body: JSON.stringify({ endpoint, ...keys }),
  });
}

self.addEventListener("pushsubscriptionchange", (event) => event.waitUntil(sendSubscription(event)));

self.addEventListener("notificationclick", (event) => {
  event.notification.close();
  const { navigate } = event.notification.data ?? {};
  const url = URL.canParse(navigate) ? new URL(navigate) : null;
  if (url?.origin !== self.location.origin) return;
  event.waitUntil(self.clients.openWindow(url.href));
});
