ALTER TABLE `projects` ADD `definition_bytes` integer DEFAULT 0 NOT NULL;--> statement-breakpoint
UPDATE projects SET definition_bytes = coalesce((SELECT sum(octet_length(f.filters) + octet_length(f.name)
  + coalesce((SELECT sum(octet_length(c.name)) FROM flag_evaluation_contexts c WHERE c.flag_id = f.id), 0))
  FROM feature_flags f WHERE f.project_id = projects.id AND f.deleted = 0), 0);
--> statement-breakpoint
-- Keep projects.definition_bytes equal to the bytes of flags that are not deleted, whichever statement writes them.
CREATE TRIGGER feature_flags_bytes_insert AFTER INSERT ON feature_flags WHEN NOT NEW.deleted BEGIN
  UPDATE projects SET definition_bytes = definition_bytes + octet_length(NEW.filters) + octet_length(NEW.name) WHERE id = NEW.project_id;
END;
--> statement-breakpoint
-- Before the contexts of the flag are gone.
CREATE TRIGGER feature_flags_bytes_delete BEFORE DELETE ON feature_flags WHEN NOT OLD.deleted BEGIN
  UPDATE projects SET definition_bytes = definition_bytes - (octet_length(OLD.filters) + octet_length(OLD.name)
    + coalesce((SELECT sum(octet_length(c.name)) FROM flag_evaluation_contexts c WHERE c.flag_id = OLD.id), 0)) WHERE id = OLD.project_id;
END;
--> statement-breakpoint
CREATE TRIGGER feature_flags_bytes_hide AFTER UPDATE OF deleted ON feature_flags WHEN NOT OLD.deleted AND NEW.deleted BEGIN
  UPDATE projects SET definition_bytes = definition_bytes - (octet_length(OLD.filters) + octet_length(OLD.name)
    + coalesce((SELECT sum(octet_length(c.name)) FROM flag_evaluation_contexts c WHERE c.flag_id = OLD.id), 0)) WHERE id = OLD.project_id;
END;
--> statement-breakpoint
CREATE TRIGGER feature_flags_bytes_restore AFTER UPDATE OF deleted ON feature_flags WHEN OLD.deleted AND NOT NEW.deleted BEGIN
  UPDATE projects SET definition_bytes = definition_bytes + (octet_length(NEW.filters) + octet_length(NEW.name)
    + coalesce((SELECT sum(octet_length(c.name)) FROM flag_evaluation_contexts c WHERE c.flag_id = NEW.id), 0)) WHERE id = NEW.project_id;
END;
--> statement-breakpoint
CREATE TRIGGER feature_flags_bytes_update AFTER UPDATE OF filters, name ON feature_flags WHEN NOT OLD.deleted AND NOT NEW.deleted
  AND octet_length(OLD.filters) + octet_length(OLD.name) <> octet_length(NEW.filters) + octet_length(NEW.name) BEGIN
  UPDATE projects SET definition_bytes = definition_bytes + octet_length(NEW.filters) + octet_length(NEW.name)
    - octet_length(OLD.filters) - octet_length(OLD.name) WHERE id = NEW.project_id;
END;
--> statement-breakpoint
CREATE TRIGGER flag_evaluation_contexts_bytes_insert AFTER INSERT ON flag_evaluation_contexts BEGIN
  UPDATE projects SET definition_bytes = definition_bytes + octet_length(NEW.name)
    WHERE id = (SELECT f.project_id FROM feature_flags f WHERE f.id = NEW.flag_id AND NOT f.deleted);
END;
--> statement-breakpoint
CREATE TRIGGER flag_evaluation_contexts_bytes_delete AFTER DELETE ON flag_evaluation_contexts BEGIN
  UPDATE projects SET definition_bytes = definition_bytes - octet_length(OLD.name)
    WHERE id = (SELECT f.project_id FROM feature_flags f WHERE f.id = OLD.flag_id AND NOT f.deleted);
END;
