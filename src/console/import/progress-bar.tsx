// How far an import has come, with a button that stops it.
import { useEffect, useState } from 'react'
import { duration } from '../../import/duration'
import { STREAM_TITLES } from '../../import/titles'
import { Button } from '../design/button'
import type { RunState } from './run-state'

const TITLES = { ...STREAM_TITLES, write: 'Writing', check: 'Comparing the flags of both sides' }

export function ProgressBar({ run, onStop }: { run: RunState; onStop(): void }) {
  const { progress, note, isApplied } = run
  const title = progress ? TITLES[progress.of] : isApplied ? 'Reading both sides' : 'Checking'
  const { done, total } = progress ?? { done: 0, total: null }
  return (
    <section className="card padded stack" aria-label="Progress of the import">
      <div className="row spread">
        <strong role="status">{title}</strong>
        <Button isSmall onClick={onStop}>
          Stop
        </Button>
      </div>
      {/* Without a value, it only moves. */}
      <progress aria-label={title} {...(total ? { max: total, value: done } : {})} />
      <p className="soft small">
        {progress && `${done.toLocaleString('en')}${total ? ` of ${total.toLocaleString('en')}` : ''}`}
        {progress && <TimeLeft done={done} total={total} since={progress.since} />}
        {note && ` ${note}`}
      </p>
    </section>
  )
}

function TimeLeft({ done, total, since }: { done: number; total: number | null; since: number }) {
  const [now, setNow] = useState(Date.now)
  useEffect(() => setNow(Date.now()), [done])
  if (!total || done === 0 || done >= total || now - since < 1_000) return null
  return <>, about {duration(((now - since) / done) * (total - done))} left</>
}
