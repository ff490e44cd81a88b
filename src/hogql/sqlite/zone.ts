// Time zones for SQLite, which has none: the changes of a zone's clocks are a parameter of the query, as a table of years.
import { HogqlError } from '../error'
import type { SqliteSite, SqliteZone } from '../functions/spec'
import { LruCache } from '../../lru-cache'
import { isZoneName, toWall } from '../../time/zone'

/** Before and after these years, the first and the last offset apply. */
const [FIRST_YEAR, LAST_YEAR] = [2000, 2050]
const FIRST = Date.UTC(FIRST_YEAR, 0, 1)
const LAST = Date.UTC(LAST_YEAR + 1, 0, 1)

const HOUR = 3600

/** No zone changes its clocks twice within this time, in milliseconds. */
const STEP = 10 * 86_400_000

/** A change of clocks: from `from` on, they are `offset` seconds east of UTC. */
export interface Change {
  /** The time in epoch milliseconds. It is minus infinity for the first change. */
  from: number
  offset: number
}

/** The clocks of a zone, and the tables of their shifts from UTC and to it. */
interface Clocks {
  changes: readonly Change[]
  toLocal: Table
  toUtc: Table
  startToUtc: Table
}

/** The most cached zones: there are some 600 names. Each takes some 10 KB, and 14 ms of processor time. */
const MAX_ZONES = 600
const known = new LruCache<string, Clocks>(MAX_ZONES)

/** The context in which a zone's SQL is written. */
export interface Writing extends Pick<SqliteSite, 'once'> {
  /** Writes a text as a bound parameter. */
  bind(text: string): string
}

/**
 * Returns the zone with an IANA name, as one query writes it.
 * @throws HogqlError when there is none
 */
export function zoneNamed(name: string, writing: Writing): SqliteZone {
  const clocks = clocksIn(name)
  const [only, ...others] = clocks.changes
  return only && others.length === 0
    ? fixedZone(name, only.offset, writing)
    : changingZone(name, clocks, writing)
}

/**
 * Returns whether clocks always show UTC.
 * @throws HogqlError when there is no such zone
 */
export const isUtc = (name: string): boolean => clocksIn(name).changes.every(({ offset }) => offset === 0)

/**
 * Returns whether clocks are always whole hours from UTC, so that each hour of the clocks is one of UTC.
 * @throws HogqlError when there is no such zone
 */
export const isWholeHours = (name: string): boolean =>
  clocksIn(name).changes.every(({ offset }) => offset % HOUR === 0)

function clocksIn(name: string): Clocks {
  const key = name.toLowerCase()
  const clocks = known.get(key) ?? clocksOf(changesOf(name))
  known.set(key, clocks, 1)
  return clocks
}

const clocksOf = (changes: readonly Change[]): Clocks => ({
  changes,
  toLocal: tableOf(changes, 1, () => 0),
  toUtc: tableOf(changes, -1, (before) => before),
  startToUtc: tableOf(changes, -1, Math.max),
})

const offsetAt = (instant: number, name: string): number => (toWall(instant, name) - instant) / 1000

/**
 * Returns the changes of a zone's clocks, in order.
 * @throws HogqlError when there is no such zone
 */
export function changesOf(name: string): Change[] {
  if (!isZoneName(name)) throw new HogqlError(`There is no time zone '${name}'.`)
  const changes: Change[] = [{ from: Number.NEGATIVE_INFINITY, offset: offsetAt(FIRST, name) }]
  let offset = offsetAt(FIRST, name)
  for (let instant = FIRST; instant < LAST; instant += STEP) {
    const next = offsetAt(instant + STEP, name)
    if (next !== offset) changes.push({ from: changeBetween(instant, instant + STEP, name), offset: next })
    offset = next
  }
  return changes
}

/** Returns the first whole minute of the offset that applies at `high`. */
function changeBetween(low: number, high: number, name: string): number {
  const after = offsetAt(high, name)
  let [before, from] = [low / 60_000, high / 60_000]
  while (from - before > 1) {
    const middle = Math.floor((before + from) / 2)
    if (offsetAt(middle * 60_000, name) === after) from = middle
    else before = middle
  }
  return from * 60_000
}

/** Writes a datetime that is moved by `seconds`. The fraction stays unchanged. */
const moved = (moment: string, seconds: string): string =>
  `(strftime('%Y-%m-%dT%H:%M:%S', substr(${moment}, 1, 19), ${seconds}) || substr(${moment}, 20))`

/** Converts SQL of a datetime to SQL of another text. */
type Move = (moment: string) => string

/** Returns SQL of the modifier that moves a datetime, whose SQL it may repeat. */
type Shift = (at: string) => string

