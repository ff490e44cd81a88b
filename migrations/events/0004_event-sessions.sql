-- WITHOUT ROWID, which drizzle-kit cannot generate, stores rows in their primary key, in the order in which a query adds up those of a session.
CREATE TABLE `event_sessions` (
	`project_id` integer NOT NULL,
	`session_id` text NOT NULL,
	`distinct_id` text NOT NULL,
	`start_timestamp` text NOT NULL,
	`end_timestamp` text NOT NULL,
	`pageviews` integer NOT NULL,
	`autocaptures` integer NOT NULL,
	`screens` integer NOT NULL,
	`newest` text NOT NULL,
	`first` text NOT NULL,
	`last` text NOT NULL,
	`click` text,
	`lcp` real,
	PRIMARY KEY(`project_id`, `session_id`, `distinct_id`)
) WITHOUT ROWID;
--> statement-breakpoint
CREATE INDEX `event_sessions_person` ON `event_sessions` (`project_id`,`distinct_id`);--> statement-breakpoint
-- Each event as the row of a session that has no other. A row of D1 has at most 2 MB: a text of more than 64 KB is left out of it.
-- A restored event may have a document that is damaged, which must not stop the restore.
CREATE VIEW session_events AS
SELECT id, project_id, session_id, distinct_id, timestamp AS start_timestamp, timestamp AS end_timestamp,
  event = '$pageview' AS pageviews, event = '$autocapture' AS autocaptures, event = '$screen' AS screens, timestamp || uuid AS newest,
  (event NOT IN ('$pageview', '$screen')) || timestamp || uuid || iif(octet_length(entry) <= 65536, entry, '[]') AS first,
  (event IN ('$pageview', '$screen')) || timestamp || uuid || iif(octet_length(url) <= 65536, url, 'null') AS last,
  iif(octet_length(click_url) <= 65536, timestamp || uuid || click_url, NULL) AS click, lcp
FROM (
  SELECT e.id, e.project_id, e.distinct_id, e.timestamp, e.uuid, e.event,
    CASE json_type(e.properties, '$."$session_id"') WHEN 'text' THEN e.properties ->> '$."$session_id"' WHEN 'null' THEN NULL ELSE (e.properties -> '$."$session_id"') || '' END AS session_id,
    json_extract(e.properties,
        '$."$current_url"', '$."$referring_domain"', '$."utm_source"', '$."utm_medium"', '$."utm_campaign"',
        '$."utm_term"', '$."utm_content"', '$."gclid"', '$."gad_source"', '$."gclsrc"',
        '$."dclid"', '$."gbraid"', '$."wbraid"', '$."fbclid"', '$."msclkid"',
        '$."twclid"', '$."li_fat_id"', '$."mc_cid"', '$."igshid"', '$."ttclid"') AS entry,
    e.properties -> '$."$current_url"' AS url,
    CASE json_type(e.properties, '$."$external_click_url"') WHEN 'text' THEN e.properties ->> '$."$external_click_url"' WHEN 'null' THEN NULL ELSE (e.properties -> '$."$external_click_url"') || '' END AS click_url,
    CASE WHEN json_type(e.properties, '$."$web_vitals_LCP_value"') IN ('integer', 'real') THEN CAST(e.properties ->> '$."$web_vitals_LCP_value"' AS REAL) END AS lcp
  FROM events e WHERE iif(json_valid(e.properties, 8), e.properties ->> '$."$session_id"' <> '', 0))
WHERE octet_length(session_id) <= 200;
--> statement-breakpoint
-- The sessions of the events that are there, in sixteen statements, because D1 ends one after 30 seconds.
INSERT INTO event_sessions (project_id, session_id, distinct_id, start_timestamp, end_timestamp, pageviews, autocaptures, screens, newest, first, last, click, lcp) SELECT project_id, session_id, distinct_id, min(start_timestamp), max(end_timestamp), sum(pageviews), sum(autocaptures), sum(screens),
  max(newest), min(first), max(last), max(click), min(lcp)
