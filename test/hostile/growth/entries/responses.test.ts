// Responses of other services to calls of the Worker: receivers of webhooks, and the sources of imports.
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import type { Reply } from '../../../../src/import/call'
import { posthogSource } from '../../../../src/import/posthog/source'
import { unleashSource } from '../../../../src/import/unleash/source'
import { postToWebhook } from '../../../../src/webhooks/post'
import { itGrowsLinearly } from '../entry-growth'
import { type Entry, entry, mapped, type Shapes, someValues, TEXTS, VALUES } from '../shapes'

let running: Promise<string> | undefined
let body = ''

/** Started with the first input; it does not keep the process alive. */
const receiver = () =>
  (running ??= new Promise((resolve) => {
    const server = createServer((_, response) => response.end(body)).unref()
    server.listen(0, '127.0.0.1', () =>
      resolve(`http://127.0.0.1:${(server.address() as AddressInfo).port}/`),
    )
  }))

async function deliver(text: string): Promise<unknown> {
  body = text
  return postToWebhook({ ALLOW_PRIVATE_HOSTS: 'on' }, await receiver(), {}, '{}')
}

/** Of a path, without its query. */
type Lists = Readonly<Record<string, unknown>>

/** Lists of a project. */
const NAMES = [
  'groups_types/',
  'cohorts/',
  'feature_flags/',
  'feature_flags/activity/',
  'insight_variables/',
  'event_definitions/',
  'property_definitions/',
  'endpoints/',
  'dashboards/',
  'scheduled_changes/',
  'webhooks/',
  'approval_policies/',
]

const project = '/api/projects/1/'

const replyOf = (value: unknown): Reply => ({
  status: 200,
  text: typeof value === 'string' ? value : JSON.stringify(value),
  retryAfter: null,
  location: null,
})

/** Imports from a source that has these lists, and in all others of a project what is given for `rest`. */
const importFrom = (lists: Lists, rest: unknown = []): Promise<unknown> =>
  posthogSource({
    url: 'http://localhost',
    key: 'phx_example_key',
    project: '1',
    say: () => {},
    wait: async () => {},
    async send(_, path) {
      const [name = ''] = path.slice(project.length).split('?')
      // Lists of one item, which are read for each of them, are empty.
      return replyOf(name in lists ? lists[name] : NAMES.includes(name) ? rest : [])
    },
  }).readItems()

const list = <Item>(size: number, item: (index: number) => Item): Item[] =>
  Array.from({ length: Math.max(1, Math.floor(size)) }, (_, index) => item(index))

const flagsOf = (size: number, more: (index: number) => object = () => ({})) =>
  list(size / 30, (index) => ({ id: index, key: `flag-${index}`, ...more(index) }))

/** Lists whose items name each other, or are alike. */
const LISTS: Shapes<Lists> = {
  flags: (size) => ({ 'feature_flags/': flagsOf(size) }),
  'cohorts of one name': (size) => ({ 'cohorts/': list(size / 25, (id) => ({ id, name: 'a' })) }),
  'cohorts whose names have numbers': (size) => ({
    'cohorts/': list(size / 25, (id) => ({ id, name: id % 2 ? 'a' : `a (${id})` })),
  }),
  'flags and their entries': (size) => ({
    'feature_flags/': flagsOf(size / 2),
    'feature_flags/activity/': {
      results: list(size / 60, (id) => ({ item_id: String(id), activity: 'updated' })),
    },
  }),
  'dashboards and flags that name them': (size) => ({
    'feature_flags/': flagsOf(size / 2, (id) => ({ analytics_dashboards: [id] })),
    'dashboards/': list(size / 80, (id) => ({ id, name: 'a', is_shared: false })),
  }),
  'webhooks of one address': (size) => ({ 'webhooks/': list(size / 30, (id) => ({ id, url: 'a' })) }),
  'a group type of a high number': (size) => ({
    'groups_types/': [{ group_type: 'company', group_type_index: 10 * size }],
  }),
  'many group types': (size) => ({
    'groups_types/': list(size / 50, (index) => ({ group_type: `type${index}`, group_type_index: index })),
  }),
  'one flag that names cohorts': (size) => ({
    'cohorts/': list(size / 100, (id) => ({ id, name: `c${id}`, filters: { properties: {} } })),
    'feature_flags/': [
      {
        id: 1,
        key: 'a',
        filters: {
          groups: [{ properties: list(size / 100, (id) => ({ key: 'id', type: 'cohort', value: id })) }],
        },
      },
    ],
  }),
}

