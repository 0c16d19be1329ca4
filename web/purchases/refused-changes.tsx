import { useQueryClient } from "@tanstack/react-query";

import { Icon } from "../ui/icon.tsx";
import { textsOf } from "./entry-texts.ts";
import { dismissRefusals, useChanges } from "./use-outbox.ts";

/**
 * Lists late changes that the server refused, with reasons. The list stays in view until the user dismisses it: above
 * the leads, or in an open lead's head. Several refusals may arrive together while the user is away.
 */
export function RefusedChanges() {
  const client = useQueryClient();
  const refusedChanges = useChanges().filter(({ error }) => error !== undefined);
  if (refusedChanges.length === 0) return null;
  return (
    <section className="refused" role="alert">
      <h2>
        {refusedChanges.length === 1
          ? "A change wasn't saved"
          : `${refusedChanges.length} changes weren't saved`}
      </h2>
      <button
        type="button"
        className="icon-button"
        aria-label="Dismiss"
        onClick={() => void dismissRefusals(client)}
      >
        <Icon name="close" />
      </button>
      <ul>
        {refusedChanges.map((entry) => (
          <li key={entry.id}>
            <strong>{entry.name ?? "A lead"}</strong>, {textsOf(entry).what}: {entry.error}
          </li>
        ))}
      </ul>
    </section>
  );
}
