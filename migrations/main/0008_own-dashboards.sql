ALTER TABLE `dashboard_tiles` ADD `endpoint_id` text;--> statement-breakpoint
ALTER TABLE `dashboard_tiles` ADD `layouts` text;--> statement-breakpoint
ALTER TABLE `dashboards` ADD `creation_mode` text DEFAULT 'template' NOT NULL;--> statement-breakpoint
ALTER TABLE `dashboards` ADD `filters` text;