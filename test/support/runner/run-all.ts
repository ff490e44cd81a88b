// `npm run test:all`: all tests in one run, with what they need from the registry; without those that this machine has no program for.
import { spawnSync } from 'node:child_process'
import { join } from 'node:path'
import { installPackages } from '../../../src/cli/build/install-packages'
import { missingBuild } from '../../clickhouse/missing-build'
import { findChromium } from '../browser/chromium'

const ROOT = join(import.meta.dirname, '../../..')
const PROJECTS = ['pure', 'shared', 'more', 'workers', 'commands', 'served']

/** On CI, all tests run. */
function leaveOut(what: string, reason: string): void {
  process.stderr.write(`\n!!! NOT TESTED: ${what}. ${reason}\n\n`)
  if (process.env.CI) process.exit(1)
}

function hasChromium(): boolean {
  try {
    findChromium()
    return true
  } catch (error) {
    leaveOut('the pages in a browser', (error as Error).message)
    return false
  }
}

const missing = missingBuild()
if (missing) leaveOut('the ClickHouse engine', `There is no build of it for ${missing}.`)
const projects = [
  ...PROJECTS,
  ...(hasChromium() ? ['browser'] : []),
  ...(missing ? [] : ['clickhouse', 'clickhouse-faults']),
]
installPackages('test/conformance')
if (!missing) installPackages('test/clickhouse')

/** @returns the exit code. */
const vitest = (names: readonly string[], args: readonly string[], env: Record<string, string>): number =>
  spawnSync(
    join(ROOT, 'node_modules/.bin/vitest'),
    ['run', ...names.flatMap((name) => ['--project', name]), ...args],
    { cwd: ROOT, stdio: 'inherit', env: { ...process.env, ...env } },
  ).status ?? 1

// Alone, and first: other work would be in the figures.
const growth = vitest(['node'], [], { GROWTH: 'all' })
const rest = vitest(projects, process.argv.slice(2), {
  LONG_FUZZ_RUNS: process.env.LONG_FUZZ_RUNS ?? '2000',
  SLOWEST_FILES: '20',
})
process.exit(growth || rest)
