// Results computed in SQL and in JavaScript, for random values.
import * as fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { compileQuestion, forD1, rowsOnD1 } from '../corpus/ask'
import { propertyRuns } from '../../support/property-runs'

const NOWHERE = 0

async function ask(sql: string, timezone?: string): Promise<unknown[][]> {
  const question = { sql, timezone }
  return rowsOnD1(forD1(await compileQuestion(question)), question, NOWHERE)
}

const runs = { numRuns: propertyRuns(10, 25) }

describe('quantiles', () => {
  const quantile = (values: readonly number[], level: number): number | null => {
    const sorted = values.toSorted((a, b) => a - b)
    const place = level * (sorted.length - 1)
    const [low, high] = [sorted[Math.floor(place)], sorted[Math.ceil(place)]]
    return low === undefined || high === undefined ? null : low + (high - low) * (place - Math.floor(place))
  }

  it('interpolate between neighbouring values, by group and condition', async () => {
    const numbers = fc.array(fc.integer({ min: -50, max: 50 }), { minLength: 1, maxLength: 30 })
    await fc.assert(
      fc.asyncProperty(numbers, fc.double({ min: 0, max: 1, noNaN: true }), async (values, level) => {
        const at = level.toFixed(4)
        const rows = await ask(
          `SELECT abs(v) % 2 AS odd, quantile(${at})(v), medianIf(v, v > 0), count(), sum(v), quantileExact(${at})(v) ` +
            `FROM (SELECT arrayJoin([${values.join(', ')}]) AS v) GROUP BY odd ORDER BY odd`,
        )
        for (const [odd, found, positive, count, sum, exact] of rows) {
          const group = values.filter((value) => Math.abs(value) % 2 === odd)
          expect(found).toBeCloseTo(quantile(group, Number(at)) ?? Number.NaN, 8)
          const some = quantile(
            group.filter((value) => value > 0),
            0.5,
          )
          if (some === null) expect(positive).toBeNull()
          else expect(positive).toBeCloseTo(some, 8)
          expect([count, sum]).toEqual([group.length, group.reduce((a, b) => a + b, 0)])
          const place = Number(at) < 1 ? Math.trunc(Number(at) * group.length) : group.length - 1
          expect(exact).toBe(group.toSorted((a, b) => a - b)[place])
        }
      }),
      runs,
    )
  }, 60_000)
})

describe('dates', () => {
  const days = fc.integer({ min: 0, max: 28_000 })
  const dayText = (day: number) => new Date(day * 86_400_000).toISOString().slice(0, 10)
  const utc = (text: string) => new Date(`${text}T00:00:00Z`)

  /** The same day of another month, or its last. */
  const moved = (text: string, months: number): string => {
    const date = utc(text)
    const first = new Date(Date.UTC(date.getUTCFullYear(), date.getUTCMonth() + months, 1))
    const last = new Date(Date.UTC(first.getUTCFullYear(), first.getUTCMonth() + 1, 0)).getUTCDate()
    first.setUTCDate(Math.min(date.getUTCDate(), last))
    return first.toISOString().slice(0, 10)
  }

  it('shift by months, and truncate to weeks, quarters and years', async () => {
    await fc.assert(
      fc.asyncProperty(days, fc.integer({ min: -300, max: 300 }), async (day, months) => {
        const text = dayText(day)
        const d = `toDate('${text}')`
        const [row] = await ask(
          `SELECT addMonths(${d}, ${months}), addDays(${d}, ${months}), toMonday(${d}), toStartOfWeek(${d}), ` +
            `toStartOfQuarter(${d}), toLastDayOfMonth(${d}), toDayOfWeek(${d}), toDayOfYear(${d})`,
        )
        const weekday = utc(text).getUTCDay()
        const month = utc(text).getUTCMonth()
        expect(row).toEqual([
          moved(text, months),
          dayText(day + months),
          dayText(day - ((weekday + 6) % 7)),
          dayText(day - weekday),
          `${text.slice(0, 4)}-${String(month - (month % 3) + 1).padStart(2, '0')}-01`,
          new Date(Date.UTC(utc(text).getUTCFullYear(), month + 1, 0)).toISOString().slice(0, 10),
          weekday === 0 ? 7 : weekday,
          day - utc(`${text.slice(0, 4)}-01-01`).getTime() / 86_400_000 + 1,
        ])
      }),
      runs,
    )
  }, 60_000)

  it('differ by the boundaries in between', async () => {
    await fc.assert(
      fc.asyncProperty(days, days, async (from, to) => {
        const [a, b] = [`toDate('${dayText(from)}')`, `toDate('${dayText(to)}')`]
        const [row] = await ask(
          `SELECT dateDiff('day', ${a}, ${b}), dateDiff('week', ${a}, ${b}), dateDiff('month', ${a}, ${b}), dateDiff('year', ${a}, ${b})`,
        )
        const [one, other] = [utc(dayText(from)), utc(dayText(to))]
        const years = other.getUTCFullYear() - one.getUTCFullYear()
        const monday = (day: number) => Math.floor((day + 3) / 7)
        expect(row).toEqual([
          to - from,
          monday(to) - monday(from),
          years * 12 + other.getUTCMonth() - one.getUTCMonth(),
          years,
        ])
      }),
      runs,
    )
  }, 60_000)
})

describe('numbers', () => {
  it('round to the nearest, halves to the even one', async () => {
    const halves = fc.integer({ min: -2000, max: 2000 }).map((number) => number / 4)
    await fc.assert(
      fc.asyncProperty(halves, async (number) => {
        const floor = Math.floor(number)
        const isHalf = number - floor === 0.5
        const nearest = isHalf ? (floor % 2 === 0 ? floor : floor + 1) : Math.round(number)
        const [[found] = []] = await ask(`SELECT round(toFloat(${number}))`)
        expect(found).toBeCloseTo(nearest, 10)
      }),
      runs,
    )
  }, 60_000)

  it('are written with the fewest digits', async () => {
    await fc.assert(
      fc.asyncProperty(fc.double({ min: -1e6, max: 1e6, noNaN: true }), async (number) => {
        // Smaller ones than that are written with an exponent, which the parser takes for another number.
        fc.pre(number === 0 || Math.abs(number) > 1e-6)
        const [[found] = []] = await ask(`SELECT toString(toFloat(${number}))`)
        expect(Number(found)).toBe(number + 0)
      }),
      runs,
    )
  }, 60_000)
})

describe('texts', () => {
  it('are split, searched and cut as JavaScript does', async () => {
    const word = fc.string({ unit: fc.constantFrom('a', 'b', ',', '"', 'é', '🦊', '[', '{'), maxLength: 12 })
    await fc.assert(
      fc.asyncProperty(word, fc.integer({ min: 1, max: 6 }), async (text, place) => {
        const [row] = await ask(
          `SELECT splitByChar(',', '${text}'), substring('${text}', ${place}, 2), positionUTF8('${text}', 'é'), reverse('${text}'), ` +
            `left('${text}', ${place}), replaceAll('${text}', 'a', 'xx'), lengthUTF8('${text}')`,
        )
        const letters = [...text]
        expect(row).toEqual([
          text.split(','),
          letters.slice(place - 1, place + 1).join(''),
          letters.indexOf('é') + 1,
          letters.toReversed().join(''),
          letters.slice(0, place).join(''),
          text.replaceAll('a', 'xx'),
          letters.length,
        ])
      }),
      runs,
    )
  }, 60_000)
})
