-- WITHOUT ROWID, which drizzle-kit cannot generate, stores small rows in their primary key: one search finds them, and a page holds more.
CREATE TABLE `event_volumes` (
	`project_id` integer NOT NULL,
	`event` text NOT NULL,
	`day` text NOT NULL,
	`events` integer NOT NULL,
	`bytes` integer NOT NULL,
	`largest` integer NOT NULL,
	PRIMARY KEY(`project_id`, `event`, `day`)
) WITHOUT ROWID;
--> statement-breakpoint
CREATE TABLE `events` (
	`id` integer PRIMARY KEY NOT NULL,
	`project_id` integer NOT NULL,
	`uuid` text NOT NULL,
	`event` text NOT NULL,
	`distinct_id` text NOT NULL,
	`timestamp` text NOT NULL,
	`created_at` text NOT NULL,
	`sets_properties` integer DEFAULT false NOT NULL,
	`flag_key` text,
	`flag_response` text,
	`properties` blob NOT NULL
);
--> statement-breakpoint
CREATE UNIQUE INDEX `events_uuid` ON `events` (`project_id`,`uuid`);--> statement-breakpoint
CREATE INDEX `events_name` ON `events` (`project_id`,`event`,`timestamp`,`distinct_id`);--> statement-breakpoint
CREATE INDEX `events_person` ON `events` (`project_id`,`distinct_id`,`sets_properties`,`timestamp`);--> statement-breakpoint
CREATE INDEX `events_flag` ON `events` (`project_id`,`flag_key`,`timestamp`) WHERE flag_key IS NOT NULL;--> statement-breakpoint
CREATE INDEX `events_time` ON `events` (`project_id`,`timestamp`,`event`);--> statement-breakpoint
CREATE TABLE `cohort_people` (
	`project_id` integer NOT NULL,
	`cohort_id` integer NOT NULL,
	`person_uuid` text NOT NULL,
	`version` integer NOT NULL,
	`is_deleted` integer NOT NULL,
	PRIMARY KEY(`project_id`, `cohort_id`, `person_uuid`)
) WITHOUT ROWID;
--> statement-breakpoint
CREATE TABLE `groups` (
	`project_id` integer NOT NULL,
	`type_index` integer NOT NULL,
	`group_key` text NOT NULL,
	`created_at` text NOT NULL,
	`version` integer NOT NULL,
	`properties` blob NOT NULL,
	PRIMARY KEY(`project_id`, `type_index`, `group_key`)
);
--> statement-breakpoint
CREATE TABLE `people_volumes` (
	`project_id` integer NOT NULL,
	`name` text NOT NULL,
	`rows` integer NOT NULL,
	`bytes` integer NOT NULL,
	`largest` integer NOT NULL,
	PRIMARY KEY(`project_id`, `name`)
) WITHOUT ROWID;
--> statement-breakpoint
CREATE TABLE `person_distinct_ids` (
	`project_id` integer NOT NULL,
	`distinct_id` text NOT NULL,
	`person_uuid` text NOT NULL,
	`version` integer NOT NULL,
	PRIMARY KEY(`project_id`, `distinct_id`)
) WITHOUT ROWID;
--> statement-breakpoint
CREATE INDEX `person_distinct_ids_person` ON `person_distinct_ids` (`project_id`,`person_uuid`,`distinct_id`);--> statement-breakpoint
CREATE TABLE `persons` (
	`project_id` integer NOT NULL,
	`uuid` text NOT NULL,
	`is_identified` integer NOT NULL,
	`created_at` text NOT NULL,
	`version` integer NOT NULL,
	`is_deleted` integer NOT NULL,
	`properties` blob NOT NULL,
	PRIMARY KEY(`project_id`, `uuid`)
);
--> statement-breakpoint
CREATE TABLE `endpoint_logs` (
	`id` integer PRIMARY KEY AUTOINCREMENT NOT NULL,
	`project_id` integer NOT NULL,
	`endpoint_id` text NOT NULL,
	`instance_id` text NOT NULL,
	`timestamp` text NOT NULL,
	`level` text NOT NULL,
	`message` text NOT NULL
);
--> statement-breakpoint
CREATE INDEX `endpoint_logs_time` ON `endpoint_logs` (`endpoint_id`,`timestamp`,`id`);--> statement-breakpoint
CREATE TABLE `endpoint_results` (
	`project_id` integer NOT NULL,
	`result_key` text NOT NULL,
	`version_id` text NOT NULL,
	`compilation` integer NOT NULL,
	`body` text NOT NULL,
	`row_count` integer NOT NULL,
	`has_more` integer NOT NULL,
	`source` text,
	`stored_at` text NOT NULL,
	`expires_at` text NOT NULL,
	PRIMARY KEY(`project_id`, `result_key`)
);
--> statement-breakpoint
CREATE INDEX `endpoint_results_expiry` ON `endpoint_results` (`project_id`,`expires_at`);--> statement-breakpoint
CREATE TABLE `materialized_tables` (
	`name` text PRIMARY KEY NOT NULL,
	`project_id` integer NOT NULL,
	`version_id` text NOT NULL,
	`bytes` integer DEFAULT 0 NOT NULL,
	`largest` integer DEFAULT 0 NOT NULL,
	`created_at` text NOT NULL
);
--> statement-breakpoint
CREATE INDEX `materialized_tables_project` ON `materialized_tables` (`project_id`,`bytes`);
--> statement-breakpoint
-- Keep people_volumes equal to what the tables hold, whichever statement writes them.
CREATE TRIGGER persons_volume_insert AFTER INSERT ON persons BEGIN
  INSERT INTO people_volumes (project_id, name, rows, bytes, largest) VALUES (NEW.project_id, 'persons', 1, octet_length(json(NEW.properties)), octet_length(json(NEW.properties)))
  ON CONFLICT DO UPDATE SET rows = rows + 1, bytes = bytes + excluded.bytes, largest = max(largest, excluded.largest);
