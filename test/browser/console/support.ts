// The console in Chromium: signed in, with what its pages show made through the API.
import { readFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { setTimeout as sleep } from 'node:timers/promises'
import type { BrowserContext, Cookie, Page, Route } from 'playwright-core'
import { afterAll, afterEach, beforeEach, expect, inject, type RunnerTestSuite } from 'vitest'
import { sharedChromium } from '../../support/browser/chromium'

/** Pictures of the pages, written when SCREENSHOTS names a folder. */
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
  /**
   * Goes to a page of the project as a link does: the console stays loaded, also from the test before, but nothing of the page that is left is shown
   * any more. What was read within the last seconds is not read again: `page.goto` loads all of it.
   */
  visit(path: string): Promise<void>
  /** Requests of the API as the owner. @throws for a response other than 2xx. */
  api<T = Record<string, unknown>>(method: string, path: string, body?: unknown): Promise<T>
  /** Errors that the page wrote to its console, or threw. */
  errors: string[]
}

interface Look {
  context: BrowserContext
  /** The page of the test before, on a page of the console that does not exist, or on an empty one. */
  idle?: Page
}

/** A read that cannot reach the service is repeated after one second and after two, for which tests do not wait. */
const WITHOUT_BACKOFF = `{
  const { setTimeout } = window
  window.setTimeout = (run, ms, ...rest) => setTimeout(run, ms === 1000 || ms === 2000 ? 0 : ms, ...rest)
}`

/** The time after which a page that the console does not leave is left by the browser. */
const MAX_LEAVING_MS = 5_000

interface OpenOptions {
  width?: Width
  scheme?: Scheme
  /** A page of the project to begin with. Default: none, as most tests go to one of their own. */
  path?: string
  /** The project of other tests of the file, for those that read what it has. Default: a new one. */
  projectId?: number | undefined
}

/** Call in a `describe`: a context for each look, which the tests of the file share, and with it what the browser has cached and compiled. */
export function useConsole() {
  const looks = new Map<string, Look>()
  /** The names of the looks of the test that runs. */
  const opened = new Set<string>()
  /** Of one sign-in, for all tests of the file. */
  let cookies: Cookie[] | undefined
  let tests = 0
  /** The projects of the tests to come. An open console knows those that there are when it is loaded, and would switch to others. */
  let projects: Promise<number[]> | undefined
  beforeEach(({ task }) => {
    tests = countTests(task.file)
  })
  afterEach(async () => {
    for (const name of opened) {
      const look = looks.get(name)!
      if (await hasOwnClock(look)) {
        looks.delete(name)
        await look.context.close()
      } else await reset(look)
    }
    opened.clear()
    const ours = [...looks.values()].map(({ context }) => context)
    const others = (ours[0]?.browser()?.contexts() ?? []).filter((context) => !ours.includes(context))
    await Promise.all(others.map((context) => context.close()))
  })
  afterAll(() => Promise.all([...looks.values()].map(({ context }) => context.close())))

  async function openLook(width: Width, colorScheme: Scheme): Promise<Look> {
    const { url, email, password } = inject('served')
    const name = `${width} ${colorScheme}`
    let look = looks.get(name)
    if (!look) {
      const browser = await sharedChromium()
      const context = await browser.newContext({
        baseURL: url,
        viewport: SIZES[width],
        colorScheme,
        reducedMotion: 'reduce',
        permissions: ['clipboard-read', 'clipboard-write'],
      })
      await context.addInitScript(WITHOUT_BACKOFF)
      look = { context }
      looks.set(name, look)
    }
    const { context } = look
    if (!cookies) {
      const response = await context.request.post('/api/login/', { data: { email, password } })
      expect(response.status()).toBe(200)
      cookies = await context.cookies()
    }
    // A test may have signed out.
    await context.clearCookies()
    await context.addCookies(cookies)
    opened.add(name)
    return look
  }

  return async ({
    width = 'desktop',
    scheme = 'light',
    path,
    projectId: given,
  }: OpenOptions = {}): Promise<Console> => {
    const served = inject('served')
    const look = await openLook(width, scheme)
    const { context } = look
    const page = look.idle ?? (await context.newPage())
    delete look.idle
    await page.setViewportSize(SIZES[width])
    await page.emulateMedia({ colorScheme: scheme, forcedColors: null })
    const errors: string[] = []
    page.on('pageerror', ({ message }) => errors.push(message))
    page.on('console', (message) => message.type() === 'error' && errors.push(message.text()))
    const api = async <T>(method: string, apiPath: string, body?: unknown): Promise<T> => {
      const response = await fetch(served.url + apiPath, {
        method,
        headers: { Authorization: `Bearer ${served.personalApiKey}`, 'Content-Type': 'application/json' },
        ...(body === undefined ? {} : { body: JSON.stringify(body) }),
      })
      if (!response.ok) throw new Error(`${method} ${apiPath}: ${response.status} ${await response.text()}`)
      return (response.status === 204 ? null : await response.json()) as T
    }
    const createProject = async () => {
      const name = `Project ${crypto.randomUUID()}`
      return (await api<{ id: number }>('POST', '/api/projects/', { name })).id
    }
    projects ??= Promise.all(Array.from({ length: tests }, createProject))
    const projectId = given ?? (await projects).pop() ?? (await createProject())
    const at = (pathOfPage: string) => `/project/${projectId}/${pathOfPage}`
    const visit = (pathOfPage: string) => visitPage(page, at(pathOfPage))
    if (path !== undefined) {
      await visit(path)
      await page.getByRole('heading', { level: 1 }).waitFor()
    }
    return { page, context, projectId, api, errors, at, visit }
  }
}

