import { createLazyPart } from "../lib/lazy-part.ts";
import { useLazyDialog } from "../lib/use-lazy-dialog.ts";
import { Button } from "../ui/button.tsx";
import { Icon } from "../ui/icon.tsx";

const impersonateDialog = createLazyPart(
  async () => (await import("./impersonate-dialog.tsx")).ImpersonateDialog,
);

/** Opens the dialog for choosing a provider to impersonate. Only super admins see it, and not while impersonating. */
export function ImpersonateButton() {
  const { Dialog, open, close } = useLazyDialog(impersonateDialog);
  return (
    <>
      <Button variant="quiet" onClick={({ currentTarget }) => void open(currentTarget)}>
        <Icon name="user" size={18} /> <span>Impersonate</span>
      </Button>
      {Dialog && <Dialog onClose={close} />}
    </>
  );
}
