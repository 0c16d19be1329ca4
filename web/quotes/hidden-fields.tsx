import type { FormState } from "../documents/form-state.ts";

/**
 * Renders the fields of a request that visitors do not see: its id, and two for bot detection, a honeypot and the form's
 * signed start. `inert` hides the honeypot from focus, screen readers and autofill. Attributes ask password managers to
 * skip it.
 * @param values the start token from an earlier post; otherwise `form-start.ts` adds one on submit
 */
export function HiddenFields({ submissionId = "", values: { startToken } }: FormState) {
  return (
    <>
      <input type="hidden" name="submissionId" defaultValue={submissionId} />
      <input
        type="hidden"
        name="startToken"
        defaultValue={typeof startToken === "string" ? startToken : ""}
      />
      <div className="visually-hidden" inert aria-hidden="true">
        <label>
          Homepage
          <input
            type="text"
            name="homepage"
            tabIndex={-1}
            autoComplete="off"
            data-1p-ignore
            data-bwignore
            data-lpignore="true"
            defaultValue=""
          />
        </label>
      </div>
    </>
  );
}
