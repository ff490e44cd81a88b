// Text that would be SQL if it were echoed: names, values, properties, placeholders, limits.
import { type Attempt, NOT_HOGQL, refused } from './attempt'

const NASTY = [
  `'`,
  `"`,
  '`',
  `';--`,
  `"; DROP TABLE events; --`,
  `') UNION SELECT sql FROM sqlite_master --`,
  `" UNION SELECT sql FROM sqlite_master --`,
  `] UNION SELECT 1 --`,
  `/*`,
  `*/`,
  `--`,
  `;`,
  `?1`,
  `{p1:String}`,
  `\\`,
  `\\'`,
  `%00`,
  `$1`,
  `:name`,
  `@name`,
  'line\nbreak',
  'tab\there',
  '⟨0⟩',
  '⟦0⟧',
  'v1',
  `\u2019`,
  `\u202e`,
  `\ufeff`,
]

/** Text as a HogQL literal. */
const literal = (text: string): string =>
  `'${text
    .replaceAll('\\', String.raw`\\`)
    .replaceAll("'", String.raw`\'`)
    .replaceAll('\n', String.raw`\n`)
    .replaceAll('\t', String.raw`\t`)}'`

/** Text as a HogQL identifier. */
const identifier = (text: string): string =>
  `\`${text
    .replaceAll('\\', String.raw`\\`)
    .replaceAll('`', '``')
    .replaceAll('\n', String.raw`\n`)
    .replaceAll('\t', String.raw`\t`)}\``

/** Some at a time, where a query has a place for each. */
export const AT_ONCE = 7
const TOGETHER = Array.from({ length: Math.ceil(NASTY.length / AT_ONCE) }, (_, index) =>
  NASTY.slice(index * AT_ONCE, (index + 1) * AT_ONCE),
)

/** No pattern ends in it. */
const BACKSLASH = '\\'

