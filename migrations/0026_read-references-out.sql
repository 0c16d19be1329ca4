ALTER TABLE `bookings` ADD `reference` text;--> statement-breakpoint
CREATE UNIQUE INDEX `bookings_reference` ON `bookings` (`reference`) WHERE reference IS NOT NULL;--> statement-breakpoint
ALTER TABLE `leads` ADD `reference` text;--> statement-breakpoint
CREATE UNIQUE INDEX `leads_reference` ON `leads` (`reference`) WHERE reference IS NOT NULL;