import { describe, expect, it } from 'vitest'
import { completionsAt } from '../../src/console/query/editor/completions'

const field = (name: string, type: string, fields?: string[]) => ({
  name,
  hogql_value: name,
  type: type as 'string',
  schema_valid: true as const,
  ...(fields ? { fields } : {}),
})

const schema = {
  tables: {
    events: {
      id: 'events',
      name: 'events',
      type: 'posthog' as const,
      fields: {
        event: field('event', 'string'),
        properties: field('properties', 'json'),
        person: field('person', 'virtual_table', ['id', 'properties']),
      },
    },
    persons: {
      id: 'persons',
      name: 'persons',
      type: 'posthog' as const,
      fields: { id: field('id', 'string'), properties: field('properties', 'json') },
    },
  },
  joins: [],
  functions: ['count', 'countIf'],
}

const variables = [{ code_name: 'plan', type: 'String' }]

/** Completions at `|`. */
function at(text: string) {
  const position = text.indexOf('|')
  return completionsAt(text.replace('|', ''), position, { schema, variables })
}

const labels = (text: string): string[] => {
  const found = at(text)
  return found?.kind === 'options' ? found.options.map(({ label }) => label) : []
}

describe('completions', () => {
  it('are columns of the tables that are read, functions and keywords', () => {
    const found = labels('SELECT c| FROM events')
    expect(found).toEqual(expect.arrayContaining(['event', 'person', 'count', 'GROUP']))
    expect(labels('SELECT i| FROM persons')).not.toContain('event')
  })

  it('are tables and common table expressions after FROM and JOIN', () => {
    expect(labels('WITH recent AS (SELECT 1) SELECT * FROM e|')).toEqual(['events', 'persons', 'recent'])
    expect(labels('SELECT * FROM events e JOIN p|')).toEqual(['events', 'persons'])
  })

  it('are columns of common table expressions and subqueries', () => {
    const recent = "WITH recent AS (SELECT e.event, count() AS total, concat(')', ',') FROM events e) "
    expect(labels(`${recent}SELECT r.| FROM recent r`)).toEqual(['event', 'total'])
    expect(labels(`${recent}SELECT t| FROM recent`)).toContain('total')
    expect(labels('SELECT s.| FROM (SELECT DISTINCT id AS who, (SELECT 1) FROM persons) AS s')).toEqual([
      'who',
    ])
    expect(labels('SELECT w| FROM (SELECT id AS who FROM persons) WHERE 1')).toContain('who')
  })

  it('are cohorts after IN COHORT', () => {
    expect(at('SELECT 1 FROM events WHERE person_id IN COHORT |')).toMatchObject({
      kind: 'cohorts',
      text: '',
      isQuoted: false,
    })
    expect(at("SELECT 1 FROM events WHERE person_id IN COHORT 'Paying c|")).toMatchObject({
      kind: 'cohorts',
      text: 'Paying c',
      isQuoted: true,
    })
  })

  it('are fields after an alias, and after an object', () => {
    expect(labels('SELECT p.| FROM persons AS p')).toEqual(['id', 'properties'])
    expect(labels('SELECT person.| FROM events')).toEqual(['id', 'properties'])
  })

  it.each([
    ['SELECT properties.pl| FROM events', 'event', null, 'pl'],
    ['SELECT person.properties.| FROM events', 'person', null, ''],
    ['SELECT p.properties.x| FROM persons p', 'person', null, 'x'],
    ['SELECT group_1.properties.| FROM events', 'group', 1, ''],
  ])('are properties in %s', (text, of, groupType, typed) => {
    const from = text.indexOf('|') - typed.length
    expect(at(text)).toEqual({ kind: 'properties', from, of, groupType, text: typed })
  })

  it('are variables in braces', () => {
    expect(labels('SELECT {|')).toEqual(['variables.plan'])
    expect(labels('SELECT {variables.p|')).toEqual(['plan'])
  })

  it('are names of events in a comparison', () => {
    expect(at("SELECT 1 FROM events WHERE event = 'pur|")).toEqual({ kind: 'events', from: 36, text: 'pur' })
    expect(at("SELECT 1 FROM events WHERE event IN ('a', 'b|")).toMatchObject({ kind: 'events', text: 'b' })
  })

  it.each(["SELECT 'a f|", 'SELECT 1 -- a f|', 'SELECT /* f|', 'SELECT |'])('are none in %s', (text) => {
    expect(at(text)).toBeNull()
  })

  it('continue after a text and a comment that are closed', () => {
    expect(labels("SELECT 'a' /* b */, c| FROM events")).toContain('count')
  })
})
