// Every form, and other actions, while the network is down, the service rejects changes, and the session ends: the page shows it, keeps the
// input, and saves it afterwards.
import type { Locator, Page } from 'playwright-core'
import { describe, expect, inject, it } from 'vitest'
import { type Console, useConsole, confirmTurn, settled } from './support'

const open = useConsole()

interface Form {
  what: string
  path: string
  /** Opens the form, where it is a dialog. */
  show?(page: Page): Promise<unknown>
  field: string
  value: string
  submit: string
  /** What the page says once it is saved. */
  saved: string | RegExp
  isDialog?: true
}

const FORMS: Form[] = [
  {
    what: 'a new flag',
    path: 'feature_flags/new',
    field: 'Key',
    value: 'offline',
    submit: 'Create flag',
    saved: 'offline created.',
  },
  {
    what: 'a new query',
    path: 'endpoints/new',
    field: 'Name',
    value: 'offline',
    submit: 'Create query',
    saved: 'offline created.',
  },
  {
    what: 'a new cohort',
    path: 'cohorts/new?kind=static',
    show: (page) => page.getByLabel('People', { exact: true }).fill('ada'),
    field: 'Name',
    value: 'Offline',
    submit: 'Create cohort',
    saved: /^Offline created/,
  },
  {
    what: 'a new dashboard',
    path: 'dashboard',
    show: (page) => page.getByRole('link', { name: 'New dashboard' }).click(),
    field: 'Name',
    value: 'Offline',
    submit: 'Create',
    saved: 'Nothing is pinned yet',
    isDialog: true,
  },
  {
    what: 'an invite',
    path: 'settings/members',
    show: (page) => page.getByRole('button', { name: 'Invite', exact: true }).click(),
    field: 'Email address',
    value: `${crypto.randomUUID()}@example.com`,
    submit: 'Invite',
    saved: 'Copy',
    isDialog: true,
  },
  {
    what: 'the settings of a project',
    path: 'settings/project',
    field: 'Name',
    value: `Offline ${crypto.randomUUID()}`,
    submit: 'Save',
    saved: 'Project settings saved.',
  },
  {
    what: 'a webhook',
    path: 'settings/webhooks',
    show: (page) => page.getByRole('button', { name: 'Add a webhook' }).click(),
    field: 'URL',
    value: 'https://hooks.example.com/x',
    submit: 'Add',
    saved: /whsec_/,
    isDialog: true,
  },
]

async function begin({ page, visit }: Console, { path, show, isDialog }: Form): Promise<Page | Locator> {
  await visit(path)
  await page.getByRole('heading', { level: 1 }).waitFor()
  await show?.(page)
  return isDialog ? page.getByRole('dialog') : page
}

/** Statuses of rejections, and the message of a page. */
const REFUSALS = [
  [403, 'You are not allowed to do this.'],
  [429, 'Too many requests.'],
  [503, 'The service is busy.'],
] as const

/** Answers changes with a status; reads pass. */
const refuse = (page: Page, status: number) =>
  page.route('**/api/**', (route) =>
    route.request().method() === 'GET' ? route.fallback() : route.fulfill({ status, json: {} }),
  )

