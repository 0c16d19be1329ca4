/**
 * A job with both consents, on the pages of its provider and its service. `worker/leads/photos` proves the consents, and
 * `axe.test.ts` that both pages fit and are accessible.
 */
import { test } from "vitest";

import { pngPhoto } from "../testing/photos.ts";
import {
  expectSoon,
  openWindow,
  OWN_PRODUCT,
  setUpFixture,
  takePicture,
} from "../testing/product/browser-fixture.ts";
import { insertJob } from "../testing/shown-records.ts";
import { insertReview } from "../testing/world.ts";

const fixture = setUpFixture(OWN_PRODUCT);

test("the pages of a provider and of a service show a job's photos from before and after, beside its review", async () => {
  const { db } = fixture.product;
  const { slug, purchaseId } = await insertJob(db, { agreedAt: Date.now() });
  await insertReview(db, purchaseId, { stars: 4, words: "The hedge is straight again." });
  const page = await openWindow(fixture, { viewport: { width: 360, height: 740 } });
  const photo = { contentType: "image/png", body: Buffer.from(pngPhoto(480, 360)) };
  await page.route("**/api/photos/**", (route) => route.fulfill(photo));
  const expectLoaded = async (name: string) => {
    const image = page.getByRole("img", { name });
    // Images load lazily.
    await image.scrollIntoViewIfNeeded();
    await expectSoon(
      () => image.evaluate((img: HTMLImageElement) => img.complete && img.naturalWidth > 0),
      true,
    );
  };
  await page.goto("/service/lawn-mowing");
  await expectLoaded("Before: lawn mowing in Leichhardt");
  await expectLoaded("After: lawn mowing in Leichhardt");
  await takePicture(page, "service-jobs");
  await page.locator(`.shown-jobs a[href="/provider/${slug}"]`).click();
  await page.getByText("4.0 out of 5 from one review").first().waitFor();
  await page.getByText("The hedge is straight again.").waitFor();
  await expectLoaded("Job 1 before, photo 1 of 1");
  await expectLoaded("Job 1 after, photo 1 of 1");
  await takePicture(page, "shown-job");
});
