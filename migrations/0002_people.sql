CREATE TABLE `cohort_members` (
	`cohort_id` integer NOT NULL,
	`person_id` integer NOT NULL,
	PRIMARY KEY(`cohort_id`, `person_id`),
	FOREIGN KEY (`cohort_id`) REFERENCES `cohorts`(`id`) ON UPDATE no action ON DELETE cascade,
	FOREIGN KEY (`person_id`) REFERENCES `persons`(`id`) ON UPDATE no action ON DELETE cascade
);
--> statement-breakpoint
CREATE INDEX `cohort_members_person` ON `cohort_members` (`person_id`);--> statement-breakpoint
CREATE TABLE `dashboard_tiles` (
	`id` integer PRIMARY KEY AUTOINCREMENT NOT NULL,
	`dashboard_id` integer NOT NULL,
	`project_id` integer NOT NULL,
	`name` text NOT NULL,
	`query` text NOT NULL,
	FOREIGN KEY (`dashboard_id`) REFERENCES `dashboards`(`id`) ON UPDATE no action ON DELETE cascade
);
--> statement-breakpoint
CREATE INDEX `dashboard_tiles_dashboard` ON `dashboard_tiles` (`dashboard_id`);--> statement-breakpoint
CREATE TABLE `events` (
	`project_id` integer NOT NULL,
	`uuid` text NOT NULL,
	`event` text NOT NULL,
	`distinct_id` text NOT NULL,
	`properties` text NOT NULL,
	`timestamp` text NOT NULL,
	`created_at` text NOT NULL,
	`sets_properties` integer DEFAULT false NOT NULL,
	`flag_key` text,
	`flag_response` text,
	PRIMARY KEY(`project_id`, `uuid`)
);
--> statement-breakpoint
CREATE INDEX `events_name` ON `events` (`project_id`,`event`,`timestamp`);--> statement-breakpoint
CREATE INDEX `events_person` ON `events` (`project_id`,`distinct_id`,`sets_properties`,`timestamp`);--> statement-breakpoint
CREATE INDEX `events_flag` ON `events` (`project_id`,`flag_key`,`timestamp`);--> statement-breakpoint
CREATE INDEX `events_time` ON `events` (`project_id`,`timestamp`);--> statement-breakpoint
CREATE TABLE `flag_hash_key_overrides` (
	`person_id` integer NOT NULL,
	`project_id` integer NOT NULL,
	`flag_key` text NOT NULL,
	`hash_key` text NOT NULL,
	PRIMARY KEY(`person_id`, `flag_key`),
	FOREIGN KEY (`person_id`) REFERENCES `persons`(`id`) ON UPDATE no action ON DELETE cascade
);
--> statement-breakpoint
CREATE TABLE `group_types` (
	`project_id` integer NOT NULL,
	`type_index` integer NOT NULL,
	`name` text NOT NULL,
	PRIMARY KEY(`project_id`, `type_index`)
);
--> statement-breakpoint
CREATE UNIQUE INDEX `group_types_name` ON `group_types` (`project_id`,`name`);--> statement-breakpoint
CREATE TABLE `groups` (
	`project_id` integer NOT NULL,
	`type_index` integer NOT NULL,
	`group_key` text NOT NULL,
	`properties` text NOT NULL,
	`created_at` text NOT NULL,
	`version` integer DEFAULT 0 NOT NULL,
	PRIMARY KEY(`project_id`, `type_index`, `group_key`)
);
--> statement-breakpoint
CREATE TABLE `person_distinct_ids` (
	`project_id` integer NOT NULL,
	`distinct_id` text NOT NULL,
	`person_id` integer NOT NULL,
	PRIMARY KEY(`project_id`, `distinct_id`),
	FOREIGN KEY (`person_id`) REFERENCES `persons`(`id`) ON UPDATE no action ON DELETE cascade
);
--> statement-breakpoint
CREATE INDEX `person_distinct_ids_person` ON `person_distinct_ids` (`person_id`);--> statement-breakpoint
CREATE TABLE `persons` (
	`id` integer PRIMARY KEY AUTOINCREMENT NOT NULL,
	`project_id` integer NOT NULL,
	`uuid` text NOT NULL,
	`properties` text NOT NULL,
	`is_identified` integer DEFAULT false NOT NULL,
	`created_at` text NOT NULL,
	`version` integer DEFAULT 0 NOT NULL
);
--> statement-breakpoint
CREATE UNIQUE INDEX `persons_uuid` ON `persons` (`project_id`,`uuid`);--> statement-breakpoint
ALTER TABLE `cohorts` ADD `description` text DEFAULT '' NOT NULL;--> statement-breakpoint
ALTER TABLE `cohorts` ADD `is_calculating` integer DEFAULT false NOT NULL;--> statement-breakpoint
ALTER TABLE `cohorts` ADD `count` integer;--> statement-breakpoint
ALTER TABLE `cohorts` ADD `errors_calculating` integer DEFAULT 0 NOT NULL;--> statement-breakpoint
ALTER TABLE `cohorts` ADD `last_calculation` text;