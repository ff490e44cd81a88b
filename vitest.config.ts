import { cloudflareTest, readD1Migrations } from '@cloudflare/vitest-pool-workers'
import { accessSync, constants, existsSync, readFileSync, statfsSync } from 'node:fs'
import { stripVTControlCharacters } from 'node:util'
import { defineConfig } from 'vitest/config'
import { BaseSequencer, type TestSpecification } from 'vitest/node'
import { startAgain } from './test/support/runner/start-again.ts'

// Keys of the right size for the pool only: every deployment makes its own.
const TEST_PAYLOAD_KEYS = `test:${Buffer.alloc(32, 7).toString('base64')}`
const TEST_ACCOUNT_KEYS = `test:${Buffer.alloc(32, 8).toString('base64')}`

// The bindings are given below; wrangler's advice about secrets, once a file, is of no use here.
process.env.WRANGLER_LOG ??= 'error'

/** What the runtime writes of calls that fail, as tests have them do by the hundred. A test sees such a failure itself. */
const RUNTIME_NOISE = /^(stack: |e = |exception = |uncaught exception; |NOSENTRY )/
/** The pool says at each start that a package of another name succeeds it. */
const RENAMED = /has been renamed to @cloudflare\/vitest-plugin/
for (const stream of [process.stdout, process.stderr]) {
  const write = stream.write.bind(stream) as (...args: unknown[]) => boolean
  stream.write = (...args: unknown[]) => {
    const text = stripVTControlCharacters(String(args[0]))
    return RENAMED.test(text) || (process.env.CI && RUNTIME_NOISE.test(text)) || write(...args)
  }
}

/** Where there is memory for them, databases are in memory: each commit to a disk waits for it. */
const MEMORY = '/dev/shm'
const NEEDED_BYTES = 4 * 1024 ** 3
if (hasRoom(MEMORY)) process.env.TMPDIR = MEMORY

function hasRoom(folder: string): boolean {
  try {
    accessSync(folder, constants.W_OK)
    const { bavail, bsize } = statfsSync(folder)
    return bavail * bsize >= NEEDED_BYTES
  } catch {
    return false
  }
}

/**
 * What the API promises: flags, evaluation, accounts, saved queries, and that they withstand attacks, stalls and crashes. `npm test` runs only these
 * of the project `shared`; the others are about what lies behind them, or other ways to reach it.
 */
const PROMISES = [
  'test/{account,activity,auth,console,endpoints,evaluation,flags,health,hogql,hostile,http,outbox,sdk,security,spec,stalls,webhooks}/**/*.test.ts',
  'test/*.test.ts',
]

// `npm test` takes 3 GB, on a machine that has other uses: without a limit, each of its runtimes grows to more than a gigabyte before it collects
// garbage.
if (process.env.ONLY_PROMISES)
  process.env.MINIFLARE_WORKERD_V8_FLAGS ??= '--max-old-space-size=500 --max-semi-space-size=8'

/** Tests that count or delete what all projects of a database have, or fill it. */
const HEAVY = [
  'test/operator/**/*.test.ts',
  'test/retention/**/*.test.ts',
  'test/analytics/{retention,triggers}.test.ts',
  'test/endpoints/materialization/cleanup.test.ts',
  'test/storage/{planner-stats,reencrypt,scheduled-backup,upgrade}.test.ts',
  'test/snapshots/{after-restore,staleness}.test.ts',
  'test/growth/**/*.test.ts',
]

/** Tests that start commands as processes, or call a served Worker. */
const SERVED = [
  'test/conformance/**/*.test.ts',
  'test/cli/{start,help,add-operation}.test.ts',
  'test/cli/backup/{served,restore}.test.ts',
  'test/cli/deploy/deploy.test.ts',
  'test/cli/import/{file,people,posthog,unleash}.test.ts',
  'test/cli/verify/verify.test.ts',
]

/** Tests that do not run in workerd. */
const IN_NODE = [
  'test/browser/**',
  'test/conformance/**',
  'test/cli/**',
  'test/check/**',
  'test/hostile/growth/**',
  'test/clickhouse/**',
  '**/node_modules/**',
]

