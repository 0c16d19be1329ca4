/** Returns whether this is an iPhone or iPad, where some features need the home screen app. Browser only. */
export function isApplePhone(): boolean {
  // An iPad identifies as a Mac, but no Mac has a touch screen.
  const isDisguised = navigator.userAgent.includes("Macintosh") && navigator.maxTouchPoints > 1;
  return isDisguised || /iPhone|iPad|iPod/.test(navigator.userAgent);
}
