// Dashboards in the console: list, tiles, arrangement, time range, refresh.
import { describe, expect, it } from 'vitest'
import { capture, create, hogql } from './queries-support'
import { type Console, expectEachLook, settled, useConsole } from './support'

const open = useConsole()

interface Dashboard {
  id: number
  name: string
  filters: { date_from: string | null; date_to: string | null }
  tiles: {
    id: number
    endpoint: string | null
    layouts: { sm?: { x: number; y: number; w: number; h: number } }
  }[]
}

interface Materialized {
  materialization: { last_materialized_at?: string | null }
}

const path = ({ projectId }: Console, rest = '') => `/api/projects/${projectId}/dashboards/${rest}`
const button = ({ page }: Console, name: string | RegExp) => page.getByRole('button', { name, exact: true })
const tile = ({ page }: Console, name: string) => page.getByRole('region', { name, exact: true })

const read = (console: Console, { id }: { id: number }) =>
  console.api<Dashboard>('GET', path(console, `${id}/`))

const DAILY = 'SELECT toStartOfDay(timestamp) AS day, count() AS events FROM events GROUP BY day ORDER BY day'

const makeQueries = (console: Console) =>
  Promise.all([
    create(console, 'by-day', { query: hogql(DAILY) }),
    create(console, 'events'),
    create(console, 'visits', {
      query: { kind: 'TrendsQuery', series: [{ kind: 'EventsNode', event: '$pageview' }] },
    }),
  ])

/** The project of tests that arrange dashboards of their own. */
let shared: number | undefined

/** The console at a project with the queries of `makeQueries`. */
async function openShared(): Promise<Console> {
  const console = await open({ projectId: shared })
  if (shared === undefined) {
    await makeQueries(console)
    shared = console.projectId
  }
  return console
}

/** A dashboard of two queries side by side, and a third below. */
function sales(console: Console, name = 'Sales'): Promise<Dashboard> {
  return console.api<Dashboard>('POST', path(console), {
    name,
    description: 'What we sell',
    tiles: [
      { endpoint: 'by-day', layouts: { sm: { x: 0, y: 0, w: 6, h: 7 } } },
      { endpoint: 'events', layouts: { sm: { x: 6, y: 0, w: 6, h: 7 } } },
      { endpoint: 'visits', layouts: { sm: { x: 0, y: 7, w: 12, h: 7 } } },
    ],
  })
}

/** Names of tiles in the order of the page. */
const order = ({ page }: Console) =>
  page.locator('[data-tile]').evaluateAll((tiles) => tiles.map((each) => each.getAttribute('aria-label')))

describe('dashboards', () => {
  it('are accessible', { timeout: 120_000 }, async () => {
    const console = await open()
    const { page, api, errors, projectId } = console
    const check = async (name: string) => {
      await settled(page)
      await expectEachLook(page, `dashboards-${name}`)
    }
    await console.visit('dashboard')
    await page.getByRole('heading', { name: 'See what matters in one place' }).waitFor()
    await page.getByRole('link', { name: 'New dashboard' }).click()
    await page.getByRole('button', { name: 'Create', exact: true }).click()
    await page.getByText('A name is needed.').waitFor()
    await page.keyboard.press('Escape')
    await Promise.all([capture(console), makeQueries(console)])
    const dashboard = await sales(console)
    const empty = await api<Dashboard>('POST', path(console), { name: 'Empty' })
    const flag = await api<{ usage_dashboard: number }>('POST', `/api/projects/${projectId}/feature_flags/`, {
      key: 'checkout',
      _should_create_usage_dashboard: true,
    })
    await console.visit('dashboard?of=all')
    await page.getByRole('link', { name: 'Sales' }).waitFor()
    await check('list')
    await console.visit(`dashboard/${empty.id}`)
    await page.getByRole('heading', { name: 'Nothing is pinned yet' }).waitFor()
    await button(console, 'Add a saved query').click()
    await page.getByRole('dialog').waitFor()
    await check('add')
    await console.visit(`dashboard/${flag.usage_dashboard}`)
    await page.getByRole('heading', { name: 'No calls' }).first().waitFor()
    await console.visit(`dashboard/${dashboard.id}?range=-30d`)
    for (const name of ['By day', 'Events', 'Visits']) {
      await tile(console, name).scrollIntoViewIfNeeded()
      await tile(console, name).getByText('Computed').waitFor()
    }
    await page.evaluate('scrollTo(0, 0)')
    await check('tiles')
    await button(console, 'Edit').click()
    await check('edited')
    await api('PATCH', `/api/projects/${projectId}/endpoints/events/`, { is_active: false })
    await page.reload()
    await tile(console, 'Events').scrollIntoViewIfNeeded()
    await tile(console, 'Events').getByRole('alert').waitFor()
    await check('tile-failed')
    expect(errors.filter((error) => !error.includes('404'))).toEqual([])
  })
})

