/** Calls a number as people typed it. */
export function phoneHref(phone: string): string {
  return `tel:${phone.replaceAll(/[^\d+]/g, "")}`;
}

/**
 * Opens a text message to a number as people typed it.
 * @param text what stands in it; empty for a blank one
 * @param isApple iPhones join a message to the number in a way of their own
 */
export function smsHref(phone: string, text: string, isApple: boolean): string {
  const to = phoneHref(phone).replace("tel:", "sms:");
  return text ? `${to}${isApple ? "&" : "?"}body=${encodeURIComponent(text)}` : to;
}
