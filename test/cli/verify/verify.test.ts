// `npm run verify` against a served Worker, as it is and with the faults that a deployment may have.
import { setTimeout as sleep } from 'node:timers/promises'
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { createTrigger } from '../../../src/cli/serve/triggers'
import { CHECKS } from '../../../src/cli/verify/checks'
import { verify } from '../../../src/cli/verify/run'
import { EVERY_MINUTE } from '../../../src/jobs/crons'
import { type ServedWorker, serveWorker } from '../../support/server/served-worker'
import { createProject, type Project } from '../project'
import { answers, edits, type Fault, fastClock, fetchThrough, on, PUBLIC } from './deployment'
import { FAULTS } from './faults'

const METRICS_TOKEN = 'metrics-token-of-the-test'
const PROJECT_CHECK = 'The key creates a project for the checks'

let worker: ServedWorker
let key: string
let triggers: NodeJS.Timeout
let output: string

beforeAll(async () => {
  worker = await serveWorker({ bindings: { METRICS_TOKEN } })
  key = worker.credentials.personalApiKey
  triggers = setInterval(
    createTrigger(worker.url, EVERY_MINUTE, () => {}),
    500,
  )
})
afterAll(async () => {
  clearInterval(triggers)
  await worker.stop()
})
beforeEach(() => {
  output = ''
})

const REAL_CLOCK = {
  now: Date.now,
  wait: (ms: number, signal: AbortSignal) => sleep(ms, undefined, { signal }),
}

/** @param names of the checks; default: all. */
const verifyWith = (
  fault?: Fault,
  { names, signal = new AbortController().signal }: { names?: readonly string[]; signal?: AbortSignal } = {},
) => {
  let isFaulty = false
  return verify({
    checks: CHECKS.filter(({ name }) => !names || names.includes(name)),
    url: PUBLIC,
    key,
    metricsToken: METRICS_TOKEN,
    say: (text) => (output += text),
    fetch: fetchThrough(worker.url, fault, () => (isFaulty = true)),
    signal,
    // Only what is broken is waited for in vain.
    ...(names ? fastClock(() => isFaulty) : REAL_CLOCK),
  })
}

async function read<T>(path: string): Promise<T> {
  const response = await fetch(`${worker.url}${path}`, { headers: { Authorization: `Bearer ${key}` } })
  return (await response.json()) as T
}

/** What there is of the project and beside it. */
async function contents() {
  const { results } = await read<{ results: { name: string }[] }>('/api/projects/')
  const lists = [
    'feature_flags',
    'endpoints',
    'persons',
    'webhooks',
    'dashboards',
    'insight_variables',
    'cohorts',
  ]
  return {
    projects: results.map(({ name }) => name),
    lists: await Promise.all(lists.map((list) => read(`/api/projects/${worker.projectId}/${list}/`))),
    settings: await read(`/api/projects/${worker.projectId}/`),
  }
}

