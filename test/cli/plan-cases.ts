// The states of an account that plans are tried with, and what is done in the plainest of them.
import { planDeployment, type PlanOptions, type Step } from '../../src/cli/deploy/plan'
import type { Present } from '../../src/cli/deploy/account-state'
import type { Wanted } from '../../src/cli/deploy/wanted'

/** A configuration without any extras. */
export const WANTED: Wanted = {
  worker: 'halyard',
  environment: null,
  accountId: null,
  database: { name: 'halyard', id: null },
  namespace: { title: 'halyard-snapshots', id: null },
  queues: ['halyard-builds', 'halyard-dead'],
  secrets: ['PAYLOAD_KEYS', 'ACCOUNT_KEYS'],
  vars: { MAX_FLAGS_PER_PROJECT: '2000', THROTTLES: 'on' },
  urls: [],
  onWorkersDev: true,
  migrations: ['0000_initial.sql', '0001_more.sql'],
}

/** An account on which nothing was ever deployed. */
export const EMPTY: Present = {
  subdomain: 'example',
  databases: [],
  namespaces: [],
  queues: [],
  worker: null,
  applied: [],
  hasUsers: false,
}

/** An account on which all of it was deployed. */
export const COMPLETE: Present = {
  subdomain: 'example',
  databases: [{ id: 'd1', name: 'halyard' }],
  namespaces: [{ id: 'kv1', title: 'halyard-snapshots' }],
  queues: ['halyard-builds', 'halyard-dead', 'of-others'],
  worker: { databaseId: 'd1', namespaceId: 'kv1', secrets: ['PAYLOAD_KEYS', 'ACCOUNT_KEYS', 'OF_OTHERS'] },
  applied: WANTED.migrations,
  hasUsers: true,
}

const OPTIONS: PlanOptions = { email: 'ada@example.com', newDatabase: false, newSecrets: false, env: {} }

interface Case {
  wanted?: Partial<Wanted>
  present?: Partial<Present>
  options?: Partial<PlanOptions>
}

/** The plan for a case that differs from `base`, by default the complete account, by some fields. */
export const plan = ({ wanted, present, options }: Case, base = COMPLETE) =>
  planDeployment({ ...WANTED, ...wanted }, { ...base, ...present }, { ...OPTIONS, ...options })

/** The step of a plan that leaves a thing as it is. */
export const keep = (what: string): Step => ({ do: 'keep', what })

/** What is done where everything is there. */
export const NOTHING_TO_MAKE: Step[] = [
  { do: 'build' },
  keep('the D1 database halyard'),
  keep('the KV namespace halyard-snapshots'),
  keep('the queue halyard-builds'),
  keep('the queue halyard-dead'),
  keep('the secrets PAYLOAD_KEYS, ACCOUNT_KEYS'),
  { do: 'bookmark' },
  keep('the schema, which has all 2 migrations'),
  { do: 'upload', worker: 'halyard', made: [], given: [] },
  keep('the accounts, projects and keys in the database'),
  { do: 'awaitReady' },
]

/** A plan with the steps of `NOTHING_TO_MAKE`, but for some of them. */
export const withSteps = (changed: Record<number, Step[]>) => ({
  steps: NOTHING_TO_MAKE.flatMap((step, index) => changed[index] ?? [step]),
})
