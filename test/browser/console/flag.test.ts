// A flag in the console: creating, editing, conflicts, failures, evaluation, history, code.
import { describe, expect, inject, it } from 'vitest'
import { type Console, confirmTurn, editPart, expectAccessible, expectEachLook, useConsole } from './support'

const open = useConsole()

interface Flag {
  id: number
  key: string
  name: string
  version: number
  active: boolean
  usage_dashboard: number
  filters: { groups: unknown[]; multivariate?: unknown; payloads?: Record<string, string> }
}

const flagsPath = (projectId: number) => `/api/projects/${projectId}/feature_flags/`

const CHECKOUT = {
  key: 'new-checkout',
  name: 'One page',
  filters: {
    groups: [
      {
        properties: [{ key: 'plan', type: 'person', operator: 'exact', value: ['pro'] }],
        rollout_percentage: 25,
      },
    ],
  },
}

/** One operator of each kind: its words, what is typed, and what is stored. */
const CONDITIONS: readonly (readonly [string, string, string | null, unknown])[] = [
  ['is_not', 'is not', 'a', ['a']],
  ['icontains', 'contains', 'a', 'a'],
  ['icontains_multi', 'contains any of', 'a', ['a']],
  ['regex', 'matches', '^a', '^a'],
  ['gte', '≥', '1', '1'],
  ['is_set', 'is set', null, 'is_set'],
  ['is_not_set', 'is not set', null, 'is_set'],
  ['is_date_before', 'is before', '-30d', '-30d'],
  ['semver_gte', 'is version or later', '1.2.3', '1.2.3'],
  ['semver_caret', 'is compatible (^) with', '1.2.3', '1.2.3'],
]

async function openFlag(console: Console, body: object = CHECKOUT): Promise<Flag> {
  const flag = await console.api<Flag>('POST', flagsPath(console.projectId), body)
  await console.visit(`feature_flags/${flag.id}`)
  await console.page.getByRole('heading', { name: flag.key }).waitFor()
  return flag
}

const read = ({ api, projectId }: Console, id: number) => api<Flag>('GET', `${flagsPath(projectId)}${id}/`)

/** Sends events by way of the ingestion queue. */
async function capture({ api, projectId }: Console, batch: object[]): Promise<void> {
  const { api_token: token } = await api<{ api_token: string }>('GET', `/api/projects/${projectId}/`)
  const response = await fetch(`${inject('served').url}/batch/`, {
    method: 'POST',
    body: JSON.stringify({ api_key: token, batch }),
  })
  expect(response.status).toBe(200)
}

const ARRIVAL = { timeout: 15_000 }

/** Sends events of people, and waits until they are known. */
async function makePeople(console: Console, people: Record<string, Record<string, unknown>>): Promise<void> {
  await capture(
    console,
    Object.entries(people).map(([id, properties]) => ({
      event: 'seen',
      distinct_id: id,
      properties: { $set: properties },
    })),
  )
  const path = `/api/projects/${console.projectId}/persons/`
  await expect
    .poll(async () => (await console.api<{ results: unknown[] }>('GET', path)).results.length, ARRIVAL)
    .toBe(Object.keys(people).length)
}

/** Sends companies, and waits until they are known. */
async function makeCompanies(
  console: Console,
  companies: Record<string, Record<string, unknown>>,
): Promise<void> {
  await capture(
    console,
    Object.entries(companies).map(([key, properties]) => ({
      event: '$groupidentify',
      distinct_id: 'anna',
      properties: { $group_type: 'company', $group_key: key, $group_set: properties },
    })),
  )
  const path = `/api/projects/${console.projectId}/groups/?group_type_index=0`
  const list = () => console.api<{ results: unknown[] }>('GET', path).catch(() => ({ results: [] }))
  await expect.poll(async () => (await list()).results.length, ARRIVAL).toBe(Object.keys(companies).length)
}

/** Evaluates a flag, and waits until its usage is known. */
async function callFlag(console: Console, flag: Flag, values: Record<string, unknown>): Promise<void> {
  await capture(
    console,
    Object.entries(values).map(([id, value]) => ({
      event: '$feature_flag_called',
      distinct_id: id,
      properties: { $feature_flag: flag.key, $feature_flag_response: value },
    })),
  )
  const path = `/api/projects/${console.projectId}/dashboards/${flag.usage_dashboard}/`
  const count = async () => {
    const { tiles } = await console.api<{
      tiles: { insight: { result: { count: number }[] } }[]
    }>('GET', path)
    return tiles[0]!.insight.result.reduce((sum, each) => sum + each.count, 0)
  }
  await expect.poll(count, ARRIVAL).toBe(Object.keys(values).length)
}

