import { createElement } from "react";
import { renderToStaticMarkup } from "react-dom/server";
import { expect, test } from "vitest";

import { ErrorBoundary } from "./app-pages.tsx";

const show = (error: unknown) => renderToStaticMarkup(createElement(ErrorBoundary, { error }));

test.each([
  "Failed to fetch",
  "NetworkError when attempting to fetch resource.",
  "Load failed",
  "Failed to fetch dynamically imported module: https://naturestrip.test/assets/receipts.js",
])("a page that did not load because the network failed (%s) asks to check the connection", (message) => {
  expect(show(new TypeError(message))).toContain("Please check your connection.");
});

test.each([
  ["a fault of the server", new Error("Unexpected Server Error")],
  ["an error response", { status: 500, statusText: "", internal: false, data: null }],
  ["a fault of the page", new TypeError("Cannot read properties of undefined (reading 'name')")],
])("after %s, a page does not blame the connection", (_, error) => {
  expect(show(error)).toContain("The problem is at our end, not yours.");
  expect(show(error)).not.toContain("connection");
});
