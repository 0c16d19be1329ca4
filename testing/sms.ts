/** For tests of text messages: settings and the gateway. */
import { vi } from "vitest";

import { messageChannels } from "../worker/tables.ts";
import type { Bindings } from "../worker/platform/env.ts";
import { db, testEnv } from "./client.ts";
import { SmsStandIn } from "./stand-ins/sms-stand-in.ts";

const SMS_KEYS = "user123:secret/word";
const GATEWAY = "https://api.mobilemessage.com.au/v1/messages";

/** Settings that enable text messages. */
export const SMS_SETTINGS = {
  SMS_GATEWAY: "mobilemessage",
  SMS_SENDER: "+61491570157",
  SMS_KEYS,
  SMS_WEBHOOK_SECRET: "w".repeat(40),
} satisfies Partial<Bindings>;
export const smsEnv: Bindings = { ...testEnv, ...SMS_SETTINGS };

/** The gateway of the running test file, behind the Worker's fetch. */
export function useSmsStandIn(): SmsStandIn {
  const gateway = new SmsStandIn(SMS_KEYS);
  const before = globalThis.fetch;
  vi.stubGlobal("fetch", (input: RequestInfo | URL, init?: RequestInit) => {
    const request = new Request(input, init);
    return request.url === GATEWAY ? gateway.fetch(request) : before(input, init);
  });
  return gateway;
}

/** Enables text messages, as an admin does. */
export const enableTexts = () =>
  db.insert(messageChannels).values({ channel: "sms", isOn: true, mostADay: 200 });
