import { useEffect } from "react";

/** Takes the dot off the application's icon for as long as somebody looks at it. */
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
