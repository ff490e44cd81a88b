// `npm run check`: everything that can be known without running the service. Each check says how to mend what it finds.
import { mkdtempSync, readdirSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { parseArgs } from 'node:util'
import { bundleSizes } from './bundle'
import { runCommand } from './command'
import { checkFolderMap } from './folder-map'
import { run } from './run'

/** Design budgets, in KB after gzip: of everything, and of the code that a request needs to start. */
const BUNDLE_BUDGET = 1_000
const START_BUDGET = 300

const checks: [name: string, mend: string, check: () => void | Promise<void>][] = [
  ['format', 'npm run format', () => run('oxfmt', '--check')],
  ['lint', 'see above', () => run('oxlint')],
  ['types', 'see above', () => run('tsc', '--noEmit')],
  [
    'worker types',
    'npm run types',
    () =>
      run(
        'wrangler',
        'types',
        '--check',
        '--include-runtime=false',
        '--strict-vars=false',
        'worker-configuration.d.ts',
      ),
  ],
  ['OpenAPI document', 'npm run openapi', () => run('tsx', 'src/cli/openapi.ts', '--check')],
  [
    'OpenAPI lint',
    'see above',
    () =>
      run(
        'redocly',
        'lint',
        '--config',
        'src/docs/redocly.yaml',
        '--format',
        'stylish',
        'src/docs/public/openapi.json',
      ),
  ],
  ['folder map', 'the table in README.md', () => checkFolderMap('.')],
  ['dead code', 'see above', () => run('knip')],
  ['migrations', 'npm run migration -- --name what-changed', checkMigrations],
  ['bundle size', 'see above', checkBundle],
]

/** The schema and the migrations say the same when generating a migration would write nothing. */
function checkMigrations(): void {
  const folder = mkdtempSync(join(tmpdir(), 'halyard-migrations-'))
  try {
    run('cp', '-R', 'migrations/.', folder)
    const before = readdirSync(folder).length
    run('drizzle-kit', 'generate', '--dialect', 'sqlite', '--schema', './drizzle/index.ts', '--out', folder)
    if (readdirSync(folder).length !== before) throw new Error('drizzle/ has changes that no migration makes')
  } finally {
    rmSync(folder, { recursive: true })
  }
}

async function checkBundle(): Promise<void> {
  const { whole, start } = await bundleSizes()
  const kilobytes = (bytes: number) => Math.ceil(bytes / 1024)
  const figures = `bundle: ${kilobytes(whole)} KB of ${BUNDLE_BUDGET} gzipped, ${kilobytes(start)} KB of ${START_BUDGET} to start`
  if (kilobytes(whole) > BUNDLE_BUDGET || kilobytes(start) > START_BUDGET) throw new Error(figures)
  process.stdout.write(`${figures}\n`)
}

runCommand(async () => {
  parseArgs({ options: {} })
  let failures = 0
  for (const [name, mend, check] of checks) {
    try {
      await check()
    } catch (error) {
      failures += 1
      const { stdout = '', stderr = '', message } = error as Error & { stdout?: string; stderr?: string }
      process.stderr.write(`✗ ${name} (${mend})\n${stdout}${stderr}${stdout || stderr ? '' : message}\n`)
    }
  }
  process.stdout.write(
    failures ? `${failures} of ${checks.length} checks failed\n` : `${checks.length} checks passed\n`,
  )
  process.exitCode = failures ? 1 : 0
})
