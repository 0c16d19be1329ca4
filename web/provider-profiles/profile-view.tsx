import type { ReactNode } from "react";

import { serviceName } from "../../contract/catalogue.ts";
import { CHECK_LABELS, type ShownCheck } from "../../contract/checks.ts";
import { photoUrl } from "../../contract/photos.ts";
import type { ProfilePhoto, ProfileReview, ProviderProfile, ReviewSummary } from "../../contract/profiles.ts";
import { formatCallTime, STANDING_DAYS } from "../../contract/standing.ts";
import { formatDay, formatMonth } from "../lib/format-time.ts";
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
export function Logo({ name, logo }: { name: string; logo: ProfilePhoto | null }) {
  return logo ? (
    <img className="profile__logo" src={photoUrl(logo.id, "small")} width={80} height={80} alt="" />
  ) : (
    <span className="profile__logo" aria-hidden="true">
      {initialsOf(name)}
    </span>
  );
}

export function formatRating({ mean, count }: ReviewSummary): string {
  return `${mean.toFixed(1)} from ${count} ${count === 1 ? "review" : "reviews"}`;
}

function Check({ check: { kind, number, seenOn, endsOn } }: { check: ShownCheck }) {
  const when = `seen ${formatDay(seenOn)}${endsOn ? `, valid until ${formatDay(endsOn)}` : ""}`;
  return (
    <li>
      <Icon name="badge" size={20} />
      <span>
        <strong>
          {CHECK_LABELS[kind]}
          {number && ` ${number}`}
        </strong>{" "}
        {when}
      </span>
    </li>
  );
}

/** Shows what we checked, and how soon the business calls. */
function Facts({ profile: { checks, call } }: { profile: ProviderProfile }) {
  if (checks.length === 0 && !call) return null;
  return (
    <section className="profile__part" aria-labelledby="profile-checks">
      <h2 id="profile-checks">What we checked</h2>
      <ul className="profile__facts">
        {checks.map((check) => (
          <Check key={check.kind} check={check} />
        ))}
        {call && (
          <li>
            <Icon name="clock" size={20} />
            <span>
              <strong>Calls within {formatCallTime(call.medianMs)}</strong> in half of {call.count} jobs in
              the last {STANDING_DAYS} days, counted from 7 am to 8 pm
            </span>
          </li>
        )}
      </ul>
      {checks.length > 0 && (
        <p className="profile__note">We saw these proofs ourselves. Please ask for anything else you need.</p>
      )}
    </section>
  );
}

function Photo({ photo, alt }: { photo: ProfilePhoto; alt: string }) {
  const { id, width, height } = photo;
  return (
    <a href={photoUrl(id, "large")}>
      <img src={photoUrl(id, "small")} width={width} height={height} alt={alt} loading="lazy" />
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

export function Stars({ stars }: { stars: number }) {
  return (
    <span className="profile__stars">
      <span className="visually-hidden">{stars} out of 5 stars</span>
      {[1, 2, 3, 4, 5].map((star) => (
        <Icon key={star} name="star" size={18} filled={star <= stars} />
      ))}
    </span>
  );
}

function Review({ review, business }: { review: ProfileReview; business: string }) {
  return (
    <li className="profile__review">
      <Stars stars={review.stars} />
      {review.words && (
        <blockquote dir="auto" className="profile__words">
          {review.words}
        </blockquote>
      )}
      <p className="profile__note">
        {review.name ?? "A customer"} · {serviceName(review.serviceType)} · {formatMonth(review.writtenAt)}
      </p>
      {review.reply && (
        <div className="profile__reply">
          <strong>{business} replied</strong>
          <p dir="auto" className="profile__words">
            {review.reply}
          </p>
        </div>
      )}
    </li>
  );
}

function Reviews({ profile, pages }: { profile: ProviderProfile; pages: ReactNode }) {
  const { name, rating, reviews, hiddenReviews } = profile;
  return (
    <section className="profile__part" aria-labelledby="reviews">
      <h2 id="reviews">Reviews</h2>
      <p className="profile__note">
        {rating ? formatRating(rating) : `${name} has no reviews yet`}
        {hiddenReviews > 0 && `, and ${hiddenReviews} hidden by our rules`}. We ask the customer of each job.
      </p>
      {reviews.length > 0 && (
        <ul className="profile__reviews">
          {reviews.map((review) => (
            <Review key={review.id} review={review} business={name} />
          ))}
        </ul>
      )}
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
  const { name, suburb, logo, rating, words, services, councils } = profile;
  const Name = isPreview ? "h2" : "h1";
  return (
    <article className="profile">
      <header className="profile__head">
        <Logo name={name} logo={logo} />
        <div>
          <Name className="profile__name">{name}</Name>
          {suburb && (
            <p>
              Based in {suburb.name} NSW {suburb.postcode}
            </p>
          )}
          {rating && (
            <p className="profile__rating">
              <Icon name="star" size={18} filled /> {formatRating(rating)}
            </p>
          )}
        </div>
      </header>
      <p dir="auto" className="profile__words">
        {words}
      </p>
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
      <Reviews profile={profile} pages={pages} />
    </article>
  );
}
