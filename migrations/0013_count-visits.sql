CREATE TABLE `visit_days` (
	`day` text PRIMARY KEY NOT NULL,
	`pages` integer DEFAULT 0 NOT NULL,
	`forms` integer DEFAULT 0 NOT NULL
);
--> statement-breakpoint
ALTER TABLE `market_day_regions` ADD `called` integer DEFAULT 0 NOT NULL;--> statement-breakpoint
ALTER TABLE `market_day_regions` ADD `booked` integer DEFAULT 0 NOT NULL;--> statement-breakpoint
ALTER TABLE `market_days` ADD `called` integer DEFAULT 0 NOT NULL;--> statement-breakpoint
ALTER TABLE `market_days` ADD `booked` integer DEFAULT 0 NOT NULL;