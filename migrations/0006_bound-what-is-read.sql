DROP INDEX `bookings_to_anonymise`;--> statement-breakpoint
DROP INDEX `bookings_created`;--> statement-breakpoint
DROP INDEX `bookings_lead`;--> statement-breakpoint
CREATE INDEX `bookings_inspections` ON `bookings` (`created_at`,`id`) WHERE lead_id IS NULL AND erased_at IS NULL;--> statement-breakpoint
CREATE INDEX `bookings_waiting` ON `bookings` (`created_at`,`id`) WHERE lead_id IS NULL AND handled_at IS NULL AND erased_at IS NULL;--> statement-breakpoint
CREATE INDEX `bookings_created` ON `bookings` (`created_at`,`id`);--> statement-breakpoint
CREATE INDEX `bookings_lead` ON `bookings` (`lead_id`) WHERE lead_id IS NOT NULL;--> statement-breakpoint
DROP INDEX `leads_street`;--> statement-breakpoint
DROP INDEX `leads_listing`;--> statement-breakpoint
DROP INDEX `leads_pending`;--> statement-breakpoint
CREATE INDEX `leads_by_region` ON `leads` ((region || ''),`created_at`,`id`);--> statement-breakpoint
CREATE INDEX `leads_quarantined` ON `leads` (`created_at`,`id`) WHERE listing_state = 'quarantined';--> statement-breakpoint
CREATE INDEX `leads_pending` ON `leads` (`created_at`,`id`) WHERE listing_state = 'pending';--> statement-breakpoint
DROP INDEX `audit_log_subject`;--> statement-breakpoint
CREATE INDEX `audit_log_action` ON `audit_log` (`action`,`at`);--> statement-breakpoint
CREATE INDEX `audit_log_as` ON `audit_log` (`as_user_id`,`at`) WHERE as_user_id IS NOT NULL;--> statement-breakpoint
CREATE INDEX `audit_log_subject` ON `audit_log` (`subject_id`,`at`);--> statement-breakpoint
DROP INDEX `claim_credits_business`;--> statement-breakpoint
ALTER TABLE `claim_credits` ADD `finished_at` integer;--> statement-breakpoint
CREATE INDEX `claim_credits_unfinished` ON `claim_credits` (`used_at`) WHERE used_at IS NOT NULL AND finished_at IS NULL;--> statement-breakpoint
CREATE INDEX `claim_credits_business` ON `claim_credits` (`buyer_id`,`used_at`,`created_at`);--> statement-breakpoint
DROP INDEX `dud_reports_state`;--> statement-breakpoint
CREATE INDEX `dud_reports_business` ON `dud_reports` (`buyer_id`,`created_at`);--> statement-breakpoint
CREATE INDEX `dud_reports_state` ON `dud_reports` (`state`,`created_at`,`id`);--> statement-breakpoint
DROP INDEX `payments_business`;--> statement-breakpoint
CREATE INDEX `payments_listed` ON `payments` (`state`,`created_at`,`id`);--> statement-breakpoint
CREATE INDEX `payments_business` ON `payments` (`buyer_id`,`created_at`,`id`);--> statement-breakpoint
DROP INDEX `users_type`;--> statement-breakpoint
CREATE INDEX `users_pending_email` ON `users` (lower(pending_email)) WHERE pending_email IS NOT NULL;--> statement-breakpoint
CREATE INDEX `users_type` ON `users` (`user_type`,`created_at`,`id`);--> statement-breakpoint
CREATE INDEX `challenges_user` ON `challenges` (`user_id`) WHERE user_id IS NOT NULL;--> statement-breakpoint
CREATE INDEX `lead_purchases_charged` ON `lead_purchases` (`purchased_at`,`id`) WHERE mode = 'stripe';--> statement-breakpoint
CREATE INDEX `lead_purchases_lead` ON `lead_purchases` (`lead_id`);--> statement-breakpoint
CREATE INDEX `sessions_impersonator` ON `sessions` (`impersonator_id`) WHERE impersonator_id IS NOT NULL;