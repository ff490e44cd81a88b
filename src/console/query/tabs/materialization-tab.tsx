// Shows the materialization of a query: what it would be, why not, its state.
import { useMutation, useQuery } from '@tanstack/react-query'
import { Sparkles } from 'lucide-react'
import { useEffect, useState } from 'react'
import { Card } from '../../design/card'
import { type Endpoint, post } from '../../api/client'
import { endpointKey, materializationQuery, onEndpoint, previewQuery } from '../../api/saved-queries'
import { queryClient } from '../../api/queries'
import type { components } from '../../api/schema'
import { Button } from '../../design/button'
import { Loading, Notice, ProblemNotice } from '../../design/feedback'
import { CodeBlock, Time } from '../../design/small'
import { say } from '../../design/popups/toast'
import { ConfirmChange } from '../../edit/confirm-change'
import { showQuery, updateQuery } from '../../queries/change-queries'
import { MaterializationBadge } from '../../queries/query-badges'
import { FRESHNESS } from '../draft'
import { Writers } from '../../team/writers'

interface MaterializationProps {
  projectId: number
  query: Endpoint
  /** Continues the edit with another text. */
  onSuggestion(text: string): void
}

/** Poll interval of a build, in milliseconds. */
const WATCH_MS = 2_000

export default function MaterializationTab({ projectId, query, onSuggestion }: MaterializationProps) {
  const { name } = query
  const status = useQuery({
    ...materializationQuery(projectId, name),
    refetchInterval: ({ state: { data } }) =>
      data?.enabled && data.status !== 'Completed' && data.status !== 'Failed' ? WATCH_MS : false,
  })
  const preview = useQuery(previewQuery(projectId, name, query.current_version))
  const state = status.data
  // The header of the page and the list show it too.
  const { enabled, ready, status: built } = state ?? {}
  useEffect(() => {
    if (enabled === undefined) return
    void queryClient.invalidateQueries({ queryKey: endpointKey(projectId, name), exact: true })
    void queryClient.invalidateQueries({
      queryKey: previewQuery(projectId, name, query.current_version).queryKey,
    })
  }, [projectId, name, enabled, ready, built])
  const change = async (isMaterialized: boolean) => {
    showQuery(projectId, await updateQuery(projectId, name, { is_materialized: isMaterialized }))
    await queryClient.invalidateQueries({ queryKey: materializationQuery(projectId, name).queryKey })
    say(isMaterialized ? 'The rows are built in the background.' : 'The rows are no longer materialized.')
  }
  const build = useMutation({ mutationFn: () => change(true) })
  const [isStopping, setIsStopping] = useState(false)
  if (status.isPending) return <Loading label="Loading the state" />
  if (!state) return <ProblemNotice error={status.error} onRetry={() => void status.refetch()} />
  const age = FRESHNESS.find(([seconds]) => Number(seconds) === query.data_freshness_seconds)?.[1].replace(
    /^1 /,
    '',
  )
  return (
    <div className="stack">
      <Card
        title="State"
        action={
          <Writers>
            <div className="row wrap">
              {state.enabled && state.status === 'Failed' && (
                <Button isSmall isBusy={build.isPending} onClick={() => build.mutate()}>
                  Build again
                </Button>
              )}
              {/* One button, which keeps the focus. */}
              <Button
                isSmall={state.enabled}
                kind={state.enabled ? 'danger' : 'primary'}
                isBusy={build.isPending}
                disabled={!state.enabled && (!state.can_materialize || !query.is_active)}
                onClick={() => (state.enabled ? setIsStopping(true) : build.mutate())}
              >
                {state.enabled ? 'Stop materializing' : 'Materialize'}
              </Button>
            </div>
          </Writers>
        }
        isFlush
      >
        <div className="body stack">
          {build.isError && <ProblemNotice error={build.error} />}
          {state.enabled ? (
            <>
              <dl className="facts">
                <dt>Rows</dt>
                <dd aria-live="polite">
                  <MaterializationBadge materialization={state} />
                </dd>
                <dt>As of</dt>
                <dd>
                  {state.last_materialized_at ? (
                    <Time at={state.last_materialized_at} />
                  ) : (
                    'None yet: runs read events until the first build is complete.'
                  )}
                </dd>
                <dt>Rebuilt</dt>
                <dd>Every {age}, as set for the age of results.</dd>
              </dl>
              {state.error && <Notice tone="bad">{state.error}</Notice>}
            </>
          ) : state.hibernated ? (
            <Notice>
              No key ran the query for 30 days, so its rows were dropped. The next run by a key builds them
              again.
            </Notice>
          ) : state.can_materialize ? (
            <p>
              Runs compute the result from events. Materialized, the rows are built in the background, every{' '}
              {age}, and runs only read them: faster, and five times as many a minute. Every variable is then
              required.
              {!query.is_active && ' Activate the query first.'}
            </p>
          ) : (
            <Refused
              projectId={projectId}
              query={query}
              reason={state.reason ?? ''}
              onSuggestion={onSuggestion}
            />
          )}
        </div>
      </Card>
      {isStopping && (
        <ConfirmChange
          title="Stop materializing?"
          action="Stop materializing"
          onClose={() => setIsStopping(false)}
          change={() => change(false)}
        >
          The rows are deleted, and each run computes the result from events again: slower, and a fifth as
          many runs a minute.
        </ConfirmChange>
      )}
      {preview.data?.cost && <Cost cost={preview.data.cost} />}
      {preview.isError && <ProblemNotice error={preview.error} onRetry={() => void preview.refetch()} />}
      {preview.data?.can_materialize && (
        <Card title="What is built, and what runs read">
          <h3>Each build stores the rows of</h3>
          <CodeBlock label="Query of the rows" code={preview.data.transformed_query ?? ''} />
          <h3>Each run reads them with</h3>
          <CodeBlock
            label="Query of a run"
            code={withPlaceholders(preview.data.display_execution_query ?? '')}
          />
          {preview.data.range_pairs.length > 0 && (
            <p className="soft small">
              Bounds are rounded:{' '}
              {preview.data.range_pairs
                .map(({ column, bucket_fn: fn, variables }) => `${column} by ${fn} (${variables.join(', ')})`)
                .join('; ')}
              .
            </p>
          )}
        </Card>
      )}
    </div>
  )
}

