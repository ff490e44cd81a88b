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
CREATE TABLE `throttle_windows` (
	`name` text NOT NULL,
	`subject` text NOT NULL,
	`started_at` text NOT NULL,
	`count` integer NOT NULL,
	PRIMARY KEY(`name`, `subject`)
);
--> statement-breakpoint
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
ALTER TABLE `organization_memberships` ADD `invited_by_id` integer;--> statement-breakpoint
ALTER TABLE `organization_memberships` ADD `updated_at` text;--> statement-breakpoint
ALTER TABLE `organizations` ADD `logo_media_id` text;--> statement-breakpoint
ALTER TABLE `organizations` ADD `members_can_invite` integer DEFAULT true NOT NULL;--> statement-breakpoint
ALTER TABLE `organizations` ADD `members_can_create_projects` integer DEFAULT false NOT NULL;--> statement-breakpoint
ALTER TABLE `organizations` ADD `enforce_2fa` integer;--> statement-breakpoint
ALTER TABLE `organizations` ADD `is_ai_data_processing_approved` integer;--> statement-breakpoint
ALTER TABLE `organizations` ADD `is_active` integer DEFAULT true;--> statement-breakpoint
ALTER TABLE `organizations` ADD `is_not_active_reason` text;--> statement-breakpoint
ALTER TABLE `users` ADD `current_organization_id` text;--> statement-breakpoint
ALTER TABLE `users` ADD `pending_email` text;--> statement-breakpoint
ALTER TABLE `users` ADD `notification_settings` text DEFAULT '{}' NOT NULL;--> statement-breakpoint
ALTER TABLE `users` ADD `anonymize_data` integer DEFAULT false;--> statement-breakpoint
ALTER TABLE `users` ADD `allow_impersonation` integer DEFAULT true;--> statement-breakpoint
ALTER TABLE `users` ADD `toolbar_mode` text DEFAULT 'toolbar';--> statement-breakpoint
ALTER TABLE `users` ADD `events_column_config` text DEFAULT '{"active":"DEFAULT"}';--> statement-breakpoint
ALTER TABLE `users` ADD `has_seen_product_intro_for` text;--> statement-breakpoint
ALTER TABLE `users` ADD `theme_mode` text;--> statement-breakpoint
ALTER TABLE `users` ADD `allow_sidebar_suggestions` integer;--> statement-breakpoint
ALTER TABLE `users` ADD `shortcut_position` text;--> statement-breakpoint
ALTER TABLE `users` ADD `passkeys_enabled_for_2fa` integer DEFAULT false;--> statement-breakpoint
ALTER TABLE `users` ADD `hide_mcp_hints` integer DEFAULT false NOT NULL;--> statement-breakpoint
ALTER TABLE `users` ADD `credentials_reviewed_at` text;--> statement-breakpoint
ALTER TABLE `users` ADD `onboarding_skipped_at` text;--> statement-breakpoint
ALTER TABLE `users` ADD `onboarding_skipped_reason` text;--> statement-breakpoint
ALTER TABLE `users` ADD `onboarding_skipped_organization_id` text;--> statement-breakpoint
ALTER TABLE `users` ADD `onboarding_delegated_to_invite` text;--> statement-breakpoint
ALTER TABLE `users` ADD `onboarding_delegated_to_organization_id` text;--> statement-breakpoint
ALTER TABLE `users` ADD `onboarding_delegation_accepted_at` text;--> statement-breakpoint
CREATE INDEX `users_delegation` ON `users` (`onboarding_delegated_to_invite`);