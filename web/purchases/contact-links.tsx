import { useEffect, useState } from "react";

import { contactPreferenceText } from "../../contract/lead-labels.ts";
import { readPhone, smsHref, telHref } from "../../contract/phone.ts";
import { isFinal } from "../../contract/pipeline.ts";
import { useIsNumberWrong } from "../bad-leads/bad-leads.ts";
import { createLazyPart } from "../lib/lazy-part.ts";
import { useLazyDialog } from "../lib/use-lazy-dialog.ts";
import { Button } from "../ui/button.tsx";
import { Icon } from "../ui/icon.tsx";
import { isCallUnwanted } from "./call-clock.ts";
import { CallQuestion } from "./call-question.tsx";
import type { PurchasedLead } from "./purchases.ts";
import { usePurchaseDetail } from "./refresh-purchases.ts";
import { TextLinks } from "./text-links.tsx";
import { callTracker } from "./use-call.ts";
import { useCanLog } from "./use-contact-log.ts";

const correctDialog = createLazyPart(async () => (await import("./correct-dialog.tsx")).CorrectDialog);

/** Shows links to call, text, email or find the customer. Omits missing details. */
export function ContactLinks({ contact }: { contact: PurchasedLead }) {
  const { id, customerPhone: phone, customerEmail: email, customerAddress: address } = contact;
  const [isTexting, setTexting] = useState(false);
  const correcting = useLazyDialog(correctDialog);
  const isOpen = !isFinal(contact);
  const canLog = useCanLog(contact);
  const preference = contactPreferenceText(contact);
  const isNumberWrong = useIsNumberWrong(contact);
  const isUnwanted = isCallUnwanted(contact);
  useEffect(() => callTracker.markShown(id), [id]);
  // Every request has a phone number until the customer's data is erased.
  if (!phone) {
    return (
      <p className="field__hint">
        We erased this customer's details at their request. The job stays in your pipeline.
      </p>
    );
  }
  const dialled = readPhone(phone);
  const name = <span className="visually-hidden"> {contact.customerName}</span>;
  return (
    <div className="stack contact">
      <ul className="contact__lines">
        <li>
          {dialled?.shown ?? phone}
          {dialled?.note && <span className="contact__note">{dialled.note}</span>}
          {!dialled && <span className="contact__note">Not a complete number. Correct it to call.</span>}
        </li>
        {preference && <li className="contact__preference">{preference}</li>}
        {email && (
          <li>
            {email}
            <BouncedNote id={id} />
          </li>
        )}
        {address && <li>{address}</li>}
        {isOpen && (
          <li>
            <button
              type="button"
              className="link-button"
              onClick={({ currentTarget }) => void correcting.open(currentTarget)}
            >
              Correct details
            </button>
          </li>
        )}
      </ul>
      <CallLink purchase={contact} className="button button--large" shortcut="call">
        <Icon name="phone" size={20} /> Call{name}
      </CallLink>
      {!isUnwanted && (
        <p className="stack gap-2 contact__links">
          {!isNumberWrong && smsHref(phone, "", false) && (
            <Button variant="quiet" aria-expanded={isTexting} onClick={() => setTexting(!isTexting)}>
              <Icon name="message" size={20} /> Text
            </Button>
          )}
          {email && (
            <a className="button button--quiet" href={`mailto:${email}`}>
              <Icon name="mail" size={20} /> Email{name}
            </a>
          )}
          {address && (
            <a
              className="button button--quiet"
              href={`https://www.google.com/maps/search/?api=1&query=${encodeURIComponent(address)}`}
              target="_blank"
              rel="noreferrer"
            >
              <Icon name="pin" size={20} /> Map
              <span className="visually-hidden"> of {address} (opens a new window)</span>
            </a>
          )}
          {canLog && (
            <Button variant="quiet" onClick={() => callTracker.askNow(id, Date.now())}>
              <Icon name="check" size={20} /> Log call
            </Button>
          )}
        </p>
      )}
      {/* Below the buttons, so that they do not move under the thumb. */}
      <CallQuestion purchase={contact} />
      {isTexting && <TextLinks purchase={contact} onSent={() => setTexting(false)} />}
      {correcting.Dialog && <correcting.Dialog contact={contact} onClose={correcting.close} />}
    </div>
  );
}

function BouncedNote({ id }: { id: string }) {
  const { data } = usePurchaseDetail(id);
  if (!data?.hasEmailBounced) return null;
  return <span className="contact__note">This address doesn't work: our email came back.</span>;
}

/**
 * Links to the customer's phone number, unless it is incomplete or wrong, or the buyer should not call. If calls can be logged, the app
 * asks for the outcome when the user returns.
 */
export function CallLink({
  purchase,
  shortcut,
  ...link
}: { purchase: PurchasedLead; shortcut?: "call" } & React.ComponentProps<"a">) {
  const canLog = useCanLog(purchase);
  const isNumberWrong = useIsNumberWrong(purchase);
  const href = telHref(purchase.customerPhone);
  if (!href || isNumberWrong || isCallUnwanted(purchase)) return null;
  const begin = () => {
    if (canLog) callTracker.start(purchase.id, Date.now());
  };
  return (
    // oxlint-disable-next-line jsx-a11y/anchor-has-content, jsx-a11y/control-has-associated-label -- the spread props contain its children
    <a {...link} href={href} data-shortcut={shortcut} onClick={begin} />
  );
}