/** Makes a part of a flag's page a form. */
export const editPart = (page: Page, part: 'Who gets it' | 'What they get' | 'Details') =>
  page.getByRole('button', { name: `Edit ${part}` }).click()

/** Answers the question that a switch of a flag asks. */
export const confirmTurn = (page: Page, action: 'Enable' | 'Disable' | 'Archive' | 'Request approval') =>
  page.getByRole('dialog').getByRole('button', { name: action, exact: true }).click()

/** Returns whether a test has replaced the clock of a context, which it keeps: it may be paused, and its time wrong. */
async function hasOwnClock({ context }: Look): Promise<boolean> {
  const [page] = context.pages()
  return page ? (await page.evaluate('Date.isFake').catch(() => true)) === true : false
}

/** How many tests of a file run. */
const countTests = ({ tasks }: RunnerTestSuite): number =>
  tasks.reduce(
    (sum, task) => sum + (task.type === 'suite' ? countTests(task) : Number(task.mode === 'run')),
    0,
  )

/** Leaves a page of the console for one that does not exist, which shows nothing of it. The result is whether a console is loaded. */
const LEAVE = `(async () => {
  const router = self.__TSR_ROUTER__
  if (!router) return false
  await router.navigate({ href: '/nothing', ignoreBlocker: true })
  while (!document.querySelector('#root > main')) await new Promise(requestAnimationFrame)
  return true
})()`

/** Opens a page by way of that one, where a console is loaded. Ends when the frame around it is shown. */
const follow = (path: string) => `${LEAVE}.then(async (isLoaded) => {
  if (!isLoaded) return false
  void self.__TSR_ROUTER__.navigate({ href: ${JSON.stringify(path)} })
  while (document.querySelector('#root > main')) await new Promise(requestAnimationFrame)
  return true
})`

/** Goes to an address of the console, which stays loaded if it is: {@link Console.visit} in any page. */
export async function visitPage(page: Page, address: string): Promise<void> {
  if (!(await page.evaluate(follow(address)))) await page.goto(address)
}

/** Each test starts without messages and stored state. The result is whether nothing else of the test before is shown. */
const FORGET = `${LEAVE}.then((isLoaded) => {
  for (const button of document.querySelectorAll('.toast button[aria-label=Dismiss]')) button.click()
  localStorage.clear()
  sessionStorage.clear()
  return isLoaded && !document.querySelector('dialog[open], [role=dialog]')
})`

/** A page that is left may not store anything. */
const FORGET_ALL = 'localStorage.clear(); sessionStorage.clear(); Storage.prototype.setItem = () => {}'

/**
 * Keeps a page for the next test, with the process of Chromium that has compiled the console, and with the console itself. Its listeners and routes
 * end.
 */
async function reset(look: Look): Promise<void> {
  const { context } = look
  await context.setOffline(false)
  const [page, ...others] = context.pages()
  await Promise.all(others.map((each) => each.close()))
  if (!page) return
  page.removeAllListeners()
  await page.unrouteAll({ behavior: 'ignoreErrors' })
  const isEmpty = await Promise.race([
    page.evaluate(FORGET).catch(() => false),
    sleep(MAX_LEAVING_MS, false, { ref: false }),
  ])
  if (!isEmpty) {
    await page.evaluate(FORGET_ALL).catch(() => {})
    await page.goto('about:blank')
  }
  look.idle = page
}

