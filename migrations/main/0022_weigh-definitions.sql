-- projects.definition_bytes becomes the memory of the compiled flags and cohorts, as src/snapshots/definition-quota.ts estimates it.
DROP TRIGGER feature_flags_count_insert;--> statement-breakpoint
DROP TRIGGER feature_flags_count_delete;--> statement-breakpoint
DROP TRIGGER feature_flags_count_hide;--> statement-breakpoint
DROP TRIGGER feature_flags_count_restore;--> statement-breakpoint
DROP TRIGGER feature_flags_bytes_update;--> statement-breakpoint
DROP TRIGGER flag_evaluation_contexts_bytes_insert;--> statement-breakpoint
DROP TRIGGER flag_evaluation_contexts_bytes_delete;--> statement-breakpoint
UPDATE projects SET definition_bytes = coalesce((SELECT sum(4000 + 3 * octet_length(f.name) + max(3 * octet_length(f.filters), octet_length(f.filters)
      + 50 * (SELECT count(*) FROM json_tree(iif(json_valid(f.filters), f.filters, NULL))))
      + coalesce((SELECT sum(50 + 3 * octet_length(c.name)) FROM flag_evaluation_contexts c WHERE c.flag_id = f.id), 0))
      FROM feature_flags f WHERE f.project_id = projects.id AND NOT f.deleted), 0)
      + coalesce((SELECT sum(iif(o.deleted, 0, 1000 + coalesce(max(3 * octet_length(o.filters), octet_length(o.filters)
      + 50 * (SELECT count(*) FROM json_tree(iif(json_valid(o.filters), o.filters, NULL)))), 0))) FROM cohorts o WHERE o.project_id = projects.id), 0);
--> statement-breakpoint
CREATE TRIGGER feature_flags_count_insert AFTER INSERT ON feature_flags WHEN NOT NEW.deleted BEGIN
  UPDATE projects SET live_flag_count = live_flag_count + 1, definition_bytes = definition_bytes + (4000 + 3 * octet_length(NEW.name) + max(3 * octet_length(NEW.filters), octet_length(NEW.filters)
      + 50 * (SELECT count(*) FROM json_tree(iif(json_valid(NEW.filters), NEW.filters, NULL)))))
    WHERE id = NEW.project_id;
END;
--> statement-breakpoint
-- Before the contexts of the flag are gone.
CREATE TRIGGER feature_flags_count_delete BEFORE DELETE ON feature_flags WHEN NOT OLD.deleted BEGIN
  UPDATE projects SET live_flag_count = live_flag_count - 1, definition_bytes = definition_bytes - (4000 + 3 * octet_length(OLD.name) + max(3 * octet_length(OLD.filters), octet_length(OLD.filters)
      + 50 * (SELECT count(*) FROM json_tree(iif(json_valid(OLD.filters), OLD.filters, NULL))))
      + coalesce((SELECT sum(50 + 3 * octet_length(c.name)) FROM flag_evaluation_contexts c WHERE c.flag_id = OLD.id), 0))
    WHERE id = OLD.project_id;
END;
--> statement-breakpoint
CREATE TRIGGER feature_flags_count_hide AFTER UPDATE OF deleted ON feature_flags WHEN NOT OLD.deleted AND NEW.deleted BEGIN
  UPDATE projects SET live_flag_count = live_flag_count - 1, definition_bytes = definition_bytes - (4000 + 3 * octet_length(OLD.name) + max(3 * octet_length(OLD.filters), octet_length(OLD.filters)
      + 50 * (SELECT count(*) FROM json_tree(iif(json_valid(OLD.filters), OLD.filters, NULL))))
      + coalesce((SELECT sum(50 + 3 * octet_length(c.name)) FROM flag_evaluation_contexts c WHERE c.flag_id = OLD.id), 0))
    WHERE id = OLD.project_id;
