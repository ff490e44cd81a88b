import { describe, expect, it } from 'vitest'
import { idsInCsv } from '../../../src/flags/cohorts/csv'

describe('idsInCsv', () => {
  it.each([
    ['a list', 'ada\ngrace\r\n\r\n joan \n', 'distinct_id', ['ada', 'grace', 'joan']],
    ['a list with its header', 'distinct_id\nada', 'distinct_id', ['ada']],
    ['a list of person ids', 'Person_ID\np1\np2', 'person_id', ['p1', 'p2']],
    ['columns', 'name,distinct-id\n"Lovelace, Ada",ada\nGrace,grace\nshort', 'distinct_id', ['ada', 'grace']],
    ['an export', 'Person .id,email\np1,a@b.c\n,b@b.c', 'person_id', ['p1']],
    ['quotes', '"a ""b"" c"\n"two\nlines"', 'distinct_id', ['a "b" c', 'two\nlines']],
    ['duplicates', 'ada\nada', 'distinct_id', ['ada']],
    ['an empty last cell', 'x,distinct_id\n1,', 'distinct_id', null],
  ])('reads %s', (_, text, kind, ids) => {
    if (ids === null) expect(() => idsInCsv(text)).toThrow('no valid person IDs')
    else expect(idsInCsv(text)).toEqual({ field: 'csv', kind, ids })
  })

  it.each([
    ['', 'CSV file is empty'],
    ['\n\n', 'CSV file is empty'],
    ['a,b\n1,2', 'Found columns: a, b'],
    ['"open\n1', 'CSV file format is invalid'],
    ['email\na@b.c', 'Persons cannot be found by email address'],
    ['person_id\n', 'no valid person IDs'],
  ])('rejects %j', (text, problem) => {
    expect(() => idsInCsv(text)).toThrow(problem)
  })

  it('reads a megabyte of quotes in linear time', () => {
    const started = performance.now()
    expect(() => idsInCsv(`"${'x""'.repeat(300_000)}x`)).toThrow('CSV file format is invalid')
    expect(idsInCsv(`"${'""'.repeat(500_000)}"`).ids).toHaveLength(1)
    // Quadratic, it would take hours.
    expect(performance.now() - started).toBeLessThan(15_000)
  })
})
