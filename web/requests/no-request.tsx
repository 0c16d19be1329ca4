/** Shown for an unknown link, and for a withdrawn or erased request. */
export function NoRequest() {
  return (
    <>
      <h1 id="request-title">There’s no request here</h1>
      <p>Part of the link may be missing, or the request was withdrawn.</p>
    </>
  );
}
