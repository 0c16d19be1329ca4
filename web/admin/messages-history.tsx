import { useMutation } from "@tanstack/react-query";
import { type FormEvent, useId, useState } from "react";

import type { RecipientHistory } from "../../contract/messages.ts";
import { messageOf, unwrap } from "../lib/api.ts";
import { browserApi } from "../lib/browser-api.ts";
import { Button } from "../ui/button.tsx";
import { ListTable } from "./admin-list.tsx";
import { MESSAGE_COLUMNS } from "./messages-list.tsx";
import { OptOutState } from "./messages-stop.tsx";

/**
 * Shows all messages to one person, for handling a complaint, and whether they still get messages. The audit log
 * records each look-up.
 */
export function MessageHistory() {
  const id = useId();
  const [address, setAddress] = useState("");
  const [found, setFound] = useState<({ address: string } & RecipientHistory) | null>(null);
  const search = useMutation({
    mutationFn: (typed: string) =>
      unwrap(browserApi().api["super-admin"].messages.person.$post({ json: { address: typed } })),
    onMutate: () => setFound(null),
    onSuccess: (person, typed) => setFound({ address: typed, ...person }),
  });
  const submit = (event: FormEvent) => {
    event.preventDefault();
    search.mutate(address);
  };
  return (
    <section className="messages__part" aria-label="Messages to one person">
      <h2>Messages to one person</h2>
      <p className="messages__how">
        Use this if someone complains. We keep a list of messages for a week, without their text. The audit
        log records that you looked.
      </p>
      <form className="admin__filters" onSubmit={submit} noValidate>
        <div className="field field--wide">
          <label htmlFor={id}>Email address or mobile number</label>
          <input
            id={id}
            className="input"
            autoComplete="off"
            value={address}
            onChange={(event) => setAddress(event.target.value)}
          />
        </div>
        <Button type="submit" variant="quiet" isBusy={search.isPending}>
          Show messages
        </Button>
      </form>
      {found && (
        <OptOutState
          address={found.address}
          stop={found.stop}
          onDone={(person) => setFound({ address: found.address, ...person })}
        />
      )}
      <div aria-live="polite">
        {search.error && (
          <p role="alert">{messageOf(search.error, "The messages didn't load. Please try again.")}</p>
        )}
        {found?.lines.length === 0 && <p className="empty">We sent nothing there in the last week.</p>}
        {found && found.lines.length > 0 && (
          <ListTable
            label="Messages to one person"
            rows={found.lines}
            columns={MESSAGE_COLUMNS}
            idOf={(line) => line.id}
          />
        )}
      </div>
    </section>
  );
}
