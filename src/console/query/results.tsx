// What a run returned: as a plot, as a table, as a file.
import { Braces, ChartColumn, Download, Table2 } from 'lucide-react'
import { lazy, Suspense } from 'react'
import type { QueryResult } from '../api/client'
import { Button } from '../design/button'
import { Empty, Loading, Notice } from '../design/feedback'
import { Menu } from '../design/menu'
import type { QueryKind } from './draft'
import { csvOf, download, jsonOf } from './download'
import { fitting, type PlotChoice, type Result, suggestedPlot } from './plot-choice'
import { ResultTable } from './result-table'
import { useRemembered } from './use-remembered'

const ResultPlot = lazy(() => import('./result-plot'))
const InsightPlot = lazy(() => import('./insight-plot'))

interface ResultsProps {
  result: QueryResult
  /** Of the query that ran. */
  query: Record<string, unknown> & { kind: QueryKind }
  /** Names the files, and what is remembered. */
  name: string
  /** Whether the query has changed since it ran. */
  isOutdated: boolean
}

/** Kinds whose results are rows of columns. */
const TABLE_KINDS: ReadonlySet<string> = new Set([
  'HogQLQuery',
  'EventsQuery',
  'ActorsQuery',
  'WebStatsTableQuery',
] satisfies QueryKind[])

/** The query that a node of a user interface, such as `InsightVizNode`, has. */
const sourceOf = (query: ResultsProps['query']): ResultsProps['query'] =>
  'source' in query && query.kind.endsWith('Node') ? (query.source as ResultsProps['query']) : query

interface View {
  shows: 'table' | 'plot'
  plot: PlotChoice | null
}

export function Results({ result, query, name, isOutdated }: ResultsProps) {
  const source = sourceOf(query)
  const isTable = Array.isArray(result.results) && TABLE_KINDS.has(source.kind)
  const [view, setView] = useRemembered<Partial<View>>(`result ${name}`, {})
  const table: Result = {
    columns: result.columns ?? [],
    types: result.types ?? [],
    rows: isTable ? (result.results as unknown[][]) : [],
  }
  const plot = fitting(view.plot ?? null, table) ?? suggestedPlot(table)
  const shows = isTable ? (plot ? (view.shows ?? 'plot') : 'table') : (view.shows ?? 'plot')
  const count = isTable ? table.rows.length : 0
  const seconds = result.timings.reduce((sum, { t }) => sum + t, 0)
  const file = name || 'result'
  const json = isTable ? jsonOf(table.columns, table.rows) : JSON.stringify(result.results, null, 2)
  return (
    <section className="card" aria-label="Result">
      <header>
        <p className="soft small" aria-live="polite">
          {isTable && `${count.toLocaleString('en')} ${count === 1 ? 'row' : 'rows'} in `}
          {(seconds * 1_000).toLocaleString('en', { maximumFractionDigits: 0 })} ms
          {isOutdated && ' · of the query before your last change'}
        </p>
        <div className="row wrap">
          <div className="row" role="group" aria-label="Shown as">
            {(!isTable || plot) && (
              <Button
                isSmall
                aria-pressed={shows === 'plot'}
                className={shows === 'plot' ? 'primary' : ''}
                onClick={() => setView({ ...view, shows: 'plot' })}
              >
                <ChartColumn size={14} aria-hidden /> Plot
              </Button>
            )}
            <Button
              isSmall
              aria-pressed={shows === 'table'}
              className={shows === 'table' ? 'primary' : ''}
              onClick={() => setView({ ...view, shows: 'table' })}
            >
              {isTable ? <Table2 size={14} aria-hidden /> : <Braces size={14} aria-hidden />}{' '}
              {isTable ? 'Table' : 'JSON'}
            </Button>
          </div>
          <Menu
            trigger={
              <Button isSmall>
                <Download size={14} aria-hidden /> Download
              </Button>
            }
            groups={[
              {
                items: [
                  ...(isTable
                    ? [
                        {
                          label: 'CSV',
                          onSelect: () =>
                            download(`${file}.csv`, 'text/csv', csvOf(table.columns, table.rows)),
                        },
                      ]
                    : []),
                  {
                    label: 'JSON',
                    onSelect: () => download(`${file}.json`, 'application/json', json),
                  },
                ],
              },
            ]}
          />
        </div>
      </header>
      <div className="body stack">
        {result.metadata?.warnings.map(({ message }) => (
          <Notice key={message} tone="warn">
            {message}
          </Notice>
        ))}
        {result.hasMore && !result.metadata && (
          <Notice>These are the first {count} rows. Add a LIMIT to the query for more, up to 50,000.</Notice>
        )}
        {isTable && count === 0 ? (
          <Empty title="No rows">The query ran, and nothing matches it.</Empty>
        ) : shows === 'table' ? (
          isTable ? (
            <ResultTable result={table} label="Rows" />
          ) : (
            <pre className="json-result" tabIndex={0} aria-label="Result as JSON">
              {json}
            </pre>
          )
        ) : (
          <Suspense fallback={<Loading />}>
            {isTable && plot ? (
              <ResultPlot
                result={table}
                choice={plot}
                onChange={(chosen) => setView({ shows: 'plot', plot: chosen })}
                label={name || 'Result'}
              />
            ) : (
              <InsightPlot kind={source.kind} results={result.results} display={displayOf(source)} />
            )}
          </Suspense>
        )}
      </div>
    </section>
  )
}

const displayOf = ({ trendsFilter: filter }: Record<string, unknown>): string | null =>
  (filter as { display?: string } | null | undefined)?.display ?? null
