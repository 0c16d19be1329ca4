import { useId, useState } from "react";

import { NOTES_MAX } from "../../contract/notes.ts";
import { createLazyPart, useLazyPart } from "../lib/lazy-part.ts";
import { Button } from "../ui/button.tsx";
import { mergeNotes } from "./merge-notes.ts";
import type { NotesEntry } from "./entries.ts";
import type { PurchasedLead } from "./purchases.ts";
import { useNotes } from "./use-notes.ts";

/** Loads when the user first types "@": a provider without a team does not need it. */
const mentionHelp = createLazyPart(async () => (await import("./mention-help.tsx")).MentionHelp);

const STATE_TEXTS = {
  idle: "",
  waiting: "",
  sending: "Saving…",
  saved: "Saved",
  late: "Not saved",
  conflict: "Not saved",
};

/** Edits notes. They save when typing stops or the field loses focus. */
export function NotesBox({ purchase }: { purchase: PurchasedLead }) {
  const id = useId();
  const { text, base, conflict, state, type, choose, flush } = useNotes(purchase);
  const [field, setField] = useState<HTMLTextAreaElement | null>(null);
  const [mayMention, setMayMention] = useState(false);
  const { Part: MentionHelp } = useLazyPart(mentionHelp, mayMention);
  return (
    <div className="field notes">
      <div className="line gap-2 notes__head">
        <label htmlFor={id}>Notes</label>
        <output className="muted text-xs notes__state" data-state={state}>
          {STATE_TEXTS[state]}
        </output>
        {state === "late" && (
          <button type="button" className="link-button" onClick={flush}>
            Retry
          </button>
        )}
      </div>
      {conflict ? (
        <NotesConflict conflict={conflict} mine={text} base={base} onChoose={choose} />
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
            type(target.value);
            if (target.value.includes("@")) setMayMention(true);
          }}
          onBlur={flush}
        />
      )}
      {MentionHelp && field && <MentionHelp field={field} />}
    </div>
  );
}

/** Lets the user resolve a conflict. Shows the user's text, the other user's text and a merge of both. */
function NotesConflict({
  conflict: { text: theirs, by },
  mine,
  base,
  onChoose,
}: {
  /** The other user's notes. The author's name is null when unknown. */
  conflict: NonNullable<NotesEntry["conflict"]>;
  mine: string;
  /** The text before both edits. */
  base: string;
  onChoose: (text: string) => void;
}) {
  const id = useId();
  const [merged, setMerged] = useState(() => mergeNotes(base, theirs, mine));
  return (
    <fieldset className="stack conflict">
      <legend>
        <strong>{by ?? "Someone on your team"} changed these notes while you were writing.</strong> Choose
        what to keep.
      </legend>
      <div className="stack conflict__two">
        <div>
          <h4>Theirs</h4>
          <p className="conflict__text">{theirs || "(empty)"}</p>
          <Button variant="quiet" onClick={() => onChoose(theirs)}>
            Keep theirs
          </Button>
        </div>
        <div>
          <h4>Yours</h4>
          <p className="conflict__text">{mine || "(empty)"}</p>
          <Button variant="quiet" onClick={() => onChoose(mine)}>
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
      <Button onClick={() => onChoose(merged)}>Save both</Button>
    </fieldset>
  );
}
