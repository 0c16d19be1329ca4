type Look = "primary" | "quiet" | "plain";

/** A button. `primary` is the one thing to do, `quiet` stands beside it, `plain` is text. */
export function Button({
  look = "quiet",
  isBusy = false,
  className,
  children,
  ...rest
}: React.ComponentProps<"button"> & { look?: Look; isBusy?: boolean }) {
  return (
    <button
      type="button"
      {...rest}
      className={`button button-${look}${className ? ` ${className}` : ""}`}
      aria-busy={isBusy || undefined}
      disabled={rest.disabled || isBusy}
    >
      {children}
    </button>
  );
}
