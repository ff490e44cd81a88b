// The reference page in a real browser, which records every request.
import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import type { Browser, BrowserContext, Page } from 'playwright-core'
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, inject, it } from 'vitest'
import { closeContexts, sharedChromium } from '../support/browser/chromium'
import { expectEachLook } from './console/support'

/** Pictures of what a reader sees, written when SCREENSHOTS names a folder. */
const pictures = process.env.SCREENSHOTS

interface Documented {
  summary: string
  operationId: string
  'x-codeSamples': [{ source: string }]
}

const document = JSON.parse(
  readFileSync(join(import.meta.dirname, '../../src/public/openapi.json'), 'utf8'),
) as { tags: { name: string }[]; paths: Record<string, Record<string, Documented>> }

const create = document.paths['/api/projects/{project_id}/feature_flags/']!.post!

const served = inject('served')
let chromium: Browser
beforeAll(async () => {
  chromium = await sharedChromium()
})
afterAll(closeContexts)

const picture = async (page: Page, name: string) => {
  if (pictures) await page.screenshot({ path: `${pictures}/docs-${name}.png` })
}

interface Reading {
  page: Page
  /** Errors of the browser: violated policies, failed scripts. */
  complaints: string[]
  /** Hosts of all requests. */
  hosts: Set<string>
}

let context: BrowserContext
beforeEach(async () => {
  context = await chromium.newContext({ baseURL: served.url, viewport: { width: 1400, height: 900 } })
})
afterEach(() => context.close())

async function open(path: string): Promise<Reading> {
  const page = await context.newPage()
  const complaints: string[] = []
  const hosts = new Set<string>()
  page.on('console', (message) => {
    if (['error', 'warning'].includes(message.type())) complaints.push(message.text())
  })
  page.on('pageerror', (error) => complaints.push(error.message))
  context.on('request', (request) => {
    const { protocol, host } = new URL(request.url())
    if (protocol.startsWith('http')) hosts.add(host)
  })
  await page.goto(path)
  return { page, complaints, hosts }
}

/** Opens an operation by its words. */
async function find(page: Page, words: string, { summary, operationId }: Documented) {
  await page.getByRole('button', { name: 'Open Search' }).click()
  await page.getByRole('dialog').getByRole('combobox').fill(words)
  await page.getByRole('dialog').getByRole('option', { name: summary }).first().click()
  const section = page.getByRole('region', { name: summary })
  await section.getByText(operationId, { exact: true }).waitFor()
  return section
}

describe('the reference page', () => {
  it('fits a phone and the dark theme, loads from no other host, and finds, shows and tries operations as a user and with a key', async () => {
    const { email, password } = served
    const signIn = await context.request.post('/api/login/', { data: { email, password } })
    expect(signIn.status()).toBe(200)
    const { page, complaints, hosts } = await open('about:blank')
    await page.setViewportSize({ width: 390, height: 800 })
    await page.emulateMedia({ colorScheme: 'dark' })
    await page.goto('/docs')
    await page.getByRole('heading', { name: 'Halyard', level: 1 }).waitFor()
    await picture(page, '05-phone')
    expect(await page.evaluate<number>('document.documentElement.scrollWidth - innerWidth')).toBe(0)
    const [ground, text] = await page.evaluate<[string, string]>(
      "[getComputedStyle(document.body).backgroundColor, getComputedStyle(document.querySelector('h1')).color]",
    )
    expect([brightnessOf(ground) < 60, brightnessOf(text) > 180]).toEqual([true, true])
    await page.setViewportSize({ width: 1400, height: 900 })
    await page.emulateMedia({ colorScheme: 'light' })
    await picture(page, '01-first-look')
    await expect(page.title()).resolves.toBe('Halyard API')
    const navigation = page.getByRole('complementary', { name: 'Sidebar for Halyard' })
    for (const { name } of document.tags) {
      await navigation.getByRole('link', { name, exact: true }).first().waitFor()
    }
    await page.waitForLoadState('networkidle')
    const client = page.getByRole('dialog')
    const send = async () => {
      await client.getByRole('button', { name: 'Send' }).first().click()
      await client.getByText('201 Created').waitFor()
    }
    const ofProjects = await find(page, 'create a project', document.paths['/api/projects/']!.post!)
    await ofProjects.getByRole('button', { name: /Test Request/ }).click()
    await send()
    await page.keyboard.press('Escape')
    await client.waitFor({ state: 'hidden' })

    await context.clearCookies()
    const section = await find(page, 'create a flag', create)
    await picture(page, '02-operation')
    await section.getByText('project_id', { exact: true }).first().waitFor()
    await section.getByText('key', { exact: true }).first().waitFor()
    const shown = await section.locator('pre').first().textContent()
    expect(shown!.replaceAll(/\s+/g, ' ')).toContain(
      create['x-codeSamples'][0].source.replaceAll(/\s+/g, ' '),
    )
    await section.getByRole('tab', { name: '403' }).click()
    await section.getByText("API key missing required scope 'feature_flag:write'").first().waitFor()
    await picture(page, '03-error')
    await section.getByRole('button', { name: /Test Request/ }).click()
    await client.getByLabel('Token').fill(served.personalApiKey)
    await send()
    await picture(page, '04-tried')
    expect({ complaints, hosts: [...hosts] }).toEqual({ complaints: [], hosts: [new URL(served.url).host] })
  })
})

