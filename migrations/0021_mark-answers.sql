ALTER TABLE `lead_purchases` ADD `answered_at` integer;--> statement-breakpoint
ALTER TABLE `lead_purchases` ADD `answers_seen_at` integer;