-- WITHOUT ROWID, which drizzle-kit cannot generate, stores small rows in their primary key: an insert writes one row fewer.
CREATE TABLE `property_definition_counts` (
	`project_id` integer NOT NULL,
	`owner` text NOT NULL,
	`total` integer NOT NULL,
	PRIMARY KEY(`project_id`, `owner`)
) WITHOUT ROWID;
--> statement-breakpoint
DROP INDEX `memberships_organization`;--> statement-breakpoint
CREATE INDEX `memberships_organization_page` ON `organization_memberships` (`organization_id`,`joined_at`,`user_id`);--> statement-breakpoint
CREATE INDEX `memberships_level` ON `organization_memberships` (`organization_id`,`level`);--> statement-breakpoint
DROP INDEX `organization_invites_organization`;--> statement-breakpoint
CREATE INDEX `organization_invites_page` ON `organization_invites` (`organization_id`,`created_at`,`id`,`level`);--> statement-breakpoint
DROP INDEX `activity_log_item`;--> statement-breakpoint
DROP INDEX `activity_log_scope`;--> statement-breakpoint
ALTER TABLE `activity_log` ADD `scope_ordinal` integer;--> statement-breakpoint
ALTER TABLE `activity_log` ADD `item_ordinal` integer;--> statement-breakpoint
DROP INDEX `endpoints_list`;--> statement-breakpoint
CREATE INDEX `endpoints_page` ON `endpoints` (`project_id`,`deleted`,`created_at`,`id`,`is_active`,`created_by_id`);--> statement-breakpoint
ALTER TABLE `organizations` ADD `member_count` integer DEFAULT 0 NOT NULL;--> statement-breakpoint
ALTER TABLE `organizations` ADD `project_count` integer DEFAULT 0 NOT NULL;--> statement-breakpoint
ALTER TABLE `projects` ADD `archived_flag_count` integer DEFAULT 0 NOT NULL;--> statement-breakpoint
ALTER TABLE `projects` ADD `endpoint_count` integer DEFAULT 0 NOT NULL;--> statement-breakpoint
ALTER TABLE `projects` ADD `person_count` integer DEFAULT 0 NOT NULL;--> statement-breakpoint
ALTER TABLE `group_types` ADD `group_count` integer DEFAULT 0 NOT NULL;--> statement-breakpoint
ALTER TABLE `groups` ADD `sample_key` integer;--> statement-breakpoint
CREATE INDEX `persons_sample` ON `persons` (`project_id`,substr(uuid, 25));--> statement-breakpoint
CREATE INDEX `feature_flags_live_key` ON `feature_flags` (`project_id`,`deleted`,`key`);--> statement-breakpoint
-- Numbers and counts of what is there. Ordinals are written before they are indexed.
UPDATE activity_log SET scope_ordinal = numbered.in_scope, item_ordinal = numbered.of_item
FROM (SELECT sequence, row_number() OVER (PARTITION BY project_id, scope ORDER BY sequence) AS in_scope,
  row_number() OVER (PARTITION BY project_id, scope, item_id ORDER BY sequence) AS of_item FROM activity_log) AS numbered
WHERE numbered.sequence = activity_log.sequence;
--> statement-breakpoint
CREATE INDEX `activity_log_item_page` ON `activity_log` (`project_id`,`scope`,`item_id`,`item_ordinal`);--> statement-breakpoint
CREATE INDEX `activity_log_scope_page` ON `activity_log` (`project_id`,`scope`,`scope_ordinal`);--> statement-breakpoint
UPDATE groups SET sample_key = random() >> 11;
--> statement-breakpoint
CREATE INDEX `groups_sample` ON `groups` (`project_id`,`type_index`,`sample_key`);--> statement-breakpoint
UPDATE group_types SET group_count = (SELECT count(*) FROM groups g WHERE g.project_id = group_types.project_id AND g.type_index = group_types.type_index);
--> statement-breakpoint
UPDATE projects SET
  archived_flag_count = (SELECT count(*) FROM feature_flags f WHERE f.project_id = projects.id AND f.deleted = 0 AND f.archived = 1),
  endpoint_count = (SELECT count(*) FROM endpoints e WHERE e.project_id = projects.id AND e.deleted = 0),
  person_count = (SELECT count(*) FROM persons p WHERE p.project_id = projects.id);
--> statement-breakpoint
UPDATE organizations SET
  member_count = (SELECT count(*) FROM organization_memberships m JOIN users u ON u.id = m.user_id WHERE m.organization_id = organizations.id AND u.is_active),
  project_count = (SELECT count(*) FROM projects p WHERE p.organization_id = organizations.id);
--> statement-breakpoint
INSERT INTO property_definition_counts (project_id, owner, total) SELECT project_id, owner, count(*) FROM property_definitions GROUP BY project_id, owner;
--> statement-breakpoint
-- Number entries of the activity log as they come, whichever release writes them.
CREATE TRIGGER activity_log_number AFTER INSERT ON activity_log WHEN NEW.scope_ordinal IS NULL BEGIN
  UPDATE activity_log SET
    scope_ordinal = 1 + coalesce((SELECT max(a.scope_ordinal) FROM activity_log a WHERE a.project_id = NEW.project_id AND a.scope = NEW.scope), 0),
    item_ordinal = 1 + coalesce((SELECT max(a.item_ordinal) FROM activity_log a
      WHERE a.project_id = NEW.project_id AND a.scope = NEW.scope AND a.item_id = NEW.item_id), 0)
  WHERE sequence = NEW.sequence;
