import type { ReactNode } from "react";

/**
 * A section with its own heading.
 * @param aside shown beside the heading, such as a link to the whole list
 * @param look "sunken": on a darker background; "split": heading at the side from tablet width up
 */
export function Section({
  id,
  title,
  aside,
  look,
  children,
}: {
  id: string;
  title: ReactNode;
  aside?: ReactNode;
  look?: "sunken" | "split";
  children: ReactNode;
}) {
  return (
    <section className={look ? `section section--${look}` : "section"} aria-labelledby={id}>
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
