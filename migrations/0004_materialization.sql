CREATE TABLE `endpoint_materializations` (
	`version_id` text PRIMARY KEY NOT NULL,
	`endpoint_id` text NOT NULL,
	`project_id` integer NOT NULL,
	`id` text NOT NULL,
	`enabled_at` text NOT NULL,
	`status` text,
	`error` text DEFAULT '' NOT NULL,
	`revision` integer DEFAULT 1 NOT NULL,
	`next_build_at` text,
	`failures` integer DEFAULT 0 NOT NULL,
	`last_run_at` text,
	`hibernated_at` text,
	`generations` integer DEFAULT 0 NOT NULL,
	`generation` integer,
	`plan` text,
	`last_materialized_at` text,
	`row_count` integer,
	`building` integer,
	`build_plan` text,
	`build_token` text,
	`build_until` text,
	FOREIGN KEY (`version_id`) REFERENCES `endpoint_versions`(`id`) ON UPDATE no action ON DELETE cascade
);
--> statement-breakpoint
CREATE INDEX `endpoint_materializations_endpoint` ON `endpoint_materializations` (`endpoint_id`);--> statement-breakpoint
CREATE INDEX `endpoint_materializations_due` ON `endpoint_materializations` (`next_build_at`);--> statement-breakpoint
ALTER TABLE `endpoint_results` ADD `source` text;--> statement-breakpoint
ALTER TABLE `endpoint_versions` ADD `eligibility` text;