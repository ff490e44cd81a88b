// `npm run setup [-- --remote --url https://… --email …]`: makes a database ready for use; says what it did.
import { parseArgs } from 'node:util'
import { setUp } from './set-up'

const { values } = parseArgs({
  options: {
    remote: { type: 'boolean', default: false },
    email: { type: 'string' },
    url: { type: 'string' },
  },
})
const { credentials, isNew, file } = await setUp({
  place: values.remote ? '--remote' : '--local',
  email: values.email,
  baseUrl: values.url,
})
process.stdout.write(
  isNew
    ? `Set up. Keep these; they are also in ${file}:\n${JSON.stringify(credentials, null, 2)}\n`
    : `Migrations are applied; there was nothing else to set up. Credentials: ${file}\n`,
)
