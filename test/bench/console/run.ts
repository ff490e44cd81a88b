// Measures the console with 2,000 flags and 1,000,000 events in Chromium: how long it takes to load and to respond, and how smoothly it scrolls.
// The production bundle runs in workerd, and the browser on the same machine. Times are medians.
import { gzipSync } from 'node:zlib'
import type { Page } from 'playwright-core'
import buildPages from '../../browser/build-console'
import { launchChromium } from '../../support/browser/chromium'
import { serveWorker } from '../../support/server/served-worker'
import { EVENTS } from '../queries/data'
import { loadEvents } from './load-events'
import { createQueries, measureEvents } from './measure-events'
import { promiseOf } from './promise-of'

const FLAGS = 2_000
/** The number of concurrent requests that create them. */
const CREATORS = 10
const TURNS = 5

await buildPages()
const served = await serveWorker()
const browser = await launchChromium()
const flagsPath = `/project/${served.projectId}/feature_flags`

async function post(path: string, body: object): Promise<{ id: number }> {
  const response = await fetch(`${served.url}/api/projects/${served.projectId}/${path}`, {
    method: 'POST',
    headers: {
      Authorization: `Bearer ${served.credentials.personalApiKey}`,
      'Content-Type': 'application/json',
    },
    body: JSON.stringify(body),
  })
  if (!response.ok) throw new Error(await response.text())
  return (await response.json()) as { id: number }
}

const createFlag = (number: number) =>
  post('feature_flags/', {
    key: `flag-${String(number).padStart(4, '0')}`,
    name: `What flag ${number} is for, in some words`,
    active: number % 4 !== 0,
    tags: [['growth', 'checkout'], ['search'], []][number % 3],
    filters: {
      groups: [
        {
          properties:
            number % 2 ? [{ key: 'plan', type: 'person', operator: 'exact', value: ['paid', 'trial'] }] : [],
          rollout_percentage: number % 101,
        },
      ],
    },
  })

const system = await browser.newBrowserCDPSession()

/** Returns the processor time of all pages in seconds. */
async function rendererTime(): Promise<number> {
  const { processInfo } = await system.send('SystemInfo.getProcessInfo')
  return processInfo.filter(({ type }) => type === 'renderer').reduce((sum, { cpuTime }) => sum + cpuTime, 0)
}

const median = (values: readonly number[]): number =>
  [...values].sort((a, b) => a - b)[Math.floor(values.length / 2)] ?? Number.NaN

/**
 * Returns the milliseconds from an action until the page draws the frame with its effect.
 * @throws Error that names the condition, when it does not hold in time
 */
async function timeOf(page: Page, act: () => Promise<unknown>, isShown: string): Promise<number> {
  await page.evaluate(`window.actedAt = null
    for (const type of ['click', 'keydown', 'change'])
      addEventListener(type, (event) => { actedAt ??= event.timeStamp }, { capture: true, once: true })
    window.shown = ${promiseOf(`actedAt !== null && (${isShown})`)}.then(() => performance.now() - actedAt)
    null`)
  await act()
  return page.evaluate<number>('window.shown')
}

const medianTime = async (measure: (turn: number) => Promise<number>): Promise<number> => {
  const times: number[] = []
  for (let turn = 0; turn < TURNS; turn += 1) times.push(await measure(turn))
  return median(times)
}

const hasRow = "document.querySelector('tbody .row-link') !== null"
const firstKey = "document.querySelector('tbody .row-link')?.textContent"
const hasRows = (condition: string) => `document.querySelector('[data-stale]') === null && ${condition}`

/**
 * Opens the list in a browser without a cache.
 * @returns milliseconds until the first contentful paint, the first row, and the end of the last long task, when it is interactive
 */
