import type { ReactNode } from "react";

/** An error message, shown where the error happened. */
export function Alert({ children }: { children: ReactNode }) {
  return (
    <div className="alert" role="alert">
      {children}
    </div>
  );
}
