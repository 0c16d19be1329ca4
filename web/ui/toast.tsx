import { useEffect, useRef } from "react";

import { listenToToast } from "./toast-gestures.ts";

/**
 * A note at the edge of the screen that leaves after five seconds, without script. Give it a new `key`
 * to show it again.
 */
export function Toast({
  title,
  text,
  destructive,
}: {
  title: string;
  text?: string | undefined;
  destructive?: boolean | undefined;
}) {
  const element = useRef<HTMLDivElement>(null);
  useEffect(() => listenToToast(element.current!), []);
  return (
    <div
      ref={element}
      className={destructive ? "toast toast--destructive" : "toast"}
      role={destructive ? "alert" : "status"}
    >
      <strong>{title}</strong>
      {text}
    </div>
  );
}
