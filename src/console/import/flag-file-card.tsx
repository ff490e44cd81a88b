// Shows a file of flags: how the project differs from it, how to apply it, and the file of the current project.
import { useMutation } from '@tanstack/react-query'
import { useState } from 'react'
import { Card } from '../design/card'
import { jsonIssueWords } from '../design/code/json-issue'
import { queryClient } from '../api/queries'
import { messageOf } from '../api/problem'
import type { FlagPlan } from '../../import/flag-file/plan'
import type { Names } from '../../import/posthog/names'
import { Button } from '../design/button'
import { Notice } from '../design/feedback'
import { Field, Input, SwitchRow } from '../design/fields/field'
import { download } from '../query/result/download'
import { Writers } from '../team/writers'

const load = () => import('./flag-file-engine')

const PRUNING = 'Delete flags that the file does not have any more'

interface Compared {
  plan: FlagPlan
  names: Names
  lines: string[]
}

export function FlagFileCard({ projectId }: { projectId: number }) {
  const [file, setFile] = useState<File | null>(null)
  const [prune, setPrune] = useState(false)
  const compared = useMutation({
    async mutationFn(): Promise<Compared> {
      if (!file) throw new Error('Choose a file.')
      const engine = await load()
      if (file.size > engine.MAX_FILE_BYTES) throw new Error(`${file.name} is too large.`)
      const text = await file.text()
      const issue = jsonIssueWords(text)
      if (issue !== null) throw new Error(`${file.name} is not valid JSON. ${issue}`)
      const parsed = engine.parseFlagFile(text, file.name)
      const read = await engine.readProjectFlags(engine.ownClient(), engine.projectPath(String(projectId)))
      const plan = engine.planFlags(parsed, read, prune)
      return { plan, names: read.names, lines: engine.planReport(plan, `“${PRUNING}”`) }
    },
    onMutate: () => applied.reset(),
  })
  const applied = useMutation({
    async mutationFn({ plan, names }: Compared) {
      const engine = await load()
      const { done, problems } = await engine.applyFlags(plan, {
        client: engine.ownClient(),
        project: engine.projectPath(String(projectId)),
        names,
        progress: () => {},
      })
      return { written: done.length, total: plan.steps.length, problems }
    },
    onSettled() {
      compared.reset()
      void queryClient.invalidateQueries()
    },
  })
  const pulled = useMutation({
    async mutationFn() {
      const engine = await load()
      const managedBy = file
        ? engine.parseFlagFile(await file.text(), file.name).managedBy
        : engine.DEFAULT_NAME
      const read = await engine.readProjectFlags(engine.ownClient(), engine.projectPath(String(projectId)))
      const { flags, problems } = engine.flagsForFile(read, engine.tagOf(managedBy))
      const text = engine.printFlagFile({ managedBy, flags }, `${location.origin}/halyard.schema.json`)
      download(engine.DEFAULT_NAME, 'application/json', text)
      return problems
    },
  })
  const { data } = compared
  const error = compared.error ?? applied.error ?? pulled.error
  const isBusy = compared.isPending || applied.isPending
  return (
    <Card
      title="Flags as a file"
      action={
        <Button isBusy={pulled.isPending} onClick={() => pulled.mutate()}>
          Download current
        </Button>
      }
    >
      <p className="soft">
        Compares the flags of the project with a file such as halyard.json, and makes them the same. The
        command npm run flags does this in CI.
      </p>
      <Field label="File of flags">
        {(control) => (
          <Input
            {...control}
            type="file"
            accept=".json"
            disabled={isBusy}
            onChange={(event) => {
              setFile(event.target.files?.[0] ?? null)
              compared.reset()
            }}
          />
        )}
      </Field>
      <SwitchRow
        title={PRUNING}
        hint="Those that have its tag. They can be restored."
        isChecked={prune}
        onChange={(value) => {
          setPrune(value)
          compared.reset()
        }}
      />
      <div className="row wrap">
        <Button isBusy={compared.isPending} disabled={applied.isPending} onClick={() => compared.mutate()}>
          Compare
        </Button>
        <span className="soft small">Changes nothing.</span>
      </div>
      {error && (
        <Notice tone="bad">
          <span className="import-lines">{messageOf(error)}</span>
        </Notice>
      )}
      {pulled.data && pulled.data.length > 0 && (
        <Notice tone="warn">
          <span className="import-lines">
            {pulled.data.map(({ key, problem }) => `${key} is not in the file: it ${problem}.`).join('\n')}
          </span>
        </Notice>
      )}
      {data && (
        <>
          <Notice tone={data.plan.steps.length === 0 ? 'good' : 'info'}>
            {data.plan.steps.length === 0
              ? 'The project is as the file says.'
              : 'The project is not as the file says.'}
          </Notice>
          <p className="mono small import-lines">{data.lines.join('\n')}</p>
          {data.plan.steps.length > 0 && (
            <div className="row wrap">
              <Writers>
                <Button kind="primary" isBusy={applied.isPending} onClick={() => applied.mutate(data)}>
                  Apply
                </Button>
              </Writers>
              <span className="soft small">Flags that change after the comparison are not overwritten.</span>
            </div>
          )}
        </>
      )}
      {applied.data && (
        <Notice tone={applied.data.problems.length > 0 ? 'warn' : 'good'}>
          {applied.data.written} of {applied.data.total} written.
          {applied.data.problems.map(({ key, problem }) => (
            <p key={key} className="small">
              <span className="mono">{key}</span>: {problem}
            </p>
          ))}
        </Notice>
      )}
    </Card>
  )
}