describe('npm run verify', () => {
  let folder: Project
  beforeAll(() => {
    folder = createProject({})
  })
  afterAll(() => folder.remove())

  it('exits with 1 and says what to do', { timeout: 120_000 }, async () => {
    const { code, stdout, stderr } = await folder.run('verify', ['--url', worker.url], {
      HALYARD_KEY: key,
      METRICS_TOKEN: 'a-wrong-token',
    })
    expect({ code, stderr }).toEqual({ code: 1, stderr: '' })
    expect(stdout).toMatch(/^Verifying http:\/\/127\.0\.0\.1:\d+\n/)
    expect(stdout).not.toContain(key)
    expect(stdout).toMatch(
      /What to do:\n\n {2}Every database reports its size\n {4}saw: GET \/metrics answered 401.*\n {4}do: {2}Compare METRICS_TOKEN/,
    )
    expect(stdout).toContain('5 failed')
  })

  it.each([
    ['http://127.0.0.1:65533', /^http:\/\/127\.0\.0\.1:65533\/health did not answer: .*ECONNREFUSED.*\n$/],
    ['https://127.0.0.1:1/console', /^--url must be an origin such as https:\/\/flags\.example\.com, got/],
  ])('names what is wrong with --url %s', async (url, stderr) => {
    const ended = await folder.run('verify', ['--url', url], { HALYARD_KEY: key })
    expect(ended).toMatchObject({ stdout: '', stderr: expect.stringMatching(stderr) })
    expect(ended.code).not.toBe(0)
  })

  it('stops at once with a key that the service does not know', async () => {
    const ended = await folder.run('verify', ['--url', worker.url], { HALYARD_KEY: 'phx_unknown_key' })
    expect(ended).toMatchObject({ code: 1, stdout: '', stderr: expect.stringContaining('answered 401') })
    expect(ended.stderr).not.toContain('phx_unknown_key')
  })

  it('takes the key that is stored for the address', async () => {
    const { writeCredentials } = await import('../../../src/cli/local/credentials')
    const credentials = { base_url: worker.url, personal_api_key: 'phx_stored_key' } as never
    writeCredentials(`${folder.folder}/.dev/credentials.remote.staging.json`, credentials)
    const { stderr } = await folder.run('verify', ['--url', worker.url])
    expect(stderr).toContain('answered 401')
    expect((await folder.run('verify', ['--url', PUBLIC])).stderr).toBe(
      `Personal API key of ${PUBLIC} is missing: set HALYARD_KEY.\n`,
    )
  })

  it('deletes what it has written after Ctrl-C', { timeout: 60_000 }, async () => {
    const running = folder.start('verify', ['--url', worker.url], { HALYARD_KEY: key })
    const created = () =>
      contents().then(({ projects }) => projects.some((name) => name.startsWith('halyard-verify-')))
    await expect.poll(created, { timeout: 30_000, interval: 50 }).toBe(true)
    running.kill('SIGINT')
    const { code, stdout } = await running.ended
    expect(stdout).toContain('Interrupted: deleting the project of the checks…')
    expect(code).toBe(130)
    expect(await created()).toBe(false)
  })
})

