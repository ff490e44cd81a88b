ALTER TABLE `endpoint_results` ADD `row_count` integer DEFAULT 0 NOT NULL;--> statement-breakpoint
ALTER TABLE `endpoint_results` ADD `has_more` integer DEFAULT false NOT NULL;