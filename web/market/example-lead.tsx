import "./example-lead.css";

/** Where leads will stand, and what each of them will tell: named, so that nobody takes it for a lead. */
export function ExampleLead() {
  return (
    <div className="example-lead" aria-hidden="true">
      <p>
        <strong>Suburb and distance</strong>
        <span>how old</span>
      </p>
      <p>The work they want, and how soon</p>
      <p>A line in the customer's own words</p>
      <p className="example-lead__buy">Buy</p>
    </div>
  );
}
