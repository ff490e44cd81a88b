import { expect, it } from 'vitest'
import page from '../../src/docs/guide/errors.md?raw'

const sources = Object.values(
  import.meta.glob(['../../src/**/*.{ts,tsx}', '!../../src/{cli,console}/**'], {
    query: '?raw',
    import: 'default',
    eager: true,
  }),
)

/** Codes of errors in the code with a status above 400: of literals of `ApiError`, and of `permissionDenied` and `refuse`. */
const codes = new Set(
  (sources as string[]).flatMap((text) => [
    ...[...text.matchAll(/status: (?:40[1-9]|4[1-9]\d|5\d\d),[^{}]*?\bcode: '(\w+)'/g)].map(
      ([, code]) => code!,
    ),
    ...[...text.matchAll(/permissionDenied\([^()]*, '(\w+)',?\s*\)/g)].map(([, code]) => code!),
    ...[...text.matchAll(/throw refuse\(\s*'(\w+)',/g)].map(([, code]) => code!),
  ]),
)

it('explains the code of every error other than 400', () => {
  expect(codes.size).toBeGreaterThan(25)
  expect([...codes].filter((code) => !page.includes(`\`${code}\``))).toEqual([])
})