describe('a new flag', () => {
  it('is created with conditions, variants and payloads', async () => {
    const console = await open({ path: 'feature_flags' })
    const { page, api, projectId, errors } = console
    await makePeople(console, { anna: { plan: 'pro' }, bert: { plan: 'free' } })
    await page.keyboard.press('c')
    await page.getByRole('heading', { name: 'New flag' }).waitFor()
    await page.getByLabel('Key', { exact: true }).fill('new search')
    await page.getByLabel('Description').fill('Another ranking')
    await page.getByRole('radio', { name: /Variants/ }).click()
    await page.getByLabel('Key of variant 2').fill('semantic')
    await page.getByRole('button', { name: 'Payload' }).nth(1).click()
    // The field has the focus once it is loaded.
    await page.locator('.cm-focused').getByLabel('Payload of semantic').waitFor()
    await page.keyboard.type('{"model": "e5"}')
    await page.getByRole('button', { name: 'Add condition', exact: true }).click()
    // The focus is where the condition is typed.
    await page.keyboard.type('plan')
    expect(await page.getByLabel('Property of condition 1 of set 1').inputValue()).toBe('plan')
    await page.getByLabel('Values of condition 1 of set 1').fill('pro')
    await page.keyboard.press('Enter')
    // What is removed or added leaves the focus in its list.
    const focused = () =>
      page.evaluate('document.activeElement.ariaLabel ?? document.activeElement.innerText')
    await page.getByRole('button', { name: 'Add condition set' }).click()
    expect(await focused()).toBe('Share of set 2 in percent')
    expect(await page.getByLabel('Share of set 2', { exact: true }).inputValue()).toBe('0')
    await page.getByRole('button', { name: 'Actions for set 2' }).click()
    await page.getByRole('menuitem', { name: 'Remove' }).click()
    await expect.poll(focused).toMatch(/Add condition set$/)
    await page.getByRole('button', { name: 'Add variant' }).click()
    expect(await focused()).toBe('Key of variant 3')
    await page.getByRole('button', { name: 'Remove variant variant-3' }).click()
    expect(await focused()).toBe('Remove variant semantic')
    await page.getByLabel('Share of set 1', { exact: true }).fill('0.5')
    const slider = page.getByLabel('Share of set 1 in percent')
    expect(await slider.inputValue()).toBe('0.5')
    await slider.press('ArrowRight')
    expect(await page.getByLabel('Share of set 1', { exact: true }).inputValue()).toBe('1')
    await page.getByLabel('Share of set 1', { exact: true }).fill('50')
    await page.getByText('of 2 known people').waitFor()
    await page.getByText('On for 50% of people whose plan is pro, in 2 variants.').waitFor()
    // No control is half under the bar with the buttons.
    await page.evaluate('scrollTo(0, document.documentElement.scrollHeight)')
    await expectAccessible(page)
    await page.getByRole('button', { name: 'Create flag' }).click()
    await page.getByText('new-search created.').waitFor()
    const { results } = await api<{ results: Flag[] }>('GET', flagsPath(projectId))
    expect(results[0]).toMatchObject({
      key: 'new-search',
      name: 'Another ranking',
      active: true,
      filters: {
        groups: [
          {
            properties: [{ key: 'plan', type: 'person', operator: 'exact', value: ['pro'] }],
            rollout_percentage: 50,
            variant: null,
          },
        ],
        multivariate: {
          variants: [
            { key: 'control', rollout_percentage: 50 },
            { key: 'semantic', rollout_percentage: 50 },
          ],
        },
        payloads: { semantic: '{"model": "e5"}' },
      },
    })
    expect(errors).toEqual([])
  })

  it('is a remote configuration with an encrypted value, for servers', async () => {
    const console = await open()
    const { page, api, projectId, errors } = console
    await api('POST', flagsPath(projectId), { key: 'tagged', tags: ['ops'], evaluation_contexts: ['web'] })
    await console.visit('feature_flags/new')
    await page.getByLabel('Key', { exact: true }).fill('banner')
    await page.getByText('No one gets it yet: give a condition set a share.').waitFor()
    await page.getByRole('radio', { name: /Remote configuration/ }).click()
    await page.getByText('Everyone gets this value.').waitFor()
    await page.getByText('Any JSON. Text needs quotes.').waitFor()
    await page.getByRole('textbox', { name: 'Value', exact: true }).fill('{"title": "Hello"}')
    await page.getByRole('switch', { name: 'Encrypt the value' }).click()
    await page.getByLabel('Tags', { exact: true }).fill('op')
    await page.getByRole('option', { name: 'ops' }).click()
    await page.getByLabel('Evaluation contexts', { exact: true }).fill('we')
    await page.getByRole('option', { name: 'web' }).click()
    await page.getByLabel('Runtime', { exact: true }).selectOption('Servers only')
    await page.getByRole('button', { name: 'Create flag' }).click()
    await page.getByText('banner created.').waitFor()
    const { results } = await api<{ results: Flag[] }>('GET', flagsPath(projectId))
    expect(results[0]).toMatchObject({
      key: 'banner',
      tags: ['ops'],
      evaluation_contexts: ['web'],
      evaluation_runtime: 'server',
      is_remote_configuration: true,
      has_encrypted_payloads: true,
      filters: { groups: [{ rollout_percentage: 100 }], payloads: { true: '{"title": "Hello"}' } },
    })
    // Only a key reads it.
    await page.getByRole('link', { name: 'Code' }).click()
    await page.getByLabel('Code for Node').waitFor()
    expect(await page.getByRole('group', { name: 'Language' }).innerText()).toBe('Node\nPython\ncurl')
    expect(errors).toEqual([])
  })

  it('has each kind of condition, shares, an override and rules of evaluation', async () => {
    const console = await open()
    const { page, errors } = console
    const flag = await openFlag(console)
    await editPart(page, 'Who gets it')
    await editPart(page, 'What they get')
    await editPart(page, 'Details')
    await page.getByRole('radio', { name: /Variants/ }).click()
    await page.getByRole('button', { name: 'Add variant' }).click()
    await page.getByLabel('Key of variant 3').fill('third')
    await page.getByRole('button', { name: 'Equal shares' }).click()
    await page.getByLabel('Variant of set 1').selectOption('Always test')
    // Only one of the two at a time.
    const persists = page.getByRole('switch', { name: 'Persist across sign-in' })
    const byDevice = page.getByRole('switch', { name: 'Bucket by device' })
    await persists.click()
    expect(await byDevice.isDisabled()).toBe(true)
    await persists.click()
    await byDevice.click()
    expect(await persists.isDisabled()).toBe(true)
    await byDevice.click()
    await persists.click()
    const properties: unknown[] = [{ key: 'plan', type: 'person', operator: 'exact', value: ['pro'] }]
    for (const [operator, words, value, stored] of CONDITIONS) {
      const name = `condition ${properties.length + 1} of set 1`
      await page.getByRole('button', { name: 'Add condition', exact: true }).click()
      await page.getByLabel(`Property of ${name}`).fill('prop')
      await page.keyboard.press('Escape')
      await page.getByLabel(`Operator of ${name}`).selectOption(words)
      if (value !== null) {
        await page.getByLabel(new RegExp(`^Values? of ${name}$`)).fill(value)
        await page.keyboard.press(Array.isArray(stored) ? 'Enter' : 'Escape')
      }
      properties.push({ key: 'prop', type: 'person', operator, value: stored })
    }
    await page.getByRole('button', { name: 'Review and save' }).click()
    await page
      .getByRole('dialog')
      .getByText(/, always with the variant test$/)
      .waitFor()
    await page.getByRole('dialog').getByRole('button', { name: 'Save' }).click()
    await page.getByText('new-checkout saved.').waitFor()
    expect(await read(console, flag.id)).toMatchObject({
      version: 2,
      ensure_experience_continuity: true,
      bucketing_identifier: 'distinct_id',
      filters: {
        groups: [{ properties, rollout_percentage: 25, variant: 'test' }],
        multivariate: {
          variants: [
            { key: 'control', rollout_percentage: 33.34 },
            { key: 'test', rollout_percentage: 33.33 },
            { key: 'third', rollout_percentage: 33.33 },
          ],
        },
      },
    })
    await editPart(page, 'Details')
    await persists.click()
    await byDevice.click()
    await page.getByRole('button', { name: 'Review and save' }).click()
    await page.getByRole('dialog').getByRole('button', { name: 'Save' }).click()
    await page.getByRole('dialog').waitFor({ state: 'hidden' })
    expect(await read(console, flag.id)).toMatchObject({ version: 3, bucketing_identifier: 'device_id' })
    await editPart(page, 'Details')
    await byDevice.click()
    await byDevice.click()
    expect(await page.getByRole('region', { name: 'Unsaved changes' }).count()).toBe(0)
    expect(errors).toEqual([])
  })

  it('depends on another flag, found by its key', async () => {
    const console = await open()
    const { page, api, projectId } = console
    const base = await api<Flag>('POST', flagsPath(projectId), { key: 'base', name: 'What all else needs' })
    await console.visit('feature_flags/new')
    await page.getByLabel('Key', { exact: true }).fill('dependent')
    await page.getByRole('button', { name: 'Add condition', exact: true }).click()
    await page.getByLabel('Kind of condition 1 of set 1').selectOption('Flag')
    await page.getByLabel('Flag of condition 1 of set 1').pressSequentially('ba')
    await page.getByRole('option', { name: /base/ }).click()
    await page.getByLabel('Value of condition 1 of set 1').selectOption('is off')
    await page.getByRole('button', { name: 'Create flag' }).click()
    await page.getByText('dependent created.').waitFor()
    const { results } = await api<{ results: Flag[] }>('GET', flagsPath(projectId))
    expect(results[0]!.filters.groups).toMatchObject([
      { properties: [{ key: String(base.id), type: 'flag', operator: 'flag_evaluates_to', value: false }] },
    ])
    await page.reload()
    await page.getByText('people for whom the flag base is off').first().waitFor()
    await editPart(page, 'Who gets it')
    const field = page.getByLabel('Flag of condition 1 of set 1')
    await expect.poll(() => field.inputValue()).toBe('base')
    // Another text is no flag, and a key is one however it is typed.
    await field.fill('other')
    await page.keyboard.press('Escape')
    await page.getByRole('button', { name: 'Review and save' }).click()
    await page.getByText('Choose a flag.').waitFor()
    await field.fill('base')
    await page.getByText('Choose a flag.').waitFor({ state: 'detached' })
    await page.keyboard.press('Escape')
    await page.getByRole('button', { name: 'Review and save' }).click()
    await page.getByRole('dialog').getByText('people for whom the flag base is on').first().waitFor()
    await page.keyboard.press('Escape')
    await page.getByRole('button', { name: 'Discard' }).click()
    await page.getByRole('button', { name: 'Undo' }).click()
    await page.getByRole('region', { name: 'Unsaved changes' }).waitFor()
    await page.getByRole('button', { name: 'Discard' }).click()
    await console.visit(`feature_flags/${base.id}?tab=activity`)
    const time = page.getByRole('region', { name: 'History' }).getByRole('time').first()
    expect(await time.innerText()).toMatch(/just now|ago/)
    expect(await time.getAttribute('title')).toMatch(/\w+day, \w+ \d+, \d+ at \d+:\d+:\d+/)
    await page.getByRole('link', { name: 'Overview' }).click()
    await page.getByRole('list', { name: 'Used by' }).getByRole('link', { name: 'dependent' }).click()
    await page.getByRole('heading', { name: 'dependent', level: 1 }).waitFor()
    await page.keyboard.press('?')
    await page.getByRole('dialog', { name: 'Keyboard shortcuts' }).waitFor()
  })

  it('is disabled after those that depend on it, and enabled before them', async () => {
    const console = await open()
    const { page, api, projectId } = console
    const base = await api<Flag>('POST', flagsPath(projectId), { key: 'base' })
    const properties = [{ key: String(base.id), type: 'flag', operator: 'flag_evaluates_to', value: true }]
    await api('POST', flagsPath(projectId), {
      key: 'dependent',
      filters: { groups: [{ properties, rollout_percentage: 100 }] },
    })
    await console.visit(`feature_flags/${base.id}`)
    const turn = (key: string) => page.getByRole('switch', { name: `${key} enabled` }).click()
    await turn('base')
    const blocked = page.getByRole('dialog', { name: 'base cannot be disabled yet' })
    await blocked.waitFor()
    await expectEachLook(page, 'flag-blocked')
    expect(await blocked.getByRole('button').allInnerTexts()).toEqual(['Close'])
    await blocked.getByRole('link', { name: 'dependent' }).click()
    await page.getByRole('heading', { name: 'dependent', level: 1 }).waitFor()
    await turn('dependent')
    await confirmTurn(page, 'Disable')
    await page.getByText('dependent is disabled.').waitFor()
    await console.visit(`feature_flags/${base.id}`)
    await turn('base')
    await confirmTurn(page, 'Disable')
    await page.getByText('base is disabled.').waitFor()
    await console.visit('feature_flags')
    await turn('dependent')
    await page.getByRole('dialog', { name: 'dependent cannot be enabled yet' }).getByText('base').click()
    await page.getByRole('heading', { name: 'base', level: 1 }).waitFor()
  })

  it('shows missing fields, and keeps the input after a rejection', async () => {
    const console = await open()
    const { page, api, projectId } = console
    await api('POST', flagsPath(projectId), { key: 'taken' })
    await console.visit('feature_flags/new')
    await page.getByRole('button', { name: 'Create flag' }).click()
    await page.getByText('A key is needed.').waitFor()
    await page.getByLabel('Key', { exact: true }).fill('taken')
    await page.getByLabel('Description').fill('Kept')
    await page.getByRole('button', { name: 'Create flag' }).click()
    const bar = page.getByRole('region', { name: 'Create the flag' })
    await bar.getByRole('alert').getByText('There is already a feature flag with this key.').waitFor()
    expect(await page.getByLabel('Description').inputValue()).toBe('Kept')
    // The field that is wrong has the focus, and what was said of it goes once it changes.
    await expect.poll(() => page.evaluate('document.activeElement.labels?.[0]?.innerText')).toMatch(/^Key/)
    await page.keyboard.press('Control+a')
    await page.keyboard.type('free')
    await bar.getByRole('alert').waitFor({ state: 'detached' })
    await page.getByRole('button', { name: 'Create flag' }).click()
    await page.getByText('free created.').waitFor()
  })
})

