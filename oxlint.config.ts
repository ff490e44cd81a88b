// Rules of the linter: the direction of imports between areas is the table below, which CONTRIBUTING.md shows to people.
import { defineConfig } from 'oxlint'

/** What an area of src/ may import beside itself and the files directly in src/. Areas that are not named may import any. */
export const LAYERS: Readonly<Record<string, readonly string[]>> = {
  time: [],
  storage: [],
  pages: ['time'],
  retention: [],
  hogql: ['evaluation', 'time'],
  auth: ['storage'],
  http: ['auth', 'storage'],
  outbox: ['storage'],
  operator: ['auth', 'http', 'snapshots', 'storage'],
  activity: ['auth', 'http', 'storage'],
  snapshots: ['evaluation', 'http', 'storage'],
  webhooks: ['activity', 'auth', 'http', 'storage'],
  account: ['activity', 'auth', 'evaluation', 'http', 'outbox', 'pages', 'storage'],
  analytics: ['activity', 'auth', 'evaluation', 'hogql', 'http', 'outbox', 'retention', 'storage', 'time'],
  flags: ['activity', 'analytics', 'auth', 'evaluation', 'http', 'outbox', 'snapshots', 'storage', 'time'],
  project: ['analytics', 'flags', 'http', 'snapshots', 'storage'],
  endpoints: ['activity', 'analytics', 'auth', 'hogql', 'http', 'outbox', 'project', 'storage', 'time'],
  sdk: ['analytics', 'auth', 'evaluation', 'flags', 'http', 'snapshots', 'storage'],
  import: ['auth', 'endpoints', 'evaluation', 'flags', 'http'],
  jobs: ['analytics', 'endpoints', 'flags', 'http', 'outbox', 'project', 'retention', 'storage', 'webhooks'],
}

/** Evaluation and the console take little from other areas; evaluation could be a package of its own. */
export const CLOSED: Readonly<Record<string, readonly string[]>> = {
  evaluation: ['time/**', 'json', 'lru-cache'],
  console: ['public/**', 'import/references', 'time/**', 'flag-fields', 'account/keys/served-scopes'],
}

const AREAS = ['evaluation', ...Object.keys(LAYERS), 'mcp', 'docs', 'cli']
/** Modules at the root that connect the areas. */
const ROOTS = ['app', 'areas', 'index', 'management', 'request-scope'].map((name) => `**/../${name}`)
/** Operations leave SQL to domain functions. */
const SQL = { group: ['drizzle-orm', 'drizzle-orm/**'], message: 'No SQL in an operation.' }

const restrict = (files: string[], group: string[], message: string, more: object[] = []) => ({
  files,
  rules: {
    'no-restricted-imports': ['error', { patterns: [{ group, message }, ...more] }] as ['error', object],
  },
})

const layer = ([area, allowed]: [string, readonly string[]]) => {
  const group = [
    ...AREAS.filter((other) => other !== area && !allowed.includes(other)).map(
      (other) => `**/../${other}/**`,
    ),
    ...ROOTS,
  ]
  const message = `${area} may import ${allowed.length > 0 ? allowed.join(', ') : 'no other area'}.`
  return [
    restrict([`src/${area}/**`], group, message),
    restrict([`src/${area}/operations/**`], group, message, [SQL]),
  ]
}

/** The depth of a file decides how its imports reach another area. */
const closed = ([area, allowed]: [string, readonly string[]]) =>
  [1, 2, 3].map((depth) => {
    const up = '../'.repeat(depth)
    return restrict(
      [`src/${area}/${'*/'.repeat(depth - 1)}*.{ts,tsx}`],
      [`${up}**`, ...allowed.map((path) => `!${up}${path}`)],
      `${area} may import only ${allowed.join(', ')}.`,
    )
  })

export default defineConfig({
  plugins: ['typescript', 'unicorn', 'import', 'oxc'],
  categories: { correctness: 'error', suspicious: 'error', perf: 'error' },
  rules: {
    'import/no-cycle': ['error', { ignoreTypes: false }],
    'import/no-unassigned-import': 'off',
    'no-await-in-loop': 'off',
    'no-console': 'error',
    'no-shadow': 'error',
    'no-underscore-dangle': 'off',
    'oxc/no-map-spread': 'off',
    'typescript/consistent-type-imports': 'error',
    'typescript/no-explicit-any': 'error',
    'unicorn/consistent-function-scoping': 'off',
    'unicorn/no-array-sort': 'off',
    'unicorn/no-invalid-fetch-options': 'off',
  },
  ignorePatterns: ['migrations', 'worker-configuration.d.ts'],
  overrides: [
    {
      files: ['src/console/**', 'test/console/gallery/**'],
      plugins: ['typescript', 'unicorn', 'import', 'oxc', 'react', 'jsx-a11y'],
      rules: {
        'react/react-in-jsx-scope': 'off',
        'react/exhaustive-deps': 'off',
        'react/no-array-index-key': 'off',
      },
    },
    ...Object.entries(LAYERS).flatMap(layer),
    ...Object.entries(CLOSED).flatMap(closed),
  ],
})
