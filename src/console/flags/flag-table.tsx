import { Link } from '@tanstack/react-router'
import { useWindowVirtualizer } from '@tanstack/react-virtual'
import { ArrowDown, ArrowUp, ChevronsUpDown } from 'lucide-react'
import { type ReactNode, useEffect, useLayoutEffect, useRef, useState } from 'react'
import type { Flag } from '../api/client'
import { Checkbox, Switch } from '../design/field'
import { Skeleton } from '../design/feedback'
import { Badge, Time } from '../design/small'
import { setActive } from './change-flags'
import { FlagBadges } from './flag-badges'
import { reachOf, releaseWords } from './release-summary'
import type { FlagSearch } from './search'

/** Pixels. Rows are measured once they are shown. */
const ROW_HEIGHT = 61
/** Rows before the end at which the next page is asked for. */
const AHEAD = 20

interface FlagTableProps {
  projectId: number
  flags: readonly Flag[]
  count: number
  isLoading: boolean
  /** Whether other filters are being applied. */
  isStale: boolean
  search: FlagSearch
  onOrder(order: string | undefined): void
  selected: ReadonlySet<number>
  onSelect(ids: ReadonlySet<number>): void
  onEnd(): void
}

export function FlagTable(props: FlagTableProps) {
  const { projectId, flags, count, isLoading, isStale, search, onOrder, selected, onSelect, onEnd } = props
  const table = useRef<HTMLDivElement>(null)
  const [offset, setOffset] = useState(0)
  useLayoutEffect(() => setOffset(table.current?.offsetTop ?? 0), [])
  const rows = useWindowVirtualizer({
    count: isLoading ? 8 : flags.length,
    estimateSize: () => ROW_HEIGHT,
    overscan: 12,
    scrollMargin: offset,
    getItemKey: (index) => flags[index]?.id ?? index,
  })
  const items = rows.getVirtualItems()
  const last = items.at(-1)?.index ?? 0
  useEffect(() => {
    if (!isLoading && last >= flags.length - AHEAD) onEnd()
  }, [last, flags.length, isLoading, onEnd])

  const isAll = flags.length > 0 && flags.every(({ id }) => selected.has(id))
  const toggle = (id: number, isChecked: boolean) => {
    const next = new Set(selected)
    if (isChecked) next.add(id)
    else next.delete(id)
    onSelect(next)
  }
  const before = (items[0]?.start ?? offset) - offset
  const after = rows.getTotalSize() - ((items.at(-1)?.end ?? offset) - offset)

  return (
    <div className="card flag-table" ref={table} data-stale={isStale || undefined}>
      <table aria-rowcount={count + 1} aria-busy={isLoading || isStale}>
        <thead>
          <tr aria-rowindex={1}>
            <th className="check">
              <Checkbox
                isChecked={isAll}
                isPartly={!isAll && selected.size > 0}
                onChange={(isChecked) => onSelect(new Set(isChecked ? flags.map(({ id }) => id) : []))}
                label="Select all flags shown"
              />
            </th>
            <Sortable field="key" search={search} onOrder={onOrder}>
              Flag
            </Sortable>
            <Sortable field="active" search={search} onOrder={onOrder} className="state">
              Enabled
            </Sortable>
            <th>Release</th>
            <th className="wide">Tags</th>
            <th className="wide">Last called</th>
            <Sortable field="updated_at" search={search} onOrder={onOrder} className="wide">
              Changed
            </Sortable>
          </tr>
        </thead>
        <tbody>
          {before > 0 && <Gap height={before} />}
          {items.map(({ index, key }) => {
            const flag = flags[index]
            return flag ? (
              <Row
                key={key}
                index={index}
                measure={rows.measureElement}
                projectId={projectId}
                flag={flag}
                isSelected={selected.has(flag.id)}
                onSelect={(isChecked) => toggle(flag.id, isChecked)}
              />
            ) : (
              <SkeletonRow key={key} />
            )
          })}
          {after > 0 && <Gap height={after} />}
        </tbody>
      </table>
    </div>
  )
}

const Gap = ({ height }: { height: number }) => (
  <tr aria-hidden className="gap">
    <td colSpan={7} style={{ height }} />
  </tr>
)

interface RowProps {
  index: number
  measure(element: HTMLElement | null): void
  projectId: number
  flag: Flag
  isSelected: boolean
  onSelect(isSelected: boolean): void
}

const Row = ({ index, measure, projectId, flag, isSelected, onSelect }: RowProps) => (
  <tr ref={measure} data-index={index} aria-rowindex={index + 2} aria-selected={isSelected}>
    <td className="check">
      <Checkbox isChecked={isSelected} onChange={onSelect} label={`Select ${flag.key}`} />
    </td>
    <td className="what">
      <div className="row">
        <Link
          className="flag-key mono truncate"
          to="/project/$projectId/feature_flags/$flagId"
          params={{ projectId, flagId: flag.id }}
          search={{}}
        >
          {flag.key}
        </Link>
        <FlagBadges flag={flag} />
      </div>
      {flag.name && <div className="soft small truncate">{flag.name}</div>}
    </td>
    <td className="state">
      <Switch
        isChecked={flag.active}
        disabled={!flag.can_edit || flag.archived}
        onChange={(active) => void setActive(projectId, flag, active)}
        label={`${flag.key} enabled`}
      />
    </td>
    <td className="release">
      <Reach flag={flag} />
    </td>
    <td className="wide">
      <span className="row wrap tags">
        {flag.tags.slice(0, 3).map((tag) => (
          <Badge key={tag}>{tag}</Badge>
        ))}
        {flag.tags.length > 3 && <span className="soft small">+{flag.tags.length - 3}</span>}
      </span>
    </td>
    <td className="wide soft small">{flag.last_called_at ? <Time at={flag.last_called_at} /> : 'Never'}</td>
    <td className="wide soft small">
      <Time at={flag.updated_at} />
    </td>
  </tr>
)

/** Who gets the flag in words, with a bar where a share of everybody does. */
function Reach({ flag }: { flag: Flag }) {
  const reach = reachOf(flag.filters)
  const words = releaseWords(flag.filters)
  return (
    <div className={flag.active ? 'reach' : 'reach off'}>
      <span className="truncate" title={words}>
        {words}
      </span>
      {reach !== null && (
        <span className="bar" aria-hidden>
          <span style={{ width: `${reach}%` }} />
        </span>
      )}
    </div>
  )
}

const SkeletonRow = () => (
  <tr>
    <td colSpan={7}>
      <Skeleton width="14rem" /> <Skeleton width="30%" />
    </td>
  </tr>
)

interface SortableProps {
  field: string
  search: FlagSearch
  onOrder(order: string | undefined): void
  className?: string
  children: ReactNode
}

/** A column's heading that orders by it: ascending, descending, then as before. */
function Sortable({ field, search, onOrder, className = '', children }: SortableProps) {
  const { order } = search
  const direction = order === field ? 'ascending' : order === `-${field}` ? 'descending' : 'none'
  const Icon = { ascending: ArrowUp, descending: ArrowDown, none: ChevronsUpDown }[direction]
  const next = { none: field, ascending: `-${field}`, descending: undefined }[direction]
  return (
    <th className={className} aria-sort={direction}>
      <button type="button" className="sort" onClick={() => onOrder(next)}>
        {children} <Icon size={13} aria-hidden />
      </button>
    </th>
  )
}
