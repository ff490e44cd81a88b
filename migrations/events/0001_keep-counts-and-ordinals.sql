-- WITHOUT ROWID, which drizzle-kit cannot generate, stores small rows in their primary key: an insert writes one row fewer.
CREATE TABLE `person_property_history` (
	`project_id` integer NOT NULL,
	`distinct_id` text NOT NULL,
	`name` text NOT NULL,
	`timestamp` text NOT NULL,
	`value` text,
	PRIMARY KEY(`project_id`, `distinct_id`, `name`, `timestamp`)
) WITHOUT ROWID;
--> statement-breakpoint
ALTER TABLE `endpoint_logs` ADD `ordinal` integer;--> statement-breakpoint
-- Number lines in the order in which they are shown. Ordinals are written before they are indexed.
UPDATE endpoint_logs SET ordinal = numbered.ordinal
FROM (SELECT id, row_number() OVER (PARTITION BY endpoint_id ORDER BY timestamp, id) AS ordinal FROM endpoint_logs) AS numbered
WHERE numbered.id = endpoint_logs.id;
--> statement-breakpoint
CREATE INDEX `endpoint_logs_page` ON `endpoint_logs` (`endpoint_id`,`ordinal`);--> statement-breakpoint
CREATE TRIGGER endpoint_logs_number AFTER INSERT ON endpoint_logs WHEN NEW.ordinal IS NULL BEGIN
  UPDATE endpoint_logs SET ordinal = 1 + coalesce((SELECT max(l.ordinal) FROM endpoint_logs l WHERE l.endpoint_id = NEW.endpoint_id), 0)
  WHERE id = NEW.id;
END;
