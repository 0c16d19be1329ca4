const inMemory = new Map<string, string>();

function keyOf(form: string): string {
  return `${form}-submission`;
}

/**
 * Returns the submission id of the current form. The id stays the same until the request is sent. So a reload or a
 * second click does not create a second lead.
 * @param form the form's name; each form has its own ids
 * @param given the id from the server, after a post
 */
export function getSubmissionId(form: string, given: string | null): string {
  const id = given ?? stored(form) ?? crypto.randomUUID();
  try {
    sessionStorage.setItem(keyOf(form), id);
  } catch {
    // The browser blocks storage, so a reload starts a new request. A second click still does not.
    inMemory.set(form, id);
  }
  return id;
}

/** Deletes the id after the request was sent: the next form is a different request. */
export function deleteSubmissionId(form: string) {
  inMemory.delete(form);
  try {
    sessionStorage.removeItem(keyOf(form));
  } catch {
    // There is no stored id.
  }
}

function stored(form: string): string | null {
  try {
    return sessionStorage.getItem(keyOf(form)) ?? inMemory.get(form) ?? null;
  } catch {
    return inMemory.get(form) ?? null;
  }
}
