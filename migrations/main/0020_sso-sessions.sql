ALTER TABLE `login_challenges` ADD `sso` text;--> statement-breakpoint
ALTER TABLE `sessions` ADD `sso_organization_id` text;