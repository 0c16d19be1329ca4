/**
 * Renders the fields for bot detection: a honeypot, and a hidden field for the form's signed start. Visitors do not see
 * the honeypot. `inert` hides it from focus, screen readers and autofill. Attributes ask password managers to skip it.
 * @param startToken the start token from an earlier post; otherwise `form-start.ts` adds one on submit
 */
export function HoneypotField({ startToken }: { startToken: unknown }) {
  return (
    <>
      <input type="hidden" name="startToken" value={typeof startToken === "string" ? startToken : ""} />
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
