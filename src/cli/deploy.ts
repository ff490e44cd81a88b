import { runCommand } from './command'

const USAGE = `npm run deploy [-- --email ADDRESS] [--env NAME] [--plan | --dry-run] [--no-wait] [--new-database] [--new-secrets]

Creates on a Cloudflare account what is missing there, migrates the databases and deploys the Worker. It can be repeated.

  --email ADDRESS   of the first user, for an empty database
  --env NAME        deploys [env.NAME] of wrangler.toml
  --plan            shows the steps, and changes nothing
  --dry-run         builds the Worker, without an account
  --no-wait         does not wait until the service is ready
  --new-database    replaces databases that are gone or have another name
  --new-secrets     makes new keys for a database whose keys are lost`

const CONFIG = {
  options: {
    email: { type: 'string' },
    env: { type: 'string' },
    plan: { type: 'boolean', default: false },
    'dry-run': { type: 'boolean', default: false },
    'new-database': { type: 'boolean', default: false },
    'new-secrets': { type: 'boolean', default: false },
    wait: { type: 'boolean', default: true },
  },
  allowNegative: true,
} as const

await runCommand(USAGE, CONFIG, async ({ values }) => {
  const { deploy } = await import('./deploy/run')
  await deploy(values)
})
