/**
 * Tells visitors who receives their details. It is above the submit button. If you change the text, change
 * `CONSENT_WORDING`.
 */
export function ConsentLine() {
  return (
    <p className="field__hint">
      By sending this, you agree that we can pass these details on to one local provider at a time, who will
      contact you about your quote. If you tell us they didn’t, we ask the next one. See our{" "}
      <a href="/privacy-policy">privacy policy</a>.
    </p>
  );
}
