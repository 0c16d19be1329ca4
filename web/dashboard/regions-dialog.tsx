import { RegionPicker } from "../market/region-picker.tsx";
import { Dialog } from "../ui/dialog.tsx";

export function RegionsDialog({ watched, onClose }: { watched: readonly string[]; onClose: () => void }) {
  return (
    <Dialog title="Regions you watch" onClose={onClose}>
      <RegionPicker watched={watched} submitLabel="Save" onSaved={onClose} />
    </Dialog>
  );
}
