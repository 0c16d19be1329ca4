import { messageOf } from "../lib/api.ts";
import { Button } from "../ui/button.tsx";

/** Shown instead of a list that failed to load. */
export function LoadFailure({ error, retry }: { error: Error; retry: () => unknown }) {
  return (
    <div className="empty" role="alert">
      <p>
        <strong>This list didn't load.</strong> {messageOf(error, "Please check your connection.")}
      </p>
      <Button variant="quiet" onClick={() => void retry()}>
        Try again
      </Button>
    </div>
  );
}
