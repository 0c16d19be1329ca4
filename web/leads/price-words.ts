/** A price as people say it: "50.00" is "$50", "49.50" stays "$49.50". */
export function priceWords(price: string): string {
  return `$${price.replace(/\.00$/, "")}`;
}
