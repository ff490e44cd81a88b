// An account in a real browser: sign-in with scripts turned off, the settings in the console, and an organization that begins to require two-factor
// authentication while its members work.
import { decodeBase32IgnorePadding } from '@oslojs/encoding'
import { generateTOTP } from '@oslojs/otp'
import type { Browser, BrowserContext, Page } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { closeContexts, sharedChromium } from '../support/browser/chromium'
import { editPart, expectEachLook } from './console/support'
import { type ServedWorker, serveWorker } from '../support/server/served-worker'

/** Pictures of every page, written when SCREENSHOTS names a folder. */
const pictures = process.env.SCREENSHOTS

let worker: ServedWorker
let chromium: Browser
beforeAll(async () => {
  ;[worker, chromium] = await Promise.all([serveWorker(), sharedChromium()])
})
afterAll(async () => {
  await closeContexts()
  await worker?.stop()
})

const picture = async (page: Page, name: string) => {
  if (pictures) await page.screenshot({ path: `${pictures}/${name}.png`, fullPage: true })
}

const open = async (options: Parameters<Browser['newContext']>[0] = {}): Promise<Page> => {
  const context: BrowserContext = await chromium.newContext({
    javaScriptEnabled: false,
    baseURL: worker.url,
    viewport: { width: 1100, height: 800 },
    ...options,
  })
  return context.newPage()
}

let copy: Page | undefined

/** Asserts that what a page shows is accessible: on a copy of it, as axe is a script. */
async function expectCopyAccessible(page: Page, name: string): Promise<void> {
  if (!copy) {
    copy = await open({ javaScriptEnabled: true })
    await copy.goto('/login')
  }
  await copy.setContent(await page.content())
  expect(await copy.evaluate('document.styleSheets.length')).toBe(1)
  await expectEachLook(copy, name)
}

/** Waits until a form or a redirect has led to this path. */
const arrive = (page: Page, path: string) =>
  page.waitForURL(({ pathname }) => pathname === path, { timeout: 10_000 })

async function enterPassword(
  page: Page,
  password = worker.credentials.password,
  email = worker.credentials.email,
): Promise<void> {
  await page.getByLabel('Email').fill(email)
  await page.getByLabel('Password').fill(password)
  await page.getByRole('button', { name: 'Sign in' }).click()
}

const PASSWORD = 'a long and unlikely passphrase 7'

const codeFor = (secret: Uint8Array) => generateTOTP(secret, 30, 6)

const withScripts = { javaScriptEnabled: true }

