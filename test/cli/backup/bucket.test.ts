// A scheduled backup, as an operator meets it: the trigger writes it to the bucket, and an empty deployment that is restored from it answers as
// the first one did.
import { cpSync } from 'node:fs'
import { createServer } from 'node:net'
import type { AddressInfo } from 'node:net'
import { join } from 'node:path'
import { afterEach, expect, it } from 'vitest'
import type { Credentials } from '../../../src/cli/local/credentials'
import { DAILY } from '../../../src/jobs/crons'
import { createProject, type Project } from '../project'

const BUCKET = '\n[[r2_buckets]]\nbinding = "BACKUPS"\nbucket_name = "halyard-backups"\n'

const cleanups: (() => unknown)[] = []
afterEach(async () => {
  for (const cleanup of cleanups.splice(0).toReversed()) await cleanup()
})

function projectWithBucket(): Project {
  const project = createProject({}, (config) => config + BUCKET)
  cleanups.push(() => project.remove())
  return project
}

async function serving(project: Project, use: (url: string) => Promise<void>): Promise<void> {
  const server = createServer()
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const url = `http://localhost:${(server.address() as AddressInfo).port}`
  await new Promise((resolve) => server.close(resolve))
  const running = project.start('start', ['--port', new URL(url).port])
  try {
    const isReady = () =>
      fetch(`${url}/ready`).then(
        ({ ok }) => ok,
        () => false,
      )
    await expect.poll(isReady, { timeout: 90_000 }).toBe(true)
    await use(url)
  } finally {
    running.kill('SIGTERM')
    await running.ended
  }
}

it('a deployment that is restored from the bucket answers as the first one', async () => {
  const [from, to] = [projectWithBucket(), projectWithBucket()]
  expect(await from.run('setup')).toMatchObject({ code: 0 })
  const { personal_api_key: key, project_api_token: token } = JSON.parse(
    from.read('.dev/credentials.json'),
  ) as Credentials
  const call = async (url: string, path: string, body?: unknown) => {
    const response = await fetch(url + path, {
      method: body === undefined ? 'GET' : 'POST',
      headers: { Authorization: `Bearer ${key}`, 'Content-Type': 'application/json', Prefer: 'wait=10' },
      ...(body === undefined ? {} : { body: JSON.stringify(body) }),
    })
    return { status: response.status, body: (await response.json()) as Record<string, unknown> }
  }
  const project = '/api/projects/1'
  const read = async (url: string) => ({
    flags: await call(url, `${project}/feature_flags/`),
    activity: await call(url, `${project}/feature_flags/1/activity/`),
    payload: await call(url, `${project}/feature_flags/secret/remote_config`),
    evaluation: (await call(url, '/flags?v=2', { token, distinct_id: 'ada' })).body.flags,
    persons: await call(url, `${project}/persons/`),
    events: (await call(url, `${project}/endpoints/opened/run`)).body.results,
    user: (await call(url, '/api/users/@me/')).body.email,
  })
  let before = {}
  await serving(from, async (url) => {
    const filters = { groups: [{ properties: [], rollout_percentage: 100 }] }
    const secret = {
      key: 'secret',
      is_remote_configuration: true,
      has_encrypted_payloads: true,
      filters: { ...filters, payloads: { true: '"hidden"' } },
    }
    expect((await call(url, `${project}/feature_flags/`, secret)).status).toBe(201)
    const query = { kind: 'HogQLQuery', query: 'SELECT event, distinct_id FROM events ORDER BY timestamp' }
    expect((await call(url, `${project}/endpoints/`, { name: 'opened', query })).status).toBe(201)
    const event = {
      api_key: token,
      event: 'opened',
      distinct_id: 'ada',
      properties: { $set: { plan: 'pro' } },
    }
    expect((await call(url, '/i/v0/e/', event)).status).toBe(200)
    before = await read(url)
    const fired = await fetch(`${url}/cdn-cgi/local/scheduled?cron=${encodeURIComponent(DAILY)}`)
    expect(fired.status).toBe(200)
  })
  expect(before).toMatchObject({ payload: { body: '"hidden"' }, events: [['opened', 'ada']] })

  expect(await to.run('restore', ['--from-bucket', 'latest'])).toMatchObject({
    code: 1,
    stderr: 'The bucket has no finished backup. The daily trigger writes one.\n',
  })
  cpSync(join(from.folder, '.wrangler/state/v3/r2'), join(to.folder, '.wrangler/state/v3/r2'), {
    recursive: true,
  })
  expect(await to.run('restore', ['--from-bucket', '2020'])).toMatchObject({
    code: 1,
    stderr: expect.stringMatching(/^The bucket has no backup 2020\. It has: 20\d\d-/),
  })
  const secrets = Object.fromEntries(
    [...from.read('.dev.vars').matchAll(/^(\w+)="(.*)"$/gm)].map(([, name, value]) => [name!, value!]),
  )
  expect(await to.run('restore', ['--from-bucket', 'latest'], secrets)).toMatchObject({
    code: 0,
    stdout: expect.stringContaining('Restored. npm start serves it.\n'),
    stderr: '',
  })
  await serving(to, async (url) => {
    expect(await read(url)).toEqual(before)
  })
}, 300_000)
