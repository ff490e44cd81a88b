// D1's plans of printed queries: the subselects that scope every table must not prevent the use of indexes.
import { env } from 'cloudflare:workers'
import { beforeAll, describe, expect, it } from 'vitest'
import { seedPlannerStats } from '../../../src/storage/planner-stats'
import { forgetPlannerStats } from '../../support/database/planner-stats'
import { compileQuestion, forD1, plansOnD1, type Question } from '../corpus/ask'

async function stepsOf(question: Question) {
  const [steps = []] = await plansOnD1(forD1(await compileQuestion(question)))
  return steps
}

const planOf = async (sql: string, question: Omit<Question, 'sql'> = {}): Promise<string[]> =>
  (await stepsOf({ sql, ...question })).map(({ detail }) => detail)

describe.each([
  { known: 'has no statistics', prepare: forgetPlannerStats },
  { known: 'has the seeded statistics', prepare: () => seedPlannerStats(env.EVENTS) },
])('a shard that $known', ({ prepare }) => {
  beforeAll(async () => {
    await prepare()
  })

  describe('events', () => {
    it('of one name since a timestamp are found by both', async () => {
      const plan = await planOf(
        "SELECT count() FROM events WHERE event = '$pageview' AND timestamp >= '2026-03-01'",
      )
      expect(plan).toEqual([
        expect.stringContaining('events_name (project_id=? AND event=? AND timestamp>?)'),
      ])
    })

    it('of several names are found by them', async () => {
      const plan = await planOf(
        "SELECT count() FROM events WHERE event IN ('a', 'b') AND timestamp >= '2026-03-01'",
      )
      expect(plan).toEqual([
        expect.stringContaining('events_name (project_id=? AND event=? AND timestamp>?)'),
      ])
    })

    it('of a time range are found by it, also in a time zone', async () => {
      const [first] = await planOf(
        "SELECT uuid FROM events WHERE timestamp >= '2026-03-01' AND timestamp < now() - INTERVAL 7 DAY",
        { timezone: 'Europe/Berlin' },
      )
      expect(first).toContain('events_time (project_id=? AND timestamp>? AND timestamp<?)')
    })

    const SORTED =
      'SELECT arraySort(x -> x.1, groupArray((timestamp, event))) AS list FROM events GROUP BY distinct_id'
    const STEPS = 'SELECT arrayMap(i -> (list[i], list[i + 1]), range(1, 3))'
    it.each([
      // The lambda sorts, too.
      { sql: `${STEPS} FROM (${SORTED})`, sorts: 2 },
      { sql: `WITH lists AS (${SORTED}) ${STEPS} FROM lists`, sorts: 2 },
      { sql: `SELECT one, list[1], list[2] FROM (${SORTED}) ARRAY JOIN list AS one`, sorts: 1 },
    ])('are sorted into an array once, and not wherever it is read: $sql', async ({ sql, sorts }) => {
      const plan = await planOf(sql)
      expect(plan.filter((detail) => detail === 'USE TEMP B-TREE FOR ORDER BY')).toHaveLength(sorts)
    })

    it('are in order of time without a sort', async () => {
      const plan = await planOf('SELECT uuid, event FROM events ORDER BY timestamp DESC LIMIT 10')
      expect(plan).toEqual([expect.stringContaining('events_time (project_id=?)')])
    })

    it.each([
      ['since a moment', "created_at >= '2026-03-01T00:00:00.000000Z'"],
      ['since a moment, of one name', "created_at >= '2026-03-01T00:00:00.000000Z' AND event = '$pageview'"],
      [
        'before an event',
        "created_at >= '2026-03-01' AND created_at <= '2026-03-02' AND (created_at < '2026-03-02' OR uuid < 'b')",
      ],
    ])('%s are in order of arrival without a sort', async (_, condition) => {
      const plan = await planOf(
        `SELECT uuid, event FROM events WHERE ${condition} ORDER BY created_at DESC, uuid DESC LIMIT 10`,
      )
      expect(plan).toEqual([expect.stringMatching(/events_arrival \(project_id=\? AND created_at>\?/)])
    })

    it('whose names have a common prefix are a range', async () => {
      const plan = await planOf("SELECT count() FROM events WHERE event LIKE 'sign%'")
      expect(plan).toEqual([expect.stringContaining('(project_id=? AND event>? AND event<?)')])
    })

    it('by the text of a variable are found by it', async () => {
      const [first] = await planOf('SELECT count() FROM events WHERE event = {variables.name}', {
        variables: { name: { type: 'String', value: 'x' } },
      })
      expect(first).toContain('(project_id=? AND event=?)')
    })
  })

  describe('people', () => {
    it('of events are looked up one by one', async () => {
      const plan = await planOf("SELECT person.properties.plan FROM events WHERE event = 'a'")
      expect(plan).toEqual([
        expect.stringContaining('events_name (project_id=? AND event=?)'),
        expect.stringMatching(/^SEARCH d USING .*\(project_id=\? AND distinct_id=\?\)/),
        expect.stringMatching(/^SEARCH p USING INDEX \S+ \(project_id=\? AND uuid=\?\)/),
      ])
    })

    it('that are joined by their id are found by it', async () => {
      const plan = await planOf(
        "SELECT p.properties.plan FROM events AS e JOIN persons AS p ON p.id = e.person_id WHERE e.event = 'a'",
      )
      expect(plan.some((step) => step.includes('persons_1 (project_id=? AND uuid=?)'))).toBe(true)
    })

    it('of a cohort are read from its list', async () => {
      const plan = await planOf('SELECT person_id FROM cohort_people WHERE cohort_id = 3')
      expect(plan.join('\n')).not.toMatch(/SCAN (t|c|p)\b/)
    })
  })

  describe('groups', () => {
    it('of events are looked up by their key', async () => {
      const plan = await planOf("SELECT group_0.properties.name FROM events WHERE event = 'a'")
      expect(plan[1]).toContain('(project_id=? AND type_index=? AND group_key=?)')
    })
  })
})

describe('joins', () => {
  beforeAll(() => seedPlannerStats(env.EVENTS))

  /** Sources with a text as a key: a column of a table, one of a subquery, and a computed value, which has no affinity. */
  const SIDES = {
    sessions: '(sessions, session_id)',
    people: '(persons, id)',
    'distinct ids': '(person_distinct_ids, distinct_id)',
    groups: '(groups, key)',
    events: '(events, event)',
    'a property of events': '(events, properties.plan)',
    'a subquery of a column': '((SELECT distinct_id AS key, count() AS n FROM events GROUP BY key), key)',
    'a subquery of a property':
      '((SELECT properties.plan AS key, count() AS n FROM events GROUP BY key), key)',
    'a subquery of a function': '((SELECT lower(event) AS key, count() AS n FROM events GROUP BY key), key)',
  } as const
  const sides = Object.entries(SIDES).map(([name, side]) => {
    const [, source, key] = /^\((.*), (\S+)\)$/.exec(side)!
    return { name, source: source!, key: key! }
  })
  const pairs = sides.flatMap((left) =>
    sides.flatMap((right) => (['JOIN', 'LEFT JOIN'] as const).map((kind) => ({ left, kind, right }))),
  )

  async function outerStepsOf(sql: string): Promise<string[]> {
    return (await stepsOf({ sql }))
      .filter(({ detail, parent }) => parent === 0 && /^(?:SCAN|SEARCH) /.test(detail))
      .map(({ detail }) => detail)
  }

  it('find the rows of the other side in an index, whatever the keys are', async () => {
    const scanned: string[] = []
    for (const { left, kind, right } of pairs) {
      const on = `r.${right.key} = l.${left.key}`
      const [first, ...rest] = await outerStepsOf(
        `SELECT count() FROM ${left.source} AS l ${kind} ${right.source} AS r ON ${on}`,
      )
      const found = rest.filter((step) => step.startsWith('SEARCH ') && !/ANY\(project_id\)/.test(step))
      if (first === undefined || rest.length === 0 || found.length < rest.length)
        scanned.push(`${left.name} ${kind} ${right.name}: ${[first, ...rest].join(' / ')}`)
    }
    expect(scanned).toEqual([])
  })
})
