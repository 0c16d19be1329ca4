-- The audit log is append-only: the database refuses changes, whichever code attempts them.
CREATE TRIGGER `audit_log_no_update` BEFORE UPDATE ON `audit_log` BEGIN SELECT RAISE(ABORT, 'audit_log is append-only'); END;
--> statement-breakpoint
CREATE TRIGGER `audit_log_no_delete` BEFORE DELETE ON `audit_log` BEGIN SELECT RAISE(ABORT, 'audit_log is append-only'); END;
--> statement-breakpoint
-- pipeline_counts follows every change of a purchase, so that counting never reads the pipeline.
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
--> statement-breakpoint
-- When a session ends, whatever the cause, its sockets are marked for closing.
CREATE TRIGGER `sessions_sockets_end` AFTER DELETE ON `sessions` BEGIN
  UPDATE `live_sockets` SET `ended` = 1 WHERE `session_id` = OLD.id;
END;
--> statement-breakpoint
-- A business's first successful payment is recorded in the same statement as the payment.
CREATE TRIGGER `payments_first_noted` AFTER INSERT ON `payments` WHEN NEW.succeeded_at IS NOT NULL BEGIN
  UPDATE `users` SET `paying_since` = NEW.succeeded_at WHERE `id` = NEW.buyer_id AND `paying_since` IS NULL;
END;
--> statement-breakpoint
CREATE TRIGGER `payments_first_made` AFTER UPDATE OF `succeeded_at` ON `payments` WHEN NEW.succeeded_at IS NOT NULL BEGIN
  UPDATE `users` SET `paying_since` = NEW.succeeded_at WHERE `id` = NEW.buyer_id AND `paying_since` IS NULL;
END;
