-- Keeps projects.live_flag_count equal to the number of flags that are not deleted, whoever writes them.
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
