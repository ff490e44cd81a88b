// Files that hold the only copy of something: they are whole at every moment.
import { execFileSync } from 'node:child_process'
import {
  lstatSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { afterEach, beforeEach, expect, it } from 'vitest'
import { writeWhole } from '../../src/cli/write-whole'

let folder: string
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'halyard-whole-'))
})
afterEach(() => rmSync(folder, { recursive: true }))

const root = join(import.meta.dirname, '../..')

it('leaves the keys of this machine when the disk is full', () => {
  const keys = 'PAYLOAD_KEYS="a:1"\nACCOUNT_KEYS="b:2"\n'
  writeFileSync(join(folder, '.dev.vars'), keys)
  const code = `import { setLocalSecrets } from ${JSON.stringify(pathToFileURL(join(root, 'src/cli/deploy/secrets.ts')))}
setLocalSecrets({ PAYLOAD_KEYS: 'c:3' })`
  const run = () =>
    execFileSync(
      'sh',
      [
        '-c',
        'ulimit -f 0; exec "$0" "$@"',
        process.execPath,
        '--import',
        'tsx/esm',
        '--input-type=module',
        '-e',
        code,
      ],
      {
        cwd: folder,
        env: { ...process.env, NODE_PATH: join(root, 'node_modules'), TSX_DISABLE_CACHE: '1' },
        encoding: 'utf8',
        stdio: 'pipe',
      },
    )
  symlinkSync(join(root, 'node_modules'), join(folder, 'node_modules'))
  expect(run).toThrow('EFBIG')
  expect(readFileSync(join(folder, '.dev.vars'), 'utf8')).toBe(keys)
  expect(readdirSync(folder).toSorted()).toEqual(['.dev.vars', 'node_modules'])
})

it('keeps a link to the file', () => {
  writeFileSync(join(folder, 'file'), 'old')
  symlinkSync(join(folder, 'file'), join(folder, 'link'))
  writeWhole(join(folder, 'link'), 'new', 0o640)
  expect(lstatSync(join(folder, 'link')).isSymbolicLink()).toBe(true)
  expect(readFileSync(join(folder, 'file'), 'utf8')).toBe('new')
  expect(lstatSync(join(folder, 'file')).mode & 0o777).toBe(0o640)
})
