CREATE TABLE `request_links` (
	`token_hash` text PRIMARY KEY NOT NULL,
	`lead_id` text NOT NULL,
	`created_at` integer NOT NULL,
	`withdrawal_asked_at` integer,
	FOREIGN KEY (`lead_id`) REFERENCES `leads`(`id`) ON UPDATE no action ON DELETE no action
);
--> statement-breakpoint
CREATE INDEX `request_links_lead` ON `request_links` (`lead_id`);--> statement-breakpoint
CREATE INDEX `request_links_withdrawal` ON `request_links` (`withdrawal_asked_at`) WHERE withdrawal_asked_at IS NOT NULL;