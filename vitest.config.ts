import { cloudflareTest, readD1Migrations } from '@cloudflare/vitest-pool-workers'
import { defineConfig } from 'vitest/config'

// Keys of the right size for the pool only: every deployment makes its own.
const TEST_PAYLOAD_KEYS = `test:${Buffer.alloc(32, 7).toString('base64')}`
const TEST_ACCOUNT_KEYS = `test:${Buffer.alloc(32, 8).toString('base64')}`

export default defineConfig({
  test: {
    reporters: [process.env.CI ? 'dot' : 'default', './test/support/closing-line.ts'],
    projects: [
      {
        // In workerd, against real D1, KV and Durable Objects.
        plugins: [
          cloudflareTest(async () => ({
            wrangler: { configPath: './wrangler.toml' },
            remoteBindings: false,
            miniflare: {
              bindings: {
                MIGRATIONS: await readD1Migrations('./migrations'),
                THROTTLES: 'off',
                PAYLOAD_KEYS: TEST_PAYLOAD_KEYS,
                ACCOUNT_KEYS: TEST_ACCOUNT_KEYS,
              },
            },
          })),
        ],
        test: {
          name: 'workers',
          include: ['test/**/*.test.ts'],
          exclude: ['test/browser/**', 'test/conformance/**', 'test/cli/**'],
          setupFiles: ['test/support/migrate.ts'],
        },
      },
      {
        // In Node: real clients and commands, against a Worker that is served over HTTP.
        test: {
          name: 'node',
          include: ['test/browser/**/*.test.ts', 'test/conformance/**/*.test.ts', 'test/cli/**/*.test.ts'],
          globalSetup: ['test/support/serve-once.ts'],
          testTimeout: 60_000,
          hookTimeout: 120_000,
        },
      },
    ],
  },
})
