DROP INDEX `events_name`;--> statement-breakpoint
DROP INDEX `events_flag`;--> statement-breakpoint
DROP INDEX `events_time`;--> statement-breakpoint
CREATE INDEX `events_name` ON `events` (`project_id`,`event`,`timestamp`,`distinct_id`);--> statement-breakpoint
CREATE INDEX `events_flag` ON `events` (`project_id`,`flag_key`,`timestamp`) WHERE flag_key IS NOT NULL;--> statement-breakpoint
CREATE INDEX `events_time` ON `events` (`project_id`,`timestamp`,`event`);