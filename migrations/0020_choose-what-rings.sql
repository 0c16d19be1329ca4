CREATE TABLE `customer_answers` (
	`id` text PRIMARY KEY NOT NULL,
	`purchase_id` text NOT NULL,
	`body` text NOT NULL,
	`gateway_ref` text NOT NULL,
	`at` integer NOT NULL,
	FOREIGN KEY (`purchase_id`) REFERENCES `lead_purchases`(`id`) ON UPDATE no action ON DELETE no action
);
--> statement-breakpoint
CREATE INDEX `customer_answers_purchase` ON `customer_answers` (`purchase_id`,`at`);--> statement-breakpoint
CREATE UNIQUE INDEX `customer_answers_ref` ON `customer_answers` (`gateway_ref`);--> statement-breakpoint
CREATE TABLE `email_stops` (
	`address_hash` text PRIMARY KEY NOT NULL,
	`since` integer NOT NULL
);
--> statement-breakpoint
CREATE TABLE `lead_alerts` (
	`user_id` text PRIMARY KEY NOT NULL,
	`regions` text,
	`services` text,
	`urgencies` text,
	`least_size` text,
	`paused_until` integer,
	`updated_at` integer NOT NULL,
	FOREIGN KEY (`user_id`) REFERENCES `users`(`id`) ON UPDATE no action ON DELETE no action
);
--> statement-breakpoint
CREATE TABLE `team_alerts` (
	`user_id` text PRIMARY KEY NOT NULL,
	`sales` integer NOT NULL,
	`mentions` integer NOT NULL,
	`updated_at` integer NOT NULL,
	FOREIGN KEY (`user_id`) REFERENCES `users`(`id`) ON UPDATE no action ON DELETE no action
);
--> statement-breakpoint
ALTER TABLE `users` ADD `cards_checked_at` integer;--> statement-breakpoint
CREATE INDEX `users_cards` ON `users` (`cards_checked_at`) WHERE stripe_customer_id IS NOT NULL;