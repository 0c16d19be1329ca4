import { useEffect } from "react";

/** Clears the badge on the application's icon while the page is visible. */
export function useClearBadge(): void {
  useEffect(() => {
    const clearIfVisible = () => {
      if (!document.hidden) void navigator.clearAppBadge?.().catch(() => {});
    };
    clearIfVisible();
    document.addEventListener("visibilitychange", clearIfVisible);
    return () => document.removeEventListener("visibilitychange", clearIfVisible);
  }, []);
}
