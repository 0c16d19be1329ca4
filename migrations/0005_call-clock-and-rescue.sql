CREATE TABLE `customer_updates` (
	`id` text PRIMARY KEY NOT NULL,
	`lead_id` text NOT NULL,
	`kind` text NOT NULL,
	`changes` text DEFAULT '[]' NOT NULL,
	`at` integer NOT NULL,
	FOREIGN KEY (`lead_id`) REFERENCES `leads`(`id`) ON UPDATE no action ON DELETE no action
);
--> statement-breakpoint
CREATE INDEX `customer_updates_lead` ON `customer_updates` (`lead_id`,`at`);--> statement-breakpoint
CREATE TABLE `request_list_links` (
	`token_hash` text PRIMARY KEY NOT NULL,
	`email_key` text NOT NULL,
	`created_at` integer NOT NULL,
	`expires_at` integer NOT NULL,
	`used_at` integer
);
--> statement-breakpoint
CREATE INDEX `request_list_links_email` ON `request_list_links` (`email_key`,`created_at`);--> statement-breakpoint
CREATE INDEX `request_list_links_expiry` ON `request_list_links` (`expires_at`);--> statement-breakpoint
CREATE TABLE `rescue_offers` (
	`lead_id` text NOT NULL,
	`business_id` text NOT NULL,
	`offered_at` integer NOT NULL,
	`ends_at` integer NOT NULL,
	`outcome` text,
	PRIMARY KEY(`lead_id`, `business_id`),
	FOREIGN KEY (`lead_id`) REFERENCES `leads`(`id`) ON UPDATE no action ON DELETE no action,
	FOREIGN KEY (`business_id`) REFERENCES `users`(`id`) ON UPDATE no action ON DELETE no action
);
--> statement-breakpoint
CREATE INDEX `rescue_offers_business` ON `rescue_offers` (`business_id`,`ends_at`);--> statement-breakpoint
ALTER TABLE `lead_purchases` ADD `clock_ends_at` integer;--> statement-breakpoint
ALTER TABLE `lead_purchases` ADD `clock_due_at` integer;--> statement-breakpoint
ALTER TABLE `lead_purchases` ADD `call_clock` text;--> statement-breakpoint
CREATE INDEX `lead_purchases_clock` ON `lead_purchases` (`clock_due_at`) WHERE clock_due_at IS NOT NULL;--> statement-breakpoint
ALTER TABLE `leads` ADD `contact_method` text;--> statement-breakpoint
ALTER TABLE `leads` ADD `contact_time` text;--> statement-breakpoint
ALTER TABLE `leads` ADD `digit_tries` integer DEFAULT 0 NOT NULL;--> statement-breakpoint
ALTER TABLE `leads` ADD `rescued_from_id` text;--> statement-breakpoint
ALTER TABLE `leads` ADD `excluded_business_id` text;--> statement-breakpoint
CREATE UNIQUE INDEX `leads_rescued_from` ON `leads` (`rescued_from_id`) WHERE rescued_from_id IS NOT NULL;