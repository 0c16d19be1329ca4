import type { ReactNode } from "react";

/**
 * One part of a page under its own heading.
 * @param aside stands beside the heading, such as a link to the whole list
 * @param look "sunken": on a darker ground; "split": from the tablet up the heading stands at the side
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
