ALTER TABLE `persons` ADD `distinct_id_count` integer DEFAULT 1 NOT NULL;--> statement-breakpoint
-- Persons with one distinct id, most of all, are not written.
UPDATE persons SET distinct_id_count = counted.total
  FROM (SELECT person_id, count(*) AS total FROM person_distinct_ids GROUP BY person_id HAVING total > 1) AS counted
  WHERE persons.id = counted.person_id;
