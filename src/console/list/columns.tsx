// Renders columns that several lists have.
import { Trash2 } from 'lucide-react'
import type { ReactNode } from 'react'
import { IconButton } from '../design/button'
import { type Column, Meta } from '../design/data-table'
import { Created, Time } from '../design/small'

type CreatedRow = Parameters<typeof Created>[0]

/** @param at null if it has not happened; `none` is then shown */
export const timeColumn = <Row,>(
  heading: string,
  at: (row: Row) => string | null | undefined,
  { none = '', ...place }: { none?: string } & Partial<Column<Row>> = {},
): Column<Row> => ({
  heading,
  place: 'wide',
  width: '8rem',
  ...place,
  cell(row) {
    const time = at(row)
    return <span className="soft small">{time ? <Time at={time} /> : none}</span>
  },
})

export const createdColumn: Column<CreatedRow> = {
  heading: 'Created',
  place: 'wide',
  width: '12rem',
  cell: (row) => (
    <span className="soft small truncate">
      <Created {...row} />
    </span>
  ),
}

/** A button that deletes a row, for users who may write. */
export const deleteColumn = <Row,>(
  nameOf: (row: Row) => string,
  onDelete: (row: Row) => void,
): Column<Row> => ({
  heading: 'Delete',
  place: 'wide',
  width: '5rem',
  cell: (row) => (
    <IconButton label={`Delete ${nameOf(row)}`} isSmall onClick={() => onDelete(row)}>
      <Trash2 size={15} aria-hidden />
    </IconButton>
  ),
})

/** Shows when a row was created, for small screens, and other facts. */
export const CreatedMeta = ({ children, ...created }: CreatedRow & { children?: ReactNode }) => (
  <Meta>
    <span>
      Created <Created created_at={created.created_at} created_by={created.created_by} />
    </span>
    {children}
  </Meta>
)
