ALTER TABLE `payments` ADD `newcomer_56` text;--> statement-breakpoint
ALTER TABLE `payments` ADD `newcomer_48` text;