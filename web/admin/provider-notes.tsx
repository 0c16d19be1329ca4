import { useMutation } from "@tanstack/react-query";
import { type FormEvent, useId, useState } from "react";

import type { ProviderNote, ProviderNoteKind, ProviderPage } from "../../contract/providers.ts";
import { unwrap } from "../lib/api.ts";
import { adminApi } from "../lib/browser-api.ts";
import { formatDateTime } from "../lib/format-time.ts";
import { Alert } from "../ui/alert.tsx";
import { Badge, type BadgeTone } from "../ui/badge.tsx";
import { Button } from "../ui/button.tsx";
import { useToast } from "../ui/toaster.tsx";
import { IdLink } from "./id-link.tsx";
import { adminMeta } from "./overview.tsx";
import { RowActions } from "./row-actions.tsx";

const KINDS: Record<ProviderNoteKind, { label: string; tone: BadgeTone } | null> = {
  note: null,
  deactivated: { label: "Deactivated", tone: "hot" },
  activated: { label: "Activated", tone: "fresh" },
  refund: { label: "Refund", tone: "warm" },
  message: { label: "Message sent", tone: "neutral" },
};

/** Shows admins' notes about a provider, with forms for a new note and for a message to the provider. */
export function ProviderNotes({ page }: { page: ProviderPage }) {
  return (
    <section className="part" aria-labelledby="provider-notes">
      <h2 id="provider-notes">Notes</h2>
      <p className="muted">
        For admins only. Leave out customers&apos; names: if a customer asks us to delete their details, we
        can&apos;t find them here.
      </p>
      <NoteForm page={page} />
      {page.notes.length > 0 && (
        <ul className="ruled">
          {page.notes.map((note) => (
            <Note key={note.id} note={note} />
          ))}
        </ul>
      )}
    </section>
  );
}

function NoteForm({ page }: { page: ProviderPage }) {
  const id = useId();
  const [error, setError] = useState("");
  const [text, setText] = useState("");
  const param = { id: page.provider.id };
  const toast = useToast();
  const write = useMutation({
    mutationFn: ({ how, text: words }: { how: "note" | "message"; text: string }) => {
      const { notes, message } = adminApi().providers[":id"];
      const json = { text: words };
      return how === "note" ? unwrap(notes.$post({ param, json })) : unwrap(message.$post({ param, json }));
    },
    meta: adminMeta("provider", "That didn't work"),
    onSuccess: (_, { how }) => {
      toast({ title: how === "note" ? "Note saved" : "Message sent" });
      setText("");
    },
  });
  const submit = (event: FormEvent<HTMLFormElement>) => {
    event.preventDefault();
    const how = (event.nativeEvent as SubmitEvent).submitter?.getAttribute("value");
    if (write.isPending) return;
    if (text.trim().length < 3) setError("Please write something");
    else write.mutate({ how: how === "message" ? "message" : "note", text: text.trim() });
  };
  return (
    <form className="part" onSubmit={submit} noValidate>
      <div className="field">
        <label htmlFor={id}>{page.canMessage ? "Note or message" : "A note"}</label>
        <textarea
          id={id}
          className="input"
          rows={3}
          maxLength={2000}
          value={text}
          aria-invalid={error ? true : undefined}
          onChange={(event) => {
            setText(event.target.value);
            setError("");
          }}
        />
      </div>
      {error && <Alert>{error}</Alert>}
      <div className="cluster list__acts">
        <Button type="submit" value="note" isBusy={write.isPending}>
          Save note
        </Button>
        {page.canMessage && (
          <Button type="submit" value="message" variant="quiet" isBusy={write.isPending}>
            Email it to {page.provider.firstName}
          </Button>
        )}
      </div>
    </form>
  );
}

function Note({ note }: { note: ProviderNote }) {
  const { id, kind, text, subjectId, byName, createdAt } = note;
  const mark = KINDS[kind];
  const remove = {
    label: "Remove",
    of: `the note of ${formatDateTime(createdAt)}`,
    act: () => unwrap(adminApi()["provider-notes"][":id"].$delete({ param: { id } })),
    done: "Note removed",
    failed: "Failed to remove note",
  };
  return (
    <li>
      <div>
        {mark && <Badge tone={mark.tone}>{mark.label}</Badge>}
        <p className="provider-page__words">{text}</p>
        <span className="list__sub">
          {byName}, {formatDateTime(createdAt)}
        </span>
        {subjectId && <IdLink id={subjectId} />}
      </div>
      <RowActions list="provider" actions={{ remove }} />
    </li>
  );
}
