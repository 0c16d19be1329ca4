import type { PageServiceId } from "../../contract/catalogue.ts";
import type { IconName } from "../ui/icon.tsx";

/** A service with a page of its own. Its drawing is web/site/scenes/<id>.svg. */
export type Service = {
  id: PageServiceId;
  /** Its page. */
  href: `/service/${string}`;
  /** The page's title. The forms and messages use the name in contract/catalogue.ts. */
  name: string;
  icon: IconName;
  /** The price and the duration are as specified. */
  fromDollars: number;
  duration: string;
  /**
   * Example jobs, smallest first, as multiples of `fromDollars`. Only those of mowing are property sizes. They are our
   * examples, not a provider's quotes. The claim `priceExamples` says when they may be shown.
   */
  jobs: readonly (readonly [job: string, times: number])[];
  /** What search engines show below the title. */
  description: string;
  text: string;
  includes: readonly string[];
  /** Work that visitors might expect, but that is a separate job. */
  excludes: readonly string[];
  /** What the visitor can do before the visit. */
  prepare: readonly string[];
  /** Common questions. The answers are general gardening knowledge and NSW law. They promise nothing. */
  questions: readonly { question: string; answer: string }[];
};