describe('when the network is down, the service rejects a change, or the session ends', () => {
  it.each(FORMS)('$what is kept, and saved afterwards', async (form) => {
    const console = await open()
    const { page, context } = console
    const place = await begin(console, form)
    const field = place.getByLabel(form.field, { exact: true })
    const submit = place.getByRole('button', { name: form.submit, exact: true })
    await field.fill(form.value)
    await settled(page)
    await context.setOffline(true)
    await submit.click()
    await page.getByText('The service cannot be reached').first().waitFor()
    expect(await field.inputValue()).toBe(form.value)
    await context.setOffline(false)
    for (const [status, words] of REFUSALS) {
      await refuse(page, status)
      await submit.click()
      await page.getByText(words).first().waitFor()
      expect(await field.inputValue()).toBe(form.value)
      await page.unroute('**/api/**')
    }
    // A press beside a dialog does not close it once something is entered.
    if (form.isDialog) await page.mouse.click(4, 4)
    await refuse(page, 401)
    await submit.click()
    const ended = page.getByRole('dialog', { name: 'Your session has ended' })
    await ended.waitFor()
    await page.unroute('**/api/**')
    expect(await field.inputValue()).toBe(form.value)
    await ended.getByRole('button', { name: 'Continue' }).click()
    await page.getByText(form.saved).first().waitFor()
  })

  it('shows the frame in the chosen theme until the first page is there', async () => {
    const { page, context, at } = await open()
    await context.addCookies([{ name: 'theme', value: 'dark', url: inject('served').url }])
    let answer = (): void => {}
    const held = new Promise<void>((resolve) => (answer = resolve))
    const user = /\/api\/users\//
    await page.route(user, async (route) => {
      await held
      await route.continue()
    })
    const asked = page.waitForRequest(user)
    await page.goto(at('feature_flags'))
    await asked
    expect(await page.locator('.sidebar .brand').isVisible()).toBe(true)
    expect(await page.locator('meta[name=color-scheme]').getAttribute('content')).toBe('dark')
    answer()
    await page.getByRole('heading', { name: 'Feature flags', level: 1 }).waitFor()
    await page.unroute(user)
  })

  it('leads to the sign-in when the session ends before the first page is there', async () => {
    const { page, at } = await open()
    const later = /\/feature_flags\/\?/
    await page.route(later, (route) => route.fulfill({ status: 401, json: { code: 'not_authenticated' } }))
    await page.goto(at('feature_flags'))
    await page.waitForURL(/\/login\?next=/)
    await page.unroute(later)
  })

  it('opens no page whose code does not load, and keeps the menu', async () => {
    const { page, context, at } = await open()
    await page.goto(at('feature_flags'))
    await page.getByRole('heading', { name: 'Feature flags', level: 1 }).waitFor()
    await settled(page)
    await page.evaluate('window.isKept = true')
    await context.setOffline(true)
    const menu = page.getByRole('complementary')
    for (const name of ['Saved queries', 'People']) {
      await menu.getByRole('link', { name, exact: true }).click()
      await page.getByRole('heading', { name: 'This page could not be loaded' }).waitFor()
      await page.getByText('The service cannot be reached').first().waitFor()
    }
    // It shows itself when the network is back.
    await context.setOffline(false)
    await page.getByRole('heading', { name: 'People', level: 1 }).waitFor()
    // It is the same document.
    expect(await page.evaluate('window.isKept')).toBe(true)
  })

  it('reads what could not be read when the network is back', async () => {
    const { page, context, api, projectId, visit } = await open({ path: 'feature_flags' })
    await api('POST', `/api/projects/${projectId}/feature_flags/`, { key: 'late' })
    await settled(page)
    await context.setOffline(true)
    await visit('feature_flags?search=late')
    await page.getByText('The service cannot be reached').first().waitFor()
    await context.setOffline(false)
    await page.getByRole('link', { name: 'late' }).waitFor()
    expect(await page.getByText('The service cannot be reached').count()).toBe(0)
  })

  it('retries an evaluation, a restored version and a switch', async () => {
    const console = await open()
    const { page, api, at } = console
    const flags = `/api/projects/${console.projectId}/feature_flags/`
    const { id } = await api<{ id: number }>('POST', flags, {
      key: 'kept',
      name: 'First',
      created_at: '2026-01-01T00:00:00Z',
    })
    await api('PATCH', `${flags}${id}/`, { name: 'Second' })
    await page.goto(at(`feature_flags/${id}?tab=people`))
    await page.getByLabel('Person', { exact: true }).fill('anna')
    await page.keyboard.press('Escape')
    await page.getByLabel('As of').fill('2026-01-31T12:00')
    for (const [status, words] of REFUSALS) {
      await refuse(page, status)
      await page.getByRole('button', { name: 'Evaluate' }).click()
      await page.getByRole('alert').filter({ hasText: words }).waitFor()
      await page.unroute('**/api/**')
    }
    await page.getByRole('button', { name: 'Try again' }).click()
    await page.getByRole('region', { name: 'Result' }).waitFor()
    // The address has the time, in UTC.
    const time = new URL(page.url()).searchParams.get('at')
    expect(time).toBe(await page.evaluate("new Date('2026-01-31T12:00').toISOString()"))
    await page.reload()
    await page.getByRole('region', { name: 'Result' }).waitFor()
    expect(await page.getByLabel('As of').inputValue()).toBe('2026-01-31T12:00')

    await page.getByRole('link', { name: 'History' }).click()
    await page.getByRole('button', { name: 'Restore version 1' }).click()
    const dialog = page.getByRole('dialog')
    for (const [status, words] of REFUSALS) {
      await refuse(page, status)
      await dialog.getByRole('button', { name: 'Restore' }).click()
      await dialog.getByText(words).waitFor()
      await page.unroute('**/api/**')
    }
    await dialog.getByRole('button', { name: 'Restore' }).click()
    await page.getByText('kept saved.').waitFor()
    expect(await api('GET', `${flags}${id}/`)).toMatchObject({ name: 'First', version: 3 })

    const toggle = page.getByRole('switch', { name: 'kept enabled' })
    for (const [status, words] of REFUSALS) {
      await refuse(page, status)
      await toggle.click()
      await confirmTurn(page, 'Disable')
      const toast = page.getByRole('listitem').filter({ hasText: words })
      await toast.waitFor()
      expect(await toggle.isChecked()).toBe(true)
      await toast.getByRole('button', { name: 'Dismiss' }).click()
      await page.unroute('**/api/**')
    }
    await toggle.click()
    await confirmTurn(page, 'Disable')
    await page.getByText('kept is disabled.').waitFor()
  })

  it('keeps a page, and the form of a part of it, when a later read fails', async () => {
    const { page, api, at, projectId } = await open()
    const tooMany = { status: 429, json: { type: 'throttled_error', code: 'throttled', detail: 'Wait.' } }
    const refuseReads = (path: string) =>
      page.route(path, (route) =>
        route.request().method() === 'GET' ? route.fulfill(tooMany) : route.continue(),
      )
    await page.goto(at('settings/project'))
    await page.getByLabel('Name', { exact: true }).fill(`Renamed ${crypto.randomUUID()}`)
    await refuseReads(`**/api/projects/${projectId}/`)
    const refused = page.waitForResponse((response) => response.status() === 429)
    await page.getByRole('button', { name: 'Save' }).click()
    await refused
    await page.getByText('Project settings saved.').waitFor()
    expect(await page.getByRole('heading', { level: 1 }).innerText()).toBe('Project settings')
    await page.unrouteAll()

    const { id } = await api<{ id: number }>('POST', `/api/projects/${projectId}/feature_flags/`, {
      key: 'kept',
    })
    await page.clock.install()
    await page.goto(at(`feature_flags/${id}?tab=schedule`))
    await page.getByRole('button', { name: 'Schedule a change' }).click()
    const field = page.getByRole('dialog').getByLabel('At', { exact: true })
    await field.fill('2099-07-03T09:00')
    await refuseReads('**/scheduled_changes/**')
    const poll = page.waitForResponse((response) => response.status() === 429)
    await page.clock.fastForward(20_000)
    await poll
    await page.clock.runFor(1_000)
    expect(await field.inputValue()).toBe('2099-07-03T09:00')
  })
})
