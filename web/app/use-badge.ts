import { useEffect } from "react";

/** Clears the badge on the application's icon while the page is visible. */
export function useBadge(): void {
  useEffect(() => {
    const look = () => {
      if (!document.hidden) void navigator.clearAppBadge?.().catch(() => {});
    };
    look();
    document.addEventListener("visibilitychange", look);
    return () => document.removeEventListener("visibilitychange", look);
  }, []);
}
