import { useSyncExternalStore } from "react";

/** Creates a value outside React, for components that read it with `useStore`. */
export function createStore<Value>(value: Value) {
  const listeners = new Set<() => void>();
  /** Reports a change of other state that readers combine with the value. */
  const notify = () => listeners.forEach((listener) => listener());
  return {
    read: () => value,
    write(next: Value) {
      value = next;
      notify();
    },
    notify,
    /** @returns a function that unsubscribes */
    subscribe(listener: () => void) {
      listeners.add(listener);
      return () => void listeners.delete(listener);
    },
  };
}

export type Store<Value> = ReturnType<typeof createStore<Value>>;

/** Returns a store's value. @param onServer the value that the server renders */
export function useStore<Value>(
  { subscribe, read }: Pick<Store<Value>, "subscribe" | "read">,
  onServer: Value,
) {
  return useSyncExternalStore(subscribe, read, () => onServer);
}
