CREATE TABLE `attention` (
	`kind` text NOT NULL,
	`subject_id` text NOT NULL,
	`detail` text NOT NULL,
	`since` integer NOT NULL,
	`resolved_at` integer,
	PRIMARY KEY(`kind`, `subject_id`)
);
--> statement-breakpoint
CREATE INDEX `attention_open` ON `attention` (`resolved_at`,`since`);--> statement-breakpoint
CREATE TABLE `audit_log` (
	`id` integer PRIMARY KEY AUTOINCREMENT NOT NULL,
	`at` integer NOT NULL,
	`actor_user_id` text,
	`as_user_id` text,
	`action` text NOT NULL,
	`subject_type` text NOT NULL,
	`subject_id` text NOT NULL,
	`before` text,
	`after` text,
	`request_id` text
);
--> statement-breakpoint
CREATE INDEX `audit_log_at` ON `audit_log` (`at`);--> statement-breakpoint
CREATE INDEX `audit_log_subject` ON `audit_log` (`subject_type`,`subject_id`,`at`);--> statement-breakpoint
CREATE INDEX `audit_log_actor` ON `audit_log` (`actor_user_id`,`at`);--> statement-breakpoint
CREATE TABLE `bank_details` (
	`user_id` text PRIMARY KEY NOT NULL,
	`ciphertext` text NOT NULL,
	`key_id` text NOT NULL,
	`updated_at` integer NOT NULL,
	FOREIGN KEY (`user_id`) REFERENCES `users`(`id`) ON UPDATE no action ON DELETE no action
);
--> statement-breakpoint
CREATE TABLE `bookings` (
	`id` text PRIMARY KEY NOT NULL,
	`submission_id` text,
	`name` text NOT NULL,
	`phone` text NOT NULL,
	`email` text NOT NULL,
	`vehicle` text DEFAULT '' NOT NULL,
	`service_type` text NOT NULL,
	`property_size` text NOT NULL,
	`preferred_date` text,
	`message` text,
	`suburb_id` text,
	`lead_id` text,
	`consent_wording` text,
	`created_at` integer NOT NULL,
	FOREIGN KEY (`suburb_id`) REFERENCES `suburbs`(`id`) ON UPDATE no action ON DELETE no action
);
--> statement-breakpoint
CREATE UNIQUE INDEX `bookings_submission` ON `bookings` (`submission_id`);--> statement-breakpoint
CREATE INDEX `bookings_created` ON `bookings` (`created_at`);--> statement-breakpoint
CREATE TABLE `lead_purchases` (
	`id` text PRIMARY KEY NOT NULL,
	`lead_id` text NOT NULL,
	`buyer_id` text NOT NULL,
	`bought_by_user_id` text NOT NULL,
	`buyer_name` text NOT NULL,
	`buyer_email` text,
	`buyer_phone` text,
	`buyer_company` text,
	`mode` text NOT NULL,
	`amount_paid_cents` integer NOT NULL,
	`payment_status` text DEFAULT 'pending' NOT NULL,
	`purchased_at` integer NOT NULL,
	`sales_stage` text DEFAULT 'accepted_lead' NOT NULL,
	`sales_notes` text,
	`notes_version` integer DEFAULT 0 NOT NULL,
	`customer_payment_amount_cents` integer,
	`next_action_at` integer,
	`called_at` integer,
	`quote_sent_at` integer,
	`job_booked_at` integer,
	`job_complete_at` integer,
	`invoice_sent_at` integer,
	`invoice_paid_at` integer,
	`declined_at` integer,
	`finalised_at` integer,
	`is_archived` integer DEFAULT false NOT NULL,
	`archived_at` integer,
	`removed_at` integer,
	`updated_at` integer NOT NULL,
	FOREIGN KEY (`lead_id`) REFERENCES `leads`(`id`) ON UPDATE no action ON DELETE no action,
	FOREIGN KEY (`buyer_id`) REFERENCES `users`(`id`) ON UPDATE no action ON DELETE no action,
	CONSTRAINT "lead_purchases_mode_known" CHECK("mode" IN ('stripe', 'direct', 'claimed', 'assigned', 'manual')),
	CONSTRAINT "lead_purchases_payment_known" CHECK("payment_status" IN ('pending', 'completed', 'refunded', 'disputed')),
	CONSTRAINT "lead_purchases_paid_in_range" CHECK(amount_paid_cents BETWEEN 0 AND 9999999999),
	CONSTRAINT "lead_purchases_customer_paid_in_range" CHECK(customer_payment_amount_cents IS NULL OR customer_payment_amount_cents BETWEEN 0 AND 9999999999)
);
--> statement-breakpoint
CREATE UNIQUE INDEX `lead_purchases_live_lead` ON `lead_purchases` (`lead_id`) WHERE removed_at IS NULL;--> statement-breakpoint
CREATE INDEX `lead_purchases_business` ON `lead_purchases` (`buyer_id`,`purchased_at`,`id`) WHERE removed_at IS NULL;--> statement-breakpoint
CREATE TABLE `leads` (
	`id` text PRIMARY KEY NOT NULL,
	`submission_id` text,
	`source` text NOT NULL,
	`customer_id` text,
	`customer_name` text NOT NULL,
	`customer_phone` text NOT NULL,
	`customer_email` text,
	`customer_address` text NOT NULL,
	`service_type` text NOT NULL,
	`property_type` text NOT NULL,
	`property_size` text NOT NULL,
	`grass_type` text,
	`urgency` text NOT NULL,
	`frequency` text NOT NULL,
	`access_requirements` text,
	`budget_concern` text NOT NULL,
	`previous_experience` text NOT NULL,
	`specific_requests` text,
	`lawn_condition` text,
	`has_slopes` integer DEFAULT false NOT NULL,
	`has_pets` integer DEFAULT false NOT NULL,
	`preferred_time` text NOT NULL,
	`additional_services` text NOT NULL,
	`preferred_location` text,
	`suburb_id` text,
	`suburb_name` text,
	`suburb_postcode` text,
	`latitude` real,
	`longitude` real,
	`region` text NOT NULL,
	`generation` integer DEFAULT 1 NOT NULL,
	`listing_state` text NOT NULL,
	`status` text DEFAULT 'available' NOT NULL,
	`exchange_version` integer DEFAULT 0 NOT NULL,
	`lead_score` integer DEFAULT 0 NOT NULL,
	`price_cents` integer NOT NULL,
	`consent_wording` text,
	`consent_at` integer,
	`created_at` integer NOT NULL,
	`expires_at` integer NOT NULL,
	FOREIGN KEY (`customer_id`) REFERENCES `users`(`id`) ON UPDATE no action ON DELETE no action,
	FOREIGN KEY (`suburb_id`) REFERENCES `suburbs`(`id`) ON UPDATE no action ON DELETE no action,
	CONSTRAINT "leads_source_known" CHECK("source" IN ('quote', 'booking', 'manual')),
	CONSTRAINT "leads_property_type_known" CHECK("property_type" IN ('residential', 'commercial', 'strata')),
	CONSTRAINT "leads_property_size_known" CHECK("property_size" IN ('small', 'medium', 'large', 'extra_large')),
	CONSTRAINT "leads_grass_type_known" CHECK("grass_type" IN ('buffalo', 'kikuyu', 'couch', 'zoysia', 'mixed', 'not_sure')),
	CONSTRAINT "leads_urgency_known" CHECK("urgency" IN ('urgent', 'within_week', 'within_month', 'flexible')),
	CONSTRAINT "leads_frequency_known" CHECK("frequency" IN ('one_off', 'weekly', 'fortnightly', 'monthly', 'seasonal')),
	CONSTRAINT "leads_access_known" CHECK("access_requirements" IN ('easy_access', 'narrow_gate', 'locked_gate', 'steps_or_slope')),
	CONSTRAINT "leads_budget_known" CHECK("budget_concern" IN ('very_important', 'somewhat_important', 'not_important')),
	CONSTRAINT "leads_experience_known" CHECK("previous_experience" IN ('first_time', 'had_issues_before', 'regular_customer')),
	CONSTRAINT "leads_condition_known" CHECK("lawn_condition" IN ('excellent', 'good', 'average', 'poor', 'overgrown')),
	CONSTRAINT "leads_time_known" CHECK("preferred_time" IN ('morning', 'afternoon', 'evening', 'anytime')),
	CONSTRAINT "leads_region_known" CHECK("region" IN ('blacktown', 'canterbury-bankstown-and-st-george', 'capital-region-and-south-coast', 'central-and-far-west', 'central-coast', 'hills-and-hawkesbury', 'illawarra-and-shoalhaven', 'inner-west', 'liverpool-and-fairfield', 'macarthur', 'new-england-and-north-west', 'newcastle-and-hunter', 'north-coast', 'north-shore-and-ryde', 'northern-beaches', 'parramatta', 'penrith-and-blue-mountains', 'riverina-and-murray', 'sutherland-shire', 'sydney-city-and-east', 'nsw')),
	CONSTRAINT "leads_listing_state_known" CHECK("listing_state" IN ('pending', 'listed', 'quarantined', 'private', 'closed')),
	CONSTRAINT "leads_status_known" CHECK("status" IN ('available', 'sold', 'withdrawn', 'expired')),
	CONSTRAINT "leads_price_in_range" CHECK(price_cents BETWEEN 0 AND 9999999999),
	CONSTRAINT "leads_lists_are_json" CHECK(json_valid(service_type) AND json_valid(additional_services))
);
--> statement-breakpoint
CREATE UNIQUE INDEX `leads_submission` ON `leads` (`submission_id`);--> statement-breakpoint
CREATE INDEX `leads_available` ON `leads` (`created_at`,`id`) WHERE status = 'available' AND listing_state = 'listed';--> statement-breakpoint
CREATE INDEX `leads_available_region` ON `leads` (`region`,`created_at`,`id`) WHERE status = 'available' AND listing_state = 'listed';--> statement-breakpoint
CREATE INDEX `leads_pending` ON `leads` (`created_at`) WHERE listing_state = 'pending';--> statement-breakpoint
CREATE TABLE `payments` (
	`id` text PRIMARY KEY NOT NULL,
	`hold_id` text NOT NULL,
	`lead_id` text NOT NULL,
	`region` text NOT NULL,
	`buyer_id` text NOT NULL,
	`user_id` text NOT NULL,
	`stripe_payment_intent_id` text,
	`state` text NOT NULL,
	`slot` integer,
	`amount_cents` integer NOT NULL,
	`currency` text DEFAULT 'aud' NOT NULL,
	`last_error` text,
	`created_at` integer NOT NULL,
	`updated_at` integer NOT NULL,
	CONSTRAINT "payments_state_known" CHECK("state" IN ('pending', 'processing', 'succeeded', 'cancelled', 'refund_pending', 'refunded', 'disputed')),
	CONSTRAINT "payments_slot_in_range" CHECK(slot IS NULL OR slot IN (1, 2)),
	CONSTRAINT "payments_amount_in_range" CHECK(amount_cents BETWEEN 0 AND 9999999999)
);
--> statement-breakpoint
CREATE UNIQUE INDEX `payments_hold` ON `payments` (`hold_id`);--> statement-breakpoint
CREATE UNIQUE INDEX `payments_intent` ON `payments` (`stripe_payment_intent_id`);--> statement-breakpoint
CREATE UNIQUE INDEX `payments_open_slot` ON `payments` (`buyer_id`,`slot`) WHERE slot IS NOT NULL;--> statement-breakpoint
CREATE INDEX `payments_business` ON `payments` (`buyer_id`,`created_at`);--> statement-breakpoint
CREATE INDEX `payments_state` ON `payments` (`state`,`updated_at`);--> statement-breakpoint
CREATE TABLE `sessions` (
	`id` text PRIMARY KEY NOT NULL,
	`token_hash` text NOT NULL,
	`user_id` text NOT NULL,
	`impersonator_id` text,
	`user_agent` text,
	`live_regions` text DEFAULT '[]' NOT NULL,
	`created_at` integer NOT NULL,
	`last_seen_at` integer NOT NULL,
	`expires_at` integer NOT NULL,
	FOREIGN KEY (`user_id`) REFERENCES `users`(`id`) ON UPDATE no action ON DELETE no action
);
--> statement-breakpoint
CREATE UNIQUE INDEX `sessions_token` ON `sessions` (`token_hash`);--> statement-breakpoint
CREATE INDEX `sessions_user` ON `sessions` (`user_id`);--> statement-breakpoint
CREATE INDEX `sessions_expiry` ON `sessions` (`expires_at`);--> statement-breakpoint
CREATE TABLE `stage_changes` (
	`id` integer PRIMARY KEY AUTOINCREMENT NOT NULL,
	`purchase_id` text NOT NULL,
	`from_stage` text,
	`to_stage` text NOT NULL,
	`changed_by_user_id` text NOT NULL,
	`changed_at` integer NOT NULL,
	FOREIGN KEY (`purchase_id`) REFERENCES `lead_purchases`(`id`) ON UPDATE no action ON DELETE no action,
	CONSTRAINT "stage_changes_to_known" CHECK("to_stage" IN ('accepted_lead', 'called', 'quote_sent', 'job_booked', 'job_complete', 'invoice_sent', 'invoice_paid', 'declined'))
);
--> statement-breakpoint
CREATE INDEX `stage_changes_purchase` ON `stage_changes` (`purchase_id`,`changed_at`);--> statement-breakpoint
CREATE UNIQUE INDEX `stage_changes_first` ON `stage_changes` (`purchase_id`) WHERE from_stage IS NULL;--> statement-breakpoint
CREATE TABLE `suburbs` (
	`id` text PRIMARY KEY NOT NULL,
	`slug` text NOT NULL,
	`name` text NOT NULL,
	`postcode` text NOT NULL,
	`council` text NOT NULL,
	`state` text DEFAULT 'NSW' NOT NULL,
	`region` text NOT NULL,
	`sa4` text NOT NULL,
	`latitude` real NOT NULL,
	`longitude` real NOT NULL,
	`population` integer DEFAULT 0 NOT NULL,
	`description` text,
	`phone` text,
	`email` text,
	`address` text,
	`opening_hours` text,
	`price_from` integer DEFAULT 49 NOT NULL,
	`is_active` integer DEFAULT true NOT NULL,
	CONSTRAINT "suburbs_region_known" CHECK("region" IN ('blacktown', 'canterbury-bankstown-and-st-george', 'capital-region-and-south-coast', 'central-and-far-west', 'central-coast', 'hills-and-hawkesbury', 'illawarra-and-shoalhaven', 'inner-west', 'liverpool-and-fairfield', 'macarthur', 'new-england-and-north-west', 'newcastle-and-hunter', 'north-coast', 'north-shore-and-ryde', 'northern-beaches', 'parramatta', 'penrith-and-blue-mountains', 'riverina-and-murray', 'sutherland-shire', 'sydney-city-and-east', 'nsw'))
);
--> statement-breakpoint
CREATE UNIQUE INDEX `suburbs_slug` ON `suburbs` (`slug`);--> statement-breakpoint
CREATE INDEX `suburbs_name` ON `suburbs` (name COLLATE NOCASE,`population`);--> statement-breakpoint
CREATE INDEX `suburbs_postcode` ON `suburbs` (`postcode`,`population`);--> statement-breakpoint
CREATE INDEX `suburbs_active` ON `suburbs` (`is_active`,`population`);--> statement-breakpoint
CREATE INDEX `suburbs_council` ON `suburbs` (`council`,`is_active`,`population`);--> statement-breakpoint
CREATE TABLE `users` (
	`id` text PRIMARY KEY NOT NULL,
	`username` text NOT NULL,
	`email` text,
	`password_hash` text NOT NULL,
	`must_change_password` integer DEFAULT false NOT NULL,
	`user_type` text NOT NULL,
	`team_owner_id` text,
	`first_name` text NOT NULL,
	`last_name` text NOT NULL,
	`phone` text,
	`company_name` text,
	`business_address` text,
	`abn` text,
	`insurance_details` text,
	`service_areas` text,
	`license_number` text,
	`watched_regions` text DEFAULT '[]' NOT NULL,
	`is_active` integer DEFAULT true NOT NULL,
	`is_verified` integer DEFAULT false NOT NULL,
	`is_super_admin` integer DEFAULT false NOT NULL,
	`created_at` integer NOT NULL,
	`updated_at` integer NOT NULL,
	CONSTRAINT "users_type_known" CHECK("user_type" IN ('customer', 'provider', 'team_member')),
	CONSTRAINT "users_team_member_has_owner" CHECK((user_type = 'team_member') = (team_owner_id IS NOT NULL)),
	CONSTRAINT "users_email_not_empty" CHECK(email <> '')
);
--> statement-breakpoint
CREATE UNIQUE INDEX `users_username` ON `users` (lower(username));--> statement-breakpoint
CREATE UNIQUE INDEX `users_email` ON `users` (lower(email));--> statement-breakpoint
CREATE INDEX `users_team` ON `users` (`team_owner_id`);--> statement-breakpoint
CREATE INDEX `users_type` ON `users` (`user_type`,`created_at`);