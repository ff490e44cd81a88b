// Texts of dates in many forms, on D1 and on the real ClickHouse engine: the same moment, or none on D1, which reads fewer forms.
import { afterAll, beforeAll, expect, it } from 'vitest'
import { compileHogql } from '../../../src/hogql/compile'
import { NOW } from '../../hogql/corpus/dataset'
import { createRandom } from '../faults/random'
import { type Engines, startEngines } from './engines'

/** Texts of a query. */
const AT_ONCE = 15

/** Texts of each form. */
const EACH = 12

const DATES = [
  '{Y}-{m}-{d}',
  '{Y}/{m}/{d}',
  '{Y}.{m}.{d}',
  '{Y}_{m}_{d}',
  '{d}.{m}.{Y}',
  '{d}/{m}/{Y}',
  '{m}/{d}/{Y}',
  '{m}/{d}/{y}',
  '{Y}{mm}{dd}',
  '{b} {d} {Y}',
  '{b} {d}, {Y}',
  '{d} {b} {Y}',
  '{B} {d} {Y}',
  '{d} {B} {Y}',
  '{a}, {d} {b} {Y}',
  '{a} {b} {d} {Y}',
  '{A} {d} {B} {Y}',
  '{d}-{b}-{Y}',
  '{Y}-{b}-{d}',
  '{Y} {b} {d}',
  '{d}th {B} {Y}',
  '{B} {d}th, {Y}',
  '{d} of {B} {Y}',
  'on {d} {B} {Y}',
  'x {B} {Y}',
  '{d} x {B} {Y}',
  '{B}day {Y}',
  '{b}x {d} {Y}',
  '{b} {Y}',
  '{B} {Y}',
  '{Y}-{m}',
  '{m}/{Y}',
  '{Y}-W10-1',
  '{Y}-{ddd}',
  '{d} {b} {y}',
  '{b}-{d}-{Y}',
  '{b}/{d}/{Y}',
  '{a} {Y}-{m}-{d}',
]
const TIMES = [
  '',
  '',
  ' {H}:{M}:{S}',
  ' {H}:{M}',
  'T{H}:{M}:{S}',
  'T{H}:{M}',
  ' {H}',
  ' {h}{ap}',
  ' {h} {ap}',
  ' {h}:{M} {ap}',
  ' {h}:{M}:{S}{ap}',
  ' {H}:{M}:{S}.{f}',
  ' {H}:{M}:{S},{f}',
  'T{HH}{MM}{SS}',
  ' {HH}{MM}',
  ' 24:00:00',
  ' at {H}:{M}',
  ' {H}:{M}:',
  ' {H}:{M}:{S} {ap}',
  ' x',
  'x',
  ' {H}:{M} x',
  ', {H}:{M}',
  ' - {H}:{M}',
  ' {H}:60',
  ' {H}:{M}:61',
]
const ZONES = [
  '',
  '',
  '',
  'Z',
  ' Z',
  ' UTC',
  ' GMT',
  '+02:00',
  '-0530',
  '+01',
  ' +0100',
  ' EST',
  ' PDT',
  '+25:00',
  ' X',
]
const MONTHS = [
  'January',
  'February',
  'March',
  'April',
  'May',
  'June',
  'July',
  'August',
  'September',
  'October',
  'November',
  'December',
]

function textsOf(seed: number): string[] {
  const random = createRandom(seed)
  return DATES.flatMap((date) =>
    Array.from({ length: EACH }, () => {
      const isPadded = random.isLikely(0.5)
      const two = (value: number) => String(value).padStart(2, '0')
      const some = (most: number, least = 0) => least + random.below(most - least + 1)
      const [month, day, hour, minute, second] = [some(12, 1), some(28, 1), some(23), some(59), some(59)]
      const shown = (value: number) => (isPadded ? two(value) : String(value))
      const parts: Record<string, string> = {
        Y: random.pick(['2026', '1999', '2024']),
        y: random.pick(['26', '99']),
        m: shown(month),
        d: shown(day),
        mm: two(month),
        dd: two(day),
        H: shown(hour),
        M: shown(minute),
        S: shown(second),
        HH: two(hour),
        MM: two(minute),
        SS: two(second),
        h: shown(hour % 12 || 12),
        ap: random.pick(['AM', 'pm', 'am', 'PM']),
        b: MONTHS[month - 1]!.slice(0, 3),
        B: MONTHS[month - 1]!,
        a: random.pick(['Mon', 'Sun']),
        A: random.pick(['Monday', 'sunday']),
        f: random.pick(['1', '123', '123456', '123456789']),
        ddd: String(some(365, 100)),
      }
      const form = date + random.pick(TIMES) + random.pick(ZONES)
      return form.replaceAll(/\{(\w+)\}/g, (_, name: string) => parts[name]!)
    }),
  )
}

/** What D1 reads and ClickHouse does not, or otherwise: a comma before the time, a name between numbers, and two digits of a year after one. */
const READ_ON_D1 = [/, \d\d?:\d/, /\d{4}-[A-Z][a-z]{2}-\d/, /[A-Z][a-z]{2} \d\d(?: |\+|-|Z|$)/]

let engines: Engines
beforeAll(async () => {
  engines = await startEngines('differential_dates')
})
afterAll(() => engines?.stop())

it('are read as ClickHouse reads them', { timeout: 300_000 }, async () => {
  const texts = textsOf(Number(process.env.FUZZ_SEED || 1))
  const found: unknown[] = []
  let read = 0
  for (let start = 0; start < texts.length; start += AT_ONCE) {
    const some = texts.slice(start, start + AT_ONCE)
    const sql = `SELECT ${some.map((text) => `parseDateTimeBestEffort('${text}')`).join(', ')}`
    const { queries } = await compileHogql(sql, {
      timezone: 'UTC',
      variables: {},
      propertyTypes: () => undefined,
    })
    const run = {
      projectId: 1,
      timezone: 'UTC',
      now: NOW,
      variables: new Map(),
      limit: 10,
      offset: 0,
      queryId: null,
    }
    const [d1, clickhouse] = await Promise.all(
      [engines.d1, engines.clickhouse].map(async (engine) => {
        const query = queries[engine.dialect]
        if (!('sql' in query)) throw new Error(query.refusal)
        return (await engine.run(query, run)).rows[0]!
      }),
    )
    some.forEach((text, at) => {
      if (d1![at] === null || READ_ON_D1.some((form) => form.test(text))) return
      read += 1
      if (d1![at] !== clickhouse![at]) found.push([text, d1![at], clickhouse![at]])
    })
  }
  expect(found).toEqual([])
  // Texts that are no date on both would compare nothing.
  expect(read).toBeGreaterThan(texts.length / 10)
})