END;
--> statement-breakpoint
CREATE TRIGGER feature_flags_count_restore AFTER UPDATE OF deleted ON feature_flags WHEN OLD.deleted AND NOT NEW.deleted BEGIN
  UPDATE projects SET live_flag_count = live_flag_count + 1, definition_bytes = definition_bytes + (4000 + 3 * octet_length(NEW.name) + max(3 * octet_length(NEW.filters), octet_length(NEW.filters)
      + 50 * (SELECT count(*) FROM json_tree(iif(json_valid(NEW.filters), NEW.filters, NULL))))
      + coalesce((SELECT sum(50 + 3 * octet_length(c.name)) FROM flag_evaluation_contexts c WHERE c.flag_id = NEW.id), 0))
    WHERE id = NEW.project_id;
END;
--> statement-breakpoint
CREATE TRIGGER feature_flags_bytes_update AFTER UPDATE OF filters, name ON feature_flags WHEN NOT OLD.deleted AND NOT NEW.deleted
  AND (OLD.filters IS NOT NEW.filters OR OLD.name IS NOT NEW.name) BEGIN
  UPDATE projects SET definition_bytes = definition_bytes
    + (4000 + 3 * octet_length(NEW.name) + max(3 * octet_length(NEW.filters), octet_length(NEW.filters)
      + 50 * (SELECT count(*) FROM json_tree(iif(json_valid(NEW.filters), NEW.filters, NULL)))))
    - (4000 + 3 * octet_length(OLD.name) + max(3 * octet_length(OLD.filters), octet_length(OLD.filters)
      + 50 * (SELECT count(*) FROM json_tree(iif(json_valid(OLD.filters), OLD.filters, NULL)))))
    WHERE id = NEW.project_id;
END;
--> statement-breakpoint
CREATE TRIGGER flag_evaluation_contexts_bytes_insert AFTER INSERT ON flag_evaluation_contexts BEGIN
  UPDATE projects SET definition_bytes = definition_bytes + 50 + 3 * octet_length(NEW.name)
    WHERE id = (SELECT f.project_id FROM feature_flags f WHERE f.id = NEW.flag_id AND NOT f.deleted);
END;
--> statement-breakpoint
CREATE TRIGGER flag_evaluation_contexts_bytes_delete AFTER DELETE ON flag_evaluation_contexts BEGIN
  UPDATE projects SET definition_bytes = definition_bytes - 50 - 3 * octet_length(OLD.name)
    WHERE id = (SELECT f.project_id FROM feature_flags f WHERE f.id = OLD.flag_id AND NOT f.deleted);
END;
--> statement-breakpoint
CREATE TRIGGER cohorts_bytes_insert AFTER INSERT ON cohorts BEGIN
  UPDATE projects SET definition_bytes = definition_bytes + iif(NEW.deleted, 0, 1000 + coalesce(max(3 * octet_length(NEW.filters), octet_length(NEW.filters)
      + 50 * (SELECT count(*) FROM json_tree(iif(json_valid(NEW.filters), NEW.filters, NULL)))), 0))
    WHERE id = NEW.project_id;
END;
--> statement-breakpoint
CREATE TRIGGER cohorts_bytes_delete AFTER DELETE ON cohorts BEGIN
  UPDATE projects SET definition_bytes = definition_bytes - iif(OLD.deleted, 0, 1000 + coalesce(max(3 * octet_length(OLD.filters), octet_length(OLD.filters)
      + 50 * (SELECT count(*) FROM json_tree(iif(json_valid(OLD.filters), OLD.filters, NULL)))), 0))
    WHERE id = OLD.project_id;
END;
--> statement-breakpoint
CREATE TRIGGER cohorts_bytes_update AFTER UPDATE OF filters, deleted ON cohorts WHEN OLD.filters IS NOT NEW.filters OR OLD.deleted IS NOT NEW.deleted BEGIN
  UPDATE projects SET definition_bytes = definition_bytes
    + iif(NEW.deleted, 0, 1000 + coalesce(max(3 * octet_length(NEW.filters), octet_length(NEW.filters)
      + 50 * (SELECT count(*) FROM json_tree(iif(json_valid(NEW.filters), NEW.filters, NULL)))), 0))
    - iif(OLD.deleted, 0, 1000 + coalesce(max(3 * octet_length(OLD.filters), octet_length(OLD.filters)
      + 50 * (SELECT count(*) FROM json_tree(iif(json_valid(OLD.filters), OLD.filters, NULL)))), 0))
    WHERE id = NEW.project_id;
END;
