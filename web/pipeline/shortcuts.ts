import { SALES_STAGES, STAGES } from "../../contract/stages.ts";
import { storedText } from "../lib/stored-text.ts";

/** The shortcuts with their descriptions, for the dialog that the ? key opens. */
export const SHORTCUTS: readonly { keys: readonly string[]; what: string }[] = [
  { keys: ["/"], what: "Search all leads" },
  { keys: ["j", "k"], what: "Open the next or previous lead" },
  { keys: ["Esc"], what: "Close the open lead" },
  { keys: ["n"], what: "Write notes on the open lead" },
  { keys: ["c"], what: "Call the open lead" },
  {
    keys: ["1", "…", String(SALES_STAGES.length)],
    what: `Move the open lead to ${SALES_STAGES.map((stage) => STAGES[stage].label).join(", ")}`,
  },
  { keys: ["l", "b", "t"], what: "Switch to List, Board or Today" },
  { keys: ["?"], what: "Show keyboard shortcuts" },
];

const choice = storedText("local", "shortcuts");

/** Returns whether the user has switched the shortcuts off. Users of speech control need this. */
export const areShortcutsOff = (): boolean => choice.read() === "off";

export const setShortcutsOn = (isOn: boolean): void => choice.write(isOn ? null : "off");

/** Returns whether a key press is for a field, a menu or a dialog instead of the page. */
export function isTypedInField(event: KeyboardEvent): boolean {
  if (event.ctrlKey || event.metaKey || event.altKey || event.isComposing) return true;
  const target = event.target instanceof Element ? event.target : null;
  return Boolean(target?.closest("input, select, textarea, [contenteditable], dialog[open]"));
}
