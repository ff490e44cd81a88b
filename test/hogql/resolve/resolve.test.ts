// Whole queries with their variables and columns, and the maximum size of a query.
import { describe, expect, it } from 'vitest'
import { parseQuery } from '../../../src/hogql/parser/parse'
import { refusal, resolved } from './resolving'

const STRING = { kind: 'string', nullable: false }
const INTEGER = { kind: 'integer', nullable: false }
const DATETIME = { kind: 'datetime', nullable: false }

describe('resolve', () => {
  it('resolves a whole query', async () => {
    const sql = `SELECT event, count() AS c FROM events WHERE timestamp > '2026-01-31' AND properties.plan = {variables.s}
      GROUP BY event ORDER BY c DESC LIMIT 10 OFFSET 5`
    expect(await resolved(sql)).toEqual({
      query: {
        kind: 'select',
        ctes: [],
        distinct: false,
        items: [
          { name: 'event', expr: { node: 'column', source: 0, column: 'event', type: STRING }, type: STRING },
          {
            name: 'c',
            expr: {
              node: 'aggregate',
              fn: 'count',
              args: [],
              params: [],
              distinct: false,
              filter: null,
              type: INTEGER,
            },
            type: INTEGER,
          },
        ],
        from: {
          source: {
            kind: 'table',
            id: 0,
            table: 'events',
            columns: new Set(['event', 'timestamp', 'properties']),
            computed: new Map(),
          },
          joins: [],
        },
        where: {
          node: 'and',
          operands: [
            {
              node: 'compare',
              op: '>',
              left: { node: 'column', source: 0, column: 'timestamp', type: DATETIME },
              right: { node: 'literal', value: '2026-01-31T00:00:00.000000Z', type: DATETIME },
              type: INTEGER,
            },
            {
              node: 'compare',
              op: '=',
              left: {
                node: 'property',
                document: {
                  node: 'column',
                  source: 0,
                  column: 'properties',
                  type: { kind: 'json', nullable: false },
                },
                path: ['plan'],
                type: { kind: 'string', nullable: true },
              },
              right: { node: 'variable', name: 's', type: { kind: 'string', nullable: true } },
              type: INTEGER,
            },
          ],
          type: INTEGER,
        },
        groupBy: [{ node: 'column', source: 0, column: 'event', type: STRING }],
        aggregated: true,
        having: null,
        orderBy: [
          {
            expr: {
              node: 'aggregate',
              fn: 'count',
              args: [],
              params: [],
              distinct: false,
              filter: null,
              type: INTEGER,
            },
            descending: true,
          },
        ],
        limitBy: null,
        limit: null,
        offset: 0,
      },
      page: { ceiling: 10, offset: 5, pageable: true },
      columns: [
        { name: 'event', type: STRING },
        { name: 'c', type: INTEGER },
      ],
      kept: [
        { name: 'event', type: STRING, isPropertyText: false },
        { name: 'c', type: INTEGER, isPropertyText: false },
      ],
      variables: ['s'],
      warnings: [],
    })
  })

  it.each([
    ['SELECT 1', { ceiling: null, offset: 0, pageable: true }],
    ['SELECT 1 LIMIT 0', { ceiling: 0, offset: 0, pageable: true }],
    ['SELECT 1 OFFSET 7', { ceiling: null, offset: 7, pageable: true }],
    ['SELECT 1 UNION ALL SELECT 2 LIMIT 1', { ceiling: null, offset: 0, pageable: false }],
    [
      'SELECT event, row_number() OVER () AS n FROM events QUALIFY n = 1 LIMIT 3',
      { ceiling: 3, offset: 0, pageable: true },
    ],
  ])('says how far the rows of %s go', async (sql, page) => {
    expect((await resolved(sql)).page).toEqual(page)
  })

  it('gives each variable once', async () => {
    const sql =
      'WITH a AS (SELECT {variables.n} AS x) SELECT {variables.s}, x, {variables.n} FROM a WHERE {variables.b}'
    expect((await resolved(sql)).variables).toEqual(['n', 's', 'b'])
  })

  it('names columns by their text, also after surrogate pairs', async () => {
    const { columns } = await resolved("SELECT '😀', lower('é'), '😀' || event, event FROM events")
    expect(columns.map(({ name }) => name)).toEqual(["'😀'", "lower('é')", "'😀' || event", 'event'])
  })

  it('positions errors correctly after surrogate pairs', async () => {
    expect(await refusal("SELECT '😀😀', nope, 1 FROM events")).toBe(
      'unknown_field: Unable to resolve field: nope @ nope',
    )
  })
})

