import { type ComponentProps, useEffect, useRef, useState } from "react";

import { suggestEmail } from "../../contract/email-typos.ts";
import { TextField } from "./field.tsx";
import { useDebounced } from "./use-debounced.ts";

/** Wait for the visitor to finish typing. */
const PAUSE_MS = 600;

/** Shows a field for an email address. Offers a correction of a likely typing error, which never blocks the form. */
export function EmailTextField(
  input: Omit<ComponentProps<typeof TextField>, "label" | "type" | "hint" | "ref">,
) {
  const ref = useRef<HTMLInputElement>(null);
  const [typed, setTyped] = useState("");
  // The visitor may have typed before this component was hydrated.
  useEffect(() => setTyped(ref.current!.value), []);
  const suggestion = suggestEmail(useDebounced(typed, PAUSE_MS));
  const accept = () => {
    const field = ref.current!;
    field.value = suggestion!;
    // The form's draft and errors follow the visitor's own input.
    field.dispatchEvent(new Event("input", { bubbles: true }));
    setTyped("");
    field.focus();
  };
  return (
    <TextField
      autoComplete="email"
      {...input}
      ref={ref}
      label="Email"
      type="email"
      onInput={({ currentTarget }) => setTyped(currentTarget.value)}
      hint={
        suggestion && (
          <output>
            Did you mean{" "}
            <button type="button" className="link-button" onClick={accept}>
              {suggestion}
            </button>
            ?
          </output>
        )
      }
    />
  );
}
