CREATE TABLE `actions` (
	`id` integer PRIMARY KEY AUTOINCREMENT NOT NULL,
	`project_id` integer NOT NULL,
	`name` text NOT NULL,
	`description` text DEFAULT '' NOT NULL,
	`tags` text DEFAULT '[]' NOT NULL,
	`steps` text DEFAULT '[]' NOT NULL,
	`deleted` integer DEFAULT false NOT NULL,
	`revision` integer DEFAULT 1 NOT NULL,
	`pinned_at` text,
	`created_by_id` integer,
	`created_at` text NOT NULL
);
--> statement-breakpoint
CREATE INDEX `actions_name` ON `actions` (`project_id`,`name`);