FROM session_events WHERE id >= 0 AND id <= (SELECT max(id) FROM events) * 1 / 16 GROUP BY 1, 2, 3
ON CONFLICT DO UPDATE SET start_timestamp = min(start_timestamp, excluded.start_timestamp), end_timestamp = max(end_timestamp, excluded.end_timestamp),
    pageviews = pageviews + excluded.pageviews, autocaptures = autocaptures + excluded.autocaptures, screens = screens + excluded.screens,
    newest = max(newest, excluded.newest), first = min(first, excluded.first), last = max(last, excluded.last),
    click = max(ifnull(click, excluded.click), ifnull(excluded.click, click)), lcp = min(ifnull(lcp, excluded.lcp), ifnull(excluded.lcp, lcp));
--> statement-breakpoint
INSERT INTO event_sessions (project_id, session_id, distinct_id, start_timestamp, end_timestamp, pageviews, autocaptures, screens, newest, first, last, click, lcp) SELECT project_id, session_id, distinct_id, min(start_timestamp), max(end_timestamp), sum(pageviews), sum(autocaptures), sum(screens),
  max(newest), min(first), max(last), max(click), min(lcp)
FROM session_events WHERE id > (SELECT max(id) FROM events) * 1 / 16 AND id <= (SELECT max(id) FROM events) * 2 / 16 GROUP BY 1, 2, 3
ON CONFLICT DO UPDATE SET start_timestamp = min(start_timestamp, excluded.start_timestamp), end_timestamp = max(end_timestamp, excluded.end_timestamp),
    pageviews = pageviews + excluded.pageviews, autocaptures = autocaptures + excluded.autocaptures, screens = screens + excluded.screens,
    newest = max(newest, excluded.newest), first = min(first, excluded.first), last = max(last, excluded.last),
    click = max(ifnull(click, excluded.click), ifnull(excluded.click, click)), lcp = min(ifnull(lcp, excluded.lcp), ifnull(excluded.lcp, lcp));
--> statement-breakpoint
INSERT INTO event_sessions (project_id, session_id, distinct_id, start_timestamp, end_timestamp, pageviews, autocaptures, screens, newest, first, last, click, lcp) SELECT project_id, session_id, distinct_id, min(start_timestamp), max(end_timestamp), sum(pageviews), sum(autocaptures), sum(screens),
  max(newest), min(first), max(last), max(click), min(lcp)
FROM session_events WHERE id > (SELECT max(id) FROM events) * 2 / 16 AND id <= (SELECT max(id) FROM events) * 3 / 16 GROUP BY 1, 2, 3
ON CONFLICT DO UPDATE SET start_timestamp = min(start_timestamp, excluded.start_timestamp), end_timestamp = max(end_timestamp, excluded.end_timestamp),
    pageviews = pageviews + excluded.pageviews, autocaptures = autocaptures + excluded.autocaptures, screens = screens + excluded.screens,
    newest = max(newest, excluded.newest), first = min(first, excluded.first), last = max(last, excluded.last),
    click = max(ifnull(click, excluded.click), ifnull(excluded.click, click)), lcp = min(ifnull(lcp, excluded.lcp), ifnull(excluded.lcp, lcp));
--> statement-breakpoint
INSERT INTO event_sessions (project_id, session_id, distinct_id, start_timestamp, end_timestamp, pageviews, autocaptures, screens, newest, first, last, click, lcp) SELECT project_id, session_id, distinct_id, min(start_timestamp), max(end_timestamp), sum(pageviews), sum(autocaptures), sum(screens),
  max(newest), min(first), max(last), max(click), min(lcp)
FROM session_events WHERE id > (SELECT max(id) FROM events) * 3 / 16 AND id <= (SELECT max(id) FROM events) * 4 / 16 GROUP BY 1, 2, 3
ON CONFLICT DO UPDATE SET start_timestamp = min(start_timestamp, excluded.start_timestamp), end_timestamp = max(end_timestamp, excluded.end_timestamp),
    pageviews = pageviews + excluded.pageviews, autocaptures = autocaptures + excluded.autocaptures, screens = screens + excluded.screens,
    newest = max(newest, excluded.newest), first = min(first, excluded.first), last = max(last, excluded.last),
    click = max(ifnull(click, excluded.click), ifnull(excluded.click, click)), lcp = min(ifnull(lcp, excluded.lcp), ifnull(excluded.lcp, lcp));
