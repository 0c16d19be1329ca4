import { useLayoutEffect, useRef } from "react";

/** Shows a button for an action on the current page. `main` is a screen's primary action, `quiet` a secondary one. */
export function Button({
  variant,
  isBusy = false,
  className,
  children,
  ...rest
}: React.ComponentProps<"button"> & { variant?: "main" | "quiet"; isBusy?: boolean }) {
  const classes = ["button", variant && `button--${variant}`, className].filter(Boolean).join(" ");
  const ref = useRef<HTMLButtonElement>(null);
  useLayoutEffect(() => {
    const button = ref.current;
    // A disabled button loses the focus, in some browsers before this effect runs. Restore it afterwards unless the
    // user has moved it elsewhere.
    const focused = document.activeElement;
    if (!isBusy || (focused !== button && focused !== document.body)) return;
    return () => {
      if (document.activeElement === document.body) button?.focus({ preventScroll: true });
    };
  }, [isBusy]);
  return (
    <button
      type="button"
      ref={ref}
      {...rest}
      className={classes}
      aria-busy={isBusy || undefined}
      disabled={rest.disabled || isBusy}
    >
      {children}
    </button>
  );
}