// Code that runs in the page is text: the types of tests are those of workers.

/** The short form: each page that is examined compiles it. */
const require = createRequire(import.meta.url)
const AXE = readFileSync(require.resolve('axe-core/axe.min.js'), 'utf8')

/** Colours during a transition are not final. */
const END_OF_TRANSITIONS =
  'Promise.all(document.getAnimations().filter((each) => each instanceof CSSTransition).map((each) => each.finished.catch(() => {})))'

/** Nothing is read ahead of the run: only rules about sound and video need that, and pages have neither. */
const findViolations = (rules: string) => `axe.run(document, {
  resultTypes: ['violations'],
  preload: false,
  runOnly: ${rules},
}).then(({ violations }) =>
  violations.flatMap(({ id, help, nodes }) => nodes.map(({ html }) => id + ': ' + help + ': ' + html.slice(0, 200))),
)`

const ALL_RULES = "['wcag2a', 'wcag2aa', 'wcag21a', 'wcag21aa', 'wcag22aa', 'best-practice']"
/** Those that a theme can break. */
const COLOUR_RULES = "{ type: 'rule', values: ['color-contrast', 'link-in-text-block'] }"
/** Those that a width or a theme can break where nothing else does. */
const LOOK_RULES =
  "{ type: 'rule', values: ['color-contrast', 'link-in-text-block', 'target-size', 'scrollable-region-focusable'] }"

/** The violations in the theme that a user may choose against that of the system. */
const IN_OTHER_THEME = `(async () => {
  const { dataset } = document.documentElement
  dataset.theme = matchMedia('(prefers-color-scheme: dark)').matches ? 'light' : 'dark'
  await ${END_OF_TRANSITIONS}
  const violations = await ${findViolations(COLOUR_RULES)}
  delete dataset.theme
  return violations.map((each) => 'in the other theme: ' + each)
})()`

/** Regions that are announced within another one, which is announced too: what changes there is read twice. */
const FIND_ANNOUNCED_TWICE = `(() => {
  const regions = '[role=status], [role=alert], [aria-live=polite], [aria-live=assertive]'
  return [...document.querySelectorAll(regions)].filter((each) => each.parentElement.closest(regions))
    .map((each) => 'announced twice: ' + each.outerHTML.slice(0, 200))
})()`

/** What axe finds once transitions have ended, and what else each state is asked for; null while there is no axe in the page. */
const examine = (rules: string) => `(async () => {
  await ${END_OF_TRANSITIONS}
  if (!('axe' in self)) return null
  const { scrollWidth } = document.documentElement
  const violations = [...(await ${findViolations(rules)}), ...${FIND_ANNOUNCED_TWICE}]
  return { violations, title: document.title, isTooWide: scrollWidth > innerWidth }
})()`

interface Examined {
  violations: string[]
  title: string
  isTooWide: boolean
}

/** Also that the page has a title of its own. @returns whether something is wider than the screen */
async function expectNoViolations(page: Page, rules: string): Promise<boolean> {
  let examined = (await page.evaluate(examine(rules))) as Examined | null
  if (!examined) {
    await page.evaluate(AXE)
    examined = (await page.evaluate(examine(rules))) as Examined
  }
  expect(examined.title).toMatch(/. · Halyard$/)
  expect(examined.violations).toEqual([])
  return examined.isTooWide
}

/**
 * Asserts that axe finds nothing against WCAG 2.2 AA on the page as it is and in its other theme, and that it has a title of its own.
 * @returns whether something is wider than the screen
 */
export async function expectAccessible(page: Page): Promise<boolean> {
  const isTooWide = await expectNoViolations(page, ALL_RULES)
  expect(await page.evaluate(IN_OTHER_THEME)).toEqual([])
  return isTooWide
}

/** Waits until all parts of a page have been read. */
export const settled = (page: Page) =>
  expect.poll(() => page.locator('.skeleton, [aria-busy=true]').count()).toBe(0)

/** Takes a picture, where a folder is named. */
export async function picture(page: Page, name: string): Promise<void> {
  if (PICTURES) await page.screenshot({ path: `${PICTURES}/${name}.png` })
}

