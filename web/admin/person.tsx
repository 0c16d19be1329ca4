import { phoneHref } from "../purchases/phone-links.ts";

/** Shows a person in a list, with contact links. An erased person has only the replacement text. */
export function PersonCell({
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
