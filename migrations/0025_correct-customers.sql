CREATE TABLE `contact_corrections` (
	`id` integer PRIMARY KEY AUTOINCREMENT NOT NULL,
	`purchase_id` text NOT NULL,
	`name_before` text,
	`phone_before` text,
	`email_before` text,
	`address_before` text,
	`phone_key` text,
	`other_phone_key` text,
	`email_key` text,
	`changed_by_user_id` text NOT NULL,
	`changed_at` integer NOT NULL,
	FOREIGN KEY (`purchase_id`) REFERENCES `lead_purchases`(`id`) ON UPDATE no action ON DELETE no action
);
--> statement-breakpoint
CREATE INDEX `contact_corrections_purchase` ON `contact_corrections` (`purchase_id`,`id`);--> statement-breakpoint
CREATE INDEX `contact_corrections_phone` ON `contact_corrections` (`phone_key`);--> statement-breakpoint
CREATE INDEX `contact_corrections_other_phone` ON `contact_corrections` (`other_phone_key`) WHERE other_phone_key <> '';--> statement-breakpoint
CREATE INDEX `contact_corrections_email` ON `contact_corrections` (`email_key`);--> statement-breakpoint
ALTER TABLE `lead_purchases` ADD `assigned_to_user_id` text;--> statement-breakpoint
ALTER TABLE `lead_purchases` ADD `corrected` text;--> statement-breakpoint
CREATE INDEX `lead_purchases_assigned` ON `lead_purchases` (`assigned_to_user_id`) WHERE assigned_to_user_id IS NOT NULL;