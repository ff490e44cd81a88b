// People and groups in the console: found, shown, with what they get of flags, and deleted.
import { describe, expect, it } from 'vitest'
import { ago, button, dialog, sendAndWait } from './events-support'
import { type Console, expectEachLook, useConsole } from './support'

const open = useConsole()

const seen = (id: string, properties: object, more: object = {}) => ({
  event: 'seen',
  distinct_id: id,
  timestamp: ago(5),
  properties: { $set: properties, ...more },
})

const describeGroup = (key: string, properties: object, type = 'company') => ({
  event: '$groupidentify',
  distinct_id: 'anna',
  timestamp: ago(6),
  properties: { $group_type: type, $group_key: key, $group_set: properties },
})

/** Anna of Acme, Bert and Clara, two companies and a team. */
const makePeople = (console: Console) =>
  sendAndWait(console, [
    describeGroup('acme', { name: 'Acme', seats: 30 }),
    describeGroup('bolt', { seats: 2 }),
    seen('anna', { email: 'anna@example.com', plan: 'pro' }, { $groups: { company: 'acme' } }),
    { event: '$create_alias', distinct_id: 'anna', properties: { alias: 'anna-phone' } },
    seen('bert', { name: 'Bert', plan: 'free' }),
    seen('clara', { plan: 'free' }),
    describeGroup('blue', { size: 3 }, 'team'),
  ])

async function makeFlags({ api, projectId }: Console) {
  const path = `/api/projects/${projectId}/feature_flags/`
  const properties = [{ key: 'plan', type: 'person', operator: 'exact', value: ['pro'] }]
  await api('POST', path, {
    key: 'new-checkout',
    filters: { groups: [{ properties, rollout_percentage: 100 }] },
  })
  const seats = [{ key: 'seats', type: 'group', group_type_index: 0, operator: 'gt', value: '10' }]
  await api('POST', path, {
    key: 'team-pages',
    filters: {
      aggregation_group_type_index: 0,
      groups: [{ properties: seats, rollout_percentage: 100 }],
    },
  })
  await api('POST', path, {
    key: 'mixed',
    filters: {
      groups: [
        { properties: [], rollout_percentage: 0, aggregation_group_type_index: 0 },
        { properties: [], rollout_percentage: 50, aggregation_group_type_index: null },
      ],
    },
  })
}

/** The project of tests that only read. */
let shared: number | undefined

/** The console at a project with people, groups and flags, which a test may not change. */
async function openShared(): Promise<Console> {
  const console = await open({ projectId: shared })
  if (shared === undefined) {
    await Promise.all([makePeople(console), makeFlags(console)])
    shared = console.projectId
  }
  return console
}

async function personPath({ api, projectId }: Console, distinctId: string): Promise<string> {
  const path = `/api/projects/${projectId}/persons/?distinct_id=${distinctId}`
  const { results } = await api<{ results: { uuid: string }[] }>('GET', path)
  return `persons/${results[0]!.uuid}`
}

const openPerson = async (console: Console, distinctId: string, query = '') =>
  console.visit((await personPath(console, distinctId)) + query)

/** A search waits for a pause in typing, and reads all people. */
const PATIENCE = { timeout: 10_000 }

const link = ({ page }: Console, name: string) => page.getByRole('link', { name, exact: true })

