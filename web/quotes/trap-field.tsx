/**
 * What tells people from programs, in every request form: a field for programs that fill in whatever they
 * find, and the place of the form's signed start.
 *
 * People neither see nor reach the field: it is drawn nowhere, `inert` keeps focus, screen readers and the
 * browser's autofill out, and what comes from a password manager is asked to pass by.
 * @param startToken what a form that was posted before had; else `form-start.ts` adds it when it is sent
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
