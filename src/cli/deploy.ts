// `npm run deploy`: deploys the Worker, with the queues and secrets that it lacks. A Worker cannot be deployed without its secrets, nor be given any
// before it is deployed: so the first deployment brings them along.
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { ensureQueues } from './queues'
import { newSecretLines } from './secrets'
import { startWrangler } from './wrangler'

const options = process.argv.slice(2)
// A dry run asks nobody, and works without an account.
const isDry = options.includes('--dry-run')
if (!isDry) await ensureQueues().catch(giveUp)
const lines = isDry ? '' : await newSecretLines().catch(giveUp)
const folder = mkdtempSync(join(tmpdir(), 'halyard-deploy-'))
const file = join(folder, 'secrets.env')
if (lines) writeFileSync(file, lines, { mode: 0o600 })

const wrangler = startWrangler(['deploy', '--minify', ...(lines ? ['--secrets-file', file] : []), ...options])
wrangler.on('exit', (code) => {
  rmSync(folder, { recursive: true })
  process.exitCode = code ?? 1
})

function giveUp(error: Error): never {
  process.stderr.write(`${error.message}\n`)
  process.exit(1)
}
