/** Returns a `tel:` link for a number as the customer typed it. */
export function phoneHref(phone: string): string {
  return `tel:${phone.replaceAll(/[^\d+]/g, "")}`;
}

/**
 * Returns an `sms:` link for a number as the customer typed it.
 * @param text the message; may be empty
 * @param isApple whether the device needs Apple's separator before the message
 */
export function smsHref(phone: string, text: string, isApple: boolean): string {
  const to = phoneHref(phone).replace("tel:", "sms:");
  return text ? `${to}${isApple ? "&" : "?"}body=${encodeURIComponent(text)}` : to;
}
