// `npm start` as a developer runs it, and as a process manager ends it: the real command.
import { execFileSync } from 'node:child_process'
import { existsSync, readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { createServer as createHttpServer } from 'node:http'
import { createServer } from 'node:net'
import type { AddressInfo } from 'node:net'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, it } from 'vitest'
import { createProject, type Project } from './project'

const PATIENT = { timeout: 240_000 }

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

interface Lock {
  pid: number
  server?: { pid: number }
}

const lock = () => JSON.parse(project.read('.dev/server.json')) as Lock

/** Processes of a group, with their names; those that have ended and wait for their parent not among them. */
const processesOf = (group: number): { pid: number; name: string }[] =>
  execFileSync('ps', ['-A', '-o', 'pid=,pgid=,stat=,comm='], { encoding: 'utf8' })
    .split('\n')
    .map((line) => line.trim().split(/\s+/))
    .filter(([, pgid, stat]) => Number(pgid) === group && !stat?.startsWith('Z'))
    .map(([pid, , , name]) => ({ pid: Number(pid), name: name! }))

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
  const { personal_api_key: key } = JSON.parse(project.read('.dev/credentials.json')) as Record<
    string,
    string
  >
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

it(
  'npm start serves, survives a crash of the runtime, and ends with everything it started',
  PATIENT,
  async () => {
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
    let group = 0
    try {
      expect(await until(isResponding, 120)).toBe(true)
      const url = `http://localhost:${port}`

      // A second one is rejected, and nothing is prepared for it.
      const credentials = project.read('.dev/credentials.json')
      for (const command of ['start', 'dev', 'setup']) {
        expect(await project.run(command)).toEqual({
          code: 1,
          stdout: '',
          stderr: `\`npm start\` already serves this folder on ${url} (process ${lock().pid}). Use that server, or stop it first.\n`,
        })
      }
      expect(project.read('.dev/credentials.json')).toBe(credentials)

      // Secrets of .dev.vars that wrangler.toml does not name reach the Worker.
      await askForSuggestion()
      expect(new Set(model.keys)).toEqual(new Set(['Bearer optional']))

      // Neither the databases nor the requests can be read without credentials.
      const key = 'phx_a_key_in_a_query_string'
      const status = async (path: string) => (await fetch(`http://127.0.0.1:${port}${path}`)).status
      expect(await status(`/api/projects/1/feature_flags/?personal_api_key=${key}`)).toBe(401)
      expect(await status('/cdn-cgi/explorer/api/d1/database')).toBe(404)
      expect(await status('/cdn-cgi/local/explorer/api/d1/database')).toBe(404)
      await new Promise((resolve) => setTimeout(resolve, 2_000))
      expect(filesWith(key)).toEqual([])

      group = lock().server!.pid
      const runtime = processesOf(group).find(({ name }) => name === 'workerd')!
      process.kill(runtime.pid, 'SIGKILL')
      expect(await until(() => lock().server!.pid !== group, 30)).toBe(true)
      expect(await until(isResponding, 60)).toBe(true)
      expect(processesOf(group)).toEqual([])
      group = lock().server!.pid
    } finally {
      running.kill('SIGTERM')
      model.close()
    }
    const { code, stdout, stderr } = await running.ended
    expect(await until(() => processesOf(group).length === 0, 5)).toBe(true)
    expect(await isResponding()).toBe(false)
    expect(existsSync(join(project.folder, '.dev/server.json'))).toBe(false)
    expect(readdirSync(join(project.folder, '.dev'))).toEqual(['credentials.json'])
    expect(stderr.replaceAll(/^npm warn.*\n/gm, '')).toBe('')
    const lines = stdout.slice(stdout.indexOf('\nHalyard is serving')).split('\n')
    const requests = lines.filter((line) => line.startsWith('{'))
    const shown = lines.filter((line) => !line.startsWith('{')).join('\n')
    expect(shown).toMatch(
      /^\nHalyard is serving on http:[^]*Ctrl-C stops the server\.\n\nThe server stopped: the runtime \(workerd\) crashed\. Starting it again…\n/,
    )
    expect(shown.split('\n').length).toBeLessThan(25)
    expect(requests.map((line) => JSON.parse(line) as object)).toContainEqual(
      expect.objectContaining({ route: '/api/projects/:project_id/feature_flags/', status: 401 }),
    )
    expect(code).toBe(0)
  },
)

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
  expect(readdirSync(join(project.folder, '.dev'))).toEqual([])
})
