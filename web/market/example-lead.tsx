import "./example-lead.css";

/** Shows where leads will appear and what each contains. It is labelled as an example. */
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
