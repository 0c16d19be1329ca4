const inMemory = new Map<string, string>();

function keyOf(form: string): string {
  return `${form}-submission`;
}

/**
 * The id of the form being filled in. It is kept until the request has been sent, so that neither a reload
 * nor a second click makes a second lead.
 * @param form which form; each has ids of its own
 * @param given the id the server gave the form, when it has been there
 */
export function submissionIdFor(form: string, given: string | null): string {
  const id = given ?? stored(form) ?? crypto.randomUUID();
  try {
    sessionStorage.setItem(keyOf(form), id);
  } catch {
    // Storage is switched off: a reload starts a new request, a second click still does not.
    inMemory.set(form, id);
  }
  return id;
}

/** After the request has been sent: the next form is another request. */
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
