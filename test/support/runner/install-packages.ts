// Installs the packages of folders with their own package.json. Only some commands need them, so that `npm ci` of the project leaves them
// out.
import { spawnSync } from 'node:child_process'
import { existsSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'

const ROOT = join(import.meta.dirname, '../../..')

/**
 * Installs the packages of a folder, unless its lock file is the one that was installed last.
 * @param folder in the project, such as `test/bench`
 * @throws when npm fails; it has printed why
 */
export function installPackages(folder: string): void {
  const lock = readFileSync(join(ROOT, folder, 'package-lock.json'), 'utf8')
  const installed = join(ROOT, folder, 'node_modules/installed-lock.json')
  if (existsSync(installed) && readFileSync(installed, 'utf8') === lock) return
  process.stderr.write(`Installing the packages of ${folder} …\n`)
  const args = ['ci', '--prefix', join(ROOT, folder), '--no-progress', '--loglevel=error', '--silent']
  const { status, error } = spawnSync('npm', args, { stdio: ['ignore', 'ignore', 'inherit'] })
  if (status !== 0) throw error ?? new Error(`npm ci --prefix ${folder} failed`)
  writeFileSync(installed, lock)
}
