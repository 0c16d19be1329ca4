/**
 * Returns a text in the browser's storage. Without storage (blocked or full), it reads null and writes nothing.
 * @param kind `session` lasts as long as the tab
 */
export function storedText(kind: "local" | "session", key: string) {
  // Even reading the property throws if the browser blocks storage.
  const storage = () => (kind === "local" ? localStorage : sessionStorage);
  return {
    read(): string | null {
      try {
        return storage().getItem(key);
      } catch {
        return null;
      }
    },
    /** Null deletes the text. */
    write(text: string | null): void {
      try {
        if (text === null) storage().removeItem(key);
        else storage().setItem(key, text);
      } catch {
        // Without storage.
      }
    },
  };
}

export type StoredText = ReturnType<typeof storedText>;
