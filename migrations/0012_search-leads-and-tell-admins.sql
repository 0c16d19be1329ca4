ALTER TABLE `attention` ADD `told_at` integer;--> statement-breakpoint
CREATE INDEX `leads_by_name` ON `leads` ((lower(customer_name)));--> statement-breakpoint
CREATE INDEX `leads_by_surname` ON `leads` ((substr(lower(customer_name), instr(customer_name, ' ') + 1)));--> statement-breakpoint
CREATE INDEX `leads_by_street` ON `leads` ((ltrim(street_key, '0123456789/- '))) WHERE street_key IS NOT NULL;
