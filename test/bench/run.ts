// `npm run bench [-- name …]`: prints tables of figures; never an assertion. Names: api, capture, cost, evaluation, flags, hostile, materialized, queries.
import { spawnSync } from 'node:child_process'
import { cpus } from 'node:os'
import { join } from 'node:path'

const BENCHES = ['api', 'capture', 'cost', 'evaluation', 'flags', 'hostile', 'materialized', 'queries']

const wanted = process.argv.slice(2)
const unknown = wanted.filter((name) => !BENCHES.includes(name))
if (unknown.length > 0) {
  process.stderr.write(`No such bench: ${unknown.join(', ')}. There are: ${BENCHES.join(', ')}.\n`)
  process.exit(2)
}
process.stdout.write(
  `${cpus().length} × ${cpus()[0]?.model ?? 'unknown processor'}, Node ${process.version}\n`,
)
for (const name of wanted.length > 0 ? wanted : BENCHES) {
  process.stdout.write(`\n## ${name}\n\n`)
  spawnSync('tsx', [join(import.meta.dirname, name, 'run.ts')], { stdio: 'inherit' })
}
