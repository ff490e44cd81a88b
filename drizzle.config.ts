// `npm run migration` runs drizzle-kit once for each database; `npm run check` writes to another folder.
const { DATABASE = 'main', MIGRATIONS_OUT = `./migrations/${DATABASE}` } = process.env

export default {
  dialect: 'sqlite',
  schema: DATABASE === 'events' ? './drizzle/events/index.ts' : './drizzle/index.ts',
  out: MIGRATIONS_OUT,
}
