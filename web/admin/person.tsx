import { PhoneNumber } from "../ui/phone-number.tsx";

/** Shows a person in a list, with contact links. An erased person has only the replacement text. */
export function PersonCell({
  name,
  phone,
  email,
  path,
}: {
  name: string;
  phone: string;
  email: string | null;
  path?: string | null;
}) {
  return (
    <>
      <span className="list__main">{name}</span>
      {phone && (
        <span className="list__sub">
          <PhoneNumber typed={phone} />
        </span>
      )}
      {email && (
        <span className="list__sub">
          <a href={`mailto:${email}`}>{email}</a>
        </span>
      )}
      {path && <span className="list__sub">{path}</span>}
    </>
  );
}