describe('the list of dashboards', () => {
  it('creates one by keyboard, finds it, deletes it and undoes the deletion', async () => {
    const console = await open({ path: 'feature_flags' })
    const { page, api } = console
    await api('POST', path(console), { name: 'Visits' })
    await page.keyboard.press('g')
    await page.keyboard.press('d')
    await page.getByText('1 dashboard', { exact: true }).waitFor()
    await page.keyboard.press('c')
    await page.getByLabel('Name').fill('Sales')
    await page.keyboard.press('Enter')
    await page.getByRole('heading', { name: 'Sales', level: 1 }).waitFor()
    await page.goBack()
    await page.keyboard.press('Escape')
    await page.getByText('2 dashboards').waitFor()
    await page.getByRole('searchbox', { name: 'Search dashboards' }).fill('sal')
    await page.getByText('1 dashboard match').waitFor()
    expect(new URL(page.url()).search).toBe('?search=sal')
    await button(console, 'Delete Sales').click()
    await page.getByText('Sales deleted.').waitFor()
    await page
      .getByRole('heading', { name: 'No dashboard matches' })
      .or(page.getByText('0 dashboards'))
      .first()
      .waitFor()
    await button(console, 'Undo').click()
    await page.getByText('Sales restored.').waitFor()
    await page.getByRole('link', { name: 'Sales' }).waitFor()
  })
})

