CREATE TABLE `claim_credits` (
	`id` text PRIMARY KEY NOT NULL,
	`buyer_id` text NOT NULL,
	`dud_report_id` text NOT NULL,
	`created_at` integer NOT NULL,
	`used_for_lead_id` text,
	`used_at` integer,
	FOREIGN KEY (`dud_report_id`) REFERENCES `dud_reports`(`id`) ON UPDATE no action ON DELETE no action
);
--> statement-breakpoint
CREATE UNIQUE INDEX `claim_credits_report` ON `claim_credits` (`dud_report_id`);--> statement-breakpoint
CREATE UNIQUE INDEX `claim_credits_lead` ON `claim_credits` (`used_for_lead_id`);--> statement-breakpoint
CREATE INDEX `claim_credits_business` ON `claim_credits` (`buyer_id`,`used_at`);--> statement-breakpoint
CREATE TABLE `dud_reports` (
	`id` text PRIMARY KEY NOT NULL,
	`purchase_id` text NOT NULL,
	`lead_id` text NOT NULL,
	`buyer_id` text NOT NULL,
	`reported_by_user_id` text NOT NULL,
	`reason` text NOT NULL,
	`note` text,
	`state` text DEFAULT 'open' NOT NULL,
	`answer` text,
	`answered_by_user_id` text,
	`answered_at` integer,
	`created_at` integer NOT NULL,
	FOREIGN KEY (`purchase_id`) REFERENCES `lead_purchases`(`id`) ON UPDATE no action ON DELETE no action,
	CONSTRAINT "dud_reports_reason_known" CHECK("reason" IN ('disconnected', 'fake')),
	CONSTRAINT "dud_reports_state_known" CHECK("state" IN ('open', 'granted', 'refused'))
);
--> statement-breakpoint
CREATE UNIQUE INDEX `dud_reports_purchase` ON `dud_reports` (`purchase_id`);--> statement-breakpoint
CREATE INDEX `dud_reports_state` ON `dud_reports` (`state`,`created_at`);--> statement-breakpoint
CREATE TABLE `password_links` (
	`id` text PRIMARY KEY NOT NULL,
	`token_hash` text NOT NULL,
	`user_id` text NOT NULL,
	`issued_by_user_id` text,
	`created_at` integer NOT NULL,
	`expires_at` integer NOT NULL,
	`used_at` integer,
	FOREIGN KEY (`user_id`) REFERENCES `users`(`id`) ON UPDATE no action ON DELETE no action
);
--> statement-breakpoint
CREATE UNIQUE INDEX `password_links_token` ON `password_links` (`token_hash`);--> statement-breakpoint
CREATE INDEX `password_links_user` ON `password_links` (`user_id`,`created_at`);--> statement-breakpoint
CREATE TABLE `paused_regions` (
	`region` text PRIMARY KEY NOT NULL,
	`reason` text NOT NULL,
	`since` integer NOT NULL,
	CONSTRAINT "paused_regions_region_known" CHECK("region" IN ('blacktown', 'canterbury-bankstown-and-st-george', 'capital-region-and-south-coast', 'central-and-far-west', 'central-coast', 'hills-and-hawkesbury', 'illawarra-and-shoalhaven', 'inner-west', 'liverpool-and-fairfield', 'macarthur', 'new-england-and-north-west', 'newcastle-and-hunter', 'north-coast', 'north-shore-and-ryde', 'northern-beaches', 'parramatta', 'penrith-and-blue-mountains', 'riverina-and-murray', 'sutherland-shire', 'sydney-city-and-east', 'nsw'))
);
--> statement-breakpoint
ALTER TABLE `bookings` ADD `handled_at` integer;--> statement-breakpoint
ALTER TABLE `bookings` ADD `handled_by_user_id` text;--> statement-breakpoint
ALTER TABLE `bookings` ADD `erased_at` integer;--> statement-breakpoint
ALTER TABLE `lead_purchases` ADD `notes_by_user_id` text;--> statement-breakpoint
ALTER TABLE `lead_purchases` ADD `notes_at` integer;--> statement-breakpoint
ALTER TABLE `lead_purchases` ADD `next_action_note` text;--> statement-breakpoint
ALTER TABLE `leads` ADD `phone_key` text;--> statement-breakpoint
ALTER TABLE `leads` ADD `email_key` text;--> statement-breakpoint
ALTER TABLE `leads` ADD `street_key` text;--> statement-breakpoint
ALTER TABLE `leads` ADD `origin_key` text;--> statement-breakpoint
ALTER TABLE `leads` ADD `quarantine_reasons` text DEFAULT '[]' NOT NULL;--> statement-breakpoint
ALTER TABLE `leads` ADD `reviewed_by_user_id` text;--> statement-breakpoint
ALTER TABLE `leads` ADD `reviewed_at` integer;--> statement-breakpoint
ALTER TABLE `leads` ADD `withdrawn_reason` text;--> statement-breakpoint
ALTER TABLE `leads` ADD `erased_at` integer;--> statement-breakpoint
CREATE INDEX `leads_phone` ON `leads` (`phone_key`,`created_at`);--> statement-breakpoint
CREATE INDEX `leads_email` ON `leads` (`email_key`,`created_at`);--> statement-breakpoint
CREATE INDEX `leads_street` ON `leads` (`street_key`,`created_at`);--> statement-breakpoint
CREATE INDEX `leads_origin` ON `leads` (`origin_key`,`created_at`);--> statement-breakpoint
CREATE INDEX `leads_listing` ON `leads` (`listing_state`,`created_at`,`id`);--> statement-breakpoint
CREATE INDEX `leads_created` ON `leads` (`created_at`,`id`);--> statement-breakpoint
ALTER TABLE `payments` ADD `card_brand` text;--> statement-breakpoint
ALTER TABLE `payments` ADD `card_last4` text;--> statement-breakpoint
ALTER TABLE `payments` ADD `save_card_consent` text;--> statement-breakpoint
ALTER TABLE `payments` ADD `succeeded_at` integer;--> statement-breakpoint
ALTER TABLE `payments` ADD `refunded_at` integer;--> statement-breakpoint
CREATE INDEX `payments_created` ON `payments` (`created_at`,`id`);--> statement-breakpoint
CREATE INDEX `payments_lead` ON `payments` (`lead_id`);--> statement-breakpoint
ALTER TABLE `users` ADD `services` text DEFAULT '[]' NOT NULL;--> statement-breakpoint
ALTER TABLE `users` ADD `stripe_customer_id` text;--> statement-breakpoint
ALTER TABLE `users` ADD `removed_at` integer;
--> statement-breakpoint
-- Append-only by the database, not by promise.
CREATE TRIGGER `audit_log_no_update` BEFORE UPDATE ON `audit_log` BEGIN SELECT RAISE(ABORT, 'audit_log is append-only'); END;
--> statement-breakpoint
CREATE TRIGGER `audit_log_no_delete` BEFORE DELETE ON `audit_log` BEGIN SELECT RAISE(ABORT, 'audit_log is append-only'); END;
