/**
 * Bot detection for every request form: a honeypot field, and the hidden field for the form's signed start. Visitors
 * and assistive technology do not see the honeypot: it is not drawn, `inert` blocks focus, screen readers and autofill,
 * and attributes ask password managers to skip it.
 * @param startToken the start from an earlier post; otherwise `form-start.ts` adds it on submit
 */
export function TrapField({ startToken }: { startToken: unknown }) {
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
