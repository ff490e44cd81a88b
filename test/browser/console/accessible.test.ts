// Every state that a user can reach, on a phone and on a desktop, in light and in dark colours: axe finds nothing, and nothing is wider than the screen.
import type { Page } from 'playwright-core'
import { describe, expect, inject, it } from 'vitest'
import {
  type Console,
  editPart,
  expectAccessible,
  expectEachLook,
  expectSameThemes,
  SIZES,
  useConsole,
  confirmTurn,
} from './support'

const open = useConsole()

const flagsPath = (projectId: number) => `/api/projects/${projectId}/feature_flags/`

const dialog = (page: Page) => page.getByRole('dialog')
const button = (page: Page, name: string) => page.getByRole('button', { name, exact: true })

async function escape(page: Page): Promise<void> {
  await page.keyboard.press('Escape')
  await expect.poll(() => page.locator('dialog[open], [role=menu], [role=listbox]').count()).toBe(0)
}

async function makeFlags({ api, projectId }: Console) {
  const parent = await api<{ id: number }>('POST', flagsPath(projectId), { key: 'parent', tags: ['growth'] })
  await api('POST', flagsPath(projectId), {
    key: 'child',
    filters: {
      groups: [
        {
          properties: [{ key: String(parent.id), type: 'flag', operator: 'flag_evaluates_to', value: true }],
          rollout_percentage: 100,
        },
      ],
    },
  })
  await api('PATCH', `${flagsPath(projectId)}${parent.id}/`, {
    name: 'Changed',
    filters: { groups: [{ properties: [], rollout_percentage: 20 }] },
  })
  return parent
}

