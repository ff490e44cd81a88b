// The statistics that a cost is made of, as SQLite takes them: one row of `rows`, `bytes` and `largest`.
import type { TableReads } from '../cost/table-reads'
import { momentOf } from '../functions/sqlite-values'
import type { Expr } from '../ir'
import { ofProject } from './columns'
import type { Context } from './context'
import { STORED_TABLE } from './stored-table'

/** Largest value of a row of materialized rows: as much as the database takes. */
const MAX_STORED = 2_200_000

/** The statement of what a table reference reads. */
export function printStatistic({ table, from, to, events }: TableReads, context: Context): string {
  switch (table) {
    case 'events':
    case 'sessions': {
      const names =
        events === null ? "''" : events.map((each) => context.writers.expr(each, context)).join(', ')
      const conditions = [
        ofProject('v', context),
        `v.event IN (${names})`,
        ...from.map((moment) => `v.day >= ${dayOf(moment, context)}`),
        ...to.map((moment) => `v.day <= ${dayOf(moment, context)}`),
      ]
      return (
        `SELECT ifnull(sum(v.events), 0) AS c0, ifnull(sum(v.bytes), 0) AS c1, ifnull(max(v.largest), 0) AS c2 ` +
        `FROM event_volumes AS v WHERE ${conditions.join(' AND ')}`
      )
    }
    case 'persons':
    case 'person_distinct_ids':
    case 'groups':
    case 'cohort_people':
      return `SELECT v.rows AS c0, v.bytes AS c1, v.largest AS c2 FROM people_volumes AS v WHERE ${ofProject('v', context)} AND v.name = '${table}'`
    case 'stored':
      return (
        `SELECT (SELECT coalesce(max(row), 0) FROM ${STORED_TABLE}) AS c0, t.bytes AS c1, min(t.bytes, ${MAX_STORED}) AS c2 ` +
        `FROM materialized_tables AS t WHERE t.name = trim('${STORED_TABLE}', '"')`
      )
  }
}

const dayOf = (moment: Expr, context: Context): string =>
  `substr(${momentOf(context.writers.expr(moment, context), moment.type, context)}, 1, 10)`
