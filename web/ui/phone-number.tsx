import { readPhone, telHref } from "../../contract/phone.ts";

/** Shows a typed phone number as a link that calls it. The rest of the text is a note behind it. */
export function PhoneNumber({ typed }: { typed: string }) {
  const phone = readPhone(typed);
  if (!phone) return typed;
  return (
    <>
      <a href={telHref(typed)}>{phone.shown.replaceAll(" ", "\u00a0")}</a>
      {phone.note && ` (${phone.note})`}
    </>
  );
}
