import "./refused-changes.css";

import { Icon } from "../ui/icon.tsx";
import { useRefusals } from "./refusals.ts";

/**
 * Lists late changes that the server refused, with reasons. The list stays in view until the user dismisses it: above
 * the leads, or in an open lead's head. Several refusals may arrive together while the user is away.
 */
export function RefusedChanges() {
  const { refusals: refusedChanges, dismiss } = useRefusals();
  if (refusedChanges.length === 0) return null;
  return (
    <section className="refused" role="alert">
      <h2>
        {refusedChanges.length === 1
          ? "A change wasn't saved"
          : `${refusedChanges.length} changes weren't saved`}
      </h2>
      <button type="button" className="icon-button" aria-label="Dismiss" onClick={dismiss}>
        <Icon name="close" />
      </button>
      <ul>
        {refusedChanges.map(({ key, name, what, why }) => (
          <li key={key}>
            <strong>{name}</strong>, {what}: {why}
          </li>
        ))}
      </ul>
    </section>
  );
}
