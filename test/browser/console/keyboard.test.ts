// A user without a mouse: signs in, creates a flag, changes it, disables it and signs out, and sees at each step where the focus is.
import type { Browser, Page } from 'playwright-core'
import { afterAll, beforeAll, expect, inject, it } from 'vitest'
import { closeContexts, sharedChromium } from '../../support/browser/chromium'
import { SIZES } from './support'

let browser: Browser
beforeAll(async () => {
  browser = await sharedChromium()
})
afterAll(closeContexts)

/** More than any page has elements that take the focus. */
const MAX_TABS = 120

const FOCUSED = `(() => {
  const focused = document.activeElement
  const label = focused.labels?.[0]?.innerText ?? document.getElementById(focused.getAttribute('aria-labelledby'))?.innerText
  return {
    name: (focused === document.body ? '' : (focused.getAttribute('aria-label') ?? label ?? focused.innerText ?? '')).trim(),
    isVisible: focused.matches(':focus-visible') && focused.getBoundingClientRect().width > 0,
  }
})()`

/** Presses the tab key until the focus is on the element of this name. */
async function tabTo(page: Page, name: string | RegExp): Promise<void> {
  const passed: string[] = []
  for (let tabs = 0; tabs < MAX_TABS; tabs += 1) {
    const focused = (await page.evaluate(FOCUSED)) as { name: string; isVisible: boolean }
    if (typeof name === 'string' ? focused.name === name : name.test(focused.name)) {
      expect(focused).toEqual({ name: focused.name, isVisible: true })
      return
    }
    passed.push(focused.name)
    await page.keyboard.press('Tab')
  }
  throw new Error(`no tab leads to ${String(name)}: ${passed.join(' | ')}`)
}

/** Asserts the effects of a navigation: the title, an announcement, and the focus in the content. */
async function expectMoved(page: Page, title: string): Promise<void> {
  await page.locator('#root > [role=status]', { hasText: title }).waitFor()
  expect(await page.title()).toBe(title)
  expect(await page.evaluate('document.activeElement.closest("main") !== null')).toBe(true)
}

it(
  'a flag is created, changed, disabled and enabled with the keyboard alone',
  { timeout: 120_000 },
  async () => {
    const { url, email, password } = inject('served')
    const context = await browser.newContext({ baseURL: url, viewport: SIZES.desktop })
    const page = await context.newPage()
    const { keyboard } = page
    const key = `keys-${crypto.randomUUID()}`
    await page.goto('/')
    await page.getByLabel('Email').waitFor()
    await tabTo(page, 'Email')
    await keyboard.type(email)
    await tabTo(page, 'Password')
    await keyboard.type(password)
    await keyboard.press('Enter')
    await page.getByRole('heading', { level: 1 }).waitFor()

    await keyboard.press('c')
    await page.getByRole('heading', { name: 'New flag' }).waitFor()
    await expectMoved(page, 'New flag · Halyard')
    await tabTo(page, 'Key')
    await keyboard.type(key)
    await tabTo(page, 'Create flag')
    await keyboard.press('Enter')
    await page.getByText(`${key} created.`).waitFor()
    await expectMoved(page, `${key} · Feature flags · Halyard`)

    await tabTo(page, 'Edit Details')
    await keyboard.press('Enter')
    await tabTo(page, /^Description/)
    await keyboard.type('By hand')
    await keyboard.press('Control+s')
    const dialog = page.getByRole('dialog')
    await dialog.getByRole('button', { name: 'Save' }).waitFor()
    expect(await page.evaluate(FOCUSED)).toMatchObject({ name: 'Save' })
    await keyboard.press('Enter')
    await page.getByText(`${key} saved.`).waitFor()

    await keyboard.press('Control+k')
    await page.getByPlaceholder('Search flags, queries, people and pages').waitFor()
    await keyboard.type('Feature flags')
    await page.locator('[role=option][data-highlighted]', { hasText: 'Feature flags' }).waitFor()
    await keyboard.press('Enter')
    await page.getByRole('heading', { name: 'Feature flags', level: 1 }).waitFor()
    await expectMoved(page, 'Feature flags · Halyard')
    const search = page.getByRole('searchbox')
    await search.waitFor()
    await expect
      .poll(
        async () => {
          await keyboard.press('/')
          return page.evaluate('document.activeElement.type === "search"')
        },
        { timeout: 10_000 },
      )
      .toBe(true)
    await keyboard.type(key)
    await page.getByRole('link', { name: key }).waitFor()
    await tabTo(page, `${key} enabled`)
    await keyboard.press('Space')
    await dialog.getByText('After this: off for everyone.').waitFor()
    await tabTo(page, 'Disable')
    await keyboard.press('Enter')
    await page.getByText(`${key} is disabled.`).waitFor()
    await tabTo(page, 'Undo')
    await keyboard.press('Enter')
    await expect
      .poll(() => page.getByRole('switch', { name: `${key} enabled` }).isChecked(), { timeout: 10_000 })
      .toBe(true)

    await tabTo(page, /owner/)
    await keyboard.press('Enter')
    const signOut = page.getByRole('menuitem', { name: 'Sign out' })
    await signOut.waitFor()
    await keyboard.press('Escape')
    await expect
      .poll(() => page.evaluate(FOCUSED), { timeout: 10_000 })
      .toMatchObject({ name: expect.stringMatching(/owner/) })
    await keyboard.press('Enter')
    await signOut.waitFor()
    await keyboard.press('End')
    await keyboard.press('Enter')
    await page.waitForURL(/\/login/)
    await context.close()
  },
)