describe('a deployment', () => {
  it('without faults passes every check, and is left as it was', { timeout: 60_000 }, async () => {
    const before = await contents()
    const isFine = await verifyWith()
    expect(output).toContain(`${CHECKS.length + 1} passed, 0 failed, 0 skipped.\n`)
    expect(isFine).toBe(true)
    expect(await contents()).toEqual(before)
  })

  it('has a fault in the table for every check', () => {
    expect(Object.keys(FAULTS).sort()).toEqual([PROJECT_CHECK, ...CHECKS.map(({ name }) => name)].sort())
  })

  const rows = Object.entries(FAULTS).flatMap(([name, faults]) =>
    faults.map(([saw, fault]) => ({ name, saw, fault })),
  )

  it.each(rows)('fails $name: $saw', { timeout: 60_000 }, async ({ name, saw, fault }) => {
    expect(await verifyWith(fault, { names: [name] })).toBe(false)
    const [line, found] = new RegExp(`^  FAILED   ${RegExp.escape(name)}: (.*)$`, 'm').exec(output) ?? []
    expect(line, output).toBeDefined()
    expect(found).toMatch(saw)
    const advice = CHECKS.find((check) => check.name === name)?.advice ?? 'Use a personal API key of an admin'
    expect(output).toContain(`    saw: ${found}\n    do:  ${advice}`)
    expect(output).toContain(', 1 failed, ')
  })

  it('is not blamed for a network that fails', async () => {
    const fault: Fault = ({ url }, forward) =>
      url.pathname === '/openapi.json'
        ? Promise.reject(new TypeError('fetch failed', { cause: new Error('ECONNRESET') }))
        : forward()
    expect(await verifyWith(fault, { names: ['The deployed version is that of this folder'] })).toBe(false)
    expect(output).toContain(
      `  no answer   The deployed version is that of this folder: ${PUBLIC}/openapi.json did not answer: ECONNRESET\n`,
    )
    expect(output).toContain('do:  No answer came, so this says nothing about the check.')
    expect(output).not.toContain('npm run deploy')
  })

  it('that leads elsewhere is not verified', async () => {
    const fault = answers(on('GET', /^\/health$/), 302, '', { Location: 'https://www.example.com/' })
    await expect(verifyWith(fault)).rejects.toThrow(
      `${PUBLIC} leads to https://www.example.com/: use that address.`,
    )
  })

  it('that counts calls is asked again after Retry-After', async () => {
    let calls = 0
    const fault: Fault = async ({ url }, forward) =>
      url.pathname === '/mcp' && calls++ === 0
        ? new Response('', { status: 429, headers: { 'Retry-After': '60' } })
        : forward()
    expect(await verifyWith(fault, { names: ['The tools for language models are listed'] })).toBe(true)
    expect(calls).toBe(2)
  })

  it('does not get secrets into the output', async () => {
    const echo = answers(on('POST', /^\/mcp$/), 500, `Bearer ${key} ${METRICS_TOKEN} \u001B[2J`)
    await verifyWith(echo, { names: ['The tools for language models are listed'] })
    expect(output).toContain('POST /mcp answered 500: Bearer [secret] [secret] \uFFFD[2J')
    expect(output).not.toContain(key)
  })

  it('without a project skips what writes, and makes the other checks', async () => {
    const fault = answers(on('POST', /^\/api\/projects\/$/), 503, { detail: 'away' })
    await verifyWith(fault, { names: ['The Worker answers', 'A captured event is queried'] })
    expect(output).toContain('  skipped  A captured event is queried: there is no project to write to\n')
    expect(output).toContain('  ok       The Worker answers\n')
  })

  it('without a bucket skips the check of its backups', async () => {
    const name = 'The last scheduled backup is from yesterday or today'
    const fault = edits(on('GET', /^\/metrics$/), (text) => text.replace('halyard_backup_failed 0\n', ''))
    expect(await verifyWith(fault, { names: [name] })).toBe(true)
    expect(output).toContain(`  skipped  ${name}: the Worker has no bucket BACKUPS, or it does not answer\n`)
  })

  it('keeps no project when a check fails, and none of an earlier run', async () => {
    const fault = answers(on('DELETE', /^\/api\/projects\/\d+\/$/), 500, { detail: 'away' })
    expect(await verifyWith(fault, { names: ['A query runs'] })).toBe(false)
    expect(output).toContain('  The project of the checks is deleted\n    saw: DELETE /api/projects/')
    expect((await contents()).projects).toContainEqual(expect.stringMatching(/^halyard-verify-[0-9a-f]{16}$/))
    const similar = await fetch(`${worker.url}/api/projects/`, {
      method: 'POST',
      headers: { Authorization: `Bearer ${key}`, 'Content-Type': 'application/json' },
      body: JSON.stringify({ name: 'halyard-verify-shop' }),
    })
    expect(similar.status).toBe(201)

    output = ''
    await verifyWith(undefined, { names: ['A query runs'] })
    expect(output).toContain(`  ok       ${PROJECT_CHECK} (deleted 1 of earlier runs)\n`)
    expect((await contents()).projects).toEqual(['Default project', 'halyard-verify-shop'])
  })

  it('is left clean when the run is interrupted', { timeout: 60_000 }, async () => {
    const before = await contents()
    const end = new AbortController()
    const fault: Fault = ({ url }, forward) => {
      if (url.pathname.endsWith('/materialization_status/')) end.abort(new Error('Interrupted.'))
      return forward()
    }
    const names = [
      "The minute's trigger runs: a scheduled change is made",
      'A webhook is delivered',
      'A captured event is queried',
      'An event sets a property of a person, which a flag reads',
      'A stream announces a change',
      'A saved query is materialized, and runs from its rows',
      // Never begun: the others run at the same time.
      'The tools for language models are listed',
    ]
    await expect(verifyWith(fault, { names, signal: end.signal })).rejects.toThrow('Interrupted.')
    expect(output).not.toContain('FAILED')
    expect(await contents()).toEqual(before)
  })
})
