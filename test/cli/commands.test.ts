// What `npm run deploy` prints without building, and `npm run setup -- --remote`, against an account of the test.
import { mkdirSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { readMigrations } from '../../src/cli/migrations'
import { type Cloudflare, prepare, serveCloudflare, TOKEN } from './cloudflare/server'
import { createProject, type Project } from './project'

const namesOf = (folder: 'main' | 'events') =>
  readMigrations(folder)
    .map(({ file }) => file.replace('.sql', ''))
    .join(', ')
const EMAIL = ['--email', 'ada@example.com']

let cloudflare: Cloudflare
let project: Project

beforeEach(async () => {
  cloudflare = await serveCloudflare()
  project = projectWith()
})

afterEach(async () => {
  project.remove()
  await cloudflare.stop()
})

const projectWith = (edit?: (config: string) => string) =>
  createProject({ CLOUDFLARE_API_BASE_URL: cloudflare.url, CLOUDFLARE_API_TOKEN: TOKEN }, edit)

describe('npm run deploy', () => {
  afterEach(() => {
    expect(cloudflare).toMatchObject({ changes: [], unknown: [] })
    expect(project.left()).toEqual([])
  })

  it('shows the steps with --plan', async () => {
    expect(await project.run('deploy', ['--plan', ...EMAIL])).toEqual({
      code: 0,
      stderr: '',
      stdout: `On the account account-1:
  Build the console and the Worker
  Create the D1 database halyard (DB)
  Create the D1 database halyard-events (EVENTS)
  Create the KV namespace halyard-snapshots
  Create the queue halyard-ingestion
  Create the queue halyard-builds
  Create the queue halyard-webhooks
  Create the queue halyard-ingestion-dead
  Migrate halyard: ${namesOf('main')}
  Migrate halyard-events: ${namesOf('events')}
  Deploy the Worker halyard, with new secrets PAYLOAD_KEYS, ACCOUNT_KEYS
  Create the first organization, project, user (ada@example.com) and key
  Wait until the service is ready
Nothing was changed.
`,
    })
  })

  it('names all problems of the plan', async () => {
    cloudflare.subdomain = null
    expect(await project.run('deploy')).toEqual({
      code: 1,
      stdout: '',
      stderr:
        'This account has no name under workers.dev yet, where the service would be reached. Choose one at ' +
        'https://dash.cloudflare.com/?to=/:account/workers/onboarding, or put a route of your own domain in wrangler.toml.\n' +
        'The first user needs an e-mail address: add --email you@example.com after the `--` of npm run.\n',
    })
  })
})

describe('npm run setup -- --remote', () => {
  it('creates the first user, invalidates after a restore, and renews lost credentials', async () => {
    project.remove()
    project = projectWith((config) =>
      config.replace('CLICKHOUSE_URL = ""', 'CLICKHOUSE_URL = "https://clickhouse.example.com"'),
    )
    prepare(cloudflare)
    const { sql } = cloudflare.databases.get('d1-prepared')!
    const credentials = () =>
      JSON.parse(project.read('.dev/credentials.remote.json')) as Record<string, string>
    const kept = `On the account account-1:
Read the bookmark of halyard … bookmark-of-halyard
Read the bookmark of halyard-events … bookmark-of-halyard-events
Keep the schema of halyard: every migration is applied
Keep the schema of halyard-events: every migration is applied
`

    mkdirSync(join(project.folder, '.dev'))
    writeFileSync(join(project.folder, '.dev/credentials.remote.json'), 'of another database')
    const first = await project.run('setup', ['--remote', ...EMAIL])
    expect(first).toMatchObject({ code: 0, stderr: '' })
    expect(project.read('.dev/credentials.remote.previous.json')).toBe('of another database')
    expect(first.stdout)
      .toContain(`${kept}Create the first organization, project, user (ada@example.com) and key … done

Halyard is at https://halyard.example.workers.dev

Keep these. They are shown once, and stored in .dev/credentials.remote.json, which only you can read:
${JSON.stringify(credentials(), null, 2)}
`)

    expect(sql.prepare('SELECT shard, query_engine FROM projects').all()).toEqual([
      { shard: 'EVENTS', query_engine: 'clickhouse' },
    ])

    const before = credentials()
    const second = await project.run('setup', ['--remote', '--after-restore', '--renew'])
    expect(second).toMatchObject({ code: 0, stderr: '' })
    expect(second.stdout).toContain(`${kept}Keep the accounts, projects and keys
End all sessions and publish all flags again … done
Make a new password and key for the first user … done

Halyard is at https://halyard.example.workers.dev
`)
    const { password, personal_api_key: key, ...same } = before
    expect(credentials()).toEqual({
      ...same,
      password: expect.any(String),
      personal_api_key: expect.any(String),
    })
    expect([credentials().password, credentials().personal_api_key]).not.toEqual([password, key])
    expect(sql.prepare('SELECT label FROM personal_api_keys ORDER BY created_at').all()).toEqual([
      { label: 'First key' },
      { label: 'Renewed key' },
    ])
    expect(sql.prepare('SELECT flags_generation > 1700000000000 AS moved FROM projects').all()).toEqual([
      { moved: 1 },
    ])
    // As after a run that created the user, and had no answer.
    rmSync(join(project.folder, '.dev'), { recursive: true })
    expect((await project.run('setup', ['--remote'])).stdout).toContain(
      'Warning: .dev/credentials.remote.json has no credentials of this service. If they are lost, make new ones: npm run setup -- --remote --renew\n',
    )
    expect(cloudflare.unknown).toEqual([])
  })
})
