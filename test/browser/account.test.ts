// The pages of an account, in a real browser with scripts turned off.
import { decodeBase32IgnorePadding } from '@oslojs/encoding'
import { generateTOTP } from '@oslojs/otp'
import type { Browser, BrowserContext, Page } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { launchChromium } from '../support/browser/chromium'
import { expectEachLook } from './console/support'
import { type ServedWorker, serveWorker } from '../support/server/served-worker'

/** Pictures of every page, written when SCREENSHOTS names a folder. */
const pictures = process.env.SCREENSHOTS

let worker: ServedWorker
let chromium: Browser
beforeAll(async () => {
  ;[worker, chromium] = await Promise.all([serveWorker(), launchChromium()])
})
afterAll(async () => {
  await chromium?.close()
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

async function enterPassword(page: Page, password = worker.credentials.password): Promise<void> {
  await page.getByLabel('Email').fill(worker.credentials.email)
  await page.getByLabel('Password').fill(password)
  await page.getByRole('button', { name: 'Sign in' }).click()
}

const codeFor = (secret: Uint8Array) => generateTOTP(secret, 30, 6)

describe('the pages', () => {
  it('fit a phone and the dark theme', async () => {
    const page = await open({ viewport: { width: 390, height: 800 }, colorScheme: 'dark' })
    const overflow = () => page.evaluate<number>('document.documentElement.scrollWidth - innerWidth')
    await page.goto('/login?next=/settings')
    await picture(page, '10-phone-sign-in')
    expect(await overflow()).toBe(0)
    await enterPassword(page)
    await page.getByText('New key', { exact: true }).click()
    await picture(page, '11-phone-settings')
    expect(await overflow()).toBe(0)
  })
})

describe('an account, from sign-in to sign-out', { timeout: 120_000 }, () => {
  it('works in two browsers without scripts', async () => {
    const page = await open()
    await page.goto('/settings')
    await arrive(page, '/login')
    await expectCopyAccessible(page, 'sign-in')

    await enterPassword(page, 'not the password')
    await expect(page.getByRole('alert').textContent()).resolves.toBe('Invalid email or password.')
    await expectCopyAccessible(page, 'wrong-password')

    await enterPassword(page)
    await arrive(page, '/settings')
    await picture(page, '03-settings')

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
    await expect(page.getByRole('alert').textContent()).resolves.toBe('Token is not valid')
    await expectCopyAccessible(page, 'two-factor-refused')
    const usedCode = codeFor(secret)
    await page.getByLabel('Code that the app shows').fill(usedCode)
    await page.getByRole('button', { name: 'Turn on' }).click()
    await page.locator('.codes').waitFor()
    const backupCodes = await page.locator('.codes code').allTextContents()
    expect(backupCodes).toHaveLength(10)
    await expectCopyAccessible(page, 'backup-codes')

    // Turning it on signed the other browser out.
    await elsewhere.goto('/settings')
    await arrive(elsewhere, '/login')

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
    await page.goto('/settings')
    const rows = page.locator('section[aria-labelledby=sessions] li')
    await expect(rows.allTextContents()).resolves.toEqual([
      expect.stringMatching(/^Chrome [\d.]+ on Linux.*This browser/),
      expect.stringMatching(/^Firefox 140\.0 on Linux/),
    ])
    await picture(page, '07-two-sessions')
    await page.locator('summary', { hasText: 'Sign out all other browsers' }).click()
    await expectCopyAccessible(page, 'sign-out-question')
    await page.getByRole('button', { name: 'Yes, sign out all other browsers' }).click()
    await expect.poll(() => rows.count()).toBe(1)
    await elsewhere.goto('/settings')
    await arrive(elsewhere, '/login')

    // A key, shown once, that works immediately, and not after it was deleted.
    await page.getByText('New key', { exact: true }).click()
    await page.getByLabel('What is it for?').fill('Deploy script')
    await page.getByLabel('Read and test feature flags').check()
    await page.getByRole('button', { name: 'Create key' }).click()
    const key = (await page.locator('#new-key').textContent())!.trim()
    await expectCopyAccessible(page, 'new-key')
    const ask = () =>
      fetch(`${worker.url}/api/projects/@current/feature_flags/`, {
        headers: { Authorization: `Bearer ${key}` },
      })
    await expect(ask().then((response) => response.json())).resolves.toMatchObject({ count: 0, results: [] })
    await page.goto('/settings')
    await expect(page.content()).resolves.not.toContain(key)
    await page.locator('summary[aria-label="Delete Deploy script"]').click()
    await expectCopyAccessible(page, 'delete-key-question')
    await page.getByRole('button', { name: 'Yes, delete' }).click()
    await page.getByText('The key is deleted and no longer valid.').waitFor()
    await expect(ask().then(({ status }) => status)).resolves.toBe(401)

    // A new password has to be strong, and needs the current one.
    await page.getByLabel('Current password').fill(worker.credentials.password)
    await page.getByLabel('New password').fill('password1')
    await page.getByRole('button', { name: 'Change password' }).click()
    expect(await page.getByRole('alert').textContent()).not.toBe('')
    await expectCopyAccessible(page, 'weak-password')

    await page.getByRole('button', { name: 'Sign out', exact: true }).click()
    await page.goto('/settings')
    await arrive(page, '/login')
  })
})