--> statement-breakpoint
INSERT INTO event_sessions (project_id, session_id, distinct_id, start_timestamp, end_timestamp, pageviews, autocaptures, screens, newest, first, last, click, lcp) SELECT project_id, session_id, distinct_id, min(start_timestamp), max(end_timestamp), sum(pageviews), sum(autocaptures), sum(screens),
  max(newest), min(first), max(last), max(click), min(lcp)
FROM session_events WHERE id > (SELECT max(id) FROM events) * 4 / 16 AND id <= (SELECT max(id) FROM events) * 5 / 16 GROUP BY 1, 2, 3
ON CONFLICT DO UPDATE SET start_timestamp = min(start_timestamp, excluded.start_timestamp), end_timestamp = max(end_timestamp, excluded.end_timestamp),
    pageviews = pageviews + excluded.pageviews, autocaptures = autocaptures + excluded.autocaptures, screens = screens + excluded.screens,
    newest = max(newest, excluded.newest), first = min(first, excluded.first), last = max(last, excluded.last),
    click = max(ifnull(click, excluded.click), ifnull(excluded.click, click)), lcp = min(ifnull(lcp, excluded.lcp), ifnull(excluded.lcp, lcp));
--> statement-breakpoint
INSERT INTO event_sessions (project_id, session_id, distinct_id, start_timestamp, end_timestamp, pageviews, autocaptures, screens, newest, first, last, click, lcp) SELECT project_id, session_id, distinct_id, min(start_timestamp), max(end_timestamp), sum(pageviews), sum(autocaptures), sum(screens),
  max(newest), min(first), max(last), max(click), min(lcp)
FROM session_events WHERE id > (SELECT max(id) FROM events) * 5 / 16 AND id <= (SELECT max(id) FROM events) * 6 / 16 GROUP BY 1, 2, 3
ON CONFLICT DO UPDATE SET start_timestamp = min(start_timestamp, excluded.start_timestamp), end_timestamp = max(end_timestamp, excluded.end_timestamp),
    pageviews = pageviews + excluded.pageviews, autocaptures = autocaptures + excluded.autocaptures, screens = screens + excluded.screens,
    newest = max(newest, excluded.newest), first = min(first, excluded.first), last = max(last, excluded.last),
    click = max(ifnull(click, excluded.click), ifnull(excluded.click, click)), lcp = min(ifnull(lcp, excluded.lcp), ifnull(excluded.lcp, lcp));
--> statement-breakpoint
INSERT INTO event_sessions (project_id, session_id, distinct_id, start_timestamp, end_timestamp, pageviews, autocaptures, screens, newest, first, last, click, lcp) SELECT project_id, session_id, distinct_id, min(start_timestamp), max(end_timestamp), sum(pageviews), sum(autocaptures), sum(screens),
  max(newest), min(first), max(last), max(click), min(lcp)
FROM session_events WHERE id > (SELECT max(id) FROM events) * 6 / 16 AND id <= (SELECT max(id) FROM events) * 7 / 16 GROUP BY 1, 2, 3
ON CONFLICT DO UPDATE SET start_timestamp = min(start_timestamp, excluded.start_timestamp), end_timestamp = max(end_timestamp, excluded.end_timestamp),
    pageviews = pageviews + excluded.pageviews, autocaptures = autocaptures + excluded.autocaptures, screens = screens + excluded.screens,
    newest = max(newest, excluded.newest), first = min(first, excluded.first), last = max(last, excluded.last),
    click = max(ifnull(click, excluded.click), ifnull(excluded.click, click)), lcp = min(ifnull(lcp, excluded.lcp), ifnull(excluded.lcp, lcp));
--> statement-breakpoint
INSERT INTO event_sessions (project_id, session_id, distinct_id, start_timestamp, end_timestamp, pageviews, autocaptures, screens, newest, first, last, click, lcp) SELECT project_id, session_id, distinct_id, min(start_timestamp), max(end_timestamp), sum(pageviews), sum(autocaptures), sum(screens),
  max(newest), min(first), max(last), max(click), min(lcp)
