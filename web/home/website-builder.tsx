/** Shows a link to a website-building service. Its `rel` tells search engines that the site is not ours. */
export function WebsiteBuilder({ href }: { href: string }) {
  return (
    <section className="section section--sunken" aria-labelledby="website">
      <div className="wrap offer">
        <div>
          <h2 id="website">Run a lawn or garden business?</h2>
          <p>Build a website of your own, with another company’s service.</p>
        </div>
        <a className="button button--quiet" href={href} rel="noopener nofollow sponsored">
          Build Your Website
        </a>
      </div>
    </section>
  );
}