/** Matches a column of a subquery, whose expression may also be a look-up. */
const COMPUTED = /^s\d+\.[ck]\d+$/

/**
 * Writes a value that a look-up reads several times. SQLite would copy the expression of a subquery's column to each place, and look-ups
 * within look-ups take more memory than D1 has. OFFSET prevents that.
 */
const apart = (moment: string, { once }: Writing, write: Move): string =>
  COMPUTED.test(moment)
    ? `(SELECT ${write('zoned')} FROM (SELECT ${moment} AS zoned LIMIT 1 OFFSET 0))`
    : once(moment, write)

const clockBy =
  (shift: Shift, writing: Writing): Move =>
  (moment) =>
    apart(moment, writing, (at) => moved(at, shift(at)))

const dayBy =
  (shift: Shift, writing: Writing): Move =>
  (moment) =>
    apart(moment, writing, (at) => `date(substr(${at}, 1, 19), ${shift(at)})`)

function fixedZone(name: string, offset: number, writing: Writing): SqliteZone {
  const by = (seconds: number): Move =>
    offset === 0 ? (sql) => sql : clockBy(() => `'${seconds} seconds'`, writing)
  return {
    name,
    isUtc: offset === 0,
    wholeHours: offset % HOUR === 0,
    toLocal: by(offset),
    toDay:
      offset === 0 ? (moment) => `substr(${moment}, 1, 10)` : dayBy(() => `'${offset} seconds'`, writing),
    toUtc: by(-offset),
    startToUtc: by(-offset),
  }
}

function changingZone(name: string, clocks: Clocks, writing: Writing): SqliteZone {
  const by =
    (table: Table): Shift =>
    (at) =>
      lookup(at, table, writing)
  return {
    name,
    isUtc: false,
    wholeHours: isWholeHours(name),
    toLocal: clockBy(by(clocks.toLocal), writing),
    toDay: dayBy(by(clocks.toLocal), writing),
    toUtc: clockBy(by(clocks.toUtc), writing),
    startToUtc: clockBy(by(clocks.startToUtc), writing),
  }
}

/** The shifts of each year. */
interface Table {
  /** The most changes within a year. */
  most: number
  /** JSON of a text for each year: the times of its changes, and the shifts before, between and after them. */
  years: string
}

/** The years of a table. The first and the last stand for all before and after. */
const YEARS = Array.from({ length: LAST_YEAR - FIRST_YEAR + 3 }, (_, index) => FIRST_YEAR - 1 + index)

/** The lengths of a year's texts: of a time to the minute, and of a shift in seconds. */
const [TIME, SHIFT] = ['03-29T01:00'.length, '-43200'.length]

/** Comes after each time. */
const NEVER = '~'.repeat(TIME)

/** @param clock returns the offset of the clocks that show the time of a change */
function tableOf(
  changes: readonly Change[],
  sign: 1 | -1,
  clock: (before: number, after: number) => number,
): Table {
  const shown = changes.map(({ from, offset }, index) => {
    const at = from + clock(changes[index - 1]?.offset ?? offset, offset) * 1000
    const time = Number.isFinite(at) ? new Date(at).toISOString() : ''
    return { year: Number(time.slice(0, 4)), time: time.slice(5, 5 + TIME), shift: offset * sign }
  })
  const within = (year: number) => shown.filter((change) => change.year === year)
  const most = Math.max(...YEARS.map((year) => within(year).length))
  const rowOf = (year: number) => {
    const own = within(year)
    const times = own.map(({ time }) => time).concat(Array(most - own.length).fill(NEVER))
    const shifts = [shown.findLast((change) => change.year < year)!, ...own].map(({ shift }) =>
      String(shift).padEnd(SHIFT),
    )
    return [...times, ...shifts].join('')
  }
  return { most, years: JSON.stringify(YEARS.map(rowOf)) }
}

/**
 * Returns SQL of the shift at a datetime. It is short, because a query writes it in each place where it reads clocks, and D1 limits the
 * text of a query: the table is a parameter.
 */
function lookup(at: string, { most, years }: Table, { bind }: Writing): string {
  const passed = Array.from({ length: most }, (_, index) => `(t>=substr(y,${1 + index * TIME},${TIME}))`)
  const row = `max(0,min(${YEARS.length - 1},substr(${at},1,4)-${YEARS[0]}))`
  return (
    `(SELECT substr(y,${1 + most * TIME}+${SHIFT}*(${passed.join('+')}),${SHIFT}) || ' seconds' ` +
    `FROM (SELECT ${bind(years)} ->> ${row} AS y,substr(${at},6,${TIME}) AS t LIMIT 1 OFFSET 0))`
  )
}