describe('an edit of a flag', () => {
  it('survives code that does not load and a reload, and is lost only after a question when its page is left', async () => {
    const console = await open()
    const { page } = console
    const flag = await openFlag(console)
    await editPart(page, 'Details')
    await page.getByLabel('Description').fill('Half done')
    await page.route(/usage-tab/, (route) => route.abort())
    await page.getByRole('link', { name: 'Usage' }).click()
    await page.getByText('This part of the page could not be loaded.').waitFor()
    await expectAccessible(page)
    await page.getByRole('button', { name: 'Try again' }).click()
    await page.getByText('This part of the page could not be loaded.').waitFor()
    await page.unroute(/usage-tab/)
    page.on('dialog', (dialog) => void dialog.accept())
    await page.getByRole('button', { name: 'Reload the page' }).click()
    await page.getByText('One field is changed.').waitFor()
    await page.goto(console.at(`feature_flags/${flag.id}`))
    expect(await page.getByLabel('Description').inputValue()).toBe('Half done')
    await page.getByRole('button', { name: 'Discard' }).click()
    await page.reload()
    await page.getByRole('heading', { name: flag.key, level: 1 }).waitFor()
    await editPart(page, 'Details')
    expect(await page.getByLabel('Description').inputValue()).not.toBe('Half done')
    await page.getByLabel('Description').fill('Half done')
    const dialog = page.getByRole('dialog', { name: 'Leave without saving?' })
    await page.getByRole('link', { name: 'Feature flags' }).first().click()
    await dialog.getByRole('button', { name: 'Cancel' }).click()
    expect(await page.getByLabel('Description').inputValue()).toBe('Half done')
    await page.getByRole('link', { name: 'Feature flags' }).first().click()
    await dialog.getByRole('button', { name: 'Leave' }).click()
    await page.getByRole('heading', { name: 'Feature flags', level: 1 }).waitFor()
    await page.getByRole('link', { name: flag.key }).first().click()
    await page.getByRole('heading', { name: flag.key, level: 1 }).waitFor()
    await editPart(page, 'Details')
    expect(await page.getByLabel('Description').inputValue()).not.toBe('Half done')
  })
})

