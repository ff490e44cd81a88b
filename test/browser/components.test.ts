// The page of components, which is looked at in review: it has all of them, and each state is accessible, on a phone and in the dark too.
import { cpSync, globSync, mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { Browser } from 'playwright-core'
import { build, preview, type PreviewServer } from 'vite'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { closeContexts, sharedChromium } from '../support/browser/chromium'
import { expectEachLook } from './console/support'

const ROOT = join(import.meta.dirname, '../..')
const CONSOLE = join(ROOT, 'src/console')

let folder: string
let server: PreviewServer
let browser: Browser

beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), 'halyard-components-'))
  const options = {
    configFile: join(CONSOLE, 'vite.config.ts'),
    logLevel: 'error',
    mode: 'production',
    base: '/',
    root: join(ROOT, 'test/console/gallery'),
    build: { outDir: folder, rolldownOptions: { input: join(ROOT, 'test/console/gallery/index.html') } },
    preview: { port: 0, host: '127.0.0.1', proxy: {} },
  } as const
  await build(options)
  cpSync(join(ROOT, 'src/public/assets'), join(folder, 'assets'), { recursive: true })
  server = await preview(options)
  browser = await sharedChromium()
})
afterAll(async () => {
  await closeContexts()
  await server?.close()
  rmSync(folder, { recursive: true, force: true })
})

it('shows every component of the design', () => {
  const names = globSync('design/**/*.tsx', { cwd: CONSOLE }).flatMap((file) =>
    [
      ...readFileSync(join(CONSOLE, file), 'utf8').matchAll(
        /^export (?:default )?(?:function|const) ([A-Z][a-z]\w*)/gm,
      ),
    ].map(([, name]) => name!),
  )
  expect(names.length).toBeGreaterThan(40)
  const gallery = readFileSync(join(ROOT, 'test/console/gallery/gallery.tsx'), 'utf8')
  // Those are shown by others: a frame for popups, the popup of a menu, the editor behind another, the title of the page, what a dialog with a
  // form is made of, its button, the control of a field, the values of a picture, and the words of a notice.
  const within = new Set([
    'MenuPopup',
    'JsonCodeEditor',
    'PageTitle',
    'PopupContainer',
    'Dialog',
    'DialogButtons',
    'DoneButton',
    'ValuesTable',
    'Message',
    'TextArea',
  ])
  expect(names.filter((name) => !within.has(name) && !gallery.includes(`<${name}`))).toEqual([])
})

it('is accessible in every state, and fits', { timeout: 120_000 }, async () => {
  const page = await browser.newPage({ reducedMotion: 'reduce' })
  const errors: string[] = []
  page.on('pageerror', (error) => errors.push(String(error)))
  await page.goto(`${server.resolvedUrls!.local[0]}index.html`)
  const button = (name: string) => page.getByRole('button', { name, exact: true })
  await page.getByText('There is a comma before }.').or(page.locator('.cm-content').last()).first().waitFor()
  await page.locator('.plot canvas').waitFor()
  await expectEachLook(page, 'components')
  await button('Dialog').click()
  await page.getByRole('dialog').waitFor()
  await expectEachLook(page, 'components-dialog')
  await page.keyboard.press('Escape')
  await button('Question').click()
  await page.getByRole('dialog').getByText('The service is busy.').waitFor()
  await expectEachLook(page, 'components-question')
  await page.keyboard.press('Escape')
  for (const name of ['Message with Undo', 'Message with a link', 'Failure']) await button(name).click()
  await page.getByText('new-checkout deleted.').waitFor()
  await expectEachLook(page, 'components-messages')
  // On a phone, axe does not see that the menu is modal.
  await button('Menu').click()
  await page.getByRole('menu').waitFor()
  await expectEachLook(page, 'components-menu', 'desktop')
  expect(errors).toEqual([])
})
