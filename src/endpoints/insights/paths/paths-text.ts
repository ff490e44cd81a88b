// Paths as HogQL: edges between the pages, screens and events that people go through, one after the other.
import type { PathsQuery } from '../../query/query-types'
import { all, list, quoted, type Stages, type TextContext, within } from '../text-parts'

const DEFAULT_STEPS = 5

/** A pause of this length begins another path. */
const PAUSE_MS = 30 * 60_000

const PATH = 'PARTITION BY actor, path'
const IN_TIME = 'ORDER BY at, item'

/** Returns HogQL with the columns source, target, number and average milliseconds, in descending order of the number. */
export function pathsText(query: PathsQuery, context: TextContext): string {
  const { stages } = context
  const { pathsFilter: filter } = query
  const items = addItems(query, context)
  const limited = addLimited(query, stages, addCompact(stages, items))
  const edges = stages.add(`SELECT step, item, lag(item) OVER (${PATH} ORDER BY step) AS earlier,
    at - lag(at) OVER (${PATH} ORDER BY step) AS took FROM ${limited}`)
  const counted =
    stages.add(`SELECT concat(toString(step - 1), '_', earlier) AS source, concat(toString(step), '_', item) AS target,
    count() AS number, avg(took) AS average FROM ${edges} WHERE step > 1 GROUP BY source, target`)
  const weights = all([
    filter?.minEdgeWeight ? `number >= ${filter.minEdgeWeight}` : null,
    filter?.maxEdgeWeight ? `number <= ${filter.maxEdgeWeight}` : null,
  ])
  return `SELECT source, target, number, average FROM ${counted} WHERE ${weights}
    ORDER BY number DESC, source, target`
}

const withoutSlash = (url: string) =>
  `if(endsWith(${url}, '/') AND lengthUTF8(${url}) > 1, substring(${url}, 1, lengthUTF8(${url}) - 1), ${url})`

/** Normalizes a constant as `withoutSlash` does a column. */
const pointOf = (point: string) => (point.length > 1 && point.endsWith('/') ? point.slice(0, -1) : point)

/** Returns the item, or the first grouping that a part of it has. `*` stands for any text; upstream does not say which of several it takes. */
function groupedItem(groupings: readonly string[]): string {
  const cases = groupings.map((grouping) => {
    const parts = grouping.split('*').filter((part) => part !== '')
    const pattern = ['', ...parts.map((part) => part.replaceAll(/[\\%_]/g, String.raw`\$&`)), ''].join('%')
    return `item LIKE ${quoted(pattern)}, ${quoted(grouping)}`
  })
  return `multiIf(${list(cases, 'item')})`
}

/** Adds a stage with the columns actor, at (milliseconds) and item. */
function addItems({ pathsFilter: filter, properties }: PathsQuery, context: TextContext): string {
  const { stages, fragments } = context
  const included = filter?.includeEventTypes ?? []
  const excluded = filter?.excludeEvents ?? []
  const isShown = (type: string) =>
    included.length > 0 ? (included as string[]).includes(type) : !excluded.includes(type)
  const text = filter?.pathsHogQLExpression
  const event = text && isShown('hogql') ? `ifNull(toString(${text}\n), '')` : 'event'
  const kinds = list(
    isShown('$screen') ? [`event = '$screen'`, `ifNull(toString(properties.$screen_name), '')`] : null,
    isShown('$pageview')
      ? [`event = '$pageview'`, withoutSlash(`ifNull(toString(properties.$current_url), '')`)]
      : null,
  )
  const conditions = [
    included.includes('$pageview') ? `event = '$pageview'` : null,
    included.includes('$screen') ? `event = '$screen'` : null,
    included.includes('custom_event') ? `NOT startsWith(event, '$')` : null,
  ].filter((condition) => condition !== null)
  const where = all([
    within(context, 'date', 'timestamp'),
    fragments.add('query', properties),
    conditions.length > 0 ? `(${conditions.join(' OR ')})` : null,
  ])
  const single = stages.add(`SELECT person_id AS actor, toUnixTimestamp64Milli(timestamp) AS at,
    ${kinds === '' ? event : `multiIf(${list(kinds, event)})`} AS item FROM events WHERE ${where}`)
  const groupings = filter?.pathGroupings ?? []
  const items =
    groupings.length > 0
      ? stages.add(`SELECT actor, at, ${groupedItem(groupings)} AS item FROM ${single}`)
      : single
  return excluded.length > 0
    ? stages.add(
        `SELECT actor, at, item FROM ${items} WHERE item NOT IN (${excluded.map(quoted).join(', ')})`,
      )
    : items
}

/** Adds a stage with the columns actor, path (number), at, item and position. Of equal items in a row it keeps the last. */
function addCompact(stages: Stages, items: string): string {
  const paused = stages.add(`SELECT actor, at, item,
    if(at - lag(at) OVER (PARTITION BY actor ${IN_TIME}) >= ${PAUSE_MS}, 1, 0) AS begins FROM ${items}`)
  const paths = stages.add(`SELECT actor, at, item,
    sum(begins) OVER (PARTITION BY actor ${IN_TIME} ROWS BETWEEN UNBOUNDED PRECEDING AND CURRENT ROW) AS path FROM ${paused}`)
  const ends = stages.add(
    `SELECT actor, path, at, item, lead(item) OVER (${PATH} ${IN_TIME}) AS later FROM ${paths}`,
  )
  return stages.add(`SELECT actor, path, at, item, row_number() OVER (${PATH} ${IN_TIME}) AS position
    FROM ${ends} WHERE later IS NULL OR later != item`)
}

/**
 * Adds a stage with the columns actor, path, at, item and step. Each path runs from the start point to the end point, with at most as
 * many steps as the limit.
 */
function addLimited({ pathsFilter: filter }: PathsQuery, stages: Stages, compact: string): string {
  const most = filter?.stepLimit ?? DEFAULT_STEPS
  const { startPoint: start, endPoint: end } = filter ?? {}
  const firstOf = (condition: string, names: string, source: string) =>
    stages.add(
      `SELECT actor, path, at, item, position, min(if(${condition}, position, NULL)) OVER (${PATH}) AS ${names} FROM ${source}`,
    )
  const isItem = (point: string) => `item = ${quoted(pointOf(point))}`
  if (start && end) {
    const begun = firstOf(isItem(start), 'first', compact)
    const both = firstOf(`${isItem(end)} AND position >= first`, 'last, first', begun)
    const inside =
      stages.add(`SELECT actor, path, at, item, position - first + 1 AS place, last - first + 1 AS size
      FROM ${both} WHERE position >= first AND position <= last`)
    const half = Math.floor(most / 2)
    // A path that is too long keeps its first and last steps.
    return stages.add(`SELECT actor, path, at, if(size > ${most} AND place = ${half + 1}, '...', item) AS item,
      if(size > ${most} AND place > ${half + 1}, place - size + ${2 * half + 1}, place) AS step
      FROM ${inside} WHERE size <= ${most} OR place <= ${half + 1} OR place > size - ${half}`)
  }
  if (end) {
    return stages.add(`SELECT actor, path, at, item, position - greatest(last - ${most}, 0) AS step
      FROM ${firstOf(isItem(end), 'last', compact)} WHERE position <= last AND position > last - ${most}`)
  }
  if (start) {
    return stages.add(`SELECT actor, path, at, item, position - first + 1 AS step
      FROM ${firstOf(isItem(start), 'first', compact)} WHERE position >= first AND position < first + ${most}`)
  }
  return stages.add(
    `SELECT actor, path, at, item, position AS step FROM ${compact} WHERE position <= ${most}`,
  )
}
