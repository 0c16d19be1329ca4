/** Acts of a customer that cannot be undone. */
import type { ReactNode } from "react";

import { photoUrl } from "../../contract/photos.ts";
import type { FieldErrors } from "../../contract/problem.ts";
import type { CustomerRequest } from "../../contract/request-links.ts";
import { DigitsField, digitsName, type TypedForm } from "./digits-field.tsx";

const FINAL_INTENTS = ["withdraw", "erase", "delete-photo"] as const;
type FinalIntent = (typeof FINAL_INTENTS)[number];

type FinalForm = TypedForm & { intent: FinalIntent };

/** Value of the field that only the page with the question posts. */
const CONFIRMED = "yes";

export const isFinalAct = (form: TypedForm | null): form is FinalForm =>
  FINAL_INTENTS.some((intent) => intent === form?.intent);

/** Returns whether to ask first. Some mail scanners press the buttons of a page that they open. They stop there. */
export const isUnconfirmed = (form: TypedForm) => isFinalAct(form) && form.confirmed !== CONFIRMED;

/** Opens the page with the question. */
export function AskButton({
  intent,
  photo,
  label,
  children,
}: {
  intent: FinalIntent;
  photo?: string;
  label?: string;
  children: ReactNode;
}) {
  return (
    <form method="post" action="?">
      <input type="hidden" name="intent" value={intent} />
      {photo && <input type="hidden" name="photo" value={photo} />}
      <button className="button button--quiet" type="submit" aria-label={label}>
        {children}
      </button>
    </form>
  );
}

/** The texts of the question about an act. */
function questionOf({ intent, photo }: FinalForm, request: CustomerRequest | null) {
  const provider = request?.provider;
  if (intent === "withdraw")
    return provider
      ? {
          title: "Call off the job?",
          text: `We’ll let ${provider.name} know that you don’t need the job any more.`,
          button: "Yes, Call It Off",
        }
      : {
          title: "Withdraw your request?",
          text: "Providers won’t see it any more, and none of them gets your details.",
          button: "Yes, Withdraw It",
        };
  if (intent === "erase")
    return {
      title: "Delete your data?",
      text: `We’ll delete your name, number, email, address and photos, and everything else you wrote. ${
        provider
          ? "Your provider will see that you’ve deleted them, and can’t look them up on our site any more."
          : request
            ? "Providers won’t see the job any more."
            : ""
      }`,
      button: "Delete My Data",
    };
  const own = (request?.photos ?? []).filter(({ kind }) => kind === "request");
  const number = own.findIndex(({ id }) => id === photo) + 1;
  return { title: "Delete this photo?", text: null, button: `Yes, Delete Photo ${number || ""}`.trim() };
}

/**
 * Asks on a page of its own before an act.
 * @param request null once it is withdrawn
 * @param act the posted form
 */
export function FinalAct({
  request,
  act,
  errors,
  token,
}: {
  request: CustomerRequest | null;
  act: FinalForm;
  errors: FieldErrors | undefined;
  token: string;
}) {
  const { title, text, button } = questionOf(act, request);
  const photo = request?.photos.find(({ id }) => id === act.photo);
  return (
    <>
      <h1 id="request-title">{title}</h1>
      <form method="post" action="?" className="form" noValidate>
        <input type="hidden" name="intent" value={act.intent} />
        <input type="hidden" name="confirmed" value={CONFIRMED} />
        {photo && (
          <>
            <input type="hidden" name="photo" value={photo.id} />
            <img src={photoUrl(photo.id, "small", token)} alt="" width={240} height={240} />
          </>
        )}
        <p>{text && `${text} `}You can’t undo this.</p>
        {act.intent === "erase" && (
          <DigitsField intent="erase" typed={act[digitsName("erase")]} error={errors?.lastDigits} />
        )}
        <button className="button button--quiet" type="submit">
          {button}
        </button>
      </form>
      {request && <a href={`/request/${token}`}>Back to your request</a>}
    </>
  );
}