export const INJECTION: readonly Attempt[] = [
  {
    name: `the pattern ${BACKSLASH}`,
    sql: `SELECT count() AS n FROM events WHERE event LIKE ${literal(`zz${BACKSLASH}`)}`,
    outcome: { refused: /pattern of LIKE .* ends in a single backslash/ },
  },
  ...TOGETHER.flatMap((texts): Attempt[] => {
    const columns = texts.map((text, index) => `${index} AS ${identifier(text)}`).join(', ')
    const conditions = texts.map((text, index) => `${identifier(text)} = ${index}`).join(' AND ')
    const properties = texts.map((text) => `properties[${literal(text)}]`)
    const patterns = texts.filter((text) => text !== BACKSLASH).map((text) => literal(`zz${text}`))
    const named = texts.join(' ')
    return [
      {
        name: `the literals ${named}`,
        sql: `SELECT ${texts.map((text, index) => `${literal(text)} AS x${index}`).join(', ')}`,
        outcome: { rows: [texts] },
      },
      {
        name: `the aliases ${named}`,
        sql: `SELECT ${columns} FROM (SELECT ${columns}) WHERE ${conditions}`,
        outcome: { rows: [texts.map((_, index) => index)] },
      },
      {
        name: `the properties ${named}`,
        sql: `SELECT count() AS n, ${properties.map((each, index) => `count(${each}) AS x${index}`).join(', ')} FROM events WHERE ${properties.map((each) => `${each} IS NULL`).join(' AND ')}`,
        outcome: { rows: [[86, ...texts.map(() => 0)]] },
      },
      {
        name: `the properties in dots ${named}`,
        sql: `SELECT ${texts.map((text, index) => `count(person.properties.${identifier(text)}) AS x${index}`).join(', ')} FROM events`,
        outcome: { rows: [texts.map(() => 0)] },
      },
      {
        name: `the patterns ${named}`,
        sql: `SELECT count() AS n FROM events WHERE ${patterns.map((each) => `event LIKE ${each} OR event ILIKE ${each}`).join(' OR ')}`,
        outcome: { rows: [[0]] },
      },
      {
        name: `the list ${named}`,
        sql: 'SELECT count() AS n FROM events WHERE event IN {variables.list}',
        variables: { list: { type: 'List', value: texts } },
        outcome: { rows: [[0]] },
      },
      {
        name: `the table aliases ${named}`,
        sql: texts
          .map(
            (text) =>
              `SELECT ${identifier(text)}.event AS x FROM events AS ${identifier(text)} WHERE ${identifier(text)}.event = 'Purchase'`,
          )
          .join(' UNION ALL '),
        outcome: { rows: texts.map(() => ['Purchase']) },
      },
      {
        name: `the CTEs ${named}`,
        sql: `WITH ${texts.map((text, index) => `${identifier(text)} AS (SELECT ${index} AS n)`).join(', ')} SELECT ${texts.map((text, index) => `(SELECT n FROM ${identifier(text)}) AS x${index}`).join(', ')}`,
        outcome: { rows: [texts.map((_, index) => index)] },
      },
      {
        name: `the variables ${named}`,
        sql: `SELECT ${texts.map((_, index) => `{variables.v${index}} AS x${index}`).join(', ')}, count() AS n FROM events WHERE ${texts.map((_, index) => `event = {variables.v${index}} OR properties.x = {variables.v${index}}`).join(' OR ')}`,
        variables: Object.fromEntries(
          texts.map((value, index) => [`v${index}`, { type: 'String', value }] as const),
        ),
        outcome: { rows: [[...texts, 0]] },
      },
    ]
  }),
  ...NASTY.map((text): Attempt => ({
    name: `the column ${text}`,
    sql: `SELECT ${identifier(text)} FROM events`,
    outcome: { refused: /./s },
  })),
  {
    name: 'a path that leaves its quotes',
    sql: `SELECT count(properties['a"]') --']) AS x FROM events`,
    outcome: NOT_HOGQL,
  },
  {
    name: 'a path that leaves its quotes in SQLite',
    sql: `SELECT count(properties[${literal(`a"') || (SELECT sql FROM sqlite_master) || json_extract('{}', '$."x`)}]) AS x FROM events`,
    outcome: { rows: [[0]] },
  },
  {
    name: 'a path that goes on as a path',
    sql: `SELECT count(properties['nested"."a']) AS x, count(properties['nested.a']) AS y, count(properties['$']) AS z FROM events`,
    outcome: { rows: [[0, 0, 0]] },
  },
  {
    name: 'a path of the whole document',
    sql: `SELECT count(properties['']) AS x, count(properties['*']) AS y, count(properties['[0]']) AS z FROM events`,
    outcome: { rows: [[0, 0, 0]] },
  },
  {
    name: 'a path in a JSON function',
    sql: `SELECT JSONExtractString('{"a": "b"}', 'a"."') AS x, JSONHas('{"a": {"b": 1}}', 'a.b') AS y`,
    outcome: { rows: [['', 0]] },
  },
  {
    name: 'a path from a column',
    sql: `SELECT properties[event] FROM events`,
    outcome: { refused: /./s },
  },
  {
    name: 'a path from a variable',
    sql: `SELECT properties[{variables.v}] FROM events`,
    variables: { v: { type: 'String', value: 'a' } },
    outcome: { refused: /./s },
  },
  {
    name: 'a placeholder for a table',
    sql: 'SELECT 1 FROM {variables.v}',
    variables: { v: { type: 'String', value: 'users' } },
    outcome: { refused: /./s },
  },
  {
    name: 'a placeholder for a column',
    sql: 'SELECT events.{variables.v} FROM events',
    variables: { v: { type: 'String', value: 'event' } },
    outcome: NOT_HOGQL,
  },
  {
    name: 'a placeholder for an alias',
    sql: 'SELECT 1 AS {variables.v}',
    variables: { v: { type: 'String', value: 'a' } },
    outcome: NOT_HOGQL,
  },
  {
    name: 'a placeholder for a function',
    sql: 'SELECT {variables.v}(1)',
    variables: { v: { type: 'String', value: 'count' } },
    outcome: { refused: /./s },
  },
  {
    name: 'a placeholder that nobody declared',
    sql: 'SELECT {variables.nope} AS x',
    outcome: refused('nope'),
  },
  { name: 'a placeholder that is an expression', sql: 'SELECT {1 + 1} AS x', outcome: { refused: /./s } },
  { name: 'a placeholder that is a query', sql: 'SELECT {(SELECT 1)} AS x', outcome: { refused: /./s } },
  { name: 'a placeholder of another kind', sql: 'SELECT {team_id} AS x', outcome: refused('team_id') },
  {
    name: 'a placeholder that looks up a prototype',
    sql: 'SELECT {variables.constructor} AS x',
    outcome: refused('constructor'),
  },
  {
    name: 'a placeholder that looks up another prototype',
    sql: 'SELECT {variables.__proto__} AS x',
    outcome: refused('__proto__'),
  },
  {
    name: 'filters where there are no events',
    sql: 'SELECT id FROM persons WHERE {filters}',
    outcome: refused('filters'),
  },
  { name: 'a column of a prototype', sql: 'SELECT constructor FROM events', outcome: refused('constructor') },
  {
    name: 'another column of a prototype',
    sql: 'SELECT __proto__ FROM persons',
    outcome: refused('__proto__'),
  },
  { name: 'a table of a prototype', sql: 'SELECT 1 FROM constructor', outcome: refused('constructor') },
  {
    name: 'a property of a prototype',
    sql: 'SELECT count(properties.__proto__) AS x, count(properties.constructor) AS y FROM events',
    outcome: { rows: [[0, 0]] },
  },
  {
    name: 'a limit that is a query',
    sql: 'SELECT event FROM events LIMIT (SELECT 1)',
    outcome: { refused: /./s },
  },
  { name: 'a limit that is negative', sql: 'SELECT event FROM events LIMIT -1', outcome: { refused: /./s } },
  {
    name: 'a limit that is a fraction',
    sql: 'SELECT event FROM events LIMIT 1.5',
    outcome: { refused: /./s },
  },
  {
    name: 'a limit that is text',
    sql: `SELECT event FROM events LIMIT '1; DROP TABLE events'`,
    outcome: { refused: /./s },
  },
  {
    name: 'a limit that is huge',
    sql: 'SELECT event FROM events LIMIT 99999999999999999999',
    outcome: { refused: /./s },
  },
  {
    name: 'an offset that is negative',
    sql: 'SELECT event FROM events LIMIT 1 OFFSET -1',
    outcome: { refused: /./s },
  },
  {
    name: 'a limit from a variable',
    sql: 'SELECT event FROM events LIMIT {variables.v}',
    variables: { v: { type: 'String', value: '1; DROP' } },
    outcome: { refused: /./s },
  },
  {
    name: 'comments inside comments',
    sql: 'SELECT 1 /* a /* b */ AS x, (SELECT count() FROM users) /* */ AS y */',
    outcome: { refused: /./s },
  },
  { name: 'a comment that is not closed', sql: 'SELECT 1 AS x /* FROM users', outcome: { refused: /./s } },
  { name: 'a comment of MySQL', sql: 'SELECT 1 AS x /*! , 2 AS y */', outcome: { rows: [[1]] } },
  {
    name: 'a comment that hides the end',
    sql: `SELECT count() AS n FROM events WHERE event = 'x' -- ' OR 1 = 1`,
    outcome: { rows: [[0]] },
  },
  { name: 'a NUL in a literal', sql: `SELECT length('a\\0b') AS x`, outcome: { rows: [[2]] } },
  { name: 'a NUL in the text', sql: 'SELECT 1 AS x\u0000; DROP TABLE events', outcome: { refused: /./s } },
  { name: 'a NUL in a name', sql: 'SELECT 1 AS `a\\0b`', outcome: { rows: [[1]] } },
  { name: 'half of a character', sql: `SELECT '\ud800' AS x`, outcome: { refused: /./s } },
  { name: 'a number in hexadecimal', sql: 'SELECT 0x41 AS x', outcome: { rows: [[65]] } },
  { name: 'a blob literal', sql: `SELECT x'414243' AS x`, outcome: { refused: /./s } },
  { name: 'a number that is too large', sql: 'SELECT 1e999 AS x', outcome: { refused: /./s } },
  { name: 'an integer that is too large', sql: `SELECT ${'9'.repeat(400)} AS x`, outcome: { refused: /./s } },
]