describe('the list of people', () => {
  it('filters by name, email, distinct id and property, and keeps the filters in the address', async () => {
    const console = await openShared()
    const { page } = console
    await console.visit('persons')
    await link(console, 'anna@example.com').waitFor()
    const rows = async () => (await page.getByRole('row').count()) - 1
    expect(await rows()).toBe(3)
    await page.keyboard.press('/')
    for (const [text, name] of [
      ['anna@', 'anna@example.com'],
      ['BERT', 'Bert'],
      ['anna-phone', 'anna@example.com'],
    ] as const) {
      await page.getByRole('searchbox', { name: 'Search people' }).fill(text)
      await expect.poll(rows, PATIENCE).toBe(1)
      await link(console, name).waitFor()
    }
    await page.getByRole('searchbox', { name: 'Search people' }).fill('nobody-like-this')
    await page.getByRole('heading', { name: 'No person matches' }).waitFor()
    await button(console, 'Clear').click()
    await expect.poll(rows, PATIENCE).toBe(3)
    await button(console, 'Property').click()
    await page.getByLabel('Property of the filter').fill('plan')
    await page.getByLabel('Values of the filter').fill('free')
    await page.keyboard.press('Escape')
    await button(console, 'Apply').click()
    await expect.poll(rows, PATIENCE).toBe(2)
    await page.reload()
    await button(console, 'Remove the filter plan is free').waitFor()
    await expect.poll(rows, PATIENCE).toBe(2)
    await button(console, 'Property').click()
    await page.getByLabel('Property of the filter').fill('email')
    await page.keyboard.press('Escape')
    await page.getByLabel('Operator of the filter').selectOption('contains none of')
    await page.getByLabel('Values of the filter').fill('bert,nobody')
    await button(console, 'Apply').click()
    await button(console, 'Remove the filter email contains neither bert nor nobody').waitFor()
    expect(new URL(page.url()).searchParams.get('where')).toBe(
      '[["plan","exact","free"],["email","not_icontains_multi",["bert","nobody"]]]',
    )
    await page.reload()
    await expect.poll(rows, PATIENCE).toBe(2)
  })

  it('renders only visible rows, and loads more on scroll', async () => {
    const console = await open()
    const { page } = console
    await sendAndWait(
      console,
      Array.from({ length: 230 }, (_, n) => seen(`user-${n}`, { n })),
    )
    await console.visit('persons')
    await link(console, 'user-229').waitFor()
    expect(await page.getByRole('row').count()).toBeLessThan(60)
    const last = async () => {
      await page.evaluate('scrollTo(0, document.documentElement.scrollHeight)')
      return page.getByRole('row').last().getAttribute('aria-rowindex')
    }
    await expect.poll(last, { timeout: 15_000 }).toBe('231')
  })
})

describe('a person', () => {
  it('has properties, distinct ids, events, flags and groups, which have such too, in each look', async () => {
    const console = await openShared()
    const { page, errors } = console
    const check = (name: string) => expectEachLook(page, `people-${name}`)
    await console.visit('persons')
    await link(console, 'anna@example.com').waitFor()
    await check('list')
    await link(console, 'anna@example.com').click()
    await page.getByRole('region', { name: 'Properties' }).getByText('pro', { exact: true }).waitFor()
    const ids = page.getByRole('region', { name: 'Distinct ids' })
    expect(await ids.getByRole('listitem').allTextContents()).toEqual(['anna', 'anna-phone'])
    await check('person')
    await link(console, 'Events').nth(1).click()
    await button(console, 'seen').click()
    await dialog(console).getByText('anna@example.com').first().waitFor()
    await page.keyboard.press('Escape')
    expect(await page.getByRole('row').count()).toBe(6)
    await link(console, 'Flags').click()
    await page.getByText('company acme').waitFor()
    const gets = async (key: string) =>
      page
        .getByRole('row')
        .filter({ hasText: key })
        .getByText(/^(On|Off)$/)
        .textContent()
    expect([await gets('new-checkout'), await gets('team-pages')]).toEqual(['On', 'On'])
    await button(console, 'Why new-checkout').click()
    await dialog(console).getByText('All conditions hold').waitFor()
    await check('why')
    await page.keyboard.press('Escape')
    await button(console, 'Why team-pages').click()
    await dialog(console).getByText('The group has').waitFor()
    await link(console, 'Open the flag').click()
    await page.getByRole('heading', { name: 'team-pages', level: 1 }).waitFor()
    await page.goBack()
    await link(console, 'Groups').nth(1).click()
    await link(console, 'acme').click()
    await page.getByRole('heading', { name: 'Acme', level: 1 }).waitFor()
    await page.getByRole('region', { name: 'Properties' }).getByText('30').waitFor()
    await check('group')
    await link(console, 'Events').nth(1).click()
    await button(console, 'seen').waitFor()
    await link(console, 'Flags').click()
    await button(console, 'Why team-pages').waitFor()
    expect(await button(console, 'Why new-checkout').count()).toBe(0)
    await page.getByRole('row').filter({ hasText: 'mixed' }).getByText('Depends').waitFor()
    expect(await button(console, 'Why mixed').count()).toBe(0)
    await openPerson(console, 'clara', '?tab=groups')
    await page.getByRole('heading', { name: 'No groups' }).waitFor()
    expect(errors).toEqual([])
  })

  it('is deleted with its events after confirmation, and stays when that fails', async () => {
    const console = await open()
    const { page, api, projectId } = console
    await sendAndWait(console, [seen('anna', { email: 'anna@example.com' }), seen('bert', { name: 'Bert' })])
    await openPerson(console, 'anna')
    const ask = async () => {
      await button(console, 'More actions').click()
      await page.getByRole('menuitem', { name: 'Delete…' }).click()
    }
    await ask()
    await dialog(console).getByRole('heading', { name: 'Delete anna@example.com?' }).waitFor()
    await button(console, 'Cancel').click()
    await ask()
    await dialog(console).getByText('Delete the events, too').click()
    await page.route('**/persons/*/?**', (route) => route.abort())
    await button(console, 'Delete person and events').click()
    await dialog(console).getByText('The service cannot be reached').waitFor()
    expect(await dialog(console).getByRole('checkbox').isChecked()).toBe(true)
    await expectEachLook(page, 'people-delete')
    await page.unroute('**/persons/*/?**')
    await button(console, 'Delete person and events').click()
    await page.getByText('anna@example.com deleted.').waitFor()
    await page.getByRole('heading', { name: 'People' }).waitFor()
    await link(console, 'Bert').waitFor()
    expect(await link(console, 'anna@example.com').count()).toBe(0)
    const { results } = await api<{ results: unknown[] }>('GET', `/api/projects/${projectId}/persons/`)
    expect(results).toHaveLength(1)
  })

  it('shows which parts failed to load', async () => {
    const console = await openShared()
    const { page } = console
    await page.route('**/query/', (route) =>
      route.fulfill({ status: 400, json: { detail: 'Too expensive.' } }),
    )
    await page.route('**/evaluation_reasons/**', (route) => route.fulfill({ status: 403, json: {} }))
    await page.goto(console.at(`${await personPath(console, 'anna')}?tab=events`))
    await page.getByText('Too expensive.').waitFor()
    await link(console, 'Groups').nth(1).click()
    await page.waitForURL(/tab=groups/)
    await page.getByText('Too expensive.').waitFor()
    await link(console, 'Flags').click()
    await page.waitForURL(/tab=flags/)
    await page.getByText('Too expensive.').waitFor()
    await page.getByText('You are not allowed to do this.').waitFor()
  })
})

