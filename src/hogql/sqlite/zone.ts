// Time zones for SQLite, which has none: the changes of a zone's clocks are part of the query, as a list or as a tree of conditions.
import { HogqlError } from '../error'
import type { SqliteSite, SqliteZone } from '../functions/spec'
import { LruCache } from '../../lru-cache'
import { isZoneName, toWall } from '../../time/zone'

/** Before and after these years, the first and the last offset apply. */
const FIRST = Date.UTC(2000, 0, 1)
const LAST = Date.UTC(2051, 0, 1)

const HOUR = 3600

/** No zone changes its clocks twice within this time, in milliseconds. */
const STEP = 10 * 86_400_000

/** A change of clocks: from `from` on, they are `offset` seconds east of UTC. */
export interface Change {
  /** The time in epoch milliseconds. It is minus infinity for the first change. */
  from: number
  offset: number
}

/** The most cached zones: there are some 600 names. Each takes some 4 KB, and 14 ms of processor time. */
const MAX_ZONES = 600
const known = new LruCache<string, readonly Change[]>(MAX_ZONES)

/** The context in which a zone's SQL is written. */
export interface Writing extends Pick<SqliteSite, 'once'> {
  /** Writes a text as a bound parameter. */
  bind(text: string): string
}

/**
 * Returns the zone with an IANA name, as one query writes it.
 * @param isConstant whether its moments are the same for all rows
 * @throws HogqlError when there is none
 */
export function zoneNamed(name: string, writing: Writing, isConstant: boolean): SqliteZone {
  const changes = changesIn(name)
  const [only] = changes
  return only && changes.length === 1
    ? fixedZone(name, only.offset, writing)
    : changingZone(name, changes, writing, isConstant)
}

/**
 * Returns whether clocks always show UTC.
 * @throws HogqlError when there is no such zone
 */
export const isUtc = (name: string): boolean => changesIn(name).every(({ offset }) => offset === 0)

/**
 * Returns whether clocks are always whole hours from UTC, so that each hour of the clocks is one of UTC.
 * @throws HogqlError when there is no such zone
 */
export const isWholeHours = (name: string): boolean =>
  changesIn(name).every(({ offset }) => offset % HOUR === 0)

function changesIn(name: string): readonly Change[] {
  const key = name.toLowerCase()
  const changes = known.get(key) ?? changesOf(name)
  known.set(key, changes, 1)
  return changes
}

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

/** Matches a column of a subquery, whose expression may also be a tree of conditions. */
const COMPUTED = /^s\d+\.[ck]\d+$/

/**
 * Writes a value that a tree of conditions reads at each of its nodes. SQLite would copy the expression of a subquery's column to each
 * place, and a tree in each node of a tree takes more memory than D1 has. OFFSET prevents that.
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

function changingZone(
  name: string,
  changes: readonly Change[],
  writing: Writing,
  isConstant: boolean,
): SqliteZone {
  const wholeHours = isWholeHours(name)
  const [unit, seconds] = wholeHours ? ['hours', HOUR] : ['seconds', 1]
  /**
   * Returns the shift at a datetime. It is found by the times at which each offset begins, as shown by clocks whose offset `clock` returns.
   */
  const shiftBy =
    (sign: 1 | -1, clock: (before: number, after: number) => number): Shift =>
    (at) => {
      const thresholds = changes.map(({ from, offset }, index): Threshold => [
        textOf(from + clock(changes[index - 1]?.offset ?? offset, offset) * 1000),
        (offset / seconds) * sign,
      ])
      const found = isConstant ? lookup(at, writing.bind(JSON.stringify(thresholds))) : choose(at, thresholds)
      return `${found} || ' ${unit}'`
    }
  const offset = shiftBy(1, () => 0)
  return {
    name,
    isUtc: false,
    wholeHours,
    toLocal: clockBy(offset, writing),
    toDay: dayBy(offset, writing),
    toUtc: clockBy(
      shiftBy(-1, (before) => before),
      writing,
    ),
    startToUtc: clockBy(shiftBy(-1, Math.max), writing),
  }
}

/** The beginning of a datetime's text, as much as is needed (`2026-03-29T01` comes before all of that hour), and the shift from then on. */
type Threshold = readonly [from: string, shift: number]

function textOf(instant: number): string {
  if (!Number.isFinite(instant)) return ''
  return new Date(instant).toISOString().slice(0, 16).replace(/:00$/, '')
}

/** Returns the shift of the last threshold that is not after a datetime, from a list: this is short SQL, but slow for many rows. */
const lookup = (at: string, thresholds: string): string =>
  `(SELECT z.value ->> 1 FROM json_each(${thresholds}) AS z WHERE z.value ->> 0 <= ${at} ORDER BY z.key DESC LIMIT 1)`

/** Returns the same shift by binary search in the query's text: this is long SQL, but fast for every row. */
function choose(at: string, thresholds: readonly Threshold[]): string {
  const [first] = thresholds
  if (thresholds.length === 1 && first) return String(first[1])
  const half = Math.floor(thresholds.length / 2)
  const [before, after] = [thresholds.slice(0, half), thresholds.slice(half)]
  return `iif(${at}<'${after[0]?.[0]}',${choose(at, before)},${choose(at, after)})`
}
