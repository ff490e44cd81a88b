// The tables of a query on ClickHouse: each a subselect of one project's rows with just the columns that are used. Every table behind them is one
// whose rows are replaced by later ones, so all are read with FINAL: a batch that was written twice counts once.
import type { TableName } from '../ir'
import { type Columns, GROUPS, PERSONS, printPlain } from './columns'
import type { Context } from './context'
import { printEvents } from './events-table'
import { printSessions } from './sessions-table'

/** A SELECT of the rows of a table that belong to the run's project. */
export function printTable(table: TableName, columns: ReadonlySet<string>, context: Context): string {
  switch (table) {
    case 'events':
      return printEvents(columns, context)
    case 'sessions':
      return printSessions(columns, context)
    case 'persons':
      return printPlain('persons', PERSONS, columns, context)
    case 'person_distinct_ids':
      return printPlain('person_distinct_ids', PERSON_DISTINCT_IDS, columns, context)
    case 'groups':
      return printPlain('groups', GROUPS, columns, context)
    case 'cohort_people':
      return printPlain('cohort_people', COHORT_PEOPLE, columns, context)
  }
}

const PERSON_DISTINCT_IDS: Columns = { distinct_id: 'distinct_id', person_id: 'person_id' }

const COHORT_PEOPLE: Columns = { person_id: 'person_id', cohort_id: 'cohort_id' }
