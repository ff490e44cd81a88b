ALTER TABLE `feature_flags` ADD `should_create_usage_dashboard` integer DEFAULT true NOT NULL;--> statement-breakpoint
UPDATE `feature_flags` SET `rollout_state` = 'not_rolled_out' WHERE `rollout_state` = 'fully_rolled_out' AND json_array_length(`filters`, '$.groups') = 0;
