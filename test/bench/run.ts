// `npm run bench [-- --write] [name …]`: prints figures, and with `--write` puts them into the page of figures. Never an assertion.
import { spawnSync } from 'node:child_process'
import { readFileSync, writeFileSync } from 'node:fs'
import { cpus } from 'node:os'
import { join } from 'node:path'
import { parseArgs } from 'node:util'
import { installPackages } from '../../src/cli/build/install-packages'
import { runCommand, UsageError } from '../../src/cli/command'
import { FIGURES_PAGE, replaceFigures } from './figures'

const BENCHES = [
  'api',
  'capture',
  'clickhouse',
  'compile',
  'console',
  'cost',
  'evaluation',
  'flags',
  'hostile',
  'materialized',
  'published',
  'queries',
]

const MACHINE = `${cpus().length} × ${cpus()[0]?.model ?? 'unknown processor'}, Node ${process.version}`

function writeFigures(name: string, figures: string): void {
  const page = replaceFigures(readFileSync(FIGURES_PAGE, 'utf8'), name, `_${MACHINE}_\n\n${figures}`)
  if (page === null) return
  writeFileSync(FIGURES_PAGE, page)
  spawnSync('oxfmt', [FIGURES_PAGE], { stdio: 'inherit' })
}

runCommand(`npm run bench [-- --write] [${BENCHES.join(' | ')}]`, async () => {
  const { values, positionals } = parseArgs({
    options: { write: { type: 'boolean', default: false } },
    allowPositionals: true,
  })
  const unknown = positionals.filter((name) => !BENCHES.includes(name))
  if (unknown.length > 0) throw new UsageError(`no bench ${unknown.join(', ')}; use: ${BENCHES.join(', ')}`)
  installPackages('test/bench')
  process.stdout.write(`${MACHINE}\n`)
  for (const name of positionals.length > 0 ? positionals : BENCHES) {
    process.stdout.write(`\n## ${name}\n\n`)
    const { status, stdout } = spawnSync('tsx', [join(import.meta.dirname, name, 'run.ts')], {
      stdio: ['inherit', 'pipe', 'inherit'],
      encoding: 'utf8',
    })
    process.stdout.write(stdout)
    if (status !== 0) process.exitCode = 1
    else if (values.write) writeFigures(name, stdout)
  }
})
