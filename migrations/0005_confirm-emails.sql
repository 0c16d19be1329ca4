CREATE TABLE `email_links` (
	`id` text PRIMARY KEY NOT NULL,
	`token_hash` text NOT NULL,
	`user_id` text NOT NULL,
	`email` text NOT NULL,
	`created_at` integer NOT NULL,
	`expires_at` integer NOT NULL,
	`used_at` integer,
	FOREIGN KEY (`user_id`) REFERENCES `users`(`id`) ON UPDATE no action ON DELETE no action
);
--> statement-breakpoint
CREATE UNIQUE INDEX `email_links_token` ON `email_links` (`token_hash`);--> statement-breakpoint
CREATE INDEX `email_links_user` ON `email_links` (`user_id`,`created_at`);--> statement-breakpoint
CREATE INDEX `email_links_email` ON `email_links` (`email`,`created_at`);--> statement-breakpoint
CREATE INDEX `email_links_expiry` ON `email_links` (`expires_at`);--> statement-breakpoint
CREATE INDEX `email_links_used` ON `email_links` (`used_at`) WHERE used_at IS NOT NULL;--> statement-breakpoint
ALTER TABLE `users` ADD `pending_email` text;