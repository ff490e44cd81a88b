ALTER TABLE `feature_flags` ADD `should_create_usage_dashboard` integer DEFAULT true NOT NULL;--> statement-breakpoint
UPDATE `feature_flags` SET `rollout_state` = 'not_rolled_out' WHERE `rollout_state` = 'fully_rolled_out' AND json_array_length(`filters`, '$.groups') = 0;--> statement-breakpoint
UPDATE `feature_flags` SET `rollout_state` = 'fully_rolled_out', `fully_rolled_out` = 1 WHERE `rollout_state` = 'partial' AND `variant_count` = 0 AND EXISTS (
  SELECT 1 FROM json_each(`filters`, '$.groups') g WHERE coalesce(g.value ->> '$.rollout_percentage', 100) = 100 AND coalesce(json_array_length(g.value, '$.properties'), 0) = 0
);
