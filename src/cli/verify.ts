import { setTimeout as sleep } from 'node:timers/promises'
import { runCommand, say, UsageError } from './command'

const USAGE = `npm run verify -- [--url URL]

Checks in two minutes whether a deployment works, and says what to do where it does not. Exits with 1 then.

It writes to a project of its own, halyard-verify-…, and deletes it at its end, after Ctrl-C and when a run before was killed. One run at a time.

  --url URL   of the service; default: the local one

The key is that of HALYARD_KEY, of the credentials in .dev of that service, or of a prompt: a personal API key of an admin with all scopes. For what
only operators see, METRICS_TOKEN is the secret of that name of the deployment.`

/** The exit code of SIGINT in shells. */
const INTERRUPTED = 130

await runCommand(USAGE, { options: { url: { type: 'string' } } }, async ({ values }) => {
  const { CHECKS } = await import('./verify/checks')
  const { verify } = await import('./verify/run')
  const { requireHalyardUrl, readHalyardKey } = await import('./import/options')
  const url = requireHalyardUrl('--url', values.url)
  if (new URL(url).pathname !== '/')
    throw new UsageError(`--url must be an origin such as https://flags.example.com, got "${url}".`)
  const key = await readHalyardKey(url)
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
      metricsToken: process.env.METRICS_TOKEN ?? null,
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
