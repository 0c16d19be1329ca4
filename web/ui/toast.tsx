/**
 * A note at the edge of the screen that leaves after five seconds, without script; toast-gestures.ts lets
 * it be swiped away. Give it a new `key` to show it again.
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
  return (
    <div
      className={destructive ? "toast toast--destructive" : "toast"}
      role={destructive ? "alert" : "status"}
      tabIndex={-1}
    >
      <strong>{title}</strong>
      {text}
    </div>
  );
}
