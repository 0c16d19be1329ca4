import type { ReactNode } from "react";

/** What went wrong, in the place where it went wrong. */
export function Alert({ children }: { children: ReactNode }) {
  return (
    <div className="alert" role="alert">
      {children}
    </div>
  );
}
