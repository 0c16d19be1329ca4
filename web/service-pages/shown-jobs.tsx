import { type PageServiceId, SERVICES } from "../../contract/catalogue.ts";
import type { ShownJob } from "../../contract/profiles.ts";
import { PhotoTile } from "../photos/photo-tile.tsx";
import { Section } from "../site/section.tsx";

/** Shows photos of jobs, before and after. Renders nothing without any. */
export function ShownJobs({ service, jobs }: { service: PageServiceId; jobs: readonly ShownJob[] }) {
  if (jobs.length === 0) return null;
  return (
    <Section id="jobs" title="Before and after" variant="split">
      <div>
        <ul className="shown-jobs">
          {jobs.map(({ slug, name, suburb, before, after }) => (
            <li key={after.id}>
              {[before, after].map((photo, side) => {
                const when = side === 0 ? "Before" : "After";
                const alt = `${when}: ${SERVICES[service].toLowerCase()}${suburb ? ` in ${suburb}` : ""}`;
                return (
                  <figure key={photo.id}>
                    <PhotoTile photo={photo} alt={alt} />
                    <figcaption>{when}</figcaption>
                  </figure>
                );
              })}
              <p>
                {suburb && `${suburb}, by `}
                <a href={`/provider/${slug}`}>{name}</a>
              </p>
            </li>
          ))}
        </ul>
        <p className="note">We show photos only if both the customer and the provider agree.</p>
      </div>
    </Section>
  );
}