/** Addresses that a page refers to, without those of other hosts. */
const linksIn = (html: string, path: string) =>
  [...html.matchAll(/\shref="(?!https?:)([^"]*)"/g)].map(([, target]) => new URL(target!, served.url + path))

const GUIDES = readdirSync(join(import.meta.dirname, '../../src/docs/guide')).filter((file) =>
  file.endsWith('.md'),
)

const pages = new Map<string, ReturnType<typeof fetchPage>>()

/** Fetches each page once. */
const read = (path: string) => {
  const page = pages.get(path) ?? fetchPage(path)
  pages.set(path, page)
  return page
}

describe('the guides', () => {
  it('are all served and listed, and their links lead to pages and headings that exist', async () => {
    const broken: string[] = []
    const follow = async (path: string) => {
      const links = linksIn((await read(path)).html, path)
      for (const { pathname, hash } of links) {
        const { status, html } = await read(pathname)
        if (status !== 200 || (hash && !html.includes(`id="${hash.slice(1)}"`)))
          broken.push(`${path}: ${pathname}${hash}`)
      }
      return links.map(({ pathname }) => pathname)
    }
    const paths = GUIDES.map(
      (file) => `/docs/guide/${file === 'README.md' ? '' : file.slice(0, -'.md'.length)}`,
    )
    const listed = await follow('/docs/guide/')
    expect(paths.filter((path) => !listed.includes(path))).toEqual([])
    for (const path of paths) {
      const { status, type } = await read(path)
      expect({ path, status, type }).toEqual({ path, status: 200, type: 'text/html; charset=utf-8' })
      await follow(path)
    }
    const about = JSON.stringify(document).matchAll(/\]\((\/docs\/guide\/[^)]*)\)/g)
    for (const [, path] of about) expect((await read(path!)).status).toBe(200)
    expect(broken).toEqual([])
    expect((await read('/docs/guide/nothing')).status).toBe(404)
  })

  it('take scripts of this service alone, find a section by its words, and copy what a box of code has, in each look', async () => {
    await context.grantPermissions(['clipboard-read', 'clipboard-write'])
    const { page, complaints, hosts } = await open('about:blank')
    const response = await page.goto('/docs/guide')
    const headers = response!.headers()
    expect(headers).toMatchObject({
      'content-security-policy':
        "default-src 'none'; script-src 'self'; style-src 'self'; connect-src 'self'; img-src 'self'; font-src 'self'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'",
      'cache-control': 'no-cache',
      'referrer-policy': 'same-origin',
    })
    const guides = page.getByRole('navigation', { name: 'Guides' })
    await guides.getByRole('link', { name: 'Operations' }).click()
    await page.getByRole('heading', { name: 'Operations', level: 1 }).waitFor()
    await page.getByRole('navigation', { name: 'On this page' }).getByRole('link').last().click()
    expect(new URL(page.url()).hash).toMatch(/^#[a-z-]+$/)

    const found = page.getByRole('list', { name: 'Found' })
    await page.getByLabel('Search the guides').fill('cohorts_create')
    await found.getByRole('link', { name: 'Compatibility: people: cohorts_create' }).waitFor()
    await page.getByLabel('Search the guides').fill('zzyzx')
    await page.getByText('Nothing found').waitFor()
    await page.getByLabel('Search the guides').fill('holdout')
    await found.getByRole('link', { name: 'Flags: Holdouts' }).click()
    await page.getByRole('heading', { name: 'Holdouts', level: 2 }).waitFor()
    expect(new URL(page.url())).toMatchObject({ pathname: '/docs/guide/flags', hash: '#holdouts' })

    const shown = await page.locator('.guide pre').nth(1).textContent()
    await page.getByRole('button', { name: 'Copy' }).nth(1).click()
    await page.getByRole('button', { name: 'Copied' }).waitFor()
    expect(await page.evaluate<string>('navigator.clipboard.readText()')).toBe(shown!.trimEnd())
    expect({ complaints, hosts: [...hosts] }).toEqual({ complaints: [], hosts: [new URL(served.url).host] })
    await page.goto('/docs/guide/operations')
    await expectEachLook(page, 'guide')
  })

  it('lead from each to the next and back, in the order of the index', async () => {
    const guidesIn = (html: string) => /<nav class="guides [^]*?<\/nav>/.exec(html)![0]
    const targetsIn = (html: string, attribute: string) =>
      [...html.matchAll(new RegExp(`<a href="([^"]*)"${attribute}`, 'g'))].map(([, target]) => target!)
    const listed = targetsIn(guidesIn((await read('/docs/guide/tour')).html), '')
    expect(listed).toHaveLength(GUIDES.length - 1)
    for (const [index, path] of listed.entries()) {
      const { html } = await read(path)
      expect({
        current: targetsIn(guidesIn(html), ' aria-current="page"'),
        before: targetsIn(html, ' rel="prev"'),
        after: targetsIn(html, ' rel="next"'),
      }).toEqual({
        current: [path],
        before: listed.slice(Math.max(0, index - 1), index),
        after: listed.slice(index + 1, index + 2),
      })
    }
  })
})

const fetchPage = async (path: string) => {
  const response = await fetch(served.url + path, { headers: { Accept: 'text/html' } })
  return {
    status: response.status,
    type: response.headers.get('Content-Type'),
    html: await response.text(),
  }
}

/** 0 for black, 255 for white. */
const brightnessOf = (colour: string) => {
  const [red = 0, green = 0, blue = 0] = (colour.match(/[\d.]+/g) ?? []).map(Number)
  return (red + green + blue) / 3
}
