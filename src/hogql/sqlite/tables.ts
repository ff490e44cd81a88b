// The tables of a query on D1: each a subselect of one project's rows, with just the columns that are used. The database merges most of them
// into the query around them, so that its indexes are used as if they were not there.
import type { TableName } from '../ir'
import { type Columns, ofProject, select } from './columns'
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
      return `${select(columns, PERSONS)} FROM persons AS t WHERE ${ofProject('t', context)} AND NOT t.is_deleted`
    case 'person_distinct_ids':
      return `${select(columns, DISTINCT_IDS)} FROM person_distinct_ids AS t WHERE ${ofProject('t', context)}`
    case 'groups':
      return `${select(columns, GROUPS)} FROM groups AS t WHERE ${ofProject('t', context)}`
    case 'cohort_people':
      return `${select(columns, COHORT_PEOPLE)} FROM cohort_people AS t WHERE ${ofProject('t', context)} AND NOT t.is_deleted`
  }
}

const PERSONS: Columns = {
  id: 't.uuid',
  created_at: 't.created_at',
  properties: 't.properties',
  is_identified: 't.is_identified',
}

const DISTINCT_IDS: Columns = { distinct_id: 't.distinct_id', person_id: 't.person_uuid' }

const GROUPS: Columns = {
  index: 't.type_index',
  key: 't.group_key',
  created_at: 't.created_at',
  properties: 't.properties',
}

const COHORT_PEOPLE: Columns = { person_id: 't.person_uuid', cohort_id: 't.cohort_id' }
