import { useMemo, useState } from "react";

import { MAX_PHOTOS, type Photo, photoUrl } from "../../contract/photos.ts";
import { NotImpersonating } from "../auth/not-impersonating.tsx";
import { messageOf, unwrap } from "../lib/api.ts";
import { fromBase64 } from "../lib/base64.ts";
import { browserApi } from "../lib/browser-api.ts";
import { DeletePhoto } from "../photos/delete-photo.tsx";
import { Thumbnail } from "../photos/thumbnail.tsx";
import { PHOTO_NOT_SENT } from "../photos/upload-photos.ts";
import { Alert } from "../ui/alert.tsx";
import type { PhotoEntry, WorkKind } from "./entries.ts";
import { WORK_NAMES } from "./entry-texts.ts";
import type { PurchasedLead } from "./purchases.ts";
import { usePurchaseDetail } from "./refresh-purchases.ts";
import { useOutbox } from "./use-outbox.ts";
import { useWorkPhotos } from "./use-work-photos.ts";

/** Called by handlers only: the server, which renders this first, has no such client. */
const photoApi = () => browserApi().api.photos[":id"];
/** Offers a photo for the business's page and the service pages, or takes the offer back. */
const toggleOffer = ({ id, isOffered }: Photo) =>
  unwrap(photoApi().$patch({ param: { id }, json: { isOffered: !isOffered } }));

const isWork = (kind: string): kind is WorkKind => kind in WORK_NAMES;

function PhotoLink({ photo, name }: { photo: Photo; name: string }) {
  return (
    <a href={photoUrl(photo.id, "large")} target="_blank" rel="noreferrer">
      <img src={photoUrl(photo.id, "small")} alt={name} width={240} height={240} loading="lazy" />
    </a>
  );
}

/** Shows the photos that the customer sent. Renders nothing without any. */
export function CustomerPhotos({ purchase }: { purchase: PurchasedLead }) {
  const photos = (usePurchaseDetail(purchase.id).data?.photos ?? []).filter(({ kind }) => kind === "request");
  if (photos.length === 0) return null;
  return (
    <ul className="stack photo-list" aria-label="The customer’s photos">
      {photos.map((photo, index) => (
        <li key={photo.id}>
          <PhotoLink photo={photo} name={`The customer’s photo ${index + 1}`} />
        </li>
      ))}
    </ul>
  );
}

/** Shows a photo that the server does not have yet. */
function WaitingPhoto({ entry: { id, body } }: { entry: PhotoEntry }) {
  const isLate = useOutbox((outbox) => outbox.stateOf(id) === "late", false);
  const isUnstored = useOutbox((outbox) => outbox.isUnstored(id), false);
  const blob = useMemo(() => new Blob([fromBase64(body.bytes)], { type: body.type }), [body]);
  return (
    <li>
      <Thumbnail blob={blob} />
      <strong>{WORK_NAMES[body.of]}</strong>
      <span>
        {isUnstored
          ? "Keep this page open. We couldn't save this photo on your device."
          : isLate
            ? "Not sent yet. We’ll keep trying."
            : "Adding…"}
      </span>
    </li>
  );
}

/** Lets a business keep photos from before and after the job, and offer them for its page and the service pages. */
export function WorkPhotos({ purchase }: { purchase: PurchasedLead }) {
  const detail = usePurchaseDetail(purchase.id);
  const [isBusy, setIsBusy] = useState(false);
  const [added, setAdded] = useState<WorkKind | null>(null);
  const [failure, setFailure] = useState<string | null>(null);
  const { waiting, add } = useWorkPhotos(purchase);
  const photos: Photo[] = (detail.data?.photos ?? []).filter(({ kind }) => isWork(kind));

  const roomOf = (of: WorkKind) =>
    MAX_PHOTOS[of] -
    photos.filter(({ kind }) => kind === of).length -
    waiting.filter(({ body }) => body.of === of).length;
  const addable = (Object.keys(WORK_NAMES) as WorkKind[]).filter((kind) => roomOf(kind) > 0);

  async function addFiles(kind: WorkKind, files: readonly File[]) {
    setAdded(kind);
    setFailure(await add(kind, files, roomOf(kind)));
    setAdded(null);
  }

  async function run(work: () => Promise<unknown>) {
    setIsBusy(true);
    setFailure(null);
    try {
      await work();
      await detail.refetch();
    } catch (error) {
      setFailure(messageOf(error, PHOTO_NOT_SENT));
    } finally {
      setIsBusy(false);
    }
  }

  return (
    <section className="stack" aria-labelledby="work-photos">
      <h3 id="work-photos">Photos of your work</h3>
      {purchase.mode !== "manual" && photos.length > 0 && (
        <p>
          A photo that you show is on your page and our service pages, with the suburb, once the customer
          agrees.
        </p>
      )}
      {failure && <Alert>{failure}</Alert>}
      {photos.length > 0 && (
        <ul className="stack photo-list">
          {photos.map((photo) => {
            const name = WORK_NAMES[photo.kind as WorkKind];
            const param = { id: photo.id };
            return (
              <li key={photo.id}>
                <PhotoLink photo={photo} name={name} />
                <strong>{name}</strong>
                {photo.isOffered && (
                  <span>{photo.isAgreed ? "On your page" : "Waiting for the customer to agree"}</span>
                )}
                <NotImpersonating>
                  {purchase.mode !== "manual" && (
                    <button
                      type="button"
                      className="button button--quiet"
                      disabled={isBusy}
                      onClick={() => void run(() => toggleOffer(photo))}
                    >
                      {!photo.isOffered
                        ? "Show on Our Page"
                        : photo.isAgreed
                          ? "Take Off Our Page"
                          : "Don’t Show It"}
                    </button>
                  )}
                  <DeletePhoto
                    name={`the photo “${name}”`}
                    disabled={isBusy}
                    onDelete={() => void run(async () => unwrap(photoApi().$delete({ param })))}
                  />
                </NotImpersonating>
              </li>
            );
          })}
        </ul>
      )}
      {waiting.length > 0 && (
        <ul className="stack photo-list" aria-label="Photos that aren’t sent yet">
          {waiting.map((entry) => (
            <WaitingPhoto key={entry.id} entry={entry} />
          ))}
        </ul>
      )}
      <NotImpersonating only="change these photos">
        <div className="cluster gap-2 work-photos__add">
          {addable.map((kind) => (
            <label key={kind} className="button button--quiet">
              {added === kind ? "Adding…" : `Add “${WORK_NAMES[kind]}”`}
              <input
                className="visually-hidden"
                type="file"
                accept="image/*"
                multiple
                disabled={isBusy || added !== null}
                onChange={({ target }) => {
                  const files = [...(target.files ?? [])];
                  target.value = "";
                  void addFiles(kind, files);
                }}
              />
            </label>
          ))}
        </div>
      </NotImpersonating>
    </section>
  );
}
