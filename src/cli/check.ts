import { bundleSizes } from './build/bundle'
import { runCommand } from './command'
import { writeConsoleTypes } from './build/console-types'
import { checkFolderMap } from './build/folder-map'
import { run } from './build/run-tool'
import { checkPatterns } from './build/patterns'
import { checkMigrations } from './build/schema-migrations'
import { checkWords } from './build/words'

/** Design budgets in KB after gzip: one for the whole bundle, and one for the code that a request needs to start. */
const BUNDLE_BUDGET = 1_000
const START_BUDGET = 200

/** Checks that run at the same time. Most use one core. */
const CONCURRENCY = 2

/** The type checker has one thread, because several take less time only on many cores, and half as much work again. */
const TYPES = 'tsc --noEmit --checkers 1'

/** Runs a tool with arguments that have no spaces. */
function tool(line: string): () => Promise<unknown> {
  const [command = '', ...args] = line.split(' ')
  return () => run(command, ...args)
}

const WORKER_TYPES =
  '--env-file=/dev/null --include-runtime=false --strict-vars=false worker-configuration.d.ts'

/** The checks. The longest come first, so that none runs alone at the end. */
const checks: [name: string, fix: string, check: () => unknown][] = [
  ['types', 'see above', tool(`${TYPES} -p .`)],
  ['types of the console', 'see above', checkConsoleTypes],
  ['patterns', 'a scanner, or a bound that a test measures', () => checkPatterns('.')],
  ['dead code', 'see above', tool('knip --preprocessor ./src/cli/build/knip-preprocessor.ts')],
  ['OpenAPI document', 'npm run openapi', tool('tsx src/cli/openapi.ts --check')],
  ['lint', 'see above', tool('oxlint')],
  ['bundle size', 'see above', checkBundle],
  ['migrations', 'npm run migration -- --name what-changed', checkMigrations],
  ['worker types', 'npm run types', tool(`wrangler types --check ${WORKER_TYPES}`)],
  ['format', 'npm run format', tool('oxfmt --check')],
  ['folder map', 'the table in CONTRIBUTING.md', () => checkFolderMap('.')],
  ['words', 'the style in CONTRIBUTING.md', () => checkWords('.')],
]

async function checkConsoleTypes(): Promise<void> {
  writeConsoleTypes()
  await tool(`${TYPES} -p src/console`)()
}

async function checkBundle(): Promise<void> {
  const { whole, start } = await bundleSizes()
  const kilobytes = (bytes: number) => Math.ceil(bytes / 1024)
  const figures = `bundle: ${kilobytes(whole)} KB of ${BUNDLE_BUDGET} gzipped, ${kilobytes(start)} KB of ${START_BUDGET} to start`
  if (kilobytes(whole) > BUNDLE_BUDGET || kilobytes(start) > START_BUDGET) throw new Error(figures)
  process.stdout.write(`${figures}\n`)
}

const USAGE = `npm run check

Checks what can be checked without running the service: format, lint, types, generated files, words, regular expressions, dead code, migrations, bundle size.`

await runCommand(USAGE, { options: {} }, async () => {
  let failures = 0
  const waiting = [...checks]
  const work = async () => {
    for (let next = waiting.shift(); next; next = waiting.shift()) {
      const [name, fix, check] = next
      try {
        await check()
      } catch (error) {
        failures += 1
        const { stdout = '', stderr = '', message } = error as Error & { stdout?: string; stderr?: string }
        process.stderr.write(`✗ ${name} (${fix})\n${stdout}${stderr}${stdout || stderr ? '' : message}\n`)
      }
    }
  }
  await Promise.all(Array.from({ length: CONCURRENCY }, work))
  process.stdout.write(
    failures ? `${failures} of ${checks.length} checks failed\n` : `${checks.length} checks passed\n`,
  )
  process.exitCode = failures ? 1 : 0
})
