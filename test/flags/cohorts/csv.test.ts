import { describe, expect, it } from 'vitest'
import { idsInCsv } from '../../../src/flags/cohorts/csv'

const [ADA, GRACE] = ['0198f000-0000-7000-8000-000000000001', '0198F000-0000-7000-8000-000000000002']

describe('idsInCsv', () => {
  it.each([
    ['a list', 'ada\ngrace\r\n\r\n joan \n', 'distinct_id', ['ada', 'grace', 'joan']],
    ['a list with its header', 'distinct_id\nada', 'distinct_id', ['ada']],
    ['a list of person ids', `Person_ID\n${ADA}\n${GRACE}`, 'person_id', [ADA, GRACE]],
    ['a list of uuids', `uuid\n${ADA}`, 'person_id', [ADA]],
    ['a byte order mark', '\uFEFF"distinct_id"\nada', 'distinct_id', ['ada']],
    ['other separators in ids', 'a;b\nc\td', 'distinct_id', ['a;b', 'c\td']],
    ['columns', 'name,distinct-id\n"Lovelace, Ada",ada\nGrace,grace\nshort', 'distinct_id', ['ada', 'grace']],
    ['an export', `Person .id,email\n${ADA},a@b.c\n,b@b.c`, 'person_id', [ADA]],
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
    ['name;distinct_id\nx;ada', 'The columns are separated by semicolons. Separate them by commas.'],
    [`Person_ID; name\n${ADA};x`, 'The columns are separated by semicolons.'],
    ['distinct_id\tname\nada\tx', 'The columns are separated by tabs.'],
    ['distinct_id;name,more\nada;x,y', 'The columns are separated by semicolons.'],
    [`id\n${ADA}`, 'name it distinct_id or person_id'],
    ['person_id\nada', 'ada in the column person_id is not a valid UUID.'],
    [`distinct_id,person_id\nada,${ADA}\ngrace,zzz`, 'zzz in the column person_id is not a valid UUID.'],
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
