// Imports a project while the page is open: a form, a check that changes nothing, and the import.
import { getRouteApi, useBlocker } from '@tanstack/react-router'
import { type FormEvent, useEffect, useRef, useState } from 'react'
import { Button } from '../design/button'
import { Notice, ProblemNotice } from '../design/feedback'
import { LeaveDialog } from '../edit/leave-dialog'
import { type Draft, EMPTY, type FieldErrors, fieldErrorsOf, missingIn, streamsOf } from './draft'
import './import.css'
import { ExportCard } from './export-card'
import { FlagFileCard } from './flag-file-card'
import { PlanReport } from './plan-report'
import { ProgressBar } from './progress-bar'
import { RunResult } from './run-result'
import { SourceForm } from './source-form'
import { useImport } from './use-import'

const route = getRouteApi('/project/$projectId/settings/import')

export function ImportPage() {
  const { projectId } = route.useParams()
  return <ProjectImport key={projectId} projectId={projectId} />
}

function ProjectImport({ projectId }: { projectId: number }) {
  const [draft, setDraft] = useState<Draft>(EMPTY)
  const [missing, setMissing] = useState<FieldErrors>({})
  const { run, start, stop, clear } = useImport(projectId)
  const isRunning = run?.status === 'running'
  const isWriting = isRunning && run.isApplied
  const below = useRef<HTMLDivElement>(null)
  const shown = run && run.status !== 'failed' ? `${run.status} ${run.isApplied}` : null
  // The form may fill the screen.
  useEffect(() => {
    if (shown) below.current?.scrollIntoView({ block: 'start' })
  }, [shown])
  const blocker = useBlocker({
    shouldBlockFn: ({ current, next }) => isWriting && current.pathname !== next.pathname,
    enableBeforeUnload: isWriting,
    withResolver: true,
  })
  // After the source was read, an error is none of what was entered.
  const failed = run?.status === 'failed' && !run.plan ? fieldErrorsOf(run.error, draft) : null
  const begin = (isApplied: boolean) => {
    const errors = missingIn(draft)
    setMissing(errors)
    if (Object.keys(errors).length === 0) void start(draft, isApplied)
  }
  const submit = (event: FormEvent) => {
    event.preventDefault()
    begin(false)
  }
  return (
    <>
      <div className="page-header">
        <div className="titles">
          <h1>Import</h1>
          <p className="soft">
            Moves a project here: flags, cohorts, saved queries, dashboards, settings and all else that has no
            history. The source is only read.
          </p>
        </div>
      </div>
      <section className="card" aria-labelledby="import-source">
        <header>
          <h2 id="import-source">Source</h2>
        </header>
        <form noValidate className="body stack" onSubmit={submit}>
          <SourceForm
            projectId={projectId}
            draft={draft}
            isDisabled={isRunning}
            errors={{ ...failed, ...missing }}
            onChange={(change) => {
              setDraft({ ...draft, ...change })
              setMissing({})
              clear()
            }}
          />
          <div className="row wrap">
            <Button
              type="submit"
              kind={run?.plan ? 'default' : 'primary'}
              isBusy={isRunning && !run.isApplied}
              disabled={isRunning}
            >
              Check
            </Button>
            <span className="soft small">Reads both sides, and changes nothing.</span>
          </div>
        </form>
      </section>
      <div ref={below} />
      {run?.status === 'failed' && !failed && <ProblemNotice error={run.error} />}
      {isRunning && <ProgressBar run={run} onStop={stop} />}
      {run?.status === 'stopped' && (
        <Notice>
          Stopped. {run.isApplied && 'What is written stays. Import again to go on where it ended.'}
        </Notice>
      )}
      {run?.plan && !run.isApplied && (
        <PlanReport run={run} hasStreams={streamsOf(draft).length > 0} onImport={() => begin(true)} />
      )}
      {run?.isApplied && (run.written || !isRunning) && <RunResult run={run} onAgain={() => begin(true)} />}
      {!isRunning && <ExportCard projectId={projectId} />}
      {!isRunning && <FlagFileCard projectId={projectId} />}
      <LeaveDialog blocker={blocker} title="Stop the import?">
        The import runs while this page is open. What is written stays, and importing again continues.
      </LeaveDialog>
    </>
  )
}
