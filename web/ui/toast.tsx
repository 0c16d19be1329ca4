/**
 * A message at the edge of the screen that disappears after five seconds, without script. toast-gestures.ts lets
 * visitors swipe it away. Give it a new `key` to show it again.
 * @param role `none` inside a live region
 * @param onEnd called after the toast has disappeared
 * @param children a button to dismiss it
 */
export function Toast({
  title,
  text,
  destructive,
  isLong = false,
  role = destructive ? "alert" : "status",
  onEnd,
  children,
}: {
  title: string;
  text?: string | undefined;
  destructive?: boolean | undefined;
  /** Stays for eight seconds: it contains an action. */
  isLong?: boolean;
  role?: "none" | "status" | "alert";
  onEnd?: () => void;
  children?: React.ReactNode;
}) {
  return (
    <div
      className={destructive ? "toast toast--destructive" : "toast"}
      role={role === "none" ? undefined : role}
      tabIndex={-1}
      data-long={isLong || undefined}
      onAnimationEnd={onEnd}
    >
      <div>
        <strong>{title}</strong>
        {text}
      </div>
      {children}
    </div>
  );
}
