// The states of an account that plans are tested with, and the plan for the plainest of them.
import type { ActualState, DatabaseState } from '../../../src/cli/deploy/account-state'
import type { DesiredDatabase, DesiredState } from '../../../src/cli/deploy/desired-state'
import { planDeployment, type PlanOptions } from '../../../src/cli/deploy/plan'
import type { DeployStep } from '../../../src/cli/deploy/step'

const MAIN_FILES = ['0000_initial.sql', '0001_more.sql']
const SHARD_FILES = ['0000_events.sql']

const migrations = (files: readonly string[]) => files.map((file) => ({ file, sql: '' }))

export const MAIN: DesiredDatabase = {
  binding: 'DB',
  name: 'halyard',
  id: null,
  migrations: migrations(MAIN_FILES),
}
export const SHARD: DesiredDatabase = {
  binding: 'EVENTS',
  name: 'halyard-events',
  id: null,
  migrations: migrations(SHARD_FILES),
}
export const SECOND_SHARD: DesiredDatabase = { ...SHARD, binding: 'EVENTS_2', name: 'halyard-events-2' }

/** A configuration without any extras. */
export const DESIRED: DesiredState = {
  worker: 'halyard',
  environment: null,
  accountId: null,
  databases: [MAIN, SHARD],
  namespace: { title: 'halyard-snapshots', id: null },
  queues: ['halyard-builds', 'halyard-dead'],
  secrets: ['PAYLOAD_KEYS', 'ACCOUNT_KEYS'],
  vars: { MAX_FLAGS_PER_PROJECT: '2000', THROTTLES: 'on' },
  urls: [],
  onWorkersDev: true,
}

/** An account on which nothing was ever deployed. */
export const EMPTY: ActualState = {
  subdomain: 'example',
  databases: [],
  namespaces: [],
  queues: [],
  worker: null,
  schemas: {},
  usedShards: [],
}

export const MAIN_SCHEMA: DatabaseState = {
  applied: MAIN_FILES,
  missingTables: [],
  isRestoring: false,
  isInUse: true,
}
export const SHARD_SCHEMA: DatabaseState = {
  applied: SHARD_FILES,
  missingTables: [],
  isRestoring: false,
  isInUse: true,
}
const SCHEMAS = { DB: MAIN_SCHEMA, EVENTS: SHARD_SCHEMA }

/** Schemas of databases that nobody uses yet. */
export const UNUSED = {
  DB: { ...MAIN_SCHEMA, isInUse: false },
  EVENTS: { ...SHARD_SCHEMA, isInUse: false },
}

/** An account on which all of it was deployed. */
export const COMPLETE: ActualState = {
  subdomain: 'example',
  databases: [
    { id: 'd1', name: 'halyard' },
    { id: 'e1', name: 'halyard-events' },
  ],
  namespaces: [{ id: 'kv1', title: 'halyard-snapshots' }],
  queues: ['halyard-builds', 'halyard-dead', 'of-others'],
  worker: {
    databaseIds: { DB: 'd1', EVENTS: 'e1' },
    namespaceId: 'kv1',
    vars: {},
    secrets: ['PAYLOAD_KEYS', 'ACCOUNT_KEYS', 'OF_OTHERS'],
  },
  schemas: SCHEMAS,
  usedShards: ['EVENTS'],
}

const OPTIONS: PlanOptions = { email: 'ada@example.com', newDatabase: false, newSecrets: false, env: {} }

interface Case {
  desired?: Partial<DesiredState>
  actual?: Partial<ActualState>
  options?: Partial<PlanOptions>
}

/** The plan for a case that differs from `base`, by default the complete account, by some fields. */
export const plan = ({ desired, actual, options }: Case, base = COMPLETE) =>
  planDeployment({ ...DESIRED, ...desired }, { ...base, ...actual }, { ...OPTIONS, ...options })

/** The step of a plan that leaves something as it is. */
export const keep = (what: string): DeployStep => ({ do: 'keep', what })

export const bookmark = ({ binding, name }: DesiredDatabase): DeployStep => ({
  do: 'bookmark',
  binding,
  name,
})

export const migrate = ({ binding, name }: DesiredDatabase, ...files: string[]): DeployStep => ({
  do: 'migrate',
  binding,
  name,
  files,
})

export const create = ({ binding, name }: DesiredDatabase): DeployStep => ({
  do: 'createDatabase',
  binding,
  name,
})

/** The steps where everything exists, by name. */
const UNCHANGED = {
  build: [{ do: 'build' }],
  main: [keep('the D1 database halyard')],
  shard: [keep('the D1 database halyard-events')],
  namespace: [keep('the KV namespace halyard-snapshots')],
  builds: [keep('the queue halyard-builds')],
  dead: [keep('the queue halyard-dead')],
  secrets: [keep('the secrets PAYLOAD_KEYS, ACCOUNT_KEYS')],
  bookmarks: [bookmark(MAIN), bookmark(SHARD)],
  mainSchema: [keep('the schema of halyard: every migration is applied')],
  shardSchema: [keep('the schema of halyard-events: every migration is applied')],
  afterRestore: [],
  upload: [{ do: 'upload', worker: 'halyard', made: [], given: [] }],
  seed: [keep('the accounts, projects and keys')],
  ready: [{ do: 'awaitReady' }],
} satisfies Record<string, DeployStep[]>

/** A plan that leaves everything as it is, but for some steps. */
export const withSteps = (changed: Partial<Record<keyof typeof UNCHANGED, DeployStep[]>>) => ({
  steps: Object.values({ ...UNCHANGED, ...changed }).flat(),
})
