CREATE TABLE `scheduled_changes` (
	`id` integer PRIMARY KEY AUTOINCREMENT NOT NULL,
	`project_id` integer NOT NULL,
	`flag_id` integer NOT NULL,
	`payload` text NOT NULL,
	`scheduled_at` text NOT NULL,
	`first_at` text NOT NULL,
	`due_at` text,
	`executed_at` text,
	`last_executed_at` text,
	`failure_reason` text,
	`crashes` integer DEFAULT 0 NOT NULL,
	`is_recurring` integer DEFAULT false NOT NULL,
	`recurrence_interval` text,
	`end_date` text,
	`created_by_id` integer,
	`last_modified_by_id` integer,
	`created_at` text NOT NULL,
	`updated_at` text NOT NULL,
	FOREIGN KEY (`flag_id`) REFERENCES `feature_flags`(`id`) ON UPDATE no action ON DELETE cascade
);
--> statement-breakpoint
CREATE INDEX `scheduled_changes_project` ON `scheduled_changes` (`project_id`,`id`);--> statement-breakpoint
CREATE INDEX `scheduled_changes_flag` ON `scheduled_changes` (`flag_id`,`id`);--> statement-breakpoint
CREATE INDEX `scheduled_changes_pending` ON `scheduled_changes` (`project_id`,`due_at`,`flag_id`) WHERE executed_at IS NULL;--> statement-breakpoint
CREATE INDEX `scheduled_changes_due` ON `scheduled_changes` (`due_at`,`project_id`) WHERE due_at IS NOT NULL;--> statement-breakpoint
CREATE INDEX `scheduled_changes_executed` ON `scheduled_changes` (`executed_at`) WHERE executed_at IS NOT NULL;