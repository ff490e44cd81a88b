import { setTimeout as sleep } from 'node:timers/promises'
import { parseArgs } from 'node:util'
import { runCommand, say } from './command'

const USAGE = `npm run verify -- [--url URL] [--key KEY] [--metrics-token TOKEN]

Checks in two minutes whether a deployment works, and says what to do where it does not. Exits with 1 then.

It writes to a project of its own, halyard-verify-…, and deletes it at its end, after Ctrl-C and when a run before was killed. One run at a time.

  --url URL              of the service; default: the local one
  --key KEY              a personal API key of an admin with all scopes; default: HALYARD_KEY, the credentials in .dev of that service, or a prompt
  --metrics-token TOKEN  the secret METRICS_TOKEN of the deployment, for what only operators see; default: METRICS_TOKEN`

/** The exit code of SIGINT in shells. */
const INTERRUPTED = 130

await runCommand(USAGE, async () => {
  const { values } = parseArgs({
    options: { url: { type: 'string' }, key: { type: 'string' }, 'metrics-token': { type: 'string' } },
  })
  const { CHECKS } = await import('./verify/checks')
  const { verify } = await import('./verify/run')
  const { readTarget } = await import('./verify/target')
  const { url, key } = await readTarget(values)
  const end = new AbortController()
  const stop = () => {
    // A second signal ends the process.
    release()
    say('\nInterrupted: deleting the project of the checks…\n')
    end.abort(new Error('Interrupted.'))
  }
  const SIGNALS = ['SIGINT', 'SIGTERM'] as const
  const release = () => SIGNALS.forEach((signal) => process.off(signal, stop))
  SIGNALS.forEach((signal) => process.on(signal, stop))
  try {
    const isFine = await verify({
      checks: CHECKS,
      url,
      key,
      metricsToken: values['metrics-token'] ?? process.env.METRICS_TOKEN ?? null,
      say,
      fetch,
      now: Date.now,
      wait: (ms, signal) => sleep(ms, undefined, { signal }),
      signal: end.signal,
    })
    if (!isFine) process.exitCode = 1
  } catch (error) {
    if (!end.signal.aborted) throw error
    process.exitCode = INTERRUPTED
  } finally {
    release()
  }
})
