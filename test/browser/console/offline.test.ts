// Every form while the network is away: it says so, keeps what was entered, and saves it when the network is back.
import type { Locator, Page } from 'playwright-core'
import { describe, expect, it } from 'vitest'
import { type Console, useConsole } from './support'

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
    show: (page) => page.getByLabel('Persons', { exact: true }).fill('ada'),
    field: 'Name',
    value: 'Offline',
    submit: 'Create cohort',
    saved: /^Offline created/,
  },
  {
    what: 'a new dashboard',
    path: 'dashboard',
    show: (page) => page.getByRole('button', { name: 'New dashboard' }).first().click(),
    field: 'Name',
    value: 'Offline',
    submit: 'Create',
    saved: 'Nothing is pinned yet',
    isDialog: true,
  },
  {
    what: 'an invite',
    path: 'settings/members',
    show: (page) => page.getByRole('button', { name: 'Invite' }).click(),
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

async function begin({ page, at }: Console, { path, show, isDialog }: Form): Promise<Page | Locator> {
  await page.goto(at(path))
  await page.getByRole('heading', { level: 1 }).waitFor()
  await show?.(page)
  return isDialog ? page.getByRole('dialog') : page
}

describe('while the network is away', () => {
  it.each(FORMS)('$what is kept, and saved afterwards', async (form) => {
    const console = await open()
    const { page, context } = console
    const place = await begin(console, form)
    const field = place.getByLabel(form.field, { exact: true })
    const submit = place.getByRole('button', { name: form.submit, exact: true })
    await field.fill(form.value)
    await page.waitForLoadState('networkidle')
    await context.setOffline(true)
    await submit.click()
    await page.getByText('The service cannot be reached').first().waitFor()
    expect(await field.inputValue()).toBe(form.value)
    await context.setOffline(false)
    await submit.click()
    await page.getByText(form.saved).first().waitFor()
  })
})
