CREATE TABLE `free_claims` (
	`id` text PRIMARY KEY NOT NULL,
	`buyer_id` text NOT NULL,
	`purchase_id` text NOT NULL,
	`price_cents` integer NOT NULL,
	`created_at` integer NOT NULL,
	`revoked_at` integer,
	`used_for_lead_id` text,
	`used_at` integer,
	`finished_at` integer,
	FOREIGN KEY (`purchase_id`) REFERENCES `lead_purchases`(`id`) ON UPDATE no action ON DELETE no action
);
--> statement-breakpoint
CREATE UNIQUE INDEX `free_claims_purchase` ON `free_claims` (`purchase_id`);--> statement-breakpoint
CREATE UNIQUE INDEX `free_claims_lead` ON `free_claims` (`used_for_lead_id`);--> statement-breakpoint
CREATE INDEX `free_claims_business` ON `free_claims` (`buyer_id`,`used_at`,`created_at`);--> statement-breakpoint
CREATE INDEX `free_claims_unfinished` ON `free_claims` (`used_at`) WHERE used_at IS NOT NULL AND finished_at IS NULL;--> statement-breakpoint
DROP INDEX `claim_credits_business`;--> statement-breakpoint
DROP INDEX `claim_credits_unfinished`;--> statement-breakpoint
INSERT INTO `free_claims` (`id`, `buyer_id`, `purchase_id`, `price_cents`, `created_at`, `used_for_lead_id`, `used_at`, `finished_at`) SELECT c.`id`, c.`buyer_id`, r.`purchase_id`, l.`price_cents`, c.`created_at`, c.`used_for_lead_id`, c.`used_at`, c.`finished_at` FROM `claim_credits` c JOIN `dud_reports` r ON r.`id` = c.`dud_report_id` JOIN `leads` l ON l.`id` = r.`lead_id`;--> statement-breakpoint
CREATE TABLE `guarantee_cases` (
	`purchase_id` text PRIMARY KEY NOT NULL,
	`lead_id` text NOT NULL,
	`buyer_id` text NOT NULL,
	`rule` text NOT NULL,
	`state` text NOT NULL,
	`due_at` integer,
	`contested_at` integer,
	`contest_note` text,
	`answer` text,
	`answered_at` integer,
	`answered_by_user_id` text,
	`created_at` integer NOT NULL,
	`updated_at` integer NOT NULL,
	FOREIGN KEY (`purchase_id`) REFERENCES `lead_purchases`(`id`) ON UPDATE no action ON DELETE no action
);
--> statement-breakpoint
CREATE INDEX `guarantee_cases_due` ON `guarantee_cases` (`due_at`) WHERE due_at IS NOT NULL;--> statement-breakpoint
CREATE INDEX `guarantee_cases_business` ON `guarantee_cases` (`buyer_id`,`created_at`);--> statement-breakpoint
CREATE INDEX `guarantee_cases_state` ON `guarantee_cases` (`state`,`updated_at`,`purchase_id`);--> statement-breakpoint
CREATE TABLE `photos` (
	`id` text PRIMARY KEY NOT NULL,
	`kind` text NOT NULL,
	`lead_id` text,
	`purchase_id` text,
	`business_id` text,
	`upload_hash` text,
	`width` integer NOT NULL,
	`height` integer NOT NULL,
	`bytes` integer NOT NULL,
	`customer_agreed_at` integer,
	`provider_agreed_at` integer,
	`created_at` integer NOT NULL
);
--> statement-breakpoint
CREATE INDEX `photos_lead` ON `photos` (`lead_id`) WHERE lead_id IS NOT NULL;--> statement-breakpoint
CREATE INDEX `photos_purchase` ON `photos` (`purchase_id`) WHERE purchase_id IS NOT NULL;--> statement-breakpoint
CREATE INDEX `photos_business` ON `photos` (`business_id`) WHERE business_id IS NOT NULL;--> statement-breakpoint
CREATE INDEX `photos_upload` ON `photos` (`upload_hash`) WHERE upload_hash IS NOT NULL;--> statement-breakpoint
CREATE INDEX `photos_orphans` ON `photos` (`created_at`) WHERE lead_id IS NULL AND purchase_id IS NULL AND business_id IS NULL;--> statement-breakpoint
CREATE TABLE `profile_councils` (
	`business_id` text NOT NULL,
	`council` text NOT NULL,
	PRIMARY KEY(`business_id`, `council`),
	FOREIGN KEY (`business_id`) REFERENCES `users`(`id`) ON UPDATE no action ON DELETE no action
);
--> statement-breakpoint
CREATE INDEX `profile_councils_council` ON `profile_councils` (`council`);--> statement-breakpoint
CREATE TABLE `provider_checks` (
	`id` text PRIMARY KEY NOT NULL,
	`business_id` text NOT NULL,
	`kind` text NOT NULL,
	`state` text NOT NULL,
	`number` text,
	`seen_on` text,
	`ends_on` text,
	`file_key` text,
	`file_type` text,
	`file_bytes` integer,
	`reason` text,
	`decided_by_user_id` text,
	`decided_at` integer,
	`reminded_at` integer,
	`created_at` integer NOT NULL,
	FOREIGN KEY (`business_id`) REFERENCES `users`(`id`) ON UPDATE no action ON DELETE no action
);
--> statement-breakpoint
CREATE INDEX `provider_checks_business` ON `provider_checks` (`business_id`,`kind`,`created_at`);--> statement-breakpoint
CREATE INDEX `provider_checks_state` ON `provider_checks` (`state`,`created_at`,`id`);--> statement-breakpoint
CREATE INDEX `provider_checks_end` ON `provider_checks` (`state`,`ends_on`) WHERE ends_on IS NOT NULL;--> statement-breakpoint
CREATE INDEX `provider_checks_file` ON `provider_checks` (`state`,`created_at`,`file_key`) WHERE file_key IS NOT NULL;--> statement-breakpoint
CREATE TABLE `provider_profiles` (
	`business_id` text PRIMARY KEY NOT NULL,
	`slug` text NOT NULL,
	`is_public` integer DEFAULT false NOT NULL,
	`words` text DEFAULT '' NOT NULL,
	`services` text DEFAULT '[]' NOT NULL,
	`suburb_id` text,
	`hidden_at` integer,
	`hidden_reason` text,
	`created_at` integer NOT NULL,
	`updated_at` integer NOT NULL,
	FOREIGN KEY (`business_id`) REFERENCES `users`(`id`) ON UPDATE no action ON DELETE no action,
	FOREIGN KEY (`suburb_id`) REFERENCES `suburbs`(`id`) ON UPDATE no action ON DELETE no action
);
--> statement-breakpoint
CREATE UNIQUE INDEX `provider_profiles_slug` ON `provider_profiles` (`slug`);--> statement-breakpoint
CREATE INDEX `provider_profiles_public` ON `provider_profiles` (`slug`,`business_id`) WHERE is_public AND hidden_at IS NULL;--> statement-breakpoint
CREATE TABLE `public_figures` (
	`key` text PRIMARY KEY NOT NULL,
	`value` real NOT NULL,
	`n` integer NOT NULL,
	`businesses` integer NOT NULL,
	`from_day` text NOT NULL,
	`to_day` text NOT NULL,
	`computed_at` integer NOT NULL
);
--> statement-breakpoint
CREATE TABLE `reviews` (
	`id` text PRIMARY KEY NOT NULL,
	`purchase_id` text NOT NULL,
	`lead_id` text NOT NULL,
	`business_id` text NOT NULL,
	`invited_at` integer NOT NULL,
	`ends_at` integer NOT NULL,
	`stars` integer,
	`words` text,
	`customer_name` text,
	`suburb_id` text,
	`service_type` text NOT NULL,
	`written_at` integer,
	`reply` text,
	`replied_at` integer,
	`flag` text,
	`hidden_rule` text,
	`hidden_at` integer,
	`updated_at` integer NOT NULL,
	FOREIGN KEY (`purchase_id`) REFERENCES `lead_purchases`(`id`) ON UPDATE no action ON DELETE no action,
	CONSTRAINT "reviews_stars_in_range" CHECK(stars IS NULL OR stars BETWEEN 1 AND 5)
);
--> statement-breakpoint
CREATE UNIQUE INDEX `reviews_purchase` ON `reviews` (`purchase_id`);--> statement-breakpoint
CREATE INDEX `reviews_lead` ON `reviews` (`lead_id`);--> statement-breakpoint
CREATE INDEX `reviews_business` ON `reviews` (`business_id`,`written_at`) WHERE written_at IS NOT NULL;--> statement-breakpoint
CREATE INDEX `reviews_written` ON `reviews` (`written_at`) WHERE written_at IS NOT NULL;--> statement-breakpoint
CREATE INDEX `reviews_flagged` ON `reviews` (`written_at`) WHERE flag IS NOT NULL;--> statement-breakpoint
CREATE INDEX `reviews_hidden` ON `reviews` (`hidden_rule`) WHERE hidden_rule IS NOT NULL;--> statement-breakpoint
ALTER TABLE `contact_log` ADD `logged_at` integer;--> statement-breakpoint
ALTER TABLE `lead_purchases` ADD `review_due_at` integer;--> statement-breakpoint
CREATE INDEX `lead_purchases_review` ON `lead_purchases` (`review_due_at`) WHERE review_due_at IS NOT NULL;--> statement-breakpoint
ALTER TABLE `leads` ADD `photo_count` integer DEFAULT 0 NOT NULL;--> statement-breakpoint
UPDATE `users` SET `is_verified` = 0 WHERE `is_verified` = 1;