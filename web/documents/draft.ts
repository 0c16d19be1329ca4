/** Stores a request form's draft in the tab until the request is sent, so that a reload or Back loses no input. */
import { DAY_MS } from "../../contract/durations.ts";
import { storedDraft } from "./stored-draft.ts";

type Field = HTMLInputElement | HTMLSelectElement | HTMLTextAreaElement;

type Draft = {
  /** Epoch milliseconds. */
  at: number;
  /** The URL's query, which may have filled in some fields. */
  search: string;
  /** The form's signed start token, from the visitor's first interaction. */
  startToken: string;
  submissionId: string;
  /** Fields changed from the page's own values, by id. */
  fields: Record<string, string | boolean>;
};

/** The hidden fields that belong to one request. */
const OWN_FIELDS = ["startToken", "submissionId"] as const;
const ownField = (form: HTMLFormElement, name: (typeof OWN_FIELDS)[number]) =>
  form.elements.namedItem(name) as HTMLInputElement;

/** Returns the fields that visitors fill in. Hidden fields and the honeypot have no id. */
function fieldsOf(form: HTMLFormElement): Field[] {
  return [...form.querySelectorAll<HTMLInputElement>(":is(input, select, textarea)[id]")];
}

const isCheckable = (field: Field): field is HTMLInputElement => /^(?:checkbox|radio)$/.test(field.type);

function valueOf(field: Field): string | boolean {
  return isCheckable(field) ? field.checked : field.value;
}

/** Returns the field's initial value in the page. */
function givenValue(field: Field): string | boolean {
  if (isCheckable(field)) return field.defaultChecked;
  if (!(field instanceof HTMLSelectElement)) return field.defaultValue;
  return ([...field.options].find((option) => option.defaultSelected) ?? field.options[0]!).value;
}

const isChanged = (field: Field) => valueOf(field) !== givenValue(field);

/** Returns whether the visitor has changed any field. A hidden field changes without them. */
export function hasChangedFields(form: HTMLFormElement): boolean {
  return fieldsOf(form).some((field) => !field.hidden && isChanged(field));
}

export function saveDraft(form: HTMLFormElement) {
  const id = ownField(form, "submissionId");
  id.value ||= crypto.randomUUID();
  const draft: Draft = {
    at: Date.now(),
    search: location.search,
    startToken: String(new FormData(form).get("startToken") ?? ""),
    submissionId: id.value,
    fields: Object.fromEntries(
      fieldsOf(form)
        .filter(isChanged)
        .map((field) => [field.id, valueOf(field)]),
    ),
  };
  storedDraft().write(JSON.stringify(draft));
}

/** Deletes the draft after the request was sent or abandoned. The form is then ready for another request. */
export function deleteDraft(form: HTMLFormElement) {
  form.reset();
  for (const name of OWN_FIELDS) ownField(form, name).value = "";
  storedDraft().write(null);
}

function parseDraft(text: string): Draft | null {
  try {
    return JSON.parse(text) as Draft | null;
  } catch {
    return null;
  }
}

/** Reads the stored draft. @returns null if there is none or it is older than a day */
function readDraft(): Draft | null {
  const draft = parseDraft(storedDraft().read() ?? "null");
  if (draft && Date.now() - draft.at < DAY_MS) return draft;
  storedDraft().write(null);
  return null;
}

/**
 * Returns the id of the request that this form sends. It stays the same until the request is sent. So a reload or a
 * second click does not create a second lead.
 */
export function getSubmissionId(form: HTMLFormElement): string {
  const field = ownField(form, "submissionId");
  // The draft may not have been restored yet.
  field.value ||= readDraft()?.submissionId ?? "";
  if (field.value === "") saveDraft(form);
  return field.value;
}

/**
 * Restores the draft, except for fields that the visitor changed before this code loaded.
 * @param given names of fields that the URL fills in; a different URL takes precedence over the draft
 * @returns whether there was a draft
 */
export function restoreDraft(form: HTMLFormElement, given: readonly string[]): boolean {
  const draft = readDraft();
  if (!draft) return false;
  const kept = draft.search === location.search ? [] : given;
  // Collect the fields first: restoring a radio button changes its neighbours.
  const restorable = fieldsOf(form).filter((field) => !isChanged(field) && !kept.includes(field.name));
  for (const field of restorable) {
    const value = draft.fields[field.id];
    if (value === undefined) continue;
    if (isCheckable(field)) field.checked = value === true;
    else field.value = String(value);
    // Reopen a collapsed section that contains restored input.
    const folded = field.closest("details");
    if (folded) folded.open = true;
  }
  for (const name of OWN_FIELDS) ownField(form, name).value ||= draft[name];
  return true;
}