const JSON_TEXTS: Shapes<string> = { ...TEXTS, ...mapped(VALUES, (value) => JSON.stringify(value)) }
const rows = (values: Shapes): Shapes => mapped(values, (value) => [value].flat())
/** Rows with fields, without them, and with others; those that are no objects, and one of many fields. */
const ROWS = rows(
  someValues(
    'a list of objects',
    'a list of empty objects',
    'nested objects',
    'a list of texts',
    'a wide object',
  ),
)

/** What is right but for one part. */
const UNLEASH = {
  '/api/admin/environments': { environments: [{ name: 'production', enabled: true }] },
  '/api/admin/segments': { segments: [] },
  '/api/admin/features-batch/export': { features: [], featureStrategies: [] },
}

const importUnleash = (parts: Partial<Record<keyof typeof UNLEASH, unknown>>): Promise<unknown> =>
  unleashSource({
    url: 'http://localhost',
    key: 'user:example',
    project: 'default',
    environment: null,
    say: () => {},
    wait: async () => {},
    send: async (_, path) => replyOf({ ...UNLEASH, ...parts }[path as keyof typeof UNLEASH] ?? {}),
  }).readItems()

const strategy = (index: number, more: object = {}) => ({
  name: 'default',
  featureName: `f${index}`,
  ...more,
})

const FEATURES: Shapes = {
  'with a strategy each': (size) => ({
    features: list(size / 80, (index) => ({ name: `f${index}` })),
    featureStrategies: list(size / 80, (index) => strategy(index)),
  }),
  'that depend on each other': (size) => ({
    features: list(size / 120, (index) => ({ name: `f${index}` })),
    featureStrategies: [],
    dependencies: list(size / 120, (index) => ({
      feature: `f${index}`,
      dependencies: [{ feature: `f${index + 1}`, enabled: true }],
    })),
  }),
  'with tags and environments': (size) => ({
    features: list(size / 200, (index) => ({ name: `f${index}` })),
    featureStrategies: [],
    featureTags: list(size / 200, (index) => ({ featureName: `f${index}`, tagType: 'a', tagValue: 'b' })),
    featureEnvironments: list(size / 200, (index) => ({ featureName: `f${index}`, enabled: true })),
  }),
  'of one with many strategies': (size) => ({
    features: [{ name: 'f0' }],
    featureStrategies: list(size / 60, () => strategy(0)),
  }),
  'of one with many constraints': (size) => ({
    features: [{ name: 'f0' }],
    featureStrategies: [
      strategy(0, {
        constraints: list(size / 60, () => ({ contextName: 'plan', operator: 'IN', values: ['a'] })),
      }),
    ],
  }),
  'with a strategy of long values': (size) => ({
    features: [{ name: 'f0' }],
    featureStrategies: [
      strategy(0, { constraints: [{ contextName: 'plan', operator: 'IN', values: list(size / 4, String) }] }),
    ],
  }),
}

/** As much as shows how the work grows. */
const MAX_RESPONSE = 256 * 1024

const ENTRIES: readonly Entry[] = [
  entry('the response of a receiver', MAX_RESPONSE, JSON_TEXTS, deliver),
  entry('the responses of PostHog', MAX_RESPONSE, LISTS, (lists) => importFrom(lists)),
  ...NAMES.map((name) =>
    // Activity is read for each flag, with more work for each row.
    entry(
      `rows of ${name} of PostHog`,
      name === 'feature_flags/activity/' ? MAX_RESPONSE / 4 : MAX_RESPONSE,
      // What is no object is refused alike in all lists.
      name === 'cohorts/' ? rows(VALUES) : ROWS,
      (results) => importFrom({ [name]: { results } }),
    ),
  ),
  entry(
    'any response of PostHog',
    MAX_RESPONSE / 2,
    { ...TEXTS, ...mapped(someValues('a text', 'nested objects'), (value) => JSON.stringify(value)) },
    (text) => importFrom({}, text),
  ),
  entry('features of Unleash', MAX_RESPONSE, FEATURES, (features) =>
    importUnleash({ '/api/admin/features-batch/export': features }),
  ),
  entry('any features of Unleash', MAX_RESPONSE / 2, ROWS, (features) =>
    importUnleash({ '/api/admin/features-batch/export': { features, featureStrategies: features } }),
  ),
  entry('segments of Unleash', MAX_RESPONSE / 2, ROWS, (segments) =>
    importUnleash({ '/api/admin/segments': { segments } }),
  ),
]

itGrowsLinearly('other services', ENTRIES)
