// The console in Chromium: signed in, with what its pages show made through the API.
import axe from 'axe-core'
import type { Browser, BrowserContext, Cookie, Page } from 'playwright-core'
import { afterAll, beforeAll, expect, inject } from 'vitest'
import { launchChromium } from '../../support/chromium'

/** Pictures of the pages, for people who want to look: set SCREENSHOTS to a folder. */
const PICTURES = process.env.SCREENSHOTS

export type Width = 'desktop' | 'phone'
export type Scheme = 'light' | 'dark'

export const SIZES = { desktop: { width: 1280, height: 860 }, phone: { width: 390, height: 844 } }

export interface Console {
  page: Page
  context: BrowserContext
  projectId: number
  /** The address of a page of the project. */
  at(path: string): string
  /** Requests of the API as the owner. @throws for a response other than 2xx. */
  api<T = Record<string, unknown>>(method: string, path: string, body?: unknown): Promise<T>
  /** Errors that the page wrote to its console, or threw. */
  errors: string[]
}

/** Call in a `describe`: opens a browser for its tests. */
export function useConsole() {
  let browser: Browser
  /** Of the first sign-in, for all tests of the file. */
  let cookies: Cookie[] | undefined
  beforeAll(async () => {
    browser = await launchChromium()
  })
  afterAll(() => browser?.close())
  return async (options: { width?: Width; scheme?: Scheme } = {}): Promise<Console> => {
    const { width = 'desktop', scheme = 'light' } = options
    const served = inject('served')
    const context = await browser.newContext({
      baseURL: served.url,
      viewport: SIZES[width],
      colorScheme: scheme,
      permissions: ['clipboard-read', 'clipboard-write'],
    })
    const page = await context.newPage()
    const errors: string[] = []
    page.on('pageerror', ({ message }) => errors.push(message))
    page.on('console', (message) => message.type() === 'error' && errors.push(message.text()))
    const api = async <T>(method: string, path: string, body?: unknown): Promise<T> => {
      const response = await fetch(served.url + path, {
        method,
        headers: { Authorization: `Bearer ${served.personalApiKey}`, 'Content-Type': 'application/json' },
        ...(body === undefined ? {} : { body: JSON.stringify(body) }),
      })
      if (!response.ok) throw new Error(`${method} ${path}: ${response.status} ${await response.text()}`)
      return (response.status === 204 ? null : await response.json()) as T
    }
    const { id: projectId } = await api<{ id: number }>('POST', '/api/projects/', {
      name: `Project ${crypto.randomUUID()}`,
    })
    if (cookies) await context.addCookies(cookies)
    await page.goto(`/project/${projectId}/feature_flags`)
    if (!cookies) {
      await page.getByLabel('Email').fill(served.email)
      await page.getByLabel('Password').fill(served.password)
      await page.getByRole('button', { name: 'Sign in' }).click()
    }
    await page.getByRole('heading', { name: 'Feature flags' }).waitFor()
    cookies = await context.cookies()
    return { page, context, projectId, api, errors, at: (path) => `/project/${projectId}/${path}` }
  }
}

// Code that runs in the page is text: the types of tests are those of workers.

/** Colours in a transition are not those that people read. */
const END_OF_TRANSITIONS =
  'Promise.all(document.getAnimations().filter((each) => each instanceof CSSTransition).map((each) => each.finished.catch(() => {})))'

const FIND_VIOLATIONS = `axe.run(document, {
  runOnly: ['wcag2a', 'wcag2aa', 'wcag21a', 'wcag21aa', 'wcag22aa', 'best-practice'],
}).then(({ violations }) =>
  violations.flatMap(({ id, help, nodes }) => nodes.map(({ html }) => id + ': ' + help + ': ' + html.slice(0, 200))),
)`

/** Asserts that axe finds nothing against WCAG 2.2 AA on the page as it is. */
export async function expectAccessible(page: Page): Promise<void> {
  await page.evaluate(END_OF_TRANSITIONS)
  if (!(await page.evaluate('"axe" in window'))) await page.evaluate(axe.source)
  expect(await page.evaluate(FIND_VIOLATIONS)).toEqual([])
}

/** Asserts that nothing is wider than the screen. */
async function expectFits(page: Page): Promise<void> {
  expect(await page.evaluate('document.documentElement.scrollWidth <= innerWidth')).toBe(true)
}

/** Takes a picture, where a folder is named. */
export async function picture(page: Page, name: string): Promise<void> {
  if (PICTURES) await page.screenshot({ path: `${PICTURES}/${name}.png` })
}

/** Both widths and both colour schemes, in half of the combinations. Ends with that of the other tests. */
const LOOKS = [
  { width: 'phone', scheme: 'dark' },
  { width: 'desktop', scheme: 'light' },
] as const

/** Asserts that the state that a page is in is accessible and fits, on a phone in dark colours and on a desktop in light ones, or at one of the widths. */
export async function expectEachLook(page: Page, name: string, only?: Width): Promise<void> {
  for (const { width, scheme } of LOOKS) {
    if (only && width !== only) continue
    await page.setViewportSize(SIZES[width])
    await page.emulateMedia({ colorScheme: scheme })
    try {
      await expectAccessible(page)
      await expectFits(page)
    } catch (error) {
      throw new Error(`${name}, ${width}, ${scheme}: ${String(error)}`, { cause: error })
    } finally {
      await picture(page, `${name}-${width}-${scheme}`)
    }
  }
}
