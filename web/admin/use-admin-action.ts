import { useMutation } from "@tanstack/react-query";

import { type ToastMessage, useToast } from "../ui/toaster.tsx";
import { adminKeys } from "./overview.ts";

/**
 * Runs an admin's action on a row of a list. Afterwards it reloads the list and shows the result in a toast, even if
 * the action failed: another admin has probably changed the row already.
 * @param list the list's name in its query key
 */
export function useAdminAction<Input, Result>(options: {
  list: string;
  act: (input: Input) => Promise<Result>;
  getDoneMessage: (input: Input, result: Result) => ToastMessage;
  failed: string;
  onDone?: () => void;
}) {
  const toast = useToast();
  return useMutation({
    mutationFn: options.act,
    meta: {
      failed: { title: options.failed, description: "Please try again." },
      refreshes: adminKeys(options.list),
    },
    onSuccess: (result, input) => {
      toast(options.getDoneMessage(input, result));
      options.onDone?.();
    },
  });
}
