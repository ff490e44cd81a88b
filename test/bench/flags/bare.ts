// A Worker that reads the body and responds with a constant, or with what one statement on D1 returns, behind the same router of static files:
// the limit of the platform.
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { convertV4MiniflareOptions, Miniflare } from 'miniflare'
import { servedModules } from '../../support/server/served-worker'

const SCRIPT = `export default {
  async fetch(request, { DB }) {
    await request.text()
    return Response.json(DB ? (await DB.prepare('SELECT 1 AS one').all()).results : { status: 'ok' })
  },
}`

export async function serveBare(usesD1 = false): Promise<{ url: string; stop(): Promise<void> }> {
  const folder = mkdtempSync(join(tmpdir(), 'bare-'))
  writeFileSync(join(folder, 'index.js'), SCRIPT)
  const miniflare = new Miniflare(
    convertV4MiniflareOptions({ ...servedModules(folder), ...(usesD1 ? { d1Databases: ['DB'] } : {}) }),
  )
  return {
    url: (await miniflare.ready).origin,
    async stop() {
      await miniflare.dispose()
      rmSync(folder, { recursive: true, force: true })
    },
  }
}
