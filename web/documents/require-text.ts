/**
 * Keeps a form's button disabled while its text is empty or only spaces. Without script the browser checks
 * `required` and `pattern` when the form is sent.
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
  // The browser may restore the text when the visitor returns to the page, without an event.
  addEventListener("pageshow", update);
  update();
}
