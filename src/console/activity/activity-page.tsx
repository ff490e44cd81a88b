// Shows the activity of a project: all kinds of items in one list.
import { useInfiniteQuery, useQuery } from '@tanstack/react-query'
import { getRouteApi, Link, type LinkProps, useNavigate } from '@tanstack/react-router'
import { Download, History, RotateCcw, SearchX } from 'lucide-react'
import { useEffect, useMemo, useState } from 'react'
import { PageHeader } from '../design/page-header'
import type { ActivityEntry } from '../api/client'
import { activityQuery, membersQuery } from '../api/queries'
import { actionWords } from '../approvals/words'
import { restoreCohort } from '../cohorts/change-cohorts'
import { restoreDashboard } from '../dashboards/change-dashboards'
import { restoreFlags } from '../flags/change-flags'
import { Button, ClearButton } from '../design/button'
import { DayRange } from '../design/fields/day-range'
import { Empty, Loading, ProblemNotice } from '../design/feedback'
import { Select } from '../design/fields/field'
import { Menu } from '../design/popups/menu'
import { nameOf } from '../design/small'
import { say, sayProblem } from '../design/popups/toast'
import { csvOf, download, jsonOf } from '../query/result/download'
import { EntryList } from './entry-list'
import { EXPORT_COLUMNS, exportRow } from './export'
import { titleOf } from '../dashboards/title'
import { type ActivityRead, entriesOf, isRestorable, type Scope } from './merge'
import { type ActivitySearch, filterOf, KINDS, type Kind, parseActivitySearch, scopesOf } from './search'
import { nameIn } from './words'
import { useCanWrite } from '../team/writers'
import { pagesOf, toFlag } from '../shell/pages'
import { toCohort, toDashboard, toQuery, toRequest } from '../shell/item-pages'

/** The entries per page. */
const SHOWN = 30
/** The most entries of an export. */
const MAX_EXPORTED = 5_000

const route = getRouteApi('/project/$projectId/activity')

export function ActivityPage() {
  const { projectId } = route.useParams()
  const search = route.useSearch()
  const navigate = useNavigate()
  const canWrite = useCanWrite()
  const { me } = getRouteApi('/project/$projectId').useRouteContext()
  const members = useQuery({
    ...membersQuery(me.organization?.id ?? ''),
    enabled: Boolean(me.organization),
  })
  const { kind } = search
  const activity = useInfiniteQuery(activityQuery(projectId, scopesOf(kind), filterOf(search)))
  const reads = activity.data?.pages ?? NONE
  const entries = useMemo(() => entriesOf(reads), [reads])
  const isMore = activity.hasNextPage

  const [asked, setAsked] = useState(SHOWN)
  useEffect(() => setAsked(SHOWN), [JSON.stringify(search)])
  const isReading = isMore && !activity.isError && entries.length < asked
  useEffect(() => {
    if (isReading && !activity.isFetching) void activity.fetchNextPage()
  }, [isReading, activity.isFetching, reads.length])

  const set = (change: { [Name in keyof ActivitySearch]?: string | undefined }) =>
    void navigate({
      ...pagesOf(projectId).activity,
      search: parseActivitySearch({ ...search, ...change }),
      replace: true,
    })
  const isFiltered = Object.keys(search).length > 0
  const shown = entries.slice(0, asked)
  const canGoOn = entries.length > shown.length || isMore

  const [isExporting, setIsExporting] = useState(false)
  const exportAs = async (form: 'csv' | 'json') => {
    setIsExporting(true)
    try {
      let found = entries
      let isAll = !isMore
      while (!isAll && found.length < MAX_EXPORTED) {
        const next = await activity.fetchNextPage({ throwOnError: true })
        found = entriesOf(next.data?.pages ?? NONE)
        isAll = !next.hasNextPage
      }
      const rows = found.slice(0, MAX_EXPORTED).map(exportRow)
      if (form === 'csv') download('activity.csv', 'text/csv', csvOf(EXPORT_COLUMNS, rows))
      else download('activity.json', 'application/json', jsonOf(EXPORT_COLUMNS, rows))
      const isCut = found.length > MAX_EXPORTED || !isAll
      const count = `${rows.length.toLocaleString('en')} ${rows.length === 1 ? 'entry' : 'entries'}`
      say(isCut ? `The newest ${count} exported: limit the days for older ones.` : `${count} exported.`)
    } catch (error) {
      sayProblem(error, () => void exportAs(form))
    } finally {
      setIsExporting(false)
    }
  }

  const people = new Map((members.data?.results ?? []).map(({ user }) => [user.email, nameOf(user)] as const))
  for (const { user } of entries)
    if (user.email !== null && !people.has(user.email)) people.set(user.email, nameOf(user))

  return (
    <>
      <PageHeader
        title="Activity"
        note="Who changed what in this project, and who joined or left its organization."
      >
        <Menu
          trigger={
            <Button isBusy={isExporting} disabled={entries.length === 0}>
              <Download size={15} aria-hidden /> Export
            </Button>
          }
          groups={[
            {
              items: [
                { label: 'CSV', onSelect: () => void exportAs('csv') },
                { label: 'JSON', onSelect: () => void exportAs('json') },
              ],
            },
          ]}
        />
      </PageHeader>
      <div className="row wrap" role="search">
        <Select
          label="What changed"
          value={kind ?? ''}
          options={[
            ['', 'Everything'],
            ...Object.entries(KINDS).map(([value, [label]]) => [value as Kind, label] as const),
          ]}
          onChange={(value) => set({ kind: value })}
        />
        <Select
          label="Who changed it"
          value={search.user ?? ''}
          options={[['', 'By anybody'], ...people, ['system', 'Halyard itself']]}
          onChange={(user) => set({ user })}
        />
        <DayRange from={search.from} to={search.to} onChange={set} />
        {isFiltered && (
          <ClearButton
            onClick={() => set({ kind: undefined, user: undefined, from: undefined, to: undefined })}
          />
        )}
      </div>
      {activity.isPending ? (
        <Loading label="Loading the activity" />
      ) : activity.isError && entries.length === 0 ? (
        <ProblemNotice error={activity.error} onRetry={() => void activity.refetch()} />
      ) : shown.length === 0 && !isReading ? (
        <div className="card">
          {isFiltered ? (
            <Empty icon={<SearchX size={26} aria-hidden />} title="No change matches">
              Change the filters above to see other changes.
            </Empty>
          ) : (
            <Empty icon={<History size={26} aria-hidden />} title="Nothing has happened yet">
              Each change of a flag, a saved query, a cohort or a definition is listed here: who made it,
              when, and what was different before.
            </Empty>
          )}
        </div>
      ) : (
        <section className="card padded stack" aria-label="Entries" aria-busy={isReading}>
          <EntryList
            entries={shown}
            subject={(entry) => <Subject projectId={projectId} entry={entry} />}
            action={(entry) =>
              canWrite &&
              isRestorable(entry, entries) && (
                <Button isSmall onClick={() => void restore(projectId, entry)}>
                  <RotateCcw size={13} aria-hidden /> Restore
                </Button>
              )
            }
          />
          {activity.isError && (
            <ProblemNotice error={activity.error} onRetry={() => void activity.fetchNextPage()} />
          )}
          {isReading && <Loading label="Loading older changes" />}
          {canGoOn && !isReading && !activity.isError && (
            <div>
              <Button onClick={() => setAsked(shown.length + SHOWN)}>Show older</Button>
            </div>
          )}
        </section>
      )}
    </>
  )
}

