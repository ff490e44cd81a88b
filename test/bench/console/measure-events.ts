// Measures the pages about events, people, queries and dashboards.
import type { Page } from 'playwright-core'
import { RARE_EVENT } from './load-events'
import { promiseOf } from './promise-of'

/** Sends a change with the project's key. */
type Post = (path: string, body: object) => Promise<{ id: number }>

const QUERIES = 50
const BY_DAY = 'SELECT toStartOfDay(timestamp) AS day, count() AS total FROM events GROUP BY day ORDER BY day'
const BY_PERSON =
  'SELECT person.properties.plan AS plan, count() AS total FROM events WHERE timestamp > now() - INTERVAL 7 DAY GROUP BY plan'

/** Creates saved queries and a dashboard of three of them. @returns the dashboard's id */
export async function createQueries(post: Post): Promise<number> {
  for (let number = 0; number < QUERIES; number += 1) {
    await post('endpoints/', {
      name: `query-${String(number).padStart(2, '0')}`,
      query: { kind: 'HogQLQuery', query: number % 2 ? BY_DAY : BY_PERSON },
    })
  }
  await post('endpoints/', {
    name: 'visits',
    query: { kind: 'TrendsQuery', series: [{ kind: 'EventsNode', event: '$pageview' }] },
  })
  const tiles = ['query-00', 'query-01', 'visits'].map((endpoint) => ({ endpoint }))
  const { id } = await post('dashboards/', { name: 'Overview', tiles })
  return id
}

interface Measure {
  page: Page
  /** The address of the project in the console. */
  base: string
  dashboardId: number
  /** Returns the milliseconds from the first click or key of an action until a condition holds on the page. */
  timeOf(page: Page, act: () => Promise<unknown>, isShown: string): Promise<number>
  medianTime(measure: (turn: number) => Promise<number>): Promise<number>
}

const hasRow = "document.querySelector('tbody .row-link') !== null"
/** Selects a table that was drawn since `forget`. */
const hasNewRow = `document.querySelector('table:not([data-before]) tbody .row-link') !== null`

const hasResult = "document.querySelector('section[aria-label=Result]') !== null"
const hasNewResult = `${hasResult} && !document.querySelector('section[aria-label=Result]').textContent.includes('of the saved version')`

export async function measureEvents({ page, base, dashboardId, timeOf, medianTime }: Measure) {
  const { project, ...at } = {
    project: base,
    events: `${base}/events`,
    people: `${base}/persons`,
    queries: `${base}/endpoints`,
  }
  const open = async (path: string, ready: string) => {
    await page.goto(path)
    // The page's policy does not allow `waitForFunction`, which evaluates in the page.
    await page.evaluate(promiseOf(ready))
    await page.waitForLoadState('networkidle')
  }
  const forget = () => page.evaluate("document.querySelector('table').dataset.before = ''")
  const link = (name: string) =>
    page.getByRole('navigation', { name: 'Data' }).getByRole('link', { name, exact: true })
  const filterBy = (label: string, value: string) => async () => {
    await open(at.events, hasRow)
    await forget()
    const field = page.getByRole('combobox', { name: label, exact: true })
    await field.fill(value)
    return timeOf(page, () => field.press('Enter'), hasNewRow)
  }
  const edit = async (name: string) => {
    // What was typed before outlives the page.
    await open(at.queries, hasRow)
    await page.evaluate('sessionStorage.clear(), localStorage.clear()')
    await open(`${at.queries}/${name}`, hasResult)
    await page.getByRole('region', { name: 'Query' }).getByRole('button', { name: 'Edit' }).click()
    await page.getByRole('button', { name: /^Run/ }).waitFor()
  }
  const typed = (text: string, isShown: string) => async () => {
    await edit('query-01')
    await page.locator('.cm-content').focus()
    await page.keyboard.press('Control+End')
    await page.keyboard.insertText(text.slice(0, -1))
    return timeOf(page, () => page.keyboard.type(text.slice(-1)), isShown)
  }
  const run = (name: string) => async () => {
    await edit(name)
    return timeOf(page, () => page.getByRole('button', { name: /^Run/ }).click(), hasNewResult)
  }
  const measures: [string, () => Promise<number>][] = [
    [
      'open the events',
      async () => {
        await open(`${project}/feature_flags`, "document.querySelector('tbody .row-link') !== null")
        return timeOf(
          page,
          () => link('Events').click(),
          `document.querySelector('h1').textContent === 'Events' && ${hasRow}`,
        )
      },
    ],
    ['filter them by a common event', filterBy('Event', '$pageview')],
    ['filter them by one that happened five times, weeks ago', filterBy('Event', RARE_EVENT)],
    ['filter them by a person', filterBy('Person', 'user-5')],
    [
      'filter them by a property',
      async () => {
        await open(at.events, hasRow)
        await page.getByRole('button', { name: 'Property', exact: true }).click()
        await page.getByLabel('Property of the filter').fill('$browser')
        await page.getByLabel('Values of the filter').fill('Opera')
        await page.keyboard.press('Escape')
        await forget()
        return timeOf(page, () => page.getByRole('button', { name: 'Apply' }).click(), hasNewRow)
      },
    ],
    [
      'open one event',
      async () => {
        await open(at.events, hasRow)
        return timeOf(
          page,
          () => page.locator('tbody .row-link').first().click(),
          "document.querySelector('dialog .properties') !== null",
        )
      },
    ],
    [
      'search 20,000 people by email',
      async () => {
        await open(at.people, "document.querySelector('tbody a') !== null")
        const search = page.getByRole('searchbox', { name: /^Search/ })
        return timeOf(
          page,
          () => search.fill('user1234@').then(() => search.press('End')),
          "document.querySelectorAll('tbody a').length === 1",
        )
      },
    ],
    [
      'open a person',
      async () => {
        await open(at.people, "document.querySelector('tbody a') !== null")
        return timeOf(
          page,
          () => page.locator('tbody a').first().click(),
          "document.querySelector('.split .properties, .id-list') !== null",
        )
      },
    ],
    [
      `list ${QUERIES + 1} saved queries`,
      async () => {
        await open(at.events, hasRow)
        return timeOf(
          page,
          () => link('Saved queries').click(),
          "document.querySelector('h1').textContent === 'Saved queries' && document.querySelector('tbody a') !== null",
        )
      },
    ],
    [
      'a query: complete a name',
      typed(' HAVING cou', "document.querySelector('.cm-tooltip-autocomplete li') !== null"),
    ],
    [
      'a query: underline a mistake',
      typed(' LIMIT LIMIT', "document.querySelector('.cm-lintRange-error') !== null"),
    ],
    ['run SQL over all events', run('query-01')],
    ['run an insight of 30 days', run('visits')],
    [
      'open a dashboard, until its three tiles are drawn',
      async () => {
        await open(`${project}/dashboard`, "document.querySelector('tbody a') !== null")
        return timeOf(
          page,
          () => page.locator(`tbody a[href$="/dashboard/${dashboardId}"]`).first().click(),
          "document.querySelectorAll('[data-tile] :is(.u-over, table)').length >= 3",
        )
      },
    ],
  ]
  const times: [string, number][] = []
  for (const [name, measure] of measures) times.push([name, await medianTime(measure)])
  return times
}
