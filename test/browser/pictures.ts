// The README's pictures, of the console with data made through the API: `npm run pictures`.
import { randomUUID } from 'node:crypto'
import { join } from 'node:path'
import { launchChromium } from '../support/browser/chromium'
import { serveWorker } from '../support/server/served-worker'
import build from './build-console'

const FOLDER = join(import.meta.dirname, '../../src/docs/guide/images')
const HOUR_MS = 3_600_000
const DAY_MS = 24 * HOUR_MS

const person = (key: string, value: string | string[], operator = 'exact') => ({
  key,
  value,
  operator,
  type: 'person',
})
const everyone = (rollout: number) => ({ groups: [{ properties: [], rollout_percentage: rollout }] })
const where = (...properties: ReturnType<typeof person>[]) => ({
  groups: [{ properties, rollout_percentage: 100 }],
})

interface FlagOfPicture {
  key: string
  name: string
  tags: string[]
  active?: boolean
  filters: object
  is_remote_configuration?: boolean
  /** When it was last called, in hours; null: never. */
  calledHoursAgo: number | null
}

/** The oldest first. */
const FLAGS: FlagOfPicture[] = [
  {
    key: 'search-v2',
    name: 'Search with typing errors',
    tags: ['search'],
    filters: everyone(40),
    calledHoursAgo: 2,
  },
  {
    key: 'dark-mode',
    name: 'Dark colours in the shop',
    tags: ['design'],
    filters: everyone(100),
    calledHoursAgo: 1,
  },
  {
    key: 'pricing-page',
    name: 'Three layouts of the pricing page',
    tags: ['experiment', 'growth', 'pricing'],
    filters: {
      ...everyone(50),
      multivariate: {
        variants: [
          { key: 'control', rollout_percentage: 34 },
          { key: 'table', rollout_percentage: 33 },
          { key: 'cards', rollout_percentage: 33 },
        ],
      },
    },
    calledHoursAgo: 2,
  },
  {
    key: 'free-shipping-banner',
    name: 'Banner for orders above 40 euros',
    tags: ['checkout'],
    active: false,
    filters: where(person('country', ['DE', 'AT', 'CH'])),
    calledHoursAgo: null,
  },
  {
    key: 'rate-limits',
    name: 'Requests per minute, by plan',
    tags: ['platform'],
    is_remote_configuration: true,
    filters: { ...everyone(100), payloads: { true: '{"free": 60, "pro": 600}' } },
    calledHoursAgo: 3,
  },
  {
    key: 'invoice-pdf',
    name: 'Invoices as PDF',
    tags: ['billing'],
    filters: where(person('plan', ['pro', 'enterprise']), person('email', '@example.com', 'not_icontains')),
    calledHoursAgo: 4,
  },
  {
    key: 'recommendations',
    name: 'Products that others bought',
    tags: ['growth', 'ml'],
    filters: everyone(10),
    calledHoursAgo: 4,
  },
  {
    key: 'gift-cards',
    name: 'Gift cards in the cart',
    tags: ['checkout'],
    filters: { groups: [{ properties: [person('country', ['US'])], rollout_percentage: 60 }] },
    calledHoursAgo: 5,
  },
  {
    key: 'order-tracking',
    name: 'Live position of a parcel',
    tags: ['orders'],
    filters: where(person('plan', ['enterprise'])),
    calledHoursAgo: 6,
  },
  {
    key: 'express-returns',
    name: 'Returns without a form',
    tags: ['orders'],
    active: false,
    filters: everyone(100),
    calledHoursAgo: null,
  },
  {
    key: 'new-checkout',
    name: 'One-page checkout with saved addresses',
    tags: ['checkout', 'growth'],
    filters: {
      groups: [
        { properties: [person('plan', ['pro'])], rollout_percentage: 25 },
        { properties: [person('country', ['SE'])], rollout_percentage: 100 },
      ],
    },
    calledHoursAgo: 0,
  },
]

const PEOPLE = 60

