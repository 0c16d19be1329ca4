CREATE TABLE `alert_settings` (
	`user_id` text PRIMARY KEY NOT NULL,
	`quiet_hours` text,
	`regions` text,
	`services` text,
	`urgencies` text,
	`least_size` text,
	`paused_until` integer,
	`team` text,
	FOREIGN KEY (`user_id`) REFERENCES `users`(`id`) ON UPDATE no action ON DELETE no action
);
--> statement-breakpoint
CREATE TABLE `attention` (
	`kind` text NOT NULL,
	`subject_id` text NOT NULL,
	`detail` text NOT NULL,
	`since` integer NOT NULL,
	`resolved_at` integer,
	`told_at` integer,
	PRIMARY KEY(`kind`, `subject_id`)
);
--> statement-breakpoint
CREATE INDEX `attention_open` ON `attention` (`resolved_at`,`since`);--> statement-breakpoint
CREATE TABLE `audit_log` (
	`id` integer PRIMARY KEY NOT NULL,
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
CREATE INDEX `audit_log_subject` ON `audit_log` (`subject_id`,`at`);--> statement-breakpoint
CREATE INDEX `audit_log_action` ON `audit_log` (`action`,`at`);--> statement-breakpoint
CREATE INDEX `audit_log_actor` ON `audit_log` (`actor_user_id`,`at`);--> statement-breakpoint
CREATE INDEX `audit_log_as` ON `audit_log` (`as_user_id`,`at`) WHERE as_user_id IS NOT NULL;--> statement-breakpoint
CREATE TABLE `bank_details` (
	`user_id` text PRIMARY KEY NOT NULL,
	`ciphertext` text NOT NULL,
	`key_id` text NOT NULL,
	`account_hash` text,
	`updated_at` integer NOT NULL,
	FOREIGN KEY (`user_id`) REFERENCES `users`(`id`) ON UPDATE no action ON DELETE no action
);
--> statement-breakpoint
CREATE INDEX `bank_details_account` ON `bank_details` (`account_hash`) WHERE account_hash IS NOT NULL;--> statement-breakpoint
CREATE TABLE `bookings` (
	`id` text PRIMARY KEY NOT NULL,
	`submission_id` text,
	`reference` text,
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
	`handled_at` integer,
	`handled_by_user_id` text,
	`phone_key` text,
	`other_phone_key` text,
	`email_key` text,
	`erased_at` integer,
	`created_at` integer NOT NULL,
	FOREIGN KEY (`suburb_id`) REFERENCES `suburbs`(`id`) ON UPDATE no action ON DELETE no action
);
--> statement-breakpoint
CREATE UNIQUE INDEX `bookings_submission` ON `bookings` (`submission_id`);--> statement-breakpoint
CREATE UNIQUE INDEX `bookings_reference` ON `bookings` (`reference`) WHERE reference IS NOT NULL;--> statement-breakpoint
CREATE INDEX `bookings_phone` ON `bookings` (`phone_key`);--> statement-breakpoint
CREATE INDEX `bookings_other_phone` ON `bookings` (`other_phone_key`) WHERE other_phone_key <> '';--> statement-breakpoint
CREATE INDEX `bookings_email` ON `bookings` (`email_key`);--> statement-breakpoint
CREATE INDEX `bookings_listed` ON `bookings` ((lead_id IS NULL),`created_at`,`id`) WHERE erased_at IS NULL;--> statement-breakpoint
CREATE INDEX `bookings_lead` ON `bookings` (`lead_id`) WHERE lead_id IS NOT NULL;--> statement-breakpoint
CREATE INDEX `bookings_waiting` ON `bookings` (`created_at`,`id`) WHERE lead_id IS NULL AND handled_at IS NULL AND erased_at IS NULL;--> statement-breakpoint
CREATE TABLE `contact_corrections` (
	`id` integer PRIMARY KEY NOT NULL,
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
CREATE TABLE `contact_log` (
	`purchase_id` text NOT NULL,
	`outcome` text NOT NULL,
	`by_user_id` text NOT NULL,
	`at` integer NOT NULL,
	`entry_key` text NOT NULL,
	`logged_at` integer NOT NULL,
	PRIMARY KEY(`purchase_id`, `entry_key`),
	FOREIGN KEY (`purchase_id`) REFERENCES `lead_purchases`(`id`) ON UPDATE no action ON DELETE no action
);
--> statement-breakpoint
CREATE TABLE `customer_answers` (
	`id` text PRIMARY KEY NOT NULL,
	`purchase_id` text NOT NULL,
	`body` text NOT NULL,
	`gateway_ref` text NOT NULL,
	`at` integer NOT NULL,
	FOREIGN KEY (`purchase_id`) REFERENCES `lead_purchases`(`id`) ON UPDATE no action ON DELETE no action
);
--> statement-breakpoint
CREATE INDEX `customer_answers_purchase` ON `customer_answers` (`purchase_id`,`at`);--> statement-breakpoint
CREATE UNIQUE INDEX `customer_answers_ref` ON `customer_answers` (`gateway_ref`);--> statement-breakpoint
CREATE TABLE `customer_updates` (
	`id` text PRIMARY KEY NOT NULL,
	`lead_id` text NOT NULL,
	`kind` text NOT NULL,
	`changes` text DEFAULT '[]' NOT NULL,
	`at` integer NOT NULL,
	FOREIGN KEY (`lead_id`) REFERENCES `leads`(`id`) ON UPDATE no action ON DELETE no action
);
--> statement-breakpoint
CREATE INDEX `customer_updates_lead` ON `customer_updates` (`lead_id`,`at`);--> statement-breakpoint
CREATE TABLE `bad_lead_reports` (
	`id` text PRIMARY KEY NOT NULL,
	`purchase_id` text NOT NULL,
	`lead_id` text NOT NULL,
	`buyer_id` text NOT NULL,
	`reason` text NOT NULL,
	`note` text,
	`state` text DEFAULT 'open' NOT NULL,
	`answer` text,
	`decided_at` integer,
	`created_at` integer NOT NULL,
	FOREIGN KEY (`purchase_id`) REFERENCES `lead_purchases`(`id`) ON UPDATE no action ON DELETE no action
);
--> statement-breakpoint
CREATE UNIQUE INDEX `bad_lead_reports_purchase` ON `bad_lead_reports` (`purchase_id`);--> statement-breakpoint
CREATE INDEX `bad_lead_reports_state` ON `bad_lead_reports` (`state`,`created_at`,`id`);--> statement-breakpoint
CREATE INDEX `bad_lead_reports_business` ON `bad_lead_reports` (`buyer_id`,`created_at`);--> statement-breakpoint
CREATE INDEX `bad_lead_reports_created` ON `bad_lead_reports` (`created_at`);--> statement-breakpoint
CREATE TABLE `form_starts` (
	`nonce` text PRIMARY KEY NOT NULL,
	`submission_id` text NOT NULL,
	`used_at` integer NOT NULL
);
--> statement-breakpoint
CREATE INDEX `form_starts_used` ON `form_starts` (`used_at`);--> statement-breakpoint
CREATE TABLE `free_claims` (
	`id` text PRIMARY KEY NOT NULL,
	`buyer_id` text NOT NULL,
	`purchase_id` text NOT NULL,
	`price_cents` integer NOT NULL,
	`created_at` integer NOT NULL,
	`revoked_at` integer,
	`used_for_lead_id` text,
	`used_at` integer,
	`finished_at` integer,
	FOREIGN KEY (`purchase_id`) REFERENCES `lead_purchases`(`id`) ON UPDATE no action ON DELETE no action
);
--> statement-breakpoint
CREATE UNIQUE INDEX `free_claims_purchase` ON `free_claims` (`purchase_id`);--> statement-breakpoint
CREATE UNIQUE INDEX `free_claims_lead` ON `free_claims` (`used_for_lead_id`);--> statement-breakpoint
CREATE INDEX `free_claims_business` ON `free_claims` (`buyer_id`,`used_at`,`created_at`);--> statement-breakpoint
CREATE INDEX `free_claims_unfinished` ON `free_claims` (`used_at`) WHERE used_at IS NOT NULL AND finished_at IS NULL;--> statement-breakpoint
CREATE TABLE `guarantee_cases` (
	`purchase_id` text PRIMARY KEY NOT NULL,
	`lead_id` text NOT NULL,
	`buyer_id` text NOT NULL,
	`rule` text NOT NULL,
	`state` text NOT NULL,
	`due_at` integer,
	`contested_at` integer,
	`contest_note` text,
	`answer` text,
	`decided_at` integer,
	`decided_by_user_id` text,
	`created_at` integer NOT NULL,
	`updated_at` integer NOT NULL,
	FOREIGN KEY (`purchase_id`) REFERENCES `lead_purchases`(`id`) ON UPDATE no action ON DELETE no action
);
--> statement-breakpoint
CREATE INDEX `guarantee_cases_due` ON `guarantee_cases` (`due_at`) WHERE due_at IS NOT NULL;--> statement-breakpoint
CREATE INDEX `guarantee_cases_business` ON `guarantee_cases` (`buyer_id`,`created_at`);--> statement-breakpoint
CREATE INDEX `guarantee_cases_state` ON `guarantee_cases` (`state`,`updated_at`,`purchase_id`);--> statement-breakpoint
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
	`payment_intent_id` text,
	`purchased_at` integer NOT NULL,
	`sales_stage` text DEFAULT 'accepted_lead' NOT NULL,
	`sales_notes` text,
	`notes_version` integer DEFAULT 0 NOT NULL,
	`customer_payment_amount_cents` integer,
	`notes_by_user_id` text,
	`notes_at` integer,
	`next_action_at` integer,
	`next_action_note` text,
	`assigned_to_user_id` text,
	`corrected` text,
	`change_keys` text DEFAULT '' NOT NULL,
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
	`removed_by_user_id` text,
	`clock_ends_at` integer,
	`clock_due_at` integer,
	`call_clock` text,
	`review_due_at` integer,
	`tries` integer DEFAULT 0 NOT NULL,
	`last_contact_at` integer,
	`reached_at` integer,
	`answered_at` integer,
	`answers_seen_at` integer,
	`tile` text GENERATED ALWAYS AS (CASE WHEN is_archived OR finalised_at IS NOT NULL THEN 'final' ELSE sales_stage END) VIRTUAL,
	`next_action_order` integer GENERATED ALWAYS AS (coalesce(next_action_at, 8640000000000000)) VIRTUAL,
	`updated_at` integer NOT NULL,
	FOREIGN KEY (`lead_id`) REFERENCES `leads`(`id`) ON UPDATE no action ON DELETE no action,
	FOREIGN KEY (`buyer_id`) REFERENCES `users`(`id`) ON UPDATE no action ON DELETE no action,
	CONSTRAINT "lead_purchases_paid_in_range" CHECK(amount_paid_cents BETWEEN 0 AND 9999999999),
	CONSTRAINT "lead_purchases_customer_paid_in_range" CHECK(customer_payment_amount_cents IS NULL OR customer_payment_amount_cents BETWEEN 0 AND 9999999999)
);
--> statement-breakpoint
CREATE UNIQUE INDEX `lead_purchases_live_lead` ON `lead_purchases` (`lead_id`) WHERE removed_at IS NULL;--> statement-breakpoint
CREATE INDEX `lead_purchases_lead` ON `lead_purchases` (`lead_id`);--> statement-breakpoint
CREATE INDEX `lead_purchases_traded` ON `lead_purchases` (`purchased_at`) WHERE mode <> 'manual';--> statement-breakpoint
CREATE INDEX `lead_purchases_business` ON `lead_purchases` (`buyer_id`,`purchased_at`,`id`) WHERE removed_at IS NULL;--> statement-breakpoint
CREATE INDEX `lead_purchases_tile` ON `lead_purchases` (`buyer_id`,`tile`,`purchased_at`,`id`) WHERE removed_at IS NULL;--> statement-breakpoint
CREATE UNIQUE INDEX `lead_purchases_payment` ON `lead_purchases` (`payment_intent_id`) WHERE payment_intent_id IS NOT NULL;--> statement-breakpoint
CREATE INDEX `lead_purchases_changed` ON `lead_purchases` (`buyer_id`,`updated_at`,`id`);--> statement-breakpoint
CREATE INDEX `lead_purchases_clock` ON `lead_purchases` (`clock_due_at`) WHERE clock_due_at IS NOT NULL;--> statement-breakpoint
CREATE INDEX `lead_purchases_review` ON `lead_purchases` (`review_due_at`) WHERE review_due_at IS NOT NULL;--> statement-breakpoint
CREATE INDEX `lead_purchases_next_action` ON `lead_purchases` (`buyer_id`,`next_action_order`,`id`) WHERE removed_at IS NULL;--> statement-breakpoint
CREATE TABLE `leads` (
	`id` text PRIMARY KEY NOT NULL,
	`submission_id` text,
	`reference` text,
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
	`stated` text,
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
	`phone_key` text,
	`other_phone_key` text,
	`email_key` text,
	`email_bounced_at` integer,
	`street_key` text,
	`origin_key` text,
	`quarantine_reasons` text DEFAULT '[]' NOT NULL,
	`reviewed_at` integer,
	`withdrawn_reason` text,
	`photo_count` integer DEFAULT 0 NOT NULL,
	`contact_method` text,
	`contact_time` text,
	`confirmed_by` text,
	`digit_tries` integer DEFAULT 0 NOT NULL,
	`rescued_from_id` text,
	`excluded_business_id` text,
	`redacted_name` text,
	`redacted_requests` text,
	`redacted_location` text,
	`revision` integer DEFAULT 0 NOT NULL,
	`erased_at` integer,
	`created_at` integer NOT NULL,
	`expires_at` integer NOT NULL,
	FOREIGN KEY (`customer_id`) REFERENCES `users`(`id`) ON UPDATE no action ON DELETE no action,
	FOREIGN KEY (`suburb_id`) REFERENCES `suburbs`(`id`) ON UPDATE no action ON DELETE no action,
	CONSTRAINT "leads_price_in_range" CHECK(price_cents BETWEEN 0 AND 9999999999),
	CONSTRAINT "leads_lists_are_json" CHECK(json_valid(service_type) AND json_valid(additional_services))
);
--> statement-breakpoint
CREATE UNIQUE INDEX `leads_submission` ON `leads` (`submission_id`);--> statement-breakpoint
CREATE UNIQUE INDEX `leads_reference` ON `leads` (`reference`) WHERE reference IS NOT NULL;--> statement-breakpoint
CREATE INDEX `leads_customer` ON `leads` (`customer_id`) WHERE customer_id IS NOT NULL;--> statement-breakpoint
CREATE INDEX `leads_phone` ON `leads` (`phone_key`,`created_at`);--> statement-breakpoint
CREATE INDEX `leads_other_phone` ON `leads` (`other_phone_key`) WHERE other_phone_key <> '';--> statement-breakpoint
CREATE INDEX `leads_email` ON `leads` (`email_key`,`created_at`);--> statement-breakpoint
-- Corrected by hand: drizzle-kit cuts an expression at its commas.
CREATE INDEX `leads_origin` ON `leads` ((substr(origin_key, 1, 22)),`created_at`) WHERE quarantine_reasons = '[]';--> statement-breakpoint
CREATE INDEX `leads_suburb` ON `leads` (`suburb_id`,`created_at`) WHERE source <> 'manual';--> statement-breakpoint
CREATE INDEX `leads_created` ON `leads` (`created_at`,`id`);--> statement-breakpoint
CREATE INDEX `leads_by_end` ON `leads` ((status || ''),`created_at`,`id`) WHERE status <> 'available';--> statement-breakpoint
CREATE INDEX `leads_by_region` ON `leads` ((region || ''),`created_at`,`id`);--> statement-breakpoint
CREATE INDEX `leads_by_name` ON `leads` ((lower(customer_name)));--> statement-breakpoint
-- Corrected by hand: drizzle-kit cuts an expression at its commas.
CREATE INDEX `leads_by_surname` ON `leads` ((substr(lower(customer_name), instr(customer_name, ' ') + 1)));--> statement-breakpoint
-- Corrected by hand: drizzle-kit cuts an expression at its commas.
CREATE INDEX `leads_by_street` ON `leads` ((ltrim(street_key, '0123456789/- '))) WHERE street_key IS NOT NULL;--> statement-breakpoint
CREATE INDEX `leads_waiting` ON `leads` (`listing_state`,`created_at`,`id`) WHERE listing_state = 'pending' OR listing_state = 'quarantined';--> statement-breakpoint
CREATE INDEX `leads_available` ON `leads` (`created_at`,`id`) WHERE status = 'available' AND listing_state = 'listed';--> statement-breakpoint
CREATE INDEX `leads_available_region` ON `leads` (`region`,`created_at`,`id`) WHERE status = 'available' AND listing_state = 'listed';--> statement-breakpoint
CREATE UNIQUE INDEX `leads_rescued_from` ON `leads` (`rescued_from_id`) WHERE rescued_from_id IS NOT NULL;--> statement-breakpoint
CREATE INDEX `leads_to_erase` ON `leads` ((status = 'sold'),`created_at`) WHERE erased_at IS NULL;--> statement-breakpoint
CREATE TABLE `live_sockets` (
	`session_id` text NOT NULL,
	`place` text NOT NULL,
	`ended` integer DEFAULT false NOT NULL,
	PRIMARY KEY(`session_id`, `place`)
);
--> statement-breakpoint
CREATE INDEX `live_sockets_to_close` ON `live_sockets` (`place`) WHERE ended;--> statement-breakpoint
CREATE TABLE `market_days` (
	`day` text PRIMARY KEY NOT NULL,
	`pages` integer DEFAULT 0 NOT NULL,
	`forms` integer DEFAULT 0 NOT NULL,
	`leads` integer DEFAULT 0 NOT NULL,
	`suspicious` integer DEFAULT 0 NOT NULL,
	`listed` integer DEFAULT 0 NOT NULL,
	`taken` integer DEFAULT 0 NOT NULL,
	`called` integer DEFAULT 0 NOT NULL,
	`booked` integer DEFAULT 0 NOT NULL,
	`sold` integer DEFAULT 0 NOT NULL,
	`given` integer DEFAULT 0 NOT NULL,
	`revenue_cents` integer DEFAULT 0 NOT NULL,
	`refund_cents` integer DEFAULT 0 NOT NULL,
	`bad_leads` integer DEFAULT 0 NOT NULL,
	`regions` text DEFAULT '{}' NOT NULL,
	`providers` integer,
	`fresh_providers` integer,
	`active_providers` integer,
	`counted_at` integer DEFAULT 0 NOT NULL
);
--> statement-breakpoint
CREATE TABLE `message_channels` (
	`channel` text PRIMARY KEY NOT NULL,
	`is_on` integer NOT NULL,
	`most_a_day` integer
);
--> statement-breakpoint
CREATE TABLE `message_stops` (
	`recipient_hash` text PRIMARY KEY NOT NULL,
	`since` integer NOT NULL
);
--> statement-breakpoint
CREATE TABLE `messages` (
	`id` text PRIMARY KEY NOT NULL,
	`dedupe_key` text NOT NULL,
	`channel` text NOT NULL,
	`template` text NOT NULL,
	`recipient` text,
	`user_id` text,
	`lead_id` text,
	`payload` text NOT NULL,
	`due` integer NOT NULL,
	`expires_at` integer NOT NULL,
	`state` text DEFAULT 'waiting' NOT NULL,
	`attempts` integer DEFAULT 0 NOT NULL,
	`tried_at` integer,
	`created_at` integer NOT NULL
);
--> statement-breakpoint
CREATE UNIQUE INDEX `messages_dedupe` ON `messages` (`dedupe_key`);--> statement-breakpoint
CREATE INDEX `messages_due` ON `messages` (`due`,`id`) WHERE state = 'waiting';--> statement-breakpoint
CREATE INDEX `messages_recipient` ON `messages` (`recipient`,`template`,`created_at`);--> statement-breakpoint
-- Corrected by hand: drizzle-kit cuts an expression at its commas.
CREATE INDEX `messages_mailbox` ON `messages` ((CASE WHEN substr(recipient, instr(recipient, '@')) IN ('@gmail.com', '@googlemail.com') THEN replace(substr(recipient, 1, min(instr(recipient || '+', '+'), instr(recipient, '@')) - 1), '.', '') || '@gmail.com' ELSE substr(recipient, 1, min(instr(recipient || '+', '+'), instr(recipient, '@')) - 1) || substr(recipient, instr(recipient, '@')) END),`created_at`) WHERE channel <> 'push';--> statement-breakpoint
CREATE INDEX `messages_user` ON `messages` (`user_id`) WHERE user_id IS NOT NULL;--> statement-breakpoint
CREATE INDEX `messages_lead` ON `messages` (`lead_id`) WHERE lead_id IS NOT NULL;--> statement-breakpoint
CREATE INDEX `messages_tried` ON `messages` (`channel`,`tried_at`) WHERE tried_at IS NOT NULL AND channel <> 'push';--> statement-breakpoint
CREATE INDEX `messages_over` ON `messages` (`created_at`,`id`) WHERE state <> 'waiting';--> statement-breakpoint
CREATE INDEX `messages_failed` ON `messages` (`created_at`,`id`) WHERE state IN ('failed', 'bounced');--> statement-breakpoint
CREATE TABLE `must_hold` (
	`ok` integer NOT NULL,
	CONSTRAINT "must_hold" CHECK(ok = 1)
);
--> statement-breakpoint
CREATE TABLE `one_time_secrets` (
	`id` text PRIMARY KEY NOT NULL,
	`hash` text NOT NULL,
	`purpose` text NOT NULL,
	`user_id` text,
	`email` text,
	`data` text,
	`tries` integer DEFAULT 0 NOT NULL,
	`created_at` integer NOT NULL,
	`expires_at` integer NOT NULL,
	`used_at` integer,
	FOREIGN KEY (`user_id`) REFERENCES `users`(`id`) ON UPDATE no action ON DELETE no action
);
--> statement-breakpoint
CREATE UNIQUE INDEX `one_time_secrets_hash` ON `one_time_secrets` (`hash`,`purpose`);--> statement-breakpoint
CREATE INDEX `one_time_secrets_user` ON `one_time_secrets` (`user_id`,`purpose`,`created_at`) WHERE user_id IS NOT NULL;--> statement-breakpoint
-- Corrected by hand: drizzle-kit cuts an expression at its commas.
CREATE INDEX `one_time_secrets_mailbox` ON `one_time_secrets` ((CASE WHEN substr(email, instr(email, '@')) IN ('@gmail.com', '@googlemail.com') THEN replace(substr(email, 1, min(instr(email || '+', '+'), instr(email, '@')) - 1), '.', '') || '@gmail.com' ELSE substr(email, 1, min(instr(email || '+', '+'), instr(email, '@')) - 1) || substr(email, instr(email, '@')) END),`created_at`) WHERE email IS NOT NULL;--> statement-breakpoint
CREATE INDEX `one_time_secrets_expiry` ON `one_time_secrets` (`expires_at`);--> statement-breakpoint
CREATE TABLE `operator_jobs` (
	`id` text PRIMARY KEY NOT NULL,
	`kind` text NOT NULL,
	`input` text,
	`state` text DEFAULT 'waiting' NOT NULL,
	`progress` text,
	`result` text,
	`leased_until` integer DEFAULT 0 NOT NULL,
	`attempts` integer DEFAULT 0 NOT NULL,
	`created_at` integer NOT NULL,
	`updated_at` integer NOT NULL
);
--> statement-breakpoint
CREATE INDEX `operator_jobs_state` ON `operator_jobs` (`state`,`created_at`);--> statement-breakpoint
CREATE TABLE `passkeys` (
	`id` text PRIMARY KEY NOT NULL,
	`user_id` text NOT NULL,
	`credential_id` text NOT NULL,
	`public_key` text NOT NULL,
	`counter` integer NOT NULL,
	`transports` text NOT NULL,
	`is_synced` integer NOT NULL,
	`name` text NOT NULL,
	`created_at` integer NOT NULL,
	`last_used_at` integer,
	FOREIGN KEY (`user_id`) REFERENCES `users`(`id`) ON UPDATE no action ON DELETE no action
);
--> statement-breakpoint
CREATE UNIQUE INDEX `passkeys_credential` ON `passkeys` (`credential_id`);--> statement-breakpoint
CREATE INDEX `passkeys_user` ON `passkeys` (`user_id`,`created_at`);--> statement-breakpoint
CREATE TABLE `paused_regions` (
	`region` text PRIMARY KEY NOT NULL,
	`reason` text NOT NULL,
	`since` integer NOT NULL
);
--> statement-breakpoint
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
	`newcomer_56` text,
	`newcomer_48` text,
	`amount_cents` integer NOT NULL,
	`last_error` text,
	`card_brand` text,
	`card_last4` text,
	`save_card_consent` text,
	`claim_key` text,
	`released_at` integer,
	`refunded_cents` integer DEFAULT 0 NOT NULL,
	`succeeded_at` integer,
	`refunded_at` integer,
	`read_at_stripe_at` integer DEFAULT 0 NOT NULL,
	`seen_at_stripe_at` integer,
	`created_at` integer NOT NULL,
	`updated_at` integer NOT NULL,
	CONSTRAINT "payments_slot_in_range" CHECK(slot IS NULL OR slot IN (1, 2)),
	CONSTRAINT "payments_amount_in_range" CHECK(amount_cents BETWEEN 0 AND 9999999999)
);
--> statement-breakpoint
CREATE INDEX `payments_created` ON `payments` (`created_at`,`id`);--> statement-breakpoint
CREATE INDEX `payments_lead` ON `payments` (`lead_id`);--> statement-breakpoint
CREATE UNIQUE INDEX `payments_hold` ON `payments` (`hold_id`);--> statement-breakpoint
CREATE UNIQUE INDEX `payments_intent` ON `payments` (`stripe_payment_intent_id`);--> statement-breakpoint
CREATE UNIQUE INDEX `payments_open_slot` ON `payments` (`buyer_id`,`slot`) WHERE slot IS NOT NULL;--> statement-breakpoint
CREATE INDEX `payments_business` ON `payments` (`buyer_id`,`created_at`,`id`);--> statement-breakpoint
CREATE INDEX `payments_listed` ON `payments` (`state`,`created_at`,`id`);--> statement-breakpoint
CREATE INDEX `payments_succeeded` ON `payments` (`succeeded_at`) WHERE succeeded_at IS NOT NULL;--> statement-breakpoint
CREATE INDEX `payments_refunded` ON `payments` (`refunded_at`) WHERE refunded_at IS NOT NULL;--> statement-breakpoint
CREATE TABLE `photos` (
	`id` text PRIMARY KEY NOT NULL,
	`kind` text NOT NULL,
	`lead_id` text,
	`purchase_id` text,
	`business_id` text,
	`upload_hash` text,
	`width` integer NOT NULL,
	`height` integer NOT NULL,
	`bytes` integer NOT NULL,
	`customer_agreed_at` integer,
	`provider_agreed_at` integer,
	`created_at` integer NOT NULL
);
--> statement-breakpoint
CREATE INDEX `photos_lead` ON `photos` (`lead_id`) WHERE lead_id IS NOT NULL;--> statement-breakpoint
CREATE INDEX `photos_purchase` ON `photos` (`purchase_id`) WHERE purchase_id IS NOT NULL;--> statement-breakpoint
CREATE INDEX `photos_business` ON `photos` (`business_id`) WHERE business_id IS NOT NULL;--> statement-breakpoint
CREATE INDEX `photos_shown` ON `photos` (`created_at`) WHERE kind = 'after' AND customer_agreed_at IS NOT NULL AND provider_agreed_at IS NOT NULL;--> statement-breakpoint
CREATE INDEX `photos_unowned` ON `photos` (`upload_hash`,`created_at`) WHERE lead_id IS NULL AND purchase_id IS NULL AND business_id IS NULL;--> statement-breakpoint
CREATE TABLE `pipeline_counts` (
	`business_id` text NOT NULL,
	`tile` text NOT NULL,
	`purchases` integer NOT NULL,
	PRIMARY KEY(`business_id`, `tile`)
);
--> statement-breakpoint
CREATE TABLE `profile_councils` (
	`business_id` text NOT NULL,
	`council` text NOT NULL,
	PRIMARY KEY(`business_id`, `council`),
	FOREIGN KEY (`business_id`) REFERENCES `users`(`id`) ON UPDATE no action ON DELETE no action
);
--> statement-breakpoint
CREATE INDEX `profile_councils_council` ON `profile_councils` (`council`);--> statement-breakpoint
CREATE TABLE `provider_checks` (
	`id` text PRIMARY KEY NOT NULL,
	`business_id` text NOT NULL,
	`kind` text NOT NULL,
	`state` text NOT NULL,
	`number` text,
	`seen_on` text,
	`ends_on` text,
	`file_key` text,
	`file_type` text,
	`file_bytes` integer,
	`reason` text,
	`decided_by_user_id` text,
	`decided_at` integer,
	`reminded_at` integer,
	`created_at` integer NOT NULL,
	FOREIGN KEY (`business_id`) REFERENCES `users`(`id`) ON UPDATE no action ON DELETE no action
);
--> statement-breakpoint
CREATE INDEX `provider_checks_business` ON `provider_checks` (`business_id`,`kind`,`created_at`);--> statement-breakpoint
CREATE INDEX `provider_checks_state` ON `provider_checks` (`state`,`created_at`,`id`);--> statement-breakpoint
CREATE INDEX `provider_checks_abn` ON `provider_checks` (`number`) WHERE kind = 'abn' AND state = 'valid';--> statement-breakpoint
CREATE INDEX `provider_checks_end` ON `provider_checks` (`state`,`ends_on`) WHERE ends_on IS NOT NULL;--> statement-breakpoint
CREATE INDEX `provider_checks_file` ON `provider_checks` (`state`,`created_at`,`file_key`) WHERE file_key IS NOT NULL;--> statement-breakpoint
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
CREATE INDEX `provider_notes_subject` ON `provider_notes` (`subject_id`) WHERE subject_id IS NOT NULL;--> statement-breakpoint
CREATE TABLE `provider_profiles` (
	`business_id` text PRIMARY KEY NOT NULL,
	`slug` text NOT NULL,
	`is_public` integer DEFAULT false NOT NULL,
	`words` text DEFAULT '' NOT NULL,
	`suburb_id` text,
	`hidden_at` integer,
	`hidden_reason` text,
	`created_at` integer NOT NULL,
	`updated_at` integer NOT NULL,
	FOREIGN KEY (`business_id`) REFERENCES `users`(`id`) ON UPDATE no action ON DELETE no action,
	FOREIGN KEY (`suburb_id`) REFERENCES `suburbs`(`id`) ON UPDATE no action ON DELETE no action
);
--> statement-breakpoint
CREATE UNIQUE INDEX `provider_profiles_slug` ON `provider_profiles` (`slug`);--> statement-breakpoint
CREATE TABLE `public_figures` (
	`key` text PRIMARY KEY NOT NULL,
	`value` real NOT NULL,
	`n` integer NOT NULL,
	`businesses` integer NOT NULL,
	`from_day` text NOT NULL,
	`to_day` text NOT NULL,
	`computed_at` integer NOT NULL
);
--> statement-breakpoint
CREATE TABLE `push_devices` (
	`id` text PRIMARY KEY NOT NULL,
	`user_id` text NOT NULL,
	`session_id` text NOT NULL,
	`endpoint` text NOT NULL,
	`p256dh` text NOT NULL,
	`auth` text NOT NULL,
	`origin` text NOT NULL,
	`created_at` integer NOT NULL,
	FOREIGN KEY (`user_id`) REFERENCES `users`(`id`) ON UPDATE no action ON DELETE no action
);
--> statement-breakpoint
CREATE UNIQUE INDEX `push_devices_endpoint` ON `push_devices` (`endpoint`);--> statement-breakpoint
CREATE INDEX `push_devices_user` ON `push_devices` (`user_id`,`created_at`);--> statement-breakpoint
CREATE TABLE `request_links` (
	`token_hash` text PRIMARY KEY NOT NULL,
	`lead_id` text NOT NULL,
	`created_at` integer NOT NULL,
	`sent_by` text,
	`withdrawal_asked_at` integer,
	FOREIGN KEY (`lead_id`) REFERENCES `leads`(`id`) ON UPDATE no action ON DELETE no action
);
--> statement-breakpoint
CREATE INDEX `request_links_lead` ON `request_links` (`lead_id`);--> statement-breakpoint
CREATE INDEX `request_links_withdrawal` ON `request_links` (`withdrawal_asked_at`) WHERE withdrawal_asked_at IS NOT NULL;--> statement-breakpoint
CREATE TABLE `rescue_offers` (
	`lead_id` text NOT NULL,
	`business_id` text NOT NULL,
	`offered_at` integer NOT NULL,
	`ends_at` integer NOT NULL,
	`outcome` text,
	PRIMARY KEY(`lead_id`, `business_id`),
	FOREIGN KEY (`lead_id`) REFERENCES `leads`(`id`) ON UPDATE no action ON DELETE no action,
	FOREIGN KEY (`business_id`) REFERENCES `users`(`id`) ON UPDATE no action ON DELETE no action
);
--> statement-breakpoint
CREATE INDEX `rescue_offers_business` ON `rescue_offers` (`business_id`,`ends_at`);--> statement-breakpoint
CREATE TABLE `reviews` (
	`id` text PRIMARY KEY NOT NULL,
	`purchase_id` text NOT NULL,
	`lead_id` text NOT NULL,
	`business_id` text NOT NULL,
	`invited_at` integer NOT NULL,
	`ends_at` integer NOT NULL,
	`stars` integer,
	`words` text,
	`customer_name` text,
	`suburb_id` text,
	`service_type` text NOT NULL,
	`written_at` integer,
	`reply` text,
	`replied_at` integer,
	`flag` text,
	`hidden_rule` text,
	`hidden_at` integer,
	`updated_at` integer NOT NULL,
	FOREIGN KEY (`purchase_id`) REFERENCES `lead_purchases`(`id`) ON UPDATE no action ON DELETE no action,
	CONSTRAINT "reviews_stars_in_range" CHECK(stars IS NULL OR stars BETWEEN 1 AND 5)
);
--> statement-breakpoint
CREATE UNIQUE INDEX `reviews_purchase` ON `reviews` (`purchase_id`);--> statement-breakpoint
CREATE INDEX `reviews_business` ON `reviews` (`business_id`,`written_at`) WHERE written_at IS NOT NULL;--> statement-breakpoint
CREATE INDEX `reviews_written` ON `reviews` (`written_at`) WHERE written_at IS NOT NULL;--> statement-breakpoint
CREATE INDEX `reviews_moderated` ON `reviews` (`written_at`,`id`) WHERE flag IS NOT NULL OR hidden_rule IS NOT NULL;--> statement-breakpoint
CREATE TABLE `sessions` (
	`id` text PRIMARY KEY NOT NULL,
	`token_hash` text NOT NULL,
	`user_id` text NOT NULL,
	`impersonator_id` text,
	`user_agent` text,
	`created_at` integer NOT NULL,
	`signed_in_at` integer,
	`confirmed_at` integer,
	`second_factor_at` integer,
	`last_seen_at` integer NOT NULL,
	`expires_at` integer NOT NULL,
	FOREIGN KEY (`user_id`) REFERENCES `users`(`id`) ON UPDATE no action ON DELETE no action
);
--> statement-breakpoint
CREATE UNIQUE INDEX `sessions_token` ON `sessions` (`token_hash`);--> statement-breakpoint
CREATE INDEX `sessions_user` ON `sessions` (`user_id`);--> statement-breakpoint
CREATE INDEX `sessions_impersonator` ON `sessions` (`impersonator_id`) WHERE impersonator_id IS NOT NULL;--> statement-breakpoint
CREATE INDEX `sessions_expiry` ON `sessions` (`expires_at`);--> statement-breakpoint
CREATE TABLE `sign_in_failures` (
	`account_key` text PRIMARY KEY NOT NULL,
	`failures` integer NOT NULL,
	`last_at` integer NOT NULL
);
--> statement-breakpoint
CREATE INDEX `sign_in_failures_age` ON `sign_in_failures` (`last_at`);--> statement-breakpoint
CREATE TABLE `sign_ins` (
	`id` integer PRIMARY KEY NOT NULL,
	`user_id` text NOT NULL,
	`at` integer NOT NULL,
	`method` text NOT NULL,
	`succeeded` integer NOT NULL,
	`device` text NOT NULL,
	`network_key` text,
	FOREIGN KEY (`user_id`) REFERENCES `users`(`id`) ON UPDATE no action ON DELETE no action
);
--> statement-breakpoint
CREATE INDEX `sign_ins_user` ON `sign_ins` (`user_id`,`at`);--> statement-breakpoint
CREATE INDEX `sign_ins_at` ON `sign_ins` (`at`);--> statement-breakpoint
CREATE INDEX `sign_ins_network` ON `sign_ins` (`network_key`) WHERE network_key IS NOT NULL;--> statement-breakpoint
CREATE TABLE `stage_changes` (
	`id` integer PRIMARY KEY NOT NULL,
	`purchase_id` text NOT NULL,
	`from_stage` text,
	`to_stage` text NOT NULL,
	`changed_by_user_id` text NOT NULL,
	`changed_at` integer NOT NULL,
	FOREIGN KEY (`purchase_id`) REFERENCES `lead_purchases`(`id`) ON UPDATE no action ON DELETE no action
);
--> statement-breakpoint
CREATE INDEX `stage_changes_purchase` ON `stage_changes` (`purchase_id`,`changed_at`);--> statement-breakpoint
CREATE UNIQUE INDEX `stage_changes_first` ON `stage_changes` (`purchase_id`) WHERE from_stage IS NULL;--> statement-breakpoint
CREATE TABLE `suburbs` (
	`id` text PRIMARY KEY NOT NULL,
	`slug` text NOT NULL,
	`name` text NOT NULL,
	`name_key` text NOT NULL,
	`postcode` text NOT NULL,
	`council` text NOT NULL,
	`state` text DEFAULT 'NSW' NOT NULL,
	`region` text NOT NULL,
	`latitude` real NOT NULL,
	`longitude` real NOT NULL,
	`population` integer DEFAULT 0 NOT NULL,
	`near` text DEFAULT '[]' NOT NULL,
	`reference_facts` integer DEFAULT 0 NOT NULL,
	`description` text,
	`phone` text,
	`email` text,
	`address` text,
	`opening_hours` text,
	`price_from` integer DEFAULT 49 NOT NULL,
	`is_active` integer DEFAULT true NOT NULL
);
--> statement-breakpoint
CREATE UNIQUE INDEX `suburbs_slug` ON `suburbs` (`slug`);--> statement-breakpoint
CREATE INDEX `suburbs_name` ON `suburbs` (`name_key`,`population`);--> statement-breakpoint
CREATE INDEX `suburbs_postcode` ON `suburbs` (`postcode`,`population`);--> statement-breakpoint
CREATE INDEX `suburbs_active` ON `suburbs` (`is_active`,`population`);--> statement-breakpoint
CREATE INDEX `suburbs_council` ON `suburbs` (`council`,`is_active`,`population`);--> statement-breakpoint
CREATE TABLE `users` (
	`id` text PRIMARY KEY NOT NULL,
	`username` text NOT NULL,
	`email` text,
	`pending_email` text,
	`password_hash` text NOT NULL,
	`must_change_password` integer DEFAULT false NOT NULL,
	`user_type` text NOT NULL,
	`team_owner_id` text,
	`first_name` text NOT NULL,
	`last_name` text NOT NULL,
	`phone` text,
	`phone_key` text,
	`company_name` text,
	`business_address` text,
	`abn` text,
	`insurance_details` text,
	`service_areas` text,
	`license_number` text,
	`text_templates` text,
	`watched_regions` text DEFAULT '[]' NOT NULL,
	`services` text DEFAULT '[]' NOT NULL,
	`stripe_customer_id` text,
	`paying_since` integer,
	`cards_checked_at` integer,
	`removed_at` integer,
	`is_active` integer DEFAULT true NOT NULL,
	`is_verified` integer DEFAULT false NOT NULL,
	`is_super_admin` integer DEFAULT false NOT NULL,
	`created_at` integer NOT NULL,
	`updated_at` integer NOT NULL,
	CONSTRAINT "users_team_member_has_owner" CHECK((user_type = 'team_member') = (team_owner_id IS NOT NULL)),
	CONSTRAINT "users_email_not_empty" CHECK(email <> '')
);
--> statement-breakpoint
CREATE UNIQUE INDEX `users_username` ON `users` (lower(username));--> statement-breakpoint
CREATE UNIQUE INDEX `users_email` ON `users` (lower(email));--> statement-breakpoint
CREATE INDEX `users_pending_email` ON `users` (lower(pending_email)) WHERE pending_email IS NOT NULL;--> statement-breakpoint
CREATE INDEX `users_team` ON `users` (`team_owner_id`);--> statement-breakpoint
CREATE INDEX `users_phone` ON `users` (`phone_key`) WHERE phone_key IS NOT NULL;--> statement-breakpoint
CREATE INDEX `users_type` ON `users` (`user_type`,`created_at`,`id`);--> statement-breakpoint
CREATE INDEX `users_cards` ON `users` (`cards_checked_at`) WHERE stripe_customer_id IS NOT NULL;--> statement-breakpoint
CREATE INDEX `users_super_admins` ON `users` (`created_at`,`id`) WHERE is_super_admin = 1;