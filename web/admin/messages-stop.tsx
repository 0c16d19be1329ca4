import { useMutation } from "@tanstack/react-query";
import { useState } from "react";

import type { RecipientHistory, MessageStop } from "../../contract/messages.ts";
import { messageOf, unwrap } from "../lib/api.ts";
import { browserApi } from "../lib/browser-api.ts";
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

/**
 * Shows whether a person receives messages about requests, with a button to stop or allow them.
 * @param address the address that the admin looked up
 * @param onDone receives the new state
 */
export function OptOutState({
  address,
  stop: { channel, since },
  onDone,
}: {
  address: string;
  stop: MessageStop;
  onDone: (person: RecipientHistory) => void;
}) {
  const [isAsking, setAsking] = useState(false);
  const toast = useToast();
  const words = CHANNEL_TEXTS[channel];
  const isStopped = since !== null;
  const act = useMutation({
    mutationFn: () =>
      unwrap(
        browserApi().api["super-admin"].messages.stops.$put({ json: { address, isStopped: !isStopped } }),
      ),
    onSuccess: (person) => {
      toast({ title: person.stop.since === null ? "Messages allowed again" : words.done });
      onDone(person);
    },
    onError: (error) =>
      toast({
        title: "That wasn't changed",
        description: messageOf(error, "Please try again."),
        tone: "destructive",
      }),
    onSettled: () => setAsking(false),
  });
  return (
    <>
      <div className="messages__stop">
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
      {words.always && <p className="messages__how">{words.always}</p>}
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
