/**
 * Shows a message at the edge of the screen for five seconds. The style sheet hides it, without script.
 * toast-gestures.ts lets visitors swipe it away. Pass a new `key` to show it again.
 * @param role `none` inside a live region
 * @param onEnd called after the toast has disappeared
 * @param children a button to dismiss the toast
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
  /** Whether to stay for eight seconds, for a toast that contains an action. */
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