async function load(cookies: Awaited<ReturnType<typeof signIn>>) {
  const context = await browser.newContext({ baseURL: served.url, viewport: { width: 1280, height: 860 } })
  await context.addCookies(cookies)
  const page = await context.newPage()
  let scriptBytes = 0
  const bodies: Promise<void>[] = []
  page.on('response', (response) => {
    if (response.url().endsWith('.js'))
      bodies.push(response.body().then((body) => void (scriptBytes += gzipSync(body).byteLength)))
  })
  await page.addInitScript(`
    window.longTaskEnd = 0
    new PerformanceObserver((list) => {
      for (const task of list.getEntries()) window.longTaskEnd = Math.max(window.longTaskEnd, task.startTime + task.duration)
    }).observe({ type: 'longtask', buffered: true })
    window.row = ${promiseOf(hasRow)}.then(() => performance.now())`)
  const before = await rendererTime()
  await page.goto(flagsPath)
  const row = await page.evaluate<number>('window.row')
  const processor = ((await rendererTime()) - before) * 1_000
  await page.waitForLoadState('networkidle')
  await Promise.all(bodies)
  const times = await page.evaluate<{ paint: number; longTaskEnd: number }>(`({
    paint: performance.getEntriesByName('first-contentful-paint')[0].startTime,
    longTaskEnd: window.longTaskEnd,
  })`)
  await context.close()
  return { paint: times.paint, row, processor, interactive: Math.max(row, times.longTaskEnd), scriptBytes }
}

async function signIn() {
  const context = await browser.newContext({ baseURL: served.url })
  const { email, password } = served.credentials
  const response = await context.request.post('/api/login/', { data: { email, password } })
  if (!response.ok()) throw new Error(await response.text())
  const cookies = await context.cookies()
  await context.close()
  return cookies
}

/** The milliseconds between two frames of a screen that draws 60 a second. */
const FRAME_MS = 1_000 / 60

interface Scrolling {
  frames: number
  /** The processor time of the page's process for each, in milliseconds. */
  processorMs: number
  /** The number of frames of the screen for which there was no new picture. */
  dropped: number
  longestMs: number
  /** The number of frames that showed a row that was not loaded. */
  unloaded: number
}

/** Scrolls through the page with the wheel. */
async function scroll(page: Page, pixelsATurn: number): Promise<Scrolling> {
  await page.evaluate(`scrollTo(0, 0)`)
  await page.evaluate(`window.frames = []; window.unloaded = 0; window.isScrolling = true;
    (function frame(at) {
      window.frames.push(at)
      const low = innerHeight
      for (const each of document.querySelectorAll('tbody .skeleton')) {
        const { top, bottom } = each.getBoundingClientRect()
        if (bottom > 0 && top < low) { window.unloaded += 1; break }
      }
      if (window.isScrolling) requestAnimationFrame(frame)
    })(performance.now())`)
  await page.mouse.move(600, 500)
  const before = await rendererTime()
  const isAtEnd = () =>
    page.evaluate<boolean>('scrollY + innerHeight >= document.documentElement.scrollHeight - 2')
  while (!(await isAtEnd())) await page.mouse.wheel(0, pixelsATurn)
  await page.evaluate('window.isScrolling = false')
  const processorSeconds = (await rendererTime()) - before
  const { frames, unloaded } = await page.evaluate<{ frames: number[]; unloaded: number }>(
    '({ frames: window.frames, unloaded: window.unloaded })',
  )
  const gaps = frames.slice(1).map((at, index) => at - frames[index]!)
  return {
    frames: gaps.length,
    processorMs: (processorSeconds * 1_000) / gaps.length,
    dropped: gaps.reduce((sum, gap) => sum + Math.max(0, Math.round(gap / FRAME_MS) - 1), 0),
    longestMs: Math.max(...gaps),
    unloaded,
  }
}

for (let number = 0; number < FLAGS; number += CREATORS) {
  await Promise.all(Array.from({ length: CREATORS }, (_, index) => createFlag(number + index)))
}
await loadEvents(served)
const dashboardId = await createQueries(post)
const cookies = await signIn()
await load(cookies)
const loads: Awaited<ReturnType<typeof load>>[] = []
for (let turn = 0; turn < TURNS; turn += 1) loads.push(await load(cookies))

const context = await browser.newContext({ baseURL: served.url, viewport: { width: 1280, height: 860 } })
await context.addCookies(cookies)
const page = await context.newPage()
const open = async (query = '') => {
  await page.goto(flagsPath + query)
  await page.locator('tbody .row-link').first().waitFor()
  await page.waitForLoadState('networkidle')
}
const search = page.getByRole('searchbox', { name: 'Search feature flags' })

