CREATE TABLE `operator_jobs` (
	`id` text PRIMARY KEY NOT NULL,
	`kind` text NOT NULL,
	`input` text,
	`state` text DEFAULT 'waiting' NOT NULL,
	`progress` text,
	`result` text,
	`leased_until` integer DEFAULT 0 NOT NULL,
	`attempts` integer DEFAULT 0 NOT NULL,
	`created_at` integer NOT NULL,
	`updated_at` integer NOT NULL,
	CONSTRAINT "operator_jobs_state_known" CHECK("state" IN ('waiting', 'done', 'failed'))
);
--> statement-breakpoint
CREATE INDEX `operator_jobs_state` ON `operator_jobs` (`state`,`created_at`);--> statement-breakpoint
CREATE INDEX `bookings_lead` ON `bookings` (`lead_id`);--> statement-breakpoint
CREATE INDEX `bookings_to_anonymise` ON `bookings` (`created_at`) WHERE lead_id IS NULL AND erased_at IS NULL;--> statement-breakpoint
CREATE INDEX `leads_to_anonymise` ON `leads` (`created_at`) WHERE status <> 'sold' AND erased_at IS NULL;
