const EXACT = new Intl.NumberFormat("en-AU", { style: "currency", currency: "AUD" });
const WHOLE = new Intl.NumberFormat("en-AU", {
  style: "currency",
  currency: "AUD",
  maximumFractionDigits: 0,
});

/** Formats a price: "50.00" is "$50", "49.50" stays "$49.50". */
export function formatPrice(price: string): string {
  return `$${price.replace(/\.00$/, "")}`;
}

/** Formats an amount to the cent, as on a receipt: "50.00" is "$50.00", "1234.5" is "$1,234.50". */
export function formatAmount(amount: string): string {
  return EXACT.format(Number(amount));
}

/** Formats a sum: "1234.50" is "$1,234.50", "50.00" is "$50". */
export function formatMoney(sum: string): string {
  return EXACT.format(Number(sum)).replace(/\.00$/, "");
}

/** Formats whole dollars, for axes and bars: 1234 is "$1,234". */
export function formatDollars(dollars: number): string {
  return WHOLE.format(dollars);
}

/** Formats a starting price in whole dollars: 45 is "$45". */
export function formatFromPrice(dollars: number | string): string {
  return `$${dollars}`;
}
