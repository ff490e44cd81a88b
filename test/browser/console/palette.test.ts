// The command palette: it acts on what it shows, finds every kind of thing by name, and says when a search fails.
import type { Page } from 'playwright-core'
import { describe, expect, it } from 'vitest'
import { ago, sendAndWait } from './events-support'
import { type Console, expectEachLook, useConsole } from './support'

const open = useConsole()

const LABEL = 'Search flags, queries, people and pages'

const makeFlag = ({ api, projectId }: Console, key: string) =>
  api('POST', `/api/projects/${projectId}/feature_flags/`, { key })

async function openPalette({ page }: Console): Promise<void> {
  await page.keyboard.press('Control+k')
  await page.getByPlaceholder(LABEL).waitFor()
}

const dialog = (page: Page) => page.getByRole('dialog')

const SEARCHES = /\/feature_flags\/\?.*search=\w/

describe('the palette', () => {
  it('takes what is typed before its code is there', async () => {
    const console = await open()
    const { page } = console
    await page.goto(console.at('feature_flags'))
    await page.getByRole('heading', { name: 'Feature flags', level: 1 }).waitFor()
    let load = (): void => {}
    const loaded = new Promise<void>((resolve) => (load = resolve))
    const code = /\/palette-.*\.js/
    await page.route(code, async (route) => {
      await loaded
      await route.continue()
    })
    await page.keyboard.press('Control+k')
    await page.keyboard.type('check')
    load()
    await dialog(page)
      .getByRole('listbox')
      .or(page.getByRole('status', { name: 'Nothing' }))
      .first()
      .waitFor()
    await page.keyboard.type('out')
    expect(await page.getByPlaceholder(LABEL).inputValue()).toBe('checkout')
    expect(new URL(page.url()).pathname).toMatch(/feature_flags$/)
    await page.unroute(code)
    await page.keyboard.press('Escape')
    await dialog(page).waitFor({ state: 'hidden' })
  })

  it('opens what Enter was pressed for before its code is there', async () => {
    const console = await open()
    const { page } = console
    await makeFlag(console, 'new-checkout')
    await page.goto(console.at('activity'))
    await page.getByRole('heading', { name: 'Activity', level: 1 }).waitFor()
    let load = (): void => {}
    const loaded = new Promise<void>((resolve) => (load = resolve))
    const code = /\/palette-.*\.js/
    await page.route(code, async (route) => {
      await loaded
      await route.continue()
    })
    await page.keyboard.press('Control+k')
    await page.keyboard.type('new-checkout')
    await page.keyboard.press('Enter')
    load()
    await page.getByRole('heading', { name: 'new-checkout' }).waitFor()
    await page.unroute(code)
  })

  it('says that a search failed, and opens nothing of an earlier one while a later one is under way', async () => {
    const console = await open({ path: 'activity' })
    const { page } = console
    await makeFlag(console, 'new-checkout')
    await page.route(SEARCHES, (route) => route.fulfill({ status: 403, json: { detail: 'Not now.' } }))
    await openPalette(console)
    await dialog(page).getByRole('option', { name: 'new-checkout' }).waitFor()
    await page.getByPlaceholder(LABEL).fill('new')
    await page.getByText('Not now.').waitFor()
    expect(await page.getByText('Nothing matches').count()).toBe(0)
    await expectEachLook(page, 'palette-failed')
    await page.unroute(SEARCHES)
    await page.getByRole('button', { name: 'Try again' }).click()
    await dialog(page).getByRole('option', { name: 'new-checkout' }).waitFor()
    let answer = (): void => {}
    const held = new Promise<void>((resolve) => (answer = resolve))
    await page.route(SEARCHES, async (route) => {
      await held
      await route.continue()
    })
    await page.getByPlaceholder(LABEL).fill('revenue')
    await page.getByText('Searching…').waitFor()
    await page.keyboard.press('Enter')
    await page.getByText('Searching, to open the first match…').waitFor()
    expect(await dialog(page).getByRole('option').count()).toBe(0)
    answer()
    await page.getByText('Nothing matches “revenue”.').waitFor()
    await page.keyboard.press('Enter')
    expect(page.url()).toContain('/activity')
    await page.getByPlaceholder(LABEL).fill('checkout')
    await dialog(page).getByRole('option', { name: 'new-checkout' }).waitFor()
    await expectEachLook(page, 'palette-found')
    await page.keyboard.press('Enter')
    await page.getByRole('heading', { name: 'new-checkout' }).waitFor()
  })

  it('opens the first match of the text after which Enter was pressed, once it is found', async () => {
    const console = await open({ path: 'activity' })
    const { page } = console
    await makeFlag(console, 'new-checkout')
    await makeFlag(console, 'old-basket')
    let answer = (): void => {}
    const held = new Promise<void>((resolve) => (answer = resolve))
    await page.route(SEARCHES, async (route) => {
      await held
      await route.continue()
    })
    await openPalette(console)
    const field = page.getByPlaceholder(LABEL)
    await field.fill('new-check')
    await page.keyboard.press('Enter')
    // The text is another one now, for which Enter was not pressed.
    await field.fill('old-bask')
    await page.getByText('Searching…').waitFor()
    answer()
    await dialog(page).getByRole('option', { name: 'old-basket' }).waitFor()
    await field.fill('new-checko')
    await page.keyboard.press('Enter')
    await page.getByRole('heading', { name: 'new-checkout' }).waitFor()
    await dialog(page).waitFor({ state: 'hidden' })
  })

  it('disables and enables a flag, after the question that its switch asks, changes the theme, and signs out', async () => {
    const console = await open({ path: 'activity' })
    const { page, api, projectId } = console
    await makeFlag(console, 'new-checkout')
    const isActive = async () =>
      (
        await api<{ results: { active: boolean }[] }>('GET', `/api/projects/${projectId}/feature_flags/`)
      ).results.map(({ active }) => active)
    for (const [verb, isOn] of [
      ['Disable', false],
      ['Enable', true],
    ] as const) {
      await openPalette(console)
      await page.getByPlaceholder(LABEL).fill(`${verb.toLowerCase()} check`)
      await dialog(page)
        .getByRole('option', { name: `${verb} new-checkout…` })
        .waitFor()
      await page.keyboard.press('Enter')
      await page.getByRole('dialog', { name: `${verb} new-checkout?` }).waitFor()
      expect(await isActive()).toEqual([!isOn])
      await dialog(page).getByRole('button', { name: verb }).click()
      await expect.poll(isActive).toEqual([isOn])
    }
    await openPalette(console)
    await page.getByPlaceholder(LABEL).fill('dark')
    await dialog(page).getByRole('option', { name: 'Dark theme' }).click()
    expect(await page.evaluate('document.documentElement.dataset.theme')).toBe('dark')
    await openPalette(console)
    await page.getByPlaceholder(LABEL).fill('sign')
    await dialog(page).getByRole('option', { name: 'Sign out' }).waitFor()
  })

  it('finds queries, cohorts, dashboards, people, groups and members, and pages by other words', async () => {
    const console = await open({ path: 'activity' })
    const { page, api, projectId } = console
    const project = `/api/projects/${projectId}`
    const query = { kind: 'HogQLQuery', query: 'SELECT 1' }
    await api('POST', `${project}/endpoints/`, { name: 'pro-orders', query })
    await api('POST', `${project}/cohorts/`, {
      name: 'Pro customers',
      filters: {
        properties: {
          type: 'AND',
          values: [{ key: 'plan', type: 'person', operator: 'exact', value: ['pro'] }],
        },
      },
    })
    await api('POST', `${project}/dashboards/`, { name: 'Pro numbers' })
    await sendAndWait(console, [
      { event: 'seen', distinct_id: 'pro-anna', timestamp: ago(5), properties: { $set: { plan: 'pro' } } },
      {
        event: '$groupidentify',
        distinct_id: 'pro-anna',
        timestamp: ago(6),
        properties: { $group_type: 'company', $group_key: 'acme-1', $group_set: { name: 'Acme Works' } },
      },
    ])
    // People are found by a whole id.
    const found = [
      ['pro-', 'pro-orders'],
      ['pro', 'Pro customers'],
      ['pro', 'Pro numbers'],
      ['pro-anna', 'pro-anna'],
      ['acme', 'Acme Works'],
      ['OWNER@', 'owner', 'Members'],
      ['2fa', 'Account and keys', 'Your account'],
      ['invite', 'Members', 'Members'],
      ['disable', 'Disable a flag', 'Feature flags'],
      ['enable', 'Enable a flag', 'Feature flags'],
    ] as const
    for (const [text, name, heading = name] of found) {
      await console.visit('activity')
      await openPalette(console)
      await page.getByPlaceholder(LABEL).fill(text)
      await dialog(page)
        .getByRole('option', { name: new RegExp(`^${name}`) })
        .click()
      await page.getByRole('heading', { name: heading, level: 1 }).waitFor()
    }
  })
})
