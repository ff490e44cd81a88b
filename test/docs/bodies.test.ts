// The bodies of requests: a schema of a format refuses what does not have it.
import { expect, it } from 'vitest'
import * as z from 'zod'
import { areas } from '../../src/areas'

/** Schemas within a schema, with their paths. */
function* schemasIn(
  schema: z.ZodType,
  path = '',
  seen = new Set<z.ZodType>(),
): Generator<[string, z.ZodType]> {
  if (seen.has(schema)) return
  seen.add(schema)
  yield [path, schema]
  const inner: [string, unknown][] = Object.entries(schema.def).flatMap(
    ([name, value]): [string, unknown][] =>
      name === 'shape' || Array.isArray(value) ? Object.entries(value as object) : [[name, value]],
  )
  for (const [name, value] of inner)
    if (value instanceof z.ZodType) yield* schemasIn(value, `${path}/${name}`, seen)
}

it('times are read, and no text becomes one by itself', () => {
  const times = areas.flatMap(({ operations }) =>
    operations.flatMap(({ id, body }) =>
      body instanceof z.ZodType
        ? [...schemasIn(body)]
            .filter(([, schema]) => schema.meta()?.format === 'date-time')
            .map(([path, schema]) => ({ at: `${id}${path}`, takes: schema.safeParse('null').success }))
        : [],
    ),
  )
  expect(times.length).toBeGreaterThan(5)
  // test_evaluation reads its timestamp itself, because its errors have the form of upstream.
  expect(times.flatMap(({ at, takes }) => (takes ? [at] : []))).toEqual([
    'feature_flags_test_evaluation_create/timestamp',
  ])
})
