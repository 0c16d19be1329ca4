/** Shows an example of a lead, labelled as such, in an empty list. */
export function ExampleLead() {
  return (
    <div className="stack gap-1 muted text-sm example-lead" aria-hidden="true">
      <p>
        <strong>Suburb and distance</strong>
        <span>how old</span>
      </p>
      <p>What the customer wants done, and how soon</p>
      <p>A line in the customer's own words</p>
      <p className="example-lead__buy">Buy</p>
    </div>
  );
}
