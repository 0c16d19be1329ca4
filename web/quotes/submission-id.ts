const KEY = "quote-submission";

/**
 * The id of the form being filled in. It is kept until the request has been sent, so that neither a reload
 * nor a second click makes a second lead.
 * @param given the id the server gave the form, when it has been there
 */
export function submissionIdFor(given: string | null): string {
  const id = given ?? stored() ?? crypto.randomUUID();
  try {
    sessionStorage.setItem(KEY, id);
  } catch {
    // Storage is switched off: a reload starts a new request, a second click still does not.
    inMemory = id;
  }
  return id;
}

/** After the request has been sent: the next form is another request. */
export function forgetSubmissionId() {
  inMemory = null;
  try {
    sessionStorage.removeItem(KEY);
  } catch {
    // Nothing was stored.
  }
}

let inMemory: string | null = null;

function stored(): string | null {
  try {
    return sessionStorage.getItem(KEY) ?? inMemory;
  } catch {
    return inMemory;
  }
}
