// A Worker that reads the body and responds with a constant, or with texts that one statement reads from D1, behind the same router of static
// files. It measures the limit of the platform.
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { convertV4MiniflareOptions, Miniflare } from 'miniflare'
import { prepareWorker, servedModules } from '../../support/server/served-worker'

const SCRIPT = `export default {
  async fetch(request, { DB }) {
    await request.text()
    if (!DB || request.method === 'POST') return Response.json({ status: 'ok' })
    const limit = Number(new URL(request.url).searchParams.get('limit'))
    const { results } = await DB.prepare('SELECT text FROM texts ORDER BY id DESC LIMIT ?').bind(limit).all()
    return new Response('[' + results.map(({ text }) => text).join() + ']')
  },
}`

/** @param texts the rows of D1, of which `limit` of a request selects some; without them, there is no D1 */
export async function serveBare(texts?: readonly string[]): Promise<{ url: string; stop(): Promise<void> }> {
  const folder = mkdtempSync(join(tmpdir(), 'bare-'))
  writeFileSync(join(folder, 'index.js'), SCRIPT)
  const miniflare = new Miniflare(
    convertV4MiniflareOptions({ ...servedModules(folder), ...(texts ? { d1Databases: ['DB'] } : {}) }),
  )
  if (texts) {
    const d1 = await miniflare.getD1Database('DB')
    await d1.exec('CREATE TABLE texts (id INTEGER PRIMARY KEY, text TEXT)')
    await d1
      .prepare('INSERT INTO texts (text) SELECT value FROM json_each(?)')
      .bind(JSON.stringify(texts))
      .run()
  }
  return {
    url: (await miniflare.ready).origin,
    async stop() {
      await miniflare.dispose()
      rmSync(folder, { recursive: true, force: true })
    },
  }
}

/**
 * Serves a Worker that responds with a constant and has the bindings of Halyard: what the local runtime needs to start databases, queues and
 * objects is no cost of a Worker.
 */
export async function serveBound(): Promise<{ url: string; stop(): Promise<void> }> {
  const folder = mkdtempSync(join(tmpdir(), 'bound-'))
  const { options, vars } = await prepareWorker()
  const classes = Object.values(options.durableObjects as Record<string, { className: string }>)
  const objects = classes.map(({ className }) => `export class ${className} extends DurableObject {}`)
  writeFileSync(
    join(folder, 'index.js'),
    `import { DurableObject } from 'cloudflare:workers'\n${objects.join('\n')}\n${SCRIPT}`,
  )
  const miniflare = new Miniflare(
    convertV4MiniflareOptions({ ...options, ...servedModules(folder), bindings: vars } as never),
  )
  return {
    url: (await miniflare.ready).origin,
    async stop() {
      await miniflare.dispose()
      rmSync(folder, { recursive: true, force: true })
    },
  }
}
