/** A button that acts in place. `main` is the one thing to do on a screen, `quiet` stands beside others. */
export function Button({
  look,
  isBusy = false,
  className,
  children,
  ...rest
}: React.ComponentProps<"button"> & { look?: "main" | "quiet"; isBusy?: boolean }) {
  const classes = ["button", look && `button--${look}`, className].filter(Boolean).join(" ");
  return (
    <button
      type="button"
      {...rest}
      className={classes}
      aria-busy={isBusy || undefined}
      disabled={rest.disabled || isBusy}
    >
      {children}
    </button>
  );
}