/** Calls of the newest flag a day that were on and off, the oldest first. */
const DAYS = [
  { on: 3, off: 31 },
  { on: 4, off: 33 },
  { on: 4, off: 35 },
  { on: 6, off: 36 },
  { on: 7, off: 30 },
  { on: 5, off: 24 },
  { on: 6, off: 22 },
  { on: 9, off: 34 },
  { on: 10, off: 36 },
  { on: 11, off: 37 },
  { on: 11, off: 35 },
  { on: 12, off: 33 },
  { on: 9, off: 26 },
  { on: 10, off: 24 },
]
const PLANS = ['free', 'pro', 'free', 'enterprise', 'free', 'pro']
const COUNTRIES = ['DE', 'SE', 'US', 'AT', 'US', 'FR', 'CH']

await build()
const served = await serveWorker()
const browser = await launchChromium()
const project = `/api/projects/${served.projectId}/`

async function api<T = unknown>(method: string, path: string, body: object): Promise<T> {
  const response = await fetch(served.url + path, {
    method,
    headers: {
      Authorization: `Bearer ${served.credentials.personalApiKey}`,
      'Content-Type': 'application/json',
    },
    body: JSON.stringify(body),
  })
  if (!response.ok) throw new Error(`${method} ${path}: ${response.status} ${await response.text()}`)
  return (await response.json()) as T
}

async function makeData(): Promise<number> {
  const { api_token: token } = await api<{ api_token: string }>('PATCH', project, { name: 'Web shop' })
  let flagId = 0
  for (const { calledHoursAgo: _, ...flag } of FLAGS)
    flagId = (await api<{ id: number }>('POST', `${project}feature_flags/`, flag)).id
  const now = Date.now()
  const people = Array.from({ length: PEOPLE }, (_, index) => ({
    event: '$identify',
    distinct_id: `customer-${index}`,
    properties: {
      $set: {
        plan: PLANS[index % PLANS.length],
        country: COUNTRIES[index % COUNTRIES.length],
        email: `customer-${index}@shop.example`,
      },
    },
  }))
  const call = (key: string, index: number, isOn: boolean, ago: number) => ({
    event: '$feature_flag_called',
    distinct_id: `customer-${index}`,
    timestamp: new Date(now - ago).toISOString(),
    properties: { $feature_flag: key, $feature_flag_response: isOn },
  })
  const lastCalls = FLAGS.flatMap(({ key, calledHoursAgo: hours }) =>
    hours === null ? [] : call(key, 1, true, hours * HOUR_MS),
  )
  // Two weeks of the newest flag, which more and more people get.
  const usage = DAYS.flatMap(({ on, off }, day) =>
    Array.from({ length: on + off }, (_, index) =>
      call(FLAGS.at(-1)!.key, 2 + index, index < on, (DAYS.length - 1 - day) * DAY_MS + 60_000),
    ),
  )
  await api('POST', '/batch/', {
    api_key: token,
    batch: [...people, ...usage, ...lastCalls].map((event) => ({ ...event, uuid: randomUUID() })),
  })
  await served.storedEvents('customer-1', 1 + lastCalls.length)
  return flagId
}

try {
  const flagId = await makeData()
  const context = await browser.newContext({
    baseURL: served.url,
    deviceScaleFactor: 2,
    viewport: { width: 1280, height: 820 },
    reducedMotion: 'reduce',
  })
  const { email, password } = served.credentials
  await context.request.post('/api/login/', { data: { email, password } })
  const page = await context.newPage()
  const flags = `/project/${served.projectId}/feature_flags`
  await page.goto(flags)
  await page.getByRole('cell').getByText('6 hours ago').filter({ visible: true }).waitFor()
  await page.waitForLoadState('networkidle')
  await page.screenshot({ path: join(FOLDER, 'console-flags.png') })

  await page.emulateMedia({ colorScheme: 'dark', reducedMotion: 'reduce' })
  await page.setViewportSize({ width: 1280, height: 1080 })
  await page.goto(`${flags}/${flagId}`)
  await page.getByText(`of ${PEOPLE} known people`).first().waitFor()
  await page.waitForLoadState('networkidle')
  await page.screenshot({ path: join(FOLDER, 'console-flag.png') })
} finally {
  await browser.close()
  await served.stop()
}
