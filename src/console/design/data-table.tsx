// Renders a list in rows: only those on the screen are rendered, and more are loaded on scroll.
import { useWindowVirtualizer } from '@tanstack/react-virtual'
import { ArrowDown, ArrowUp, ChevronsUpDown } from 'lucide-react'
import {
  memo,
  type MouseEvent,
  type ReactNode,
  useCallback,
  useEffect,
  useLayoutEffect,
  useRef,
  useState,
} from 'react'
import { ProblemNotice, Skeleton } from './feedback'
import { useShortcuts } from './use-shortcuts'
import { Checkbox, Select } from './fields/field'

/** The estimated height in pixels. Rows are measured once they are shown. */
const ROW_HEIGHT = 41
/** The number of rows before the last loaded one at which the next page is requested. */
const AHEAD = 100
const SKELETONS = 8

export interface Column<Row> {
  heading: string
  /**
   * The place on a phone: `main` and `side` are in one line, `full` is below. `wide` is shown on a wide screen only; `main` should have its
   * fact in a `Meta`.
   */
  place: 'main' | 'side' | 'full' | 'wide'
  /** The width of the column. Without it, the column shares the remaining width. */
  width?: string
  /** The name by which the API orders, if it can. */
  order?: string
  cell(row: Row): ReactNode
}

/** The part of TanStack Query's infinite query that the table uses. */
export interface ListQuery {
  isPending: boolean
  isError: boolean
  isPlaceholderData: boolean
  error: unknown
  refetch(): unknown
  // What a list without pages leaves out.
  isFetchNextPageError?: boolean
  hasNextPage?: boolean
  isFetchingNextPage?: boolean
  fetchNextPage?(): unknown
}

interface DataTableProps<Row> {
  query: ListQuery
  rows: readonly Row[]
  /** The number of all rows, if the API counts them. */
  count?: number | undefined
  /** The columns. They must be the same array at each render, or all rows are rendered again. */
  columns: readonly Column<Row>[]
  nameOf(row: Row): string
  /** The order in the form of the API: `key`, or `-key` for descending. */
  order?: string | undefined
  onOrder?(order: string | undefined): void
  /** The ids of selected rows. Without it, rows cannot be selected. */
  selected?: ReadonlySet<number>
  onSelect?: ((ids: ReadonlySet<number>) => void) | undefined
  /** The content when there are no rows. */
  empty: ReactNode
}

/** The row that each list was left by, to which the focus returns. */
const lastOpened = new Map<string, number | string>()

const NONE: ReadonlySet<number> = new Set()

