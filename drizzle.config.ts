import { defineConfig } from 'drizzle-kit'

// `npm run migration` runs drizzle-kit once for each database.
export default defineConfig(
  process.env.DATABASE === 'events'
    ? { dialect: 'sqlite', schema: './drizzle/events/index.ts', out: './migrations/events' }
    : { dialect: 'sqlite', schema: './drizzle/index.ts', out: './migrations/main' },
)
