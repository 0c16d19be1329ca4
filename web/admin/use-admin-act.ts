import { useMutation, useQueryClient } from "@tanstack/react-query";

import { messageOf } from "../lib/api.ts";
import { useToast } from "../ui/toaster.tsx";
import { refreshAdmin } from "./overview.ts";

/**
 * Something an admin does about a row of a list: afterwards the list is asked for again, also when it
 * failed, and a toast says how it went.
 * @param list the list's name in its query key
 */
export function useAdminAct<Input, Result>(options: {
  list: string;
  act: (input: Input) => Promise<Result>;
  done: (input: Input, result: Result) => { title: string; description?: string };
  failed: string;
  onDone?: () => void;
}) {
  const client = useQueryClient();
  const toast = useToast();
  return useMutation({
    mutationFn: options.act,
    onSuccess: async (result, input) => {
      toast(options.done(input, result));
      options.onDone?.();
      await refreshAdmin(client, options.list);
    },
    onError: (error) => {
      toast({
        title: options.failed,
        description: messageOf(error, "Please try again."),
        tone: "destructive",
      });
      // Somebody else was quicker, most likely: the list shows what they did.
      return refreshAdmin(client, options.list);
    },
  });
}