export function DataTable<Row extends { id: number | string }>({
  query,
  rows,
  count = 0,
  columns,
  nameOf,
  order,
  onOrder,
  selected = NONE,
  onSelect,
  empty,
}: DataTableProps<Row>) {
  const table = useRef<HTMLDivElement>(null)
  const [offset, setOffset] = useState(0)
  const { isPending, hasNextPage, isFetchingNextPage, isFetchNextPageError } = query
  useLayoutEffect(() => setOffset(table.current?.offsetTop ?? 0), [isPending])
  const all = hasNextPage ? Math.max(count, rows.length) : rows.length
  const virtual = useWindowVirtualizer({
    count: isPending ? SKELETONS : all,
    estimateSize: () => ROW_HEIGHT,
    overscan: 8,
    scrollMargin: offset,
    getItemKey: (index) => rows[index]?.id ?? `at ${index}`,
  })
  const items = virtual.getVirtualItems()
  const last = items.at(-1)?.index ?? 0
  const isNextDue = hasNextPage && !isFetchingNextPage && !isFetchNextPageError && last >= rows.length - AHEAD
  useEffect(() => {
    if (isNextDue) query.fetchNextPage?.()
  }, [isNextDue, rows.length])

  const latest = useRef({ rows, selected, onSelect })
  useEffect(() => {
    latest.current = { rows, selected, onSelect }
  })
  const lastToggled = useRef<number | null>(null)
  const toggle = useCallback((id: number, isChecked: boolean, isRange: boolean) => {
    const { rows: shown, selected: before, onSelect: select } = latest.current
    const next = new Set(before)
    for (const each of isRange ? rangeOf(shown, lastToggled.current, id) : [id])
      if (isChecked) next.add(each)
      else next.delete(each)
    lastToggled.current = id
    select?.(next)
  }, [])

  /** The row of the last key, which has the focus once it is rendered. */
  const place = useRef({ index: -1, isRendered: true })
  const goTo = (index: number, isRetry = false) => {
    const row = table.current?.querySelector<HTMLElement>(`tr[data-index="${index}"]`)
    row?.focus({ preventScroll: true })
    place.current = { index, isRendered: Boolean(row) }
    if (!row && !isRetry) requestAnimationFrame(() => place.current.index === index && goTo(index, true))
  }
  const moveBy = (by: 1 | -1) => {
    if (rows.length === 0) return
    const { index, isRendered } = place.current
    const from = isRendered ? Number(focusedRow(table.current)?.dataset.index ?? -1) : index
    const to = Math.min(rows.length - 1, Math.max(0, from + by))
    virtual.scrollToIndex(to)
    goTo(to)
  }
  useShortcuts({ j: () => moveBy(1), k: () => moveBy(-1) })
  const hasRows = rows.length > 0
  useEffect(() => {
    const opened = rows.findIndex(({ id }) => id === lastOpened.get(location.pathname))
    if (opened === -1) return
    lastOpened.delete(location.pathname)
    goTo(opened)
  }, [hasRows])

  if (query.isError && rows.length === 0)
    return <ProblemNotice error={query.error} onRetry={() => void query.refetch()} />
  if (!isPending && rows.length === 0) return <div className="card">{empty}</div>
  const ids = rows.flatMap(({ id }) => (typeof id === 'number' ? [id] : []))
  const isAll = ids.length > 0 && ids.every((id) => selected.has(id))
  // Only columns that are always shown: a cell that spans a hidden one would give it a width.
  const width = columns.filter((each) => each.place !== 'wide').length + (onSelect ? 1 : 0)
  const before = (items[0]?.start ?? offset) - offset
  const after = virtual.getTotalSize() - ((items.at(-1)?.end ?? offset) - offset)
  const selectAll = onSelect && (
    <Checkbox
      isChecked={isAll}
      isPartly={!isAll && selected.size > 0}
      onChange={(isChecked) => onSelect(new Set(isChecked ? ids : []))}
      label="Select all rows shown"
      disabled={ids.length === 0}
    />
  )
  const orders = columns.flatMap(({ heading, order: by }) =>
    by === undefined
      ? []
      : ([
          [by, `${heading}, ascending`],
          [`-${by}`, `${heading}, descending`],
        ] as const),
  )
  return (
    <>
      {(onSelect || orders.length > 0) && (
        // This replaces the headings.
        <div className="table-tools row spread">
          {onSelect && (
            <span className="row">
              {selectAll} <span aria-hidden>Select all</span>
            </span>
          )}
          {orders.length > 0 && (
            <Select
              isSmall
              label="Sort"
              value={order ?? ''}
              options={[['', 'Default order'], ...orders]}
              onChange={(by) => onOrder?.(by || undefined)}
            />
          )}
        </div>
      )}
      <div className="card table" ref={table} data-stale={query.isPlaceholderData || undefined}>
        <table aria-rowcount={all + 1} aria-busy={isPending || query.isPlaceholderData}>
          <thead>
            <tr aria-rowindex={1}>
              {onSelect && <th className="check">{selectAll}</th>}
              {columns.map((column) => (
                <Heading key={column.heading} {...column} current={order} onOrder={onOrder} />
              ))}
            </tr>
          </thead>
          <tbody>
            {before > 0 && <Gap height={before} />}
            {items.map(({ index, key }) => {
              const row = rows[index]
              return row ? (
                <TableRow
                  key={key}
                  index={index}
                  measure={virtual.measureElement}
                  row={row}
                  columns={columns as readonly Column<never>[]}
                  name={nameOf(row)}
                  isSelected={typeof row.id === 'number' && selected.has(row.id)}
                  onToggle={onSelect ? toggle : null}
                />
              ) : (
                <tr key={key} aria-rowindex={index + 2}>
                  <td colSpan={width}>
                    <Skeleton width="14rem" /> <Skeleton width="30%" />
                  </td>
                </tr>
              )
            })}
            {after > 0 && <Gap height={after} />}
          </tbody>
        </table>
      </div>
      {isFetchNextPageError && (
        <ProblemNotice error={query.error} onRetry={() => void query.fetchNextPage?.()} />
      )}
    </>
  )
}

