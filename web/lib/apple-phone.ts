/** Whether this is an iPhone or iPad, where much depends on the home screen; to be asked in the browser only. */
export function isApplePhone(): boolean {
  // An iPad says that it is a Mac; no Mac has a touch screen.
  const isDisguised = navigator.userAgent.includes("Macintosh") && navigator.maxTouchPoints > 1;
  return isDisguised || /iPhone|iPad|iPod/.test(navigator.userAgent);
}
