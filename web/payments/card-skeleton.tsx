import { Alert } from "../ui/alert.tsx";
import { Button } from "../ui/button.tsx";

/** Stands where the card fields will be, as high as they are. */
export function CardSkeleton() {
  return (
    <div className="pay__skeleton" aria-hidden="true">
      <span />
      <span />
      <span />
    </div>
  );
}

/** Stands there when they did not come. @param words why that may be, as a sentence */
export function CardFormMissing({ words, onRetry }: { words: string; onRetry: () => void }) {
  return (
    <div className="pay__failed">
      <Alert>The card form did not load. {words}</Alert>
      <Button look="quiet" onClick={onRetry}>
        Try again
      </Button>
    </div>
  );
}
