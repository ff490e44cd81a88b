-- One statement keeps both counts of the flags of a project: their number, and the bytes of their definitions.
DROP TRIGGER feature_flags_count_insert;--> statement-breakpoint
DROP TRIGGER feature_flags_count_delete;--> statement-breakpoint
DROP TRIGGER feature_flags_count_update;--> statement-breakpoint
DROP TRIGGER feature_flags_bytes_insert;--> statement-breakpoint
DROP TRIGGER feature_flags_bytes_delete;--> statement-breakpoint
DROP TRIGGER feature_flags_bytes_hide;--> statement-breakpoint
DROP TRIGGER feature_flags_bytes_restore;--> statement-breakpoint
CREATE TRIGGER feature_flags_count_insert AFTER INSERT ON feature_flags WHEN NOT NEW.deleted BEGIN
  UPDATE projects SET live_flag_count = live_flag_count + 1,
    definition_bytes = definition_bytes + octet_length(NEW.filters) + octet_length(NEW.name) WHERE id = NEW.project_id;
END;
--> statement-breakpoint
-- Before the contexts of the flag are gone.
CREATE TRIGGER feature_flags_count_delete BEFORE DELETE ON feature_flags WHEN NOT OLD.deleted BEGIN
  UPDATE projects SET live_flag_count = live_flag_count - 1,
    definition_bytes = definition_bytes - (octet_length(OLD.filters) + octet_length(OLD.name)
      + coalesce((SELECT sum(octet_length(c.name)) FROM flag_evaluation_contexts c WHERE c.flag_id = OLD.id), 0)) WHERE id = OLD.project_id;
END;
--> statement-breakpoint
CREATE TRIGGER feature_flags_count_hide AFTER UPDATE OF deleted ON feature_flags WHEN NOT OLD.deleted AND NEW.deleted BEGIN
  UPDATE projects SET live_flag_count = live_flag_count - 1,
    definition_bytes = definition_bytes - (octet_length(OLD.filters) + octet_length(OLD.name)
      + coalesce((SELECT sum(octet_length(c.name)) FROM flag_evaluation_contexts c WHERE c.flag_id = OLD.id), 0)) WHERE id = OLD.project_id;
END;
--> statement-breakpoint
CREATE TRIGGER feature_flags_count_restore AFTER UPDATE OF deleted ON feature_flags WHEN OLD.deleted AND NOT NEW.deleted BEGIN
  UPDATE projects SET live_flag_count = live_flag_count + 1,
    definition_bytes = definition_bytes + (octet_length(NEW.filters) + octet_length(NEW.name)
      + coalesce((SELECT sum(octet_length(c.name)) FROM flag_evaluation_contexts c WHERE c.flag_id = NEW.id), 0)) WHERE id = NEW.project_id;
END;
