// Placeholders and properties of a tree that is not resolved.
import { describe, expect, it } from 'vitest'
import type { Node } from '../../../src/hogql/parser/ast'
import { parseQuery } from '../../../src/hogql/parser/parse'
import { allFilters, placeholdersOf, propertiesOf } from '../../../src/hogql/resolve/resolve'
import { walk } from '../../../src/hogql/parser/walk'

describe('placeholdersOf', () => {
  it('gives each variable once, in the order of the text', async () => {
    const tree = parseQuery(`
      WITH a AS (SELECT {variables.z} AS x) SELECT {variables.b}, sum(x) OVER (PARTITION BY {variables.c} ORDER BY {variables.d})
      FROM a JOIN events ON event = {variables.e} WHERE {filters} AND x IN ({variables.b}, {variables.f})
      GROUP BY {variables.g} HAVING {variables.h} ORDER BY {variables.i} LIMIT {variables.j}`)
    expect(placeholdersOf(tree)).toEqual({
      variables: ['z', 'b', 'c', 'd', 'e', 'f', 'g', 'h', 'i', 'j'],
      filters: true,
      invalid: [],
    })
  })

  it('gives invalid placeholders', async () => {
    const sql = "SELECT {variables}, {variables.a.b}, {foo}, {1 + 1}, '{variables.quoted}', {variables.a}"
    const { variables, filters, invalid } = placeholdersOf(parseQuery(sql))
    expect({ variables, filters }).toEqual({ variables: ['a'], filters: false })
    expect(invalid.map(({ start, end }) => sql.slice(start ?? 0, end ?? 0))).toEqual([
      '{variables}',
      '{variables.a.b}',
      '{foo}',
      '{1 + 1}',
    ])
  })
})

describe('propertiesOf', () => {
  const named = async (sql: string, filters?: Record<string, unknown>) =>
    propertiesOf([parseQuery(sql)], allFilters(filters)).map(({ owner, name }) => `${owner} ${name}`)

  it('gives the owner that the text names', async () => {
    expect(
      await named("SELECT person.properties.a, poe.properties['b'], group_2.properties.c FROM events"),
    ).toEqual(expect.arrayContaining(['person a', 'person b', 'group_2 c']))
  })

  it('gives both owners where either is possible', async () => {
    expect(
      await named("SELECT p.properties.a, properties['b'], p.c FROM (SELECT properties AS p FROM persons)"),
    ).toEqual(expect.arrayContaining(['event a', 'person a', 'event b', 'person b', 'event c', 'person c']))
  })

  it('includes properties of the filters', async () => {
    const filters = {
      properties: [
        { type: 'event', key: 'a', value: 1 },
        { type: 'person', key: 'b', value: 1 },
        { type: 'group', group_type_index: 1, key: 'c', value: 1 },
      ],
    }
    expect(await named('SELECT 1 FROM events WHERE {filters}', filters)).toEqual([
      'event a',
      'person b',
      'group_1 c',
    ])
  })
})

describe('walk', () => {
  it('visits outer nodes first with their ancestors, and skips descendants on false', async () => {
    const tree = parseQuery('SELECT lower(event), (SELECT upper(event)) FROM events')
    const visited: string[] = []
    walk(tree, (node, around) => {
      visited.push([...around.map((outer) => outer.node), node.node].join(' '))
      return node === tree || node.node !== 'SelectQuery'
    })
    expect(visited).toEqual([
      'SelectQuery',
      'SelectQuery Call',
      'SelectQuery Call Field',
      'SelectQuery SelectQuery',
      'SelectQuery JoinExpr',
      'SelectQuery JoinExpr Field',
    ])
  })

  it('visits every node with a position', async () => {
    const sql = `WITH c AS (SELECT 1 AS x) SELECT sum(x) FILTER (WHERE x > 1), rank() OVER w, {variables.s}, x BETWEEN 1 AND 2, [1, 2][1], (1, 2).1,
      arrayMap(y -> y, [1]), x::int FROM c JOIN (SELECT 2 AS z) t ON t.z = c.x WHERE x IN (1, 2) GROUP BY x HAVING x > 1
      WINDOW w AS (PARTITION BY x ORDER BY x ROWS BETWEEN 1 PRECEDING AND CURRENT ROW) ORDER BY x LIMIT 1 BY x LIMIT 3 OFFSET 4`
    const tree = parseQuery(sql)
    const reached = new Set<Node>()
    walk(tree, (node) => {
      reached.add(node)
    })
    let placed = 0
    JSON.stringify(tree, (_key, value: unknown) => {
      if (typeof value === 'object' && value !== null && 'node' in value) {
        placed++
        expect(reached.has(value as Node)).toBe(true)
      }
      return value
    })
    expect(placed).toBe(reached.size)
    expect(placed).toBeGreaterThan(10)
  })
})
