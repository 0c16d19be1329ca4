/** The photos that a visitor has picked. A separate module, which loads when the visitor touches the picker. */
import { useStore } from "../lib/store.ts";
import { photoQueue, type QueuedPhoto, removeQueued } from "./photo-queue.ts";
import { ChangingText } from "../ui/changing-text.tsx";
import { Thumbnail } from "./thumbnail.tsx";

export { enqueuePhotos } from "./photo-queue.ts";

const STATES: Readonly<Record<QueuedPhoto["state"], string>> = {
  reducing: "Waiting…",
  waiting: "Waiting…",
  sending: "Adding…",
  retrying: "Not sent yet. We’ll keep trying.",
  sent: "Added",
  refused: "Not added",
};

/** Shows the photos of this request, and those that are still on their way. */
export function PhotoList() {
  const shown = useStore(photoQueue, []);
  const failed = shown.filter(({ error }) => error !== null);
  return (
    <>
      {shown.length > 0 && (
        <ul className="photos__list" aria-label="Your photos">
          {shown
            .filter(({ error }) => error === null)
            .map((photo, index) => (
              <li key={photo.key} data-state={photo.state}>
                <Thumbnail blob={photo.blob} />
                <ChangingText>{STATES[photo.state]}</ChangingText>
                <button
                  type="button"
                  className="button button--quiet"
                  aria-label={`Remove photo ${index + 1}`}
                  onClick={() => void removeQueued(photo)}
                >
                  Remove
                </button>
              </li>
            ))}
        </ul>
      )}
      <output>
        {failed.map((photo) => (
          <span key={photo.key} className="field__error">
            {photo.blob instanceof File && `${photo.blob.name}: `}
            {photo.error}
          </span>
        ))}
      </output>
    </>
  );
}
