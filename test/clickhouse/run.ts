// `npm run test:clickhouse`: installs ClickHouse's engine, half a gigabyte, and runs the tests that need it.
import { spawnSync } from 'node:child_process'
import { join } from 'node:path'
import { installPackages } from '../support/runner/install-packages'
import { missingBuild } from './missing-build'

const ROOT = join(import.meta.dirname, '../..')

function run(command: string, ...args: string[]): void {
  const { status } = spawnSync(command, args, { cwd: ROOT, stdio: 'inherit' })
  if (status !== 0) process.exit(status ?? 1)
}

const missing = missingBuild()
if (missing) {
  process.stderr.write(`\n!!! NOT TESTED ON CLICKHOUSE: there is no build of its engine for ${missing}.\n\n`)
  process.exit(0)
}
installPackages('test/clickhouse')
const PROJECTS = ['--project', 'clickhouse', '--project', 'clickhouse-faults']
run(join(ROOT, 'node_modules/.bin/vitest'), 'run', ...PROJECTS, ...process.argv.slice(2))
