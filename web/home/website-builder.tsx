/** Shows a link to a website-building service. Its `rel` tells search engines that the site is not ours. */
export function WebsiteBuilder({ href }: { href: string }) {
  return (
    <section className="section section--sunken" aria-labelledby="website">
      <div className="wrap offer">
        <div>
          <h2 id="website">Run a lawn or garden business?</h2>
          <p>Your own website brings in customers no one else is calling.</p>
        </div>
        <a className="button button--quiet" href={href} rel="noopener nofollow sponsored">
          Build Your Website
        </a>
      </div>
    </section>
  );
}
