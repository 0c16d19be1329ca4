import type { ReactNode } from "react";

import { StreetScene } from "./street-scene.tsx";

/**
 * Shows one message and its links, in front of the house drawing.
 * @param plate the text on the letterbox plate above the title
 */
export function NoticePage({
  plate,
  title,
  children,
}: {
  plate: ReactNode;
  title: string;
  children: ReactNode;
}) {
  return (
    <section className="hero hero--notice" aria-labelledby="notice">
      <div className="wrap hero__row">
        <div className="hero__words">
          <span className="plate" aria-hidden="true">
            {plate}
          </span>
          <h1 id="notice">{title}</h1>
          {children}
        </div>
        <StreetScene />
      </div>
    </section>
  );
}
