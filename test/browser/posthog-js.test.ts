// posthog-js, unmodified, in Chromium: an early 1.x, the newest, and the snippet of HTML, in pages of another origin.
import { readFileSync } from 'node:fs'
import { createServer, type Server } from 'node:http'
import { createRequire } from 'node:module'
import type { AddressInfo } from 'node:net'
import { join } from 'node:path'
import type { Browser, Page } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { flagsApi } from '../conformance/posthog/flags-api'
import { closeContexts, sharedChromium } from '../support/browser/chromium'
import { open, property, where } from '../support/filters'
import { type ServedWorker, serveWorker } from '../support/server/served-worker'

const clients = createRequire(join(import.meta.dirname, '../conformance/package.json'))

/** The package as a script that sets `window.posthog`. */
const scriptOf = (name: string) => `(() => {
  const module = { exports: {} }
  ;(function (module, exports) {${readFileSync(clients.resolve(name), 'utf8')}\n})(module, module.exports)
  window.posthog = module.exports.posthog ?? module.exports.default
})()`

/** The snippet of upstream's documentation. */
const SNIPPET = `!function(t,e){var o,n,p,r;e.__SV||(window.posthog=e,e._i=[],e.init=function(i,s,a){function g(t,e){var o=e.split(".");2==o.length&&(t=t[o[0]],e=o[1]),t[e]=function(){t.push([e].concat(Array.prototype.slice.call(arguments,0)))}}(p=t.createElement("script")).type="text/javascript",p.crossOrigin="anonymous",p.async=!0,p.src=s.api_host.replace(".i.posthog.com","-assets.i.posthog.com")+"/static/array.js",(r=t.getElementsByTagName("script")[0]).parentNode.insertBefore(p,r);var u=e;for(void 0!==a?u=e[a]=[]:a="posthog",u.people=u.people||[],u.toString=function(t){var e="posthog";return"posthog"!==a&&(e+="."+a),t||(e+=" (stub)"),e},u.people.toString=function(){return u.toString(1)+".people (stub)"},o="init capture register register_once register_for_session unregister unregister_for_session getFeatureFlag getFeatureFlagPayload isFeatureEnabled reloadFeatureFlags updateEarlyAccessFeatureEnrollment getEarlyAccessFeatures on onFeatureFlags onSessionId getSurveys getActiveMatchingSurveys renderSurvey canRenderSurvey getNextSurveyStep identify setPersonProperties group resetGroups setPersonPropertiesForFlags resetPersonPropertiesForFlags setGroupPropertiesForFlags resetGroupPropertiesForFlags reset get_distinct_id getGroups get_session_id get_session_replay_url alias set_config startSessionRecording stopSessionRecording sessionRecordingStarted captureException loadToolbar get_property getSessionProperty createPersonProfile opt_in_capturing opt_out_capturing has_opted_in_capturing has_opted_out_capturing clear_opt_in_out_capturing debug".split(" "),n=0;n<o.length;n++)g(u,o[n]);e._i.push([i,s,a])},e.__SV=1)}(document,window.posthog||[]);`

const SCRIPTS: Record<string, string> = {
  old: scriptOf('posthog-js-old'),
  newest: scriptOf('posthog-js'),
  snippet: SNIPPET,
}

let worker: ServedWorker
let chromium: Browser
let site: Server
let origin: string
beforeAll(async () => {
  site = createServer((request, response) => {
    response.setHeader('Content-Type', 'text/html; charset=utf-8')
    const script = SCRIPTS[new URL(request.url!, 'http://site').pathname.slice(1)] ?? ''
    response.end(
      `<!doctype html><link rel="icon" href="data:,"><script>${script.replaceAll('</script', '<\\/script')}</script>`,
    )
  })
  await new Promise<void>((resolve) => site.listen(0, '127.0.0.1', resolve))
  origin = `http://127.0.0.1:${(site.address() as AddressInfo).port}`
  ;[worker, chromium] = await Promise.all([serveWorker(), sharedChromium()])
  const flags = flagsApi({ url: worker.url, projectId: worker.projectId, ...worker.credentials })
  await flags.create({ key: 'web-open', filters: open() })
  await flags.create({ key: 'web-off', active: false, filters: open() })
  await flags.create({
    key: 'web-email',
    filters: where(property({ operator: 'icontains', value: '@example.com' })),
  })
})
afterAll(async () => {
  site?.close()
  await closeContexts()
  await worker?.stop()
})

/** A browser under control counts as a bot, whose events are dropped; and batches need not wait for three seconds. */
const OPTIONS = { opt_out_useragent_filter: true, request_queue_config: { flush_interval_ms: 250 } }

interface Visit {
  page: Page
  /** Errors and warnings of the console, requests that failed, and responses that are errors. */
  complaints: string[]
  /** Paths of requests to the service. */
  paths: Set<string>
}

