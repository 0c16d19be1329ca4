import { MAX_PHOTOS, type Photo, photoUrl } from "../../contract/photos.ts";
import type { CustomerRequest } from "../../contract/request-links.ts";
import { Island } from "../documents/island.tsx";
import { type ApiClient, unwrap } from "../lib/api.ts";
import AddPhotos from "../photos/add-photos.island.tsx";
import { AskButton } from "./final-acts.tsx";
import { photosFile } from "../photos/photos-file.ts";

/** Values of the forms' hidden field, which tells the page's action what to do. */
export const PHOTO_INTENTS = ["delete-photo", "show-photo", "hide-photo"] as const;
type PhotoIntent = (typeof PHOTO_INTENTS)[number];

/** Deletes a photo, or says whether everyone may see it, as the posted form asks. @throws ApiError */
export async function actOnPhoto(
  api: ApiClient["api"]["photos"],
  form: FormData,
  token: string,
): Promise<void> {
  const param = { id: String(form.get("photo")) };
  const intent = form.get("intent") as PhotoIntent;
  if (intent === "delete-photo") await unwrap(api[":id"].removal.$post({ param, json: { token } }));
  else
    await unwrap(api[":id"].agreement.$post({ param, json: { token, isAgreed: intent === "show-photo" } }));
}

/** Shows the customer's photos, and those of the work that the provider would like to show to everyone. */
export function RequestPhotos({
  request,
  token,
  canAdd,
}: {
  request: CustomerRequest;
  token: string;
  canAdd: boolean;
}) {
  const own = request.photos.filter(({ kind }) => kind === "request");
  const work = request.photos.filter(({ kind }) => kind !== "request");
  const isFull = own.length >= MAX_PHOTOS.request;
  return (
    <>
      {own.length > 0 && (
        <section className="request__contact" aria-labelledby="own-photos">
          <h2 id="own-photos">Your photos</h2>
          <p>
            {request.provider
              ? `${request.provider.name}, their team and our team can see these.`
              : "Only your provider, their team and our team can see these."}
          </p>
          <ul className="photos__list">
            {own.map((photo, index) => (
              <PhotoItem key={photo.id} photo={photo} token={token} name={`Your photo ${index + 1}`}>
                <AskButton intent="delete-photo" photo={photo.id} label={`Delete photo ${index + 1}`}>
                  Delete
                </AskButton>
              </PhotoItem>
            ))}
          </ul>
        </section>
      )}
      {canAdd && !isFull && (
        <Island
          file="photos/add-photos.island.tsx"
          component={AddPhotos}
          when="touch"
          props={{ token, file: photosFile() }}
        />
      )}
      {work.length > 0 && (
        <section className="request__contact" aria-labelledby="work-photos">
          <h2 id="work-photos">Photos of the work</h2>
          <p>
            {request.provider?.name ?? "Your provider"} would like to show these on the provider’s page and
            our service pages, with your suburb. A photo is public only if you agree, and you can change your
            mind at any time.
          </p>
          <ul className="photos__list">
            {work.map((photo) => {
              const name = photo.kind === "before" ? "Before" : "After";
              return (
                <PhotoItem key={photo.id} photo={photo} token={token} name={name}>
                  <span>
                    {name}, {photo.isAgreed ? "shown" : "not shown"}
                  </span>
                  {photo.isAgreed ? (
                    <PhotoButton photo={photo} intent="hide-photo" label={`Hide the photo “${name}”`}>
                      Hide
                    </PhotoButton>
                  ) : (
                    <PhotoButton
                      photo={photo}
                      intent="show-photo"
                      label={`I agree to show the photo “${name}”`}
                    >
                      I Agree
                    </PhotoButton>
                  )}
                </PhotoItem>
              );
            })}
          </ul>
        </section>
      )}
    </>
  );
}

function PhotoItem({
  photo,
  token,
  name,
  children,
}: {
  photo: Photo;
  token: string;
  name: string;
  children: React.ReactNode;
}) {
  return (
    <li>
      <a href={photoUrl(photo.id, "large", token)} target="_blank" rel="noreferrer">
        <img src={photoUrl(photo.id, "small", token)} alt={name} width={240} height={240} loading="lazy" />
      </a>
      {children}
    </li>
  );
}

function PhotoButton({
  photo,
  intent,
  label,
  children,
}: {
  photo: Photo;
  intent: PhotoIntent;
  label: string;
  children: string;
}) {
  return (
    <form method="post">
      <input type="hidden" name="intent" value={intent} />
      <input type="hidden" name="photo" value={photo.id} />
      <button className="button button--quiet" type="submit" aria-label={label}>
        {children}
      </button>
    </form>
  );
}
