CREATE TABLE `contact_log` (
	`id` text PRIMARY KEY NOT NULL,
	`purchase_id` text NOT NULL,
	`outcome` text NOT NULL,
	`by_user_id` text NOT NULL,
	`at` integer NOT NULL,
	`entry_key` text NOT NULL,
	FOREIGN KEY (`purchase_id`) REFERENCES `lead_purchases`(`id`) ON UPDATE no action ON DELETE no action
);
--> statement-breakpoint
CREATE INDEX `contact_log_purchase` ON `contact_log` (`purchase_id`,`at`);--> statement-breakpoint
CREATE UNIQUE INDEX `contact_log_entry` ON `contact_log` (`purchase_id`,`entry_key`);--> statement-breakpoint
ALTER TABLE `lead_purchases` ADD `removed_by_user_id` text;--> statement-breakpoint
ALTER TABLE `lead_purchases` ADD `tries` integer DEFAULT 0 NOT NULL;--> statement-breakpoint
ALTER TABLE `lead_purchases` ADD `last_contact_at` integer;--> statement-breakpoint
ALTER TABLE `users` ADD `text_templates` text;