async function visit(script: string): Promise<Visit> {
  const page = await chromium.newPage()
  const complaints: string[] = []
  const paths = new Set<string>()
  page.on('console', (message) => {
    if (['error', 'warning'].includes(message.type())) complaints.push(message.text())
  })
  page.on('pageerror', (error) => complaints.push(error.message))
  page.on('requestfailed', (request) => complaints.push(`${request.url()} ${request.failure()?.errorText}`))
  page.on('response', (response) => {
    const { origin: host, pathname } = new URL(response.url())
    if (host === worker.url) paths.add(pathname)
    if (response.status() >= 400) complaints.push(`${response.status()} ${pathname}`)
  })
  await page.goto(`${origin}/${script}`)
  const options = { ...OPTIONS, api_host: worker.url }
  await page.evaluate(
    `posthog.init(${JSON.stringify(worker.credentials.projectApiToken)}, ${JSON.stringify(options)})`,
  )
  await page.evaluate('new Promise((loaded) => posthog.onFeatureFlags(() => loaded()))')
  return { page, complaints, paths }
}

const isEnabled = (page: Page, key: string) => page.evaluate(`posthog.isFeatureEnabled('${key}')`)

describe.each(['old', 'newest', 'snippet'])('posthog-js, %s', (script) => {
  it('evaluates flags, captures and identifies without errors', async () => {
    const { page, complaints, paths } = await visit(script)
    expect(await isEnabled(page, 'web-open')).toBe(true)
    expect(await isEnabled(page, 'web-off')).toBeFalsy()
    expect(await isEnabled(page, 'web-email')).toBe(false)
    const id = `${script}-ada`
    await page.evaluate(`posthog.identify('${id}', { email: 'ada@example.com' })`)
    // A client that still handles its first response may drop the reload that identification begins.
    await expect
      .poll(
        async () => {
          await page.evaluate('posthog.reloadFeatureFlags()')
          return isEnabled(page, 'web-email')
        },
        { timeout: 20_000, interval: 300 },
      )
      .toBe(true)
    await page.evaluate("posthog.group('company', 'acme', { plan: 'paid' })")
    await page.evaluate("posthog.capture('bought', { amount: 3 })")
    await page.evaluate('posthog.reloadFeatureFlags()')
    await expect
      .poll(async () => (await worker.storedEvents(id)).map(({ event }) => event), { timeout: 20_000 })
      .toEqual(expect.arrayContaining(['$identify', '$groupidentify', 'bought']))
    const lists = await page.evaluate(`new Promise((resolve) => {
      const wanted = ['getSurveys', 'getEarlyAccessFeatures'].filter((name) => typeof posthog[name] === 'function')
      const found = []
      for (const name of wanted) posthog[name]((list) => {
        found.push(list)
        if (found.length === wanted.length) resolve(found.flat())
      }, true)
    })`)
    expect(lists).toEqual([])
    await page.waitForLoadState('networkidle')
    expect(complaints).toEqual([])
    expect([...paths].filter((path) => path.startsWith('/static/'))).toEqual(
      script === 'snippet' ? ['/static/array.js'] : [],
    )
    await page.close()
  })
})

it('gives each visitor in cookieless mode an id of the day', async () => {
  const agents = ['Mozilla/5.0 one', 'Mozilla/5.0 two', 'Mozilla/5.0 one']
  for (const userAgent of agents) {
    const context = await chromium.newContext({ userAgent })
    const page = await context.newPage()
    await page.goto(`${origin}/newest`)
    const options = { ...OPTIONS, api_host: worker.url, cookieless_mode: 'always' }
    await page.evaluate(
      `posthog.init(${JSON.stringify(worker.credentials.projectApiToken)}, ${JSON.stringify(options)})`,
    )
    await page.evaluate('new Promise((loaded) => posthog.onFeatureFlags(() => loaded()))')
    expect(await isEnabled(page, 'web-open')).toBe(true)
    await page.evaluate("posthog.capture('cookieless visit', {}, { send_instantly: true })")
    await page.waitForLoadState('networkidle')
    await context.close()
  }
  const ids = async (): Promise<string[]> => {
    const query = "SELECT distinct_id FROM events WHERE event = 'cookieless visit' ORDER BY timestamp"
    const response = await fetch(`${worker.url}/api/projects/${worker.projectId}/query/`, {
      method: 'POST',
      headers: {
        Authorization: `Bearer ${worker.credentials.personalApiKey}`,
        'Content-Type': 'application/json',
      },
      body: JSON.stringify({ query: { kind: 'HogQLQuery', query } }),
    })
    return ((await response.json()) as { results: string[][] }).results.flat()
  }
  await expect.poll(async () => (await ids()).length, { timeout: 20_000, interval: 200 }).toBe(3)
  const [one, other, again] = await ids()
  expect([one, other]).toEqual([expect.stringMatching(/^cookieless_/), expect.stringMatching(/^cookieless_/)])
  expect(other).not.toBe(one)
  expect(again).toBe(one)
})

it('lets pages read the 404 of an SDK path', async () => {
  const page = await chromium.newPage()
  await page.goto(origin)
  const status = await page.evaluate(
    `fetch(${JSON.stringify(`${worker.url}/static/1.2.3/x.js`)}).then((response) => response.status)`,
  )
  expect(status).toBe(404)
  await page.close()
})