FROM session_events WHERE id > (SELECT max(id) FROM events) * 7 / 16 AND id <= (SELECT max(id) FROM events) * 8 / 16 GROUP BY 1, 2, 3
ON CONFLICT DO UPDATE SET start_timestamp = min(start_timestamp, excluded.start_timestamp), end_timestamp = max(end_timestamp, excluded.end_timestamp),
    pageviews = pageviews + excluded.pageviews, autocaptures = autocaptures + excluded.autocaptures, screens = screens + excluded.screens,
    newest = max(newest, excluded.newest), first = min(first, excluded.first), last = max(last, excluded.last),
    click = max(ifnull(click, excluded.click), ifnull(excluded.click, click)), lcp = min(ifnull(lcp, excluded.lcp), ifnull(excluded.lcp, lcp));
--> statement-breakpoint
INSERT INTO event_sessions (project_id, session_id, distinct_id, start_timestamp, end_timestamp, pageviews, autocaptures, screens, newest, first, last, click, lcp) SELECT project_id, session_id, distinct_id, min(start_timestamp), max(end_timestamp), sum(pageviews), sum(autocaptures), sum(screens),
  max(newest), min(first), max(last), max(click), min(lcp)
FROM session_events WHERE id > (SELECT max(id) FROM events) * 8 / 16 AND id <= (SELECT max(id) FROM events) * 9 / 16 GROUP BY 1, 2, 3
ON CONFLICT DO UPDATE SET start_timestamp = min(start_timestamp, excluded.start_timestamp), end_timestamp = max(end_timestamp, excluded.end_timestamp),
    pageviews = pageviews + excluded.pageviews, autocaptures = autocaptures + excluded.autocaptures, screens = screens + excluded.screens,
    newest = max(newest, excluded.newest), first = min(first, excluded.first), last = max(last, excluded.last),
    click = max(ifnull(click, excluded.click), ifnull(excluded.click, click)), lcp = min(ifnull(lcp, excluded.lcp), ifnull(excluded.lcp, lcp));
--> statement-breakpoint
INSERT INTO event_sessions (project_id, session_id, distinct_id, start_timestamp, end_timestamp, pageviews, autocaptures, screens, newest, first, last, click, lcp) SELECT project_id, session_id, distinct_id, min(start_timestamp), max(end_timestamp), sum(pageviews), sum(autocaptures), sum(screens),
  max(newest), min(first), max(last), max(click), min(lcp)
FROM session_events WHERE id > (SELECT max(id) FROM events) * 9 / 16 AND id <= (SELECT max(id) FROM events) * 10 / 16 GROUP BY 1, 2, 3
ON CONFLICT DO UPDATE SET start_timestamp = min(start_timestamp, excluded.start_timestamp), end_timestamp = max(end_timestamp, excluded.end_timestamp),
    pageviews = pageviews + excluded.pageviews, autocaptures = autocaptures + excluded.autocaptures, screens = screens + excluded.screens,
    newest = max(newest, excluded.newest), first = min(first, excluded.first), last = max(last, excluded.last),
    click = max(ifnull(click, excluded.click), ifnull(excluded.click, click)), lcp = min(ifnull(lcp, excluded.lcp), ifnull(excluded.lcp, lcp));
--> statement-breakpoint
INSERT INTO event_sessions (project_id, session_id, distinct_id, start_timestamp, end_timestamp, pageviews, autocaptures, screens, newest, first, last, click, lcp) SELECT project_id, session_id, distinct_id, min(start_timestamp), max(end_timestamp), sum(pageviews), sum(autocaptures), sum(screens),
  max(newest), min(first), max(last), max(click), min(lcp)
FROM session_events WHERE id > (SELECT max(id) FROM events) * 10 / 16 AND id <= (SELECT max(id) FROM events) * 11 / 16 GROUP BY 1, 2, 3
ON CONFLICT DO UPDATE SET start_timestamp = min(start_timestamp, excluded.start_timestamp), end_timestamp = max(end_timestamp, excluded.end_timestamp),
    pageviews = pageviews + excluded.pageviews, autocaptures = autocaptures + excluded.autocaptures, screens = screens + excluded.screens,
    newest = max(newest, excluded.newest), first = min(first, excluded.first), last = max(last, excluded.last),
    click = max(ifnull(click, excluded.click), ifnull(excluded.click, click)), lcp = min(ifnull(lcp, excluded.lcp), ifnull(excluded.lcp, lcp));
