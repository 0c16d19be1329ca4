/** What was typed into a request form, kept in the tab until it is sent: a reload or a way back loses nothing. */
import { DAY_MS } from "../../contract/durations.ts";

/** Under which name this page's draft is kept; `documents/document.ts` looks for it. */
function draftKey(): string {
  return `draft ${location.pathname}`;
}

type Field = HTMLInputElement | HTMLSelectElement | HTMLTextAreaElement;

type Draft = {
  /** Epoch milliseconds. */
  at: number;
  /** The address' query, which may have filled in some fields. */
  search: string;
  /** When the form was first touched, as our server signed it. */
  startToken: string;
  /** What differs from the form as it came, by the field's id. */
  fields: Record<string, string | boolean>;
};

/** What people fill in: neither hidden fields nor the one for programs have an id. */
function fieldsOf(form: HTMLFormElement): Field[] {
  return [...form.querySelectorAll<HTMLInputElement>(":is(input, select, textarea)[id]")];
}

const isTick = (field: Field): field is HTMLInputElement => /^(?:checkbox|radio)$/.test(field.type);

function valueOf(field: Field): string | boolean {
  return isTick(field) ? field.checked : field.value;
}

/** The value that the page came with. */
function givenValue(field: Field): string | boolean {
  if (isTick(field)) return field.defaultChecked;
  if (!(field instanceof HTMLSelectElement)) return field.defaultValue;
  return ([...field.options].find((option) => option.defaultSelected) ?? field.options[0]!).value;
}

const isChanged = (field: Field) => valueOf(field) !== givenValue(field);

/** Whether anything was filled in that would be lost. */
export function isFilledIn(form: HTMLFormElement): boolean {
  return fieldsOf(form).some(isChanged);
}

/** Keeps what stands in the form now. */
export function saveDraft(form: HTMLFormElement) {
  const draft: Draft = {
    at: Date.now(),
    search: location.search,
    startToken: String(new FormData(form).get("startToken") ?? ""),
    fields: Object.fromEntries(
      fieldsOf(form)
        .filter(isChanged)
        .map((field) => [field.id, valueOf(field)]),
    ),
  };
  try {
    sessionStorage.setItem(draftKey(), JSON.stringify(draft));
  } catch {
    // Storage is switched off or full: a reload loses what was typed, as it always did.
  }
}

/** After the request has been sent, or was given up. */
export function forgetDraft() {
  try {
    sessionStorage.removeItem(draftKey());
  } catch {
    // Nothing was kept.
  }
}

/** @returns what was kept; null when there is nothing, or it is older than a day */
function readDraft(): Draft | null {
  try {
    const draft = JSON.parse(sessionStorage.getItem(draftKey()) ?? "null") as Draft | null;
    if (draft && Date.now() - draft.at < DAY_MS) return draft;
    sessionStorage.removeItem(draftKey());
  } catch {
    // Storage is switched off.
  }
  return null;
}

/**
 * Puts back what was kept, but for what somebody filled in before this code came.
 * @param given names of fields that the page's address fills in: a new address has the last word
 * @returns whether there was anything
 */
export function restoreDraft(form: HTMLFormElement, given: readonly string[]): boolean {
  const draft = readDraft();
  if (!draft) return false;
  const kept = draft.search === location.search ? [] : given;
  // Read first: a radio button that is put back changes its neighbours.
  const open = fieldsOf(form).filter((field) => !isChanged(field) && !kept.includes(field.name));
  for (const field of open) {
    const value = draft.fields[field.id];
    if (value === undefined) continue;
    if (isTick(field)) field.checked = value === true;
    else field.value = String(value);
    // What was filled in where fields are folded away is shown again.
    const folded = field.closest("details");
    if (folded) folded.open = true;
  }
  form.addEventListener("formdata", ({ formData }) => {
    if (draft.startToken) formData.set("startToken", draft.startToken);
  });
  return true;
}
