import "./notes-box.css";

import { useEffect, useId, useState, useSyncExternalStore } from "react";

import { NOTES_MAX } from "../../contract/notes.ts";
import { createLazyPart, useLazyPart } from "../lib/lazy-part.ts";
import { Button } from "../ui/button.tsx";
import { mergeNotes } from "./merge-notes.ts";
import type { NotesDraft, NotesState } from "./notes-draft.ts";
import { useNotesDrafts } from "./notes-drafts.tsx";
import type { PurchasedLead } from "./purchases.ts";

/** Loads when the user first types "@": a provider without a team does not need it. */
const mentionHelp = createLazyPart(async () => (await import("./mention-help.tsx")).MentionHelp);

const STATE_TEXTS: Record<NotesState, string> = {
  idle: "",
  typing: "",
  saving: "Saving…",
  saved: "Saved",
  failed: "Not saved",
  conflict: "Not saved",
};

/** Edits notes. They save when typing stops or the field loses focus. */
export function NotesBox({ purchase }: { purchase: PurchasedLead }) {
  const id = useId();
  const notesDrafts = useNotesDrafts();
  const draft = notesDrafts.draft(purchase);
  const { text, state, theirs, by, base } = useSyncExternalStore(draft.subscribe, draft.view, draft.view);
  const [field, setField] = useState<HTMLTextAreaElement | null>(null);
  const [mayMention, setMayMention] = useState(false);
  const { Part: MentionHelp } = useLazyPart(mentionHelp, mayMention);
  const { salesNotes, notesVersion } = purchase;
  useEffect(() => {
    draft.sync({ text: salesNotes ?? "", version: notesVersion });
  }, [draft, salesNotes, notesVersion]);
  return (
    <div className="field notes">
      <div className="notes__head">
        <label htmlFor={id}>Notes</label>
        <output className="notes__state" data-state={state}>
          {STATE_TEXTS[state]}
        </output>
        {state === "failed" && (
          <button type="button" className="link-button" onClick={() => draft.flush()}>
            Retry
          </button>
        )}
      </div>
      {state === "conflict" ? (
        <NotesConflict draft={draft} mine={text} theirs={theirs} by={by} base={base} />
      ) : (
        <textarea
          id={id}
          ref={setField}
          className="input"
          rows={5}
          data-shortcut="notes"
          maxLength={NOTES_MAX}
          placeholder="What was said, what to bring, what was quoted"
          value={text}
          onChange={({ target }) => {
            draft.type(target.value);
            if (target.value.includes("@")) setMayMention(true);
          }}
          onBlur={() => draft.flush()}
        />
      )}
      {MentionHelp && field && <MentionHelp field={field} />}
    </div>
  );
}

/** Lets the user resolve a conflict. Shows the user's text, the other user's text and a merge of both. */
function NotesConflict({
  draft,
  mine,
  theirs,
  by,
  base,
}: {
  draft: NotesDraft;
  mine: string;
  theirs: string;
  /** Name of the other author; null when unknown. */
  by: string | null;
  /** The text before both edits. */
  base: string;
}) {
  const id = useId();
  const [merged, setMerged] = useState(() => mergeNotes(base, theirs, mine));
  return (
    <fieldset className="conflict">
      <legend>
        <strong>{by ?? "Someone on your team"} changed these notes while you were writing.</strong> Choose
        what to keep.
      </legend>
      <div className="conflict__two">
        <div>
          <h4>Theirs</h4>
          <p className="conflict__text">{theirs || "(empty)"}</p>
          <Button variant="quiet" onClick={() => draft.resolve(theirs)}>
            Keep theirs
          </Button>
        </div>
        <div>
          <h4>Yours</h4>
          <p className="conflict__text">{mine || "(empty)"}</p>
          <Button variant="quiet" onClick={() => draft.resolve(mine)}>
            Keep yours
          </Button>
        </div>
      </div>
      <label htmlFor={id}>Or both</label>
      <textarea
        id={id}
        className="input"
        rows={5}
        maxLength={NOTES_MAX}
        value={merged}
        onChange={(event) => setMerged(event.target.value)}
      />
      <Button onClick={() => draft.resolve(merged)}>Save both</Button>
    </fieldset>
  );
}
