/**
 * A field for programs that fill in whatever they find. People neither see nor reach it: it is drawn
 * nowhere, and `inert` keeps focus, screen readers and autofill out.
 */
export function TrapField() {
  return (
    <div className="visually-hidden" inert aria-hidden="true">
      <label>
        Homepage
        <input type="text" name="homepage" tabIndex={-1} autoComplete="off" defaultValue="" />
      </label>
    </div>
  );
}
