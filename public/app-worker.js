/*
 * Shows what is pushed to somebody who is not looking, and opens what it is about. It takes in no request, so no
 * document passes through it, old or new, and keeps nothing. To remove it: let it unregister itself, in one deploy.
 */
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

self.addEventListener("notificationclick", (event) => {
  event.notification.close();
  const { navigate } = event.notification.data ?? {};
  const url = URL.canParse(navigate) ? new URL(navigate) : null;
  if (url?.origin !== self.location.origin) return;
  event.waitUntil(self.clients.openWindow(url.href));
});