/**
 * The order of projects. A runtime serves the next file only if that is of the same project, so that files of a project follow each other. Those of
 * the last ones are short, so that no file runs alone at the end.
 */
const ORDER = [
  'browser',
  'served',
  'clickhouse',
  'clickhouse-faults',
  'node',
  'commands',
  'workers',
  'shared',
]

/** Files that take longer than their size says: they begin before the others of their project, which begin by size. */
const LONGEST = [
  'test/browser/console/events.test.ts',
  'test/browser/console/flag.test.ts',
  'test/browser/console/query.test.ts',
  'test/cli/deploy/deploy.test.ts',
  'test/cli/verify/verify.test.ts',
  'test/clickhouse/differential/clock-changes.test.ts',
  'test/hostile/growth/entries/queries.test.ts',
  'test/hogql/hostile/hostile.test.ts',
  'test/fuzz/mcp.test.ts',
  'test/fuzz/operations.test.ts',
  'test/import/rejected.test.ts',
  'test/security/operations.test.ts',
  'test/security/sessions.test.ts',
  'test/security/tenants.test.ts',
  'test/security/viewers.test.ts',
  'test/snapshots/poisoned.test.ts',
  'test/stalls/fault-table.test.ts',
]

class LongestFirst extends BaseSequencer {
  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    const rank = ({ project, moduleId }: TestSpecification) =>
      ORDER.indexOf(project.name) * 2 + (LONGEST.some((path) => moduleId.endsWith(path)) ? 0 : 1)
    return (await super.sort(files)).toSorted((a, b) => rank(a) - rank(b))
  }
}

const BUNDLED = [
  'drizzle-orm',
  'drizzle-orm/d1',
  'drizzle-orm/sqlite-core',
  'zod',
  'hono',
  '@hono/zod-validator',
  're2js',
  'fast-check',
  '@cfworker/json-schema',
]

/** The pool gives tests the variables of the local service, which are not theirs: each is empty. */
const WITHOUT_LOCAL_VARIABLES = existsSync('.dev.vars')
  ? Object.fromEntries(
      [...readFileSync('.dev.vars', 'utf8').matchAll(/^\s*(\w+)\s*=/gm)].map(([, name]) => [name, '']),
    )
  : {}

const inWorkerd = () => [
  cloudflareTest(async () => ({
    wrangler: { configPath: './wrangler.toml' },
    remoteBindings: false,
    miniflare: {
      r2Buckets: ['TEST_BACKUPS'],
      bindings: {
        ...WITHOUT_LOCAL_VARIABLES,
        MIGRATIONS: {
          main: await readD1Migrations('./migrations/main'),
          events: await readD1Migrations('./migrations/events'),
        },
        THROTTLES: 'off',
        ALLOW_PRIVATE_HOSTS: 'on',
        // Costs are counted in large projects, too.
        MAX_FLAGS_PER_PROJECT: '100000',
        PAYLOAD_KEYS: TEST_PAYLOAD_KEYS,
        ACCOUNT_KEYS: TEST_ACCOUNT_KEYS,
        // Tests of domains have a resolver of their own.
        DNS_RESOLVER: 'http://127.0.0.1:1/dns-query',
        // A model that cannot be reached: tests that need one start their own.
        AI_BASE_URL: 'http://127.0.0.1:1/v1',
        AI_MODEL: 'test',
        FUZZ_RUNS: process.env.FUZZ_RUNS ?? '',
        FUZZ_SEED: process.env.FUZZ_SEED ?? '',
      },
    },
  })),
  startAgain(),
]

const AGAINST_BINDINGS = {
  setupFiles: [
    'test/support/runner/bound-properties.ts',
    'test/support/runner/plain-timers.ts',
    'test/support/runner/flat-proxies.ts',
    'test/support/runner/this-machine.ts',
    'test/support/runner/migrate.ts',
  ],
  // The difference of two values takes time that is quadratic in its lines: minutes without output for a few ten thousand.
  diff: { truncateThreshold: 1_000 },
  // A runtime fetches every module when it starts: libraries come as one module each.
  deps: { optimizer: { ssr: { enabled: true, include: BUNDLED } } },
  // The first test of a file compiles what it imports, which takes a while on a busy machine.
  testTimeout: 40_000,
  hookTimeout: 60_000,
}

