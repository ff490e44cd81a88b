// Shows the runs of a query by programs and people, newest first.
import { useInfiniteQuery } from '@tanstack/react-query'
import { getRouteApi, useNavigate } from '@tanstack/react-router'
import { Activity, RotateCw } from 'lucide-react'
import { useMemo } from 'react'
import { Card } from '../../design/card'
import type { Endpoint } from '../../api/client'
import { runsQuery } from '../../api/saved-queries'
import { Button } from '../../design/button'
import { OlderButton } from '../../design/older-button'
import { Empty, Loading, ProblemNotice } from '../../design/feedback'
import { Select } from '../../design/fields/field'
import { Badge, Time } from '../../design/small'
import { parseRunMessage, type RunLine } from './run-message'
import { lazyComponent } from '../../design/lazy-component'

const Plot = lazyComponent(() => import('../../design/plot'))

const LEVELS = [
  ['', 'All runs'],
  ['INFO', 'Successful'],
  ['ERROR', 'Failed'],
] as const

/** The kinds of runs, whose durations differ. */
const SOURCES = ['events', 'materialized rows', 'stored result'] as const

/** The least runs whose durations are drawn: a line between fewer shows nothing. */
const MIN_TIMED = 5

const sourceOf = ({ isCached, isMaterialized }: RunLine): (typeof SOURCES)[number] =>
  isCached ? 'stored result' : isMaterialized ? 'materialized rows' : 'events'

const RefreshButton = ({ isBusy, onClick }: { isBusy: boolean; onClick(): void }) => (
  <Button isSmall isBusy={isBusy} onClick={onClick}>
    {!isBusy && <RotateCw size={13} aria-hidden />} Refresh
  </Button>
)

const route = getRouteApi('/project/$projectId/endpoints/$name')

export default function RunsTab({ projectId, query }: { projectId: number; query: Endpoint }) {
  const { level } = route.useSearch()
  const navigate = useNavigate()
  const list = useInfiniteQuery(runsQuery(projectId, query.name, level))
  const runs = useMemo(
    () =>
      list.data?.pages
        .flatMap(({ results }) => results)
        .map((line) => ({ ...line, ...parseRunMessage(line.level, line.message) })) ?? [],
    [list.data],
  )
  const timed = useMemo(
    () => runs.filter(({ isOk, durationMs }) => isOk && durationMs !== null).toReversed(),
    [runs],
  )
  const plot = useMemo(
    () => ({
      days: timed.map(({ timestamp }) => timestamp),
      series: SOURCES.filter((source) => timed.some((run) => sourceOf(run) === source)).map((source) => ({
        label: `ms from ${source}`,
        data: timed.map((run) => (sourceOf(run) === source ? run.durationMs : null)),
      })),
    }),
    [timed],
  )
  if (list.isPending) return <Loading label="Loading the runs" />
  if (!list.data) return <ProblemNotice error={list.error} onRetry={() => void list.refetch()} />
  const problem = list.isError && <ProblemNotice error={list.error} onRetry={() => void list.refetch()} />
  if (runs.length === 0 && level === undefined)
    return (
      <div className="card">
        {problem}
        <Empty icon={<Activity size={26} aria-hidden />} title="No runs yet">
          Each call of the endpoint leaves a line here for 30 days. What you try on this page leaves none.
          <RefreshButton isBusy={list.isRefetching} onClick={() => void list.refetch()} />
        </Empty>
      </div>
    )
  return (
    <div className="stack">
      {problem}
      {timed.length >= MIN_TIMED && (
        <Card title={`Duration of the last ${timed.length} successful runs`}>
          <Plot label="Duration of runs" {...plot} unit="time" isSparse />
        </Card>
      )}
      <Card
        title="Runs"
        action={
          <div className="row">
            <Select
              label="Result"
              isSmall
              value={level ?? ''}
              options={LEVELS}
              onChange={(chosen) =>
                void navigate({
                  to: '.',
                  search: { tab: 'runs', ...(chosen ? { level: chosen } : {}) },
                  replace: true,
                })
              }
            />
            <RefreshButton isBusy={list.isRefetching} onClick={() => void list.refetch()} />
          </div>
        }
      >
        {runs.length === 0 && <p className="soft">No run ended so.</p>}
        {runs.length > 0 && (
          <div className="result-table" tabIndex={0} role="region" aria-label="Lines of the log">
            <table>
              <thead>
                <tr>
                  <th>When</th>
                  <th>Result</th>
                  <th className="number">Duration</th>
                  <th className="number">Rows</th>
                  <th className="number">Version</th>
                  <th>From</th>
                </tr>
              </thead>
              <tbody>
                {runs.map((run) => (
                  <tr key={`${run.instance_id} ${run.timestamp}`} title={run.message}>
                    <td>
                      <Time at={run.timestamp} />
                    </td>
                    <td>
                      {run.isOk ? (
                        <Badge tone="good">OK</Badge>
                      ) : (
                        <span className="row">
                          <Badge tone="bad">Failed</Badge>
                          <span className="truncate">{run.reason}</span>
                        </span>
                      )}
                    </td>
                    <td className="number">
                      {run.durationMs === null ? '—' : `${run.durationMs.toLocaleString('en')} ms`}
                    </td>
                    <td className="number">{run.rows?.toLocaleString('en') ?? '—'}</td>
                    <td className="number">{run.version ?? '—'}</td>
                    <td>{run.isOk && sourceOf(run)}</td>
                  </tr>
                ))}
              </tbody>
            </table>
          </div>
        )}
        <OlderButton list={list} />
      </Card>
    </div>
  )
}