describe('an account, from sign-in to sign-out', { timeout: 120_000 }, () => {
  it('works in two browsers', async () => {
    const scriptless = await open()
    await scriptless.goto('/login')
    await enterPassword(scriptless, 'not the password')
    await expect(scriptless.getByRole('alert').textContent()).resolves.toBe('Invalid email or password.')
    await expectCopyAccessible(scriptless, 'wrong-password')

    const page = await open(withScripts)
    const errors: string[] = []
    page.on('console', (message) => message.type() === 'error' && errors.push(message.text()))
    page.on('pageerror', (error) => errors.push(String(error)))
    await page.goto('/settings')
    await arrive(page, '/login')
    await enterPassword(page)
    await arrive(page, '/settings')
    await page.getByRole('button', { name: 'Set up' }).waitFor()
    await picture(page, '03-settings')

    // The profile, with an error beside its field.
    await page.getByLabel('First name').fill(' Grace ')
    await page.getByLabel('Email').fill('none')
    await page.getByRole('button', { name: 'Save', exact: true }).click()
    await expect(page.getByRole('alert').textContent()).resolves.toBe('Enter a valid email address.')
    await page.getByLabel('Email').fill(worker.credentials.email)
    await page.getByRole('button', { name: 'Save', exact: true }).click()
    await page.getByText('Profile saved.').waitFor()
    await page.getByRole('button', { name: 'Grace' }).waitFor()
    const save = page.getByRole('button', { name: 'Save', exact: true })
    await expect.poll(() => save.isDisabled()).toBe(true)

    // What is entered during a save stays, and can be saved next.
    const lastName = page.getByLabel('Last name')
    await lastName.fill('Hop')
    await page.route('**/api/users/*me/', async (route) => {
      if (route.request().postDataJSON()?.last_name === 'Hop') await lastName.fill('Hopper')
      await route.continue()
    })
    await save.click()
    const stored = () =>
      page.evaluate(
        async () => ((await (await fetch('/api/users/@me/')).json()) as { last_name: string }).last_name,
      )
    await expect.poll(stored).toBe('Hop')
    await save.click()
    await expect.poll(stored).toBe('Hopper')
    await page.unroute('**/api/users/*me/')
    await expect.poll(() => save.isDisabled()).toBe(true)

    // A second factor: scanned, confirmed, with backup codes that are shown once.
    const elsewhere = await open({
      userAgent: 'Mozilla/5.0 (X11; Linux x86_64; rv:140.0) Gecko/20100101 Firefox/140.0',
    })
    await elsewhere.goto('/login')
    await enterPassword(elsewhere)
    await page.getByRole('button', { name: 'Set up' }).click()
    const image = page.getByAltText('QR code for your authenticator app')
    await expect
      .poll(() => image.evaluate((element) => Reflect.get(element, 'naturalWidth') as number))
      .toBeGreaterThan(0)
    const typed = (await page.locator('.setup code.secret').textContent())!.replace(/\s/g, '')
    const secret = decodeBase32IgnorePadding(typed)
    await picture(page, '04-two-factor-setup')
    await page.getByLabel('Code that the app shows').fill('000000')
    await page.getByRole('button', { name: 'Turn on' }).click()
    await expect(page.getByRole('alert').textContent()).resolves.toBe(
      'This is not the code that the app shows now.',
    )
    await expectEachLook(page, 'two-factor-refused')
    const usedCode = codeFor(secret)
    await page.getByLabel('Code that the app shows').fill(usedCode)
    await page.getByRole('button', { name: 'Turn on' }).click()
    await page.locator('.codes').waitFor()
    const backupCodes = await page.locator('.codes code').allTextContents()
    expect(backupCodes).toHaveLength(10)

    // Turning it on signed the other browser out.
    await elsewhere.goto('/settings')
    await elsewhere.goto('/login?next=/settings')

    // Signing in needs a code now, and a used code is not accepted again.
    await enterPassword(elsewhere)
    await arrive(elsewhere, '/login/code')
    await expectCopyAccessible(elsewhere, 'code')
    await elsewhere.getByLabel('Code').fill(usedCode)
    await elsewhere.getByRole('button', { name: 'Continue' }).click()
    await expect(elsewhere.getByRole('alert').textContent()).resolves.toBe('Invalid authentication code')
    await elsewhere.getByLabel('Code').fill(backupCodes[0]!)
    await elsewhere.getByRole('button', { name: 'Continue' }).click()
    await arrive(elsewhere, '/settings')

    // Both browsers are listed; one signs the other out.
    await page.goto('/settings#sessions')
    await page.reload()
    const rows = page.locator('#sessions li')
    await expect.poll(() => rows.count()).toBe(2)
    await expect(rows.allTextContents()).resolves.toEqual([
      expect.stringMatching(/^Chrome [\d.]+ on Linux.*This browser/),
      expect.stringMatching(/^Firefox 140\.0 on Linux/),
    ])
    await picture(page, '07-two-sessions')
    await page.getByRole('button', { name: 'Sign out all other browsers' }).click()
    await page.getByRole('dialog').getByRole('button', { name: 'Sign out' }).click()
    await expect.poll(() => rows.count()).toBe(1)
    const ended = await elsewhere.request.get('/api/users/@me/')
    expect(ended.status()).toBe(401)

    // A key, shown once, that works immediately, and not after it was deleted.
    await page.getByRole('button', { name: 'New key' }).click()
    await page.getByLabel('What is it for?').fill('Deploy script')
    await page.getByLabel('Read and test feature flags').check()
    await expectEachLook(page, 'key-to-make')
    await page.getByRole('button', { name: 'Create key' }).click()
    const key = (await page.locator('pre[aria-label="New key"]').textContent())!.trim()
    // It is shown in the dialog, above everything else.
    await page.getByRole('dialog', { name: 'Your new key' }).waitFor()
    await expectEachLook(page, 'new-key')
    const ask = () =>
      fetch(`${worker.url}/api/projects/@current/feature_flags/`, {
        headers: { Authorization: `Bearer ${key}` },
      })
    await expect(ask().then((response) => response.json())).resolves.toMatchObject({ count: 0, results: [] })
    await page.goto('/settings')
    await page.getByRole('button', { name: 'Delete Deploy script' }).click()
    await expect(page.content()).resolves.not.toContain(key)
    await page.getByRole('dialog').getByRole('button', { name: 'Delete' }).click()
    await page.getByText('The key is deleted and no longer valid.').waitFor()
    await expect(ask().then(({ status }) => status)).resolves.toBe(401)

    // A new password has to be strong, and needs the current one.
    await page.getByLabel('Current password').fill(worker.credentials.password)
    await page.getByLabel('New password').fill('password1')
    await page.getByRole('button', { name: 'Change password' }).click()
    await expect(page.getByRole('alert').textContent()).resolves.not.toBe('')

    // Sensitive changes need a recent sign-in, and wait for it.
    await worker.database
      .prepare(`UPDATE sessions SET authenticated_at = '2020-01-01T00:00:00.000000Z'`)
      .run()
    await page.getByRole('button', { name: 'New backup codes' }).click()
    await page.getByRole('dialog').getByRole('button', { name: 'Replace' }).click()
    const dialog = page.getByRole('dialog', { name: 'This needs a recent sign-in' })
    const [tab] = await Promise.all([
      page.context().waitForEvent('page'),
      dialog.getByRole('link', { name: 'Sign in' }).click(),
    ])
    await enterPassword(tab)
    await arrive(tab, '/login/code')
    await tab.getByLabel('Code').fill(backupCodes[1]!)
    await tab.getByRole('button', { name: 'Continue' }).click()
    await tab.getByRole('navigation').first().waitFor()
    await tab.close()
    await dialog.getByRole('button', { name: 'Continue' }).click()
    await page.locator('.codes').waitFor()

    await page.getByRole('button', { name: 'Grace' }).click()
    await page.getByRole('menuitem', { name: 'Sign out' }).click()
    await arrive(page, '/login')
    // Requests that fail on purpose.
    expect(errors.filter((error) => !/40[0-9]/.test(error))).toEqual([])
  })
})

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

