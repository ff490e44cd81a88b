// `npm start` as a developer runs it, and as a process manager ends it: the real command.
import { execFileSync } from 'node:child_process'
import { mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { createServer as createHttpServer } from 'node:http'
import { createServer } from 'node:net'
import type { AddressInfo } from 'node:net'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { afterEach, beforeEach, expect, it } from 'vitest'
import type { Credentials } from '../../src/cli/local/credentials'
import { createProject, type Project } from './project'
import { sendBrokenRequests } from './serve/broken-requests'

const PATIENT = { timeout: 240_000 }

const ROOT = join(import.meta.dirname, '../..')

/** `BROKEN_REQUESTS=10000` sends more of them. */
const BROKEN_REQUESTS = Number(process.env.BROKEN_REQUESTS ?? 90)
const EVENTS = 1_000

let project: Project
let port: number
beforeEach(async () => {
  project = createProject({})
  port = await freePort()
})
afterEach(() => project.remove())

async function freePort(): Promise<number> {
  const server = createServer()
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const { port: free } = server.address() as AddressInfo
  await new Promise((resolve) => server.close(resolve))
  return free
}

const isResponding = () =>
  fetch(`http://127.0.0.1:${port}/health`).then(
    (response) => response.ok,
    () => false,
  )

/** Waits until a condition holds. A port that is closing may still answer once. */
async function until(condition: () => boolean | Promise<boolean>, seconds: number): Promise<boolean> {
  for (const end = Date.now() + seconds * 1000; Date.now() < end;) {
    if (await condition()) return true
    await new Promise((resolve) => setTimeout(resolve, 200))
  }
  return false
}

/** The process of `npm start`. */
const command = () => (JSON.parse(project.read('.dev/server.json')) as { pid: number }).pid

/** Processes that a command has started, with their names; those that have ended and wait for their parent not among them. */
const childrenOf = (parent: number): { pid: number; name: string }[] =>
  execFileSync('ps', ['-A', '-o', 'pid=,ppid=,stat=,comm='], { encoding: 'utf8' })
    .split('\n')
    .map((line) => line.trim().split(/\s+/))
    .filter(([, ppid, stat]) => Number(ppid) === parent && !stat?.startsWith('Z'))
    .map(([pid, , , name]) => ({ pid: Number(pid), name: name! }))

const runtimeOf = (parent: number): number =>
  childrenOf(parent).find(({ name }) => name === 'workerd')?.pid ?? 0

const isAlive = (pid: number): boolean => {
  try {
    return process.kill(pid, 0)
  } catch {
    return false
  }
}

const credentials = () => JSON.parse(project.read('.dev/credentials.json')) as Credentials

/** A project with files of its own: hard links, which need the same file system, so that deleting them deletes no other. */
function createOwnProject(): Project {
  const { TMPDIR } = process.env
  mkdirSync(join(ROOT, '.dev'), { recursive: true })
  process.env.TMPDIR = join(ROOT, '.dev')
  const own = createProject({})
  if (TMPDIR === undefined) delete process.env.TMPDIR
  else process.env.TMPDIR = TMPDIR
  for (const name of ['src', 'drizzle', 'migrations', 'node_modules']) {
    rmSync(join(own.folder, name))
    execFileSync('cp', ['-al', join(ROOT, name), join(own.folder, name)])
  }
  return own
}

/** Files of the folder that contain a text. */
const filesWith = (text: string): string[] =>
  readdirSync(project.folder, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile() && !entry.parentPath.includes('node_modules'))
    .map(({ parentPath, name }) => join(parentPath, name))
    .filter((path) => contentOf(path).includes(text))

/** Empty for a file that the runtime has deleted since it was listed. */
function contentOf(path: string): Buffer {
  try {
    return readFileSync(path)
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return Buffer.alloc(0)
    throw error
  }
}

/** A service with OpenAI's protocol that records the keys it gets, and answers nothing. */
async function modelServer() {
  const keys: (string | undefined)[] = []
  const server = createHttpServer((request, response) => {
    keys.push(request.headers.authorization)
    response.writeHead(500).end()
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  return {
    keys,
    baseUrl: `http://127.0.0.1:${(server.address() as AddressInfo).port}/v1`,
    close: () => server.close(),
  }
}

/** Asks for a suggestion, which the service asks its model for. */
async function askForSuggestion(): Promise<void> {
  const { personal_api_key: key } = credentials()
  const send = async (method: string, path: string, body: object) => {
    const response = await fetch(`http://127.0.0.1:${port}/api/${path}`, {
      method,
      headers: { Authorization: `Bearer ${key}`, 'Content-Type': 'application/json' },
      body: JSON.stringify(body),
    })
    await response.body?.cancel()
  }
  await send('PATCH', 'organizations/@current/', { is_ai_data_processing_approved: true })
  const query = 'SELECT event FROM events WHERE event != {variables.plan}'
  await send('POST', 'projects/@current/insight_variables/', { name: 'Plan', type: 'String' })
  await send('POST', 'projects/@current/endpoints/', {
    name: 'rejected',
    query: { kind: 'HogQLQuery', query },
  })
  await send('POST', 'projects/@current/endpoints/rejected/materialization_suggestion/', {})
}

/** The status of creating a flag whose payload is encrypted. */
async function createEncryptedPayload(): Promise<number> {
  const response = await fetch(`http://127.0.0.1:${port}/api/projects/@current/feature_flags/`, {
    method: 'POST',
    headers: {
      Authorization: `Bearer ${credentials().personal_api_key}`,
      'Content-Type': 'application/json',
    },
    body: JSON.stringify({
      key: 'sealed',
      is_remote_configuration: true,
      has_encrypted_payloads: true,
      filters: { groups: [{ properties: [], rollout_percentage: 100 }], payloads: { true: '"secret"' } },
    }),
  })
  await response.body?.cancel()
  return response.status
}

it('npm start serves, and ends with everything it started', PATIENT, async () => {
  const model = await modelServer()
  writeFileSync(
    join(project.folder, 'wrangler.toml'),
    project
      .read('wrangler.toml')
      .replace('AI_BASE_URL = ""', `AI_BASE_URL = "${model.baseUrl}"`)
      .replace('AI_MODEL = ""', 'AI_MODEL = "a-model"'),
  )
  writeFileSync(join(project.folder, '.dev.vars'), 'AI_API_KEY="optional"\n')
  const running = project.npm(['start', '--', '--port', String(port)])
  let runtime = 0
  try {
    expect(await until(isResponding, 180)).toBe(true)
    const url = `http://localhost:${port}`

    // A second one is rejected, and nothing is prepared for it.
    const before = credentials()
    for (const name of ['start', 'dev', 'setup']) {
      expect(await (name === 'start' ? project.run(name) : project.runHere(name))).toEqual({
        code: 1,
        stdout: '',
        stderr: `\`npm start\` already serves this folder on ${url} (process ${command()}). Use that server, or stop it first.\n`,
      })
    }
    expect(credentials()).toEqual(before)

    // Secrets of .dev.vars that wrangler.toml does not name reach the Worker.
    await askForSuggestion()
    expect(new Set(model.keys)).toEqual(new Set(['Bearer optional']))

    // So do those that this first start has made.
    expect(await createEncryptedPayload()).toBe(201)

    // A whole deployment works here as on the platform.
    const verified = await project.run('verify')
    expect(verified.stdout).toContain(' 0 failed, ')
    expect(verified).toMatchObject({ code: 0, stderr: '' })

    // Neither the databases nor the requests can be read without credentials.
    const key = 'phx_a_key_in_a_query_string'
    const status = async (path: string) => (await fetch(`http://127.0.0.1:${port}${path}`)).status
    expect(await status(`/api/projects/1/feature_flags/?personal_api_key=${key}`)).toBe(401)
    expect(await status('/cdn-cgi/explorer/api/d1/database')).toBe(404)
    expect(await status('/cdn-cgi/local/explorer/api/d1/database')).toBe(404)
    await new Promise((resolve) => setTimeout(resolve, 2_000))
    expect(filesWith(key)).toEqual([])
    runtime = runtimeOf(command())
    expect(runtime).not.toBe(0)
  } finally {
    running.kill('SIGTERM')
    model.close()
  }
  const { code, stdout, stderr } = await running.ended
  expect(await until(() => !isAlive(runtime), 5)).toBe(true)
  expect(await isResponding()).toBe(false)
  expect(readdirSync(join(project.folder, '.dev')).sort()).toEqual([
    'credentials.json',
    'server.lock',
    'worker.json',
  ])
  expect(stderr.replaceAll(/^npm warn.*\n/gm, '')).toBe('')
  const lines = stdout.slice(stdout.indexOf('\nHalyard is serving')).split('\n')
  const requests = lines.filter((line) => line.startsWith('{'))
  const shown = lines.filter((line) => !line.startsWith('{')).join('\n')
  expect(shown).toMatch(/^\nHalyard is serving on http:[^]*Ctrl-C stops the server\.\n\n$/)
  expect(requests.map((line) => JSON.parse(line) as object)).toContainEqual(
    expect.objectContaining({ route: '/api/projects/:project_id/feature_flags/', status: 401 }),
  )
  // Output that may be kept has no secrets.
  const { password, personal_api_key, project_api_token } = credentials()
  for (const secret of [password, personal_api_key, project_api_token]) expect(stdout).not.toContain(secret)
  expect(code).toBe(0)
})

it(
  'npm start survives broken requests, the loss of node_modules and of its runtime, and loses no event',
  PATIENT,
  async () => {
    project.remove()
    project = createOwnProject()
    const running = project.start('start', ['--port', String(port)])
    const started = { pid: 0, runtime: 0 }
    try {
      expect(await until(isResponding, 180)).toBe(true)
      started.pid = command()
      started.runtime = runtimeOf(started.pid)

      const answers = await sendBrokenRequests(port, BROKEN_REQUESTS)
      expect(Object.values(answers).flatMap((counts) => Object.keys(counts))).not.toContain('refused')
      expect(runtimeOf(started.pid)).toBe(started.runtime)
      // It may still be busy with the last ones.
      expect(await until(isResponding, 30)).toBe(true)

      // As `npm ci` deletes them.
      rmSync(join(project.folder, 'node_modules'), { recursive: true })
      process.kill(started.runtime, 'SIGKILL')
      const isNew = () => ![0, started.runtime].includes(runtimeOf(started.pid))
      expect(await until(isNew, 30)).toBe(true)
      expect(await until(isResponding, 30)).toBe(true)
      started.runtime = runtimeOf(started.pid)

      const { project_api_token: api_key } = credentials()
      for (let sent = 0; sent < EVENTS; sent += EVENTS / 5) {
        const batch = Array.from({ length: EVENTS / 5 }, (_, n) => ({
          event: 'kept',
          distinct_id: `user-${sent + n}`,
        }))
        const body = JSON.stringify({ api_key, batch })
        expect((await fetch(`http://127.0.0.1:${port}/batch/`, { method: 'POST', body })).status).toBe(200)
      }

      const flag = await callApi('POST', 'feature_flags/', { key: 'open', filters: { groups: [{}] } })
      const { cohort } = await callApi('POST', `feature_flags/${flag.id}/create_static_cohort_for_flag/`)
      process.kill(started.runtime, 'SIGKILL')
      const isFilled = async () =>
        (await callApi('GET', `cohorts/${cohort.id}/`).catch(() => null))?.is_calculating === false
      expect(await until(isFilled, 15)).toBe(true)
      expect((await callApi('GET', `cohorts/${cohort.id}/`)).count).toBe(EVENTS)
      started.runtime = runtimeOf(started.pid)
    } finally {
      running.kill('SIGKILL')
    }
    const { stdout } = await running.ended
    expect(stdout).toContain(
      `The server stopped: the runtime (workerd) was ended by SIGKILL. Starting it again…\nServing again on http://localhost:${port}\n`,
    )
    expect(await until(() => !isAlive(started.runtime), 5)).toBe(true)
    expect(countEvents('kept')).toBe(EVENTS)
  },
)

interface ApiBody {
  id: number
  cohort: { id: number }
  is_calculating: boolean
  count: number
}

/** @returns the body of the response. @throws while nothing serves. */
async function callApi(method: string, path: string, body?: object) {
  const headers = {
    Authorization: `Bearer ${credentials().personal_api_key}`,
    'Content-Type': 'application/json',
  }
  const url = `http://127.0.0.1:${port}/api/projects/@current/${path}`
  const response = await fetch(url, { method, headers, ...(body && { body: JSON.stringify(body) }) })
  return (await response.json()) as ApiBody
}

/** Events in the files of the local databases. */
function countEvents(name: string): number {
  const folder = join(project.folder, '.wrangler/state/v3/d1/miniflare-D1DatabaseObject')
  const counts = readdirSync(folder)
    .filter((file) => /^[0-9a-f]+\.sqlite$/.test(file))
    .map((file) => {
      const database = new DatabaseSync(join(folder, file))
      const table = database.prepare(`SELECT 1 FROM sqlite_master WHERE name = 'events'`).get()
      const row = table && database.prepare('SELECT count(*) AS n FROM events WHERE event = ?').get(name)
      database.close()
      return Number(row?.n ?? 0)
    })
  return counts.reduce((sum, count) => sum + count, 0)
}

it('npm run dev prepares the databases of an empty folder, as npm start does', PATIENT, async () => {
  const running = project.start('dev', ['--port', String(port)])
  const isReady = () =>
    fetch(`http://127.0.0.1:${port}/ready`).then(
      (response) => response.ok,
      () => false,
    )
  try {
    expect(await until(isReady, 180)).toBe(true)
    const { email, password } = credentials()
    const signedIn = await fetch(`http://127.0.0.1:${port}/api/login/`, {
      method: 'POST',
      headers: { 'Content-Type': 'application/json' },
      body: JSON.stringify({ email, password }),
    })
    expect([signedIn.status, await signedIn.text()]).toEqual([200, expect.stringContaining('success')])
  } finally {
    running.kill('SIGTERM')
  }
  expect((await running.ended).stdout).not.toContain(credentials().password)
})

it('npm start rejects the settings that a deployment rejects, and those of .dev.vars', PATIENT, async () => {
  const config = project.read('wrangler.toml')
  const changed = config
    .replace('FRESHNESS_SECONDS = "5"', 'FRESHNESS_SECONDS = "abc"')
    .replace('name = "STREAMS"', 'name = "STREAM"')
    .replace('ACTIVITY_RETENTION_DAYS', 'ACTIVITY_RETENTION_DAY')
  writeFileSync(join(project.folder, 'wrangler.toml'), changed)
  const refused = {
    code: 1,
    stdout: '',
    stderr: `\
wrangler.toml has no STREAMS under \`durable_objects.bindings\`.
The Worker does not read STREAM under \`durable_objects.bindings\` in wrangler.toml. Did you mean STREAMS?
wrangler.toml has no ACTIVITY_RETENTION_DAYS under \`vars\`.
The Worker does not read ACTIVITY_RETENTION_DAY under \`vars\` in wrangler.toml. Did you mean ACTIVITY_RETENTION_DAYS?
FRESHNESS_SECONDS in wrangler.toml has to be a whole number from 1 to 60, or be empty; it is "abc".
`,
  }
  expect(await project.run('deploy', ['--dry-run'])).toEqual(refused)
  expect(await project.run('start', ['--port', String(port)])).toEqual(refused)

  writeFileSync(join(project.folder, 'wrangler.toml'), config)
  const local =
    'ALLOW_PRIVATE_HOSTS="on"\nCAPTURE_STORES="on"\nPAYLOAD_KEY="k"\nCLICKHOUSE_URL="localhost:8123"\n'
  writeFileSync(join(project.folder, '.dev.vars'), local)
  expect(await project.run('start', ['--port', String(port)])).toEqual({
    code: 1,
    stdout: '',
    stderr:
      'The Worker does not read PAYLOAD_KEY in .dev.vars. Did you mean PAYLOAD_KEYS?\n' +
      'CLICKHOUSE_URL in .dev.vars has to be an address that begins with https://, or be empty; it is "localhost:8123".\n',
  })
  // Nothing was prepared.
  expect(readdirSync(join(project.folder, '.dev'))).toEqual(['server.lock'])
})

it('npm start names a port that is in use, and prepares nothing', PATIENT, async () => {
  const server = createServer()
  await new Promise<void>((resolve) => server.listen(port, '127.0.0.1', resolve))
  try {
    expect(await project.run('start', ['--port', String(port)])).toEqual({
      code: 1,
      stdout: '',
      stderr: `Port ${port} is in use by another program. Choose another one: npm start -- --port ${port + 1}\n`,
    })
  } finally {
    server.close()
  }
  expect(project.left()).toEqual(['.dev'])
  expect(readdirSync(join(project.folder, '.dev'))).toEqual(['server.lock'])
})