describe('the maximum size of a query', () => {
  const doubling = (names: number, define: (name: string, twice: string) => string): string[] =>
    Array.from({ length: names }, (_, index) => define(`a${index + 1}`, `a${index} + a${index}`))

  it('rejects aliases that double each other', async () => {
    const sql = `SELECT 1 AS a0, ${doubling(40, (name, twice) => `${twice} AS ${name}`).join(', ')}`
    expect(await refusal(sql)).toMatch(/^not_supported: The query is too large once its aliases are expanded/)
  })

  it('rejects expressions of WITH that double each other', async () => {
    const sql = `WITH 1 AS a0, ${doubling(40, (name, twice) => `${twice} AS ${name}`).join(', ')} SELECT a40`
    expect(await refusal(sql)).toMatch(/^not_supported: The query is too large once its aliases are expanded/)
  })

  it('rejects intervals that double each other', async () => {
    const sql = `WITH INTERVAL 1 DAY AS a0, ${doubling(40, (name, twice) => `${twice} AS ${name}`).join(', ')} SELECT now() + a40`
    expect(await refusal(sql)).toMatch(/^not_supported: The query (is too large|nests too deeply)/)
  })

  const chain = (length: number): string => {
    const ctes = doubling(length, (name) => {
      const before = `a${Number(name.slice(1)) - 1}`
      return `${name} AS (SELECT x.n AS n FROM ${before} x JOIN ${before} y ON x.n = y.n)`
    })
    return `WITH a0 AS (SELECT 1 AS n), ${ctes.join(', ')} SELECT n FROM a${length}`
  }

  it('resolves a CTE once, for any number of reads', async () => {
    expect((await resolved(chain(8))).query.ctes).toHaveLength(9)
  })

  // Databases write a CTE out wherever it is read, and would not come to an end with it.
  it('rejects CTEs that double each other', async () => {
    expect(await refusal(chain(40))).toBe(
      'not_supported: The query has more than 1000 SELECTs once its CTEs are expanded. @ a8',
    )
  })

  it('rejects more than the maximum of joined tables', async () => {
    const tables = (count: number) =>
      Array.from({ length: count }, (_, index) => `persons p${index}`).join(', ')
    expect((await resolved(`SELECT 1 FROM ${tables(30)}`)).columns).toHaveLength(1)
    expect(await refusal(`SELECT 1 FROM ${tables(31)}`)).toBe(
      'not_supported: A FROM may join at most 30 tables @ persons p30',
    )
  })

  it('rejects an overlong path', async () => {
    expect(await refusal(`SELECT properties${'.a'.repeat(51)} FROM events`)).toMatch(
      /^not_supported: A path may have at most 50 steps/,
    )
  })

  // Made by hand: the parser rejects what nests that deep.
  it('rejects a tree that is too deep', async () => {
    const tree = parseQuery('SELECT 1 + 1')
    if (tree.node !== 'SelectQuery') throw new Error('not a SELECT')
    const [sum] = tree.select
    if (sum?.node !== 'ArithmeticOperation') throw new Error('not a sum')
    for (let depth = 0; depth < 5_000; depth++) tree.select[0] = { ...sum, left: tree.select[0]! }
    const { resolve } = await import('../../../src/hogql/resolve/resolve')
    const context = { sql: '', timezone: 'UTC', variables: {}, propertyTypes: () => undefined }
    expect(() => resolve(tree, context)).toThrow('The query nests too deeply.')
  })
})