/** Each width, with the colour scheme of the system. Ends with those of the other tests. */
const LOOKS = [
  { width: 'phone', scheme: 'dark' },
  { width: 'desktop', scheme: 'light' },
] as const

/**
 * Asserts that the state that a page is in is accessible and fits, on a phone and on a desktop or at one of the two, in light and in dark
 * colours. Of the two looks, the second has all rules and the first those that a look can break: `expectSameThemes` covers chosen themes.
 */
export async function expectEachLook(page: Page, name: string, only?: Width): Promise<void> {
  for (const { width, scheme } of LOOKS) {
    if (only && width !== only) continue
    await page.setViewportSize(SIZES[width])
    await page.emulateMedia({ colorScheme: scheme })
    try {
      const isTooWide = only
        ? await expectAccessible(page)
        : await expectNoViolations(page, width === 'phone' ? LOOK_RULES : ALL_RULES)
      expect(isTooWide).toBe(false)
    } catch (error) {
      throw new Error(`${name}, ${width}, ${scheme}: ${String(error)}`, { cause: error })
    } finally {
      await picture(page, `${name}-${width}-${scheme}`)
    }
  }
}

/** What a theme decides: the tokens, and the colours of all elements. */
const COLOURS = `(async () => {
  await ${END_OF_TRANSITIONS}
  const names = [...document.styleSheets].flatMap(({ cssRules }) => [...cssRules].flatMap((rule) => [...(rule.cssRules ?? []), rule]))
    .flatMap(({ selectorText, style }) => selectorText?.startsWith(':root') ? [...style].filter((name) => name.startsWith('--')) : [])
  const root = getComputedStyle(document.documentElement)
  const colours = [...document.querySelectorAll('*')].map((each) => getComputedStyle(each))
    .map(({ color, backgroundColor, borderTopColor, fill, stroke }) => [color, backgroundColor, borderTopColor, fill, stroke].join(' '))
  return [...[...new Set(names)].sort().map((name) => name + ': ' + root.getPropertyValue(name)), ...colours]
})()`

/** Asserts that a theme that somebody chooses against that of their system has the colours of the system's. Ends with a light one. */
export async function expectSameThemes(page: Page): Promise<void> {
  const coloursIn = async (colorScheme: Scheme, theme: Scheme | '') => {
    await page.emulateMedia({ colorScheme })
    await page.evaluate(
      theme
        ? `document.documentElement.dataset.theme = '${theme}'`
        : 'delete document.documentElement.dataset.theme',
    )
    return page.evaluate(COLOURS)
  }
  const dark = (await coloursIn('dark', '')) as string[]
  expect(dark.filter((each) => each.startsWith('--')).length).toBeGreaterThan(20)
  const lightByChoice = await coloursIn('dark', 'light')
  const darkByChoice = await coloursIn('light', 'dark')
  const light = await coloursIn('light', '')
  expect(darkByChoice).toEqual(dark)
  expect(lightByChoice).toEqual(light)
  expect(light).not.toEqual(dark)
}

const FAILURES: readonly (readonly [status: number | null, words: string])[] = [
  [403, 'You are not allowed to do this.'],
  [429, 'Too many requests.'],
  [503, 'The service is busy.'],
  [null, 'The service cannot be reached.'],
]

/**
 * Asserts that a page says why it could not be loaded, in each way in which its request can fail, and shows itself at last: after a sign-in
 * elsewhere when the session had ended.
 * @param request pattern of its address.
 */
export async function expectLoadFailures(page: Page, address: string, request: string, heading: string) {
  const answer = (status: number | null) => (route: Route) =>
    status === null ? route.abort() : route.fulfill({ status, json: {} })
  for (const [status, words] of FAILURES) {
    await page.route(request, answer(status))
    await (status === 403 ? page.goto(address) : page.getByRole('button', { name: 'Try again' }).click())
    await page.getByText(words).waitFor({ timeout: 20_000 })
    // The others differ from the first in words alone.
    if (status === 403) await expectAccessible(page)
    await page.unroute(request)
  }
  await page.route(request, answer(401))
  await page.getByRole('button', { name: 'Try again' }).click()
  const ended = page.getByRole('dialog', { name: 'Your session has ended' })
  await ended.waitFor()
  await page.unroute(request)
  await ended.getByRole('button', { name: 'Continue' }).click()
  await page.getByRole('heading', { name: heading, level: 1 }).waitFor()
}
