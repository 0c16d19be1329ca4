import { useId, useState } from "react";

import { Dialog } from "../ui/dialog.tsx";
import { areShortcutsOff, SHORTCUTS, setShortcutsOn } from "./shortcuts.ts";

export function ShortcutsDialog({ onClose }: { onClose: () => void }) {
  const id = useId();
  const [isOn, setOn] = useState(() => !areShortcutsOff());
  return (
    <Dialog title="Keyboard shortcuts" onClose={onClose}>
      <dl className="stack gap-2 keys">
        {SHORTCUTS.map(({ keys, what }) => (
          <div key={what}>
            <dt>
              {keys.map((key) => (
                <kbd key={key}>{key}</kbd>
              ))}
            </dt>
            <dd>{what}</dd>
          </div>
        ))}
      </dl>
      <label className="line gap-2 keys__switch" htmlFor={id}>
        <input
          id={id}
          type="checkbox"
          checked={isOn}
          onChange={(event) => {
            setOn(event.target.checked);
            setShortcutsOn(event.target.checked);
          }}
        />
        Use keyboard shortcuts on this device
      </label>
    </Dialog>
  );
}
