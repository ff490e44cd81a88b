// What needs the packages of this folder and of the benches, and `npm run check` therefore leaves out: their types, the lint of the OpenAPI
// document, and a comparison of the console's types with those of the known generator.
import { readFileSync, rmSync, mkdtempSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import openapiTypescript, { astToString } from 'openapi-typescript'
import { expect, it } from 'vitest'
import { consoleTypes } from '../../src/cli/build/console-types'
import { installPackages } from '../support/runner/install-packages'
import { run } from '../check/run-tool'

const TIMEOUT_MS = 600_000
const BIN = 'test/conformance/node_modules/.bin'
const OPENAPI = 'src/public/openapi.json'

/** What a tool prints about faults; empty when it finds none. */
const faultsOf = (line: string): Promise<string> =>
  run(line).then(
    () => '',
    (error: { stdout?: string; stderr?: string }) => `${error.stdout}${error.stderr}` || String(error),
  )

const typeFaults = (folder: string) => faultsOf(`tsc --noEmit --checkers 1 -p ${folder}`)

it(
  'checks the types of the conformance tests and of the benches',
  async () => {
    installPackages('test/bench')
    expect(await typeFaults('test/conformance')).toBe('')
  },
  TIMEOUT_MS,
)

it(
  'lints the OpenAPI document',
  async () => {
    const line = `${BIN}/redocly lint --config src/docs/redocly.yaml --format stylish ${OPENAPI}`
    expect(await faultsOf(line)).toBe('')
  },
  TIMEOUT_MS,
)

/** For each schema, path and method: a value of one generator's type is one of the other's. */
const COMPARISON = `
import type { components as A, paths as PathsA } from './ours'
import type { components as B, paths as PathsB } from './theirs'

type Same<X, Y> = [X] extends [Y] ? ([Y] extends [X] ? true : false) : false
type Differences<X, Y> = { [K in keyof X | keyof Y]: K extends keyof X & keyof Y ? (Same<X[K], Y[K]> extends true ? never : K) : K }[keyof X | keyof Y]
type Call<O> = O extends { parameters: infer P; responses: infer R }
  ? { parameters: P; body: O extends { requestBody?: infer Body } ? Body : never; content: { [S in keyof R]: R[S] extends { content: infer C } ? C : never } }
  : never
type Calls<P> = { [Path in keyof P]: { [Method in 'get' | 'put' | 'post' | 'patch' | 'delete']: Method extends keyof P[Path] ? Call<P[Path][Method]> : never } }

export const schemas: Differences<A['schemas'], B['schemas']>[] = ['none' as never]
export const paths: Differences<Calls<PathsA>, Calls<PathsB>>[] = ['none' as never]
const noSchema = (difference: never) => difference
noSchema(schemas[0]!)
noSchema(paths[0]!)
`

it(
  'writes types for the console that are those of openapi-typescript',
  async () => {
    const folder = mkdtempSync(join(import.meta.dirname, '.generated-'))
    try {
      const text = readFileSync(OPENAPI, 'utf8')
      writeFileSync(join(folder, 'ours.d.ts'), consoleTypes(JSON.parse(text)))
      writeFileSync(join(folder, 'theirs.d.ts'), astToString(await openapiTypescript(text)))
      writeFileSync(join(folder, 'compare.ts'), COMPARISON)
      const options = { extends: '../../../tsconfig.json', compilerOptions: { types: [] }, include: ['*.ts'] }
      writeFileSync(join(folder, 'tsconfig.json'), JSON.stringify({ ...options, exclude: [] }))
      expect(await typeFaults(folder)).toBe('')
    } finally {
      rmSync(folder, { recursive: true })
    }
  },
  TIMEOUT_MS,
)
