ALTER TABLE `property_definitions` ADD `description` text DEFAULT '' NOT NULL;--> statement-breakpoint
ALTER TABLE `property_definitions` ADD `tags` text DEFAULT '[]' NOT NULL;--> statement-breakpoint
ALTER TABLE `property_definitions` ADD `verified` integer DEFAULT false NOT NULL;--> statement-breakpoint
ALTER TABLE `property_definitions` ADD `hidden` integer DEFAULT false NOT NULL;--> statement-breakpoint
ALTER TABLE `property_definitions` ADD `created_at` text;--> statement-breakpoint
ALTER TABLE `property_definitions` ADD `updated_at` text;