/** Links the answers that a customer wants before they send a form. */
export function HowItWorksLink() {
  return <a href="/how-it-works">How it works and what it costs</a>;
}
