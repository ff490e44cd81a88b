// What an import did, and whether the flags of both sides say the same.
import type { CheckResult, Difference } from '../../import/check-people'
import type { Step } from '../../import/plan'
import { STREAM_TITLES } from '../../import/titles'
import { Button } from '../design/button'
import { Notice } from '../design/feedback'
import type { RunState } from './run-state'
import { StepList } from './step-list'

/** Of one flag, and of problems; more are counted. */
const MAX_SHOWN = 100

export function RunResult({ run, onAgain }: { run: RunState; onAgain(): void }) {
  const { written, moved, checked, plan } = run
  const steps = plan?.steps ?? []
  return (
    <section className="card" aria-labelledby="import-result">
      <header>
        <h2 id="import-result">Result</h2>
        {run.status !== 'running' && <Button onClick={onAgain}>Import again</Button>}
      </header>
      <div className="body stack">
        {written && (
          <Notice tone={written.problems.length > 0 ? 'warn' : 'good'}>
            {written.count === 0 && written.problems.length === 0
              ? 'All is the same: nothing had to be written.'
              : `${written.count.toLocaleString('en')} written.`}
            {written.problems.length > 0 && ' Some could not be written: import again when it is mended.'}
          </Notice>
        )}
        {written && written.problems.length > 0 && (
          <ul className="import-list">
            {written.problems.slice(0, MAX_SHOWN).map(({ step, problem }) => (
              <li key={`${step.item.kind} ${step.item.key} ${problem}`}>
                <span className="mono">{step.item.key}</span>
                <p className="soft small">{problem}</p>
              </li>
            ))}
          </ul>
        )}
        {moved.map(({ stream, rows, refusals }) => (
          <div key={stream}>
            <p>
              {STREAM_TITLES[stream]}: {rows.toLocaleString('en')} moved.
            </p>
            {refusals.slice(0, MAX_SHOWN).map(({ detail, times }) => (
              <p key={detail} className="soft small">
                {times.toLocaleString('en')} refused: {detail}
              </p>
            ))}
          </div>
        ))}
        {checked && <Comparison result={checked.result} />}
        {checked && checked.incomparable.length > 0 && (
          <p className="soft small">
            Not compared: {keysOf(checked.incomparable)}: {checked.incomparable[0]!.item.incomparable}
          </p>
        )}
        {checked && checked.kept.length > 0 && (
          <p className="soft small">Kept as here, and compared with the others: {keysOf(checked.kept)}</p>
        )}
        <StepList
          title="Cannot come over"
          hint="What names one of these cannot either."
          isOpen
          steps={steps.filter(({ action }) => action === 'blocked')}
        />
        <StepList
          title="Edited here"
          hint="These stayed as they are."
          isOpen
          steps={steps.filter(({ action }) => action === 'kept')}
        />
      </div>
    </section>
  )
}

const keysOf = (steps: readonly Step[]): string =>
  steps
    .slice(0, MAX_SHOWN)
    .map(({ item }) => item.key)
    .join(', ') + (steps.length > MAX_SHOWN ? ` and ${steps.length - MAX_SHOWN} more` : '')

function Comparison({ result: { people, known, differences } }: { result: CheckResult }) {
  const who = `${people.toLocaleString('en')} people (${known} of the source, ${people - known} made up)`
  if (differences.length === 0)
    return <Notice tone="good">The flags of both sides say the same of {who}.</Notice>
  const byFlag = Map.groupBy(differences, ({ flag }) => flag)
  return (
    <>
      <Notice tone="warn">
        {byFlag.size === 1 ? '1 flag differs' : `${byFlag.size} flags differ`} for some of {who}.
      </Notice>
      {[...byFlag].map(([flag, own]) => (
        <Differences key={flag} flag={flag} differences={own} />
      ))}
    </>
  )
}

const Differences = ({ flag, differences }: { flag: string; differences: readonly Difference[] }) => (
  <details className="import-steps">
    <summary>
      <span className="mono">{flag}</span>: {differences.length.toLocaleString('en')} people
    </summary>
    <ul className="import-list">
      {differences.slice(0, MAX_SHOWN).map(({ distinctId, there, here }) => (
        <li key={distinctId}>
          <span className="mono">{distinctId}</span>: {there} there, {here} here
        </li>
      ))}
    </ul>
    {differences.length > MAX_SHOWN && (
      <p className="soft small">and {differences.length - MAX_SHOWN} more</p>
    )}
  </details>
)
