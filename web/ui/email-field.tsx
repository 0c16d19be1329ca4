import { type ComponentProps, useEffect, useRef, useState } from "react";

import { TextField } from "./field.tsx";
import { useDebounced } from "./use-debounced.ts";

/** Wait for the visitor to finish typing. */
const PAUSE_MS = 600;

/** Returns a likely correction of a typed address, or null. Fetches the code for it when it is first needed. */
function useSuggestion(typed: string): string | null {
  const [found, setFound] = useState<{ typed: string; suggestion: string | null } | null>(null);
  useEffect(() => {
    if (!typed.includes("@")) return;
    void import("../../contract/email-typos.ts").then(
      ({ suggestEmail }) => setFound({ typed, suggestion: suggestEmail(typed) }),
      // Without a connection there is no suggestion.
      () => {},
    );
  }, [typed]);
  return found?.typed === typed ? found.suggestion : null;
}

/** Shows a field for an email address. Offers a correction of a likely typing error, which never blocks the form. */
export function EmailTextField(
  input: Omit<ComponentProps<typeof TextField>, "label" | "type" | "hint" | "ref">,
) {
  const ref = useRef<HTMLInputElement>(null);
  const [typed, setTyped] = useState("");
  // The visitor may have typed before this component was hydrated.
  useEffect(() => setTyped(ref.current!.value), []);
  const suggestion = useSuggestion(useDebounced(typed, PAUSE_MS));
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
            <button key={suggestion} type="button" className="link-button" onClick={accept}>
              {suggestion}
            </button>
            ?
          </output>
        )
      }
    />
  );
}
