// `npm run backup -- --remote` and `npm run restore -- --remote`, on an account of the test.
import { join } from 'node:path'
import { afterEach, expect, it } from 'vitest'
import { type Cloudflare, prepare, serveCloudflare, TOKEN } from '../cloudflare/server'
import { createProject } from '../project'
import { contentsOf, fillDatabases } from './contents'

const cleanups: (() => unknown)[] = []
afterEach(async () => {
  for (const cleanup of cleanups.splice(0).toReversed()) await cleanup()
})

it('a deployed service is restored into new databases, which are deployed onto', async () => {
  const cloudflare: Cloudflare = await serveCloudflare()
  cleanups.push(() => cloudflare.stop())
  prepare(cloudflare)
  const [main, shard] = [...cloudflare.databases.values()].map(({ sql }) => sql)
  fillDatabases(main!, shard!, 'small')
  const project = createProject({ CLOUDFLARE_API_BASE_URL: cloudflare.url, CLOUDFLARE_API_TOKEN: TOKEN })
  cleanups.push(() => project.remove())
  const backup = join(project.folder, 'backup')
  expect(await project.run('backup', [backup, '--remote'])).toMatchObject({ code: 0, stderr: '' })
  expect(cloudflare.changes).toEqual([])

  const before = [main!, shard!]
  for (const table of [
    'sessions',
    'login_challenges',
    'password_resets',
    'key_rotations',
    'webhook_deliveries',
    'visitor_salts',
    'reserve',
    'write_guards',
  ])
    main!.exec(`DELETE FROM ${table}`)
  for (const table of ['endpoint_results', 'materialized_tables', 'write_guards'])
    shard!.exec(`DELETE FROM ${table}`)
  cloudflare.databases.clear()
  // The main database is migrated and marked, and nothing else is done. One call comes too early.
  let isRefused = false
  cloudflare.interfere = (call) => {
    if (!isRefused && call === 'POST /d1/database') {
      isRefused = true
      return { status: 429, code: 971 }
    }
    const isMigrated = cloudflare.changes.some((change) => change.startsWith('migrate'))
    return isMigrated ? { status: 403, code: 10_000 } : null
  }
  expect(await project.run('restore', [backup, '--remote'])).toMatchObject({
    code: 1,
    stderr: expect.stringMatching(/^Cloudflare's response to POST .*: No \(10000\)\n$/),
  })
  expect(isRefused).toBe(true)
  cloudflare.interfere = null
  expect(await project.run('deploy', ['--plan', '--email', 'ada@example.com'])).toMatchObject({
    code: 1,
    stderr: expect.stringContaining(
      'halyard holds an unfinished restore. Run the same `npm run restore` again: it continues where it stopped.\n',
    ),
  })
  expect(await project.run('restore', [backup, '--remote'])).toMatchObject({
    code: 0,
    stderr: '',
    stdout: expect.stringContaining('Restored. Deploy onto the databases: npm run deploy,'),
  })
  expect([...cloudflare.databases.values()].map(({ name }) => name)).toEqual(['halyard', 'halyard-events'])
  expect([...cloudflare.databases.values()].map(({ sql }) => contentsOf(sql))).toEqual(before.map(contentsOf))

  const keys = { PAYLOAD_KEYS: '', ACCOUNT_KEYS: '' }
  for (const name of ['PAYLOAD_KEYS', 'ACCOUNT_KEYS'] as const) {
    keys[name] = `old:${Buffer.alloc(32, 6).toString('base64')}`
  }
  expect(await project.run('deploy', ['--plan'])).toMatchObject({
    code: 1,
    stderr: expect.stringContaining('the Worker has no PAYLOAD_KEYS and no ACCOUNT_KEYS'),
  })
  expect(await project.run('deploy', ['--plan'], keys)).toMatchObject({
    code: 0,
    stdout: expect.stringContaining('with PAYLOAD_KEYS, ACCOUNT_KEYS from the environment'),
  })
  expect(cloudflare.unknown).toEqual([])
})
