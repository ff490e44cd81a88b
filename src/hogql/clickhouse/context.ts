// The state of one ClickHouse statement.
import type { Context } from '../print/dialect'
import type { Parameters } from './parameters'

export interface ClickhouseContext extends Context {
  parameters: Parameters
  /** IANA name of the project's time zone. */
  timezone: string
  /** Sources whose one column is no column of theirs but an identifier of its own: the elements of arrays. */
  bare: Set<number>
  /** Sources whose datetimes are in UTC, as they are stored: tables. Those of subqueries are in the project's time zone. */
  tables: Set<number>
}

/** A key of a table, or `c0`, as an identifier. Keys are the catalogue's; nothing that a user wrote comes here. */
export const columnName = (key: string) => (/^\w+$/.test(key) ? key : `\`${key.replaceAll('`', '')}\``)

/** The name of a time zone as SQL text. */
export const zoneText = ({ timezone }: Pick<ClickhouseContext, 'timezone'>) =>
  `'${timezone.replace(/[^\w/+-]/g, '')}'`
