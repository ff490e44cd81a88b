CREATE TABLE `webhook_deliveries` (
	`id` integer PRIMARY KEY NOT NULL,
	`webhook_id` text NOT NULL,
	`entry_id` text NOT NULL,
	`event` text NOT NULL,
	`status` text DEFAULT 'pending' NOT NULL,
	`attempts` integer DEFAULT 0 NOT NULL,
	`created_at` text NOT NULL,
	`next_attempt_at` text,
	`attempted_at` text,
	`duration_ms` integer,
	`response_status` integer,
	`response_body` text,
	`error` text,
	FOREIGN KEY (`webhook_id`) REFERENCES `webhooks`(`id`) ON UPDATE no action ON DELETE cascade
);
--> statement-breakpoint
CREATE INDEX `webhook_deliveries_page` ON `webhook_deliveries` (`webhook_id`,`id`);--> statement-breakpoint
CREATE INDEX `webhook_deliveries_due_of` ON `webhook_deliveries` (`webhook_id`,`next_attempt_at`) WHERE next_attempt_at IS NOT NULL;--> statement-breakpoint
CREATE INDEX `webhook_deliveries_due` ON `webhook_deliveries` (`next_attempt_at`) WHERE next_attempt_at IS NOT NULL;--> statement-breakpoint
CREATE TABLE `webhooks` (
	`id` text PRIMARY KEY NOT NULL,
	`project_id` integer NOT NULL,
	`url` text NOT NULL,
	`description` text DEFAULT '' NOT NULL,
	`events` text NOT NULL,
	`secret` text NOT NULL,
	`previous_secret` text,
	`previous_secret_expires_at` text,
	`is_active` integer DEFAULT true NOT NULL,
	`paused_at` text,
	`failing_since` text,
	`created_by_id` integer,
	`created_at` text NOT NULL
);
--> statement-breakpoint
CREATE INDEX `webhooks_project` ON `webhooks` (`project_id`,`created_at`);--> statement-breakpoint
-- A change and its deliveries to webhooks are one transaction, whichever statement records the change.
CREATE TRIGGER activity_log_webhooks AFTER INSERT ON activity_log WHEN NEW.project_id <> 0 BEGIN
  INSERT INTO webhook_deliveries (webhook_id, entry_id, event, created_at, next_attempt_at)
  SELECT w.id, NEW.id, NEW.scope || '.' || NEW.activity, NEW.created_at, NEW.created_at FROM webhooks w
  WHERE w.project_id = NEW.project_id AND w.is_active
    AND EXISTS (SELECT 1 FROM json_each(w.events) e WHERE e.value IN ('*', NEW.scope || '.*', NEW.scope || '.' || NEW.activity));
END;
