CREATE TABLE `message_channels` (
	`channel` text PRIMARY KEY NOT NULL,
	`is_on` integer NOT NULL,
	`most_a_day` integer NOT NULL,
	`updated_at` integer NOT NULL
);
--> statement-breakpoint
ALTER TABLE `messages` ADD `lead_id` text;--> statement-breakpoint
ALTER TABLE `messages` ADD `tried_at` integer;--> statement-breakpoint
CREATE INDEX `messages_lead` ON `messages` (`lead_id`) WHERE lead_id IS NOT NULL;--> statement-breakpoint
CREATE INDEX `messages_tried` ON `messages` (`channel`,`tried_at`) WHERE tried_at IS NOT NULL;