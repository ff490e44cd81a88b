// Saved queries in the console: the list, and each page in each look.
import { describe, expect, it } from 'vitest'
import {
  button,
  capture,
  create,
  editor,
  type Endpoint,
  endpointsPath,
  hogql,
  read,
  run,
  write,
} from './queries-support'
import { expectEachLook, picture, settled, useConsole } from './support'

const open = useConsole()

const DAILY =
  'SELECT toStartOfDay(timestamp) AS day, count() AS events, uniq(person_id) AS people FROM events GROUP BY day ORDER BY day'

describe('saved queries', () => {
  it('are accessible', { timeout: 120_000 }, async () => {
    const console = await open()
    const { page, api, errors } = console
    const check = async (name: string) => {
      await settled(page)
      await expectEachLook(page, `queries-${name}`)
    }
    await console.visit('endpoints')
    await page.getByRole('heading', { name: 'Turn a question into an endpoint' }).waitFor()
    await check('none')
    await capture(console)
    await api('POST', `/api/projects/${console.projectId}/insight_variables/`, {
      name: 'plan',
      type: 'String',
      default_value: 'pro',
    })
    await create(console, 'events-by-day', { query: hogql(DAILY), description: 'How busy each day was' })
    await create(console, 'off', { is_active: false })
    await create(console, 'events-of-plan', {
      query: hogql(
        'SELECT event, count() AS total FROM events WHERE properties.plan = {variables.plan} GROUP BY event ORDER BY total DESC',
      ),
    })
    await create(console, 'visits', {
      query: { kind: 'TrendsQuery', series: [{ kind: 'EventsNode', event: '$pageview' }] },
    })
    await page.reload()
    await page.getByRole('link', { name: 'events-by-day' }).waitFor()
    await check('list')
    await console.visit('endpoints?search=nothing')
    await page.getByRole('heading', { name: 'No query matches' }).waitFor()
    await console.visit('endpoints/new')
    await page.getByText('The query is valid.').waitFor()
    await button(console, 'Create query').click()
    await page.getByText('A name is needed.').first().waitFor()
    await check('new-refused')
    await console.visit('endpoints/events-of-plan?edit=true')
    await page.getByText('The query is valid.').waitFor()
    await run(console)
    await check('bars')
    await button(console, 'Table').click()
    await check('table')
    await write(console, 'SELECT evnt FROM events')
    await page.getByText('Unable to resolve field').first().waitFor()
    await check('error')
    await button(console, 'Review and save').click()
    await page.getByRole('dialog').waitFor()
    await check('save')
    await page.keyboard.press('Escape')
    await button(console, 'Discard').click()
    await console.visit('endpoints/events-by-day?edit=true')
    await page.getByText('The query is valid.').waitFor()
    await run(console)
    await page.locator('.legend').waitFor()
    await check('lines')
    for (const refresh of ['cache', ...Array.from({ length: 4 }, () => 'force')])
      await api('POST', `${endpointsPath(console, 'events-by-day')}run/`, { refresh })
    await api('PATCH', endpointsPath(console, 'events-by-day'), { query: hogql(`${DAILY} DESC`) })
    await page.reload()
    for (const tab of ['versions', 'runs', 'materialization', 'call']) {
      await console.visit(`endpoints/events-by-day?tab=${tab}`)
      await page.getByRole('heading', { name: 'events-by-day' }).waitFor()
      if (tab === 'versions') {
        await button(console, 'Compare with 1').click()
        await page.getByRole('heading', { name: 'Difference' }).waitFor()
      }
      if (tab === 'runs') await page.getByRole('heading', { name: /^Duration of/ }).waitFor()
      if (tab === 'materialization') await page.getByRole('heading', { name: /^What is built/ }).waitFor()
      await check(tab)
    }
    expect(errors).toEqual([])
  })
})

