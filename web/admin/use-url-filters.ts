import { useSearchParams } from "react-router";

/**
 * Reads and changes a list's filters in the URL, so that a link opens the same list.
 * @returns the value of a filter, "" when it is not set; and a setter for each filter, for which "" removes it
 */
export function useUrlFilters() {
  const [params, setParams] = useSearchParams();
  const valueOf = (name: string) => params.get(name) ?? "";
  const choose = (name: string) => (value: string) =>
    setParams(
      (current) => {
        const next = new URLSearchParams(current);
        if (value) next.set(name, value);
        else next.delete(name);
        return next;
      },
      { replace: true, preventScrollReset: true },
    );
  return { valueOf, choose };
}
