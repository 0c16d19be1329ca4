import { useMutation, useQueryClient } from "@tanstack/react-query";
import { useRef, useState } from "react";

import {
  fillTemplate,
  MAX_TEMPLATES,
  TEMPLATE_MAX,
  type TextTemplate,
  type TextTemplates,
  textTemplatesSchema,
} from "../../contract/text-templates.ts";
import { ApiError, unwrap } from "../lib/api.ts";
import { browserApi } from "../lib/browser-api.ts";
import { checkForm } from "../lib/check-form.ts";
import { LoadFailure } from "../leads/load-failure.tsx";
import { TEXTS_KEY, useTextTemplates } from "../purchases/text-links.tsx";
import { Button } from "../ui/button.tsx";
import { TextAreaField, TextField } from "../ui/field.tsx";

type Row = TextTemplate & { key: string };

const rowOf = (template: TextTemplate): Row => ({ ...template, key: crypto.randomUUID() });

export function TextTemplatesForm() {
  const { data, error, refetch } = useTextTemplates();
  if (!data) {
    return error ? <LoadFailure error={error} retry={refetch} /> : <p className="form__note">Loading…</p>;
  }
  return <Editor stored={data} />;
}

/** Saves the templates and shows the result. */
function useSaveTemplates(onErrors: (errors: Record<string, string>) => void) {
  const client = useQueryClient();
  return useMutation({
    mutationFn: (json: { templates: TextTemplate[] }) =>
      unwrap(browserApi().api.user["text-templates"].$put({ json })),
    meta: {
      done: "Messages saved",
      failed: {
        title: "Messages weren't saved",
        description: "We couldn't reach the server. Please try again.",
      },
    },
    onSuccess: ({ templates }) =>
      client.setQueryData<TextTemplates>(TEXTS_KEY, (known) => known && { ...known, templates }),
    onError: (error) => onErrors(error instanceof ApiError ? (error.problem?.errors ?? {}) : {}),
  });
}

function Editor({ stored: { templates, business } }: { stored: TextTemplates }) {
  const [rows, setRows] = useState<Row[]>(() => templates.map(rowOf));
  const [errors, setErrors] = useState<Record<string, string>>({});
  const form = useRef<HTMLFormElement>(null);
  const { mutate, isPending } = useSaveTemplates(setErrors);
  const change = (key: string, part: Partial<TextTemplate>) =>
    setRows(rows.map((row) => (row.key === key ? { ...row, ...part } : row)));
  const submit = (event: React.FormEvent) => {
    event.preventDefault();
    const checked = checkForm(textTemplatesSchema, {
      templates: rows.map(({ name, text }) => ({ name, text })),
    });
    setErrors(checked.errors ?? {});
    if (checked.values) return mutate(checked.values);
    const [first] = Object.keys(checked.errors ?? {});
    if (first) form.current?.querySelector<HTMLElement>(`[name="${first}"]`)?.focus();
  };
  return (
    <form className="form" ref={form} onSubmit={submit} noValidate>
      <p className="form__note">
        Up to {MAX_TEMPLATES} messages you can send a customer with one tap. Write {"{name}"}, {"{suburb}"} or{" "}
        {"{business}"} and we'll fill it in.
      </p>
      {rows.map(({ key, name, text }, index) => (
        <section key={key} className="settings__part" aria-label={name || `Message ${index + 1}`}>
          <TextField
            name={`templates.${index}.name`}
            label="Name"
            required
            maxLength={40}
            value={name}
            error={errors[`templates.${index}.name`]}
            onChange={(event) => change(key, { name: event.target.value })}
          />
          <TextAreaField
            name={`templates.${index}.text`}
            label="Message"
            required
            rows={3}
            maxLength={TEMPLATE_MAX}
            value={text}
            hint={<Sample text={text} business={business} />}
            error={errors[`templates.${index}.text`]}
            onChange={(event) => change(key, { text: event.target.value })}
          />
          <div>
            <Button variant="quiet" onClick={() => setRows(rows.filter((row) => row.key !== key))}>
              Remove<span className="visually-hidden"> {name || "this message"}</span>
            </Button>
          </div>
        </section>
      ))}
      <div className="form__foot">
        <Button
          variant="quiet"
          disabled={rows.length >= MAX_TEMPLATES}
          onClick={() => setRows([...rows, rowOf({ name: "", text: "" })])}
        >
          Add message
        </Button>
        <Button type="submit" variant="main" isBusy={isPending}>
          {isPending ? "Saving…" : "Save messages"}
        </Button>
      </div>
    </form>
  );
}

/** Shows a preview of the message and its length in characters. */
function Sample({ text, business }: { text: string; business: string | null }) {
  const read = fillTemplate(text, { name: "Anna", suburb: "Leichhardt", business });
  return (
    <>
      {text.includes("{") && <>They'll see: “{read}” </>}
      {text.length} of {TEMPLATE_MAX} characters.
    </>
  );
}
