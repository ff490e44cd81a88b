// Shows the result of a run: as a plot, as a table, and as a file.
import { Braces, ChartColumn, Download, Table2 } from 'lucide-react'
import type { ReactNode } from 'react'
import type { QueryResult } from '../../api/client'
import { projectTimeZone } from '../../api/queries'
import { Button } from '../../design/button'
import { Empty, Notice } from '../../design/feedback'
import { Menu } from '../../design/popups/menu'
import type { QueryKind } from '../draft'
import { rowsOfInsight } from '../insight/insight-rows'
import { csvOf, download, jsonOf } from './download'
import { displayOf, fitting, suggestedPlot, TABLE_KINDS, tableOf } from './plot-choice'
import { ResultTable } from './result-table'
import { type Shows, useView } from './use-view'
import { lazyComponent } from '../../design/lazy-component'

const ResultPlot = lazyComponent(() => import('./result-plot'))
const InsightPlot = lazyComponent(() => import('../insight/insight-plot'))

interface ResultsProps {
  projectId: number
  result: Pick<QueryResult, 'results' | 'columns' | 'types' | 'hasMore' | 'metadata'>
  /** The query that ran. */
  query: Record<string, unknown> & { kind: QueryKind }
  /** The name of the files, and of the stored view. */
  name: string
  /** The text after the number of rows: when it was computed, or how long that took. */
  when: ReactNode
  actions?: ReactNode
}

const SHOWN_AS = {
  plot: { label: 'Plot', Icon: ChartColumn },
  table: { label: 'Table', Icon: Table2 },
  json: { label: 'JSON', Icon: Braces },
} as const

/** Returns the query inside a node of a user interface, such as `InsightVizNode`. */
const sourceOf = (query: ResultsProps['query']): ResultsProps['query'] =>
  'source' in query && query.kind.endsWith('Node') ? (query.source as ResultsProps['query']) : query

export function Results({ projectId, result, query, name, when, actions }: ResultsProps) {
  const source = sourceOf(query)
  const isTable = Array.isArray(result.results) && TABLE_KINDS.has(source.kind)
  const [view, setView] = useView(projectId, source.kind, name)
  const table = isTable ? tableOf(result) : rowsOfInsight(source.kind, result.results, projectTimeZone())
  const plot = isTable && table ? (fitting(view.plot ?? null, table) ?? suggestedPlot(table)) : null
  const options: Shows[] = [
    ...(isTable && !plot ? [] : (['plot'] as const)),
    ...(table ? (['table'] as const) : []),
    ...(isTable ? [] : (['json'] as const)),
  ]
  const shows = view.shows && options.includes(view.shows) ? view.shows : options[0]!
  const count = table?.rows.length ?? 0
  const file = name || 'result'
  const json = isTable && table ? jsonOf(table.columns, table.rows) : JSON.stringify(result.results, null, 2)
  return (
    <section className="card" aria-label="Result">
      <header>
        <p className="soft small" aria-live="polite">
          {isTable && `${count.toLocaleString('en')} ${count === 1 ? 'row' : 'rows'} · `}
          {when}
        </p>
        <div className="row wrap">
          {actions}
          <div className="row" role="group" aria-label="Shown as">
            {options.map((each) => {
              const { label, Icon } = SHOWN_AS[each]
              return (
                <Button
                  key={each}
                  isSmall
                  aria-pressed={shows === each}
                  className={shows === each ? 'primary' : ''}
                  onClick={() => setView({ ...view, shows: each })}
                >
                  <Icon size={14} aria-hidden /> {label}
                </Button>
              )
            })}
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
                  ...(table
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
        ) : shows === 'table' && table ? (
          <ResultTable result={table} label="Rows" />
        ) : shows === 'json' ? (
          <pre className="json-result" tabIndex={0} aria-label="Result as JSON">
            {json}
          </pre>
        ) : table && plot ? (
          <ResultPlot
            result={table}
            choice={plot}
            onChange={(chosen) => setView({ ...view, shows: 'plot', plot: chosen })}
            label={name || 'Result'}
          />
        ) : (
          <InsightPlot kind={source.kind} results={result.results} display={displayOf(source)} />
        )}
      </div>
    </section>
  )
}
