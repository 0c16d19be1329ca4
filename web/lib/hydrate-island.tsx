import type { ComponentType } from "react";
import { hydrateRoot } from "react-dom/client";

/**
 * Brings an island to life over the HTML the server sent. Inputs are uncontrolled throughout, so what
 * was typed before this moment stays in them.
 * @param element the island's wrapper, which carries its props
 * @param module the island's module; its default export is the component the server rendered
 */
export function hydrateIsland(element: HTMLElement, module: { default: ComponentType<object> }) {
  const Component = module.default;
  hydrateRoot(element, <Component {...(JSON.parse(element.dataset.props ?? "{}") as object)} />, {
    identifierPrefix: element.dataset.prefix ?? "",
  });
  element.dataset.alive = "";
}