const interactions: [string, number][] = [
  [
    'search: from the last key until the rows match',
    await medianTime(async () => {
      await open()
      return timeOf(
        page,
        () => search.fill('flag-1234').then(() => search.press('End')),
        hasRows(`${firstKey} === 'flag-1234'`),
      )
    }),
  ],
  [
    'filter by status',
    await medianTime(async () => {
      await open('?order=key')
      return timeOf(
        page,
        () => page.getByRole('combobox', { name: 'Status' }).selectOption('Disabled'),
        hasRows("document.querySelectorAll('tbody .switch:checked').length === 0"),
      )
    }),
  ],
  [
    'order by key',
    await medianTime(async () => {
      await open()
      return timeOf(
        page,
        () => page.getByRole('button', { name: 'Flag', exact: true }).click(),
        hasRows(`${firstKey} === 'flag-0000'`),
      )
    }),
  ],
  [
    'disable a flag, from the confirmation until the switch has moved',
    await medianTime(async (turn) => {
      await open('?order=key')
      const label = `flag-000${[1, 2, 3, 5, 6][turn]} enabled`
      await page.getByRole('switch', { name: label }).click()
      return timeOf(
        page,
        () => page.getByRole('button', { name: 'Disable', exact: true }).click(),
        `!document.querySelector('[aria-label="${label}"]').checked`,
      )
    }),
  ],
  [
    'open a flag',
    await medianTime(async () => {
      await open('?order=key')
      return timeOf(
        page,
        () => page.getByRole('link', { name: 'flag-0001' }).click(),
        'document.querySelector(\'aside[aria-label="About the flag"]\') !== null',
      )
    }),
  ],
]

const eventTimes = await measureEvents({
  page,
  base: `/project/${served.projectId}`,
  dashboardId,
  timeOf,
  medianTime,
})

// This comes before scrolling, because the browser restores the scroll position of a page.
const jumpMs = await (async () => {
  await open('?order=key')
  return timeOf(
    page,
    () => page.keyboard.press('End'),
    'document.querySelector(\'tr[aria-rowindex="2001"] .row-link\') !== null',
  )
})()

await open('?order=key')
await page.evaluate('scrollTo(0, 0)')
await page.reload()
await page.locator('tbody .row-link').first().waitFor()
const firstScroll = await scroll(page, 240)
const secondScroll = await scroll(page, 240)
const plain = await browser.newContext({
  baseURL: served.url,
  viewport: { width: 1280, height: 860 },
  bypassCSP: true,
})
await plain.addCookies(cookies)
const plainPage = await plain.newPage()
await plainPage.goto(`${flagsPath}?order=key`)
await plainPage.locator('tbody .row-link').first().waitFor()
await plainPage.waitForLoadState('networkidle')
// This measures drawing of rows without any script, repeatedly.
await plainPage.evaluate(`{
  document.body.innerHTML = document.querySelector('#root').innerHTML
  for (const gap of document.querySelectorAll('tr.gap')) gap.remove()
  const body = document.querySelector('tbody')
  const rows = [...body.children]
  for (let index = rows.length; index < ${FLAGS}; index += 1) body.append(rows[index % rows.length].cloneNode(true))
}`)
const plainScroll = await scroll(plainPage, 240)
await plain.close()
const ms = (value: number) => value.toFixed(0)
const rowOf = ({ frames, dropped, longestMs, unloaded, processorMs }: Scrolling) =>
  `${frames} | ${dropped} | ${ms(longestMs)} | ${processorMs.toFixed(1)} | ${unloaded}`
process.stdout.write(`| opening the list, nothing cached | ms |
| --- | ---: |
| first paint | ${ms(median(loads.map(({ paint }) => paint)))} |
| first row | ${ms(median(loads.map(({ row }) => row)))} |
| interactive: no long task after it | ${ms(median(loads.map(({ interactive }) => interactive)))} |
| processor time of the page until the first row | ${ms(median(loads.map(({ processor }) => processor)))} |

${(median(loads.map(({ scriptBytes }) => scriptBytes)) / 1024).toFixed(0)} KiB of script after gzip.

| from the key or click until it is drawn | ms |
| --- | ---: |
${interactions.map(([name, time]) => `| ${name} | ${ms(time)} |`).join('\n')}
| the end key: the last of ${FLAGS} rows is loaded | ${ms(jumpMs)} |

| with ${EVENTS.toLocaleString('en')} events: from the key or click until it is drawn | ms |
| --- | ---: |
${eventTimes.map(([name, time]) => `| ${name} | ${ms(time)} |`).join('\n')}

| scrolling through ${FLAGS} rows | frames | dropped | longest ms | processor ms a frame | with rows that load |
| --- | ---: | ---: | ---: | ---: | ---: |
| the first time | ${rowOf(firstScroll)} |
| again | ${rowOf(secondScroll)} |
| a page with all rows and without a script | ${rowOf(plainScroll)} |
`)

await browser.close()
await served.stop()