--> statement-breakpoint
INSERT INTO event_sessions (project_id, session_id, distinct_id, start_timestamp, end_timestamp, pageviews, autocaptures, screens, newest, first, last, click, lcp) SELECT project_id, session_id, distinct_id, min(start_timestamp), max(end_timestamp), sum(pageviews), sum(autocaptures), sum(screens),
  max(newest), min(first), max(last), max(click), min(lcp)
FROM session_events WHERE id > (SELECT max(id) FROM events) * 11 / 16 AND id <= (SELECT max(id) FROM events) * 12 / 16 GROUP BY 1, 2, 3
ON CONFLICT DO UPDATE SET start_timestamp = min(start_timestamp, excluded.start_timestamp), end_timestamp = max(end_timestamp, excluded.end_timestamp),
    pageviews = pageviews + excluded.pageviews, autocaptures = autocaptures + excluded.autocaptures, screens = screens + excluded.screens,
    newest = max(newest, excluded.newest), first = min(first, excluded.first), last = max(last, excluded.last),
    click = max(ifnull(click, excluded.click), ifnull(excluded.click, click)), lcp = min(ifnull(lcp, excluded.lcp), ifnull(excluded.lcp, lcp));
--> statement-breakpoint
INSERT INTO event_sessions (project_id, session_id, distinct_id, start_timestamp, end_timestamp, pageviews, autocaptures, screens, newest, first, last, click, lcp) SELECT project_id, session_id, distinct_id, min(start_timestamp), max(end_timestamp), sum(pageviews), sum(autocaptures), sum(screens),
  max(newest), min(first), max(last), max(click), min(lcp)
FROM session_events WHERE id > (SELECT max(id) FROM events) * 12 / 16 AND id <= (SELECT max(id) FROM events) * 13 / 16 GROUP BY 1, 2, 3
ON CONFLICT DO UPDATE SET start_timestamp = min(start_timestamp, excluded.start_timestamp), end_timestamp = max(end_timestamp, excluded.end_timestamp),
    pageviews = pageviews + excluded.pageviews, autocaptures = autocaptures + excluded.autocaptures, screens = screens + excluded.screens,
    newest = max(newest, excluded.newest), first = min(first, excluded.first), last = max(last, excluded.last),
    click = max(ifnull(click, excluded.click), ifnull(excluded.click, click)), lcp = min(ifnull(lcp, excluded.lcp), ifnull(excluded.lcp, lcp));
--> statement-breakpoint
INSERT INTO event_sessions (project_id, session_id, distinct_id, start_timestamp, end_timestamp, pageviews, autocaptures, screens, newest, first, last, click, lcp) SELECT project_id, session_id, distinct_id, min(start_timestamp), max(end_timestamp), sum(pageviews), sum(autocaptures), sum(screens),
  max(newest), min(first), max(last), max(click), min(lcp)
FROM session_events WHERE id > (SELECT max(id) FROM events) * 13 / 16 AND id <= (SELECT max(id) FROM events) * 14 / 16 GROUP BY 1, 2, 3
ON CONFLICT DO UPDATE SET start_timestamp = min(start_timestamp, excluded.start_timestamp), end_timestamp = max(end_timestamp, excluded.end_timestamp),
    pageviews = pageviews + excluded.pageviews, autocaptures = autocaptures + excluded.autocaptures, screens = screens + excluded.screens,
    newest = max(newest, excluded.newest), first = min(first, excluded.first), last = max(last, excluded.last),
    click = max(ifnull(click, excluded.click), ifnull(excluded.click, click)), lcp = min(ifnull(lcp, excluded.lcp), ifnull(excluded.lcp, lcp));
--> statement-breakpoint
INSERT INTO event_sessions (project_id, session_id, distinct_id, start_timestamp, end_timestamp, pageviews, autocaptures, screens, newest, first, last, click, lcp) SELECT project_id, session_id, distinct_id, min(start_timestamp), max(end_timestamp), sum(pageviews), sum(autocaptures), sum(screens),
  max(newest), min(first), max(last), max(click), min(lcp)
