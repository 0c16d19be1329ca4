DROP INDEX `messages_due`;--> statement-breakpoint
DROP INDEX `messages_over`;--> statement-breakpoint
CREATE INDEX `messages_failed` ON `messages` (`created_at`,`id`) WHERE state = 'failed';--> statement-breakpoint
CREATE INDEX `messages_due` ON `messages` (`due`,`id`) WHERE state = 'waiting';--> statement-breakpoint
CREATE INDEX `messages_over` ON `messages` (`created_at`,`id`) WHERE state <> 'waiting';