DROP INDEX `leads_origin`;--> statement-breakpoint
CREATE INDEX `leads_origin` ON `leads` ((substr(origin_key, 1, 22)),`created_at`) WHERE quarantine_reasons = '[]';