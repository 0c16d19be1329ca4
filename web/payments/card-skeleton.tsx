import { Alert } from "../ui/alert.tsx";
import { Button } from "../ui/button.tsx";

/** Shows a placeholder with the height of the card fields. */
export function CardSkeleton() {
  return (
    <div className="stack pay__skeleton" aria-hidden="true">
      <span />
      <span />
      <span />
    </div>
  );
}

/** Shows that the card fields failed to load. @param words the likely reason, as a sentence */
export function CardFormLoadFailure({ words, onRetry }: { words: string; onRetry: () => void }) {
  return (
    <div className="pay__failed">
      <Alert>The card form didn't load. {words}</Alert>
      <Button variant="quiet" onClick={onRetry}>
        Try again
      </Button>
    </div>
  );
}
