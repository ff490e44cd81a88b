// Shows a saved query to read: its result with the time of it, and what it computes.
import { Pencil, RotateCw } from 'lucide-react'
import { Fragment } from 'react'
import type { Endpoint, PropertyFilter } from '../api/client'
import { DashboardVariables, type Entered } from '../dashboards/dashboard-variables'
import { Button } from '../design/button'
import { Card } from '../design/card'
import { highlight, sqlTokens } from '../design/code/highlight'
import { Loading, Notice, ProblemNotice } from '../design/feedback'
import { Time } from '../design/small'
import { Disclosure } from './disclosure'
import { textOf, type Values } from './draft'
import { CLAUSES } from './editor/completions'
import { useWording } from '../grammar/use-wording'
import { hasForm, readInsight } from './insight/insight-edit'
import { insightParts } from './insight/insight-words'
import { Results } from './result/results'
import { useSavedRun } from './use-saved-run'

const SQL = sqlTokens(CLAUSES)

interface SavedQueryProps {
  projectId: number
  saved: Endpoint
  /** Whether it can be run. */
  isRun: boolean
  onEdit(): void
  /** The values of variables that the user entered. */
  entered: Entered
  onEntered(values: Values): void
}

export function SavedQuery({ projectId, saved, isRun, onEdit, entered, onEntered }: SavedQueryProps) {
  return (
    <>
      {isRun && (
        <LastResult projectId={projectId} name={saved.name} entered={entered} onEntered={onEntered} />
      )}
      <Card
        title="Query"
        action={
          <Button onClick={onEdit}>
            <Pencil size={14} aria-hidden /> Edit
          </Button>
        }
      >
        <Definition projectId={projectId} query={saved.query} />
      </Card>
    </>
  )
}

interface LastResultProps extends Pick<SavedQueryProps, 'projectId' | 'entered' | 'onEntered'> {
  name: string
}

function LastResult({ projectId, name, entered, onEntered }: LastResultProps) {
  const { query, run, result } = useSavedRun(projectId, name, entered.settled)
  return (
    <>
      <DashboardVariables
        projectId={projectId}
        tiles={[{ endpoint: name }]}
        entered={entered.now}
        onChange={onEntered}
      />
      {run.isError && (
        <>
          <ProblemNotice error={run.error} onRetry={() => void run.refetch()} />
          {result && <Notice>This is the last result.</Notice>}
        </>
      )}
      {query && result ? (
        <Results
          projectId={projectId}
          result={result}
          query={query}
          name={name}
          when={
            <>
              computed <Time at={result.last_refresh} />
            </>
          }
          actions={
            <Button isSmall isBusy={run.isFetching} onClick={() => void run.refetch()}>
              {!run.isFetching && <RotateCw size={14} aria-hidden />} Run again
            </Button>
          }
        />
      ) : (
        !run.isError && <Loading label="Reading the last result" />
      )}
    </>
  )
}

/** SQL as it is written, or an insight in words. */
function Definition({ projectId, query }: Pick<Endpoint, 'query'> & { projectId: number }) {
  const { kind } = query
  const text = textOf(query)
  const { filters } = (hasForm(kind) && readInsight(text)) || { filters: null }
  const wording = useWording(projectId, [{ properties: (filters ?? []) as PropertyFilter[] }])
  const parts = hasForm(kind) ? insightParts(kind, text, wording) : null
  const code = (
    <pre className="json-result" tabIndex={0} aria-label="Text of the query">
      {highlight(text, kind === 'HogQLQuery' ? SQL : undefined)}
    </pre>
  )
  if (!parts) return code
  return (
    <>
      <dl className="facts">
        {parts.map(([name, words]) => (
          <Fragment key={name}>
            <dt>{name}</dt>
            <dd>{words}</dd>
          </Fragment>
        ))}
      </dl>
      <Disclosure summary="Query as JSON">{code}</Disclosure>
    </>
  )
}
