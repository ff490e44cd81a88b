import { describe, expect, it } from 'vitest'
import { parseQuery } from '../../../src/hogql/parser/parse'
import { queryText } from '../../../src/hogql/parser/write-query'

const written = async (sql: string) => queryText(parseQuery(sql))

/** The tree without its places, and without keys for what is not there: both differ between two ways of writing the same. */
const bare = (tree: unknown): unknown =>
  JSON.parse(
    JSON.stringify(tree, (key, value) =>
      key === 'start' || key === 'end' || value === null || value === false ? undefined : value,
    ),
  )

const TEXTS = [
  "SELECT event, count() AS n FROM events WHERE timestamp >= now() - INTERVAL 7 DAY AND event IN ('a', 'b') GROUP BY event HAVING count() > 1 ORDER BY n DESC, event LIMIT 10 OFFSET 5",
  'SELECT (1 + 2) * 3 - (4 - 5), -x, NOT (a AND b), a OR b AND c, (a OR b) AND NOT c FROM events',
  "SELECT properties.$browser, properties['it''s'], `odd name`, \"quoted\", person.properties.email FROM events AS e",
  'WITH a AS (SELECT 1 AS x), 2 AS y SELECT a.x, y FROM a CROSS JOIN (SELECT 3 AS z) AS b',
  'SELECT 1 UNION ALL SELECT 2 UNION DISTINCT SELECT 3 LIMIT 5',
  '(SELECT 1 LIMIT 2) UNION ALL SELECT 3',
  'WITH RECURSIVE a(n) AS (SELECT 1 UNION ALL SELECT n + 1 FROM a WHERE n < 3), b AS (SELECT 2 AS m) SELECT n, m FROM a CROSS JOIN b',
  'SELECT sum(x) OVER (PARTITION BY a ORDER BY b DESC ROWS BETWEEN 1 PRECEDING AND CURRENT ROW), row_number() OVER w FROM t WINDOW w AS (ORDER BY c)',
  'SELECT quantile(0.5)(x), count(DISTINCT y), sumIf(z, a = 1), sum(x) FILTER (WHERE y) FROM t',
  "SELECT CASE WHEN a THEN 1 ELSE 2 END, CASE a WHEN 1 THEN 'x' ELSE 'y' END, a ? b : c, a IS NULL, b IS NOT NULL, a ?? b FROM t",
  'SELECT arrayMap(x -> x + 1, [1, 2]), tuple(1), (1, 2).1, [1, 2][1], arr[1] FROM t ARRAY JOIN arr AS item',
  "SELECT a BETWEEN 1 AND 2, b NOT LIKE '%x\\n%', c::Int, CAST(d AS String), e || f FROM t LEFT JOIN u ON t.id = u.id",
  'SELECT DISTINCT a FROM t WHERE {variables.x} = b AND {filters} LIMIT 2 BY a LIMIT 10',
  'SELECT * FROM t WHERE a IN (SELECT b FROM u) AND EXISTS (SELECT 1 FROM v)',
]

describe('queryText', () => {
  it.each(TEXTS)('writes a text of the same tree: %s', async (sql) => {
    const tree = parseQuery(sql)
    const again = await written(sql)
    expect(bare(parseQuery(again)), again).toEqual(bare(tree))
  })

  it('puts parentheses only where they are needed', async () => {
    expect(await written('SELECT ((1 + (2 * 3))) FROM events WHERE ((a = 1) AND (b = 2))')).toBe(
      'SELECT 1 + 2 * 3 FROM events WHERE a = 1 AND b = 2',
    )
  })
})
