// `npm start [-- --port N]`: a local service, migrated and seeded, with a curl to paste.
import { parseArgs } from 'node:util'
import { runCommand, UsageError } from './command'
import type { Credentials } from './credentials'
import { curlOf } from './greeting'
import { setUpLocally } from './local-setup'
import { startWrangler } from './wrangler'

runCommand(async () => {
  const { values } = parseArgs({ options: { port: { type: 'string', default: '8787' } } })
  if (!/^\d{1,5}$/.test(values.port) || Number(values.port) > 65_535) {
    throw new UsageError(`--port must be a number from 0 to 65535, got "${values.port}"`)
  }
  const baseUrl = `http://localhost:${values.port}`

  process.stdout.write('Preparing the local database…\n')
  const { credentials, file } = await setUpLocally({ baseUrl })

  const server = startWrangler([
    'dev',
    '--port',
    values.port,
    '--show-interactive-dev-session=false',
    '--var',
    'THROTTLES:off',
  ])
  server.on('exit', (code) => process.exit(code ?? 0))
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) process.on(signal, () => server.kill(signal))

  await untilServing(baseUrl)
  process.stdout.write(greeting(credentials, file))
})

async function untilServing(baseUrl: string): Promise<void> {
  for (;;) {
    const answer = await fetch(`${baseUrl}/openapi.json`).catch(() => null)
    await answer?.body?.cancel()
    if (answer?.ok) return
    await new Promise((resolve) => setTimeout(resolve, 200))
  }
}

const greeting = (credentials: Credentials, file: string): string => `
Halyard is serving on ${credentials.base_url}. Credentials are in ${file}. Paste this to create a flag:

${curlOf(credentials)}

`
