CREATE TABLE `paying_businesses` (
	`business_id` text PRIMARY KEY NOT NULL,
	`since` integer NOT NULL
);
--> statement-breakpoint
ALTER TABLE `payments` ADD `claim_key` text;--> statement-breakpoint
ALTER TABLE `payments` ADD `let_go_at` integer;--> statement-breakpoint
CREATE INDEX `payments_claim` ON `payments` (`buyer_id`,`claim_key`,`created_at`) WHERE claim_key IS NOT NULL;--> statement-breakpoint
CREATE INDEX `payments_let_go` ON `payments` (`buyer_id`,`let_go_at`) WHERE let_go_at IS NOT NULL;--> statement-breakpoint
INSERT INTO `paying_businesses` SELECT `buyer_id`, min(`succeeded_at`) FROM `payments` WHERE `succeeded_at` IS NOT NULL GROUP BY 1;
--> statement-breakpoint
-- Whoever notes that a payment was made notes this with it, in one statement; older releases too.
CREATE TRIGGER `payments_first_noted` AFTER INSERT ON `payments` WHEN NEW.succeeded_at IS NOT NULL BEGIN
  INSERT OR IGNORE INTO `paying_businesses` VALUES (NEW.buyer_id, NEW.succeeded_at);
END;
--> statement-breakpoint
CREATE TRIGGER `payments_first_made` AFTER UPDATE OF `succeeded_at` ON `payments` WHEN NEW.succeeded_at IS NOT NULL BEGIN
  INSERT OR IGNORE INTO `paying_businesses` VALUES (NEW.buyer_id, NEW.succeeded_at);
END;
