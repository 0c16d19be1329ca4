import { useEffect, useId, useRef, useState } from "react";

import { NOTES_MAX } from "../../contract/notes.ts";
import { useTeamNames } from "../team/team.ts";
import { activeIdOf, ComboboxList, handleListKey } from "../ui/combobox.tsx";
import {
  type Candidate,
  findCandidates,
  describeAmbiguity,
  type MentionToken,
  findToken,
} from "./mention-token.ts";

/** Maximum names listed. Typing more letters finds the others. */
const MAX_SHOWN = 8;

/** Returns the mention at the caret and updates it as the caret moves. `close` hides the list for this mention. */
function useToken(field: HTMLTextAreaElement) {
  const [token, setToken] = useState<MentionToken | null>(null);
  const closedAt = useRef(-1);
  useEffect(() => {
    const updateToken = () => {
      const isFocused = document.activeElement === field && field.selectionStart === field.selectionEnd;
      const found = isFocused ? findToken(field.value, field.selectionStart) : null;
      if (found?.start !== closedAt.current) closedAt.current = -1;
      setToken(found && found.start !== closedAt.current ? found : null);
    };
    const events = ["input", "keyup", "click", "focus", "blur"] as const;
    for (const name of events) field.addEventListener(name, updateToken);
    // Handle input typed while this code was loading.
    updateToken();
    return () => {
      for (const name of events) field.removeEventListener(name, updateToken);
    };
  }, [field]);
  const close = () => {
    closedAt.current = token?.start ?? -1;
    setToken(null);
  };
  return { token, close };
}

/** Sets ARIA attributes that link the field to its list and to the selected name. */
function useListboxProps(field: HTMLTextAreaElement, listId: string, active: string | undefined) {
  useEffect(() => {
    const announcement = { "aria-haspopup": "listbox", "aria-autocomplete": "list", "aria-controls": listId };
    for (const [name, value] of Object.entries(announcement)) field.setAttribute(name, value);
    return () => {
      for (const name of Object.keys(announcement)) field.removeAttribute(name);
    };
  }, [field, listId]);
  useEffect(() => {
    if (active) field.setAttribute("aria-activedescendant", active);
    return () => void field.removeAttribute("aria-activedescendant");
  }, [field, active]);
}

type Name = Parameters<typeof findCandidates>[1][number];

/** Suggests team members after an "@" in the notes. Renders nothing without a team. */
export function MentionHelp({ field }: { field: HTMLTextAreaElement }) {
  const { data: team } = useTeamNames();
  return team?.some(({ isYou }) => !isYou) ? <Names field={field} team={team} /> : null;
}

const showName = ({ firstName, lastName }: Candidate) => (
  <span>
    <strong>{firstName}</strong> {lastName}
  </span>
);

function Names({ field, team }: { field: HTMLTextAreaElement; team: readonly Name[] }) {
  const id = useId();
  const { token, close } = useToken(field);
  const found = token ? findCandidates(token.query, team) : [];
  const shown = found.filter(({ written }) => written !== null).slice(0, MAX_SHOWN);
  const note = describeAmbiguity(found);
  const [chosen, setChosen] = useState({ of: "", index: -1 });
  // Ignore the selection once the input changes: another letter may change the list.
  const typed = `${token?.start} ${token?.query}`;
  const active = chosen.of === typed ? chosen.index : -1;
  const isOpen = found.length > 0;
  const select = (index: number) => setChosen({ of: typed, index });
  const list = { id, items: shown, active, select, choose: insertMention };
  useListboxProps(field, `${id}-list`, activeIdOf(list));
  useEffect(() => {
    if (isOpen) document.getElementById(`${id}-list`)?.parentElement?.scrollIntoView({ block: "nearest" });
  }, [id, isOpen]);

  function insertMention({ written }: Candidate) {
    if (!token) return;
    const end = token.start + 1 + token.query.length;
    const rest = field.value.slice(end);
    const text = `@${written}${/^\s/.test(rest) ? "" : " "}`;
    close();
    if (token.start + text.length + rest.length > NOTES_MAX) return;
    field.setRangeText(text, token.start, end, "end");
    field.dispatchEvent(new Event("input", { bubbles: true }));
  }

  useEffect(() => {
    if (!isOpen) return;
    const onKeyDown = (event: KeyboardEvent) => handleListKey(event, list, close);
    field.addEventListener("keydown", onKeyDown);
    return () => field.removeEventListener("keydown", onKeyDown);
  });

  return (
    <ComboboxList
      list={list}
      show={showName}
      isOpen={isOpen}
      label="Mention someone"
      className="mentions"
      status={`${shown.length === 1 ? "1 name" : `${shown.length} names`}. ${note ?? ""}`}
    >
      {note && <p className="muted text-xs mentions__note">{note}</p>}
    </ComboboxList>
  );
}
