DROP INDEX `leads_redacted`;--> statement-breakpoint
CREATE INDEX `leads_by_end` ON `leads` ((status || ''),`created_at`,`id`) WHERE status <> 'available';--> statement-breakpoint
CREATE INDEX `leads_redacted` ON `leads` (`redacted_at`) WHERE status = 'available' AND listing_state <> 'pending';--> statement-breakpoint
CREATE INDEX `users_super_admins` ON `users` (`created_at`,`id`) WHERE is_super_admin = 1;