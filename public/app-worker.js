/*
 * The dashboard's service worker. It shows push notifications while the dashboard is closed, and caches one page for
 * use offline. Its scope is /dashboard, so it never handles a visitor's page. It caches only that page and its files,
 * which are the same for every user. The page itself stores the user's leads (web/dashboard/use-store-pipeline.ts).
 * To remove this worker, deploy a version that unregisters itself.
 */
const SHELL = "/dashboard/offline";
const PREFIX = "shell ";
/** The sign in that page's bar. Its name says nothing of what is in it: the network's is the newer one. */
const SIGN = "/favicon.svg";
/** Files that a page or a script of the build names. */
const NAMED = /(?:\/assets\/|["'`](?:\.\/|assets\/))([\w.-]+-[\w-]{8}\.(?:js|css))/g;
/** The list of all pages' files: not every page is wanted here. */
const LIST = /^manifest-/;
const MOST_FILES = 200;

self.addEventListener("activate", (event) => {
  // The page is asked for while the worker wakes up, not after.
  event.waitUntil(self.registration.navigationPreload?.enable());
});

self.addEventListener("message", (event) => {
  if (event.data === "keep-shell") event.waitUntil(keepShell());
});

const namesIn = (text) => [...text.matchAll(NAMED)].map(([, name]) => name);

async function digest(text) {
  const bytes = await crypto.subtle.digest("SHA-256", new TextEncoder().encode(text));
  return Array.from(new Uint8Array(bytes).slice(0, 8), (byte) => byte.toString(16).padStart(2, "0")).join("");
}

/** Puts the files by that `names` need, and those they name in turn. */
async function keepFiles(cache, names) {
  const known = new Set(names);
  for (const name of known) {
    if (known.size > MOST_FILES) throw new Error("More files than one page has");
    const path = `/assets/${name}`;
    const answer = await fetch(path);
    if (!answer.ok) throw new Error(`${path} answered ${answer.status}`);
    await cache.put(path, answer.clone());
    if (LIST.test(name) || !name.endsWith(".js")) continue;
    for (const next of namesIn(await answer.text())) known.add(next);
  }
}

/** Keeps the page of the build that is deployed; the one before goes once the new one is whole. */
async function keepShell() {
  const answer = await fetch(SHELL, { credentials: "omit" });
  if (!answer.ok) return;
  const names = namesIn(await answer.clone().text());
  const current = PREFIX + (await digest(names.toSorted().join()));
  const cache = await caches.open(current);
  // The page comes last: where it is, everything is.
  if (!(await cache.match(SHELL))) {
    await keepFiles(cache, names);
    await cache.add(SIGN);
    await cache.put(SHELL, answer);
  }
  const others = (await caches.keys()).filter((name) => name.startsWith(PREFIX) && name !== current);
  await Promise.all(others.map((name) => caches.delete(name)));
}

/** The kept page, under its own address: the page that was asked for belongs to the connection. */
async function answerOffline({ pathname, search }) {
  const shell = await caches.match(SHELL, { ignoreVary: true });
  if (!shell) return Response.error();
  return pathname === SHELL ? shell : Response.redirect(SHELL + search);
}

async function answerPage(event) {
  const url = new URL(event.request.url);
  try {
    const answer = (await event.preloadResponse) ?? (await fetch(event.request));
    // The kept page needs nothing of a server that fails.
    const kept = answer.status >= 500 && url.pathname === SHELL ? await answerOffline(url) : answer;
    return kept.type === "error" ? answer : kept;
  } catch {
    return answerOffline(url);
  }
}

/** A file's name says what is in it: a kept one is as good as the network's. */
const answerFile = async (request) => (await caches.match(request, { ignoreVary: true })) ?? fetch(request);

async function answerSign(request) {
  try {
    return await fetch(request);
  } catch {
    return (await caches.match(SIGN, { ignoreVary: true })) ?? Response.error();
  }
}

self.addEventListener("fetch", (event) => {
  const { request } = event;
  const { origin, pathname } = new URL(request.url);
  if (request.method !== "GET" || origin !== self.location.origin) return;
  if (request.mode === "navigate") event.respondWith(answerPage(event));
  else if (pathname.startsWith("/assets/")) event.respondWith(answerFile(request));
  else if (pathname === SIGN) event.respondWith(answerSign(request));
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
  // A dot on the icon, where there is one; the application takes it away when it is looked at.
  const marked = self.navigator.setAppBadge?.().catch(() => {});
  event.waitUntil(Promise.all([shown, marked]));
});

/** Sends the server a new subscription when the browser or its push service has replaced the old one. */
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
