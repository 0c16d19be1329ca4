CREATE TABLE `market_day_regions` (
	`day` text NOT NULL,
	`region` text NOT NULL,
	`leads` integer NOT NULL,
	`suspicious` integer NOT NULL,
	`listed` integer NOT NULL,
	`taken` integer NOT NULL,
	`sold` integer NOT NULL,
	`given` integer NOT NULL,
	`revenue_cents` integer NOT NULL,
	`refund_cents` integer NOT NULL,
	`duds` integer NOT NULL,
	PRIMARY KEY(`day`, `region`)
);
--> statement-breakpoint
CREATE TABLE `market_days` (
	`day` text PRIMARY KEY NOT NULL,
	`leads` integer NOT NULL,
	`suspicious` integer NOT NULL,
	`listed` integer NOT NULL,
	`taken` integer NOT NULL,
	`sold` integer NOT NULL,
	`given` integer NOT NULL,
	`revenue_cents` integer NOT NULL,
	`refund_cents` integer NOT NULL,
	`duds` integer NOT NULL,
	`providers` integer,
	`fresh_providers` integer,
	`active_providers` integer,
	`counted_at` integer NOT NULL
);
--> statement-breakpoint
CREATE INDEX `dud_reports_created` ON `dud_reports` (`created_at`);--> statement-breakpoint
CREATE INDEX `lead_purchases_traded` ON `lead_purchases` (`purchased_at`) WHERE mode <> 'manual';--> statement-breakpoint
CREATE INDEX `payments_succeeded` ON `payments` (`succeeded_at`) WHERE succeeded_at IS NOT NULL;--> statement-breakpoint
CREATE INDEX `payments_refunded` ON `payments` (`refunded_at`) WHERE refunded_at IS NOT NULL;