describe('a flag', () => {
  it('shows how often it is called, by value and day', async () => {
    const console = await open()
    const { page, errors } = console
    const flag = await openFlag(console, {
      key: 'ranking',
      filters: {
        groups: [{ properties: [], rollout_percentage: 100 }],
        multivariate: {
          variants: [
            { key: 'control', rollout_percentage: 50 },
            { key: 'semantic', rollout_percentage: 50 },
          ],
        },
      },
    })
    await page.getByRole('link', { name: 'Usage' }).click()
    await page.getByRole('heading', { name: 'No calls' }).first().waitFor()
    await callFlag(console, flag, { anna: 'semantic', bert: 'control', cleo: 'semantic' })
    await page.reload()
    const calls = page.getByRole('table', { name: 'Feature Flag Called Total Volume' })
    await calls.waitFor()
    const today = new Date().toISOString().slice(0, 10)
    expect(await calls.getByRole('row').filter({ hasText: today }).innerText()).toBe(`${today}\t1\t2`)
    expect(await page.locator('.legend').first().innerText()).toMatch(/control\s+semantic/)
    await page.locator('.legend').nth(1).waitFor()
    await expectEachLook(page, 'flag-usage')
    expect(errors).toEqual([])
  })

  it('is released to groups', async () => {
    const console = await open()
    const { page, errors } = console
    await makeCompanies(console, {
      acme: { tier: 'gold' },
      borg: { tier: 'silver' },
      corp: { tier: 'gold' },
    })
    await console.visit('feature_flags/new')
    await page.getByLabel('Key', { exact: true }).fill('gold-support')
    await page.getByLabel('What set 1 is about').selectOption('company')
    await page.getByRole('button', { name: 'Add condition', exact: true }).click()
    await page.getByLabel('Property of condition 1 of set 1').fill('ti')
    await page.getByRole('option', { name: 'tier' }).click()
    await page.getByLabel('Values of condition 1 of set 1').fill('go')
    await page.getByRole('option', { name: 'gold' }).click()
    await page.getByLabel('Share of set 1', { exact: true }).fill('100')
    await expect
      .poll(() => page.locator('.reach-line').textContent())
      .toBe('Reaches 2 of 3 known company groups')
    await page.getByRole('button', { name: 'Create flag' }).click()
    await page.getByText('gold-support created.').waitFor()
    await page.getByRole('region', { name: 'Details' }).getByText('Company groups', { exact: true }).waitFor()
    await page.getByText('A group gets it if any condition set matches them').waitFor()
    await expectEachLook(page, 'flag-group')

    await page.getByRole('link', { name: 'Choose a group' }).click()
    await page.getByRole('heading', { name: 'See what a group gets, and why' }).waitFor()
    await page.getByLabel('Person', { exact: true }).fill('anna')
    await page.keyboard.press('Escape')
    expect(await page.getByRole('button', { name: 'Evaluate' }).isDisabled()).toBe(true)
    await page.getByLabel('Person', { exact: true }).fill('')
    await page.getByLabel('Group: company').fill('bo')
    await page.getByRole('option', { name: 'borg' }).click()
    const result = page.getByRole('region', { name: 'Result' })
    await result.getByText('The group has “silver”.').waitFor()
    await page.getByLabel('Group: company').fill('acme')
    await page.keyboard.press('Escape')
    await page.getByRole('button', { name: 'Evaluate' }).click()
    await result.getByText('The group has “gold”.').waitFor()
    expect(await result.locator('.verdict').innerText()).toContain('true')
    await expectEachLook(page, 'flag-group-result')
    // The address has all of it.
    await page.reload()
    await result.getByText('The group has “gold”.').waitFor()
    await console.visit('feature_flags')
    await page.getByText('Company groups whose tier is gold').waitFor()
    expect(errors).toEqual([])
  })

  it('names flags and cohorts in a result, and chooses a cohort by search', async () => {
    const console = await open()
    const { page, api, projectId, errors } = console
    const cohorts = `/api/projects/${projectId}/cohorts/`
    const cohort = (name: string) =>
      api<{ id: number }>('POST', cohorts, { name, is_static: true, _create_static_person_ids: [] })
    const { id: cohortId } = await cohort('Beta testers')
    await cohort('Aaa 77')
    // More than a list of suggestions has.
    await page.route(/\/cohorts\/\?(?!.*search=)/, (route) =>
      route.fulfill({ json: { count: 101, next: null, previous: null, results: [] } }),
    )
    const base = await api<Flag>('POST', flagsPath(projectId), {
      key: 'base',
      filters: { groups: [{ properties: [], rollout_percentage: 100 }] },
    })
    await openFlag(console, {
      key: 'built-on-base',
      filters: {
        groups: [
          {
            properties: [
              { key: String(base.id), type: 'flag', operator: 'flag_evaluates_to', value: true },
              { key: 'id', type: 'cohort', operator: 'not_in', value: cohortId },
            ],
          },
        ],
      },
    })
    await editPart(page, 'Who gets it')
    const field = page.getByLabel('Cohort of condition 2 of set 1', { exact: true })
    await expect.poll(() => field.inputValue()).toBe('Beta testers')
    await field.fill('aaa 77')
    await page.getByRole('option', { name: 'Aaa 77' }).click()
    await page.getByRole('button', { name: 'Review and save' }).click()
    await page.getByRole('dialog').getByText('who are not in the cohort Aaa 77').waitFor()
    await page.getByRole('dialog').getByRole('button', { name: 'Keep editing' }).click()
    await field.fill('no such')
    await field.press('Escape')
    await page.getByRole('button', { name: 'Review and save' }).click()
    await page.getByText('Choose a cohort').waitFor()
    await field.fill('BETA')
    await page.getByRole('option', { name: 'Beta testers' }).click()
    await expect.poll(() => page.getByRole('region', { name: 'Unsaved changes' }).count()).toBe(0)

    await page.getByRole('link', { name: 'Try it' }).click()
    await page.getByLabel('Person').fill('somebody')
    await page.keyboard.press('Enter')
    const result = page.getByRole('region', { name: 'Result' })
    await result.getByRole('link', { name: 'Beta testers' }).waitFor()
    const words = (await result.innerText()).replaceAll(/\s+/g, ' ')
    expect(words).toContain('the flag base is on Flag base evaluates to true.')
    expect(words).toContain('not in the cohort Beta testers The person is not in Beta testers.')
    await result.getByRole('link', { name: 'base' }).click()
    await page.getByRole('heading', { name: 'base', exact: true }).waitFor()
    expect(errors).toEqual([])
  })

  it('shows the whole history, and the start of large values, where large entries end a page early', async () => {
    const console = await open()
    const { page, api, projectId } = console
    const { id } = await openFlag(console)
    const payload = (n: number) => JSON.stringify(`${n} ${'x'.repeat(500_000)}`)
    for (let n = 1; n <= 9; n += 1)
      await api('PATCH', `${flagsPath(projectId)}${id}/`, {
        filters: { groups: [{ properties: [], rollout_percentage: 100 }], payloads: { true: payload(n) } },
      })
    await console.visit(`feature_flags/${id}?tab=activity`)
    const history = page.getByRole('region', { name: 'History' })
    const older = page.getByRole('button', { name: 'Show older' })
    await older.waitFor()
    for (let pages = 1; (await older.count()) > 0; pages += 1) {
      expect(pages).toBeLessThan(5)
      const shown = await history.locator('ol > li').count()
      await older.click()
      await expect.poll(() => history.locator('ol > li').count()).toBeGreaterThan(shown)
    }
    expect(await history.locator('ol > li').count()).toBe(10)
    const newest = history.locator('ol > li').first()
    expect((await newest.textContent())!.length).toBeLessThan(5_000)
    await newest.getByRole('button', { name: /^Show all 500,\d+ characters$/ }).click()
    expect((await newest.textContent())!.length).toBeGreaterThan(1_000_000)
  })

  it('counts people once whom several sets match, and takes a suggestion with a comma as one value', async () => {
    const console = await open()
    const { page } = console
    await makePeople(console, {
      anna: { plan: 'pro', country: 'DE', city: 'Berlin, Germany' },
      bert: { plan: 'pro', country: 'FR' },
      cleo: { plan: 'free', country: 'DE' },
      dora: { plan: 'free', country: 'FR' },
    })
    const is = (key: string, value: string) => ({
      properties: [{ key, type: 'person', operator: 'exact', value: [value] }],
      rollout_percentage: 100,
    })
    await openFlag(console, {
      key: 'two-sets',
      filters: { groups: [is('plan', 'pro'), is('country', 'DE')] },
    })
    await page.getByText('All sets together reach').waitFor()
    expect(await page.locator('.reach-total').textContent()).toContain('3 of 4 known people')
    await editPart(page, 'Who gets it')
    for (const property of ['a', 'b']) {
      await page.getByRole('button', { name: 'Add condition set' }).click()
      await page.getByRole('button', { name: 'Add condition', exact: true }).last().click()
      const field = page.getByLabel(/^Property of condition 1 of set/).last()
      await field.fill(property)
      await field.press('Escape')
      await page
        .getByLabel(/^Operator of condition 1 of set/)
        .last()
        .selectOption('is set')
      await page
        .getByLabel(/^Share of set \d$/)
        .last()
        .fill('100')
    }
    await page.getByText('Each set is counted by itself').waitFor()
    // A suggestion with a comma is one value.
    const last = page.getByLabel(/^Property of condition 1 of set/).last()
    await last.fill('city')
    await last.press('Escape')
    await page
      .getByLabel(/^Operator of condition 1 of set/)
      .last()
      .selectOption('is')
    await page
      .getByLabel(/^Values of condition 1 of set/)
      .last()
      .fill('Ber')
    await page.getByRole('option', { name: 'Berlin, Germany' }).click()
    await page.getByRole('button', { name: 'Remove Berlin, Germany', exact: true }).waitFor()
  })

  it('says who gets it, with which value, and what it depends on', async () => {
    const console = await open()
    const { page, api, projectId, errors } = console
    await makePeople(console, { anna: { plan: 'pro' }, bert: { plan: 'free' } })
    const base = await api<Flag>('POST', flagsPath(projectId), { key: 'base' })
    const cohort = await api<{ id: number }>('POST', `/api/projects/${projectId}/cohorts/`, {
      name: 'Testers',
      is_static: true,
      _create_static_person_ids: [],
    })
    const flag = await openFlag(console, {
      key: 'layout',
      filters: {
        groups: [
          { ...CHECKOUT.filters.groups[0], variant: 'compact' },
          {
            properties: [
              { key: 'id', type: 'cohort', operator: 'in', value: cohort.id },
              { key: String(base.id), type: 'flag', operator: 'flag_evaluates_to', value: true },
            ],
            rollout_percentage: 100,
          },
        ],
        multivariate: {
          variants: [
            { key: 'wide', rollout_percentage: 60 },
            { key: 'compact', rollout_percentage: 40 },
          ],
        },
        payloads: { compact: '{"columns": 1}' },
      },
    })
    await api('POST', flagsPath(projectId), {
      key: 'built-on-it',
      filters: {
        groups: [
          {
            properties: [
              { key: String(flag.id), type: 'flag', operator: 'flag_evaluates_to', value: 'compact' },
            ],
          },
        ],
      },
    })
    await callFlag(console, flag, { anna: 'compact', bert: 'wide' })
    await page.reload()
    const part = (name: string) => page.getByRole('region', { name, exact: true })
    const words = async (name: string) => (await part(name).innerText()).replaceAll(/\s+/g, ' ')
    await expect.poll(() => words('Who gets it')).toContain('for whom the flag base is on')
    await page.getByText('of 2 known people').first().waitFor()
    const release = await words('Who gets it')
    expect(release).toContain('25% of people whose plan is pro always the variant compact')
    expect(release).toContain('People in the cohort Testers and for whom the flag base is on')
    expect(await words('What they get')).toContain('wide 60% compact 40% { "columns": 1 }')
    await expect.poll(() => words('Usage')).toContain('wide 1 compact 1')
    const links = page.getByRole('list', { name: /Depends on|Used by/ })
    await expect
      .poll(() => links.allInnerTexts())
      .toEqual([expect.stringMatching(/base\s+Testers/), 'built-on-it'])
    await expectEachLook(page, 'flag-overview')
    await page.getByLabel('Person to try').fill('bert')
    await page.keyboard.press('Escape')
    await page.getByRole('button', { name: 'Try', exact: true }).click()
    const result = page.getByRole('region', { name: 'Result' })
    await result.getByText('A condition does not hold.').first().waitFor()
    expect(await result.innerText()).toContain('The person has “free”.')
    expect(errors).toEqual([])
  })

  it('is renamed by its menu, which says what that breaks, archived, which is undone by hand and by its message, duplicated and deleted', async () => {
    const console = await open()
    const { page, api, projectId } = console
    await api('POST', flagsPath(projectId), { key: 'taken' })
    const flag = await openFlag(console)
    await page.getByRole('button', { name: 'More actions' }).click()
    await page.getByRole('menuitem', { name: 'Rename…' }).click()
    const dialog = page.getByRole('dialog')
    await dialog.getByText('Code that asks for new-checkout gets no value once this is saved.').waitFor()
    expect(await dialog.getByRole('button', { name: 'Review and save' }).isDisabled()).toBe(true)
    await dialog.getByLabel('Key').fill('not a key!')
    await dialog.getByText('Use letters, digits, hyphens and underscores only.').waitFor()
    await dialog.getByLabel('Key').fill('taken')
    await dialog.getByRole('button', { name: 'Review and save' }).click()
    await dialog.getByText('Changes the key from new-checkout to taken.').waitFor()
    await dialog.getByRole('button', { name: 'Save' }).click()
    await dialog.getByText('There is already a feature flag with this key.').waitFor()
    await dialog.getByLabel('Key').fill('checkout-2')
    await page.keyboard.press('Enter')
    await dialog.getByRole('button', { name: 'Save' }).click()
    await page.getByText('checkout-2 saved.').waitFor()
    expect((await read(console, flag.id)).key).toBe('checkout-2')
    const choose = async (name: string) => {
      await page.getByRole('button', { name: 'More actions' }).click()
      await page.getByRole('menuitem', { name, exact: true }).click()
    }
    await choose('Archive')
    await dialog.getByText('After this: off for everyone and hidden from lists.').waitFor()
    await expectEachLook(page, 'flag-archive')
    await confirmTurn(page, 'Archive')
    await page.getByText('This flag is archived').waitFor()
    await page.getByRole('button', { name: 'Undo' }).click()
    await expect
      .poll(async () => await read(console, flag.id))
      .toMatchObject({ archived: false, active: true })
    await choose('Archive')
    await confirmTurn(page, 'Archive')
    await page.getByText('This flag is archived').waitFor()
    await choose('Take out of archive')
    await expect.poll(() => page.getByText('This flag is archived').count()).toBe(0)
    await choose('Duplicate')
    await page.getByRole('heading', { name: 'Copy of checkout-2' }).waitFor()
    await page.getByText('The flag is disabled until you enable it.').waitFor()
    await page.getByRole('button', { name: 'Create flag' }).click()
    await page.getByRole('heading', { name: 'checkout-2-copy' }).waitFor()
    await choose('Delete…')
    await dialog.getByRole('button', { name: 'Delete flag' }).click()
    await page.getByText('checkout-2-copy deleted.').waitFor()
    await page.getByRole('heading', { name: 'Feature flags' }).waitFor()
    expect((await read(console, flag.id)).active).toBe(false)
  })

  it('shows both sides after a concurrent save', async () => {
    const console = await open()
    const { page, api, projectId } = console
    const flag = await openFlag(console)
    await editPart(page, 'Details')
    await page.getByLabel('Description').fill('Mine')
    await editPart(page, 'Who gets it')
    await page.getByLabel('Share of set 1', { exact: true }).fill('75')
    await api('PATCH', `${flagsPath(projectId)}${flag.id}/`, {
      name: 'Theirs',
      active: false,
      filters: { ...CHECKOUT.filters, payloads: { true: '"theirs"' } },
    })
    await page.getByRole('button', { name: 'Review and save' }).click()
    await page.getByRole('dialog').getByRole('button', { name: 'Save' }).click()
    const dialog = page.getByRole('dialog', { name: 'This flag has a newer version' })
    await dialog.getByText('Both changed: yours replaces theirs').waitFor()
    // In this order: theirs, mine, and what both changed.
    const differences = await dialog.locator('.differences').allInnerTexts()
    expect(differences.map((text) => text.split(/\n+/))).toEqual([
      [
        'The description changes:',
        'One page',
        'Theirs',
        'The payload is set:',
        '"theirs"',
        'Disables the flag.',
      ],
      [
        'The description changes:',
        'One page',
        'Mine',
        'Condition set 1 goes from 25% to 75% of people whose plan is pro.',
      ],
      ['The description changes:', 'Theirs', 'Mine'],
    ])
    await expectEachLook(page, 'flag-conflict')
    await dialog.getByRole('button', { name: 'Continue with mine on top' }).click()
    await page.getByRole('button', { name: 'Review and save' }).click()
    await page.getByRole('dialog').getByRole('button', { name: 'Save' }).click()
    await page.getByText('new-checkout saved.').waitFor()
    // What only they changed stays.
    expect(await read(console, flag.id)).toMatchObject({
      name: 'Mine',
      active: false,
      version: 3,
      filters: { groups: [{ rollout_percentage: 75 }], payloads: { true: '"theirs"' } },
    })
  })

  it('keeps the changes when a save is rejected, the network is down or the session ends, and saves after a sign-in', async () => {
    const console = await open()
    const { page, context } = console
    const { email, password } = inject('served')
    const flag = await openFlag(console)
    await editPart(page, 'Details')
    await page.getByLabel('Description').fill('Survives')
    const dialog = page.getByRole('dialog')
    for (const [status, body, words] of [
      [403, { detail: 'You do not have permission to perform this action.' }, 'You do not have permission'],
      [429, { detail: 'Request was throttled. Expected available in 7 seconds.' }, 'Request was throttled'],
      [503, {}, 'The service is busy'],
      [400, { detail: 'This is not allowed.', attr: 'name' }, 'This is not allowed.'],
    ] as const) {
      await page.route('**/feature_flags/*/', (route) =>
        route.request().method() === 'PATCH' ? route.fulfill({ status, json: body }) : route.fallback(),
      )
      await page.getByRole('button', { name: 'Review and save' }).click()
      await dialog.getByRole('button', { name: 'Save' }).click()
      await page.getByText(words).first().waitFor()
      await page.unroute('**/feature_flags/*/')
      if ((await dialog.count()) > 0) await dialog.getByRole('button', { name: 'Keep editing' }).click()
      expect(await page.getByLabel('Description').inputValue()).toBe('Survives')
    }
    await page.getByRole('button', { name: 'Review and save' }).click()
    await context.setOffline(true)
    await dialog.getByRole('button', { name: 'Save' }).click()
    await page.getByText('The service cannot be reached.').waitFor()
    await context.setOffline(false)
    await context.clearCookies()
    await dialog.getByRole('button', { name: 'Save' }).click()
    const ended = page.getByRole('dialog', { name: 'Your session has ended' })
    await ended.waitFor()
    await expectEachLook(page, 'session-ended')
    const [tab] = await Promise.all([
      context.waitForEvent('page'),
      ended.getByRole('link', { name: 'Sign in' }).click(),
    ])
    await tab.getByLabel('Email').fill(email)
    await tab.getByLabel('Password').fill(password)
    await tab.getByRole('button', { name: 'Sign in' }).click()
    await tab.waitForURL(({ pathname }) => pathname !== '/login')
    await tab.close()
    await ended.getByRole('button', { name: 'Continue' }).click()
    await page.getByText('new-checkout saved.').waitFor()
    expect((await read(console, flag.id)).name).toBe('Survives')
    await expect.poll(() => page.evaluate('document.activeElement.ariaLabel')).toBe('Edit Details')
  })

  it('restores a version', async () => {
    const console = await open()
    const { page, api, projectId } = console
    const flag = await openFlag(console)
    await api('PATCH', `${flagsPath(projectId)}${flag.id}/`, {
      filters: { groups: [{ properties: [], rollout_percentage: 100 }] },
    })
    await page.getByRole('link', { name: 'History' }).click()
    await page.reload()
    await page.getByText('25% of people whose plan is pro').first().waitFor()
    const restore = page.getByRole('button', { name: 'Restore version 1' })
    await page.getByText('A restored version leaves the key, tags').waitFor()
    await page.route('**/versions/1/', (route) => route.fulfill({ status: 429, json: {} }))
    await restore.click()
    await page.getByText('Too many requests.').waitFor()
    await page.unroute('**/versions/1/')
    await page.getByRole('button', { name: 'Try again' }).click()
    const question = page.getByRole('dialog', { name: 'Restore version 1?' })
    await question.getByText('25% of people whose plan is pro').waitFor()
    await question.getByRole('button', { name: 'Cancel' }).click()
    expect(await page.getByRole('region', { name: 'Unsaved changes' }).count()).toBe(0)
    await restore.click()
    await question.waitFor()
    await api('PATCH', `${flagsPath(projectId)}${flag.id}/`, {
      tags: ['kept'],
      filters: { groups: [{ properties: [], rollout_percentage: 60 }] },
    })
    await question.getByRole('button', { name: 'Restore' }).click()
    const overtaken = page.getByRole('dialog', { name: 'This flag has a newer version' })
    await overtaken.getByText('from 100% to 60%').waitFor()
    await overtaken.getByRole('button', { name: 'Continue with mine on top' }).click()
    await page.getByRole('button', { name: 'Review and save' }).click()
    await page.getByRole('dialog', { name: 'Save changes' }).getByText('60% of people').waitFor()
    await page.getByRole('dialog').getByRole('button', { name: 'Save' }).click()
    await page.getByText(`${flag.key} saved.`).waitFor()
    expect(await read(console, flag.id)).toMatchObject({
      version: 4,
      tags: ['kept'],
      filters: { groups: [{ rollout_percentage: 25 }] },
    })
    await page.getByRole('link', { name: 'History' }).click()
    await page.getByText('Version 4, current').waitFor()
  })

  it('asks before a version takes the place of unsaved changes', async () => {
    const console = await open()
    const { page, api, projectId } = console
    const flag = await openFlag(console)
    await api('PATCH', `${flagsPath(projectId)}${flag.id}/`, { name: 'Second' })
    await page.reload()
    await editPart(page, 'Details')
    await page.getByLabel('Description').fill('Mine')
    await page.getByRole('link', { name: 'History' }).click()
    const dialog = page.getByRole('dialog', { name: /^Restore version/ })
    const question = page.getByRole('dialog', { name: 'Discard your changes?' })
    await page.getByRole('button', { name: 'Restore version 1' }).click()
    await expectEachLook(page, 'flag-restore-unsaved')
    await question.getByRole('button', { name: 'Cancel' }).click()
    await page.getByText('One field is changed.').waitFor()
    await page.getByRole('button', { name: 'Restore version 1' }).click()
    await question.getByRole('button', { name: 'Discard' }).click()
    await dialog.getByText('Second').waitFor()
    expect(await dialog.getByText('Mine').count()).toBe(0)
    await dialog.getByRole('button', { name: 'Restore' }).click()
    await page.getByText(`${flag.key} saved.`).waitFor()
    expect(await read(console, flag.id)).toMatchObject({ name: 'One page', version: 3 })
    // Where the history is shown, it has what is saved at once.
    await page.getByRole('link', { name: 'History' }).click()
    await page.getByRole('button', { name: 'Restore version 2' }).click()
    await dialog.getByRole('button', { name: 'Restore' }).click()
    await page.getByText('Version 4, current').waitFor()
    await page.getByRole('button', { name: 'Restore version 2' }).click()
    await page.getByText(`${flag.key} is already as it was in version 2.`).waitFor()
    expect(await dialog.count()).toBe(0)
  })

  it('hides an encrypted value, keeps it through other changes, and replaces it', async () => {
    const console = await open()
    const { page, api, projectId } = console
    const flag = await openFlag(console, {
      key: 'secret-config',
      is_remote_configuration: true,
      has_encrypted_payloads: true,
      filters: { groups: [{ properties: [], rollout_percentage: 100 }], payloads: { true: '{"pin": 1}' } },
    })
    const value = () => api<string>('GET', `${flagsPath(projectId)}${flag.id}/remote_config/`)
    const save = async () => {
      await page.getByRole('button', { name: 'Review and save' }).click()
      const answered = page.waitForResponse((response) => response.request().method() === 'PATCH')
      await page.getByRole('dialog').getByRole('button', { name: 'Save' }).click()
      expect((await answered).status()).toBe(200)
      await page.getByRole('dialog').waitFor({ state: 'hidden' })
    }
    await page.getByText('The value is encrypted').waitFor()
    await editPart(page, 'What they get')
    await editPart(page, 'Who gets it')
    expect(await page.getByRole('switch', { name: 'Encrypt the value' }).isDisabled()).toBe(true)
    await expectEachLook(page, 'flag-encrypted')
    await page.getByLabel('Share of set 1', { exact: true }).fill('50')
    await save()
    expect(JSON.parse(await value())).toEqual({ pin: 1 })
    await editPart(page, 'What they get')
    await page.getByRole('button', { name: 'Replace the value' }).click()
    await page.getByRole('textbox', { name: 'Value', exact: true }).fill('{"pin": 2}')
    await save()
    expect(JSON.parse(await value())).toEqual({ pin: 2 })
    await page.getByText('The value is encrypted').waitFor()
  })

  it('shows code with the token of the project', async () => {
    const console = await open()
    const { page, api, projectId } = console
    const { api_token: token } = await api<{ api_token: string }>('GET', `/api/projects/${projectId}/`)
    await openFlag(console)
    await page.getByRole('link', { name: 'Code' }).click()
    await page.locator('.code-string', { hasText: "'new-checkout'" }).first().waitFor()
    for (const language of ['JavaScript', 'React', 'Node', 'Python', 'OpenFeature', 'curl']) {
      await page.getByRole('button', { name: language, exact: true }).click()
      const code = await page.getByLabel(`Code for ${language}`).innerText()
      for (const text of ['new-checkout', token, inject('served').url]) expect(code, language).toContain(text)
    }
    await page.getByRole('button', { name: 'Copy' }).last().click()
    expect(await page.evaluate('navigator.clipboard.readText()')).toContain(token)
  })
})
