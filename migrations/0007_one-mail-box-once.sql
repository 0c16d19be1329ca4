DROP INDEX `email_links_email`;--> statement-breakpoint
-- Put right by hand: the generator cuts an expression at its commas.
CREATE INDEX `email_links_mailbox` ON `email_links` ((substr(email, 1, min(instr(email || '+', '+'), instr(email, '@')) - 1) || substr(email, instr(email, '@'))),`created_at`);
