// `npm run test:clickhouse`: installs the engine, which takes half a gigabyte, and runs the tests that need it.
import { spawnSync } from 'node:child_process'
import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'

const FOLDER = import.meta.dirname
const ROOT = join(FOLDER, '../..')

/** What there are builds of the engine for. */
const BUILDS = ['linux-x64', 'linux-arm64', 'darwin-x64', 'darwin-arm64']

function run(command: string, ...args: string[]): void {
  const { status } = spawnSync(command, args, { cwd: ROOT, stdio: 'inherit' })
  if (status !== 0) process.exit(status ?? 1)
}

const versionIn = (folder: string): string | null => {
  const file = join(folder, 'package.json')
  return existsSync(file) ? (JSON.parse(readFileSync(file, 'utf8')) as { version: string }).version : null
}

function isInstalled(): boolean {
  const { dependencies } = JSON.parse(readFileSync(join(FOLDER, 'package.json'), 'utf8')) as {
    dependencies: { chdb: string }
  }
  return versionIn(join(FOLDER, 'node_modules/chdb')) === dependencies.chdb
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
if (!isInstalled()) run('npm', 'ci', '--prefix', FOLDER, '--no-progress', '--loglevel=error')
const PROJECTS = ['--project', 'clickhouse', '--project', 'clickhouse-faults']
run(join(ROOT, 'node_modules/.bin/vitest'), 'run', ...PROJECTS, ...process.argv.slice(2))
