import { useMutation } from "@tanstack/react-query";

import { type ToastMessage, useToast } from "../ui/toaster.tsx";
import { adminMeta } from "./overview.ts";

/** Runs an admin's action on a row of a list, then reloads the list. @param list the list's name in its query key */
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
    meta: adminMeta(options.list, options.failed),
    onSuccess: (result, input) => {
      toast(options.getDoneMessage(input, result));
      options.onDone?.();
    },
  });
}
