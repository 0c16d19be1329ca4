import type { ReactNode } from "react";

import { Scene, type SceneName } from "./scenes/scene.tsx";

/**
 * Shows one message and its links, beside a scene.
 * @param plate the text on the letterbox plate above the title
 */
export function NoticePage({
  plate,
  title,
  scene = "not-found",
  children,
}: {
  plate?: ReactNode;
  title: string;
  scene?: SceneName;
  children: ReactNode;
}) {
  return (
    <section className="hero hero--notice" aria-labelledby="notice">
      <div className="wrap hero__row">
        <div className="hero__words">
          {plate && (
            <span className="plate" aria-hidden="true">
              {plate}
            </span>
          )}
          <h1 id="notice">{title}</h1>
          {children}
        </div>
        <Scene name={scene} />
      </div>
    </section>
  );
}
