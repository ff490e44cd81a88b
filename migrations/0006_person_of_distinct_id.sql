ALTER TABLE `person_distinct_ids` ADD `person_uuid` text;--> statement-breakpoint
UPDATE `person_distinct_ids` SET `person_uuid` = (SELECT `uuid` FROM `persons` WHERE `id` = `person_id`);--> statement-breakpoint
-- Keeps person_uuid that of the person, for writers who do not say it.
CREATE TRIGGER person_distinct_ids_uuid_insert AFTER INSERT ON person_distinct_ids WHEN NEW.person_uuid IS NULL BEGIN
  UPDATE person_distinct_ids SET person_uuid = (SELECT uuid FROM persons WHERE id = NEW.person_id)
    WHERE project_id = NEW.project_id AND distinct_id = NEW.distinct_id;
END;
--> statement-breakpoint
CREATE TRIGGER person_distinct_ids_uuid_update AFTER UPDATE OF person_id ON person_distinct_ids WHEN NEW.person_uuid IS OLD.person_uuid BEGIN
  UPDATE person_distinct_ids SET person_uuid = (SELECT uuid FROM persons WHERE id = NEW.person_id)
    WHERE project_id = NEW.project_id AND distinct_id = NEW.distinct_id;
END;
--> statement-breakpoint
CREATE INDEX `person_distinct_ids_uuid` ON `person_distinct_ids` (`project_id`,`distinct_id`,`person_uuid`);
