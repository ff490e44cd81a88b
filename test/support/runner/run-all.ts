// `npm run test:all`: runs all tests, and installs the packages that they need. Tests without a required program on this machine are left
// out.
import { spawnSync } from 'node:child_process'
import { join } from 'node:path'
import { installPackages } from './install-packages'
import { missingBuild } from '../../clickhouse/missing-build'
import { findChromium } from '../browser/chromium'

const ROOT = join(import.meta.dirname, '../../..')
const PROJECTS = ['shared', 'workers', 'node', 'commands', 'served']

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

const { status } = spawnSync(
  join(ROOT, 'node_modules/.bin/vitest'),
  ['run', ...projects.flatMap((name) => ['--project', name]), ...process.argv.slice(2)],
  {
    cwd: ROOT,
    stdio: 'inherit',
    env: {
      ...process.env,
      GROWTH: 'all',
      SLOWEST_FILES: '20',
    },
  },
)
process.exit(status ?? 1)
