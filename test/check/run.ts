// `npm run check`: runs the checks, and prints what those that fail say.
import { runCommand } from '../../src/cli/command'
import { checkBundle } from './bundle'
import { checkFolderMap } from './folder-map'
import { checkPatterns } from './patterns'
import { run } from './run-tool'
import { checkMigrations } from './schema-migrations'
import { checkStyles } from './styles'
import { checkWords } from './words'

/** Checks that run at the same time. Most use one core. */
const CONCURRENCY = 2

/** The type checker has one thread, because several take less time only on many cores, and half as much work again. */
const TYPES = 'tsc --noEmit --checkers 1'

const WORKER_TYPES =
  'wrangler types --env-file=/dev/null --include-runtime=false --strict-vars=false worker-configuration.d.ts'

/** The checks: command lines and functions. The longest come first, so that none runs alone at the end. */
const checks: [name: string, fix: string, check: string | (() => unknown)][] = [
  ['types', 'see above', `${TYPES} -p .`],
  ['types of the console', 'see above', `tsx src/cli/console-types.ts && ${TYPES} -p src/console`],
  ['patterns', 'a scanner, or a bound that a test measures', checkPatterns],
  ['dead code', 'see above', 'knip --preprocessor ./test/check/knip-preprocessor.ts'],
  ['OpenAPI document', 'npm run openapi', 'tsx src/cli/openapi.ts --check'],
  ['lint', 'see above', 'oxlint'],
  ['bundle size', 'see above', checkBundle],
  ['migrations', 'npm run migration -- --name what-changed', checkMigrations],
  ['worker types', 'npm run types', `${WORKER_TYPES} --check`],
  ['format', 'npm run format', 'oxfmt --check'],
  ['folder map', 'the table in CONTRIBUTING.md', checkFolderMap],
  ['styles', 'a name of its own', checkStyles],
  ['words', 'the style in CONTRIBUTING.md', checkWords],
]

const USAGE = `npm run check

Checks what can be checked without running the service: format, lint, types, generated files, words, style sheets, regular expressions, dead code, migrations, bundle size.`

await runCommand(USAGE, { options: {} }, async () => {
  let failures = 0
  const rest = checks.values()
  const work = async () => {
    for (const [name, fix, check] of rest) {
      try {
        await (typeof check === 'string' ? run(check) : check())
      } catch (error) {
        failures += 1
        const { stdout = '', stderr = '', message } = error as Error & { stdout?: string; stderr?: string }
        process.stderr.write(`✗ ${name} (${fix})\n${stdout + stderr || message}\n`)
      }
    }
  }
  await Promise.all(Array.from({ length: CONCURRENCY }, work))
  process.stdout.write(
    failures ? `${failures} of ${checks.length} checks failed\n` : `${checks.length} checks passed\n`,
  )
  process.exitCode = failures ? 1 : 0
})
