CREATE TABLE `endpoint_logs` (
	`id` integer PRIMARY KEY AUTOINCREMENT NOT NULL,
	`project_id` integer NOT NULL,
	`endpoint_id` text NOT NULL,
	`instance_id` text NOT NULL,
	`timestamp` text NOT NULL,
	`level` text NOT NULL,
	`message` text NOT NULL,
	FOREIGN KEY (`endpoint_id`) REFERENCES `endpoints`(`id`) ON UPDATE no action ON DELETE cascade
);
--> statement-breakpoint
CREATE INDEX `endpoint_logs_time` ON `endpoint_logs` (`endpoint_id`,`timestamp`,`id`);--> statement-breakpoint
CREATE TABLE `endpoint_results` (
	`project_id` integer NOT NULL,
	`result_key` text NOT NULL,
	`version_id` text NOT NULL,
	`body` text NOT NULL,
	`stored_at` text NOT NULL,
	`expires_at` text NOT NULL,
	PRIMARY KEY(`project_id`, `result_key`),
	FOREIGN KEY (`version_id`) REFERENCES `endpoint_versions`(`id`) ON UPDATE no action ON DELETE cascade
);
--> statement-breakpoint
CREATE INDEX `endpoint_results_expiry` ON `endpoint_results` (`project_id`,`expires_at`);--> statement-breakpoint
CREATE INDEX `endpoint_results_version` ON `endpoint_results` (`version_id`);--> statement-breakpoint
CREATE TABLE `endpoint_tags` (
	`endpoint_id` text NOT NULL,
	`project_id` integer NOT NULL,
	`name` text NOT NULL,
	PRIMARY KEY(`endpoint_id`, `name`),
	FOREIGN KEY (`endpoint_id`) REFERENCES `endpoints`(`id`) ON UPDATE no action ON DELETE cascade
);
--> statement-breakpoint
CREATE TABLE `endpoint_versions` (
	`id` text PRIMARY KEY NOT NULL,
	`endpoint_id` text NOT NULL,
	`project_id` integer NOT NULL,
	`version` integer NOT NULL,
	`query` text NOT NULL,
	`compiled` text,
	`columns` text NOT NULL,
	`description` text DEFAULT '' NOT NULL,
	`data_freshness_seconds` integer NOT NULL,
	`is_active` integer DEFAULT true NOT NULL,
	`optional_breakdown_properties` text NOT NULL,
	`bucket_overrides` text,
	`created_by_id` integer,
	`created_at` text NOT NULL,
	`updated_at` text,
	`last_executed_at` text,
	FOREIGN KEY (`endpoint_id`) REFERENCES `endpoints`(`id`) ON UPDATE no action ON DELETE cascade
);
--> statement-breakpoint
CREATE UNIQUE INDEX `endpoint_versions_number` ON `endpoint_versions` (`endpoint_id`,`version`);--> statement-breakpoint
CREATE TABLE `endpoints` (
	`id` text PRIMARY KEY NOT NULL,
	`project_id` integer NOT NULL,
	`name` text NOT NULL,
	`is_active` integer DEFAULT true NOT NULL,
	`deleted` integer DEFAULT false NOT NULL,
	`derived_from_insight` text,
	`current_version` integer NOT NULL,
	`created_by_id` integer,
	`created_at` text NOT NULL,
	`updated_at` text NOT NULL,
	`last_executed_at` text
);
--> statement-breakpoint
CREATE UNIQUE INDEX `endpoints_name` ON `endpoints` (`project_id`,`name`) WHERE deleted = 0;--> statement-breakpoint
CREATE INDEX `endpoints_list` ON `endpoints` (`project_id`,`deleted`,`created_at`,`id`);--> statement-breakpoint
CREATE TABLE `property_definitions` (
	`project_id` integer NOT NULL,
	`owner` text NOT NULL,
	`name` text NOT NULL,
	`type` text NOT NULL,
	PRIMARY KEY(`project_id`, `owner`, `name`)
);
--> statement-breakpoint
CREATE TABLE `query_variables` (
	`id` text PRIMARY KEY NOT NULL,
	`project_id` integer NOT NULL,
	`name` text NOT NULL,
	`code_name` text NOT NULL,
	`type` text NOT NULL,
	`default_value` text,
	`allowed_values` text,
	`created_by_id` integer,
	`created_at` text NOT NULL
);
--> statement-breakpoint
CREATE UNIQUE INDEX `query_variables_code_name` ON `query_variables` (`project_id`,`code_name`);