const inMemory = new Map<string, string>();

function keyOf(form: string): string {
  return `${form}-submission`;
}

/**
 * Returns the submission id of the current form. It is kept until the request is sent. So neither a reload nor a second
 * click creates a second lead.
 * @param form the form's name; each form has its own ids
 * @param given the id from the server, after a post
 */
export function submissionIdFor(form: string, given: string | null): string {
  const id = given ?? stored(form) ?? crypto.randomUUID();
  try {
    sessionStorage.setItem(keyOf(form), id);
  } catch {
    // Storage is switched off: a reload starts a new request, but a second click still does not.
    inMemory.set(form, id);
  }
  return id;
}

/** Forgets the id after the request was sent: the next form is another request. */
export function forgetSubmissionId(form: string) {
  inMemory.delete(form);
  try {
    sessionStorage.removeItem(keyOf(form));
  } catch {
    // Nothing was stored.
  }
}

function stored(form: string): string | null {
  try {
    return sessionStorage.getItem(keyOf(form)) ?? inMemory.get(form) ?? null;
  } catch {
    return inMemory.get(form) ?? null;
  }
}
