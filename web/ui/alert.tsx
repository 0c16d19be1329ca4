import type { ReactNode } from "react";

/** Shows an error message where the error happened. */
export function Alert({ children }: { children: ReactNode }) {
  return (
    <div className="alert" role="alert">
      {children}
    </div>
  );
}
