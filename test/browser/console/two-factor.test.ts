// An organization begins to require two-factor authentication while its members work.
import { decodeBase32IgnorePadding } from '@oslojs/encoding'
import { generateTOTP } from '@oslojs/otp'
import type { Browser, Page } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { closeContexts, sharedChromium } from '../../support/browser/chromium'
import { type ServedWorker, serveWorker } from '../../support/server/served-worker'
import { editPart, expectEachLook } from './support'

const PASSWORD = 'a long and unlikely passphrase 7'

let worker: ServedWorker
let chromium: Browser
beforeAll(async () => {
  ;[worker, chromium] = await Promise.all([serveWorker(), sharedChromium()])
})
afterAll(async () => {
  await closeContexts()
  await worker?.stop()
})

const browser = async (): Promise<Page> =>
  (await chromium.newContext({ baseURL: worker.url, viewport: { width: 1280, height: 860 } })).newPage()

async function api<T>(method: string, path: string, body?: object): Promise<T> {
  const response = await fetch(worker.url + path, {
    method,
    headers: {
      Authorization: `Bearer ${worker.credentials.personalApiKey}`,
      'Content-Type': 'application/json',
    },
    ...(body ? { body: JSON.stringify(body) } : {}),
  })
  expect(response.ok).toBe(true)
  return (await response.json()) as T
}

async function signIn(page: Page, email: string, password: string): Promise<void> {
  await page.getByLabel('Email').fill(email)
  await page.getByLabel('Password').fill(password)
  await page.getByRole('button', { name: 'Sign in' }).click()
}

/** A user who signed up by an invite, in another browser. */
async function member(name: string): Promise<Page> {
  const { id } = await api<{ id: string }>('POST', '/api/organizations/@current/invites/', {
    target_email: `${name}@example.com`,
  })
  const page = await browser()
  await page.goto(`/signup/${id}`)
  await page.getByLabel(/name/i).first().fill(name)
  await page.getByLabel('Password').fill(PASSWORD)
  await page.getByRole('button', { name: /join|sign up|create/i }).click()
  await page.getByRole('heading', { name: /Feature flags|Get started/ }).waitFor()
  return page
}

/** Sets the second factor up on the page with the settings. */
async function setUpTwoFactor(page: Page, beforeCodes?: () => Promise<void>): Promise<void> {
  await page.getByRole('button', { name: 'Set up' }).click()
  await page.getByRole('button', { name: 'Cancel' }).click()
  await page.getByRole('button', { name: 'Set up' }).click()
  const typed = (await page.locator('.setup code.secret').textContent())!.replace(/\s/g, '')
  await page.getByLabel('Code that the app shows').fill(generateTOTP(decodeBase32IgnorePadding(typed), 30, 6))
  await page.getByRole('button', { name: 'Turn on' }).click()
  await beforeCodes?.()
  await page.locator('.codes').waitFor()
}

describe('a second factor that is required', () => {
  it('is set up before the console opens, without losing input', async () => {
    const flag = await api<{ id: number }>('POST', `/api/projects/${worker.projectId}/feature_flags/`, {
      key: 'new-checkout',
    })
    const path = `/project/${worker.projectId}/feature_flags/${flag.id}`
    const [owner, bea, carl] = [await browser(), await member('bea'), await member('carl')]
    await owner.goto('/settings')
    await signIn(owner, worker.credentials.email, worker.credentials.password)
    // The factor is on even if there are no codes yet.
    await owner.route('**/two_factor_backup_codes/', (route) => route.fulfill({ status: 500 }), { times: 1 })
    await setUpTwoFactor(owner, async () => {
      await owner.getByRole('alert').waitFor()
      await owner.getByText('On', { exact: true }).first().waitFor()
      await owner.getByRole('button', { name: /^New backup codes/ }).click()
    })
    await owner.goto('/')
    await owner.getByRole('heading', { name: 'Feature flags' }).waitFor()

    // Bea writes, while the owner changes the rule.
    await bea.goto(path)
    await editPart(bea, 'Details')
    await bea.getByLabel('Description').fill('Survives')
    await owner.goto(`/project/${worker.projectId}/settings/organization`)
    await owner.getByRole('switch', { name: 'Require two-factor authentication' }).click()
    await owner.getByRole('dialog').getByRole('button', { name: 'Require' }).click()
    await owner.getByText('Organization settings saved.').waitFor()

    await bea.getByRole('button', { name: 'Review and save' }).click()
    await bea.getByRole('dialog').getByRole('button', { name: 'Save' }).click()
    const dialog = bea.getByRole('dialog', { name: 'Your organization requires two-factor authentication' })
    await dialog.waitFor()
    await expectEachLook(bea, 'two-factor-required')
    await dialog.getByRole('button', { name: 'Continue' }).click()
    await dialog.getByText('It is not set up yet.').waitFor()
    const [tab] = await Promise.all([
      bea.context().waitForEvent('page'),
      dialog.getByRole('link', { name: 'Set it up' }).click(),
    ])
    await setUpTwoFactor(tab)
    await tab.close()
    await dialog.getByRole('button', { name: 'Continue' }).click()
    await bea.getByText('new-checkout saved.').waitFor()
    expect(await api('GET', `/api/projects/${worker.projectId}/feature_flags/${flag.id}/`)).toMatchObject({
      name: 'Survives',
    })

    // Carl, who is signed in, opens a page; and again, after another sign-in.
    await carl.goto(`${path}?tab=code`)
    await carl.getByRole('button', { name: 'Set up' }).waitFor()
    expect(new URL(carl.url())).toMatchObject({ pathname: '/settings', hash: '#two-factor' })
    await carl.context().clearCookies()
    await carl.goto(`${path}?tab=code`)
    await signIn(carl, 'carl@example.com', PASSWORD)
    await carl.getByRole('button', { name: 'Set up' }).waitFor()
    expect(new URL(carl.url()).pathname).toBe('/settings')
    await expectEachLook(carl, 'two-factor-to-set-up')
    await setUpTwoFactor(carl)
    await expectEachLook(carl, 'two-factor-set-up')
    await carl.getByRole('link', { name: 'Continue where you were' }).click()
    await carl.getByLabel('Code for JavaScript').waitFor()
    expect(new URL(carl.url()).pathname + new URL(carl.url()).search).toBe(`${path}?tab=code`)
  })
})
