// The public conformance vectors, every one with a verdict of the service.
import { beforeAll, describe, expect, it } from 'vitest'
import { hash01 } from '../../src/evaluation/sha1'
import { loadEngines } from './support'
import { hashVectors, vectors } from './vectors'

beforeAll(loadEngines)

describe('hash vectors', () => {
  it.each(hashVectors)('draws $input', ({ key, identifier, salt, input, hash01: expected }) => {
    expect(hash01('', input, '')).toBe(expected)
    if (key !== null && identifier !== null && input === `${key}.${identifier}${salt}`) {
      expect(hash01(`${key}.`, identifier, salt)).toBe(expected)
    }
  })
})

describe('whole-flag vectors', () => {
  const decided = vectors.filter((vector) => vector.expected !== null)

  it('leaves out only vectors that the service was not run on', () => {
    const undecided = vectors.filter((vector) => vector.expected === null)
    expect(new Set(undecided.map((vector) => vector.status))).toEqual(new Set(['service_unmodelled']))
    expect(decided.length + undecided.length).toBe(vectors.length)
  })

  it.each(decided)('$id $note', ({ run, expected }) => {
    const { result, errors } = run()
    expect(result && { ...result, hasPayload: undefined, caveat: undefined }).toEqual({
      failed: false,
      ...expected,
      errorsWhileComputingFlags: undefined,
      hasPayload: undefined,
      caveat: undefined,
    })
    expect(errors).toBe(expected?.errorsWhileComputingFlags === true)
  })
})
