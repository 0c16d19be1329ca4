import { useMutation, useQuery, useQueryClient } from "@tanstack/react-query";
import { useId } from "react";

import { MAX_PHOTOS, type Photo, photoUrl } from "../../contract/photos.ts";
import { NotImpersonating } from "../auth/not-impersonating.tsx";
import { messageOf, unwrap } from "../lib/api.ts";
import { browserApi } from "../lib/browser-api.ts";
import { reload } from "../lib/query-client.ts";
import { DeletePhoto } from "../photos/delete-photo.tsx";
import { PHOTO_NOT_SENT, uploadPhotos } from "../photos/upload-photos.ts";
import { Alert } from "../ui/alert.tsx";

/** Photos that belong to the business itself. */
type OwnKind = "logo" | "work";

const LABELS = {
  logo: { title: "Logo, or a photo of you", add: "Add a logo or photo", photo: "Logo", note: null },
  work: {
    title: "Photos of your work",
    add: "Add photos",
    photo: "Photo",
    note: `Up to ${MAX_PHOTOS.work}. Show a customer’s garden only if they agree.`,
  },
} as const satisfies Record<OwnKind, object>;

const keyOf = (kind: OwnKind) => ["own-photos", kind] as const;

/** Returns the business's own photos of a kind, oldest first. */
export function useOwnPhotos(kind: OwnKind): Photo[] {
  const { data } = useQuery({
    queryKey: keyOf(kind),
    queryFn: () => unwrap(browserApi().api.photos.own[":kind"].$get({ param: { kind } })),
  });
  return data?.photos ?? [];
}

/** Lets a business add and delete its own photos. They are stored at once, without the form. */
export function OwnPhotos({ kind }: { kind: OwnKind }) {
  const client = useQueryClient();
  const titleId = useId();
  const photos = useOwnPhotos(kind);
  const { mutate, isPending, error } = useMutation({
    mutationFn: (change: () => Promise<unknown>) => change(),
    onSettled: () => reload(client, keyOf(kind)),
  });
  const { title, add, photo: name, note } = LABELS[kind];
  const room = MAX_PHOTOS[kind] - photos.length;
  return (
    <section className={`stack own-photos own-photos--${kind}`} aria-labelledby={titleId}>
      <h2 id={titleId}>{title}</h2>
      {note && <p>{note}</p>}
      {error && <Alert>{messageOf(error, PHOTO_NOT_SENT)}</Alert>}
      {photos.length > 0 && (
        <ul>
          {photos.map((photo, i) => (
            <li key={photo.id} className="stack gap-2">
              <img
                className="photo-tile"
                src={photoUrl(photo.id, "small")}
                alt={`${name} ${i + 1}`}
                width={240}
                height={180}
              />
              <NotImpersonating>
                <DeletePhoto
                  name={`${name.toLowerCase()} ${i + 1}`}
                  disabled={isPending}
                  onDelete={() =>
                    mutate(() => unwrap(browserApi().api.photos[":id"].$delete({ param: { id: photo.id } })))
                  }
                />
              </NotImpersonating>
            </li>
          ))}
        </ul>
      )}
      <NotImpersonating>
        {room > 0 && (
          <label className="button button--quiet">
            {isPending ? "Adding…" : add}
            <input
              className="visually-hidden"
              type="file"
              accept="image/*"
              multiple={room > 1}
              disabled={isPending}
              onChange={({ target }) => {
                const files = [...(target.files ?? [])].slice(0, room);
                // The same photo can be picked again.
                target.value = "";
                if (files.length > 0) mutate(() => uploadPhotos(`/api/photos/own/${kind}`, files));
              }}
            />
          </label>
        )}
      </NotImpersonating>
    </section>
  );
}
