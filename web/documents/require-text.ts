/**
 * Keeps a form's button disabled while its text is empty or only spaces. Without script the browser's own
 * check of `required` and `pattern` does the same when the form is sent.
 * @param form marked with `data-require-text`; holds one text input and one button
 */
export function requireText(form: HTMLFormElement) {
  const input = form.querySelector("input");
  const button = form.querySelector("button");
  if (!input || !button) return;
  const update = () => {
    button.disabled = input.value.trim() === "";
  };
  input.addEventListener("input", update);
  // Coming back to the page may bring its text back, without an event.
  addEventListener("pageshow", update);
  update();
}
