import { requestContext } from "../lib/server-context.ts";
import type { Route } from "./+types/contact-card.ts";

/** Serves our phone number as a contact in vCard 3.0, which all phones can save. */
export function loader({ request, context }: Route.LoaderArgs) {
  const { contactPhone, contactEmail } = context.get(requestContext);
  const lines = [
    "BEGIN:VCARD",
    "VERSION:3.0",
    "N:;Naturestrip;;;",
    "FN:Naturestrip",
    "ORG:Naturestrip",
    `TEL;TYPE=WORK,VOICE:${contactPhone}`,
    `EMAIL;TYPE=WORK:${contactEmail}`,
    `URL:${new URL("/", request.url).href}`,
    "END:VCARD",
  ];
  return new Response(`${lines.join("\r\n")}\r\n`, {
    headers: {
      "Content-Type": "text/vcard; charset=utf-8",
      "Content-Disposition": 'inline; filename="naturestrip.vcf"',
    },
  });
}
