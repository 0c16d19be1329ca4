CREATE TABLE `provider_notes` (
	`id` text PRIMARY KEY NOT NULL,
	`provider_id` text NOT NULL,
	`kind` text NOT NULL,
	`text` text NOT NULL,
	`subject_id` text,
	`by_user_id` text NOT NULL,
	`created_at` integer NOT NULL,
	FOREIGN KEY (`provider_id`) REFERENCES `users`(`id`) ON UPDATE no action ON DELETE no action
);
--> statement-breakpoint
CREATE INDEX `provider_notes_provider` ON `provider_notes` (`provider_id`,`created_at`);--> statement-breakpoint
CREATE INDEX `provider_notes_subject` ON `provider_notes` (`subject_id`) WHERE subject_id IS NOT NULL;