import { useEffect, useRef } from "react";

export type Tab = {
  id: string;
  label: string;
  /** Number of items in the tab, if the tab counts any. */
  count?: string;
  /** The tab's own URL, for use without the script and for new windows. */
  href?: string;
};

export const PANEL_ID = "tab-panel";

/** Shows tabs as tiles. Arrow keys, Home and End move the selection. */
export function Tabs({
  label,
  tabs,
  current,
  onChoose,
}: {
  label: string;
  tabs: readonly Tab[];
  /** ID of the selected tab. If null, the Tab key reaches the first tab. */
  current: string | null;
  onChoose: (id: string, how: "click" | "key") => void;
}) {
  const list = useRef<HTMLDivElement>(null);
  useEffect(() => {
    const strip = list.current!;
    const tab = current && strip.querySelector<HTMLElement>(`#tab-${current}`);
    // Scroll the strip on a phone, not the page.
    if (tab) strip.scrollLeft = tab.offsetLeft - (strip.clientWidth - tab.offsetWidth) / 2;
  }, [current]);
  const move = (event: React.KeyboardEvent) => {
    const index = tabs.findIndex((tab) => tab.id === current);
    const steps: Record<string, number> = {
      ArrowRight: index + 1,
      ArrowLeft: index - 1 + tabs.length,
      Home: 0,
      End: tabs.length - 1,
    };
    const step = steps[event.key];
    if (step === undefined) return;
    event.preventDefault();
    const next = step % tabs.length;
    onChoose(tabs[next]!.id, "key");
    list.current?.querySelectorAll<HTMLElement>('[role="tab"]')[next]?.focus();
  };
  return (
    // oxlint-disable-next-line jsx-a11y/interactive-supports-focus -- the selected tab has the focus
    <div role="tablist" aria-label={label} className="box tiles" ref={list} onKeyDown={move}>
      {tabs.map((tab) => (
        <TabTile
          key={tab.id}
          tab={tab}
          isChosen={tab.id === current}
          isReached={tab.id === (current ?? tabs[0]?.id)}
          onChoose={() => onChoose(tab.id, "click")}
        />
      ))}
    </div>
  );
}

/** Returns whether a browser would open the clicked link in this window. */
const isPlain = (event: React.MouseEvent) =>
  event.button === 0 && !event.metaKey && !event.ctrlKey && !event.shiftKey && !event.altKey;

/** Shows one tab. @param isReached whether the Tab key reaches this tab; the arrow keys reach all tabs */
function TabTile({
  tab,
  isChosen,
  isReached,
  onChoose,
}: {
  tab: Tab;
  isChosen: boolean;
  isReached: boolean;
  onChoose: () => void;
}) {
  const attributes = {
    role: "tab",
    id: `tab-${tab.id}`,
    "aria-selected": isChosen,
    "aria-controls": PANEL_ID,
    tabIndex: isReached ? 0 : -1,
    className: "tile",
  };
  const content = (
    <>
      <span className="muted text-xs tile__label">{tab.label}</span>
      {tab.count !== undefined && <span className="tile__count">{tab.count}</span>}
    </>
  );
  if (tab.href === undefined) {
    return (
      <button type="button" {...attributes} onClick={onChoose}>
        {content}
      </button>
    );
  }
  return (
    <a
      {...attributes}
      href={tab.href}
      onClick={(event) => {
        if (!isPlain(event)) return;
        event.preventDefault();
        onChoose();
      }}
      onKeyDown={(event) => {
        // Unlike a link, a tab is also selected with the space bar.
        if (event.key !== " ") return;
        event.preventDefault();
        onChoose();
      }}
    >
      {content}
    </a>
  );
}
