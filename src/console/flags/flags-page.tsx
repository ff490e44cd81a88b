// Shows the list of a project's flags.
import { useInfiniteQuery } from '@tanstack/react-query'
import { getRouteApi, Link } from '@tanstack/react-router'
import { Flag as FlagIcon, ListFilter } from 'lucide-react'
import { useMemo, useState } from 'react'
import type { Flag } from '../api/client'
import { flagsQuery } from '../api/queries'
import { Button, buttonClass } from '../design/button'
import { Select } from '../design/fields/field'
import { lazyComponent, nothing } from '../design/lazy-component'
import { ListPage } from '../list/list-page'
import { flagColumns } from './flag-columns'
import './flags.css'
import { hiddenCount } from './search'
import { pagesOf } from '../shell/pages'

/** Loaded when a flag is selected. */
const BulkBar = lazyComponent(() => import('./bulk-bar'), nothing)
/** Loaded when the filters are opened. */
const MoreFilters = lazyComponent(() => import('./more-filters'), nothing)

const STATUS = [
  ['', 'Any status'],
  ['true', 'Enabled'],
  ['false', 'Disabled'],
  ['STALE', 'Stale'],
  ['archived', 'Archived'],
] as const

const route = getRouteApi('/project/$projectId/feature_flags')

export function FlagsPage() {
  const { projectId } = route.useParams()
  const search = route.useSearch()
  const hidden = hiddenCount(search)
  const [isOpen, setIsOpen] = useState(hidden > 0)
  return (
    <ListPage
      title="Feature flags"
      noun={['flag', 'flags']}
      query={useInfiniteQuery(flagsQuery(projectId, search))}
      columns={useMemo(() => flagColumns(projectId), [projectId])}
      nameOf={keyOf}
      search={search}
      searchesIn="key or name"
      filters={(set) => (
        <>
          <Select
            label="Status"
            value={search.archived === 'true' ? 'archived' : (search.active ?? '')}
            options={STATUS}
            onChange={(status) =>
              set(
                status === 'archived'
                  ? { active: undefined, archived: 'true' }
                  : { active: status, archived: undefined },
              )
            }
          />
          <Button aria-expanded={isOpen} onClick={() => setIsOpen(!isOpen)}>
            <ListFilter size={15} aria-hidden /> Filters
            {hidden > 0 && <span className="badge accent">{hidden}</span>}
          </Button>
        </>
      )}
      moreFilters={isOpen && ((set) => <MoreFilters projectId={projectId} search={search} onChange={set} />)}
      create={{
        link: pagesOf(projectId).newFlag,
        label: 'New flag',
        firstLabel: 'Create the first flag',
      }}
      none={{
        icon: FlagIcon,
        title: 'Release to a few, then to everyone',
        text: 'A feature flag turns a part of your product on or off for the people you choose, without a deployment.',
        action: (
          <Link className={buttonClass({})} {...pagesOf(projectId).start}>
            Connect an application
          </Link>
        ),
      }}
      noMatch={
        search.archived === 'true'
          ? 'Nothing is archived with these filters.'
          : 'Archived flags are not shown unless you ask for them.'
      }
      bulk={(selection) => <BulkBar projectId={projectId} search={search} {...selection} />}
    />
  )
}

const keyOf = ({ key }: Flag): string => key
