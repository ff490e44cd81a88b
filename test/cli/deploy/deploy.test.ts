// `npm run deploy` as its operator runs it: the real command and the real wrangler, against a Cloudflare account of the test.
import { statSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { readMigrations } from '../../../src/cli/migrations'
import { type Cloudflare, QUEUES, serveCloudflare, TOKEN } from '../cloudflare/server'
import { createProject, type Project } from '../project'

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

/** A deployment runs wrangler four times. */
const PATIENT = { timeout: 400_000 }

const EMAIL = ['--email', 'ada@example.com']
const deploy = (...args: string[]) => project.run('deploy', ['--no-wait', ...args])

/** Changes without those that wrangler makes after an upload, several at once. */
const inOrder = () => cloudflare.changes.filter((change) => !/^(consume|answer) /.test(change))

/** Rows of the main database. */
const rows = (sql: string) => [...cloudflare.databases.values()][0]!.sql.prepare(sql).all()

describe('npm run deploy', PATIENT, () => {
  const NOBODY = { CLOUDFLARE_API_TOKEN: '' }

  afterEach(() => {
    expect(cloudflare).toMatchObject({ changes: [], unknown: [] })
    expect(project.left()).toEqual([])
  })

  it('builds with --dry-run, without an account', async () => {
    expect(await project.run('deploy', ['--dry-run'], NOBODY)).toEqual({
      code: 0,
      stderr: '',
      stdout:
        'Build the console and the Worker … done\n' +
        'Nothing was deployed: this was a dry run. `--plan` looks at the account, too.\n',
    })
  })

  it('explains how to log in', async () => {
    expect(await project.run('deploy', EMAIL, NOBODY)).toEqual({
      code: 1,
      stdout: '',
      stderr:
        'Not logged in to Cloudflare. Run `npx wrangler login`, or set CLOUDFLARE_API_TOKEN to a token of the template "Edit ' +
        'Cloudflare Workers" with the permissions D1:Edit and Queues:Edit added.\n',
    })
  })

  it('changes nothing when the code cannot be built', async () => {
    project.remove()
    project = projectWith((config) => config.replace('src/index.ts', 'src/nothing.ts'))
    expect(await project.run('deploy', EMAIL)).toEqual({
      code: 1,
      stdout: 'On the account account-1:\nBuild the console and the Worker … failed\n',
      stderr: expect.stringMatching(
        /^wrangler deploy failed:\n.*The entry-point file at "src\/nothing\.ts" was not found/,
      ),
    })
  })
})

describe('the first deployment', PATIENT, () => {
  it('leaves no files when it is interrupted; the next one continues, and one more for another address keeps all of it', async () => {
    // Secrets are on their way.
    const arrived = new Promise<void>((resolve) => {
      cloudflare.interfere = (call) => {
        if (call !== 'PUT /workers/scripts/halyard') return null
        resolve()
        return 'hang'
      }
    })
    const running = project.start('deploy', ['--no-wait', ...EMAIL])
    await arrived
    expect(project.left()).toEqual([expect.stringMatching(/^\.wrangler\.\d+\.json$/)])
    const [folder] = project.temporary()
    expect(statSync(join(folder!, 'secrets.json')).mode & 0o777).toBe(0o600)
    running.kill('SIGINT')
    expect(await running.ended).toMatchObject({ code: 130 })
    expect(project.left()).toEqual([])
    expect(project.temporary()).toEqual([])
    expect(inOrder()).toEqual([
      'create database halyard',
      'create database halyard-events',
      'create namespace halyard-snapshots',
      ...QUEUES.map((name) => `create queue ${name}`),
      ...readMigrations('main').map(({ file }) => `migrate halyard: ${file}`),
      ...readMigrations('events').map(({ file }) => `migrate halyard-events: ${file}`),
    ])

    cloudflare.interfere = null
    cloudflare.changes.length = 0
    const { code, stdout, stderr } = await deploy(...EMAIL)
    expect({ code, stderr, unknown: cloudflare.unknown }).toEqual({ code: 0, stderr: '', unknown: [] })
    expect(inOrder()).toEqual(['upload halyard', 'write to halyard'])

    const [databaseId, shardId] = cloudflare.databases.keys()
    const [namespaceId] = cloudflare.namespaces.keys()
    const worker = cloudflare.workers.get('halyard')!
    const bindingOf = (name: string) => worker.bindings.find((binding) => binding.name === name)
    expect(bindingOf('DB')).toEqual({ name: 'DB', type: 'd1', id: databaseId })
    expect(bindingOf('EVENTS')).toEqual({ name: 'EVENTS', type: 'd1', id: shardId })
    expect(bindingOf('SNAPSHOTS')).toEqual({
      name: 'SNAPSHOTS',
      type: 'kv_namespace',
      namespace_id: namespaceId,
    })
    expect(worker.crons).toEqual(['* * * * *', '17 3 * * *'])
    expect([...cloudflare.queues.values()].map(({ name, consumers }) => [name, consumers])).toEqual([
      [
        'halyard-ingestion',
        [expect.objectContaining({ script: 'halyard', dead_letter_queue: 'halyard-ingestion-dead' })],
      ],
      ['halyard-builds', [expect.objectContaining({ script: 'halyard' })]],
      ['halyard-webhooks', [expect.objectContaining({ script: 'halyard' })]],
      ['halyard-ingestion-dead', []],
    ])
    const secrets = { ...worker.secrets }
    expect(secrets).toEqual({
      PAYLOAD_KEYS: expect.stringMatching(/^k[0-9a-f]{8}:[A-Za-z0-9+/]{43}=$/),
      ACCOUNT_KEYS: expect.stringMatching(/^k[0-9a-f]{8}:[A-Za-z0-9+/]{43}=$/),
    })

    const credentials = JSON.parse(project.read('.dev/credentials.remote.json')) as Record<string, string>
    expect(statSync(join(project.folder, '.dev/credentials.remote.json')).mode & 0o777).toBe(0o600)
    expect(rows('SELECT id, email, is_staff FROM users')).toEqual([
      { id: 1, email: 'ada@example.com', is_staff: 1 },
    ])
    expect(rows('SELECT id, api_token, shard, query_engine FROM projects')).toEqual([
      {
        id: credentials.project_id,
        api_token: credentials.project_api_token,
        shard: 'EVENTS',
        query_engine: 'd1',
      },
    ])
    expect(stdout).toContain(`Halyard is at https://halyard.example.workers.dev\n`)
    expect(stdout).toContain(JSON.stringify(credentials, null, 2))
    expect(stdout).toContain(`
  curl -s https://halyard.example.workers.dev/api/projects/1/feature_flags/ \\
    -H 'Authorization: Bearer ${credentials.personal_api_key}' -H 'Content-Type: application/json' \\
    -d '{"key": "hello-world", "filters": {"groups": [{"rollout_percentage": 50}]}}'
`)
    expect(project.logs()).toContain('assets-upload-session')
    for (const secret of [TOKEN, ...Object.values(secrets)]) {
      expect(stdout).not.toContain(secret)
      expect(project.logs()).not.toContain(secret)
    }
    expect(project.left()).toEqual(['.dev'])
    expect(project.temporary()).toEqual([])

    // Another address, and none under workers.dev, is all that changes.
    writeFileSync(
      join(project.folder, 'wrangler.toml'),
      `routes = [{ pattern = "flags.example.com", custom_domain = true }]\n${project.read('wrangler.toml')}`,
    )
    cloudflare.subdomain = null
    cloudflare.changes.length = 0
    const second = await deploy()
    expect({ ...second, unknown: cloudflare.unknown }).toEqual({
      code: 0,
      stderr: '',
      unknown: [],
      stdout: `On the account account-1:
Build the console and the Worker … done
Keep the D1 database halyard
Keep the D1 database halyard-events
Keep the KV namespace halyard-snapshots
Keep the queue halyard-ingestion
Keep the queue halyard-builds
Keep the queue halyard-webhooks
Keep the queue halyard-ingestion-dead
Keep the secrets PAYLOAD_KEYS, ACCOUNT_KEYS
Read the bookmark of halyard … bookmark-of-halyard
Read the bookmark of halyard-events … bookmark-of-halyard-events
Keep the schema of halyard: every migration is applied
Keep the schema of halyard-events: every migration is applied
Deploy the Worker halyard … https://flags.example.com
Keep the accounts, projects and keys

Halyard is at https://flags.example.com

Check that it works:

  npm run verify -- --url https://flags.example.com
`,
    })
    expect(cloudflare.changes).toEqual(['upload halyard', 'answer at flags.example.com'])
    expect(cloudflare.workers.get('halyard')).toEqual(worker)
    expect(worker.secrets).toEqual(secrets)
    expect(JSON.parse(project.read('.dev/credentials.remote.json'))).toEqual({
      ...credentials,
      base_url: 'https://flags.example.com',
    })
  })
})