const NONE: readonly ActivityRead[] = []

function restore(
  projectId: number,
  { scope, item_id: id, detail: { name } }: ActivityEntry,
): Promise<unknown> {
  const item = { id: Number(id), name: name ?? '' }
  if (scope === 'Cohort') return restoreCohort(projectId, item)
  if (scope === 'Dashboard') return restoreDashboard(projectId, item)
  return restoreFlags(projectId, [{ id: item.id, key: name ?? `Flag ${id}` }])
}

/** The address of an item of an entry, or null. */
type PageOf = (projectId: number, id: string, name: string | null) => LinkProps | null

const queryPage: PageOf = (projectId, _id, name) => (name ? toQuery(projectId, name) : null)

/** How an item stands in an entry: the word before its name; its page, if it has one; and whether its name is words, not what programs use. */
const ITEMS: Readonly<Record<Scope, readonly [word: string, page?: PageOf | null, isNamed?: true]>> = {
  FeatureFlag: ['flag', (projectId, id) => toFlag(projectId, Number(id))],
  Cohort: ['cohort', (projectId, id) => toCohort(projectId, Number(id)), true],
  Dashboard: ['dashboard', (projectId, id) => toDashboard(projectId, Number(id)), true],
  Endpoint: ['query', queryPage],
  EndpointVersion: ['query', queryPage],
  DataWarehouseSavedQuery: ['query', queryPage],
  EventDefinition: ['event'],
  PropertyDefinition: ['property'],
  Person: ['person'],
  ApprovalPolicy: ['approval policy', null, true],
  ChangeRequest: ['change request for', toRequest],
  ScheduledChange: ['scheduled change of'],
  Webhook: ['webhook to'],
  Action: ['action'],
  Project: ['project', (projectId) => pagesOf(projectId).project, true],
  InsightVariable: ['variable', null, true],
  Organization: ['organization', (projectId) => pagesOf(projectId).organization, true],
  // What happened to a member has the word.
  OrganizationMembership: ['', (projectId) => pagesOf(projectId).members, true],
}

function Subject({ projectId, entry }: { projectId: number; entry: ActivityEntry }) {
  const { scope, activity, item_id: id } = entry
  const [word, pageOf, isNamed] = ITEMS[scope]
  const given = nameIn(entry)
  // The name of a policy is the action that it is for.
  const name =
    scope === 'Dashboard' ? titleOf({ id: Number(id), name: given ?? '' }) : actionWords(given || id)
  const page = activity === 'deleted' ? null : pageOf?.(projectId, id, given)
  const look = isNamed ? undefined : 'mono'
  return (
    <>
      {word && <span className="soft">{word} </span>}
      {page ? (
        <Link {...page} className={look}>
          {name}
        </Link>
      ) : (
        <span className={look}>{name}</span>
      )}
    </>
  )
}
