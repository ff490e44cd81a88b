// Renders a page that lists items of a project. Its search and filters are in the address.
import { Link, type LinkProps, useNavigate } from '@tanstack/react-router'
import { type LucideIcon, Plus, SearchX } from 'lucide-react'
import { type ReactNode, useMemo, useState } from 'react'
import { Button, buttonClass, ClearButton } from '../design/button'
import { type Column, DataTable, type ListQuery } from '../design/data-table'
import { Empty } from '../design/feedback'
import { SearchField } from '../design/fields/search-field'
import { PageHeader } from '../design/page-header'
import { Key } from '../design/small'
import { useCanWrite } from '../team/writers'

/** Sets parameters of an address. Undefined or an empty text removes one. */
export type SetSearch<Search> = (change: { [Name in keyof Search]?: Search[Name] | '' | undefined }) => void

/** Parameters that are no filters. */
const NO_FILTERS: ReadonlySet<string> = new Set(['order', 'form'])

interface Row {
  id: number | string
}

export interface Selection<Item> {
  ids: ReadonlySet<number>
  /** The loaded items. */
  items: readonly Item[]
  /** The number of rows that match the filters. */
  count: number
  onSelect(ids: ReadonlySet<number>): void
}

interface ListPageProps<Item, Search> {
  title: string
  /** The line below the title, if the API does not count. */
  note?: string
  /** The noun for one row, and for several. */
  noun: readonly [one: string, several: string]
  /** The content between the title and the filters. */
  tabs?: ReactNode
  query: ListQuery & {
    isSuccess: boolean
    data: { pages: readonly { results: readonly Item[]; count?: number }[] } | undefined
  }
  /** The columns. They must be the same array at each render. */
  columns: readonly Column<Item>[]
  nameOf(item: Item): string
  /** The state of the page in its address. */
  search: Search
  /** The field that the search compares, such as `name`. */
  searchesIn: string
  filters?(set: SetSearch<Search>): ReactNode
  /** Further filters, in their own row. */
  moreFilters?: ((set: SetSearch<Search>) => ReactNode) | false
  /** The link to the form of a new one. */
  create?: { link: LinkProps; label: string; firstLabel: string; isForViewers?: boolean }
  /** The content when the project has none. */
  none: { icon: LucideIcon; title: string; text: string; action?: ReactNode }
  /** The advice when none matches. */
  noMatch: string
  /** Actions on several rows at once. Without it, rows cannot be selected. */
  bulk?(selection: Selection<Item>): ReactNode
}

export function ListPage<
  Item extends Row,
  Search extends { search?: string | undefined; order?: string | undefined },
>({
  title,
  note,
  noun: [one, several],
  tabs,
  query,
  columns,
  nameOf,
  search,
  searchesIn,
  filters,
  moreFilters,
  create,
  none,
  noMatch,
  bulk,
}: ListPageProps<Item, Search>) {
  const navigate = useNavigate()
  const canWrite = useCanWrite()
  const [ids, onSelect] = useState<ReadonlySet<number>>(new Set())
  const items = useMemo(() => query.data?.pages.flatMap(({ results }) => results) ?? [], [query.data])
  const count = query.data?.pages[0]?.count
  const set = (change: object) => {
    if (ids.size > 0) onSelect(new Set())
    const next = Object.entries({ ...search, ...change }).filter(([, value]) => value)
    void navigate({ to: '.', search: Object.fromEntries(next) as never, replace: true })
  }
  const filterNames = Object.entries(search).flatMap(([name, value]) =>
    value && !NO_FILTERS.has(name) ? [name] : [],
  )
  const isFiltered = filterNames.length > 0
  const clear = () => set(Object.fromEntries(filterNames.map((name) => [name, undefined])))
  // Rows of the filters before may still be shown, and the search field stays while a user types.
  const isUnused = query.isSuccess && !query.isPlaceholderData && items.length === 0 && !isFiltered
  const mayCreate = create && (canWrite || create.isForViewers)
  const selectable = bulk && canWrite
  return (
    <>
      <PageHeader
        title={title}
        note={
          count === undefined ? (
            note
          ) : (
            <span aria-live="polite">
              {count} {count === 1 ? one : several}
              {isFiltered && ' match'}
            </span>
          )
        }
      >
        {mayCreate && (
          <Link {...create.link} className={buttonClass({ kind: 'primary' })}>
            <Plus size={16} aria-hidden /> {create.label}
          </Link>
        )}
      </PageHeader>
      {tabs}
      {isUnused ? (
        <div className="card">
          <Empty
            icon={<none.icon size={28} aria-hidden />}
            title={none.title}
            action={
              <div className="row wrap">
                {mayCreate && (
                  <Link {...create.link} className={buttonClass({ kind: 'primary' })}>
                    {create.firstLabel} <Key>C</Key>
                  </Link>
                )}
                {none.action}
              </div>
            }
          >
            {none.text}
          </Empty>
        </div>
      ) : (
        <>
          <div className="filters" role="search">
            <div className="row wrap">
              <SearchField
                value={search.search ?? ''}
                onChange={(text) => set({ search: text })}
                label={`Search ${title.toLowerCase()}`}
                placeholder={`Search by ${searchesIn}`}
              />
              {filters?.(set)}
              {isFiltered && <ClearButton onClick={clear} />}
            </div>
            {moreFilters && <div className="row wrap">{moreFilters(set)}</div>}
          </div>
          <DataTable
            query={query}
            rows={items}
            count={count}
            columns={columns}
            nameOf={nameOf}
            order={search.order}
            onOrder={(order) => set({ order })}
            selected={ids}
            onSelect={selectable ? onSelect : undefined}
            empty={
              <Empty
                icon={<SearchX size={26} aria-hidden />}
                title={`No ${one} matches`}
                action={<Button onClick={clear}>Remove all filters</Button>}
              >
                {noMatch}
              </Empty>
            }
          />
        </>
      )}
      {selectable &&
        ids.size > 0 &&
        bulk({
          ids,
          items: items.filter(({ id }) => ids.has(id as number)),
          count: count ?? items.length,
          onSelect,
        })}
    </>
  )
}