describe('a dashboard', () => {
  it('is arranged by keyboard, with undo', async () => {
    const console = await openShared()
    const { page } = console
    const dashboard = await sales(console)
    await console.visit(`dashboard/${dashboard.id}`)
    await tile(console, 'Visits').waitFor()
    expect(await order(console)).toEqual(['By day', 'Events', 'Visits'])
    expect(await page.getByRole('button', { name: /^(Move|Actions for|Add)/ }).count()).toBe(0)
    await button(console, 'Edit').click()
    await button(console, 'Move By day').focus()
    await page.keyboard.press('ArrowRight')
    await expect.poll(() => order(console)).toEqual(['Events', 'By day', 'Visits'])
    await page.getByText('By day is tile 2 of 3.').waitFor({ state: 'attached' })
    await expect
      .poll(async () => (await read(console, dashboard)).tiles.map(({ layouts }) => layouts.sm?.x))
      .toEqual([6, 0, 0])
    expect(await page.evaluate('document.activeElement.getAttribute("aria-label")')).toBe('Move By day')
    await page.keyboard.press('Shift+ArrowLeft')
    await page.keyboard.press('Shift+ArrowDown')
    await expect
      .poll(async () => (await read(console, dashboard)).tiles[0]!.layouts.sm)
      .toEqual({ x: 6, y: 0, w: 5, h: 8 })
    await page.getByText('Arranged.').first().waitFor()
    await page.getByRole('button', { name: 'Undo' }).last().click()
    await expect.poll(async () => (await read(console, dashboard)).tiles[0]!.layouts.sm?.h).toBe(7)
    await page.route('**/dashboards/*/', (route) => route.abort())
    await button(console, 'Move Visits').focus()
    await page.keyboard.press('ArrowUp')
    await page.getByText('The service cannot be reached').waitFor()
    await expect.poll(() => order(console)).toEqual(['Events', 'By day', 'Visits'])
  })

  it('is arranged with a pointer, and gives nothing of its state to the one that is opened next', async () => {
    const console = await openShared()
    const { page, api } = console
    const dashboard = await sales(console, 'Arranged by pointer')
    const tiles = [{ endpoint: 'events' }]
    const other = await api<Dashboard>('POST', path(console), { name: 'Other', tiles })
    await console.visit(`dashboard/${other.id}`)
    await page.getByRole('heading', { name: 'Other', level: 1 }).waitFor()
    const openByPalette = async (name: string) => {
      await page.keyboard.press('Control+k')
      await page.getByRole('dialog').getByRole('combobox').fill(name)
      await page.getByRole('option', { name: new RegExp(`^${name}`) }).click()
      await page.getByRole('heading', { name, level: 1 }).waitFor()
    }
    await openByPalette('Arranged by pointer')
    expect(page.url()).toContain(`/dashboard/${dashboard.id}`)
    await tile(console, 'Visits').waitFor()
    await button(console, 'Edit').click()
    const centre = async (name: string) => {
      const { x, y, width, height } = (await tile(console, name).boundingBox())!
      return [x + width / 2, y + height / 2] as const
    }
    await button(console, 'Move By day').hover()
    await page.mouse.down()
    await page.mouse.move(...(await centre('Events')), { steps: 5 })
    await page.mouse.up()
    await expect.poll(() => order(console)).toEqual(['Events', 'By day', 'Visits'])
    await expect.poll(async () => (await read(console, dashboard)).tiles[0]!.layouts.sm?.x).toBe(6)
    const { x, y, width, height } = (await tile(console, 'Events').boundingBox())!
    await page.mouse.move(x + width - 8, y + height - 8)
    await page.mouse.down()
    await page.mouse.move(x + width * 0.66, y + height - 8, { steps: 5 })
    await page.mouse.up()
    await expect.poll(async () => (await read(console, dashboard)).tiles[1]!.layouts.sm?.w).toBe(4)
    await button(console, 'Done').waitFor()
    // Both are in memory then.
    await openByPalette('Other')
    await button(console, 'Edit').waitFor()
  })

  it('adds saved queries by the titles of their tiles in any case, and removes them', async () => {
    const console = await open()
    const { page, api } = console
    await create(console, 'weekly-sign_ups')
    const dashboard = await api<Dashboard>('POST', path(console), { name: 'Sales' })
    await console.visit(`dashboard/${dashboard.id}`)
    await button(console, 'Add a saved query').click()
    const dialog = page.getByRole('dialog')
    await dialog.getByLabel('Saved query').fill('nothing')
    // Without suggestions, the rest of the dialog is not hidden from screen readers, and one Escape keeps what is typed.
    await dialog.getByRole('button', { name: 'Cancel' }).waitFor()
    await page.keyboard.press('Escape')
    await dialog.getByText('Press Escape again to discard what you entered.').waitFor()
    await page.keyboard.press('Enter')
    await dialog.getByText('Saved query "nothing" does not exist.').waitFor()
    await dialog.getByLabel('Saved query').fill('weekly sign ups')
    await dialog.getByRole('option', { name: 'weekly-sign_ups' }).waitFor()
    await page.keyboard.press('Escape')
    await page.keyboard.press('Enter')
    await page.getByText('Weekly sign ups added.').waitFor()
    await tile(console, 'Weekly sign ups').getByText('No rows').waitFor()
    await button(console, 'Edit').click()
    await button(console, 'Add a query').click()
    await dialog.getByLabel('Saved query').fill('weekly-sign_ups')
    await dialog.getByRole('option', { name: 'weekly-sign_ups' }).waitFor()
    await page.keyboard.press('Escape')
    await page.keyboard.press('Enter')
    await dialog.getByText('Weekly sign ups is on this dashboard already.').waitFor()
    await dialog.getByRole('button', { name: 'Cancel' }).click()
    await button(console, 'Actions for Weekly sign ups').click()
    await page.getByRole('menuitem', { name: 'Remove' }).click()
    await page.getByText('Weekly sign ups removed.').waitFor()
    await page.getByRole('heading', { name: 'Nothing is pinned yet' }).waitFor()
    await button(console, 'Undo').click()
    await tile(console, 'Weekly sign ups').waitFor()
    expect((await read(console, dashboard)).tiles).toMatchObject([{ endpoint: 'weekly-sign_ups' }])
    await button(console, 'More actions').click()
    await page.getByRole('menuitem', { name: 'Rename…' }).click()
    await dialog.getByLabel('Name').fill(' ')
    await dialog.getByRole('button', { name: 'Save' }).click()
    await dialog.getByText('A name is needed.').waitFor()
    await dialog.getByLabel('Name').and(page.locator(':focus')).waitFor()
    const rename = async (name: string) => {
      await dialog.getByLabel('Name').fill(name)
      await dialog.getByRole('button', { name: 'Save' }).click()
      await page.getByRole('heading', { name, level: 1 }).waitFor()
    }
    await rename('Turnover')
    await page
      .getByRole('listitem')
      .filter({ hasText: 'Dashboard saved.' })
      .getByRole('button', { name: 'Undo' })
      .click()
    await page.getByText('The dashboard is as it was before.').waitFor()
    expect((await read(console, dashboard)).name).toBe(dashboard.name)
    await button(console, 'More actions').click()
    await page.getByRole('menuitem', { name: 'Rename…' }).click()
    await rename('Turnover')
    await page.route('**/dashboards/**', (route) => route.abort())
    await page.reload()
    await page.getByText('The service cannot be reached').waitFor()
    await page.unroute('**/dashboards/**')
    await button(console, 'Try again').click()
    await page.getByRole('heading', { name: 'Turnover', level: 1 }).waitFor()
    await button(console, 'More actions').click()
    await page.getByRole('menuitem', { name: 'Delete' }).click()
    await page.getByText('Turnover deleted.').waitFor()
    await page.route('**/dashboards/?*', (route) => route.abort())
    await page.reload()
    await page.getByText('The service cannot be reached').waitFor()
    await page.unroute('**/dashboards/?*')
    await button(console, 'Try again').click()
    await page.getByRole('heading', { name: 'See what matters in one place' }).waitFor()
  })

  it('puts a removed tile back where it was, without any arrangement before', async () => {
    const console = await open()
    const { page, api } = console
    for (const name of ['orders', 'visits']) await create(console, name)
    const dashboard = await api<Dashboard>('POST', path(console), {
      name: 'Sales',
      tiles: [{ endpoint: 'orders' }, { endpoint: 'visits' }],
    })
    await console.visit(`dashboard/${dashboard.id}`)
    await button(console, 'Edit').click()
    await button(console, 'Actions for Orders').click()
    await page.getByRole('menuitem', { name: 'Remove' }).click()
    await page.getByText('Orders removed.').waitFor()
    await expect
      .poll(() => page.evaluate('document.activeElement.getAttribute("aria-label")'))
      .toBe('Move Visits')
    await button(console, 'Undo').click()
    await page.getByText('Orders is back.').waitFor()
    await expect.poll(() => order(console)).toEqual(['Orders', 'Visits'])
    await page.reload()
    await tile(console, 'Visits').waitFor()
    expect(await order(console)).toEqual(['Orders', 'Visits'])
  })

  it('applies its time range to SQL with {filters}, and marks SQL without it', async () => {
    const console = await open()
    const { page, api, projectId } = console
    await capture(console)
    await create(console, 'in-range', {
      query: hogql('SELECT count() AS number FROM events WHERE {filters}'),
    })
    await create(console, 'always', { query: hogql('SELECT count() AS number FROM events') })
    const old = { event: 'old', distinct_id: 'ada', timestamp: '2026-01-02T10:00:00Z' }
    const { api_token: token } = await api<{ api_token: string }>('GET', `/api/projects/${projectId}/`)
    await api('POST', '/batch/', { api_key: token, batch: [old] })
    const dashboard = await api<Dashboard>('POST', path(console), {
      name: 'Ranges',
      tiles: [{ endpoint: 'in-range' }, { endpoint: 'always' }],
    })
    const numberIn = async (end: string) => {
      const response = await page.waitForResponse((each) => each.url().endsWith(end))
      return ((await response.json()) as { results: number[][] }).results[0]![0]!
    }
    const numbers = Promise.all([numberIn('/query/'), numberIn('/endpoints/always/run/')])
    await console.visit(`dashboard/${dashboard.id}?range=-7d`)
    for (const name of ['In range', 'Always']) {
      await tile(console, name).scrollIntoViewIfNeeded()
      await tile(console, name).getByText('Computed').waitFor()
    }
    await tile(console, 'Always').getByText('Own time range: its SQL has no {filters}').waitFor()
    expect(await tile(console, 'In range').getByText('Own time range').count()).toBe(0)
    const [inRange, always] = await numbers
    expect(inRange).toBeGreaterThan(0)
    expect(always).toBeGreaterThan(inRange)
  })

  it('keeps time range and refresh in the address, and saves a range for all users', async () => {
    const console = await open()
    const { page } = console
    await Promise.all([capture(console), makeQueries(console)])
    const dashboard = await sales(console)
    await console.visit(`dashboard/${dashboard.id}`)
    await page.getByLabel('Time range').selectOption('Last 7 days')
    await page.getByLabel('Automatic refresh').selectOption('Every 30 seconds')
    await expect.poll(() => new URL(page.url()).search).toBe('?range=-7d&refresh=30s')
    await tile(console, 'Visits').scrollIntoViewIfNeeded()
    await tile(console, 'Visits').getByRole('table').waitFor({ state: 'attached' })
    // Eight days, and the heading.
    await expect.poll(() => tile(console, 'Visits').getByRole('row').count()).toBe(9)
    await button(console, 'Keep for everyone').click()
    await page.getByText('Everyone sees this time range now.').waitFor()
    expect((await read(console, dashboard)).filters.date_from).toBe('-7d')
    await expect.poll(() => new URL(page.url()).search).toBe('?refresh=30s')
    await page.getByLabel('Time range').selectOption('From day to day')
    const [first, last] = [page.getByLabel('From', { exact: true }), page.getByLabel('To', { exact: true })]
    expect((await first.boundingBox())!.y).toBe((await last.boundingBox())!.y)
    await last.fill('2026-01-01')
    await page.getByText('The last day is before the first.').waitFor()
    await first.fill('2025-12-30')
    await expect.poll(() => new URL(page.url()).search).toBe('?range=2025-12-30&to=2026-01-01&refresh=30s')
    // Three days, and the heading.
    await expect.poll(() => tile(console, 'Visits').getByRole('row').count()).toBe(4)
    await expectEachLook(page, 'dashboards-days')
    await button(console, 'Keep for everyone').click()
    await expect.poll(() => new URL(page.url()).search).toBe('?refresh=30s')
    expect((await read(console, dashboard)).filters).toEqual({
      date_from: '2025-12-30',
      date_to: '2026-01-01',
    })
    expect(await last.inputValue()).toBe('2026-01-01')
  })

  it('recomputes its tiles at each refresh with its variables', async () => {
    const console = await open()
    const { page, api, projectId } = console
    await capture(console)
    await api('POST', `/api/projects/${projectId}/insight_variables/`, {
      name: 'Plan',
      type: 'String',
      default_value: 'pro',
    })
    for (const name of ['live', 'stored'])
      await create(console, name, {
        query: hogql('SELECT count() AS number FROM events WHERE properties.plan = {variables.plan}'),
      })
    const materialized = `/api/projects/${projectId}/endpoints/stored/`
    await api('PATCH', materialized, { is_materialized: true })
    await expect
      .poll(async () => (await api<Materialized>('GET', materialized)).materialization.last_materialized_at, {
        timeout: 30_000,
      })
      .toBeTruthy()
    const dashboard = await api<Dashboard>('POST', path(console), {
      name: 'Plans',
      tiles: [{ endpoint: 'live' }, { endpoint: 'stored' }],
    })
    const number = (name: string) => tile(console, name).locator('.numbers dd').innerText()
    await page.clock.install()
    await page.goto(console.at(`dashboard/${dashboard.id}?refresh=30s`))
    for (const name of ['Live', 'Stored']) await expect.poll(() => number(name)).toBe('5')
    await page.getByLabel('Plan').fill('free')
    for (const name of ['Live', 'Stored']) await expect.poll(() => number(name)).toBe('35')
    expect(new URL(page.url()).searchParams.get('variables')).toContain('free')
    const { api_token: token } = await api<{ api_token: string }>('GET', `/api/projects/${projectId}/`)
    const buy = async (count: number) => {
      await api('POST', '/batch/', {
        api_key: token,
        batch: [{ event: 'purchase', distinct_id: 'ada', properties: { plan: 'free' } }],
      })
      const query = { query: hogql('SELECT count() FROM events') }
      await expect
        .poll(
          async () =>
            (await api<{ results: number[][] }>('POST', `/api/projects/${projectId}/query/`, query)).results,
          { timeout: 15_000 },
        )
        .toEqual([[count]])
    }
    await buy(41)
    await button(console, 'Refresh').click()
    await expect.poll(() => number('Live')).toBe('36')
    await buy(42)
    await page.clock.fastForward(30_000)
    await expect.poll(() => number('Live')).toBe('37')
    await page.reload()
    await expect.poll(() => number('Live')).toBe('37')
    expect(await page.getByLabel('Plan').inputValue()).toBe('free')
    await expectEachLook(page, 'dashboards-variables')
  })
})
