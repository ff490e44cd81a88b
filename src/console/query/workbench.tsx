// Shows the workbench, on which a query is written and run: editor, variables, result.
import { keepPreviousData, useQuery } from '@tanstack/react-query'
import { Play, Square } from 'lucide-react'
import { type ComponentProps, useEffect, useId, useMemo, useRef, useState } from 'react'
import { flushSync } from 'react-dom'
import type { QueryCheck, QueryResult } from '../api/client'
import { mayRepeat, messageOf, Problem } from '../api/problem'
import { checkQuery, runQuery, variablesQuery } from '../api/saved-queries'
import { Button } from '../design/button'
import type { Diagnostic } from '../design/code/code-editor'
import { Loading, Message, ProblemNotice } from '../design/feedback'
import { TextArea } from '../design/fields/field'
import { JsonEditor } from '../design/code/json-editor'
import { Key } from '../design/small'
import { useSettled } from '../design/use-settled'
import { useShortcuts } from '../design/use-shortcuts'
import { Disclosure } from './disclosure'
import { hasForm } from './insight/insight-edit'
import { pathIn, placeOf as jsonPlaceOf } from './editor/json-place'
import {
  type QueryKind,
  type Draft,
  issueOf,
  missingIn,
  queryOf,
  storedValues,
  type Values,
  valueIssue,
  variableNames,
  withValues,
} from './draft'
import './query.css'
import { Results } from './result/results'
import { VariablesForm } from './variables-form'
import { lazyComponent } from '../design/lazy-component'

const InsightForm = lazyComponent(() => import('./insight/insight-form'))
const SqlEditor = lazyComponent(
  () => import('./editor/sql-editor'),
  // The field is read-only while the editor loads, because the focus would be lost.
  ({ value, autoFocus }) => (
    <TextArea
      className="code"
      rows={8}
      value={value}
      readOnly
      aria-label="Query"
      aria-busy
      autoFocus={autoFocus}
    />
  ),
)

interface WorkbenchProps {
  projectId: number
  draft: Pick<Draft, 'kind' | 'text'>
  onText(text: string): void
  /** The stored query. */
  stored?: Record<string, unknown>
  /** The name of the query, which is empty for a new one. */
  name: string
  /** The service's error when it rejected the query. */
  refusal: string | null
  /** The values of variables that the user entered. */
  entered: Values
  onEntered(values: Values): void
  /** Whether the shortcuts apply to this workbench. */
  isShown?: boolean
  /** Whether the query takes the focus when it is first shown. */
  autoFocus?: boolean
  /** The result to show until the query is run. */
  before?: Pick<ComponentProps<typeof Results>, 'result' | 'query' | 'when'> | undefined
}

interface Ran {
  result: QueryResult
  query: Record<string, unknown> & { kind: QueryKind }
  text: string
}

