const NEXT_STEPS = [
  "We show the job to local providers. The first to take it gets your details.",
  "They call you on the number you gave, with questions and a free quote.",
  "You decide. Like the quote? Pick a day together. If not, just say no.",
] as const;

export function NextSteps() {
  return (
    <>
      <h2>What happens next</h2>
      <ol className="next-steps">
        {NEXT_STEPS.map((step) => (
          <li key={step}>{step}</li>
        ))}
      </ol>
    </>
  );
}
