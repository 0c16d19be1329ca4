CREATE TABLE `pipeline_counts` (
	`business_id` text NOT NULL,
	`tile` text NOT NULL,
	`purchases` integer NOT NULL,
	PRIMARY KEY(`business_id`, `tile`)
);
--> statement-breakpoint
ALTER TABLE `lead_purchases` ADD `tile` text GENERATED ALWAYS AS (CASE WHEN is_archived OR finalised_at IS NOT NULL THEN 'final' WHEN sales_stage IN ('accepted_lead', 'called', 'quote_sent', 'job_booked', 'job_complete', 'invoice_sent', 'invoice_paid', 'declined') THEN sales_stage ELSE 'accepted_lead' END) VIRTUAL;--> statement-breakpoint
ALTER TABLE `lead_purchases` ADD `next_action_order` integer GENERATED ALWAYS AS (coalesce(next_action_at, 8640000000000000)) VIRTUAL;--> statement-breakpoint
CREATE INDEX `lead_purchases_tile` ON `lead_purchases` (`buyer_id`,`tile`,`purchased_at`,`id`) WHERE removed_at IS NULL;--> statement-breakpoint
CREATE INDEX `lead_purchases_changed` ON `lead_purchases` (`buyer_id`,`updated_at`,`id`);--> statement-breakpoint
CREATE INDEX `lead_purchases_next_action` ON `lead_purchases` (`buyer_id`,`next_action_order`,`id`) WHERE removed_at IS NULL;--> statement-breakpoint
INSERT INTO `pipeline_counts` SELECT `buyer_id`, `tile`, count(*) FROM `lead_purchases` WHERE `removed_at` IS NULL GROUP BY 1, 2;
--> statement-breakpoint
-- The counts follow every change of a purchase, whoever makes it.
CREATE TRIGGER `lead_purchases_counted_in` AFTER INSERT ON `lead_purchases` WHEN NEW.removed_at IS NULL BEGIN
  INSERT INTO `pipeline_counts` VALUES (NEW.buyer_id, NEW.tile, 1)
    ON CONFLICT (`business_id`, `tile`) DO UPDATE SET `purchases` = `purchases` + 1;
END;
--> statement-breakpoint
CREATE TRIGGER `lead_purchases_counted_out` AFTER DELETE ON `lead_purchases` WHEN OLD.removed_at IS NULL BEGIN
  UPDATE `pipeline_counts` SET `purchases` = `purchases` - 1 WHERE `business_id` = OLD.buyer_id AND `tile` = OLD.tile;
END;
--> statement-breakpoint
CREATE TRIGGER `lead_purchases_counted_on` AFTER UPDATE OF `sales_stage`, `is_archived`, `finalised_at`, `removed_at`, `buyer_id` ON `lead_purchases` BEGIN
  UPDATE `pipeline_counts` SET `purchases` = `purchases` - 1
    WHERE OLD.removed_at IS NULL AND `business_id` = OLD.buyer_id AND `tile` = OLD.tile;
  INSERT INTO `pipeline_counts` SELECT NEW.buyer_id, NEW.tile, 1 WHERE NEW.removed_at IS NULL
    ON CONFLICT (`business_id`, `tile`) DO UPDATE SET `purchases` = `purchases` + 1;
END;