export function Workbench({
  projectId,
  draft,
  onText,
  stored,
  name,
  refusal,
  entered,
  onEntered,
  isShown = true,
  autoFocus = false,
  before,
}: WorkbenchProps) {
  const { kind, text } = draft
  const isSql = kind === 'HogQLQuery'
  const id = useId()
  const settled = useSettled(text)
  const check = useQuery({
    ...checkQuery(projectId, settled, isSql ? null : queryOf({ kind, text: settled })),
    enabled: issueOf({ kind, text: settled }) === null,
  })
  const variables = useQuery({
    ...variablesQuery(projectId),
    enabled: isSql,
    placeholderData: keepPreviousData,
  })
  const known = variables.data ?? []
  const values = { ...storedValues(stored, known), ...entered }
  const names = isSql ? variableNames(text) : []
  const missing = variables.isSuccess ? missingIn(names, known) : []

  const running = useRef<AbortController | null>(null)
  const results = useRef<HTMLDivElement>(null)
  const [isRunning, setIsRunning] = useState(false)
  const [ran, setRan] = useState<Ran | null>(null)
  const [failure, setFailure] = useState<{ error: unknown; text: string } | null>(null)
  useEffect(() => () => running.current?.abort(), [])

  const canRun =
    missing.length === 0 &&
    !known.some((each) => names.includes(each.code_name) && valueIssue(each, values[each.code_name]) !== null)
  const run = async () => {
    if (!canRun) return
    const issue = issueOf(draft)
    if (issue !== null) {
      setFailure({ error: new Problem(issue, 400), text })
      return
    }
    running.current?.abort()
    const controller = new AbortController()
    running.current = controller
    setIsRunning(true)
    try {
      const query = withValues(queryOf(draft, stored), values, known)
      const result = await runQuery(projectId, query, controller.signal)
      flushSync(() => {
        setRan({ result, query: { ...query, kind }, text })
        setFailure(null)
      })
      results.current?.scrollIntoView({ block: 'nearest' })
    } catch (error) {
      if (!controller.signal.aborted) setFailure({ error, text })
    } finally {
      if (running.current === controller) setIsRunning(false)
    }
  }
  useShortcuts(isShown ? { 'mod+enter': () => void run() } : {})

  // A check is of an earlier text if that has changed since, and is then not underlined.
  const checked = check.data && check.data.query === text ? check.data : undefined
  const problems = checked?.errors ?? NO_PROBLEMS
  const warnings = checked?.warnings ?? NO_PROBLEMS
  // Missing variables are not underlined, because the fields of variables show and create them.
  const problem = problems.find(
    ({ start, end }) => !missing.some((each) => text.slice(start ?? 0, end ?? 0).includes(each)),
  )
  const failed = failure && failure.text === text ? failure.error : null
  const place = (each: QueryCheck['errors'][number]) => (
    <>
      {each.start !== null && <>{placeOf(text, each.start)}: </>}
      {each.message}{' '}
      {each.fix !== null && (
        <Button
          isSmall
          onClick={() => onText(text.slice(0, each.start ?? 0) + each.fix + text.slice(each.end ?? 0))}
        >
          Replace by {each.fix}
        </Button>
      )}
    </>
  )
  const said = problem?.message ?? refusal
  const refused = refusal ?? (failed instanceof Problem && failed.status === 400 ? failed.message : null)
  const wrong = refused ?? problem?.message ?? null
  const underlined = useMemo(
    () =>
      isSql
        ? [
            ...problems.flatMap((each) => diagnosticsOf(each, text, 'error')),
            ...warnings.flatMap((each) => diagnosticsOf(each, text, 'warning')),
          ]
        : insightDiagnostics(wrong, text),
    [isSql, problems, warnings, wrong, text],
  )
  const editor = {
    value: text,
    onChange: onText,
    label: 'Query',
    isInvalid: Boolean(said),
    onSubmit: () => void run(),
    describedBy: `${id}-problem`,
    autoFocus: autoFocus && !hasForm(kind),
  }
  const shown = ran
    ? {
        ...ran,
        when: (
          <>
            ran in {millisecondsOf(ran.result)} ms
            {ran.text !== text && ' · of the query before your last change'}
          </>
        ),
      }
    : before
  return (
    <>
      <section className="card" aria-labelledby={`${id}-heading`}>
        <header>
          <h2 id={`${id}-heading`}>Query</h2>
        </header>
        <div className="body stack">
          {hasForm(kind) && <InsightForm {...{ projectId, kind, text, onText, autoFocus }} />}
          <div className="field">
            {isSql ? (
              <SqlEditor {...editor} projectId={projectId} problems={underlined ?? NONE} />
            ) : hasForm(kind) ? (
              // The JSON has the options that the form does not show, and those that the service rejects.
              <Disclosure summary="Query as JSON" isNeeded={wrong !== null || issueOf(draft) !== null}>
                <JsonEditor {...editor} problems={underlined} />
              </Disclosure>
            ) : (
              <JsonEditor {...editor} problems={underlined} />
            )}
            <div id={`${id}-problem`} className="check-line" aria-live="polite">
              {problem ? (
                // A run that is refused because of it has screen readers say it again.
                <p key={String(failed !== null)} className="error">
                  {place(problem)}
                </p>
              ) : refusal ? (
                <div className="error">
                  <Message text={refusal} />
                </div>
              ) : (
                checked?.isValid && <p className="hint">The query is valid.</p>
              )}
              {warnings.map((each) => (
                <p key={`${each.start} ${each.message}`} className="warning">
                  {place(each)}
                </p>
              ))}
              {check.isError && <p className="hint">Not checked: {messageOf(check.error)}</p>}
            </div>
          </div>
          <VariablesForm
            projectId={projectId}
            names={names}
            variables={known}
            values={values}
            onChange={(changed) => onEntered({ ...entered, ...changed })}
            missing={missing}
          />
          <div className="row wrap">
            <Button
              kind="primary"
              isBusy={isRunning}
              disabled={!canRun}
              onClick={() => void run()}
              aria-keyshortcuts="Control+Enter Meta+Enter"
            >
              {!isRunning && <Play size={15} aria-hidden />} Run <Key>{RUN_KEYS}</Key>
            </Button>
            {isRunning && (
              <Button
                onClick={() => {
                  running.current?.abort()
                  setIsRunning(false)
                }}
              >
                <Square size={13} aria-hidden /> Stop waiting
              </Button>
            )}
            <span className="soft small">Runs what is in the editor. Nothing is saved.</span>
          </div>
        </div>
      </section>
      {/* The editor says what is wrong with a query that it has checked. */}
      {failed !== null && (!problem || mayRepeat(failed)) && (
        <ProblemNotice error={failed} onRetry={() => void run()} />
      )}
      {isRunning && !shown && <Loading label="Running the query" />}
      {shown && failed === null && (
        <div ref={results}>
          <Results projectId={projectId} name={name} {...shown} />
        </div>
      )}
    </>
  )
}

const millisecondsOf = ({ timings }: QueryResult): string =>
  (timings.reduce((sum, { t }) => sum + t, 0) * 1_000).toLocaleString('en', { maximumFractionDigits: 0 })

const NONE: readonly Diagnostic[] = []

const NO_PROBLEMS: QueryCheck['errors'] = []

const RUN_KEYS = /Mac|iPhone|iPad/.test(navigator.platform) ? '⌘ ↵' : 'Ctrl ↵'

const placeOf = (text: string, at: number): string => {
  const lines = text.slice(0, at).split('\n')
  return `Line ${lines.length}, column ${lines.at(-1)!.length + 1}`
}

/** Problems of the query as a whole are not underlined. */
const diagnosticsOf = (
  { start, end, message }: { start: number | null; end: number | null; message: string },
  text: string,
  severity: 'error' | 'warning',
) =>
  start === null
    ? []
    : [
        {
          from: Math.min(start, text.length),
          to: Math.min(end ?? start + 1, text.length),
          severity,
          message,
        },
      ]

/** Underlines the option that the service rejects. The editor reports invalid JSON. */
function insightDiagnostics(message: string | null, text: string) {
  const path = message === null ? [] : pathIn(message)
  if (message === null || path.length === 0 || issueOf({ kind: 'TrendsQuery', text }) !== null)
    return undefined
  const place = jsonPlaceOf(text, path)
  return place ? [{ ...place, severity: 'error' as const, message }] : undefined
}