/** Returns SQL whose placeholders do not read as texts: each run puts a value in their place. */
const withPlaceholders = (sql: string): string => sql.replace(/'(\{variables\.\w+\})'/g, '$1')

type BuildCost = NonNullable<components['schemas']['MaterializationPreview']['cost']>

const NUMBER = new Intl.NumberFormat('en', { maximumFractionDigits: 1 })

const megabytes = (bytes: number): string => `${NUMBER.format(bytes / 1_000_000)} MB`

const secondsText = (seconds: number): string =>
  seconds < 1 ? 'less than a second' : `${NUMBER.format(seconds)} seconds`

/** A build that may store more than this, and stores less than half of what it may, has no limit to think of. */
const AMPLE_BYTES = 50_000_000

function Cost({ cost }: { cost: BuildCost }) {
  const { last_build: last, rows_left: rows, bytes_left: bytes } = cost
  const isTight = bytes < AMPLE_BYTES || (last !== null && (last.rows > rows / 2 || last.bytes > bytes / 2))
  return (
    <Card title="What it costs">
      <dl className="facts">
        <dt>Each build</dt>
        <dd>
          {cost.rows_read === null || cost.seconds === null
            ? 'Not known before it runs: ClickHouse gives no estimate.'
            : `Reads at most ${NUMBER.format(cost.rows_read)} rows, and takes ${cost.seconds < 1 ? '' : 'at most '}${secondsText(cost.seconds)}.`}
        </dd>
        <dt>Builds a day</dt>
        <dd>{NUMBER.format(cost.builds_per_day)}</dd>
        {isTight && (
          <>
            <dt>May store</dt>
            <dd>
              {NUMBER.format(cost.rows_left)} rows, {megabytes(cost.bytes_left)}
            </dd>
          </>
        )}
        {last && (
          <>
            <dt>Last build</dt>
            <dd>
              Stored {NUMBER.format(last.rows)} {last.rows === 1 ? 'row' : 'rows'},{' '}
              {last.bytes < 100_000 ? `${NUMBER.format(last.bytes)} bytes` : megabytes(last.bytes)}, in{' '}
              {secondsText(last.seconds)}.
            </dd>
          </>
        )}
      </dl>
    </Card>
  )
}

interface RefusedProps extends MaterializationProps {
  reason: string
}

/** Shows why a query cannot be materialized, and a rewrite by a language model where the service has one. */
function Refused({ projectId, query, reason, onSuggestion }: RefusedProps) {
  const suggest = useMutation({
    mutationFn: () =>
      post(
        '/api/projects/{project_id}/endpoints/{name}/materialization_suggestion/',
        onEndpoint(projectId, query.name),
        {},
      ),
  })
  const found = suggest.data
  return (
    <>
      <Notice tone="warn">This query cannot be materialized: {reason}</Notice>
      {query.query.kind === 'HogQLQuery' && (
        <div>
          <Button isSmall isBusy={suggest.isPending} onClick={() => suggest.mutate()}>
            <Sparkles size={14} aria-hidden /> Suggest a rewrite
          </Button>
        </div>
      )}
      {suggest.isError && <ProblemNotice error={suggest.error} />}
      {found && (
        <div className="stack">
          {found.explanation && <p>{found.explanation}</p>}
          {found.error && <p className="soft">{found.error}</p>}
          {found.suggested_query && (
            <>
              <CodeBlock label="Suggested query" code={found.suggested_query} />
              <div>
                <Button isSmall onClick={() => onSuggestion(found.suggested_query!)}>
                  Continue with this query
                </Button>
              </div>
            </>
          )}
        </div>
      )}
    </>
  )
}
