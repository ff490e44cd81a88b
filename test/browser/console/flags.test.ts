// The list of flags: finding, toggling, changing many at once.
import { gzipSync } from 'node:zlib'
import { describe, expect, it } from 'vitest'
import { type Console, expectAccessible, expectEachLook, useConsole, SIZES, confirmTurn } from './support'

const open = useConsole()

interface Flag {
  key: string
  id: number
  active: boolean
  archived: boolean
  tags: string[]
}

const flagsPath = (projectId: number) => `/api/projects/${projectId}/feature_flags/`

async function makeFlags({ api, projectId }: Console): Promise<Record<string, Flag>> {
  const bodies = [
    {
      key: 'new-checkout',
      name: 'One page',
      tags: ['growth'],
      filters: {
        groups: [
          {
            properties: [{ key: 'plan', type: 'person', operator: 'exact', value: ['pro'] }],
            rollout_percentage: 25,
          },
        ],
      },
    },
    {
      key: 'dark-mode',
      name: 'Dark theme',
      tags: ['design'],
      filters: { groups: [{ properties: [], rollout_percentage: 100 }] },
    },
    {
      key: 'kill-payments',
      name: 'Stops payments',
      active: false,
      filters: { groups: [{ properties: [], rollout_percentage: 0 }] },
    },
  ]
  const flags: Record<string, Flag> = {}
  for (const body of bodies) flags[body.key] = await api<Flag>('POST', flagsPath(projectId), body)
  return flags
}

/** Bytes of script after gzip that the list may load. */
const MAX_SCRIPT_BYTES = 150 * 1024

const UNUSED_WIDTH = `(() => {
  const cells = [...document.querySelectorAll('tr[data-index] > td')].map((cell) => cell.getBoundingClientRect().right)
  return document.querySelector('.card.table').getBoundingClientRect().right - Math.max(...cells)
})()`

