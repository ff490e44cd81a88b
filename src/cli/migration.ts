import { spawnSync } from 'node:child_process'
import { readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { runCommand, UsageError } from './command'
import { hashesOf, MIGRATIONS_FOLDERS } from './migrations'

const HASHES = 'migrations/hashes.json'

const USAGE = `npm run migration -- --name WHAT-CHANGED

Writes a migration for each database whose schema in drizzle/ changed, and its hash. Run again after an edit of the SQL whose line in
migrations/hashes.json you deleted, it writes the hash alone.`

await runCommand(USAGE, { options: { name: { type: 'string' } } }, async ({ values }) => {
  if (!values.name || !/^[\w-]+$/.test(values.name)) {
    throw new UsageError('--name must say what changed, in letters, digits, "-" and "_"')
  }
  for (const folder of MIGRATIONS_FOLDERS) {
    process.stdout.write(`migrations/${folder}\n`)
    // The command gets the terminal, because it asks whether a column was renamed.
    const { status, error } = spawnSync('drizzle-kit', ['generate', '--name', values.name], {
      stdio: 'inherit',
      env: { ...process.env, DATABASE: folder },
    })
    if (status !== 0) throw error ?? new Error(`drizzle-kit failed for migrations/${folder}`)
    // drizzle-kit compares the schema with the newest snapshot only.
    const meta = join('migrations', folder, 'meta')
    const snapshots = readdirSync(meta).filter((file) => file.endsWith('_snapshot.json'))
    for (const old of snapshots.sort().slice(0, -1)) rmSync(join(meta, old))
  }
  const known = JSON.parse(readFileSync(HASHES, 'utf8')) as Record<string, string>
  writeFileSync(HASHES, `${JSON.stringify(hashesOf(known), null, 2)}\n`)
})
