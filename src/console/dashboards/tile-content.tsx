// Shows the result of a saved query in a tile.
import { type ReactNode, useEffect, useRef, useState } from 'react'
import { Empty, Loading, Notice, ProblemNotice } from '../design/feedback'
import { projectTimeZone } from '../api/queries'
import { Time } from '../design/small'
import type { Values } from '../query/draft'
import { rowsOfInsight } from '../query/insight/insight-rows'
import { displayOf, fitting, suggestedPlot, TABLE_KINDS, tableOf } from '../query/result/plot-choice'
import '../query/query.css'
import { ResultTable } from '../query/result/result-table'
import { useView } from '../query/result/use-view'
import { type RunTiming, useSavedRun } from '../query/use-saved-run'
import { lazyComponent } from '../design/lazy-component'
import { TileBody } from './tile-frame'

const ResultPlot = lazyComponent(() => import('../query/result/result-plot'))
const InsightPlot = lazyComponent(() => import('../query/insight/insight-plot'))

interface EndpointTileProps {
  projectId: number
  name: string
  /** The title of the tile. */
  title: string
  timing: RunTiming
  /** Whether the plot can be changed. */
  isEditing: boolean
  /** Values of variables, which replace those of the query. */
  values: Values
}

/**
 * A saved query. It runs when the tile is first on the screen, with its stored result if that is fresh enough, and again at each refresh.
 */
export const EndpointTile = (props: EndpointTileProps) => (
  <OnceSeen>
    <EndpointResult {...props} />
  </OnceSeen>
)

function EndpointResult({ projectId, name, title, timing, isEditing, values }: EndpointTileProps) {
  const { endpoint, query, run, result, takesRange } = useSavedRun(projectId, name, values, timing)
  const isTable = TABLE_KINDS.has(query?.kind ?? '')
  const [view, setView] = useView(projectId, query?.kind ?? '', name)
  if (endpoint.isError && !endpoint.data)
    return <ProblemNotice error={endpoint.error} onRetry={() => void endpoint.refetch()} />
  if (run.isError && !result) return <ProblemNotice error={run.error} onRetry={() => void run.refetch()} />
  if (!query || !result) return <Loading label={`Running ${title}`} />
  const table = isTable ? tableOf(result) : rowsOfInsight(query.kind, result.results, projectTimeZone())
  const plot = isTable && table ? (fitting(view.plot ?? null, table) ?? suggestedPlot(table)) : null
  const isOwnRange = timing.range !== null && !takesRange
  return (
    <TileBody
      name={title}
      note={
        <>
          Computed <Time at={result.last_refresh} />
          {isOwnRange && ' · Own time range: its SQL has no {filters}'}
        </>
      }
    >
      {run.isError && (
        <Notice tone="warn">Not refreshed: {run.error.message} This is the last result.</Notice>
      )}
      {isTable && table?.rows.length === 0 ? (
        <Empty title="No rows">The query ran, and nothing matches it.</Empty>
      ) : table && (view.shows === 'table' || (isTable && !plot)) ? (
        <ResultTable result={table} label={`Rows of ${title}`} />
      ) : table && plot ? (
        <ResultPlot
          result={table}
          choice={plot}
          onChange={isEditing ? (chosen) => setView({ ...view, plot: chosen }) : undefined}
          label={title}
        />
      ) : (
        <InsightPlot kind={query.kind} results={result.results} display={displayOf(query)} />
      )}
    </TileBody>
  )
}

/** Shows its children from the moment when they are first on the screen, because a project runs few queries at once. */
function OnceSeen({ children }: { children: ReactNode }) {
  const place = useRef<HTMLDivElement>(null)
  const [isSeen, setIsSeen] = useState(false)
  useEffect(() => {
    const observer = new IntersectionObserver(
      (entries) => entries.some(({ isIntersecting }) => isIntersecting) && setIsSeen(true),
    )
    observer.observe(place.current!)
    return () => observer.disconnect()
  }, [])
  return (
    <div ref={place} className="tile-fill">
      {isSeen ? children : <Loading label="Not on the screen yet" />}
    </div>
  )
}