FROM session_events WHERE id > (SELECT max(id) FROM events) * 14 / 16 AND id <= (SELECT max(id) FROM events) * 15 / 16 GROUP BY 1, 2, 3
ON CONFLICT DO UPDATE SET start_timestamp = min(start_timestamp, excluded.start_timestamp), end_timestamp = max(end_timestamp, excluded.end_timestamp),
    pageviews = pageviews + excluded.pageviews, autocaptures = autocaptures + excluded.autocaptures, screens = screens + excluded.screens,
    newest = max(newest, excluded.newest), first = min(first, excluded.first), last = max(last, excluded.last),
    click = max(ifnull(click, excluded.click), ifnull(excluded.click, click)), lcp = min(ifnull(lcp, excluded.lcp), ifnull(excluded.lcp, lcp));
--> statement-breakpoint
INSERT INTO event_sessions (project_id, session_id, distinct_id, start_timestamp, end_timestamp, pageviews, autocaptures, screens, newest, first, last, click, lcp) SELECT project_id, session_id, distinct_id, min(start_timestamp), max(end_timestamp), sum(pageviews), sum(autocaptures), sum(screens),
  max(newest), min(first), max(last), max(click), min(lcp)
FROM session_events WHERE id > (SELECT max(id) FROM events) * 15 / 16 AND id <= (SELECT max(id) FROM events) * 16 / 16 GROUP BY 1, 2, 3
ON CONFLICT DO UPDATE SET start_timestamp = min(start_timestamp, excluded.start_timestamp), end_timestamp = max(end_timestamp, excluded.end_timestamp),
    pageviews = pageviews + excluded.pageviews, autocaptures = autocaptures + excluded.autocaptures, screens = screens + excluded.screens,
    newest = max(newest, excluded.newest), first = min(first, excluded.first), last = max(last, excluded.last),
    click = max(ifnull(click, excluded.click), ifnull(excluded.click, click)), lcp = min(ifnull(lcp, excluded.lcp), ifnull(excluded.lcp, lcp));
--> statement-breakpoint
INSERT INTO people_volumes (project_id, name, rows, bytes, largest) SELECT project_id, 'event_sessions', count(*), 0, 0 FROM event_sessions GROUP BY project_id;
--> statement-breakpoint
CREATE TRIGGER event_sessions_volume_insert AFTER INSERT ON event_sessions BEGIN
  INSERT INTO people_volumes (project_id, name, rows, bytes, largest) VALUES (NEW.project_id, 'event_sessions', 1, 0, 0)
  ON CONFLICT DO UPDATE SET rows = rows + 1;
END;
--> statement-breakpoint
CREATE TRIGGER event_sessions_volume_delete AFTER DELETE ON event_sessions BEGIN
  UPDATE people_volumes SET rows = rows - 1 WHERE project_id = OLD.project_id AND name = 'event_sessions';
END;
--> statement-breakpoint
CREATE TRIGGER events_session_insert AFTER INSERT ON events BEGIN
  INSERT INTO event_sessions (project_id, session_id, distinct_id, start_timestamp, end_timestamp, pageviews, autocaptures, screens, newest, first, last, click, lcp)
  SELECT project_id, session_id, distinct_id, start_timestamp, end_timestamp, pageviews, autocaptures, screens, newest, first, last, click, lcp
  FROM session_events WHERE id = NEW.id
  ON CONFLICT DO UPDATE SET start_timestamp = min(start_timestamp, excluded.start_timestamp), end_timestamp = max(end_timestamp, excluded.end_timestamp),
    pageviews = pageviews + excluded.pageviews, autocaptures = autocaptures + excluded.autocaptures, screens = screens + excluded.screens,
    newest = max(newest, excluded.newest), first = min(first, excluded.first), last = max(last, excluded.last),
    click = max(ifnull(click, excluded.click), ifnull(excluded.click, click)), lcp = min(ifnull(lcp, excluded.lcp), ifnull(excluded.lcp, lcp));
END;
--> statement-breakpoint
-- Retention deletes events of a session in any order: the row goes with its newest event.
CREATE TRIGGER events_session_delete BEFORE DELETE ON events BEGIN
  DELETE FROM event_sessions WHERE (project_id, session_id, distinct_id, newest) IN (
    SELECT project_id, session_id, distinct_id, newest FROM session_events WHERE id = OLD.id);
END;
