import "./pull-to-refresh.css";

import { useQueryClient } from "@tanstack/react-query";
import { useEffect, useEffectEvent, useRef } from "react";

import { Icon } from "../ui/icon.tsx";
import { useToast } from "../ui/toaster.tsx";
import { refreshLists } from "./refresh.ts";

/** The mark moves half as far as the finger. */
const PULL_RATIO = 0.5;
/** A pull longer than this refreshes the page when released. */
const REFRESH_THRESHOLD_PX = 72;
const MAX_PULL_PX = 112;

/** Elements with their own gestures, and overlays. */
const EXCLUDED_SELECTOR = ".tiles, .filter, dialog, [popover], input, select, textarea";

/** Follows a one-finger pull on a page scrolled to its top. */
function trackPull(draw: (px: number) => void, onRelease: (px: number) => void, signal: AbortSignal) {
  let from: { x: number; y: number } | null = null;
  let pulled = 0;
  const show = (px: number) => {
    pulled = px;
    draw(px);
  };
  const start = ({ touches, target }: TouchEvent) => {
    const [touch] = touches;
    const isPull = touches.length === 1 && scrollY <= 0 && !(target as Element).closest(EXCLUDED_SELECTOR);
    from = isPull && touch ? { x: touch.clientX, y: touch.clientY } : null;
  };
  const move = ({ touches }: TouchEvent) => {
    const [touch] = touches;
    if (!from || !touch) return;
    const [right, down] = [touch.clientX - from.x, touch.clientY - from.y];
    if (down > 0 && Math.abs(right) < down && scrollY <= 0)
      return show(Math.min(MAX_PULL_PX, down * PULL_RATIO));
    show(0);
    // The user scrolled or swiped instead: ignore this touch.
    if (Math.abs(right) + Math.abs(down) > REFRESH_THRESHOLD_PX) from = null;
  };
  const end = () => {
    if (from) onRelease(pulled);
    from = null;
  };
  const options = { passive: true, signal };
  addEventListener("touchstart", start, options);
  addEventListener("touchmove", move, options);
  addEventListener("touchend", end, options);
  addEventListener("touchcancel", () => show(0), options);
}

export function PullToRefresh({ watched }: { watched: readonly string[] }) {
  const client = useQueryClient();
  const toast = useToast();
  const mark = useRef<HTMLDivElement>(null);
  const refresh = useEffectEvent(async () => toast(await refreshLists(client, watched)));
  useEffect(() => {
    const gone = new AbortController();
    let isBusy = false;
    const draw = (px: number) => {
      const { style, dataset } = mark.current!;
      if (isBusy) return;
      style.setProperty("--pulled", `${px}px`);
      if (px === 0) delete dataset.state;
      else dataset.state = px < REFRESH_THRESHOLD_PX ? "pulled" : "ready";
    };
    const onRelease = async (px: number) => {
      if (isBusy || px < REFRESH_THRESHOLD_PX) return draw(0);
      mark.current!.dataset.state = "busy";
      isBusy = true;
      await refresh();
      isBusy = false;
      if (!gone.signal.aborted) draw(0);
    };
    trackPull(draw, (px) => void onRelease(px), gone.signal);
    return () => gone.abort();
  }, []);
  return (
    <div className="pull" ref={mark} aria-hidden="true">
      <Icon name="refresh" size={20} />
    </div>
  );
}