/** A user who signed up by an invite, in another browser. */
async function member(name: string): Promise<Page> {
  const { id } = await api<{ id: string }>('POST', '/api/organizations/@current/invites/', {
    target_email: `${name}@example.com`,
  })
  const page = await open(withScripts)
  const { request } = page.context()
  const signedUp = await request.post(`/api/signup/${id}/`, {
    data: { first_name: name, password: PASSWORD },
  })
  expect(signedUp.status()).toBe(201)
  const email = `${name}@example.com`
  const signedIn = await request.post('/api/login/', { data: { email, password: PASSWORD } })
  expect(signedIn.status()).toBe(200)
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

describe('impersonation', { timeout: 120_000 }, () => {
  it('begins on the page of the service, shows on every page, and ends there', async () => {
    const { id } = await api<{ id: string }>('POST', '/api/organizations/@current/invites/', {
      target_email: 'bea@example.com',
    })
    const joined = await fetch(`${worker.url}/api/signup/${id}/`, {
      method: 'POST',
      headers: { 'Content-Type': 'application/json' },
      body: JSON.stringify({ first_name: 'Bea', password: PASSWORD }),
    })
    expect(joined.status).toBe(201)
    await worker.database.prepare('DELETE FROM totp_devices').run()

    const page = await open(withScripts)
    await page.goto('/login')
    await enterPassword(page)
    await page.getByRole('heading', { level: 1 }).waitFor()
    await page.goto(`/project/${worker.projectId}/settings/service`)
    await page.getByLabel('Email of the user').fill(worker.credentials.email)
    await page.getByLabel('Reason').fill('Ticket 7')
    await page.getByRole('button', { name: 'Start' }).click()
    await page.getByText('This user cannot be impersonated.').waitFor()
    await page.getByLabel('Email of the user').fill('bea@example.com')
    await page.getByRole('button', { name: 'Start' }).click()
    await page.getByText('You are impersonating bea@example.com.').waitFor()
    await page.goto('/settings')
    await page.getByText('Reason: Ticket 7. You can read everything and change nothing.').waitFor()
    await page.getByLabel('First name').fill('Eve')
    await page.getByRole('button', { name: 'Save', exact: true }).click()
    await page.getByText('This action is not allowed during impersonation.').waitFor()
    await expectEachLook(page, 'impersonating')
    await page.getByRole('button', { name: 'Back to your own account' }).click()
    await page.getByText(worker.credentials.email).waitFor()
    expect(await page.getByText('You are impersonating').count()).toBe(0)
  })
})

describe('a second factor that is required', () => {
  it('is set up before the console opens, without losing input', async () => {
    const flag = await api<{ id: number }>('POST', `/api/projects/${worker.projectId}/feature_flags/`, {
      key: 'new-checkout',
    })
    const path = `/project/${worker.projectId}/feature_flags/${flag.id}`
    const [owner, dora, carl] = [await open(withScripts), await member('dora'), await member('carl')]
    // The factor is on even if there are no codes yet. While a page loads, Chromium may not see a new route.
    await owner.route('**/two_factor_backup_codes/', (route) => route.fulfill({ status: 500 }), { times: 1 })
    await owner.goto('/settings')
    await enterPassword(owner)
    await setUpTwoFactor(owner, async () => {
      await owner.getByRole('alert').waitFor()
      await owner.getByText('On', { exact: true }).first().waitFor()
      await owner.getByRole('button', { name: /^New backup codes/ }).click()
    })
    await owner.goto('/')
    await owner.getByRole('heading', { name: 'Feature flags' }).waitFor()

    // Dora writes, while the owner changes the rule.
    await dora.goto(path)
    await editPart(dora, 'Details')
    await dora.getByLabel('Description').fill('Survives')
    await owner.goto(`/project/${worker.projectId}/settings/organization`)
    await owner.getByRole('switch', { name: 'Require two-factor authentication' }).click()
    await owner.getByRole('dialog').getByRole('button', { name: 'Require' }).click()
    await owner.getByText('Organization settings saved.').waitFor()

    await dora.getByRole('button', { name: 'Review and save' }).click()
    await dora.getByRole('dialog').getByRole('button', { name: 'Save' }).click()
    const dialog = dora.getByRole('dialog', { name: 'Your organization requires two-factor authentication' })
    await dialog.waitFor()
    await expectEachLook(dora, 'two-factor-required')
    await dialog.getByRole('button', { name: 'Continue' }).click()
    await dialog.getByText('It is not set up yet.').waitFor()
    const [tab] = await Promise.all([
      dora.context().waitForEvent('page'),
      dialog.getByRole('link', { name: 'Set it up' }).click(),
    ])
    await setUpTwoFactor(tab)
    await tab.close()
    await dialog.getByRole('button', { name: 'Continue' }).click()
    await dora.getByText('new-checkout saved.').waitFor()
    expect(await api('GET', `/api/projects/${worker.projectId}/feature_flags/${flag.id}/`)).toMatchObject({
      name: 'Survives',
    })

    // Carl, who is signed in, opens a page; and again, after another sign-in.
    await carl.goto(`${path}?tab=code`)
    await carl.getByRole('button', { name: 'Set up' }).waitFor()
    expect(new URL(carl.url())).toMatchObject({ pathname: '/settings', hash: '#two-factor' })
    await carl.context().clearCookies()
    await carl.goto(`${path}?tab=code`)
    await enterPassword(carl, PASSWORD, 'carl@example.com')
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
