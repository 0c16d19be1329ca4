import { phoneHref } from "../purchases/phone-links.ts";

/** Somebody in a list, one tap away; of a person who asked to be forgotten only the words in their place. */
export function Person({
  name,
  phone,
  email,
  place,
}: {
  name: string;
  phone: string;
  email: string | null;
  place?: string | null;
}) {
  return (
    <>
      <span className="list__main">{name}</span>
      {phone && (
        <span className="list__sub">
          <a href={phoneHref(phone)}>{phone}</a>
        </span>
      )}
      {email && (
        <span className="list__sub">
          <a href={`mailto:${email}`}>{email}</a>
        </span>
      )}
      {place && <span className="list__sub">{place}</span>}
    </>
  );
}
