import type { ReactNode } from "react";

import { Icon } from "../ui/icon.tsx";

/** A link that calls the contact number. It shows the number unless it has children. */
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
      href={`tel:${phone.replaceAll(/\s/g, "")}`}
      aria-label={children ? `${String(children)}, ${phone}` : undefined}
    >
      <Icon name="phone" size={20} />
      <span>{children ?? phone}</span>
    </a>
  );
}
