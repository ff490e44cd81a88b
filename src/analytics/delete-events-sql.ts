/**
 * SQL of the statements of a batch that deletes events of a shard. It lowers the counted volumes first; `largest` stays, because estimates
 * need an upper bound.
 * @param where condition on the events, of the project `?1`
 * @param from the table, with the index that the condition needs
 */
export const deleteEventsSql = (where: string, from = 'events'): string[] => [
  `WITH gone AS MATERIALIZED (
    SELECT event, substr(timestamp, 1, 10) AS day, count(*) AS events, sum(octet_length(json(properties))) AS bytes
    FROM ${from} WHERE ${where} GROUP BY 1, 2)
  UPDATE event_volumes AS v SET events = v.events - d.events, bytes = v.bytes - d.bytes
  FROM (SELECT * FROM gone UNION ALL SELECT '', day, sum(events), sum(bytes) FROM gone GROUP BY day) AS d
  WHERE v.project_id = ?1 AND v.event = d.event AND v.day = d.day`,
  `WITH seen AS MATERIALIZED (SELECT DISTINCT event, substr(timestamp, 1, 10) AS day FROM ${from} WHERE ${where})
  DELETE FROM event_volumes WHERE project_id = ?1 AND events = 0
    AND (event, day) IN (SELECT event, day FROM seen UNION SELECT '', day FROM seen)`,
  `DELETE FROM ${from} WHERE ${where}`,
]