describe('the list of saved queries', () => {
  it('filters by name and state, and keeps the filters in the address', async () => {
    const console = await open()
    const { page } = console
    for (const name of ['orders', 'orders-by-day', 'visits']) await create(console, name)
    await create(console, 'old-orders', { is_active: false })
    await console.visit('endpoints')
    await page.getByText('4 queries').waitFor()
    await page.keyboard.press('/')
    await page.keyboard.type('order')
    await page.getByText('3 queries match').waitFor()
    await expect.poll(() => new URL(page.url()).search).toBe('?search=order')
    await page.getByLabel('Status').selectOption('Inactive')
    await page.getByText('1 query match').waitFor()
    await page.reload()
    await page.getByRole('link', { name: 'old-orders' }).waitFor()
    expect(await page.getByRole('searchbox', { name: 'Search saved queries' }).inputValue()).toBe('order')
    await button(console, 'Clear').click()
    await page.getByText('4 queries').waitFor()
  })

  it('renders only visible rows, and loads more on scroll', async () => {
    const console = await open()
    const { page } = console
    for (let at = 0; at < 130; at += 13)
      await Promise.all(Array.from({ length: 13 }, (_, n) => create(console, `query-${at + n}`)))
    await console.visit('endpoints')
    await page.getByText('130 queries').waitFor()
    expect(await page.getByRole('row').count()).toBeLessThan(60)
    await page.evaluate('scrollTo(0, document.documentElement.scrollHeight)')
    await page.getByRole('row').last().getByRole('link').waitFor()
    await expect.poll(() => page.getByRole('row').last().getAttribute('aria-rowindex')).toBe('131')
  })

  it('disables and enables a query with undo, deletes it after confirmation, and shows why each of that or the load fails', async () => {
    const console = await open()
    const { page, api } = console
    await create(console, 'orders')
    await page.route('**/endpoints/?**', (route) => route.fulfill({ status: 429, json: {} }))
    await console.visit('endpoints')
    await page.getByText('Too many requests.').waitFor()
    await page.unroute('**/endpoints/?**')
    await button(console, 'Try again').click()
    const toggle = page.getByRole('switch', { name: 'orders active' })
    await toggle.click()
    await page.getByText('orders is disabled.').waitFor()
    expect((await read(console, 'orders')).is_active).toBe(false)
    await button(console, 'Undo').click()
    await page.getByText('orders is enabled.').waitFor()
    expect((await read(console, 'orders')).is_active).toBe(true)
    await page.route('**/endpoints/orders/', (route) =>
      route.fulfill({ status: 400, json: { detail: 'Not today.' } }),
    )
    await toggle.click()
    const refusal = page.getByRole('listitem').filter({ hasText: 'orders stays as it is: Not today.' })
    await refusal.waitFor()
    expect(await refusal.getByRole('button', { name: 'Try again' }).count()).toBe(0)
    await page.unroute('**/endpoints/orders/')
    await page.route('**/endpoints/orders/', (route) => route.abort())
    await toggle.click()
    await page.getByText('The service cannot be reached').waitFor()
    expect(await toggle.isChecked()).toBe(true)
    await button(console, 'Delete orders').click()
    await page.getByRole('dialog').getByRole('heading', { name: 'Delete orders?' }).waitFor()
    await button(console, 'Delete query').click()
    await page.getByRole('dialog').getByText('The service cannot be reached').waitFor()
    await page.unroute('**/endpoints/orders/')
    await button(console, 'Delete query').click()
    await page.getByText('orders deleted.').waitFor()
    await page.getByRole('heading', { name: 'Turn a question into an endpoint' }).waitFor()
    expect((await api<{ count: number }>('GET', endpointsPath(console))).count).toBe(0)
  })

  it('is reached by keys and the palette, which finds queries', async () => {
    const console = await open({ path: 'feature_flags' })
    const { page } = console
    await create(console, 'orders', { description: 'Paid ones' })
    await page.keyboard.press('g')
    await page.keyboard.press('q')
    await page.getByRole('heading', { name: 'Saved queries' }).waitFor()
    await page.keyboard.press('c')
    await page.getByRole('heading', { name: 'New query' }).waitFor()
    await page.keyboard.press('Control+k')
    await page.getByPlaceholder('Search flags, queries, people and pages').fill('orders')
    await page.getByRole('option', { name: /orders/ }).waitFor()
    await page.keyboard.press('Enter')
    await page.getByRole('heading', { name: 'orders', level: 1 }).waitFor()
    await page.locator('main').focus()
    await page.keyboard.press('?')
    await page.getByText('Run a query').waitFor()
  })
})

