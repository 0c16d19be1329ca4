/** Shown in place of the dashboard to visitors and customers. */
export function AccessRequired({ isSignedIn }: { isSignedIn: boolean }) {
  return (
    <section className="gate">
      <h1>Provider Access Required</h1>
      <p>
        {isSignedIn
          ? "You are signed in as a customer. The dashboard is for service providers and their teams."
          : "The dashboard is for service providers and their teams. Sign in, or join to buy leads in your area."}
      </p>
      <p className="gate__ways">
        <a className="button button--main" href="/signup">
          Join as a provider
        </a>
        <a className="button button--quiet" href="/login">
          Sign in
        </a>
      </p>
    </section>
  );
}