/** Returns the ids of the rows between two, in either order; that of the second if the first is not shown. */
function rangeOf(rows: readonly { id: number | string }[], from: number | null, to: number): number[] {
  const places = [from, to].map((id) => rows.findIndex((row) => row.id === id)).sort((a, b) => a - b)
  if (places[0] === -1) return [to]
  return rows.slice(places[0], places[1]! + 1).flatMap(({ id }) => (typeof id === 'number' ? [id] : []))
}

/** The name of a row, with its purpose beside it if there is space. */
export const RowTitle = ({ children, detail }: { children: ReactNode; detail: ReactNode }) => (
  <div className="row-title">
    <div className="row">{children}</div>
    {detail && (
      <div className="soft small truncate" title={typeof detail === 'string' ? detail : undefined}>
        {detail}
      </div>
    )}
  </div>
)

/** It has one cell: a cell that spans hidden columns would give them a width. */
const Gap = ({ height }: { height: number }) => (
  <tr aria-hidden className="gap">
    <td style={{ height }} />
  </tr>
)

const focusedRow = (table: HTMLElement | null): HTMLElement | null =>
  table?.contains(document.activeElement)
    ? (document.activeElement as HTMLElement).closest<HTMLElement>('tr[data-index]')
    : null

/** The link that opens a row's item. */
const linkOf = (row: HTMLElement): HTMLElement | null => row.querySelector('td.main a, td.main button')

/** Opens a row that is pressed anywhere, except on a control of its own, and except when text is selected. */
function openRow({ target, currentTarget }: MouseEvent<HTMLElement>): void {
  const pressed = target as HTMLElement
  const isOwn = pressed.closest('a, button, input, label, select, summary, dialog, .check')
  // A popup of a cell may be outside the cell.
  const isInside = currentTarget.contains(pressed)
  if (isOwn === null && isInside && String(getSelection()) === '') linkOf(currentTarget)?.click()
}

interface TableRowProps {
  index: number
  measure(element: HTMLElement | null): void
  row: { id: number | string }
  columns: readonly Column<never>[]
  name: string
  isSelected: boolean
  onToggle: ((id: number, isChecked: boolean, isRange: boolean) => void) | null
}

/** A row, which is rendered again only when its data or selection changes. */
const TableRow = memo(({ index, measure, row, columns, name, isSelected, onToggle }: TableRowProps) => (
  <tr
    ref={measure}
    data-index={index}
    tabIndex={-1}
    onClick={openRow}
    onClickCapture={({ target }) => {
      if ((target as HTMLElement).closest('td.main a')) lastOpened.set(location.pathname, row.id)
    }}
    onKeyDown={(event) => {
      if (event.target !== event.currentTarget) return
      if (event.key === 'Enter') {
        // What opens has the focus at once, and would take the same key as a press of its first button.
        event.preventDefault()
        linkOf(event.currentTarget)?.click()
      } else if (event.key === 'x') onToggle?.(Number(row.id), !isSelected, false)
    }}
    aria-rowindex={index + 2}
    aria-selected={onToggle ? isSelected : undefined}
  >
    {onToggle && (
      <td className="check">
        <Checkbox
          isChecked={isSelected}
          onChange={(isChecked, isRange) => onToggle(Number(row.id), isChecked, isRange)}
          label={`Select ${name}`}
        />
      </td>
    )}
    {columns.map(({ heading, place, cell }) => (
      <td key={heading} className={place}>
        {cell(row as never)}
      </td>
    ))}
  </tr>
))

type HeadingProps = Pick<Column<never>, 'heading' | 'place' | 'width' | 'order'> & {
  current: string | undefined
  onOrder: ((order: string | undefined) => void) | undefined
}

/** A column's heading. If the column can be ordered, a click orders ascending, then descending, then as before. */
function Heading({ heading, place, width, order, current, onOrder }: HeadingProps) {
  if (order === undefined)
    return (
      <th className={place} style={{ width }}>
        {heading}
      </th>
    )
  const direction = current === order ? 'ascending' : current === `-${order}` ? 'descending' : 'none'
  const Icon = { ascending: ArrowUp, descending: ArrowDown, none: ChevronsUpDown }[direction]
  const next = { none: order, ascending: `-${order}`, descending: undefined }[direction]
  return (
    <th className={place} style={{ width }} aria-sort={direction}>
      <button type="button" className="sort" onClick={() => onOrder?.(next)}>
        {heading} <Icon size={13} aria-hidden />
      </button>
    </th>
  )
}

/** The facts of columns that a small screen does not show, in a line. */
export const Meta = ({ children }: { children: ReactNode }) => (
  <div className="meta soft small">{children}</div>
)
