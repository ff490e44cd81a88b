ALTER TABLE `property_definitions` ADD `id` text;--> statement-breakpoint
CREATE UNIQUE INDEX `property_definitions_id` ON `property_definitions` (`project_id`,`id`);--> statement-breakpoint
-- Random UUIDs (version 4), also for definitions that an earlier release adds.
UPDATE property_definitions SET id = (
  SELECT substr(h, 1, 8) || '-' || substr(h, 9, 4) || '-4' || substr(h, 13, 3) || '-' || substr('89ab', 1 + (random() & 3), 1) || substr(h, 16, 3)
    || '-' || substr(h, 19, 12)
  FROM (SELECT lower(hex(randomblob(15))) AS h WHERE property_definitions.name IS NOT NULL)
);
--> statement-breakpoint
CREATE TRIGGER property_definitions_id AFTER INSERT ON property_definitions WHEN NEW.id IS NULL BEGIN
  UPDATE property_definitions SET id = (
    SELECT substr(h, 1, 8) || '-' || substr(h, 9, 4) || '-4' || substr(h, 13, 3) || '-' || substr('89ab', 1 + (random() & 3), 1) || substr(h, 16, 3)
      || '-' || substr(h, 19, 12)
    FROM (SELECT lower(hex(randomblob(15))) AS h)
  ) WHERE project_id = NEW.project_id AND owner = NEW.owner AND name = NEW.name;
END;
