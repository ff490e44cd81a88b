ALTER TABLE `projects` ADD `flags_generation` integer DEFAULT 0 NOT NULL;--> statement-breakpoint
ALTER TABLE `projects` ADD `property_matching_version` integer DEFAULT 1 NOT NULL;--> statement-breakpoint
ALTER TABLE `feature_flags` ADD `rollout_state` text DEFAULT 'partial' NOT NULL;--> statement-breakpoint
ALTER TABLE `feature_flags` ADD `decided_variant` text;