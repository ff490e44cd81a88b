DROP INDEX `flag_tags_name`;--> statement-breakpoint
CREATE INDEX `flag_tags_name` ON `flag_tags` (`project_id`,`name`,`flag_id`);