import { useMutation } from "@tanstack/react-query";
import { useRef, useState } from "react";
import { Link, redirect } from "react-router";

import { formatSuburb } from "../../contract/address.ts";
import { serviceName } from "../../contract/catalogue.ts";
import { formToObject } from "../../contract/forms.ts";
import { MAX_COUNCILS, type OwnProfile, PROFILE_WORDS_MAX, profileSchema } from "../../contract/profiles.ts";
import { joinServices } from "../../contract/service-list.ts";
import { SuburbChoices } from "../addresses/suburb-choices.tsx";
import { fetchCurrentUser } from "../auth/current-user.ts";
import { NotImpersonating } from "../auth/not-impersonating.tsx";
import { type ApiClient, messageOf, unwrap } from "../lib/api.ts";
import { browserApi } from "../lib/browser-api.ts";
import { createLazyPart, useLazyPart } from "../lib/lazy-part.ts";
import { apiContext } from "../lib/server-context.ts";
import { useAppForm } from "../lib/use-app-form.ts";
import { Alert } from "../ui/alert.tsx";
import { Button } from "../ui/button.tsx";
import { Choice, ChoiceGroup } from "../ui/choice-group.tsx";
import { Dialog } from "../ui/dialog.tsx";
import { TextAreaField, TextField } from "../ui/field.tsx";
import { Form } from "../ui/form.tsx";
import { useToast } from "../ui/toaster.tsx";
import type { Route } from "./+types/editor-page.ts";
import { OwnPhotos, useOwnPhotos } from "./own-photos.tsx";
import { ProfileView } from "./profile-view.tsx";

/** Only the preview needs the map's outlines. */
const areaMap = createLazyPart(async () => (await import("./area-map.tsx")).default);

/** Looks up a suburb and the councils around it. */
async function lookUpCouncils(client: ApiClient, address: string) {
  const { suburb, suggestions } = await unwrap(
    client.api.suburbs.by.address.$get({ query: { address: address.slice(0, 200) } }),
  );
  // The list of councils is large, and most visits don't change the suburb.
  const { listCouncilsAround } = await import("../lib/council-links.ts");
  return {
    place: suburb && { name: suburb.name, postcode: suburb.postcode },
    councils: suburb ? listCouncilsAround(suburb.council) : [],
    suggestions,
  };
}

export async function loader({ context }: Route.LoaderArgs) {
  const client = context.get(apiContext);
  const user = await fetchCurrentUser(client);
  if (!user) throw redirect("/login");
  if (user.userType !== "provider") throw redirect("/dashboard");
  const own = await unwrap(client.api.user.profile.$get());
  return { own, around: await lookUpCouncils(client, own.form.basedIn) };
}

export function meta() {
  return [{ title: "My page | Naturestrip" }, { name: "robots", content: "noindex" }];
}

const LISTS = ["councils"] as const;

/** Converts the form's fields to the schema's input. */
const read = (values: Record<string, unknown>) => ({ ...values, isPublic: values.isPublic === "on" });

/** Tells the business who can see its page. */
function State({ own: { isSaved, isEstablished, hiddenReason, form, page } }: { own: OwnProfile }) {
  if (!isSaved) return <p>Show customers who you are. It takes about five minutes.</p>;
  if (hiddenReason !== null)
    return <Alert>We’ve taken your page offline: {hiddenReason} Please call us if you disagree.</Alert>;
  if (!form.isPublic) return <p>Only you can see your page.</p>;
  if (!isEstablished)
    return (
      <p>
        Only you can see your page for now. Everyone will see it once we’ve checked your ABN, or you’ve paid
        for a lead. Send us your ABN in <Link to="/settings#checks">Settings, under Checks</Link>.
      </p>
    );
  if (page.words === "")
    return (
      <Alert>
        We’ve hidden your description. It mentions building work, and we don’t have a current licence from
        you. Send us one, or describe garden work only.
      </Alert>
    );
  return (
    <p>
      Everyone can see your page: <a href={`/provider/${page.slug}`}>/provider/{page.slug}</a>
    </p>
  );
}

/** Looks up the suburb that the business types. The councils of the last known suburb stay until the next is found. */
function useSuburb(
  initial: Awaited<ReturnType<typeof lookUpCouncils>>,
  basedIn: string,
  onFound: () => void,
) {
  const [around, setAround] = useState(initial);
  const { mutate, reset, variables, data, error, isPending } = useMutation({
    mutationFn: (address: string) => lookUpCouncils(browserApi(), address),
    onSuccess: (found) => {
      if (!found.place) return;
      setAround(found);
      onFound();
    },
  });
  const [isUnlisted, setUnlisted] = useState(false);
  const problem = isPending
    ? null
    : isUnlisted
      ? "We don't have that suburb. Please enter the nearest one in NSW."
      : error
        ? messageOf(error, OFFLINE)
        : data && !data.place
          ? "We don't know this suburb. Please check the spelling, or add the postcode."
          : null;
  const lookUp = (typed: string) => {
    const address = typed.trim();
    if (!address) return;
    setUnlisted(false);
    if (error || address !== (variables ?? basedIn)) mutate(address);
  };
  /** Removes the suggestions and says which suburbs we list. */
  const refuse = () => {
    reset();
    setUnlisted(true);
  };
  return { around, suggestions: data?.suggestions ?? [], problem, isPending, lookUp, refuse };
}

