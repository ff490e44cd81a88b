-- WITHOUT ROWID, which drizzle-kit cannot generate, stores small rows in their primary key: an insert writes one row fewer.
CREATE TABLE `chat_links` (
	`id` text PRIMARY KEY NOT NULL,
	`user_id` integer NOT NULL,
	`chat_user_id` text NOT NULL,
	`workspace_id` text NOT NULL,
	`workspace_name` text,
	`email_at_link` text,
	`scope` text NOT NULL,
	`created_at` text NOT NULL,
	`linked_at` text NOT NULL,
	FOREIGN KEY (`user_id`) REFERENCES `users`(`id`) ON UPDATE no action ON DELETE no action
);
--> statement-breakpoint
CREATE UNIQUE INDEX `chat_links_identity` ON `chat_links` (`user_id`,`chat_user_id`);--> statement-breakpoint
CREATE INDEX `chat_links_workspace` ON `chat_links` (`user_id`,`workspace_id`);--> statement-breakpoint
CREATE TABLE `push_tokens` (
	`id` text PRIMARY KEY NOT NULL,
	`user_id` integer NOT NULL,
	`token` text NOT NULL,
	`platform` text NOT NULL,
	`created_at` text NOT NULL,
	`last_seen_at` text NOT NULL,
	FOREIGN KEY (`user_id`) REFERENCES `users`(`id`) ON UPDATE no action ON DELETE no action
);
--> statement-breakpoint
CREATE UNIQUE INDEX `push_tokens_user_token` ON `push_tokens` (`user_id`,`token`);--> statement-breakpoint
CREATE INDEX `push_tokens_user_seen` ON `push_tokens` (`user_id`,`last_seen_at`,`created_at`);--> statement-breakpoint
CREATE TABLE `used_chat_states` (
	`id` text PRIMARY KEY NOT NULL,
	`expires_at` text NOT NULL
);
--> statement-breakpoint
CREATE INDEX `used_chat_states_expiry` ON `used_chat_states` (`expires_at`);--> statement-breakpoint
CREATE TABLE `workspace_integrations` (
	`id` integer PRIMARY KEY AUTOINCREMENT NOT NULL,
	`project_id` integer NOT NULL,
	`workspace_id` text NOT NULL,
	`workspace_name` text,
	`scopes` text,
	`created_by_id` integer,
	`created_at` text NOT NULL,
	FOREIGN KEY (`project_id`) REFERENCES `projects`(`id`) ON UPDATE no action ON DELETE no action,
	FOREIGN KEY (`created_by_id`) REFERENCES `users`(`id`) ON UPDATE no action ON DELETE no action
);
--> statement-breakpoint
CREATE UNIQUE INDEX `workspace_integrations_workspace` ON `workspace_integrations` (`project_id`,`workspace_id`);--> statement-breakpoint
CREATE TABLE `organization_memberships` (
	`organization_id` text NOT NULL,
	`user_id` integer NOT NULL,
	`level` integer DEFAULT 1 NOT NULL,
	`invited_by_id` integer,
	`joined_at` text NOT NULL,
	`updated_at` text,
	PRIMARY KEY(`user_id`, `organization_id`),
	FOREIGN KEY (`organization_id`) REFERENCES `organizations`(`id`) ON UPDATE no action ON DELETE no action,
	FOREIGN KEY (`user_id`) REFERENCES `users`(`id`) ON UPDATE no action ON DELETE no action
);
--> statement-breakpoint
CREATE INDEX `memberships_organization` ON `organization_memberships` (`organization_id`);--> statement-breakpoint
CREATE TABLE `organization_invites` (
	`id` text PRIMARY KEY NOT NULL,
	`organization_id` text NOT NULL,
	`target_email` text NOT NULL,
	`first_name` text DEFAULT '' NOT NULL,
	`level` integer DEFAULT 1 NOT NULL,
	`message` text,
	`is_setup_delegation` integer DEFAULT false NOT NULL,
	`created_by_id` integer,
	`created_at` text NOT NULL,
	`updated_at` text NOT NULL,
	FOREIGN KEY (`organization_id`) REFERENCES `organizations`(`id`) ON UPDATE no action ON DELETE no action,
	FOREIGN KEY (`created_by_id`) REFERENCES `users`(`id`) ON UPDATE no action ON DELETE no action
);
--> statement-breakpoint
CREATE INDEX `organization_invites_organization` ON `organization_invites` (`organization_id`,`created_at`);--> statement-breakpoint
CREATE INDEX `organization_invites_email` ON `organization_invites` (`target_email`,`created_at`);--> statement-breakpoint
CREATE TABLE `organizations` (
	`id` text PRIMARY KEY NOT NULL,
	`name` text NOT NULL,
	`slug` text NOT NULL,
	`logo_media_id` text,
	`members_can_invite` integer DEFAULT true NOT NULL,
	`members_can_create_projects` integer DEFAULT false NOT NULL,
	`members_can_use_personal_api_keys` integer DEFAULT true NOT NULL,
	`enforce_2fa` integer,
	`is_ai_data_processing_approved` integer,
	`is_active` integer DEFAULT true,
	`is_not_active_reason` text,
	`created_at` text NOT NULL,
	`updated_at` text NOT NULL
);
--> statement-breakpoint
CREATE UNIQUE INDEX `organizations_slug_unique` ON `organizations` (`slug`);--> statement-breakpoint
CREATE TABLE `personal_api_keys` (
	`id` text PRIMARY KEY NOT NULL,
	`user_id` integer NOT NULL,
	`label` text NOT NULL,
	`description` text,
	`secure_value` text NOT NULL,
	`mask_value` text NOT NULL,
	`scopes` text NOT NULL,
	`scoped_teams` text NOT NULL,
	`scoped_organizations` text NOT NULL,
	`created_at` text NOT NULL,
	`last_used_at` text,
	`last_rolled_at` text,
	FOREIGN KEY (`user_id`) REFERENCES `users`(`id`) ON UPDATE no action ON DELETE no action
);
--> statement-breakpoint
CREATE UNIQUE INDEX `personal_api_keys_secure_value` ON `personal_api_keys` (`secure_value`);--> statement-breakpoint
CREATE INDEX `personal_api_keys_user` ON `personal_api_keys` (`user_id`);--> statement-breakpoint
CREATE TABLE `projects` (
	`id` integer PRIMARY KEY AUTOINCREMENT NOT NULL,
	`uuid` text NOT NULL,
	`organization_id` text NOT NULL,
	`name` text NOT NULL,
	`api_token` text NOT NULL,
	`timezone` text DEFAULT 'UTC' NOT NULL,
	`require_evaluation_contexts` integer DEFAULT false NOT NULL,
	`session_recording_linked_flag_id` integer,
	`live_flag_count` integer DEFAULT 0 NOT NULL,
	`flags_generation` integer DEFAULT 0 NOT NULL,
	`property_matching_version` integer DEFAULT 1 NOT NULL,
	`quota_limited` text DEFAULT '[]' NOT NULL,
	`shard` text DEFAULT 'EVENTS' NOT NULL,
	`query_engine` text DEFAULT 'd1' NOT NULL,
	`ingested_event` integer DEFAULT false NOT NULL,
	`people_version` integer DEFAULT 0 NOT NULL,
	`created_at` text NOT NULL,
	FOREIGN KEY (`organization_id`) REFERENCES `organizations`(`id`) ON UPDATE no action ON DELETE no action
);
--> statement-breakpoint
CREATE UNIQUE INDEX `projects_uuid_unique` ON `projects` (`uuid`);--> statement-breakpoint
CREATE UNIQUE INDEX `projects_api_token_unique` ON `projects` (`api_token`);--> statement-breakpoint
CREATE INDEX `projects_organization` ON `projects` (`organization_id`);--> statement-breakpoint
CREATE TABLE `scene_personalisations` (
	`id` integer PRIMARY KEY AUTOINCREMENT NOT NULL,
	`user_id` integer NOT NULL,
	`project_id` integer NOT NULL,
	`scene` text NOT NULL,
	`dashboard_id` integer NOT NULL,
	FOREIGN KEY (`user_id`) REFERENCES `users`(`id`) ON UPDATE no action ON DELETE no action,
	FOREIGN KEY (`project_id`) REFERENCES `projects`(`id`) ON UPDATE no action ON DELETE no action
);
--> statement-breakpoint
CREATE UNIQUE INDEX `scene_personalisations_scene` ON `scene_personalisations` (`user_id`,`project_id`,`scene`);--> statement-breakpoint
CREATE TABLE `users` (
	`id` integer PRIMARY KEY AUTOINCREMENT NOT NULL,
	`uuid` text NOT NULL,
	`distinct_id` text NOT NULL,
	`email` text NOT NULL,
	`first_name` text DEFAULT '' NOT NULL,
	`last_name` text DEFAULT '' NOT NULL,
	`password_hash` text,
	`is_email_verified` integer,
	`is_active` integer DEFAULT true NOT NULL,
	`is_staff` integer DEFAULT false NOT NULL,
	`role_at_organization` text,
	`hedgehog_config` text,
	`current_organization_id` text,
	`current_project_id` integer,
	`pending_email` text,
	`notification_settings` text DEFAULT '{}' NOT NULL,
	`anonymize_data` integer DEFAULT false,
	`allow_impersonation` integer DEFAULT true,
	`toolbar_mode` text DEFAULT 'toolbar',
	`events_column_config` text DEFAULT '{"active":"DEFAULT"}',
	`has_seen_product_intro_for` text,
	`theme_mode` text,
	`allow_sidebar_suggestions` integer,
	`shortcut_position` text,
	`passkeys_enabled_for_2fa` integer DEFAULT false,
	`hide_mcp_hints` integer DEFAULT false NOT NULL,
	`credentials_reviewed_at` text,
	`onboarding_skipped_at` text,
	`onboarding_skipped_reason` text,
	`onboarding_skipped_organization_id` text,
	`onboarding_delegated_to_invite` text,
	`onboarding_delegated_to_organization_id` text,
	`onboarding_delegation_accepted_at` text,
	`date_joined` text NOT NULL,
	`last_login` text
);
--> statement-breakpoint
CREATE UNIQUE INDEX `users_uuid_unique` ON `users` (`uuid`);--> statement-breakpoint
CREATE UNIQUE INDEX `users_distinct_id_unique` ON `users` (`distinct_id`);--> statement-breakpoint
CREATE UNIQUE INDEX `users_email_unique` ON `users` (`email`);--> statement-breakpoint
CREATE INDEX `users_delegation` ON `users` (`onboarding_delegated_to_invite`);--> statement-breakpoint
CREATE TABLE `activity_log` (
	`sequence` integer PRIMARY KEY NOT NULL,
	`id` text NOT NULL,
	`project_id` integer NOT NULL,
	`user_id` integer,
	`activity` text NOT NULL,
	`scope` text NOT NULL,
	`item_id` text NOT NULL,
	`detail` text NOT NULL,
	`created_at` text NOT NULL,
	`organization_id` text
);
--> statement-breakpoint
CREATE UNIQUE INDEX `activity_log_id_unique` ON `activity_log` (`id`);--> statement-breakpoint
CREATE INDEX `activity_log_item` ON `activity_log` (`project_id`,`scope`,`item_id`);--> statement-breakpoint
CREATE INDEX `activity_log_scope` ON `activity_log` (`project_id`,`scope`);--> statement-breakpoint
CREATE INDEX `activity_log_organization` ON `activity_log` (`organization_id`) WHERE organization_id IS NOT NULL;--> statement-breakpoint
CREATE TABLE `cohort_members` (
	`cohort_id` integer NOT NULL,
	`person_id` integer NOT NULL,
	`version` integer DEFAULT 0 NOT NULL,
	PRIMARY KEY(`cohort_id`, `person_id`),
	FOREIGN KEY (`cohort_id`) REFERENCES `cohorts`(`id`) ON UPDATE no action ON DELETE cascade,
	FOREIGN KEY (`person_id`) REFERENCES `persons`(`id`) ON UPDATE no action ON DELETE cascade
);
--> statement-breakpoint
CREATE INDEX `cohort_members_person` ON `cohort_members` (`person_id`);--> statement-breakpoint
CREATE TABLE `cohorts` (
	`id` integer PRIMARY KEY AUTOINCREMENT NOT NULL,
	`project_id` integer NOT NULL,
	`name` text NOT NULL,
	`description` text DEFAULT '' NOT NULL,
	`is_static` integer DEFAULT false NOT NULL,
	`deleted` integer DEFAULT false NOT NULL,
	`filters` text,
	`is_calculating` integer DEFAULT false NOT NULL,
	`count` integer,
	`errors_calculating` integer DEFAULT 0 NOT NULL,
	`last_calculation` text,
	`created_by_id` integer,
	`created_at` text NOT NULL
);
--> statement-breakpoint
CREATE INDEX `cohorts_project` ON `cohorts` (`project_id`);--> statement-breakpoint
CREATE TABLE `dashboard_tiles` (
	`id` integer PRIMARY KEY NOT NULL,
	`dashboard_id` integer NOT NULL,
	`project_id` integer NOT NULL,
	`name` text NOT NULL,
	`query` text NOT NULL,
	FOREIGN KEY (`dashboard_id`) REFERENCES `dashboards`(`id`) ON UPDATE no action ON DELETE cascade
);
--> statement-breakpoint
CREATE INDEX `dashboard_tiles_dashboard` ON `dashboard_tiles` (`dashboard_id`);--> statement-breakpoint
CREATE TABLE `dashboards` (
	`id` integer PRIMARY KEY NOT NULL,
	`project_id` integer NOT NULL,
	`name` text NOT NULL,
	`description` text DEFAULT '' NOT NULL,
	`deleted` integer DEFAULT false NOT NULL,
	`created_by_id` integer,
	`created_at` text NOT NULL
);
--> statement-breakpoint
CREATE INDEX `dashboards_project` ON `dashboards` (`project_id`);--> statement-breakpoint
CREATE TABLE `flag_hash_key_overrides` (
	`person_id` integer NOT NULL,
	`project_id` integer NOT NULL,
	`flag_key` text NOT NULL,
	`hash_key` text NOT NULL,
	PRIMARY KEY(`person_id`, `flag_key`),
	FOREIGN KEY (`person_id`) REFERENCES `persons`(`id`) ON UPDATE no action ON DELETE cascade
);
--> statement-breakpoint
CREATE TABLE `group_types` (
	`project_id` integer NOT NULL,
	`type_index` integer NOT NULL,
	`name` text NOT NULL,
	PRIMARY KEY(`project_id`, `type_index`)
);
--> statement-breakpoint
CREATE UNIQUE INDEX `group_types_name` ON `group_types` (`project_id`,`name`);--> statement-breakpoint
CREATE TABLE `groups` (
	`project_id` integer NOT NULL,
	`type_index` integer NOT NULL,
	`group_key` text NOT NULL,
	`properties` text NOT NULL,
	`created_at` text NOT NULL,
	`version` integer DEFAULT 0 NOT NULL,
	PRIMARY KEY(`project_id`, `type_index`, `group_key`)
);
--> statement-breakpoint
CREATE TABLE `person_distinct_ids` (
	`project_id` integer NOT NULL,
	`distinct_id` text NOT NULL,
	`person_id` integer NOT NULL,
	`version` integer DEFAULT 0 NOT NULL,
	PRIMARY KEY(`project_id`, `distinct_id`),
	FOREIGN KEY (`person_id`) REFERENCES `persons`(`id`) ON UPDATE no action ON DELETE cascade
);
--> statement-breakpoint
CREATE INDEX `person_distinct_ids_person` ON `person_distinct_ids` (`person_id`,`distinct_id`);--> statement-breakpoint
CREATE TABLE `persons` (
	`id` integer PRIMARY KEY AUTOINCREMENT NOT NULL,
	`project_id` integer NOT NULL,
	`uuid` text NOT NULL,
	`properties` text NOT NULL,
	`is_identified` integer DEFAULT false NOT NULL,
	`created_at` text NOT NULL,
	`version` integer DEFAULT 0 NOT NULL
);
--> statement-breakpoint
CREATE UNIQUE INDEX `persons_uuid` ON `persons` (`project_id`,`uuid`);--> statement-breakpoint
CREATE INDEX `persons_project` ON `persons` (`project_id`,`id`);--> statement-breakpoint
CREATE TABLE `endpoint_materializations` (
	`version_id` text PRIMARY KEY NOT NULL,
	`endpoint_id` text NOT NULL,
	`project_id` integer NOT NULL,
	`id` text NOT NULL,
	`enabled_at` text NOT NULL,
	`status` text,
	`error` text DEFAULT '' NOT NULL,
	`revision` integer DEFAULT 1 NOT NULL,
	`next_build_at` text,
	`failures` integer DEFAULT 0 NOT NULL,
	`last_run_at` text,
	`hibernated_at` text,
	`generations` integer DEFAULT 0 NOT NULL,
	`generation` integer,
	`plan` text,
	`last_materialized_at` text,
	`row_count` integer,
	`building` integer,
	`build_plan` text,
	`build_token` text,
	`build_until` text,
	FOREIGN KEY (`version_id`) REFERENCES `endpoint_versions`(`id`) ON UPDATE no action ON DELETE cascade
);
--> statement-breakpoint
CREATE INDEX `endpoint_materializations_endpoint` ON `endpoint_materializations` (`endpoint_id`);--> statement-breakpoint
CREATE INDEX `endpoint_materializations_due` ON `endpoint_materializations` (`next_build_at`);--> statement-breakpoint
CREATE TABLE `endpoint_tags` (
	`endpoint_id` text NOT NULL,
	`project_id` integer NOT NULL,
	`name` text NOT NULL,
	PRIMARY KEY(`endpoint_id`, `name`),
	FOREIGN KEY (`endpoint_id`) REFERENCES `endpoints`(`id`) ON UPDATE no action ON DELETE cascade
);
--> statement-breakpoint
CREATE TABLE `endpoint_versions` (
	`id` text PRIMARY KEY NOT NULL,
	`endpoint_id` text NOT NULL,
	`project_id` integer NOT NULL,
	`version` integer NOT NULL,
	`query` text NOT NULL,
	`compiled` text,
	`compilation` integer DEFAULT 0 NOT NULL,
	`columns` text NOT NULL,
	`description` text DEFAULT '' NOT NULL,
	`data_freshness_seconds` integer NOT NULL,
	`is_active` integer DEFAULT true NOT NULL,
	`optional_breakdown_properties` text NOT NULL,
	`bucket_overrides` text,
	`eligibility` text,
	`created_by_id` integer,
	`created_at` text NOT NULL,
	`updated_at` text,
	`last_executed_at` text,
	FOREIGN KEY (`endpoint_id`) REFERENCES `endpoints`(`id`) ON UPDATE no action ON DELETE cascade
);
--> statement-breakpoint
CREATE UNIQUE INDEX `endpoint_versions_number` ON `endpoint_versions` (`endpoint_id`,`version`);--> statement-breakpoint
CREATE TABLE `endpoints` (
	`id` text PRIMARY KEY NOT NULL,
	`project_id` integer NOT NULL,
	`name` text NOT NULL,
	`is_active` integer DEFAULT true NOT NULL,
	`deleted` integer DEFAULT false NOT NULL,
	`derived_from_insight` text,
	`current_version` integer NOT NULL,
	`created_by_id` integer,
	`created_at` text NOT NULL,
	`updated_at` text NOT NULL,
	`last_executed_at` text
);
--> statement-breakpoint
CREATE UNIQUE INDEX `endpoints_name` ON `endpoints` (`project_id`,`name`) WHERE deleted = 0;--> statement-breakpoint
CREATE INDEX `endpoints_list` ON `endpoints` (`project_id`,`deleted`,`created_at`,`id`);--> statement-breakpoint
CREATE TABLE `property_definitions` (
	`project_id` integer NOT NULL,
	`owner` text NOT NULL,
	`name` text NOT NULL,
	`type` text NOT NULL,
	PRIMARY KEY(`project_id`, `owner`, `name`)
);
--> statement-breakpoint
CREATE TABLE `query_variables` (
	`id` text PRIMARY KEY NOT NULL,
	`project_id` integer NOT NULL,
	`name` text NOT NULL,
	`code_name` text NOT NULL,
	`type` text NOT NULL,
	`default_value` text,
	`allowed_values` text,
	`created_by_id` integer,
	`created_at` text NOT NULL
);
--> statement-breakpoint
CREATE UNIQUE INDEX `query_variables_code_name` ON `query_variables` (`project_id`,`code_name`);--> statement-breakpoint
CREATE TABLE `early_access_features` (
	`id` text PRIMARY KEY NOT NULL,
	`project_id` integer NOT NULL,
	`name` text NOT NULL,
	`stage` text NOT NULL,
	`flag_id` integer NOT NULL
);
--> statement-breakpoint
CREATE INDEX `early_access_features_flag` ON `early_access_features` (`flag_id`);--> statement-breakpoint
CREATE TABLE `experiments` (
	`id` integer PRIMARY KEY AUTOINCREMENT NOT NULL,
	`project_id` integer NOT NULL,
	`name` text NOT NULL,
	`search_name` text NOT NULL,
	`flag_id` integer NOT NULL,
	`deleted` integer DEFAULT false NOT NULL,
	`start_date` text,
	`end_date` text
);
--> statement-breakpoint
CREATE INDEX `experiments_flag` ON `experiments` (`flag_id`);--> statement-breakpoint
CREATE INDEX `experiments_project` ON `experiments` (`project_id`,`deleted`);--> statement-breakpoint
CREATE TABLE `feature_flags` (
	`id` integer PRIMARY KEY AUTOINCREMENT NOT NULL,
	`project_id` integer NOT NULL,
	`key` text NOT NULL,
	`name` text DEFAULT '' NOT NULL,
	`filters` text NOT NULL,
	`active` integer DEFAULT true NOT NULL,
	`archived` integer DEFAULT false NOT NULL,
	`deleted` integer DEFAULT false NOT NULL,
	`version` integer DEFAULT 1 NOT NULL,
	`ensure_experience_continuity` integer DEFAULT false,
	`rollback_conditions` text,
	`performed_rollback` integer,
	`has_enriched_analytics` integer DEFAULT false,
	`is_remote_configuration` integer DEFAULT false,
	`has_encrypted_payloads` integer DEFAULT false,
	`evaluation_runtime` text DEFAULT 'all',
	`bucketing_identifier` text DEFAULT 'distinct_id',
	`usage_dashboard_id` integer,
	`creation_context` text DEFAULT 'feature_flags' NOT NULL,
	`folder` text DEFAULT 'Unfiled/Feature Flags' NOT NULL,
	`created_by_id` integer,
	`last_modified_by_id` integer,
	`created_at` text NOT NULL,
	`updated_at` text NOT NULL,
	`last_called_at` text,
	`search_text` text NOT NULL,
	`variant_count` integer DEFAULT 0 NOT NULL,
	`fully_rolled_out` integer DEFAULT false NOT NULL,
	`rollout_state` text DEFAULT 'partial' NOT NULL,
	`decided_variant` text
);
--> statement-breakpoint
CREATE UNIQUE INDEX `feature_flags_key` ON `feature_flags` (`project_id`,`key`);--> statement-breakpoint
CREATE INDEX `feature_flags_list` ON `feature_flags` (`project_id`,`deleted`,`archived`,`created_at`,`id`,`active`,`evaluation_runtime`,`created_by_id`,`variant_count`,`is_remote_configuration`,`last_called_at`,`fully_rolled_out`);--> statement-breakpoint
CREATE INDEX `feature_flags_updated` ON `feature_flags` (`project_id`,`deleted`,`updated_at`);--> statement-breakpoint
CREATE INDEX `feature_flags_name` ON `feature_flags` (`project_id`,`deleted`,`name`);--> statement-breakpoint
CREATE TABLE `flag_cohorts` (
	`flag_id` integer NOT NULL,
	`cohort_id` integer NOT NULL,
	PRIMARY KEY(`flag_id`, `cohort_id`),
	FOREIGN KEY (`flag_id`) REFERENCES `feature_flags`(`id`) ON UPDATE no action ON DELETE cascade
);
--> statement-breakpoint
CREATE INDEX `flag_cohorts_cohort` ON `flag_cohorts` (`cohort_id`);--> statement-breakpoint
CREATE TABLE `flag_dashboards` (
	`flag_id` integer NOT NULL,
	`dashboard_id` integer NOT NULL,
	PRIMARY KEY(`flag_id`, `dashboard_id`),
	FOREIGN KEY (`flag_id`) REFERENCES `feature_flags`(`id`) ON UPDATE no action ON DELETE cascade
);
--> statement-breakpoint
CREATE TABLE `flag_dependencies` (
	`flag_id` integer NOT NULL,
	`depends_on_id` integer NOT NULL,
	PRIMARY KEY(`flag_id`, `depends_on_id`),
	FOREIGN KEY (`flag_id`) REFERENCES `feature_flags`(`id`) ON UPDATE no action ON DELETE cascade
);
--> statement-breakpoint
CREATE INDEX `flag_dependencies_target` ON `flag_dependencies` (`depends_on_id`);--> statement-breakpoint
CREATE TABLE `flag_evaluation_contexts` (
	`flag_id` integer NOT NULL,
	`project_id` integer NOT NULL,
	`name` text NOT NULL,
	PRIMARY KEY(`flag_id`, `name`),
	FOREIGN KEY (`flag_id`) REFERENCES `feature_flags`(`id`) ON UPDATE no action ON DELETE cascade
);
--> statement-breakpoint
CREATE TABLE `flag_tags` (
	`flag_id` integer NOT NULL,
	`project_id` integer NOT NULL,
	`name` text NOT NULL,
	PRIMARY KEY(`flag_id`, `name`),
	FOREIGN KEY (`flag_id`) REFERENCES `feature_flags`(`id`) ON UPDATE no action ON DELETE cascade
);
--> statement-breakpoint
CREATE INDEX `flag_tags_name` ON `flag_tags` (`project_id`,`name`,`flag_id`);--> statement-breakpoint
CREATE TABLE `surveys` (
	`id` text PRIMARY KEY NOT NULL,
	`project_id` integer NOT NULL,
	`name` text NOT NULL,
	`linked_flag_id` integer NOT NULL
);
--> statement-breakpoint
CREATE INDEX `surveys_flag` ON `surveys` (`linked_flag_id`);--> statement-breakpoint
CREATE TABLE `applied_events` (
	`project_id` integer NOT NULL,
	`uuid` text NOT NULL,
	`applied_at` text NOT NULL,
	PRIMARY KEY(`project_id`, `uuid`)
) WITHOUT ROWID;
--> statement-breakpoint
CREATE INDEX `applied_events_time` ON `applied_events` (`applied_at`);--> statement-breakpoint
CREATE TABLE `outbox` (
	`id` text PRIMARY KEY NOT NULL,
	`project_id` integer NOT NULL,
	`task` text NOT NULL,
	`created_at` text NOT NULL,
	`due_at` text NOT NULL,
	`attempts` integer DEFAULT 0 NOT NULL
);
--> statement-breakpoint
CREATE INDEX `outbox_due` ON `outbox` (`due_at`);--> statement-breakpoint
CREATE TABLE `backup_codes` (
	`user_id` integer NOT NULL,
	`code_hash` text NOT NULL,
	PRIMARY KEY(`user_id`, `code_hash`),
	FOREIGN KEY (`user_id`) REFERENCES `users`(`id`) ON UPDATE no action ON DELETE no action
);
--> statement-breakpoint
CREATE TABLE `login_challenges` (
	`token_hash` text PRIMARY KEY NOT NULL,
	`user_id` integer NOT NULL,
	`expires_at` text NOT NULL,
	FOREIGN KEY (`user_id`) REFERENCES `users`(`id`) ON UPDATE no action ON DELETE no action
);
--> statement-breakpoint
CREATE INDEX `login_challenges_expires` ON `login_challenges` (`expires_at`);--> statement-breakpoint
CREATE TABLE `sessions` (
	`id` text PRIMARY KEY NOT NULL,
	`token_hash` text NOT NULL,
	`user_id` integer NOT NULL,
	`created_at` text NOT NULL,
	`authenticated_at` text NOT NULL,
	`expires_at` text NOT NULL,
	`last_activity` text NOT NULL,
	`user_agent` text,
	`location` text,
	`login_method` text NOT NULL,
	`impersonated_user_id` integer,
	`impersonation_reason` text,
	`impersonation_read_only` integer,
	`impersonation_started_at` text,
	`impersonation_last_activity` text,
	`pending_totp_secret` text,
	`pending_totp_expires_at` text,
	FOREIGN KEY (`user_id`) REFERENCES `users`(`id`) ON UPDATE no action ON DELETE no action,
	FOREIGN KEY (`impersonated_user_id`) REFERENCES `users`(`id`) ON UPDATE no action ON DELETE no action
);
--> statement-breakpoint
CREATE UNIQUE INDEX `sessions_token_hash_unique` ON `sessions` (`token_hash`);--> statement-breakpoint
CREATE INDEX `sessions_user` ON `sessions` (`user_id`);--> statement-breakpoint
CREATE INDEX `sessions_expires` ON `sessions` (`expires_at`);--> statement-breakpoint
CREATE TABLE `totp_devices` (
	`user_id` integer PRIMARY KEY NOT NULL,
	`secret` text NOT NULL,
	`last_step` integer NOT NULL,
	`created_at` text NOT NULL,
	FOREIGN KEY (`user_id`) REFERENCES `users`(`id`) ON UPDATE no action ON DELETE no action
);
--> statement-breakpoint
CREATE TABLE `throttle_windows` (
	`name` text NOT NULL,
	`subject` text NOT NULL,
	`started_at` text NOT NULL,
	`count` integer NOT NULL,
	PRIMARY KEY(`name`, `subject`)
);
--> statement-breakpoint
-- Keeps projects.live_flag_count equal to the number of flags that are not deleted, whichever statement writes them.
CREATE TRIGGER feature_flags_count_insert AFTER INSERT ON feature_flags WHEN NOT NEW.deleted BEGIN
  UPDATE projects SET live_flag_count = live_flag_count + 1 WHERE id = NEW.project_id;
END;
--> statement-breakpoint
CREATE TRIGGER feature_flags_count_delete AFTER DELETE ON feature_flags WHEN NOT OLD.deleted BEGIN
  UPDATE projects SET live_flag_count = live_flag_count - 1 WHERE id = OLD.project_id;
END;
--> statement-breakpoint
CREATE TRIGGER feature_flags_count_update AFTER UPDATE OF deleted ON feature_flags WHEN OLD.deleted <> NEW.deleted BEGIN
  UPDATE projects SET live_flag_count = live_flag_count + iif(NEW.deleted, -1, 1) WHERE id = NEW.project_id;
END;
