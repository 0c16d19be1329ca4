import type { ReactNode } from "react";

import { formatPhone, telHref } from "../../contract/phone.ts";
import { Icon } from "../ui/icon.tsx";

/** Shows a link that calls us. Without children it shows the phone number. */
export function PhoneLink({
  phone,
  className,
  children,
}: {
  phone: string;
  className?: string;
  children?: ReactNode;
}) {
  return (
    <a
      className={className}
      href={telHref(phone)}
      aria-label={children ? `${String(children)}, ${phone}` : undefined}
    >
      <Icon name="phone" size={20} />
      <span>{children ?? formatPhone(phone)}</span>
    </a>
  );
}
