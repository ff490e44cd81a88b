// The configuration that wrangler gets: wrangler.toml with the ids that the plan chose.
import { expect, it } from 'vitest'
import { pinned } from '../../../src/cli/deploy/upload'

const section = (name: string) => ({
  name,
  d1_databases: [
    { binding: 'OTHER', database_name: 'other' },
    { binding: 'DB', database_name: name },
    { binding: 'EVENTS', database_name: `${name}-events` },
    { binding: 'EVENTS_2', database_name: `${name}-events-2` },
  ],
  kv_namespaces: [{ binding: 'SNAPSHOTS' }, { binding: 'OTHER', id: 'kv-other' }],
})

const CONFIG = { ...section('halyard'), main: 'src/index.ts', env: { staging: section('halyard-staging') } }
const IDS = { databases: { DB: 'd1', EVENTS: 'e1', EVENTS_2: 'e2' }, namespaceId: 'kv1' }

const withIds = (name: string) => ({
  name,
  d1_databases: [
    { binding: 'OTHER', database_name: 'other' },
    { binding: 'DB', database_name: name, database_id: 'd1' },
    { binding: 'EVENTS', database_name: `${name}-events`, database_id: 'e1' },
    { binding: 'EVENTS_2', database_name: `${name}-events-2`, database_id: 'e2' },
  ],
  kv_namespaces: [
    { binding: 'SNAPSHOTS', id: 'kv1' },
    { binding: 'OTHER', id: 'kv-other' },
  ],
})

it('has the ids at the top, and leaves everything else as it is', () => {
  expect(pinned(CONFIG, null, IDS)).toEqual({ ...CONFIG, ...withIds('halyard') })
})

it('has the ids in the environment that is deployed, and nowhere else', () => {
  expect(pinned(CONFIG, 'staging', IDS)).toEqual({ ...CONFIG, env: { staging: withIds('halyard-staging') } })
})

it('has no ids of databases and namespaces that do not exist yet', () => {
  const config = pinned(CONFIG, null, { databases: { DB: 'd1' }, namespaceId: null })
  expect(config.kv_namespaces).toEqual(CONFIG.kv_namespaces)
  expect(config.d1_databases?.map(({ database_id: id }) => id)).toEqual([
    undefined,
    'd1',
    undefined,
    undefined,
  ])
})
