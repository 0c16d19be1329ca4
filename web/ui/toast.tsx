/**
 * A note at the edge of the screen that leaves after five seconds, without script; toast-gestures.ts lets
 * it be swiped away. Give it a new `key` to show it again.
 * @param role `none` inside something that is read out as it changes
 * @param onEnd where something has to hear that it has left
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
  /** Stays for eight seconds: there is something to do in it. */
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
