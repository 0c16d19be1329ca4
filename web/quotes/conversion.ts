/**
 * Reports a sent request to Google Ads, worth 30 AUD, if the visitor agrees. Until then, the page neither loads nor
 * stores anything from Google. This browser stores the visitor's answer.
 */
const CONVERSION = { value: 30, currency: "AUD" } as const;
const CONSENT_KEY = "ads-consent";

declare global {
  interface Window {
    dataLayer?: unknown[];
  }
  interface Navigator {
    /** https://w3c.github.io/gpc/ */
    globalPrivacyControl?: boolean;
  }
}

/** Returns whether the visitor just arrived. A reload or Back is not a new request. */
function isFirstVisit(): boolean {
  const [navigation] = performance.getEntriesByType("navigation") as PerformanceNavigationTiming[];
  return navigation?.type === "navigate";
}

function readConsent(): string | null {
  try {
    return localStorage.getItem(CONSENT_KEY);
  } catch {
    // The browser blocks storage, so ask each time.
    return null;
  }
}

function storeConsent(choice: string) {
  try {
    localStorage.setItem(CONSENT_KEY, choice);
  } catch {
    // The browser blocks storage, so ask again next time.
  }
}

/** Loads Google's tag and reports the conversion. @param conversion "AW-<account>/<label>" */
function reportConversion(conversion: string) {
  const account = conversion.slice(0, conversion.indexOf("/"));
  const queue = (window.dataLayer ??= []);
  // The tag recognises commands only as `arguments` objects, not as arrays.
  const command: (...words: unknown[]) => void = function () {
    // oxlint-disable-next-line prefer-rest-params
    queue.push(arguments);
  };
  command("js", new Date());
  command("config", account);
  command("event", "conversion", { send_to: conversion, ...CONVERSION });
  const script = document.createElement("script");
  script.async = true;
  script.src = `https://www.googletagmanager.com/gtag/js?id=${encodeURIComponent(account)}`;
  document.head.appendChild(script);
}

function focusMain() {
  const main = document.querySelector("main")!;
  main.tabIndex = -1;
  main.focus({ preventScroll: true });
}

function askForConsent(element: HTMLElement, conversion: string) {
  element.hidden = false;
  element.addEventListener("click", ({ target }) => {
    const choice = (target as Element).closest("button")?.value;
    if (!choice) return;
    storeConsent(choice);
    element.hidden = true;
    // The hidden question has lost the focus, so move it back to the page.
    focusMain();
    if (choice === "yes") reportConversion(conversion);
  });
}

function start() {
  const element = document.querySelector<HTMLElement>("[data-conversion]");
  if (!element || !isFirstVisit() || navigator.globalPrivacyControl) return;
  const conversion = element.dataset.conversion!;
  const choice = readConsent();
  if (choice === "yes") reportConversion(conversion);
  if (choice === null) askForConsent(element, conversion);
}

if (document.readyState === "loading") addEventListener("DOMContentLoaded", start);
else start();