END;
--> statement-breakpoint
CREATE TRIGGER groups_sample_key AFTER INSERT ON groups WHEN NEW.sample_key IS NULL BEGIN
  UPDATE groups SET sample_key = random() >> 11 WHERE rowid = NEW.rowid;
END;
--> statement-breakpoint
-- Keep counts equal to what the tables hold, whichever statement writes them.
CREATE TRIGGER feature_flags_archived_insert AFTER INSERT ON feature_flags WHEN NEW.archived AND NOT NEW.deleted BEGIN
  UPDATE projects SET archived_flag_count = archived_flag_count + 1 WHERE id = NEW.project_id;
END;
--> statement-breakpoint
CREATE TRIGGER feature_flags_archived_delete AFTER DELETE ON feature_flags WHEN OLD.archived AND NOT OLD.deleted BEGIN
  UPDATE projects SET archived_flag_count = archived_flag_count - 1 WHERE id = OLD.project_id;
END;
--> statement-breakpoint
CREATE TRIGGER feature_flags_archived_update AFTER UPDATE OF deleted, archived ON feature_flags
WHEN (OLD.archived AND NOT OLD.deleted) <> (NEW.archived AND NOT NEW.deleted) BEGIN
  UPDATE projects SET archived_flag_count = archived_flag_count + iif(NEW.archived AND NOT NEW.deleted, 1, -1) WHERE id = NEW.project_id;
END;
--> statement-breakpoint
CREATE TRIGGER endpoints_count_insert AFTER INSERT ON endpoints WHEN NOT NEW.deleted BEGIN
  UPDATE projects SET endpoint_count = endpoint_count + 1 WHERE id = NEW.project_id;
END;
--> statement-breakpoint
CREATE TRIGGER endpoints_count_delete AFTER DELETE ON endpoints WHEN NOT OLD.deleted BEGIN
  UPDATE projects SET endpoint_count = endpoint_count - 1 WHERE id = OLD.project_id;
END;
--> statement-breakpoint
CREATE TRIGGER endpoints_count_update AFTER UPDATE OF deleted ON endpoints WHEN OLD.deleted <> NEW.deleted BEGIN
  UPDATE projects SET endpoint_count = endpoint_count + iif(NEW.deleted, -1, 1) WHERE id = NEW.project_id;
END;
--> statement-breakpoint
CREATE TRIGGER persons_count_insert AFTER INSERT ON persons BEGIN
  UPDATE projects SET person_count = person_count + 1 WHERE id = NEW.project_id;
END;
--> statement-breakpoint
CREATE TRIGGER persons_count_delete AFTER DELETE ON persons BEGIN
  UPDATE projects SET person_count = person_count - 1 WHERE id = OLD.project_id;
END;
--> statement-breakpoint
CREATE TRIGGER groups_count_insert AFTER INSERT ON groups BEGIN
  UPDATE group_types SET group_count = group_count + 1 WHERE project_id = NEW.project_id AND type_index = NEW.type_index;
END;
--> statement-breakpoint
CREATE TRIGGER groups_count_delete AFTER DELETE ON groups BEGIN
  UPDATE group_types SET group_count = group_count - 1 WHERE project_id = OLD.project_id AND type_index = OLD.type_index;
END;
--> statement-breakpoint
CREATE TRIGGER projects_count_insert AFTER INSERT ON projects BEGIN
  UPDATE organizations SET project_count = project_count + 1 WHERE id = NEW.organization_id;
END;
--> statement-breakpoint
CREATE TRIGGER projects_count_delete AFTER DELETE ON projects BEGIN
  UPDATE organizations SET project_count = project_count - 1 WHERE id = OLD.organization_id;
END;
--> statement-breakpoint
CREATE TRIGGER memberships_count_insert AFTER INSERT ON organization_memberships WHEN (SELECT is_active FROM users WHERE id = NEW.user_id) BEGIN
  UPDATE organizations SET member_count = member_count + 1 WHERE id = NEW.organization_id;
END;
--> statement-breakpoint
CREATE TRIGGER memberships_count_delete AFTER DELETE ON organization_memberships WHEN (SELECT is_active FROM users WHERE id = OLD.user_id) BEGIN
  UPDATE organizations SET member_count = member_count - 1 WHERE id = OLD.organization_id;
END;
--> statement-breakpoint
CREATE TRIGGER users_active_count_update AFTER UPDATE OF is_active ON users WHEN OLD.is_active <> NEW.is_active BEGIN
  UPDATE organizations SET member_count = member_count + iif(NEW.is_active, 1, -1)
  WHERE id IN (SELECT organization_id FROM organization_memberships WHERE user_id = NEW.id);
END;
--> statement-breakpoint
CREATE TRIGGER property_definitions_count_insert AFTER INSERT ON property_definitions BEGIN
  INSERT INTO property_definition_counts (project_id, owner, total) VALUES (NEW.project_id, NEW.owner, 1)
  ON CONFLICT DO UPDATE SET total = total + 1;
END;
--> statement-breakpoint
CREATE TRIGGER property_definitions_count_delete AFTER DELETE ON property_definitions BEGIN
  UPDATE property_definition_counts SET total = total - 1 WHERE project_id = OLD.project_id AND owner = OLD.owner;
END;
