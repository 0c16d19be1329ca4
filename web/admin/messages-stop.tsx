import { useMutation } from "@tanstack/react-query";
import { type FormEvent, useId, useState } from "react";

import type { MessageStop } from "../../contract/messages.ts";
import { messageOf, unwrap } from "../lib/api.ts";
import { adminApi } from "../lib/browser-api.ts";
import { formatDate } from "../lib/format-time.ts";
import { Button } from "../ui/button.tsx";
import { useToast } from "../ui/toaster.tsx";
import { ConfirmActionDialog } from "./confirm-action-dialog.tsx";

/** Texts for each channel: its state, its actions, and their effects. */
const CHANNEL_TEXTS = {
  email: {
    goes: "This address gets emails about its requests.",
    stopped: "We stopped emails about requests to this address",
    stop: "Stop emails about requests",
    question: "Stop emails about requests?",
    what: "This address won't get any more emails about requests. Emails still waiting won't be sent. The owner can undo this with the link in an earlier email.",
    allowQuestion: "Allow emails about requests again?",
    allows:
      "This address will get emails about its requests again. The owner may have stopped them, so ask first.",
    always:
      "You can't stop emails about someone's own account, such as password links and new sign-in alerts.",
    done: "Emails about requests stopped",
  },
  sms: {
    goes: "This number gets texts about its requests.",
    stopped: "We stopped texts to this number",
    stop: "Stop texts to this number",
    question: "Stop texts to this number?",
    what: "This number won't get any more texts. Texts still waiting won't be sent.",
    allowQuestion: "Allow texts to this number again?",
    allows:
      "This number will get texts about its requests again. The owner may have replied STOP, so ask first.",
    always: null,
    done: "Texts to this number stopped",
  },
} as const satisfies Record<MessageStop["channel"], unknown>;

/** Finds whether a person who calls us gets messages about requests. */
export function PersonStop() {
  const id = useId();
  const [address, setAddress] = useState("");
  const [found, setFound] = useState<{ address: string; stop: MessageStop } | null>(null);
  const search = useMutation({
    mutationFn: (typed: string) => unwrap(adminApi().messages.person.$post({ json: { address: typed } })),
    onMutate: () => setFound(null),
    onSuccess: (stop, typed) => setFound({ address: typed, stop }),
  });
  const submit = (event: FormEvent) => {
    event.preventDefault();
    search.mutate(address);
  };
  return (
    <section className="part" aria-label="Messages to one person">
      <h2>Messages to one person</h2>
      <p className="muted text-sm messages__how">
        Use this if someone asks us to stop. The audit log records each change.
      </p>
      <form className="cluster admin__filters" onSubmit={submit} noValidate>
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
          Look up
        </Button>
      </form>
      {found && (
        <OptOutState
          address={found.address}
          stop={found.stop}
          onDone={(stop) => setFound({ address: found.address, stop })}
        />
      )}
      <div aria-live="polite">
        {search.error && <p role="alert">{messageOf(search.error, "That didn't load. Please try again.")}</p>}
      </div>
    </section>
  );
}

/**
 * Shows whether a person receives messages about requests, with a button to stop or allow them.
 * @param address the address that the admin looked up
 * @param onDone receives the new state
 */
function OptOutState({
  address,
  stop: { channel, since },
  onDone,
}: {
  address: string;
  stop: MessageStop;
  onDone: (stop: MessageStop) => void;
}) {
  const [isAsking, setAsking] = useState(false);
  const toast = useToast();
  const words = CHANNEL_TEXTS[channel];
  const isStopped = since !== null;
  const act = useMutation({
    mutationFn: () => unwrap(adminApi().messages.stops.$put({ json: { address, isStopped: !isStopped } })),
    meta: { failed: { title: "That wasn't changed", description: "Please try again." } },
    onSuccess: (stop) => {
      toast({ title: stop.since === null ? "Messages allowed again" : words.done });
      onDone(stop);
    },
    onSettled: () => setAsking(false),
  });
  return (
    <>
      <div className="cluster messages__stop">
        <p>
          {isStopped ? (
            <>
              <strong>{words.stopped}</strong> on {formatDate(since)}.
            </>
          ) : (
            words.goes
          )}
        </p>
        <Button variant="quiet" onClick={() => setAsking(true)}>
          {isStopped ? "Allow again" : words.stop}
        </Button>
      </div>
      {words.always && <p className="muted text-sm messages__how">{words.always}</p>}
      {isAsking && (
        <ConfirmActionDialog
          title={isStopped ? words.allowQuestion : words.question}
          actionLabel={isStopped ? "Allow again" : "Stop them"}
          isBusy={act.isPending}
          onConfirm={() => act.mutate()}
          onClose={() => setAsking(false)}
        >
          <p>
            <strong className="messages__who">{address}</strong>
          </p>
          <p>{isStopped ? words.allows : words.what}</p>
        </ConfirmActionDialog>
      )}
    </>
  );
}
