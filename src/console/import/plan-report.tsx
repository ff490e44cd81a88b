// What an import would do: counts by kind, and what needs a look.
import { duration } from '../../import/duration'
import { KINDS } from '../../import/model'
import type { Action, Step } from '../../import/plan'
import { KIND_TITLES, STREAM_TITLES } from '../../import/titles'
import { Button } from '../design/button'
import { Notice } from '../design/feedback'
import type { RunState } from './run-state'
import { StepList } from './step-list'

const ACTIONS: readonly (readonly [Action, string])[] = [
  ['create', 'New'],
  ['update', 'Changed'],
  ['same', 'The same'],
  ['kept', 'Edited here'],
  ['blocked', 'Cannot come over'],
]

/** In the order in which they need a look. */
const GROUPS: readonly { action: Action; title: string; hint: string; isOpen: boolean }[] = [
  {
    action: 'blocked',
    title: 'Cannot come over',
    hint: 'What names one of these cannot either.',
    isOpen: true,
  },
  {
    action: 'kept',
    title: 'Edited here',
    hint: 'These stay as they are, unless you overwrite what was edited here. This browser remembers what it imported: of what came another way, every difference counts as edited.',
    isOpen: true,
  },
  { action: 'update', title: 'Changed', hint: 'These become as they are at the source.', isOpen: true },
  { action: 'create', title: 'New', hint: 'These are created.', isOpen: false },
  { action: 'same', title: 'The same', hint: 'Nothing is written of these.', isOpen: false },
]

interface Props {
  run: RunState
  /** Whether people or events come along. */
  hasStreams: boolean
  onImport(): void
}

export function PlanReport({ run, hasStreams, onImport }: Props) {
  const { steps } = run.plan!
  const of = (action: Action) => steps.filter((step) => step.action === action)
  const isNeeded = hasStreams || of('create').length + of('update').length > 0
  return (
    <section className="card" aria-labelledby="import-report">
      <header>
        <h2 id="import-report">What the import would do</h2>
        {isNeeded && run.status === 'done' && (
          <Button kind="primary" onClick={onImport}>
            Import
          </Button>
        )}
      </header>
      <div className="body stack">
        {run.remarks.map((remark) => (
          <Notice key={remark}>{remark}</Notice>
        ))}
        {run.status === 'done' && (
          <Notice tone="good">
            {isNeeded ? 'Nothing is written yet.' : 'All is the same here: nothing would be written.'}
          </Notice>
        )}
        {steps.length > 0 && <Counts steps={steps} />}
        {run.estimates.length > 0 && (
          <ul className="import-list">
            {run.estimates.map(({ stream, rows, ms }) => (
              <li key={stream}>
                {STREAM_TITLES[stream]}: {rows === null ? 'an unknown number' : rows.toLocaleString('en')}
                {ms !== null && `, about ${duration(ms)}`}
              </li>
            ))}
          </ul>
        )}
        {GROUPS.map(({ action, ...group }) => (
          <StepList key={action} {...group} steps={of(action)} />
        ))}
      </div>
    </section>
  )
}

function Counts({ steps }: { steps: readonly Step[] }) {
  const count = (kind: string, action: Action) =>
    steps.filter((step) => step.item.kind === kind && step.action === action).length
  return (
    // Keys scroll it on a narrow screen.
    // oxlint-disable-next-line jsx-a11y/no-noninteractive-tabindex
    <div className="import-counts" tabIndex={0} role="group" aria-label="Items by kind">
      <table>
        <thead>
          <tr>
            <th scope="col">Kind</th>
            {ACTIONS.map(([action, title]) => (
              <th key={action} scope="col">
                {title}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {KINDS.filter((kind) => steps.some(({ item }) => item.kind === kind)).map((kind) => (
            <tr key={kind}>
              <th scope="row">{KIND_TITLES[kind]}</th>
              {ACTIONS.map(([action]) => (
                <td key={action}>{count(kind, action).toLocaleString('en')}</td>
              ))}
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  )
}