describe('in each look', { timeout: 120_000 }, () => {
  it('the frame and the list are accessible', async () => {
    const console = await open()
    const { page } = console
    await makeFlags(console)
    await console.visit('feature_flags')
    await page.getByRole('link', { name: 'parent' }).waitFor()
    await expectSameThemes(page)
    await page.setViewportSize(SIZES.phone)
    await button(page, 'Open navigation').click()
    await dialog(page).getByRole('link', { name: 'Feature flags' }).waitFor()
    await expectEachLook(page, 'navigation', 'phone')
    await escape(page)
    await page.setViewportSize(SIZES.desktop)
    const shown = page.locator('aside')
    await shown.getByRole('button', { name: /^Project / }).click()
    await page.getByRole('menu').waitFor()
    await expectEachLook(page, 'project-menu')
    await page.keyboard.press('Escape')
    await shown.getByRole('button', { name: 'owner' }).click()
    await page.getByRole('menu').waitFor()
    await expectEachLook(page, 'user-menu')
    await page.getByRole('menuitem', { name: /Keyboard shortcuts/ }).click()
    await dialog(page).getByRole('heading', { name: 'Keyboard shortcuts' }).waitFor()
    await expectEachLook(page, 'shortcuts')
    await escape(page)
    await page.keyboard.press('Control+k')
    await page.getByPlaceholder('Search flags, queries, people and pages').fill('nothing like this')
    await page.getByText('Nothing matches').waitFor()
    await escape(page)

    await button(page, 'Filters').click()
    await page.getByRole('combobox', { name: 'Type' }).waitFor()
    await expectEachLook(page, 'filters')
    await page.getByRole('searchbox').fill('nothing like this')
    await page.getByRole('heading', { name: 'No flag matches' }).waitFor()
    await expectEachLook(page, 'no-match')
    await button(page, 'Remove all filters').click()
    await page.getByRole('checkbox', { name: 'Select parent' }).click()
    await expectEachLook(page, 'selected')
    await page.getByRole('region', { name: 'Selected flags' }).getByRole('button', { name: 'Delete' }).click()
    await dialog(page).getByRole('button', { name: 'Delete flag' }).waitFor()
    await dialog(page).getByRole('button', { name: 'Delete flag' }).click()
    await page.getByText('could not be deleted').waitFor()
    await expectEachLook(page, 'delete-refused')
    await escape(page)
    await page.getByRole('switch', { name: 'child enabled' }).click()
    await confirmTurn(page, 'Disable')
    await page.getByText('child is disabled.').waitFor()
    await expectEachLook(page, 'toast')
    // Where the system forces colours, it draws what has a state of its own.
    await page.emulateMedia({ forcedColors: 'active' })
    for (const control of ['.switch', '.checkbox'])
      expect(
        await page.evaluate(`getComputedStyle(document.querySelector('tbody ${control}')).appearance`),
      ).toBe('auto')
    await page.emulateMedia({ forcedColors: 'none' })

    await page.route('**/feature_flags/?*', (route) => route.fulfill({ status: 503, json: {} }))
    await page.goto(console.at('feature_flags?search=x'))
    await page.getByText('The service is busy').waitFor()
    await expectEachLook(page, 'list-failed')
    await page.route('**/api/users/*/', (route) => route.fulfill({ status: 503, json: {} }))
    await page.reload()
    await page.getByRole('heading', { name: 'This page could not be loaded' }).waitFor()
    await expectEachLook(page, 'page-failed')
  })

  it('a flag is accessible', async () => {
    const console = await open()
    const { page } = console
    const parent = await makeFlags(console)
    const path = `feature_flags/${parent.id}`
    // A tab that does not exist is the first one.
    await console.visit(`${path}?tab=none`)
    await button(page, 'More actions').click()
    await page.getByRole('menu').waitFor()
    await escape(page)
    await editPart(page, 'Who gets it')
    await editPart(page, 'What they get')
    await editPart(page, 'Details')
    await button(page, 'Actions for set 1').click()
    await page.getByRole('menu').waitFor()
    await escape(page)
    await button(page, 'Add condition').click()
    await page.getByLabel('Kind of condition 1 of set 1').selectOption('Flag')
    await page.getByLabel('Flag of condition 1 of set 1').waitFor()
    await page.getByLabel('Kind of condition 1 of set 1').selectOption('Cohort')
    await page.getByText('Complete the conditions').waitFor()
    await page.getByRole('radio', { name: /Variants/ }).click()
    await page.getByLabel('Share of control').fill('10')
    await button(page, 'Payload').first().click()
    await page.getByLabel('Payload of control').fill('{')
    await page.getByText('Not valid JSON').waitFor()
    await button(page, 'Review and save').click()
    await page.getByText('need your attention').waitFor()
    await page.evaluate('scrollTo(0, document.documentElement.scrollHeight)')
    await expectEachLook(page, 'flag-issues')
    await button(page, 'Discard').click()
    await editPart(page, 'What they get')
    await page.getByRole('radio', { name: /Remote configuration/ }).click()
    await page.getByRole('textbox', { name: 'Value', exact: true }).fill('{"a": 1}')
    await page.evaluate('scrollTo(0, document.documentElement.scrollHeight)')
    await expectEachLook(page, 'flag-config')
    await button(page, 'Review and save').click()
    await dialog(page).getByRole('button', { name: 'Save' }).waitFor()
    await expectEachLook(page, 'save')
    await escape(page)
    await page.getByRole('link', { name: 'Feature flags' }).first().click()
    await dialog(page).getByRole('heading', { name: 'Leave without saving?' }).waitFor()
    await dialog(page).getByRole('button', { name: 'Leave' }).click()

    await console.visit(`${path}?tab=people`)
    await page.getByRole('heading', { name: 'See what a person gets, and why' }).waitFor()
    await expectEachLook(page, 'people-empty')
    await console.visit(`${path}?tab=activity`)
    await button(page, 'Restore version 1').waitFor()
    await expectEachLook(page, 'history')
    await button(page, 'Restore version 1').click()
    await dialog(page).locator('.difference').first().waitFor()
    await expectEachLook(page, 'restore')
    await escape(page)
    await page.route('**/activity/**', (route) => route.fulfill({ status: 429, json: {} }))
    await page.reload()
    await page.getByText('Too many requests').waitFor()
    await console.visit('feature_flags/999999999')
    await page.getByText('Not found').or(page.getByText('does not exist')).first().waitFor()
    await expectEachLook(page, 'no-such-flag')
  })

  it('the team and the pages of the account are accessible', async () => {
    const console = await open()
    const { page, api } = console
    const { url, email } = inject('served')
    const invited = `${crypto.randomUUID()}@example.com`
    await console.visit('settings/members')
    await button(page, 'Invite').click()
    await dialog(page).getByLabel('Email address').fill(invited)
    await dialog(page).getByRole('button', { name: 'Invite' }).click()
    const link = await dialog(page).getByLabel('Link', { exact: true }).innerText()
    await expectEachLook(page, 'invited')
    await dialog(page).getByRole('button', { name: 'Done' }).click()
    await button(page, `Withdraw the invite of ${invited}`).waitFor()
    await expectEachLook(page, 'members-invited')
    await page.goto(link)
    await expectEachLook(page, 'signup-of-another')

    const elsewhere = await page.context().browser()!.newContext({ baseURL: url })
    const other = await elsewhere.newPage()
    await other.goto(link)
    await other.getByLabel(/name/i).first().fill('Bea')
    await other.getByLabel('Password').fill('password1')
    await other.getByRole('button', { name: /join|sign up|create/i }).click()
    await other.getByRole('alert').first().waitFor()
    await expectEachLook(other, 'signup-refused')
    await other.getByLabel('Password').fill('a long and unlikely passphrase 7')
    await other.getByRole('button', { name: /join|sign up|create/i }).click()
    await other.getByRole('heading', { name: /Feature flags|Get started/ }).waitFor()
    await other.goto(link)
    await expectEachLook(other, 'signup-used')
    await other.goto('/settings')
    await other.getByText('You have no keys.').waitFor()
    await expectEachLook(other, 'account')
    await other.getByRole('button', { name: 'New key' }).click()
    await other.getByLabel('What is it for?').fill('Deploy script')
    await other.getByLabel('Read and test feature flags').check()
    await other.getByRole('button', { name: 'Create key' }).click()
    await other.getByRole('dialog', { name: 'Your new key' }).waitFor()

    await page.goto(console.at('settings/members'))
    const row = page.getByRole('listitem').filter({ hasText: invited })
    await row.getByRole('button', { name: /Actions for/ }).click()
    await page.getByRole('menu').waitFor()
    await page.getByRole('menuitem', { name: 'Reset password…' }).click()
    await dialog(page).getByRole('button', { name: 'Make the link' }).click()
    const reset = await dialog(page).getByLabel('Link', { exact: true }).innerText()
    await dialog(page).getByRole('button', { name: 'Done' }).click()
    await other.goto(reset)
    await other.locator('input[type=password]').first().fill('password1')
    await other.getByLabel('Keep them').check()
    await other.getByRole('button').last().click()
    await other.getByRole('alert').first().waitFor()
    await expectEachLook(other, 'new-password-refused')
    await other.goto('/reset/none')
    await expectEachLook(other, 'not-found')

    await row.getByRole('button', { name: /Actions for/ }).click()
    await page.getByRole('menuitem', { name: 'Remove…' }).click()
    await dialog(page).getByRole('button', { name: 'Remove' }).click()
    await page.getByText('is no longer a member.').waitFor()
    await page.getByRole('listitem').filter({ hasText: email }).getByRole('button').click()
    await page.getByRole('menuitem', { name: 'Leave the organization…' }).click()
    await dialog(page).getByRole('button', { name: 'Leave' }).waitFor()
    await escape(page)

    await console.visit('settings/project')
    await page.getByLabel('Name').fill('')
    await button(page, 'Save').click()
    await page.getByRole('alert').waitFor()
    await expectEachLook(page, 'project-refused')
    await console.visit('settings/organization')
    await page.getByRole('switch', { name: 'Members can create projects' }).waitFor()
    await expectEachLook(page, 'settings-organization')
    await page.getByRole('switch', { name: 'Require two-factor authentication' }).click()
    await dialog(page).getByRole('button', { name: 'Require' }).click()
    await dialog(page).getByRole('alert').waitFor()
    await page.route('**/activity_log/?*', (route) =>
      route.fulfill({ json: { results: [], next: null, previous: null, total_count: 0 } }),
    )
    await console.visit('activity')
    await page.getByRole('heading', { name: 'Nothing has happened yet' }).waitFor()
    await console.visit('start')
    await page.getByText('Waiting for the first event').waitFor()
    await api('PATCH', `/api/projects/${console.projectId}/`, { name: 'x'.repeat(100) })
    await page.reload()
    await page.getByRole('heading', { name: 'Get started' }).waitFor()
    await expectEachLook(page, 'long-name')
  })
})

it('an open list of suggestions hides nothing that the focus may move to', async () => {
  const { page, api, projectId, visit } = await open()
  await api('POST', `/api/projects/${projectId}/feature_flags/`, {
    key: 'tagged',
    tags: ['checkout', 'growth'],
  })
  await visit('feature_flags/new')
  const tags = page.getByRole('combobox', { name: 'Tags' })
  await tags.click()
  await page.getByRole('option', { name: 'growth' }).waitFor()
  await expectAccessible(page)
  await page.getByRole('option', { name: 'growth' }).click()
  await page.getByRole('button', { name: 'Remove growth' }).waitFor()
  await tags.and(page.locator(':focus')).waitFor()
  await tags.press('ArrowDown')
  await page.getByRole('option', { name: 'checkout' }).waitFor()
  await tags.press('ArrowDown')
  await tags.press('Enter')
  await page.getByRole('button', { name: 'Remove checkout' }).waitFor()
  await tags.fill('c')
  await page.keyboard.press('Tab')
  await page.getByRole('listbox').waitFor({ state: 'detached' })
})
