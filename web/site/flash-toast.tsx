import { type Flash, FLASHES } from "../lib/flash.ts";
import { Toast } from "../ui/toast.tsx";
import { DocumentScript } from "../documents/document-script.tsx";

/** Shows a message once, if there is one. */
export function FlashToast({ flash }: { flash: Flash | null }) {
  if (!flash) return null;
  return (
    <>
      <DocumentScript />
      <Toast {...FLASHES[flash]} />
    </>
  );
}
