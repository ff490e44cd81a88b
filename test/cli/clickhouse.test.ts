// `npm run clickhouse:setup`: the real command, against a server and an account that the test has.
import { createServer, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { afterEach, beforeEach, expect, it } from 'vitest'
import { type Cloudflare, prepare, serveCloudflare, TOKEN } from './cloudflare/server'
import { createProject, type Project } from './project'
import { stagingOf } from './staging'

let cloudflare: Cloudflare
let clickhouse: Server
let project: Project
/** What the server was asked, as `database: statement`, with the rows behind it. */
let asked: string[]

beforeEach(async () => {
  asked = []
  clickhouse = createServer(async (request, response) => {
    const { searchParams: search } = new URL(request.url!, 'http://clickhouse')
    let body = ''
    for await (const chunk of request) body += String(chunk)
    asked.push(`${search.get('database')}: ${[search.get('query'), body].filter(Boolean).join(' ')}`)
    response.end()
  })
  await new Promise<void>((resolve) => clickhouse.listen(0, '127.0.0.1', resolve))
  const url = `http://127.0.0.1:${(clickhouse.address() as AddressInfo).port}`

  cloudflare = await serveCloudflare()
  prepare(cloudflare)
  const [staging] = cloudflare.databases.values()
  staging!.name = 'halyard-staging'
  project = createProject(
    {
      CLOUDFLARE_API_BASE_URL: cloudflare.url,
      CLOUDFLARE_API_TOKEN: TOKEN,
      CLOUDFLARE_ACCOUNT_ID: 'account-1',
    },
    (config) => `${config}\n[env.staging]\n${withServer(stagingOf(config), url)}`,
  )
})

afterEach(async () => {
  project.remove()
  await cloudflare.stop()
  await new Promise((resolve) => clickhouse.close(resolve))
})

/** An environment that alone has a server. */
const withServer = (staging: string, url: string) =>
  staging
    .replace('CLICKHOUSE_URL = ""', `CLICKHOUSE_URL = "${url}"`)
    .replace('CLICKHOUSE_DATABASE = "default"', 'CLICKHOUSE_DATABASE = "staging"')

it(
  'fills the server of an environment from the database of that environment',
  { timeout: 180_000 },
  async () => {
    const [staging] = cloudflare.databases.values()
    staging!.sql.exec(`PRAGMA foreign_keys = OFF;
    INSERT INTO persons (id, project_id, uuid, properties, is_identified, created_at, version)
    VALUES (1, 7, 'the-person-of-staging', '{}', 1, '2026-03-10T12:00:00.000000Z', 3)`)

    const { code, stdout, stderr } = await project.run('clickhouse', [
      '--env',
      'staging',
      '--backfill',
      '--remote',
    ])
    expect({ code, stderr, unknown: cloudflare.unknown }).toEqual({ code: 0, stderr: '', unknown: [] })
    expect(asked[0]).toBe('null: CREATE DATABASE IF NOT EXISTS `staging`')
    expect(asked.slice(1).filter((each) => !each.startsWith('staging: '))).toEqual([])
    expect(asked.at(-1)).toMatch(/^staging: INSERT INTO persons .*"id":"the-person-of-staging"/)
    expect(stdout).toContain('The tables are in the database staging on 127.0.0.1:')
    expect(stdout).toContain('"persons":1')
  },
)

it('says what is missing where there is no server', async () => {
  expect(await project.run('clickhouse', [])).toEqual({
    code: 1,
    stdout: '',
    stderr: 'Set CLICKHOUSE_URL in wrangler.toml, or in the environment, and CLICKHOUSE_PASSWORD there.\n',
  })
  expect(await project.run('clickhouse', ['--env', 'nowhere'])).toMatchObject({
    code: 1,
    stderr: expect.stringContaining('No environment found in configuration with name "nowhere"'),
  })
  expect(asked).toEqual([])
})
