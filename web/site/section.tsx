import type { ReactNode } from "react";

/**
 * Shows a section with a heading.
 * @param aside content beside the heading, such as a link to the full list
 * @param variant "sunken": darker background; "split": heading at the side from tablet width up
 */
export function Section({
  id,
  title,
  aside,
  variant,
  children,
}: {
  id: string;
  title: ReactNode;
  aside?: ReactNode;
  variant?: "sunken" | "split";
  children: ReactNode;
}) {
  return (
    <section className={variant ? `section section--${variant}` : "section"} aria-labelledby={id}>
      <div className="wrap">
        <div className="section__head">
          <h2 id={id}>{title}</h2>
          {aside && <p>{aside}</p>}
        </div>
        {children}
      </div>
    </section>
  );
}
