// `npm run bench [-- --write] [name …]` prints figures, and with `--write` puts them into the guides. It asserts nothing.
import { spawnSync } from 'node:child_process'
import { globSync, readFileSync, writeFileSync } from 'node:fs'
import { cpus } from 'node:os'
import { join } from 'node:path'
import { installPackages } from '../support/runner/install-packages'
import { runCommand, UsageError } from '../../src/cli/command'
import { replaceFigures } from './figures'

const BENCHES = [
  'api',
  'capture',
  'clickhouse',
  'compile',
  'console',
  'cost',
  'evaluation',
  'flags',
  'freshness',
  'hostile',
  'materialized',
  'processor',
  'published',
  'queries',
  'verdicts',
]

const MACHINE = `${cpus().length} × ${cpus()[0]?.model ?? 'unknown processor'}, Node ${process.version}`

function writeFigures(name: string, figures: string): void {
  for (const path of globSync('src/docs/guide/*.md')) {
    const page = replaceFigures(readFileSync(path, 'utf8'), name, `_${MACHINE}_\n\n${figures}`)
    if (page === null) continue
    writeFileSync(path, page)
    spawnSync('oxfmt', [path], { stdio: 'inherit' })
  }
}

const CONFIG = { options: { write: { type: 'boolean', default: false } }, allowPositionals: true } as const

runCommand(`npm run bench [-- --write] [${BENCHES.join(' | ')}]`, CONFIG, async ({ values, positionals }) => {
  const unknown = positionals.filter((name) => !BENCHES.includes(name))
  if (unknown.length > 0) throw new UsageError(`no bench ${unknown.join(', ')}; use: ${BENCHES.join(', ')}`)
  installPackages('test/bench')
  process.stdout.write(`${MACHINE}\n`)
  for (const name of positionals.length > 0 ? positionals : BENCHES) {
    process.stdout.write(`\n## ${name}\n\n`)
    const { status, stdout } = spawnSync('tsx', [join(import.meta.dirname, name, 'run.ts')], {
      stdio: ['inherit', values.write ? 'pipe' : 'inherit', 'inherit'],
      encoding: 'utf8',
    })
    if (values.write) process.stdout.write(stdout)
    if (status !== 0) process.exitCode = 1
    else if (values.write) writeFigures(name, stdout)
  }
})
