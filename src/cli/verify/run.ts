// Runs the checks against a deployment, a few at a time, and deletes what they have written.
import { printable } from '../../import/printable'
import type { Check, Context } from './check'
import { readMetrics } from './metrics'
import { Failure, NetworkError, Skip } from './outcome'
import { createService, describe, type Fetch, type Service } from './service'
import { createProject, deleteProjects, type TemporaryProject } from './temporary-project'

/** Checks that run at the same time. More would only wait for each other, because the project's writes are serialized. */
const CONCURRENCY = 6

const PROJECT: Pick<Check, 'name' | 'advice'> = {
  name: 'The key creates a project for the checks',
  advice:
    'Use a personal API key of an admin, with all scopes and without a restriction to projects. After a 5xx, see what else fails: /ready names the part.',
}

const NETWORK =
  'No answer came, so this says nothing about the check. Look at the network, DNS and certificate between this machine and the service, then run again.'

export interface VerifyOptions {
  checks: readonly Check[]
  url: string
  key: string
  metricsToken: string | null
  say(text: string): void
  fetch: Fetch
  now(): number
  /** Rejects when the signal is aborted. */
  wait(ms: number, signal: AbortSignal): Promise<unknown>
  /** Ends the run with its reason. What was written is deleted all the same. */
  signal: AbortSignal
}

interface Problem {
  name: string
  saw: string
  advice: string
}

/**
 * @returns whether all checks passed or were skipped, and nothing is left
 * @throws NetworkError when the service does not respond at all; Failure when its address or the key is wrong; the reason of the signal
 */
export async function verify(options: VerifyOptions): Promise<boolean> {
  const { checks, url, key, metricsToken, fetch, signal } = options
  const ended = new AbortController()
  const end = AbortSignal.any([signal, ended.signal])
  const wait = (ms: number) => options.wait(ms, end)
  const say = (text: string) => options.say(printable(withoutSecrets(text, [key, metricsToken])))
  const service = createService({ url, key, fetch, wait, signal: end })
  // The cleanup is not aborted, so that what was created is also deleted after the run was ended.
  const { signal: never } = new AbortController()
  const cleaning = createService({ url, key, fetch, wait: (ms) => options.wait(ms, never), signal: never })
  await requireService(service)
  say(`Verifying ${service.url}\n\n`)

  const problems: Problem[] = []
  let passed = 0
  let skipped = 0

  async function make({ name, check, advice }: Check, context: Context): Promise<void> {
    try {
      const note = await check(context)
      passed += 1
      say(`  ok       ${name}${note ? ` (${note})` : ''}\n`)
    } catch (error) {
      if (signal.aborted) return
      if (error instanceof Skip) {
        skipped += 1
        return say(`  skipped  ${name}: ${error.message}\n`)
      }
      const isNetwork = error instanceof NetworkError
      const saw = sawOf(error)
      problems.push({ name, saw, advice: isNetwork ? NETWORK : advice })
      say(`  ${isNetwork ? 'no answer' : 'FAILED'}   ${name}: ${saw}\n`)
    }
  }

  let project: TemporaryProject | null = null
  try {
    await make(
      {
        ...PROJECT,
        async check() {
          const left = await deleteProjects(cleaning)
          signal.throwIfAborted()
          project = await createProject(cleaning)
          return left > 0 ? `deleted ${left} of earlier runs` : undefined
        },
      },
      {} as Context,
    )
    const context: Context = {
      service,
      project: async () => project ?? skip('there is no project to write to'),
      metrics: () => readMetrics(service, metricsToken),
      now: options.now,
      wait,
    }
    const rest = checks.values()
    const work = async () => {
      for (const check of rest) if (!signal.aborted) await make(check, context)
    }
    await Promise.all(Array.from({ length: CONCURRENCY }, work))
  } finally {
    ended.abort()
    const left = await clean(cleaning)
    if (left) problems.push(left)
  }

  if (problems.length > 0) {
    say('\nWhat to do:\n')
    // The problems are sorted, because checks run at the same time, and fail in any order.
    const places = new Map(checks.map(({ name }, index) => [name, index]))
    const placeOf = ({ name }: Problem) => places.get(name) ?? checks.length
    for (const { name, saw, advice } of problems.toSorted((a, b) => placeOf(a) - placeOf(b)))
      say(`\n  ${name}\n    saw: ${saw}\n    do:  ${advice}\n`)
  }
  signal.throwIfAborted()
  say(`\n${passed} passed, ${problems.length} failed, ${skipped} skipped.\n`)
  return problems.length === 0
}

/** @throws NetworkError, Failure */
async function requireService(service: Service): Promise<void> {
  const answer = await service.send('GET', '/health')
  const location = answer.headers.get('Location')
  if (answer.status >= 300 && answer.status < 400)
    throw new Failure(`${service.url} leads to ${location}: use that address.`)
  const key = await service.sendWithKey('GET', '/api/projects/?limit=1')
  if (key.status === 401 || key.status === 403)
    throw new Failure(`${describe('GET /api/projects/', key)}\n${PROJECT.advice}`)
}

const ATTEMPTS = 3

/**
 * Deletes the project.
 * @returns the problem, or null
 */
async function clean(service: Service): Promise<Problem | null> {
  for (let attempt = 1; ; attempt++) {
    try {
      await deleteProjects(service)
      return null
    } catch (error) {
      if (attempt < ATTEMPTS) continue
      return {
        name: 'The project of the checks is deleted',
        saw: sawOf(error),
        advice:
          'Run this command again, which deletes it, or delete the project halyard-verify-… in the console, under Projects.',
      }
    }
  }
}

function skip(reason: string): never {
  throw new Skip(reason)
}

/** Returns what an error shows. Errors of other kinds come from reading a response of another form. */
const sawOf = (error: unknown): string =>
  error instanceof Failure || error instanceof NetworkError
    ? error.message
    : `an answer has another form: ${(error as Error).message}`

const withoutSecrets = (text: string, secrets: readonly (string | null)[]): string =>
  secrets.reduce<string>((rest, secret) => (secret ? rest.replaceAll(secret, '[secret]') : rest), text)
