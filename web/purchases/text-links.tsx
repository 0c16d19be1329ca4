import { useQuery } from "@tanstack/react-query";
import { Link } from "react-router";

import { smsHref } from "../../contract/phone.ts";
import { fillTemplate, type TextTemplates } from "../../contract/text-templates.ts";
import { useUser } from "../auth/current-user.ts";
import { unwrap } from "../lib/api.ts";
import { isApplePhone } from "../lib/apple-phone.ts";
import { browserApi } from "../lib/browser-api.ts";
import type { PurchasedLead } from "./purchases.ts";
import { useCanLog, useContactLog } from "./use-contact-log.ts";

export const TEXTS_KEY = ["text-templates"] as const;

/** Returns the business's text templates. Loads them on first use. */
export function useTextTemplates() {
  return useQuery<TextTemplates>({
    queryKey: TEXTS_KEY,
    queryFn: () => unwrap(browserApi().api.user["text-templates"].$get()),
  });
}

/** Shows links that open the phone's messaging app with a template filled in for this customer. */
export function TextLinks({ purchase, onSent }: { purchase: PurchasedLead; onSent: () => void }) {
  const { data, error, refetch } = useTextTemplates();
  const { log } = useContactLog(purchase.id);
  const canLog = useCanLog(purchase);
  const isOwner = useUser().userType === "provider";
  const { customerName, customerPhone, suburbName } = purchase;
  const send = () => {
    if (canLog) log("texted", { entryKey: crypto.randomUUID() });
    onSent();
  };
  const messages = (data?.templates ?? []).map(({ name, text }) => ({
    name,
    text: fillTemplate(text, {
      name: customerName.split(" ", 1)[0]!,
      suburb: suburbName,
      business: data!.business,
    }),
  }));
  return (
    <div className="stack gap-2">
      <ul className="stack gap-2">
        {[...messages, { name: "Write your own", text: "" }].map(({ name, text }) => (
          <li key={`${name} ${text}`}>
            <a className="texts__one" href={smsHref(customerPhone, text, isApplePhone())} onClick={send}>
              <strong>{name}</strong>
              {text && <span className="muted">{text}</span>}
            </a>
          </li>
        ))}
      </ul>
      {error && !data && (
        <p className="muted text-sm">
          Your messages didn't load.{" "}
          <button type="button" className="link-button" onClick={() => void refetch()}>
            Try again
          </button>
        </p>
      )}
      {isOwner && (
        <p className="muted text-sm">
          <Link to="/settings?tab=messages">Edit these messages</Link>
        </p>
      )}
    </div>
  );
}
