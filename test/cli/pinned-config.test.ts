// The configuration that wrangler gets: wrangler.toml, with the ids that are meant.
import { expect, it } from 'vitest'
import { pinned } from '../../src/cli/deploy/pinned-config'

const section = (name: string) => ({
  name,
  d1_databases: [
    { binding: 'OTHER', database_name: 'other' },
    { binding: 'DB', database_name: name },
  ],
  kv_namespaces: [{ binding: 'SNAPSHOTS' }, { binding: 'OTHER', id: 'kv-other' }],
})

const CONFIG = { ...section('halyard'), main: 'src/index.ts', env: { staging: section('halyard-staging') } }
const IDS = { databaseId: 'd1', namespaceId: 'kv1' }

const withIds = (name: string) => ({
  name,
  d1_databases: [
    { binding: 'OTHER', database_name: 'other' },
    { binding: 'DB', database_name: name, database_id: 'd1' },
  ],
  kv_namespaces: [
    { binding: 'SNAPSHOTS', id: 'kv1' },
    { binding: 'OTHER', id: 'kv-other' },
  ],
})

it('has the ids at the top, and leaves all else as it is', () => {
  expect(pinned(CONFIG, null, IDS)).toEqual({ ...CONFIG, ...withIds('halyard') })
})

it('has the ids in the environment that is deployed, and nowhere else', () => {
  expect(pinned(CONFIG, 'staging', IDS)).toEqual({ ...CONFIG, env: { staging: withIds('halyard-staging') } })
})

it('says nothing of what is not known', () => {
  expect(pinned(CONFIG, null, { databaseId: null, namespaceId: null })).toEqual(CONFIG)
})
