import { Alert } from "../ui/alert.tsx";
import { Button } from "../ui/button.tsx";

/** Placeholder of the card fields, with the same height. */
export function CardSkeleton() {
  return (
    <div className="pay__skeleton" aria-hidden="true">
      <span />
      <span />
      <span />
    </div>
  );
}

/** Shown when the card fields failed to load. @param words the likely reason, as a sentence */
export function CardFormMissing({ words, onRetry }: { words: string; onRetry: () => void }) {
  return (
    <div className="pay__failed">
      <Alert>The card form didn't load. {words}</Alert>
      <Button look="quiet" onClick={onRetry}>
        Try again
      </Button>
    </div>
  );
}
