// A real browser for tests, from the machine: the tests install nothing.
import { accessSync, constants } from 'node:fs'
import { type Browser, chromium } from 'playwright-core'

const PLACES = [
  process.env.CHROMIUM_PATH,
  // Chromium without the parts that only a window needs, which halves the processor time of tests.
  '/usr/bin/chromium-headless-shell',
  '/usr/bin/chromium',
  '/usr/bin/chromium-browser',
  '/usr/bin/google-chrome',
  '/Applications/Google Chrome.app/Contents/MacOS/Google Chrome',
  '/Applications/Chromium.app/Contents/MacOS/Chromium',
]

const isExecutable = (path: string): boolean => {
  try {
    accessSync(path, constants.X_OK)
    return true
  } catch {
    return false
  }
}

/**
 * Returns the path of Chromium.
 * @throws what to do when there is none
 */
export function findChromium(): string {
  const found = PLACES.find((path) => path !== undefined && isExecutable(path))
  if (found) return found
  throw new Error(
    'The browser tests need Chromium: `apt-get install chromium-headless-shell`, or set CHROMIUM_PATH to the browser that you have.',
  )
}

/** Starts Chromium without a window. */
export const launchChromium = (): Promise<Browser> =>
  // The sandbox needs rights that containers withhold; the only pages opened are our own. An emulated graphics card takes longer than none.
  chromium.launch({ executablePath: findChromium(), args: ['--no-sandbox', '--disable-gpu'] })

let shared: Promise<Browser> | undefined

/** Chromium for all files of tests of this process, each of which closes the contexts that it opens. It ends with the process. */
export const sharedChromium = (): Promise<Browser> => (shared ??= launchChromium())

/** Call after the tests of a file: closes the contexts that they opened, with their pages. */
export async function closeContexts(): Promise<void> {
  const contexts = (await shared)?.contexts() ?? []
  await Promise.all(contexts.map((context) => context.close()))
}
