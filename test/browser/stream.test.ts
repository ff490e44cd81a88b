// Streams in Chromium: pages of another origin see a change without polling.
import { readFileSync } from 'node:fs'
import { createServer, type Server } from 'node:http'
import { createRequire } from 'node:module'
import type { AddressInfo } from 'node:net'
import { join } from 'node:path'
import { build } from 'esbuild'
import type { Browser, Page } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, inject, it } from 'vitest'
import { flagsApi } from '../conformance/posthog/flags-api'
import { closeContexts, sharedChromium } from '../support/browser/chromium'
import { open } from '../support/filters'

const CLIENTS = join(import.meta.dirname, '../conformance')

/** OpenFeature's SDK for pages with its OFREP provider, unmodified, as a page bundles them. */
async function openFeature(): Promise<string> {
  const { outputFiles } = await build({
    stdin: {
      contents: `import { OpenFeature } from '@openfeature/web-sdk'
        import { OFREPWebProvider } from '@openfeature/ofrep-web-provider'
        Object.assign(window, { OpenFeature, OFREPWebProvider })`,
      resolveDir: CLIENTS,
    },
    bundle: true,
    format: 'iife',
    write: false,
  })
  return outputFiles[0]!.text
}

const posthog = () => {
  const path = createRequire(join(CLIENTS, 'package.json')).resolve('posthog-js')
  return `(() => {
    const module = { exports: {} }
    ;(function (module, exports) {${readFileSync(path, 'utf8')}\n})(module, module.exports)
    window.posthog = module.exports.posthog ?? module.exports.default
  })()`
}

const served = inject('served')
const flags = flagsApi(served)
const soon = { timeout: 10_000, interval: 20 }

let chromium: Browser
let site: Server
let scripts: Record<string, string>
beforeAll(async () => {
  scripts = { openfeature: await openFeature(), posthog: posthog() }
  site = createServer((request, response) => {
    response.setHeader('Content-Type', 'text/html; charset=utf-8')
    const script = scripts[request.url!.slice(1)] ?? ''
    response.end(
      `<!doctype html><link rel="icon" href="data:,"><script>${script.replaceAll('</script', '<\\/script')}</script>`,
    )
  })
  await new Promise<void>((resolve) => site.listen(0, '127.0.0.1', resolve))
  chromium = await sharedChromium()
})
afterAll(async () => {
  site?.close()
  await closeContexts()
})

async function visit(script: string): Promise<Page> {
  const page = await chromium.newPage()
  await page.goto(`http://127.0.0.1:${(site.address() as AddressInfo).port}/${script}`)
  return page
}

/** Resolves when the page has its stream. */
const connected = (page: Page) =>
  page.waitForResponse((response) => response.url().includes('/flags/stream') && response.status() === 200)

describe('a page', () => {
  it("with OpenFeature's provider sees a change", async () => {
    const key = `of-${crypto.randomUUID()}`
    const id = await flags.create({ key, active: false, filters: open() })
    const page = await visit('openfeature')
    const stream = connected(page)
    await page.evaluate(`(async () => {
      await OpenFeature.setContext({ targetingKey: 'ada' })
      const headers = [['Authorization', 'Bearer ${served.projectApiToken}']]
      await OpenFeature.setProviderAndWait(new OFREPWebProvider({ baseUrl: '${served.url}', headers }))
    })()`)
    const value = () => page.evaluate(`OpenFeature.getClient().getBooleanValue('${key}', false)`)
    expect(await value()).toBe(false)
    await stream
    await flags.update(id, { active: true })
    await expect.poll(value, soon).toBe(true)
    await page.close()
  })

  it('with posthog-js and an EventSource sees a change', async () => {
    const key = `ph-${crypto.randomUUID()}`
    const id = await flags.create({ key, active: false, filters: open() })
    const page = await visit('posthog')
    const stream = connected(page)
    await page.evaluate(`new Promise((resolve) => {
      posthog.init('${served.projectApiToken}', { api_host: '${served.url}', loaded: resolve, autocapture: false })
      const stream = new EventSource('${served.url}/flags/stream/?token=${served.projectApiToken}')
      stream.onmessage = ({ data }) => {
        if (JSON.parse(data).type === 'refetchEvaluation') posthog.reloadFeatureFlags()
      }
    })`)
    await page.evaluate('new Promise((resolve) => posthog.onFeatureFlags(resolve))')
    const value = () => page.evaluate(`posthog.isFeatureEnabled('${key}') ?? false`)
    expect(await value()).toBe(false)
    await stream
    await flags.update(id, { active: true })
    await expect.poll(value, soon).toBe(true)
    await page.close()
  })
})
