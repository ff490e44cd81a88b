import { getRouteApi } from '@tanstack/react-router'
import { ListFilter } from 'lucide-react'
import { lazy, Suspense, useState } from 'react'
import { Button, ClearButton } from '../design/button'
import { Select } from '../design/fields/field'
import { SearchField } from '../design/fields/search-field'
import { filterCount, type FlagSearch } from './search'

const CreatorSelect = lazy(() => import('../team/creator-select'))
const TagFilter = lazy(() => import('./tag-filter'))

const STATUS = [
  ['', 'Any status'],
  ['true', 'Enabled'],
  ['false', 'Disabled'],
  ['STALE', 'Stale'],
  ['archived', 'Archived'],
] as const
const TYPE = [
  ['', 'Any type'],
  ['boolean', 'On or off'],
  ['multivariant', 'With variants'],
  ['remote_config', 'Remote configuration'],
  ['experiment', 'Experiment'],
] as const
const RUNTIME = [
  ['', 'Any runtime'],
  ['all', 'Client and server'],
  ['client', 'Client only'],
  ['server', 'Server only'],
] as const
const CONTEXTS = [
  ['', 'With or without contexts'],
  ['true', 'With evaluation contexts'],
  ['false', 'Without evaluation contexts'],
] as const

const ORDER = [
  ['', 'Newest first'],
  ['created_at', 'Oldest first'],
  ['key', 'By key'],
  ['name', 'By description'],
  ['created_by', 'By creator'],
  ['-updated_at', 'Changed last'],
  ['-last_called_at', 'Called last'],
] as const

const project = getRouteApi('/project/$projectId')

interface FilterBarProps {
  search: FlagSearch
  onChange(search: FlagSearch): void
}

export function FilterBar({ search, onChange }: FilterBarProps) {
  const { projectId } = project.useParams()
  const [isOpen, setIsOpen] = useState(
    filterCount(search) > (search.search ? 1 : 0) + (search.active ? 1 : 0),
  )

  const set = (change: Partial<Record<keyof FlagSearch, string | undefined>>) =>
    onChange(without({ ...search, ...change } as FlagSearch))
  const hidden = filterCount({
    ...search,
    search: undefined,
    active: undefined,
    archived: undefined,
  } as FlagSearch)

  return (
    <div className="filters" role="search">
      <div className="row wrap">
        <SearchField
          value={search.search ?? ''}
          onChange={(text) => set({ search: text })}
          label="Search flags"
          placeholder="Search by key or name"
        />
        <Select
          label="Status"
          value={search.archived === 'true' ? 'archived' : (search.active ?? '')}
          options={STATUS}
          onChange={(status) =>
            set({
              active: status === 'archived' || status === '' ? undefined : status,
              archived: status === 'archived' ? 'true' : undefined,
            })
          }
        />
        <Button aria-expanded={isOpen} onClick={() => setIsOpen(!isOpen)}>
          <ListFilter size={15} aria-hidden /> Filters
          {countOf(hidden)}
        </Button>
        {filterCount(search) > 0 && (
          <ClearButton onClick={() => onChange(search.order ? { order: search.order } : {})} />
        )}
      </div>
      {isOpen && (
        <div className="row wrap">
          <Select label="Type" value={search.type ?? ''} options={TYPE} onChange={(type) => set({ type })} />
          <Suspense>
            <TagFilter projectId={projectId} search={search} onChange={set} />
            <CreatorSelect value={search.created_by_id ?? ''} onChange={(id) => set({ created_by_id: id })} />
          </Suspense>
          <Select
            label="Runtime"
            value={search.evaluation_runtime ?? ''}
            options={RUNTIME}
            onChange={(runtime) => set({ evaluation_runtime: runtime })}
          />
          <Select
            label="Evaluation contexts"
            value={search.has_evaluation_contexts ?? ''}
            options={CONTEXTS}
            onChange={(contexts) => set({ has_evaluation_contexts: contexts })}
          />
          <Select
            label="Order"
            value={search.order ?? ''}
            options={
              ORDER.some(([order]) => order === (search.order ?? ''))
                ? ORDER
                : [...ORDER, [search.order ?? '', 'By column'] as const]
            }
            onChange={(order) => set({ order })}
          />
        </div>
      )}
    </div>
  )
}

const countOf = (count: number) => (count > 0 ? <span className="badge accent">{count}</span> : null)

/** Without filters that are not set. */
const without = (search: FlagSearch): FlagSearch =>
  Object.fromEntries(Object.entries(search).filter(([, value]) => value)) as FlagSearch
