// Attempts to read another project's rows through shared tables.
import { type Attempt, refused } from './attempt'

const TEN = '10'

export const PROJECTS: readonly Attempt[] = [
  ...['project_id', 'team_id', 'rowid', '_rowid_', 'oid', 'events.project_id', 'e.team_id'].map(
    (column): Attempt => ({
      name: `selects ${column}`,
      sql: `SELECT ${column} FROM events${column.startsWith('e.') ? ' AS e' : ''}`,
      outcome: refused(column.split('.').at(-1)!),
    }),
  ),
  {
    name: 'filters by another project',
    sql: 'SELECT event FROM events WHERE project_id != 1',
    outcome: refused('project_id'),
  },
  {
    name: 'filters by another team',
    sql: 'SELECT event FROM events WHERE team_id = 2',
    outcome: refused('team_id'),
  },
  {
    name: 'groups by project',
    sql: 'SELECT count() FROM events GROUP BY project_id',
    outcome: refused('project_id'),
  },
  {
    name: 'orders by project',
    sql: 'SELECT event FROM events ORDER BY project_id',
    outcome: refused('project_id'),
  },
  {
    name: 'calls a result by the name of the column',
    sql: 'SELECT 2 AS project_id, count() AS total FROM events WHERE project_id = 2',
    outcome: { rows: [[2, 86]] },
  },
  {
    name: 'joins by project',
    sql: 'SELECT count() FROM events AS a JOIN events AS b ON a.project_id != b.project_id',
    outcome: refused('project_id'),
  },
  {
    name: 'reads the project of a person',
    sql: 'SELECT person.project_id FROM events',
    outcome: refused('project_id'),
  },
  { name: 'reads the version of a person', sql: 'SELECT version FROM persons', outcome: refused('version') },
  {
    name: 'reads the stored flag of an event',
    sql: 'SELECT flag_key FROM events',
    outcome: refused('flag_key'),
  },
  {
    name: 'reads the project of a group',
    sql: 'SELECT group_0.project_id FROM events',
    outcome: refused('project_id'),
  },
  { name: 'reads a column by its printed name', sql: 'SELECT s0.event FROM events', outcome: refused('s0') },
  {
    name: 'reads a result by its printed name',
    sql: 'SELECT c0 FROM (SELECT event FROM events)',
    outcome: refused('c0'),
  },
  {
    name: 'makes the condition true for every row',
    sql: `SELECT count() AS total FROM events WHERE 1 = 1 OR 'a' = 'a'`,
    outcome: { rows: [[86]] },
  },
  {
    name: 'ends the condition early',
    sql: `SELECT count() AS total FROM events WHERE event = 'x') OR (1 = 1`,
    outcome: { refused: /./s },
  },
  {
    name: 'negates the whole condition',
    sql: 'SELECT count() AS total FROM events WHERE NOT (1 = 1)',
    outcome: { rows: [[0]] },
  },
  {
    name: 'counts people by ids that both projects have',
    sql: `SELECT count() AS total FROM person_distinct_ids WHERE distinct_id IN ('ada', 'ben', 'grace')`,
    outcome: { rows: [[3]] },
  },
  {
    name: 'looks for the other project in people',
    sql: `SELECT count() AS total FROM persons WHERE properties.plan = 'TELL-TALE' OR id LIKE 'bbbb%'`,
    outcome: { rows: [[0]] },
  },
  {
    name: 'looks for the other project in its ids',
    sql: `SELECT count() AS total FROM person_distinct_ids WHERE person_id LIKE 'bbbb%'`,
    outcome: { rows: [[0]] },
  },
  {
    name: 'looks for the other project in groups',
    sql: `SELECT properties.name FROM groups WHERE key = 'acme'`,
    outcome: { rows: [['Acme Inc']] },
  },
  {
    name: 'looks for the other project in sessions',
    sql: `SELECT $pageview_count FROM sessions WHERE session_id = 's-ada-1'`,
    outcome: { rows: [[2]] },
  },
  {
    name: 'looks for the other project in cohorts',
    sql: `SELECT count() AS total FROM cohort_people WHERE person_id LIKE 'bbbb%'`,
    outcome: { rows: [[0]] },
  },
  {
    name: 'takes the person of an event from elsewhere',
    sql: `SELECT DISTINCT person.properties.name AS name FROM events WHERE distinct_id = 'ada'`,
    outcome: { rows: [['Ada Lovelace']] },
  },
  {
    name: 'takes the group of an event from elsewhere',
    sql: `SELECT max(group_0.properties.seats) AS seats FROM events`,
    outcome: { rows: [[25]] },
  },
  {
    name: 'takes the session of an event from elsewhere',
    sql: `SELECT max(session.$session_duration) AS seconds FROM events WHERE $session_id = 's-ada-1'`,
    outcome: { rows: [[900]] },
  },
  {
    name: 'joins events to people by an id that both projects have',
    sql: `SELECT count() AS total FROM person_distinct_ids AS d LEFT JOIN persons AS p ON 1 = 1 WHERE p.properties.age = 666`,
    outcome: { rows: [[0]] },
  },
  {
    name: 'joins everything to everything',
    sql: `SELECT max(p.properties.age) AS age FROM persons AS p CROSS JOIN groups AS g`,
    outcome: { rows: [[85]] },
  },
  {
    name: 'keeps the right side of a join',
    sql: `SELECT count(e.uuid) AS total, max(e.properties.amount) AS most FROM groups AS g RIGHT JOIN events AS e ON g.key = 'nothing'`,
    outcome: { rows: [[86, 1000]] },
  },
  {
    name: 'keeps both sides of a join',
    sql: `SELECT count(e.uuid) AS total FROM persons AS p FULL OUTER JOIN events AS e ON p.id = 'nothing'`,
    outcome: { rows: [[86]] },
  },
  {
    name: 'takes a union of all that there is',
    sql: `SELECT count() AS total FROM (SELECT toString(properties) AS p FROM events UNION ALL SELECT toString(properties) AS p FROM persons UNION ALL SELECT toString(properties) AS p FROM groups) WHERE p LIKE '%TELL-TALE%'`,
    outcome: { rows: [[0]] },
  },
  {
    name: 'adds rows by a union',
    sql: `SELECT event FROM events WHERE event = 'Purchase' UNION ALL SELECT properties.name FROM persons WHERE 1 = 1`,
    outcome: { own: 13 },
  },
  {
    name: 'shadows a table with a CTE',
    sql: `WITH events AS (SELECT 'mine' AS event) SELECT event FROM events`,
    outcome: { rows: [['mine']] },
  },
  {
    name: 'shadows a table of the database with a CTE',
    sql: `WITH sqlite_master AS (SELECT 'mine' AS sql) SELECT sql FROM sqlite_master`,
    outcome: { rows: [['mine']] },
  },
  {
    name: 'shadows a table with itself',
    sql: `WITH events AS (SELECT * FROM events) SELECT count() AS total FROM events`,
    outcome: { rows: [[86]] },
  },
  {
    name: 'shadows a table inside a subquery only',
    sql: `SELECT (WITH persons AS (SELECT 1 AS id) SELECT count() FROM persons) AS a, (SELECT count() FROM persons) AS b`,
    outcome: { rows: [[1, 12]] },
  },
  {
    name: 'calls a CTE by a printed name',
    sql: `WITH cte1 AS (SELECT 1 AS c0), s0 AS (SELECT 2 AS c0) SELECT cte1.c0 AS a, s0.c0 AS b FROM cte1 CROSS JOIN s0`,
    outcome: { rows: [[1, 2]] },
  },
  {
    name: 'calls a table by the name of a column',
    sql: `SELECT project_id.event AS e FROM events AS project_id WHERE project_id.event = 'Purchase'`,
    outcome: { rows: [['Purchase']] },
  },
  {
    name: 'looks outside a subquery for what is not there',
    sql: `SELECT p.id FROM persons AS p WHERE EXISTS (SELECT 1 FROM events AS e WHERE e.person_id = p.id AND p.project_id = 1)`,
    outcome: refused('cannot read', 'p.id'),
  },
  {
    name: 'asks for rows by number',
    sql: `SELECT event FROM events WHERE uuid LIKE '99999999%'`,
    outcome: { rows: [] },
  },
  {
    name: 'reads every column of every table',
    sql: `SELECT e.*, p.* FROM events AS e LEFT JOIN persons AS p ON p.id = e.person_id WHERE e.distinct_id = 'ada' LIMIT ${TEN}`,
    outcome: { own: 10 },
  },
]
