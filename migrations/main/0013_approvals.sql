CREATE TABLE `approval_policies` (
	`id` text PRIMARY KEY NOT NULL,
	`project_id` integer NOT NULL,
	`action_key` text NOT NULL,
	`conditions` text NOT NULL,
	`quorum` integer NOT NULL,
	`approvers` text NOT NULL,
	`allow_self_approve` integer DEFAULT false NOT NULL,
	`bypass_levels` text NOT NULL,
	`expires_after_seconds` integer NOT NULL,
	`enabled` integer DEFAULT true NOT NULL,
	`created_by_id` integer,
	`created_at` text NOT NULL,
	`updated_at` text NOT NULL
);
--> statement-breakpoint
CREATE UNIQUE INDEX `approval_policies_action` ON `approval_policies` (`project_id`,`action_key`);--> statement-breakpoint
CREATE TABLE `change_requests` (
	`id` text PRIMARY KEY NOT NULL,
	`project_id` integer NOT NULL,
	`flag_id` integer NOT NULL,
	`action_key` text NOT NULL,
	`change` text NOT NULL,
	`policy` text NOT NULL,
	`state` text DEFAULT 'pending' NOT NULL,
	`votes` text NOT NULL,
	`created_by_id` integer,
	`created_at` text NOT NULL,
	`updated_at` text NOT NULL,
	`expires_at` text NOT NULL,
	`ends_at` text NOT NULL,
	`apply_error` text DEFAULT '' NOT NULL,
	`applied_version` integer,
	FOREIGN KEY (`flag_id`) REFERENCES `feature_flags`(`id`) ON UPDATE no action ON DELETE cascade
);
--> statement-breakpoint
CREATE INDEX `change_requests_project` ON `change_requests` (`project_id`,`id`);--> statement-breakpoint
CREATE INDEX `change_requests_flag` ON `change_requests` (`flag_id`,`id`);--> statement-breakpoint
CREATE INDEX `change_requests_pending` ON `change_requests` (`project_id`,`ends_at`) WHERE state = 'pending';--> statement-breakpoint
CREATE INDEX `change_requests_ends` ON `change_requests` (`ends_at`);