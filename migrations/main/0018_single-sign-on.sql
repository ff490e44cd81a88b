CREATE TABLE `organization_sso` (
	`organization_id` text PRIMARY KEY NOT NULL,
	`issuer` text NOT NULL,
	`client_id` text NOT NULL,
	`client_secret` text NOT NULL,
	`level_claim` text,
	`levels` text DEFAULT '{}' NOT NULL,
	`default_level` integer DEFAULT 1 NOT NULL,
	`is_enforced` integer DEFAULT false NOT NULL,
	`created_at` text NOT NULL,
	`updated_at` text NOT NULL,
	FOREIGN KEY (`organization_id`) REFERENCES `organizations`(`id`) ON UPDATE no action ON DELETE no action
);
--> statement-breakpoint
CREATE TABLE `sso_domains` (
	`organization_id` text NOT NULL,
	`domain` text NOT NULL,
	`verified_at` text,
	PRIMARY KEY(`organization_id`, `domain`),
	FOREIGN KEY (`organization_id`) REFERENCES `organization_sso`(`organization_id`) ON UPDATE no action ON DELETE cascade
);
--> statement-breakpoint
CREATE UNIQUE INDEX `sso_domains_verified` ON `sso_domains` (`domain`) WHERE "sso_domains"."verified_at" is not null;--> statement-breakpoint
CREATE TABLE `sso_identities` (
	`organization_id` text NOT NULL,
	`issuer` text NOT NULL,
	`subject` text NOT NULL,
	`user_id` integer NOT NULL,
	`created_at` text NOT NULL,
	PRIMARY KEY(`organization_id`, `issuer`, `subject`),
	FOREIGN KEY (`organization_id`) REFERENCES `organization_sso`(`organization_id`) ON UPDATE no action ON DELETE cascade,
	FOREIGN KEY (`user_id`) REFERENCES `users`(`id`) ON UPDATE no action ON DELETE no action
);
--> statement-breakpoint
CREATE INDEX `sso_identities_user` ON `sso_identities` (`user_id`);--> statement-breakpoint
ALTER TABLE `login_challenges` ADD `login_method` text DEFAULT 'password' NOT NULL;