describe('groups', () => {
  it('are found by key, name and property, by type', async () => {
    const console = await openShared()
    const { page } = console
    await console.visit('groups/0')
    const rows = async () => (await page.getByRole('row').count()) - 1
    await expect.poll(rows, PATIENCE).toBe(2)
    await page.getByRole('searchbox', { name: 'Search groups' }).fill('ACM')
    await expect.poll(rows, PATIENCE).toBe(1)
    await link(console, 'Acme').waitFor()
    await button(console, 'Clear').click()
    await button(console, 'Property').click()
    await page.getByLabel('Property of the filter').fill('seats')
    await page.getByLabel('Operator of the filter').selectOption('>', { force: true })
    await page.getByLabel('Value of the filter').fill('10')
    await page.keyboard.press('Escape')
    await button(console, 'Apply').click()
    await expect.poll(rows, PATIENCE).toBe(1)
    await link(console, 'team').click()
    await link(console, 'blue').waitFor()
    expect(new URL(page.url()).pathname).toMatch(/\/groups\/1$/)
  })

  it('and people that cannot be loaded or do not exist are shown as such', async () => {
    const console = await openShared()
    const { page } = console
    for (const [path, request, heading] of [
      ['groups/0/acme', '**/groups/find/?*', 'Acme'],
      ['persons', '**/persons/?**', 'People'],
    ] as const) {
      await page.route(request, (route) => route.fulfill({ status: 403, json: {} }))
      await page.goto(console.at(path))
      await page.getByText('You are not allowed to do this.').waitFor()
      await page.unroute(request)
      await button(console, /Try again/).click()
      await page.getByRole('heading', { name: heading, level: 1 }).waitFor()
      await page.getByText('You are not allowed to do this.').waitFor({ state: 'detached' })
    }
    for (const [path, words] of [
      ['groups/0/nothing', 'Page not found'],
      ['groups/7', 'There is no such page.'],
      [`persons/${crypto.randomUUID()}`, 'Page not found'],
    ] as const) {
      await page.goto(console.at(path))
      await page.getByText(words).first().waitFor()
    }
  })

  it('and people are reached by keys and the palette', async () => {
    const console = await open({ path: 'feature_flags' })
    const { page } = console
    await page.keyboard.press('g')
    await page.keyboard.press('p')
    await page.getByRole('heading', { name: 'People', level: 1 }).waitFor()
    await page.keyboard.press('g')
    await page.keyboard.press('g')
    await page.getByRole('heading', { name: 'Groups', level: 1 }).waitFor()
    await page.getByRole('heading', { name: /^Group people by/ }).waitFor()
    await page.keyboard.press('Control+k')
    await page.getByPlaceholder('Search flags, queries, people and pages').fill('people')
    await page.getByRole('option', { name: 'People' }).waitFor()
    await page.keyboard.press('Enter')
    await page.getByRole('heading', { name: 'Events make people' }).waitFor()
  })
})
