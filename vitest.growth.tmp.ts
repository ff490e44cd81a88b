import { defineConfig } from 'vitest/config'
export default defineConfig({ test: { include: ['test/hostile/growth/**/*.test.ts'], testTimeout: 120_000 } })
