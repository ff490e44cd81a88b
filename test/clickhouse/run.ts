// `npm run test:clickhouse`: installs ClickHouse's engine, half a gigabyte, and runs the tests that need it.
import { spawnSync } from 'node:child_process'
import { join } from 'node:path'
import { installPackages } from '../../src/cli/build/install-packages'

const ROOT = join(import.meta.dirname, '../..')

/** What there are builds of the engine for. */
const BUILDS = ['linux-x64', 'linux-arm64', 'darwin-x64', 'darwin-arm64']

function run(command: string, ...args: string[]): void {
  const { status } = spawnSync(command, args, { cwd: ROOT, stdio: 'inherit' })
  if (status !== 0) process.exit(status ?? 1)
}

/** Alpine and its like have another C library than the builds are made for. */
const isMusl = () =>
  process.platform === 'linux' &&
  !(process.report.getReport() as { header: { glibcVersionRuntime?: string } }).header.glibcVersionRuntime

const platform = `${process.platform}-${process.arch}`
if (!BUILDS.includes(platform) || isMusl()) {
  process.stderr.write(
    `\n!!! NOT TESTED ON CLICKHOUSE: there is no build of its engine for ${platform}${isMusl() ? ' with musl' : ''}.\n\n`,
  )
  process.exit(0)
}
installPackages('test/clickhouse')
const PROJECTS = ['--project', 'clickhouse', '--project', 'clickhouse-faults']
run(join(ROOT, 'node_modules/.bin/vitest'), 'run', ...PROJECTS, ...process.argv.slice(2))
