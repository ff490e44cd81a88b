// `npm run check`: everything that can be known without running the service. Each check says how to mend what it finds.
import { execFileSync } from 'node:child_process'
import { mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { gzipSync } from 'node:zlib'

/** Design budgets, in bytes after gzip. */
const BUNDLE_BUDGET = 700 * 1024
const BUNDLE_BUDGET_WITHOUT_WASM = 250 * 1024

const run = (command: string, ...args: string[]) =>
  execFileSync(command, args, {
    stdio: 'pipe',
    encoding: 'utf8',
    env: { ...process.env, WRANGLER_SEND_METRICS: 'false', NO_COLOR: '1' },
  })

const checks: [name: string, mend: string, check: () => void][] = [
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

function checkBundle(): void {
  const folder = mkdtempSync(join(tmpdir(), 'halyard-bundle-'))
  try {
    run('wrangler', 'deploy', '--dry-run', '--minify', '--outdir', folder)
    const parts = readdirSync(folder).filter((file) => /\.(js|wasm|bin|txt)$/.test(file))
    const sizes = parts.map((file) => ({
      file,
      bytes: gzipSync(readFileSync(join(folder, file))).byteLength,
    }))
    const sum = (wanted: (file: string) => boolean) =>
      sizes.filter(({ file }) => wanted(file)).reduce((total, { bytes }) => total + bytes, 0)
    const whole = sum(() => true)
    const code = sum((file) => file.endsWith('.js'))
    if (whole > BUNDLE_BUDGET) throw new Error(`${whole} bytes gzipped; the budget is ${BUNDLE_BUDGET}`)
    if (code > BUNDLE_BUDGET_WITHOUT_WASM) {
      throw new Error(`${code} bytes gzipped without WASM; the budget is ${BUNDLE_BUDGET_WITHOUT_WASM}`)
    }
    process.stdout.write(`bundle: ${Math.ceil(whole / 1024)} KB gzipped\n`)
  } finally {
    rmSync(folder, { recursive: true })
  }
}

let failures = 0
for (const [name, mend, check] of checks) {
  try {
    check()
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
