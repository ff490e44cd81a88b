// Which queries can be materialized, why others cannot, and what they are turned into
// (docs/reference/endpoints.md#which-queries-can-be-materialized).
import { describe, expect, it } from 'vitest'
import { type BucketOverrides, BUCKETS } from '../../../src/endpoints/materialization/analysis/lift-variables'
import { previewOf } from '../../../src/endpoints/materialization/analysis/preview-texts'
import { check, conditionsSource, RULES } from '../../../src/endpoints/materialization/analysis/rules'
import type { SourceQuery } from '../../../src/endpoints/query/query-types'
import { parseQuery } from '../../../src/hogql/parser/parse'
import { placeholdersOf } from '../../../src/hogql/resolve/resolve'
import { expressionText } from '../../../src/hogql/parser/write-query'

async function checked(sql: string, overrides: BucketOverrides = null, unknown: string[] = []) {
  const tree = parseQuery(sql)
  const names = placeholdersOf(tree).variables.filter((name) => !unknown.includes(name))
  const query: SourceQuery = {
    kind: 'HogQLQuery',
    query: sql,
    filters: null,
    variables: Object.fromEntries(names.map((name) => [name, { variableId: name, code_name: name }])),
  }
  const columns =
    tree.node === 'SelectQuery'
      ? tree.select.map((item) => (item.node === 'Alias' ? item.alias : expressionText(item)))
      : ['c']
  return check({
    query,
    overrides,
    tree,
    columns: columns.map((name) => ({ name, nullable: false })),
    table: 'sales_v2',
  })
}

async function preview(sql: string, overrides: BucketOverrides = null) {
  const result = await checked(sql, overrides)
  if (result.reason !== null) throw new Error(result.reason)
  return previewOf(result.candidate, 'sales')
}

const reasonFor = async (sql: string) => (await checked(sql)).reason

