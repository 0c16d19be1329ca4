import type { ReactNode } from "react";

import { serviceName } from "../../contract/catalogue.ts";
import { photoUrl } from "../../contract/photos.ts";
import type { ProfilePhoto, ProviderProfile } from "../../contract/profiles.ts";
import { formatMean } from "../../contract/reviews.ts";
import { formatCallTime, STANDING_DAYS } from "../../contract/standing.ts";
import { ShownChecks } from "../checks/shown-checks.tsx";
import { PhotoTile } from "../photos/photo-tile.tsx";
import { formatHidden, ReviewList } from "../reviews/review-list.tsx";
import { Icon } from "../ui/icon.tsx";

/** Returns the first letters of a name's first two words. */
const initialsOf = (name: string) =>
  name
    .split(/[^\p{L}\p{N}]+/u)
    .filter(Boolean)
    .slice(0, 2)
    .map((word) => [...word][0]!.toUpperCase())
    .join("");

/** Shows a business's logo, or its initials. Decorative: the name is beside it. */
export function BusinessLogo({ name, logo }: { name: string; logo: ProfilePhoto | null }) {
  return logo ? (
    <img className="profile__logo" src={photoUrl(logo.id, "small")} width={72} height={72} alt="" />
  ) : (
    <span className="profile__logo" aria-hidden="true">
      {initialsOf(name)}
    </span>
  );
}

/** Shows what we checked, and how soon the business calls. */
function Facts({ profile: { checks, call } }: { profile: ProviderProfile }) {
  if (checks.length === 0 && !call) return null;
  return (
    <section className="profile__part" aria-labelledby="profile-facts">
      <h2 id="profile-facts">{call ? "Checks and calls" : "Checks"}</h2>
      <ShownChecks checks={checks} />
      {call && (
        <p>
          <strong>Called within {formatCallTime(call.medianMs)}</strong> for half of {call.count} jobs in the
          last {STANDING_DAYS} days, counting only 7 am to 8 pm and leaving out public holidays.
        </p>
      )}
    </section>
  );
}

function Photo({ photo, alt }: { photo: ProfilePhoto; alt: string }) {
  return (
    <a href={photoUrl(photo.id, "large")}>
      <PhotoTile photo={photo} alt={alt} />
    </a>
  );
}

function Work({ profile: { name, work, jobs } }: { profile: ProviderProfile }) {
  if (work.length + jobs.length === 0) return null;
  return (
    <section className="profile__part" aria-labelledby="profile-work">
      <h2 id="profile-work">Their work</h2>
      {jobs.map(({ before, after }, job) => (
        <div key={[...before, ...after][0]!.id} className="profile__job">
          {[before, after].map((photos, side) =>
            photos.map((photo, i) => (
              <figure key={photo.id}>
                <Photo
                  photo={photo}
                  alt={`Job ${job + 1} ${side === 0 ? "before" : "after"}, photo ${i + 1} of ${photos.length}`}
                />
                <figcaption>{side === 0 ? "Before" : "After"}</figcaption>
              </figure>
            )),
          )}
        </div>
      ))}
      {work.length > 0 && (
        <ul className="profile__photos">
          {work.map((photo, i) => (
            <li key={photo.id}>
              <Photo photo={photo} alt={`Work by ${name}, photo ${i + 1} of ${work.length}`} />
            </li>
          ))}
        </ul>
      )}
    </section>
  );
}

function Reviews({ reviews, pages }: Pick<ProviderProfile, "reviews"> & { pages: ReactNode }) {
  return (
    <section className="profile__part" aria-labelledby="reviews">
      <h2 id="reviews">Reviews</h2>
      <p className="profile__note">
        {formatMean(reviews)}. {reviews.hidden > 0 && formatHidden(reviews.hidden)}{" "}
        <a href="/reviews">How reviews work</a>
      </p>
      {reviews.reviews.length > 0 && <ReviewList reviews={reviews.reviews} />}
      {pages}
    </section>
  );
}

/**
 * Shows a business's page, for everyone and in the editor's preview.
 * @param isPreview whether it is a part of another page
 * @param map the map of its councils
 * @param pages links to more reviews
 */
export function ProfileView({
  profile,
  isPreview,
  map,
  action,
  pages,
}: {
  profile: ProviderProfile;
  isPreview?: boolean;
  map: ReactNode;
  action?: ReactNode;
  pages?: ReactNode;
}) {
  const { name, suburb, logo, reviews, words, services, councils } = profile;
  const Name = isPreview ? "h2" : "h1";
  return (
    <article className={isPreview ? "profile profile--preview" : "profile"}>
      <header className="profile__head">
        <BusinessLogo name={name} logo={logo} />
        <div>
          <Name className="profile__name">{name}</Name>
          {suburb && (
            <p>
              Based in {suburb.name} NSW {suburb.postcode}
            </p>
          )}
          {reviews.mean !== null && (
            <p className="profile__rating">
              <Icon name="star" size={18} filled /> {formatMean(reviews)}
            </p>
          )}
        </div>
      </header>
      <p dir="auto" className="profile__words">
        {words}
      </p>
      <div className="profile__aside">
        {action}
        <Facts profile={profile} />
        <section className="profile__part" aria-labelledby="profile-services">
          <h2 id="profile-services">Services</h2>
          <ul className="profile__services">
            {services.map((id) => (
              <li key={id}>{serviceName(id)}</li>
            ))}
          </ul>
        </section>
      </div>
      <Work profile={profile} />
      <section className="profile__part" aria-labelledby="profile-area">
        <h2 id="profile-area">Where they work</h2>
        {map}
        <ul className="profile__councils">
          {councils.map((council) => (
            <li key={council}>
              <a href={`/locations?${new URLSearchParams({ council })}`}>{council}</a>
            </li>
          ))}
        </ul>
      </section>
      <Reviews reviews={reviews} pages={pages} />
    </article>
  );
}
