import { type QueryKey, useQueryClient } from "@tanstack/react-query";
import { type ReactNode, useId } from "react";
import type * as z from "zod/mini";

import { useIsImpersonating } from "../auth/not-impersonating.tsx";
import { useAppForm } from "../lib/use-app-form.ts";
import { useWithConfirmation } from "../passkeys/use-with-confirmation.tsx";
import { Button } from "../ui/button.tsx";
import { Form } from "../ui/form.tsx";

type FormOptions<Schema extends z.ZodMiniType, Answer> = Parameters<typeof useAppForm<Schema, Answer>>[0];

/**
 * Shows a form that saves settings, with its button and its toasts. If the server asks the user to confirm their
 * identity, the form is sent again afterwards.
 * @param query a query's key; the server's answer updates its data
 * @param save the text of its button
 * @param ownersOnly what an impersonating admin reads instead, such as "change the password" for "Only the account's
 *   owner can change the password."
 * @param foot another button, before the one that saves
 */
export function SettingsForm<Schema extends z.ZodMiniType, Answer extends object>({
  title,
  note,
  query,
  save,
  ownersOnly,
  foot,
  send,
  onSuccess,
  children,
  ...form
}: {
  title?: string;
  note: ReactNode;
  query?: QueryKey;
  save: string;
  ownersOnly?: string;
  foot?: ReactNode;
  children: ReactNode;
} & Pick<FormOptions<Schema, Answer>, "schema" | "lists" | "read" | "send" | "meta" | "onSuccess">) {
  const client = useQueryClient();
  const withConfirmation = useWithConfirmation();
  const titleId = useId();
  const { formProps, isBusy } = useAppForm({
    ...form,
    send: (values: z.output<Schema>) => withConfirmation(() => send(values)),
    onSuccess: (answer, element) => {
      if (query)
        client.setQueryData(query, (before: object | undefined) => before && { ...before, ...answer });
      onSuccess?.(answer, element);
    },
  });
  if (useIsImpersonating() && ownersOnly)
    return <p className="form__note">Only the account's owner can {ownersOnly}. Stop impersonating first.</p>;
  return (
    <Form
      className={title ? "settings__part" : "form"}
      aria-labelledby={title ? titleId : undefined}
      {...formProps}
    >
      {title && <h3 id={titleId}>{title}</h3>}
      <p className="form__note">{note}</p>
      {children}
      <div className="form__foot">
        {foot}
        <Button type="submit" variant="main" isBusy={isBusy}>
          {isBusy ? "Saving…" : save}
        </Button>
      </div>
    </Form>
  );
}
