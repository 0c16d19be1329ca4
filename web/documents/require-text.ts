/**
 * Disables a form's button while its text is empty or only spaces. Before or without the script, the browser checks
 * `required` and `pattern` when the visitor sends the form.
 * @param form marked with `data-require-text`; contains one text input and one button
 */
export function requireText(form: HTMLFormElement) {
  const input = form.querySelector("input");
  const button = form.querySelector("button");
  if (!input || !button) return;
  const update = () => {
    button.disabled = input.value.trim() === "";
  };
  input.addEventListener("input", update);
  // The browser may restore the text without an event when the visitor comes back.
  addEventListener("pageshow", update);
  update();
}
