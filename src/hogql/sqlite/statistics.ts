// Writes the statistics for a cost as SQLite statements. Each returns one row of `rows`, `bytes` and `largest`.
import type { TableReads } from '../cost/scope'
import { momentOf } from '../functions/sqlite-values'
import type { Expr } from '../ir'
import { STORED_TABLE } from '../compiled'
import type { SqliteContext as Context } from './context'
import { ofProject } from './tables'

/** The most events that are counted by their arrival. If there are more, all events of the project count. */
const MAX_COUNTED = 20_000

export function printStatistic({ table, from, to, arrived, events }: TableReads, context: Context): string {
  switch (table) {
    case 'sessions':
      // A text of a session is that of an event.
      return (
        `SELECT ifnull((SELECT p.rows FROM people_volumes AS p WHERE ${ofProject('p', context)} AND p.name = 'event_sessions'), 0) AS c0, ` +
        `ifnull(sum(v.bytes), 0) AS c1, ifnull(max(v.largest), 0) AS c2 FROM event_volumes AS v WHERE ${ofProject('v', context)} AND v.event = ''`
      )
    case 'events': {
      const conditions = [
        ofProject('v', context),
        hasName(events, context),
        ...from.map((moment) => `v.day >= ${dayOf(moment, context)}`),
        ...to.map((moment) => `v.day <= ${dayOf(moment, context)}`),
      ]
      const volume =
        `SELECT ifnull(sum(v.events), 0) AS c0, ifnull(sum(v.bytes), 0) AS c1, ifnull(max(v.largest), 0) AS c2 ` +
        `FROM event_volumes AS v WHERE ${conditions.join(' AND ')}`
      if (arrived.length === 0) return volume
      const since = arrived.map(
        (moment) =>
          `e.created_at >= ${momentOf(context.expr(moment), moment.type, { zone: context.zoneFor([moment]) })}`,
      )
      return (
        `SELECT iif(n < ${MAX_COUNTED}, min(c0, n), c0) AS c0, iif(n < ${MAX_COUNTED}, min(c1, n * c2), c1) AS c1, c2 FROM (${volume}) ` +
        `CROSS JOIN (SELECT count(*) AS n FROM (SELECT 1 FROM events AS e WHERE ${[ofProject('e', context), ...since].join(' AND ')} LIMIT ${MAX_COUNTED}))`
      )
    }
    case 'persons':
    case 'person_distinct_ids':
    case 'groups':
    case 'cohort_people':
      return `SELECT v.rows AS c0, v.bytes AS c1, v.largest AS c2 FROM people_volumes AS v WHERE ${ofProject('v', context)} AND v.name = '${table}'`
    case 'stored':
      return (
        `SELECT (SELECT coalesce(max(row), 0) FROM ${STORED_TABLE}) AS c0, t.bytes AS c1, t.largest AS c2 ` +
        `FROM materialized_tables AS t WHERE t.name = trim('${STORED_TABLE}', '"')`
      )
  }
}

/** Writes the condition on the name in `event_volumes`, in which `''` stands for all names. */
function hasName(events: TableReads['events'], context: Context): string {
  if (events === null) return "v.event = ''"
  // Constants are one parameter, because there may be thousands.
  const constants = events.flatMap((each) => (each.node === 'literal' ? [each.value] : []))
  const others = events.filter(({ node }) => node !== 'literal')
  const conditions = [
    `v.event IN (SELECT a.value FROM json_each(${context.parameters.bind(JSON.stringify(constants))}) AS a)`,
    ...others.map((each) => `v.event = ${context.expr(each)}`),
  ]
  return `(${conditions.join(' OR ')})`
}

const dayOf = (moment: Expr, context: Context): string =>
  `substr(${momentOf(context.expr(moment), moment.type, { zone: context.zoneFor([moment]) })}, 1, 10)`
