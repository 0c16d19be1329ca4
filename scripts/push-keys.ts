/** `npm run push:keys`: prints new keys for notifications, to be stored as the secret PUSH_KEYS. */
import { main, readArguments } from "./command.ts";
import { newPushKeys } from "./vapid.ts";

await main(async () => {
  readArguments({ name: "push:keys" });
  console.log(newPushKeys());
});