describe('a new query', () => {
  it('is tried, and created', async () => {
    const console = await open()
    const { page, errors } = console
    await capture(console)
    await console.visit('endpoints/new')
    await page.getByText('The query is valid.').waitFor()
    await write(console, DAILY)
    await page.keyboard.press('Control+Enter')
    await page.getByText(/^10 rows · ran in/).waitFor()
    await page.getByLabel('Name').fill('events by day')
    await page.getByLabel('Description').fill('How busy each day was')
    await page.getByLabel('Results may be this old').selectOption('1 hour')
    await button(console, 'Create query').click()
    await page.getByText('events-by-day created.').waitFor()
    await page.getByRole('heading', { name: 'events-by-day', level: 1 }).waitFor()
    expect(await read(console, 'events-by-day')).toMatchObject({
      description: 'How busy each day was',
      data_freshness_seconds: 3_600,
      query: { query: DAILY },
    })
    expect(errors).toEqual([])
  })

  it('keeps the input when its page is left and after a rejection, and shows the error beside the field', async () => {
    const console = await open()
    const { page, api } = console
    await create(console, 'taken')
    await console.visit('endpoints/new')
    await page.getByLabel('Name').fill('taken')
    await page.getByLabel('Description').fill('Kept')
    await page.getByRole('link', { name: 'Saved queries' }).first().click()
    await page
      .getByRole('dialog')
      .getByRole('heading', { name: 'Leave without creating the query?' })
      .waitFor()
    await button(console, 'Cancel').click()
    expect(await page.getByLabel('Name').inputValue()).toBe('taken')
    await button(console, 'Create query').click()
    const bar = page.getByRole('region', { name: 'Create the query' })
    await bar.getByRole('alert').getByText('An endpoint with this name already exists').waitFor()
    expect(await page.getByLabel('Name').getAttribute('aria-invalid')).toBe('true')
    expect(await page.getByLabel('Description').inputValue()).toBe('Kept')
    await page.getByLabel('Name').fill('free')
    await bar.getByRole('alert').waitFor({ state: 'detached' })
    await write(console, 'SELECT nothing FROM events')
    await page.getByText('Line 1, column 8: Unable to resolve field: nothing').waitFor()
    await button(console, 'Create query').click()
    await expect.poll(() => page.getByText('Unable to resolve field: nothing').count()).toBeGreaterThan(0)
    await write(console, 'SELECT 1')
    await button(console, 'Create query').click()
    await page.getByText('free created.').waitFor()
    expect((await api<{ results: Endpoint[] }>('GET', endpointsPath(console))).results).toHaveLength(2)
  })

  it('keeps a text of its own for each kind, and creates the kind that is chosen', async () => {
    const console = await open()
    const { page } = console
    const kind = (name: string) => page.getByRole('radio', { name: new RegExp(`^${name}`) })
    await console.visit('endpoints/new')
    await write(console, 'SELECT event FROM events')
    for (const each of ['Funnel', 'Retention', 'Lifecycle', 'Trends']) {
      await kind(each).click()
      await page.getByText('The query is valid.').waitFor()
      expect(await page.getByText('The form is back once').count()).toBe(0)
    }
    await page.getByLabel('Interval').selectOption('week')
    await kind('SQL').click()
    await expect.poll(() => editor(console).innerText()).toBe('SELECT event FROM events')
    await kind('Funnel').click()
    await page.reload()
    await page.getByText('The query is valid.').waitFor()
    expect(await kind('Funnel').isChecked()).toBe(true)
    await page.getByLabel('Name').fill('signups')
    await button(console, 'Create query').click()
    await page.getByText('signups created.').waitFor()
    expect((await read(console, 'signups')).query).toMatchObject({ kind: 'FunnelsQuery' })
    // Of a copy, too.
    await console.visit('endpoints/new?from=signups')
    await kind('Trends').click()
    await page.getByText('The query is valid.').waitFor()
    await button(console, 'Create query').click()
    await page.getByText('signups-copy created.').waitFor()
    expect((await read(console, 'signups-copy')).query).toMatchObject({ kind: 'TrendsQuery' })
  })

  it('of each kind of insight begins with an example that runs', async () => {
    const console = await open()
    const { page, errors } = console
    await capture(console)
    const kinds = { Trends: 'Trend', Funnel: 'Funnel', Retention: 'Retention', Lifecycle: 'Lifecycle' }
    await console.visit('endpoints/new')
    for (const [kind, label] of Object.entries(kinds)) {
      await page.getByRole('radio', { name: new RegExp(`^${kind}`) }).click()
      await button(console, /^Run/).click()
      const drawn = page.getByRole('table', { name: label }).or(page.getByLabel(label, { exact: true }))
      await drawn.first().waitFor()
      if (kind === 'Retention') await page.getByText('The last period is not over').waitFor()
      // A run shows its result, above the bar of the form.
      const bottom = page
        .getByRole('region', { name: 'Result' })
        .evaluate((each) => each.getBoundingClientRect().bottom)
      const top = page.locator('.save-bar').evaluate((each) => each.getBoundingClientRect().top)
      expect(await bottom).toBeLessThanOrEqual(await top)
      await picture(page, `insight-${kind}`)
    }
    await page.getByLabel('Name').fill('mine')
    await button(console, 'Create query').click()
    await page.getByText('mine created.').waitFor()
    expect(errors).toEqual([])
  })
})