const OFFLINE = "We couldn't reach the server. Please try again.";

/** Shows the page as the form has it. */
function Preview({ profile, onClose }: { profile: OwnProfile["page"]; onClose: () => void }) {
  const { Part: AreaMap } = useLazyPart(areaMap, true);
  return (
    <Dialog title="Preview" onClose={onClose}>
      <ProfileView
        profile={profile}
        isPreview
        map={AreaMap && <AreaMap councils={profile.councils} name={profile.name} />}
      />
    </Dialog>
  );
}

export default function EditorPage({ loaderData }: Route.ComponentProps) {
  const [own, setOwn] = useState(loaderData.own);
  const [preview, setPreview] = useState<OwnProfile["page"] | null>(null);
  const logo = useOwnPhotos("logo")[0] ?? null;
  const work = useOwnPhotos("work");
  const suburbField = useRef<HTMLInputElement>(null);
  const toast = useToast();
  const { formProps, errors, clearError, isBusy } = useAppForm({
    schema: profileSchema,
    lists: LISTS,
    read,
    send: (json) => unwrap(browserApi().api.user.profile.$put({ json })),
    meta: { failed: { title: "Your page wasn't saved", description: OFFLINE } },
    onSuccess: (answer) => {
      setOwn(answer);
      toast({
        title: answer.form.isPublic && answer.isEstablished ? "Saved. Everyone can see your page." : "Saved",
      });
    },
  });
  const { form } = loaderData.own;
  const { around, suggestions, problem, isPending, lookUp, refuse } = useSuburb(
    loaderData.around,
    form.basedIn,
    // The first of the new councils is chosen.
    () => clearError("councils"),
  );
  const councils = [...new Set([...around.councils, ...loaderData.around.councils, ...form.councils])];
  const showPreview = (values: Record<string, unknown>) =>
    setPreview({
      ...own.page,
      suburb: around.place,
      words: String(values.words ?? ""),
      councils: values.councils as string[],
    });
  return (
    <div className="stack gap-5 profile-editor">
      <header className="cluster head">
        <h1>My page</h1>
      </header>
      <div className="stack gap-2 muted profile-editor__state">
        <State own={own} />
      </div>
      <Form
        className="form"
        {...formProps}
        onSubmit={(event) => {
          // Enter submits the form from within the field.
          lookUp(suburbField.current!.value);
          formProps.onSubmit(event);
        }}
      >
        <TextAreaField
          name="words"
          label="About your business"
          required
          rows={7}
          maxLength={PROFILE_WORDS_MAX}
          defaultValue={form.words}
          hint="What you do, for how long, and what customers can expect. Leave out phone numbers and links."
        />
        <p className="form__note">
          Your page lists the services in your settings: {joinServices(own.page.services.map(serviceName))}.{" "}
          <Link to="/settings#work">Change them</Link>
        </p>
        <TextField
          name="basedIn"
          label="Suburb where you're based"
          required
          autoComplete="address-level2"
          placeholder="e.g. Marrickville 2204"
          maxLength={100}
          defaultValue={form.basedIn}
          hint="Customers see the suburb, not your street."
          ref={suburbField}
          error={errors.basedIn ?? problem ?? (councils.length === 0 ? errors.councils : undefined)}
          onBlur={({ target: { value } }) => lookUp(value)}
        />
        <SuburbChoices
          suburbs={suggestions}
          address=""
          onChoose={(suburb) => {
            suburbField.current!.value = formatSuburb(suburb);
            lookUp(formatSuburb(suburb));
          }}
          onNone={() => {
            const field = suburbField.current!;
            field.value = "";
            refuse();
            field.focus();
          }}
        />
        {councils.length === 0 ? (
          <p className="form__note">
            {isPending
              ? "Looking for the councils around your suburb…"
              : "Enter your suburb, then choose the councils where you work."}
          </p>
        ) : (
          <ChoiceGroup
            name="councils"
            legend={`Councils where you work (up to ${MAX_COUNCILS})`}
            type="checkbox"
            required
            options={councils.map((council) => ({ value: council, label: council }))}
            chosen={form.councils.length > 0 ? form.councils : councils.slice(0, 1)}
          />
        )}
        <OwnPhotos kind="logo" />
        <OwnPhotos kind="work" />
        <Choice
          id="isPublic"
          name="isPublic"
          type="checkbox"
          label="Show my page to everyone"
          checked={form.isPublic}
        />
        <p className="form__note">
          Your page says how soon you call. Pages of suburbs where you work may list you, and say how many
          customers you called in time.
        </p>
        <div className="form__foot">
          <Button
            variant="quiet"
            onClick={(event) =>
              showPreview(formToObject(new FormData(event.currentTarget.form!), { lists: LISTS }))
            }
          >
            Preview
          </Button>
          <NotImpersonating only="save this page and its photos">
            <Button type="submit" variant="main" isBusy={isBusy}>
              {isBusy ? "Saving…" : "Save my page"}
            </Button>
          </NotImpersonating>
        </div>
      </Form>
      {preview && <Preview profile={{ ...preview, logo, work }} onClose={() => setPreview(null)} />}
    </div>
  );
}
