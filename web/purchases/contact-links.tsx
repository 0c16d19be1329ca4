import "./contact-links.css";

import { Icon } from "../ui/icon.tsx";

type Contact = {
  customerName: string;
  customerPhone: string;
  customerEmail: string | null;
  customerAddress: string | null;
};

/** Calls a number as people typed it. */
export function phoneHref(phone: string): string {
  return `tel:${phone.replaceAll(/[^\d+]/g, "")}`;
}

/** The customer, one tap away. What they did not give is left out. */
export function ContactLinks({ contact }: { contact: Contact }) {
  // Every request has a number until its person asks to be forgotten.
  if (!contact.customerPhone) {
    return (
      <p className="field__hint">
        This customer's details were erased, as they asked. The job stays in your books.
      </p>
    );
  }
  const call = phoneHref(contact.customerPhone);
  const { customerEmail: email, customerAddress: address, customerName: name } = contact;
  return (
    <div className="contact">
      <ul className="contact__lines">
        <li>{contact.customerPhone}</li>
        {email && <li>{email}</li>}
        {address && <li>{address}</li>}
      </ul>
      <p className="contact__links">
        <a className="button" href={call} data-shortcut="call">
          <Icon name="phone" size={20} /> Call<span className="visually-hidden"> {name}</span>
        </a>
        <a className="button button--quiet" href={call.replace("tel:", "sms:")}>
          <Icon name="message" size={20} /> SMS<span className="visually-hidden"> {name}</span>
        </a>
        {email && (
          <a className="button button--quiet" href={`mailto:${email}`}>
            <Icon name="mail" size={20} /> Email<span className="visually-hidden"> {name}</span>
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
      </p>
    </div>
  );
}
