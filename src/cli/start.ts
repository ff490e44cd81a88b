// `npm start [-- --port N]`: a local service, migrated and seeded, with a curl to paste.
import { parseArgs } from 'node:util'
import type { Credentials } from './credentials'
import { setUp } from './set-up'
import { startWrangler } from './wrangler'

const { values } = parseArgs({ options: { port: { type: 'string', default: '8787' } } })
if (!/^\d{1,5}$/.test(values.port) || Number(values.port) > 65_535) {
  process.stderr.write(`--port must be a number from 0 to 65535, got "${values.port}"\n`)
  process.exit(2)
}
const baseUrl = `http://localhost:${values.port}`

process.stdout.write('Preparing the local database…\n')
const { credentials, file } = await setUp({ place: '--local', baseUrl })

const server = startWrangler([
  'dev',
  '--port',
  values.port,
  '--show-interactive-dev-session=false',
  '--var',
  'THROTTLES:off',
])
server.on('exit', (code) => process.exit(code ?? 0))
for (const signal of ['SIGINT', 'SIGTERM'] as const) process.on(signal, () => server.kill(signal))

await untilServing()
process.stdout.write(greeting(credentials!, file))

async function untilServing(): Promise<void> {
  for (;;) {
    const answer = await fetch(`${baseUrl}/openapi.json`).catch(() => null)
    await answer?.body?.cancel()
    if (answer?.ok) return
    await new Promise((resolve) => setTimeout(resolve, 200))
  }
}

function greeting({ project_id, personal_api_key }: Credentials, where: string): string {
  return `
Halyard is serving on ${baseUrl}. Credentials are in ${where}. Paste this to create a flag:

  curl -s ${baseUrl}/api/projects/${project_id}/feature_flags/ \\
    -H 'Authorization: Bearer ${personal_api_key}' -H 'Content-Type: application/json' \\
    -d '{"key": "hello-world", "filters": {"groups": [{"rollout_percentage": 50}]}}'

`
}
