import { useMutation, useQueryClient } from "@tanstack/react-query";

import { messageOf } from "../lib/api.ts";
import { useToast } from "../ui/toaster.tsx";
import { refreshAdmin } from "./overview.ts";

/**
 * Runs an admin's action on a row of a list. Afterwards it reloads the list and shows the result in a toast, even if
 * the action failed.
 * @param list the list's name in its query key
 */
export function useAdminAction<Input, Result>(options: {
  list: string;
  act: (input: Input) => Promise<Result>;
  getDoneMessage: (input: Input, result: Result) => { title: string; description?: string };
  failed: string;
  onDone?: () => void;
}) {
  const client = useQueryClient();
  const toast = useToast();
  return useMutation({
    mutationFn: options.act,
    onSuccess: async (result, input) => {
      toast(options.getDoneMessage(input, result));
      options.onDone?.();
      await refreshAdmin(client, options.list);
    },
    onError: (error) => {
      toast({
        title: options.failed,
        description: messageOf(error, "Please try again."),
        tone: "destructive",
      });
      // Another admin has probably changed the row already, so show their change.
      return refreshAdmin(client, options.list);
    },
  });
}
