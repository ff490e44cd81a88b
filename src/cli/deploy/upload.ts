import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { onExit, withTemporaryFile } from '../exit-cleanup'
import { buildConsole } from '../build/console'
import { buildGuides } from '../build/guides'
import { runWrangler } from '../wrangler'
import { type Ids, withPinnedConfig } from './pinned-config'

/**
 * Builds the guides, the console and the Worker.
 * @returns what wrangler prints about the Worker
 */
export async function build(environment: string | null): Promise<string> {
  await buildGuides()
  await buildConsole()
  return runWrangler(['deploy', '--dry-run', '--minify', ...(environment ? ['--env', environment] : [])])
}

/**
 * Deploys the Worker.
 * @returns its address under workers.dev, if it has one
 */
export async function upload(
  secrets: Readonly<Record<string, string>>,
  { accountId, environment, ids }: { accountId: string; environment: string | null; ids: Ids },
): Promise<string | null> {
  const folder = mkdtempSync(join(tmpdir(), 'halyard-deploy-'))
  const remove = onExit(() => rmSync(folder, { recursive: true, force: true }))
  try {
    const record = join(folder, 'wrangler.ndjson')
    const deploy = (more: readonly string[]) =>
      withPinnedConfig(environment, ids, (config) =>
        runWrangler(
          ['deploy', '--minify', ...more, '--config', config, ...(environment ? ['--env', environment] : [])],
          { CLOUDFLARE_ACCOUNT_ID: accountId, WRANGLER_OUTPUT_FILE_PATH: record },
        ),
      )
    // The secrets are passed in a file, because process lists show arguments.
    if (Object.keys(secrets).length === 0) await deploy([])
    else {
      await withTemporaryFile(join(folder, 'secrets.json'), JSON.stringify(secrets), (path) =>
        deploy(['--secrets-file', path]),
      )
    }
    return addressIn(readFileSync(record, 'utf8'))
  } finally {
    remove()
  }
}

/** Returns the address in wrangler's output file, which has JSON lines. */
function addressIn(record: string): string | null {
  const entries = record
    .trim()
    .split('\n')
    .map((line) => JSON.parse(line) as { type: string; targets?: string[] })
  const targets = entries.find(({ type }) => type === 'deploy')?.targets ?? []
  return targets.find((target) => /^https:.*\.workers\.dev$/.test(target)) ?? null
}