END;
--> statement-breakpoint
CREATE TRIGGER persons_volume_delete AFTER DELETE ON persons BEGIN
  UPDATE people_volumes SET rows = rows - 1, bytes = bytes - octet_length(json(OLD.properties)) WHERE project_id = OLD.project_id AND name = 'persons';
END;
--> statement-breakpoint
CREATE TRIGGER persons_volume_update AFTER UPDATE OF properties ON persons BEGIN
  UPDATE people_volumes SET bytes = bytes + octet_length(json(NEW.properties)) - octet_length(json(OLD.properties)), largest = max(largest, octet_length(json(NEW.properties)))
  WHERE project_id = NEW.project_id AND name = 'persons';
END;
--> statement-breakpoint
CREATE TRIGGER groups_volume_insert AFTER INSERT ON groups BEGIN
  INSERT INTO people_volumes (project_id, name, rows, bytes, largest) VALUES (NEW.project_id, 'groups', 1, octet_length(json(NEW.properties)), octet_length(json(NEW.properties)))
  ON CONFLICT DO UPDATE SET rows = rows + 1, bytes = bytes + excluded.bytes, largest = max(largest, excluded.largest);
END;
--> statement-breakpoint
CREATE TRIGGER groups_volume_delete AFTER DELETE ON groups BEGIN
  UPDATE people_volumes SET rows = rows - 1, bytes = bytes - octet_length(json(OLD.properties)) WHERE project_id = OLD.project_id AND name = 'groups';
END;
--> statement-breakpoint
CREATE TRIGGER groups_volume_update AFTER UPDATE OF properties ON groups BEGIN
  UPDATE people_volumes SET bytes = bytes + octet_length(json(NEW.properties)) - octet_length(json(OLD.properties)), largest = max(largest, octet_length(json(NEW.properties)))
  WHERE project_id = NEW.project_id AND name = 'groups';
END;
--> statement-breakpoint
CREATE TRIGGER person_distinct_ids_volume_insert AFTER INSERT ON person_distinct_ids BEGIN
  INSERT INTO people_volumes (project_id, name, rows, bytes, largest) VALUES (NEW.project_id, 'person_distinct_ids', 1, 0, 0)
  ON CONFLICT DO UPDATE SET rows = rows + 1, bytes = bytes + excluded.bytes, largest = max(largest, excluded.largest);
END;
--> statement-breakpoint
CREATE TRIGGER person_distinct_ids_volume_delete AFTER DELETE ON person_distinct_ids BEGIN
  UPDATE people_volumes SET rows = rows - 1, bytes = bytes - 0 WHERE project_id = OLD.project_id AND name = 'person_distinct_ids';
END;
--> statement-breakpoint
CREATE TRIGGER cohort_people_volume_insert AFTER INSERT ON cohort_people BEGIN
  INSERT INTO people_volumes (project_id, name, rows, bytes, largest) VALUES (NEW.project_id, 'cohort_people', 1, 0, 0)
  ON CONFLICT DO UPDATE SET rows = rows + 1, bytes = bytes + excluded.bytes, largest = max(largest, excluded.largest);
END;
--> statement-breakpoint
CREATE TRIGGER cohort_people_volume_delete AFTER DELETE ON cohort_people BEGIN
  UPDATE people_volumes SET rows = rows - 1, bytes = bytes - 0 WHERE project_id = OLD.project_id AND name = 'cohort_people';
END;