const IN_THIS_PROCESS = { isolate: false, testTimeout: 60_000, hookTimeout: 120_000 }

export default defineConfig({
  test: {
    // One more than the cores that all tests are for: some wait for timeouts, for processes or for pages.
    maxWorkers: process.env.ONLY_PROMISES ? 2 : 3,
    silent: 'passed-only',
    sequence: { sequencer: LongestFirst },
    reporters: [process.env.CI ? 'dot' : 'default', './test/support/runner/reporter.ts'],
    projects: [
      {
        // In workerd, against real D1, KV and Durable Objects. Tests keep apart by making their own organization, so that files which write
        // little share a runtime: starting one takes longer than most of them.
        plugins: [inWorkerd()],
        test: {
          name: 'shared',
          include: process.env.ONLY_PROMISES ? PROMISES : ['test/**/*.test.ts'],
          exclude: [...HEAVY, ...IN_NODE],
          globalSetup: ['test/support/server/serve-model.ts', 'test/support/server/serve-receiver.ts'],
          isolate: false,
          ...AGAINST_BINDINGS,
        },
      },
      {
        // The same, each file with empty storage: those that fill a database, or end an object's life.
        plugins: [inWorkerd()],
        test: {
          name: 'workers',
          include: HEAVY,
          globalSetup: ['test/support/server/serve-model.ts'],
          isolate: false,
          ...AGAINST_BINDINGS,
          setupFiles: ['test/support/runner/empty.ts', ...AGAINST_BINDINGS.setupFiles],
        },
      },
      {
        // In Node, which tells processor time and memory.
        test: {
          name: 'node',
          include: ['test/hostile/growth/**/*.test.ts'],
          ...IN_THIS_PROCESS,
        },
      },
      {
        // In Node: commands within the process of the tests, on files and on an account of the test, and the checks.
        test: {
          name: 'commands',
          include: ['test/{check,cli}/**/*.test.ts'],
          exclude: [...SERVED, '**/node_modules/**'],
          ...IN_THIS_PROCESS,
        },
      },
      {
        // In Node: real clients, and commands as processes, against a Worker that is served over HTTP: a part of `npm run test:all`.
        test: {
          name: 'served',
          include: SERVED,
          exclude: ['**/node_modules/**'],
          isolate: false,
          globalSetup: [
            'test/conformance/install.ts',
            'test/support/server/serve-once.ts',
            'test/support/server/serve-model.ts',
            'test/support/server/serve-receiver.ts',
          ],
          testTimeout: 60_000,
          hookTimeout: 120_000,
        },
      },
      {
        // In Node: queries on the real ClickHouse engine, which `npm run test:clickhouse` installs first.
        test: {
          name: 'clickhouse',
          include: ['test/clickhouse/{,differential/}*.test.ts'],
          globalSetup: ['test/clickhouse/support/serve-engine.ts'],
          ...IN_THIS_PROCESS,
          testTimeout: 30_000,
        },
      },
      {
        // In workerd: the Worker's own code, with calls that fail, against the same engine.
        plugins: [inWorkerd()],
        test: {
          name: 'clickhouse-faults',
          include: ['test/clickhouse/faults/*.test.ts'],
          globalSetup: ['test/clickhouse/support/serve-engine.ts'],
          ...AGAINST_BINDINGS,
        },
      },
      {
        // A person in Chromium, which has to be on the machine: `npm run test:browser`.
        test: {
          name: 'browser',
          include: ['test/browser/**/*.test.ts'],
          // Files share one Chromium.
          isolate: false,
          globalSetup: [
            'test/browser/build-console.ts',
            'test/conformance/install.ts',
            'test/support/server/serve-once.ts',
            'test/support/server/serve-receiver.ts',
          ],
          // A busy machine delays a page: on CI, a test has failed when it fails twice.
          retry: process.env.CI ? 1 : 0,
          testTimeout: 60_000,
          hookTimeout: 120_000,
          // What a page shows may come later than the second that is the default.
          expect: { poll: { timeout: 15_000 } },
        },
      },
    ],
  },
})