describe('the list of flags', () => {
  it('loads one script, and a small one, and shows who gets each flag', async () => {
    const console = await open()
    const { page, errors } = console
    const bodies: Promise<Buffer>[] = []
    page.on('response', (response) => {
      if (response.url().endsWith('.js')) bodies.push(response.body())
    })
    await makeFlags(console)
    await page.goto(console.at('feature_flags'))
    await page.getByRole('link', { name: 'new-checkout' }).waitFor()
    await page.waitForLoadState('networkidle')
    const sizes = (await Promise.all(bodies)).map((body) => gzipSync(body).byteLength)
    expect(sizes).toHaveLength(1)
    expect(sizes.reduce((sum, size) => sum + size, 0)).toBeLessThan(MAX_SCRIPT_BYTES)
    const text = await page.locator('tbody').innerText()
    for (const words of ['25% of people whose plan is pro', 'Everyone', 'No one'])
      expect(text).toContain(words)
    expect(errors).toEqual([])
  })

  it('renders only visible flags, loads more on scroll, and selects ranges and all', async () => {
    const console = await open()
    const { page, api, projectId } = console
    const count = 64
    await Promise.all(
      Array.from({ length: count }, (_, index) =>
        api('POST', flagsPath(projectId), { key: `flag-${index}` }),
      ),
    )
    // A page of the list is smaller than usual.
    await page.route('**/feature_flags/?*', (route) =>
      route.continue({ url: route.request().url().replace('limit=100', 'limit=32') }),
    )
    await console.visit('feature_flags?order=id')
    await page.getByText('64 flags').waitFor()
    expect(await page.locator('tbody tr').count()).toBeLessThan(48)
    const last = page.locator(`tr[aria-rowindex="${count + 1}"]`)
    await expect.poll(() => page.mouse.wheel(0, 2_000).then(() => last.count())).toBe(1)
    expect(await page.locator('tbody tr').count()).toBeLessThan(48)
    // Where columns are hidden, the others have the whole width.
    await page.setViewportSize({ width: 1024, height: 860 })
    await expect.poll(() => page.evaluate(UNUSED_WIDTH)).toBeLessThan(5)
    await page.setViewportSize(SIZES.desktop)
    // Also those that are not loaded are archived.
    await console.visit('feature_flags?type=boolean')
    const box = (index: number) => page.getByRole('checkbox', { name: /^Select flag-/ }).nth(index)
    const selected = page.getByRole('region', { name: 'Selected flags' })
    // A range of rows with Shift.
    await box(3).click()
    await box(1).click({ modifiers: ['Shift'] })
    await selected.getByText('3 selected').waitFor()
    await box(2).click()
    await box(3).click({ modifiers: ['Shift'] })
    await selected.getByText('1 selected').waitFor()
    expect(await box(1).isChecked()).toBe(true)
    await page.getByRole('button', { name: 'Select all 64' }).click()
    await page.getByText('64 selected').waitFor()
    await page.getByRole('button', { name: 'Archive', exact: true }).click()
    await page.getByRole('dialog', { name: 'Archive 64 flags?' }).waitFor()
    await confirmTurn(page, 'Archive')
    await page.getByText('64 flags archived.').waitFor()
    const path = `${flagsPath(projectId)}?archived=true&limit=1`
    expect(await api('GET', path)).toMatchObject({ count })
  })

  it('changes tags of more flags than one request may name', async () => {
    const console = await open()
    const { page, api, projectId } = console
    for (const key of ['one', 'two']) await api('POST', flagsPath(projectId), { key })
    await console.visit('feature_flags')
    await page.getByRole('checkbox', { name: 'Select one' }).click()
    const ids = Array.from({ length: 510 }, (_, index) => index + 1)
    await page.route('**/matching_ids/**', (route) => route.fulfill({ json: { ids, total: 510 } }))
    const counts: number[] = []
    await page.route('**/bulk_update_tags/', (route) => {
      counts.push((route.request().postDataJSON() as { ids: number[] }).ids.length)
      return route.fulfill({ json: { updated: [], skipped: [] } })
    })
    await page.getByRole('button', { name: 'Select all 2' }).click()
    await page.getByText('510 selected').waitFor()
    await page.getByRole('button', { name: 'Tags', exact: true }).click()
    await page.getByRole('dialog').getByLabel('Tags', { exact: true }).fill('a')
    await page.getByRole('button', { name: 'Change tags' }).click()
    await page.getByRole('dialog').waitFor({ state: 'hidden' })
    expect(counts).toEqual([500, 10])
  })

  it('teaches what to do when it is empty', async () => {
    const { page, errors } = await open({ path: 'feature_flags' })
    await page.getByRole('link', { name: /Create the first flag/ }).waitFor()
    await expectEachLook(page, 'flags-empty')
    expect(errors).toEqual([])
  })

  it('keeps search, filters and order in the address', async () => {
    const console = await open()
    const { page } = console
    await makeFlags(console)
    await console.visit('feature_flags')
    await page.getByRole('link', { name: 'new-checkout' }).waitFor()
    await page.keyboard.press('/')
    await page.keyboard.type('dark')
    await expect.poll(() => page.locator('tbody tr').count()).toBe(1)
    expect(new URL(page.url()).searchParams.get('search')).toBe('dark')
    await page.getByRole('button', { name: 'Clear' }).click()
    await page.getByRole('combobox', { name: 'Status' }).selectOption('Disabled')
    await expect.poll(() => page.locator('tbody').innerText()).toContain('kill-payments')
    await expect.poll(() => page.locator('tbody tr').count()).toBe(1)
    const address = page.url()
    await page.goto('about:blank')
    await page.goto(address)
    await page.getByRole('link', { name: 'kill-payments' }).waitFor()
    expect(await page.locator('tbody tr').count()).toBe(1)
    await page.getByRole('combobox', { name: 'Status' }).selectOption('Any status')
    await page.getByRole('button', { name: 'Flag', exact: true }).click()
    await expect
      .poll(() => page.locator('tbody .row-link').allTextContents())
      .toEqual(['dark-mode', 'kill-payments', 'new-checkout'])
    await page.getByRole('button', { name: 'Flag', exact: true }).click()
    await expect
      .poll(() => page.locator('tbody .row-link').allTextContents())
      .toEqual(['new-checkout', 'kill-payments', 'dark-mode'])

    // A phone has no headings to order by.
    await page.setViewportSize(SIZES.phone)
    expect(await page.getByRole('columnheader').count()).toBe(0)
    await page.getByRole('combobox', { name: 'Sort' }).selectOption('Flag, ascending')
    await expect
      .poll(() => page.locator('tbody .row-link').allTextContents())
      .toEqual(['dark-mode', 'kill-payments', 'new-checkout'])
    const row = page.getByRole('row', { name: /new-checkout/ })
    expect(await row.locator('.meta').innerText()).toMatch(/growth[\s·]+Never called/)
    await page.getByRole('checkbox', { name: 'Select all rows shown' }).click()
    await page.getByText('3 selected').waitFor()

    // A message leaves the bar free, and stays while it is hovered.
    await page.clock.install()
    await page.getByRole('switch', { name: 'dark-mode enabled' }).click()
    await confirmTurn(page, 'Disable')
    const message = page.getByText('dark-mode is disabled.')
    for (const width of ['phone', 'desktop'] as const) {
      await page.setViewportSize(SIZES[width])
      const [toast, bar] = await Promise.all([
        page.locator('.toast').boundingBox(),
        page.getByRole('region', { name: 'Selected flags' }).boundingBox(),
      ])
      expect(toast!.y + toast!.height).toBeLessThan(bar!.y)
    }
    await message.hover()
    await page.clock.runFor(60_000)
    expect(await message.isVisible()).toBe(true)
    await page.getByRole('heading', { level: 1 }).hover()
    await page.clock.runFor(60_000)
    await expect.poll(() => message.count()).toBe(0)
  })

  it('filters by each property of flags, and orders', async () => {
    const console = await open()
    const { page, api, projectId, errors } = console
    await makeFlags(console)
    const filters = { groups: [{ properties: [], rollout_percentage: 100 }] }
    for (const body of [
      {
        key: 'banner',
        is_remote_configuration: true,
        filters: { ...filters, payloads: { true: '1' } },
        evaluation_runtime: 'server',
        evaluation_contexts: ['web'],
        tags: ['design', 'ops'],
      },
      { key: 'old', filters, created_at: '2020-01-01T00:00:00Z' },
      { key: 'put-away', archived: true, active: false },
    ])
      await api('POST', flagsPath(projectId), body)
    await console.visit('feature_flags')
    await page.getByRole('button', { name: 'Filters' }).click()
    const shows = (...keys: string[]) =>
      expect.poll(() => page.locator('tbody .row-link').allTextContents()).toEqual(keys)
    const chosen = async (label: string, option: string, ...keys: string[]) => {
      await page.getByRole('combobox', { name: label, exact: true }).selectOption(option)
      await shows(...keys)
      await page.getByRole('button', { name: 'Clear', exact: true }).click()
      await page.getByText('5 flags', { exact: true }).waitFor()
    }
    await page.getByText('5 flags', { exact: true }).waitFor()
    await chosen('Type', 'Remote configuration', 'banner')
    await chosen('Type', 'With variants')
    await chosen('Runtime', 'Server only', 'banner')
    await chosen('Evaluation contexts', 'With evaluation contexts', 'banner')
    await chosen('Status', 'Stale', 'old')
    await chosen('Status', 'Archived', 'put-away')
    const me = await api<{ first_name: string }>('GET', '/api/users/@me/')
    const creator = page.getByRole('combobox', { name: 'Created by', exact: true })
    await creator.selectOption({ label: me.first_name })
    await page.getByText('5 flags match').waitFor()
    await page.getByRole('button', { name: 'Clear', exact: true }).click()

    // Tags of all flags are suggested, also of those that the filters hide.
    await page.getByLabel('Tags', { exact: true }).fill('de')
    await page.getByRole('option', { name: 'design' }).click()
    await shows('banner', 'dark-mode')
    await page.getByLabel('Without tags', { exact: true }).fill('op')
    await page.getByRole('option', { name: 'ops' }).click()
    await shows('dark-mode')
    await page.getByRole('button', { name: 'Clear', exact: true }).click()

    const order = page.getByRole('combobox', { name: 'Order', exact: true })
    await order.selectOption('By key')
    await shows('banner', 'dark-mode', 'kill-payments', 'new-checkout', 'old')
    await order.selectOption('Oldest first')
    await shows('old', 'new-checkout', 'dark-mode', 'kill-payments', 'banner')
    expect(new URL(page.url()).search).toBe('?order=created_at')
    expect(errors).toEqual([])
  })

  it('asks before it disables a flag, undoes it, reverts what is rejected, and retries', async () => {
    const console = await open()
    const { page, api, projectId } = console
    const flags = await makeFlags(console)
    await console.visit('feature_flags')
    const toggle = page.getByRole('switch', { name: 'dark-mode enabled' })
    await toggle.click()
    await confirmTurn(page, 'Disable')
    await page.getByText('dark-mode is disabled.').waitFor()
    const isActive = async () =>
      (await api<Flag>('GET', `${flagsPath(projectId)}${flags['dark-mode']!.id}/`)).active
    expect(await isActive()).toBe(false)
    await page.getByRole('button', { name: 'Undo' }).click()
    await expect.poll(isActive).toBe(true)
    await expect.poll(() => toggle.isChecked()).toBe(true)
    // The focus is where it was before the message.
    const focused = () => page.evaluate('document.activeElement.ariaLabel')
    await expect.poll(focused).toBe('dark-mode enabled')

    await page.route('**/feature_flags/*/', (route) =>
      route.request().method() === 'PATCH'
        ? route.fulfill({
            status: 503,
            contentType: 'application/json',
            body: '{"detail": "The database is busy."}',
          })
        : route.fallback(),
    )
    await toggle.click()
    await confirmTurn(page, 'Disable')
    await page.getByText('dark-mode stays as it is: The database is busy.').waitFor()
    expect(await toggle.isChecked()).toBe(true)
    await page.unroute('**/feature_flags/*/')
    await page.getByRole('button', { name: 'Try again' }).click()
    await page.getByText('dark-mode is disabled.').waitFor()
    await expect.poll(isActive).toBe(false)
  })

  it('counts times from now, also those that are newer than what is shown', async () => {
    const console = await open()
    const { page } = console
    await makeFlags(console)
    await page.setViewportSize({ width: 1600, height: 860 })
    await page.clock.setFixedTime(Date.now() - 3_600_000)
    await page.goto(console.at('feature_flags'))
    const time = page.getByRole('row', { name: /dark-mode/ }).locator('time')
    await expect.poll(() => time.innerText()).toBe('in 59 minutes')
    await page.clock.setFixedTime(Date.now())
    await page.getByRole('switch', { name: 'dark-mode enabled' }).click()
    await confirmTurn(page, 'Disable')
    await expect.poll(() => time.innerText()).toBe('just now')
  })

  it('stays when the code of one of its parts does not load, which is tried again', async () => {
    const console = await open()
    const { page } = console
    await makeFlags(console)
    await page.goto(console.at('feature_flags'))
    const failed = page.getByText('This part of the page could not be loaded.')
    const dialog = page.getByRole('dialog')
    const parts = [
      [/turn-flags/, () => page.getByRole('switch', { name: 'dark-mode enabled' }).click(), dialog],
      [/shortcut-help/, () => page.keyboard.press('?'), dialog],
      [/more-filters/, () => page.getByRole('button', { name: 'Filters' }).click(), page.getByLabel('Type')],
      [/bulk-bar/, () => page.getByLabel('Select dark-mode').click(), page.getByText('1 selected')],
    ] as const
    for (const [code, action, part] of parts) {
      await page.route(code, (route) => route.abort())
      await action()
      await failed.waitFor()
      await expectAccessible(page)
      expect(await page.getByRole('link', { name: 'dark-mode' }).count()).toBe(1)
      if (part === dialog) {
        await dialog.getByRole('button', { name: 'Close' }).click()
        await action()
        await failed.waitFor()
      }
      await page.unroute(code)
      await page.getByRole('button', { name: 'Try again' }).click()
      await part.waitFor()
      expect(await failed.count()).toBe(0)
      if (part === dialog) await page.keyboard.press('Escape')
    }
  })

  it('is walked by keys, and a press anywhere on a row opens it', async () => {
    const console = await open()
    const { page } = console
    await makeFlags(console)
    await console.visit('feature_flags')
    await page.getByRole('link', { name: 'dark-mode' }).waitFor()
    const keys = await page.locator('tbody .row-link').allTextContents()
    const focused = () => page.locator('tr:focus .row-link').textContent()
    await page.keyboard.press('j')
    await expect.poll(focused).toBe(keys[0])
    await page.keyboard.press('j')
    await expect.poll(focused).toBe(keys[1])
    await page.keyboard.press('k')
    await expect.poll(focused).toBe(keys[0])
    await page.keyboard.press('x')
    await page.getByText('1 selected').waitFor()
    await page.keyboard.press('Enter')
    await page.getByRole('heading', { name: keys[0]!, level: 1 }).waitFor()
    await page.goBack()
    await expect.poll(focused).toBe(keys[0])
    // Keys that follow at once, before the browser has painted, count from each other.
    await page.evaluate(`for (const key of ['j', 'j', 'Enter'])
      document.activeElement.dispatchEvent(new KeyboardEvent('keydown', { key, bubbles: true, cancelable: true }))`)
    await page.getByRole('heading', { name: keys[2]!, level: 1 }).waitFor()
    await page.goBack()
    await page
      .getByRole('row', { name: new RegExp(keys[1]!) })
      .locator('td.full')
      .click()
    await page.getByRole('heading', { name: keys[1]!, level: 1 }).waitFor()
  })

  it('enables and disables many flags, and takes that back', async () => {
    const console = await open()
    const { page, api, projectId } = console
    await makeFlags(console)
    await console.visit('feature_flags')
    const active = async () => {
      const { results } = await api<{ results: Flag[] }>('GET', flagsPath(projectId))
      return results.filter((flag) => flag.active).map(({ key }) => key)
    }
    const before = await active()
    expect(before.length).toBeGreaterThan(1)
    await page.getByRole('checkbox', { name: 'Select all rows shown' }).click()
    const bar = page.getByRole('region', { name: 'Selected flags' })
    await bar.getByRole('button', { name: 'Disable' }).click()
    await page.getByRole('dialog', { name: `Disable ${before.length} flags?` }).waitFor()
    await confirmTurn(page, 'Disable')
    await page.getByText(`${before.length} flags disabled.`).waitFor()
    expect(await active()).toEqual([])
    await page.getByRole('button', { name: 'Undo' }).click()
    await page.getByText(`${before.length} flags enabled.`).waitFor()
    expect(await active()).toEqual(before)
    await expect.poll(() => page.evaluate('document.activeElement.ariaLabel')).toBe('Select all rows shown')
    await page.getByRole('checkbox', { name: 'Select new-checkout' }).click()
    await bar.getByRole('button', { name: 'Enable' }).click()
    await page.getByText('The selected flags are already enabled.').waitFor()
  })

  it.each(['?order=created_at', '?order=-created_at'])(
    'turns flags that depend on each other, and takes that back, in whichever order they are listed: %s',
    async (order) => {
      const console = await open()
      const { page, api, projectId } = console
      let properties: object[] = []
      for (const key of ['base', 'middle', 'end']) {
        const filters = { groups: [{ properties, rollout_percentage: 100 }] }
        const { id } = await api<Flag>('POST', flagsPath(projectId), { key, filters })
        properties = [{ key: String(id), type: 'flag', operator: 'flag_evaluates_to', value: true }]
      }
      const states = async () => {
        const { results } = await api<{ results: Flag[] }>('GET', flagsPath(projectId))
        const { count } = await api<{ count: number }>('GET', `${flagsPath(projectId)}?archived=true`)
        return { enabled: results.filter((flag) => flag.active).length, archived: count }
      }
      const bar = page.getByRole('region', { name: 'Selected flags' })
      const turn = async (action: 'Enable' | 'Disable' | 'Archive') => {
        await page.getByRole('checkbox', { name: 'Select all rows shown' }).check()
        await bar.getByRole('button', { name: action }).click()
        await page.getByRole('dialog', { name: `${action} 3 flags?` }).waitFor()
        await confirmTurn(page, action)
        await bar.waitFor({ state: 'hidden' })
      }
      const undo = (said: string) =>
        page.getByRole('listitem').filter({ hasText: said }).getByRole('button', { name: 'Undo' }).click()
      const becomes = (enabled: number, archived: number) =>
        expect.poll(states).toEqual({ enabled, archived })
      await console.visit(`feature_flags${order}`)
      await turn('Archive')
      await becomes(0, 3)
      await undo('3 flags archived.')
      await becomes(3, 0)
      await page.getByText('3 flags taken out of the archive.').waitFor()
      await turn('Disable')
      await becomes(0, 0)
      await undo('3 flags disabled.')
      await becomes(3, 0)
      await turn('Disable')
      await becomes(0, 0)
      await turn('Enable')
      await becomes(3, 0)
      await undo('3 flags enabled.')
      await becomes(0, 0)
    },
  )

  it('tags, archives and deletes many flags', async () => {
    const console = await open()
    const { page, api, projectId } = console
    const flags = await makeFlags(console)
    const read = async (key: string) => api<Flag>('GET', `${flagsPath(projectId)}${flags[key]!.id}/`)
    await console.visit('feature_flags')
    await page.getByRole('checkbox', { name: 'Select all rows shown' }).click()
    await page.getByRole('button', { name: 'Tags' }).click()
    await page.getByRole('dialog').getByLabel('Tags', { exact: true }).fill('q4, web')
    const bulk = '**/bulk_update_tags/'
    const skipped = [{ id: flags['new-checkout']!.id, reason: 'You cannot edit this flag.' }]
    await page.route(bulk, (route) => route.fulfill({ json: { updated: [], skipped } }))
    await page.getByRole('button', { name: 'Change tags' }).click()
    await page.getByText('0 changed. 1 left as they were: You cannot edit this flag.').waitFor()
    await expectEachLook(page, 'flags-tags')
    await page.unroute(bulk)
    await page.getByRole('button', { name: 'Change tags' }).click()
    await page.getByText('Tags of 3 flags changed.').waitFor()
    expect((await read('new-checkout')).tags.sort()).toEqual(['growth', 'q4', 'web'])
    // A tag that was added since stays, with the others of its flag.
    await api('PATCH', `${flagsPath(projectId)}${flags['dark-mode']!.id}/`, { tags: ['q4', 'web', 'late'] })
    await page.getByRole('button', { name: 'Undo' }).click()
    await page.getByText('2 flags tagged as before.').waitFor()
    await page.getByText('dark-mode stays as it is: It was changed since.').waitFor()
    expect((await read('new-checkout')).tags).toEqual(['growth'])
    expect((await read('kill-payments')).tags).toEqual([])
    expect((await read('dark-mode')).tags.sort()).toEqual(['late', 'q4', 'web'])

    const bar = page.getByRole('region', { name: 'Selected flags' })
    await page.getByRole('button', { name: 'Clear the selection' }).click()
    await page.getByRole('checkbox', { name: 'Select dark-mode' }).click()
    await page.getByRole('checkbox', { name: 'Select new-checkout' }).click()
    // Those that fail stay selected.
    const failing = `**/feature_flags/${flags['new-checkout']!.id}/`
    await page.route(failing, (route) => route.fulfill({ status: 503, json: {} }))
    await bar.getByRole('button', { name: 'Archive' }).click()
    await confirmTurn(page, 'Archive')
    await page.getByText('new-checkout stays as it is: The service is busy.').waitFor()
    await bar.getByText('1 selected').waitFor()
    await page.unroute(failing)
    expect(await read('dark-mode')).toMatchObject({ archived: true, active: false })
    await page.getByRole('button', { name: 'Try again' }).click()
    await page.getByText('new-checkout archived.').waitFor()
    await bar.waitFor({ state: 'hidden' })

    await page.getByRole('combobox', { name: 'Status' }).selectOption('Archived')
    await page.getByRole('checkbox', { name: 'Select new-checkout' }).click()
    // Actions wait until all are selected.
    const answer = Promise.withResolvers<void>()
    await page.route('**/matching_ids/**', (route) => answer.promise.then(() => route.continue()))
    await page.getByRole('button', { name: 'Select all 2' }).click()
    await bar.getByRole('button', { name: 'Take out of archive', disabled: true }).waitFor()
    answer.resolve()
    await bar.getByRole('button', { name: 'Take out of archive' }).click()
    await page.getByText('2 flags taken out of the archive.').waitFor()
    expect(await read('dark-mode')).toMatchObject({ archived: false })
    await page
      .getByRole('listitem')
      .filter({ hasText: '2 flags taken' })
      .getByRole('button', { name: 'Undo' })
      .click()
    await page.getByText('2 flags archived.').waitFor()
    expect(await read('dark-mode')).toMatchObject({ archived: true })

    await page.getByRole('combobox', { name: 'Status' }).selectOption('Any status')
    await page.getByRole('checkbox', { name: 'Select kill-payments' }).click()
    await bar.getByRole('button', { name: 'Delete' }).click()
    await page.getByRole('dialog').getByRole('button', { name: 'Delete flag' }).click()
    await page.getByText('kill-payments deleted.').waitFor()
    expect(await read('kill-payments')).toMatchObject({ deleted: true })
    await page
      .getByRole('listitem')
      .filter({ hasText: 'kill-payments deleted.' })
      .getByRole('button', { name: 'Undo' })
      .click()
    await page.getByText('kill-payments restored.').waitFor()
    expect(await read('kill-payments')).toMatchObject({ deleted: false })
    await page.getByRole('link', { name: 'kill-payments' }).waitFor()
  })

  it('shows which flags could not be deleted and why, and deletes their dependents too', async () => {
    const console = await open()
    const { page, api, projectId } = console
    const flags = await makeFlags(console)
    await api('POST', flagsPath(projectId), {
      key: 'child',
      filters: {
        groups: [
          {
            properties: [
              {
                key: String(flags['dark-mode']!.id),
                type: 'flag',
                operator: 'flag_evaluates_to',
                value: true,
              },
            ],
            rollout_percentage: 100,
          },
        ],
      },
    })
    await console.visit('feature_flags')
    await page.getByRole('checkbox', { name: 'Select dark-mode' }).click()
    await page.getByRole('region', { name: 'Selected flags' }).getByRole('button', { name: 'Delete' }).click()
    const dialog = page.getByRole('dialog')
    await dialog.getByText('Another flag depends on it:').waitFor()
    const depending = dialog.getByRole('list', { name: 'Flags that depend on these' })
    expect(await depending.innerText()).toBe('child')
    await dialog.getByRole('button', { name: 'Delete flag' }).click()
    await page.getByText('1 could not be deleted:').waitFor()
    expect(await dialog.innerText()).toContain('child')
    await dialog.getByRole('button', { name: 'Close' }).click()
    await page.getByRole('region', { name: 'Selected flags' }).getByRole('button', { name: 'Delete' }).click()
    await dialog.getByRole('switch', { name: 'Delete these too' }).click()
    await dialog.getByRole('button', { name: 'Delete 2 flags' }).click()
    await page.getByText('2 flags deleted.').waitFor()
    expect(await api('GET', flagsPath(projectId))).toMatchObject({ count: 2 })
  })
})