describe('a query that can be materialized', () => {
  it('loses a comparison and gains a column', async () => {
    expect(await preview('SELECT count() FROM events WHERE event = {variables.e}')).toEqual({
      transformed_query: 'SELECT count(), event AS e FROM events GROUP BY event',
      execution_query: "SELECT sum(`count()`) AS `count()` FROM sales_v2 WHERE e = '{variables.e}'",
      display_execution_query: "SELECT sum(`count()`) AS `count()` FROM sales WHERE e = '{variables.e}'",
      range_pairs: [],
      aggregates: [{ expression: 'count()', reaggregate_fn: 'sum' }],
    })
  })

  it('stores a datetime range by days, and reads it by bounds that begin one', async () => {
    const shown = await preview(
      'SELECT count() AS n FROM events WHERE timestamp >= {variables.a} AND timestamp < {variables.b}',
    )
    expect(shown.transformed_query).toBe(
      'SELECT count() AS n, toStartOfDay(timestamp) AS a, toStartOfDay(timestamp) AS b FROM events GROUP BY toStartOfDay(timestamp)',
    )
    expect(shown.execution_query).toBe(
      "SELECT sum(n) AS n FROM sales_v2 WHERE a >= toStartOfDay(toDateTime('{variables.a}')) AND toDateTime(toStartOfDay(toDateTime('{variables.a}'))) = toDateTime('{variables.a}') AND b < toStartOfDay(toDateTime('{variables.b}')) AND toDateTime(toStartOfDay(toDateTime('{variables.b}'))) = toDateTime('{variables.b}') HAVING count() > 0",
    )
    expect(shown.range_pairs).toEqual([
      { column: 'timestamp', variables: ['a', 'b'], bucket_fn: 'toStartOfDay' },
    ])
  })

  it.each(Object.entries(BUCKETS))('rounds to %s on request', async (bucket, fn) => {
    const { transformed_query: text } = await preview(
      'SELECT sum(properties.amount) AS total FROM events WHERE timestamp >= {variables.since}',
      { timestamp: bucket },
    )
    expect(text).toBe(
      `SELECT sum(properties.amount) AS total, ${fn}(timestamp) AS since FROM events GROUP BY ${fn}(timestamp)`,
    )
  })

  it('keeps exact values of properties, of calls, and of columns that hold no moments', async () => {
    const text = async (sql: string, overrides: BucketOverrides = null) =>
      (await preview(sql, overrides)).transformed_query
    expect(await text('SELECT count() FROM events WHERE properties.price > {variables.p}')).toBe(
      'SELECT count(), properties.price AS p FROM events GROUP BY properties.price',
    )
    expect(
      await text('SELECT count() FROM events WHERE properties.at >= {variables.p}', {
        'properties.at': 'hour',
      }),
    ).toBe(
      'SELECT count(), toStartOfHour(properties.at) AS p FROM events GROUP BY toStartOfHour(properties.at)',
    )
    expect(await text('SELECT count() FROM events WHERE length(event) > {variables.p}')).toBe(
      'SELECT count(), length(event) AS p FROM events GROUP BY length(event)',
    )
    expect(await text('SELECT count() FROM events WHERE distinct_id >= {variables.p}')).toBe(
      'SELECT count(), distinct_id AS p FROM events GROUP BY distinct_id',
    )
  })

  it('applies functions around the variable when it is read', async () => {
    const { execution_query: text } = await preview(
      'SELECT event, count() AS n FROM events WHERE timestamp >= toDate({variables.day}) GROUP BY event ORDER BY n DESC LIMIT 10',
    )
    expect(text).toBe(
      "SELECT event, sum(n) AS n FROM sales_v2 WHERE day >= toStartOfDay(toDateTime(toDate('{variables.day}'))) AND toDateTime(toStartOfDay(toDateTime(toDate('{variables.day}')))) = toDateTime(toDate('{variables.day}')) GROUP BY event ORDER BY n DESC LIMIT 10",
    )
  })

  it('carries the variable of a CTE to the top', async () => {
    const { transformed_query: text } = await preview(
      'WITH some AS (SELECT person_id, count() AS n FROM events WHERE event = {variables.e} GROUP BY person_id), more AS (SELECT n FROM some WHERE n > 1) SELECT n, count() AS people FROM more GROUP BY n',
    )
    expect(text).toBe(
      'WITH some AS (SELECT person_id, count() AS n, event AS e FROM events GROUP BY person_id, event), more AS (SELECT n, some.e AS e FROM some WHERE n > 1) SELECT n, count() AS people, more.e AS e FROM more GROUP BY n, more.e',
    )
  })

  it('is itself when it has no variables', async () => {
    expect(
      await preview('SELECT event, count() AS n FROM events GROUP BY event ORDER BY n DESC LIMIT 5'),
    ).toEqual({
      transformed_query: 'SELECT event, count() AS n FROM events GROUP BY event ORDER BY n DESC LIMIT 5',
      execution_query: 'SELECT event, n FROM sales_v2 LIMIT 5',
      display_execution_query: 'SELECT event, n FROM sales LIMIT 5',
      range_pairs: [],
      aggregates: [],
    })
  })

  it('shows variables by any name as texts', async () => {
    const { execution_query: text } = await preview(
      "SELECT count() AS n FROM events WHERE event = {variables.end} AND distinct_id = {variables.from} AND properties.x = {variables.`order`} AND properties.y = {variables.`größe`} AND properties.z = concat('{variables.end}', {variables.plain})",
    )
    expect(text).toBe(
      "SELECT sum(n) AS n FROM sales_v2 WHERE `end` = '{variables.end}' AND `from` = '{variables.from}' AND `order` = '{variables.order}' AND `größe` = '{variables.größe}' AND plain = concat('{variables.end}', '{variables.plain}')",
    )
  })

  it.each([
    ['=', "SELECT sum(c) AS c, 1 AS z, concat('a', 'b') AS ab FROM sales_v2 WHERE plan = '{variables.plan}'"],
    ['>', "SELECT sum(c) AS c, 1 AS z, concat('a', 'b') AS ab FROM sales_v2 WHERE plan > '{variables.plan}'"],
  ])('keeps constants beside totals, with %s', async (operator, reading) => {
    const { execution_query: text } = await preview(
      `SELECT count() AS c, 1 AS z, concat('a', 'b') AS ab FROM events WHERE properties.plan ${operator} {variables.plan}`,
    )
    expect(text).toBe(reading)
  })

  it('may name a variable twice in one comparison with one column', async () => {
    const { transformed_query: text } = await preview(
      "SELECT count() FROM events WHERE timestamp >= {variables.day} AND timestamp < {variables.day} AND (event = 'a' OR event = 'b')",
    )
    expect(text).toContain("WHERE event = 'a' OR event = 'b' GROUP BY toStartOfDay(timestamp)")
  })
})

const about = (reason: string) => `Variables not supported: ${reason}`
const CASES: [sql: string, reason: string][] = [
  ['SELECT {variables.a} FROM events', about('Variable not used in WHERE clause')],
  ['SELECT 1 FROM events WHERE {variables.a} = 1', about('Variable not used in WHERE clause')],
  [
    'SELECT 1 FROM events WHERE event = {variables.a} UNION ALL SELECT 2',
    about('Variable not used in WHERE clause'),
  ],
  ['SELECT 1 FROM events PREWHERE event = {variables.a}', about('Variable not used in WHERE clause')],
  [
    'SELECT 1 FROM (SELECT 1 FROM events WHERE event = {variables.a})',
    about('Variable not used in WHERE clause'),
  ],
  [
    'SELECT event, count() AS n FROM events GROUP BY event HAVING n > {variables.a}',
    about('Variable used in HAVING clause is not supported for materialization'),
  ],
  [
    "SELECT 1 FROM events WHERE event = 'a' OR event = {variables.a}",
    about('Variables in OR conditions are not supported for materialization'),
  ],
  [
    'SELECT 1 FROM events WHERE event != {variables.a}',
    about('Unsupported operator !=, supported: =, >=, >, <, <='),
  ],
  [
    'SELECT 1 FROM events WHERE event IN {variables.a}',
    about('Unsupported operator in, supported: =, >=, >, <, <='),
  ],
  [
    'SELECT 1 FROM events WHERE event =~ {variables.a}',
    about('Unsupported operator =~, supported: =, >=, >, <, <='),
  ],
  [
    "SELECT 1 FROM events WHERE event IN ({variables.a}, 'x')",
    about('Unsupported operator in, supported: =, >=, >, <, <='),
  ],
  [
    'SELECT 1 FROM events WHERE properties.n = {variables.a} + 1',
    about(
      "Variable 'a' is part of an expression: only functions of the variable and constants can stand beside the column",
    ),
  ],
  [
    'SELECT 1 FROM events WHERE event = concat({variables.a}, {variables.b})',
    about('Variable compared against an expression containing another variable is not supported'),
  ],
  [
    'SELECT 1 FROM events WHERE NOT event = {variables.a}',
    about('Unsupported operator NOT, supported: =, >=, >, <, <='),
  ],
  [
    'SELECT 1 FROM events WHERE concat(event, {variables.a}) = {variables.b}',
    about('Variable compared against an expression containing another variable is not supported'),
  ],
  [
    'SELECT 1 FROM events WHERE event = {variables.a} AND distinct_id = {variables.a}',
    about('Variable compared against multiple columns is not supported for materialization'),
  ],
  ['SELECT 1 FROM events WHERE event = {variables}', about('Invalid variable placeholder format')],
  [
    'WITH c AS (SELECT event FROM events WHERE event = {variables.a}) SELECT event FROM c WHERE event = {variables.a}',
    about('Variable used in both CTE and top-level query is not supported for materialization'),
  ],
  [
    'WITH c AS (SELECT event FROM events WHERE event = {variables.a}), d AS (SELECT event FROM events WHERE event = {variables.a}) SELECT event FROM c',
    about('Variable used in multiple CTEs is not supported for materialization'),
  ],
  [
    'SELECT uniq(person_id) FROM events WHERE timestamp > {variables.a}',
    about("Aggregate function 'uniq' cannot be re-aggregated for range variable materialization"),
  ],
  [
    'SELECT count(DISTINCT event) FROM events WHERE timestamp > {variables.a}',
    about("Aggregate function 'count' cannot be re-aggregated for range variable materialization"),
  ],
  [
    'SELECT round(avg(properties.x)) FROM events WHERE event LIKE {variables.a}',
    about("Aggregate function 'avg' cannot be re-aggregated for range variable materialization"),
  ],
  [
    'SELECT distinct_id AS a FROM events WHERE event = {variables.a}',
    about(
      "Variable 'a' conflicts with an existing SELECT alias for a different expression. Rename the variable or the alias.",
    ),
  ],
  [
    'WITH c AS (SELECT person_id FROM events WHERE event = {variables.a}) SELECT count() FROM c JOIN persons ON persons.id = c.person_id',
    about('CTE variables with JOINs in the top-level query are not supported for materialization'),
  ],
  [
    'WITH c AS (SELECT person_id FROM events WHERE event = {variables.a}) SELECT (SELECT count() FROM c) FROM persons',
    about('Scalar subquery in top-level query references a CTE downstream of a materialized variable'),
  ],
  [
    'WITH c AS (SELECT event, row_number() OVER (ORDER BY timestamp) AS r FROM events WHERE event = {variables.a}) SELECT r FROM c',
    about("Variable 'a' cannot be lifted out of a query with a window clause"),
  ],
  [
    'WITH c AS (SELECT person_id FROM events WHERE event = {variables.a}), d AS (SELECT c.person_id FROM c LEFT JOIN persons ON persons.id = c.person_id) SELECT count() FROM d',
    about("LEFT JOIN between CTEs cannot carry variable 'a': only INNER and CROSS JOIN can"),
  ],
  [
    'WITH c AS (SELECT person_id FROM events WHERE event = {variables.a}), d AS (SELECT person_id FROM c UNION ALL SELECT id FROM persons) SELECT count() FROM d',
    about("UNION leg cannot carry variable 'a': it reads no CTE that has it"),
  ],
  [
    'WITH RECURSIVE c AS (SELECT event FROM events WHERE event = {variables.a}), d AS (SELECT event, 1 AS n FROM c UNION ALL SELECT event, n + 1 FROM d WHERE n < 3) SELECT count() FROM d',
    about("Variable 'a' cannot be carried through WITH RECURSIVE"),
  ],
  [
    'WITH c AS (SELECT person_id FROM events WHERE event = {variables.a} LIMIT 5) SELECT count() FROM c',
    about("Variable 'a' is in a CTE with a LIMIT, which is not supported for materialization"),
  ],
  [
    'WITH c AS (SELECT person_id, count() AS n FROM events WHERE timestamp > {variables.a} GROUP BY person_id) SELECT count() FROM c',
    about('Aggregation in a CTE cannot be re-aggregated for range variable materialization'),
  ],
  [
    'SELECT count() AS n FROM events WHERE timestamp <= {variables.a}',
    "Variable 'a' is compared by <= with a column that is stored by periods: use >= and <, whose bounds can be the start of one",
  ],
  [
    'SELECT event, count() AS n FROM events WHERE timestamp >= {variables.a} GROUP BY event ORDER BY length(event)',
    'ORDER BY length(event) is no column of the result, which is needed to put rows together',
  ],
  [
    'SELECT count() AS n FROM events WHERE timestamp >= {variables.a} GROUP BY event',
    'GROUP BY event is no column of the result, which is needed to put rows together',
  ],
  [
    'SELECT length(event) AS l, count() AS n FROM events WHERE event LIKE {variables.a} GROUP BY event',
    'GROUP BY event is no column of the result, which is needed to put rows together',
  ],
  ...[
    ["minIf(timestamp, event = 'a')", 'minIf', 'minIfOrNull'],
    ["max(length(event)) FILTER (WHERE event = 'a')", 'max', 'maxOrNull'],
    ['maxOrDefault(length(event))', 'maxOrDefault', 'maxOrNull'],
  ].map(([call, name, other]): [string, string] => [
    `SELECT ${call} AS n FROM events WHERE timestamp >= {variables.a}`,
    about(
      `Aggregate function '${name}' gives a default where it has no value, which cannot be re-aggregated: use '${other}'`,
    ),
  ]),
  [
    'WITH c AS (SELECT event FROM events WHERE event = {variables.a}), d AS (SELECT event FROM c ORDER BY event LIMIT 5) SELECT count() FROM d',
    about("Variable 'a' is in a CTE with a LIMIT, which is not supported for materialization"),
  ],
  [
    'WITH c AS (SELECT event FROM events WHERE event = {variables.a}), d AS ((SELECT event FROM c LIMIT 5) UNION ALL SELECT event FROM c) SELECT count() FROM d',
    about("Variable 'a' is in a CTE with a LIMIT, which is not supported for materialization"),
  ],
  [
    'WITH c AS (SELECT event FROM events WHERE timestamp >= {variables.a}), d AS (SELECT count() AS n FROM c UNION ALL SELECT 1 FROM c) SELECT n FROM d',
    about('Aggregation in a CTE cannot be re-aggregated for range variable materialization'),
  ],
  [
    'WITH c AS (SELECT event FROM events WHERE event = {variables.a}), d AS (SELECT count() AS n FROM c UNION ALL SELECT 1 FROM c) SELECT n FROM d',
    "CTE 'd' has a row also where nothing matches, which a UNION ALL of it does not have in stored rows: give it a GROUP BY",
  ],
  ['SELECT event, event FROM events', 'Several columns have the same name: give each an alias of its own'],
]
describe('a query that cannot be materialized', () => {
  it.each(CASES)('%s', async (sql, reason) => {
    expect(await reasonFor(sql)).toBe(reason)
  })

  it('has more columns of variables in its CTEs than are carried', async () => {
    const queryOf = (ctes: number) => {
      const conditions = Array.from(
        { length: 10 },
        (_, index) => `properties.p${index} = {variables.v${index}}`,
      )
      const others = Array.from({ length: ctes }, (_, index) => `d${index} AS (SELECT event FROM c)`)
      return `WITH c AS (SELECT event FROM events WHERE ${conditions.join(' AND ')}), ${others.join(', ')} SELECT event FROM d0`
    }
    expect(await reasonFor(queryOf(500))).toBeNull()
    expect(await reasonFor(queryOf(501))).toBe(
      about(
        'The variables of CTEs need 5010 columns in the CTEs that read theirs: at most 5000 are supported',
      ),
    )
  })

  it('has a variable without a definition', async () => {
    expect((await checked('SELECT 1 FROM events WHERE event = {variables.a}', null, ['a'])).reason).toBe(
      about('Variable metadata not found'),
    )
  })

  it.each([
    [
      'FunnelsQuery',
      {},
      "Query type 'FunnelsQuery' cannot be materialized. Supported types: HogQLQuery, TrendsQuery, LifecycleQuery, RetentionQuery",
    ],
    [
      'TrendsQuery',
      { compareFilter: { compare: true } },
      'Compare mode is not supported for materialized endpoints.',
    ],
    [
      'TrendsQuery',
      { breakdownFilter: { breakdown: [1], breakdown_type: 'cohort' } },
      'Cohort breakdowns are not supported for materialized endpoints.',
    ],
    [
      'RetentionQuery',
      { breakdownFilter: { breakdown: 'all', breakdown_type: 'cohort', breakdowns: [] } },
      'Cohort breakdowns are not supported for materialized endpoints.',
    ],
    [
      'TrendsQuery',
      {
        series: [{ math: 'first_time_for_user' }, { math: 'first_matching_event_for_user' }],
        breakdownFilter: { breakdown: 'plan' },
      },
      "A breakdown with math 'first_matching_event_for_user' cannot be materialized: the value that a run chooses decides which event is the first",
    ],
    ['HogQLQuery', { query: ' ' }, 'Query is empty or invalid.'],
  ])('is a %s such as %j', (kind, more, reason) => {
    const query = { kind, ...more } as SourceQuery
    expect(check({ query, overrides: null, tree: null, columns: [], table: 't' }).reason).toBe(reason)
  })
})

describe('the published conditions', () => {
  const source = conditionsSource().split('\n')

  it('are the rules that the checks run through, in their order', () => {
    const rules = source.flatMap((line) => /^\d+\. \[(.*?)\] (.*)$/.exec(line)?.slice(1, 3).join(' ') ?? [])
    expect(rules.slice(0, -1)).toEqual(RULES.map(({ id, requires }) => `${id} ${requires}`))
    expect(rules.at(-1)).toMatch(/^compiling /)
  })

  it.each([...CASES.map(([, reason]) => reason), 'Query is empty or invalid.'])(
    'have the reason: %s',
    (reason) => {
      const patterns = source
        .filter((line) => line.startsWith('   - '))
        .map((line) =>
          line
            .slice(5)
            .replaceAll(/[.*+?^${}()|[\]\\]/g, '\\$&')
            .replaceAll(/<\w+>/g, '.+'),
        )
      expect(patterns.filter((pattern) => new RegExp(`^${pattern}$`, 's').test(reason))).not.toEqual([])
    },
  )
})
