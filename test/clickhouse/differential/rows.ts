// Rows whose values are where engines differ: NULL, the bounds of numbers, odd dates, unicode, empty texts and arrays.
import type { SampleEvent, SamplePerson } from '../../hogql/corpus/dataset-shape'
import type { PropertyType } from '../../../src/analytics/property-definitions/property-type'
import type { SampleProject } from '../../hogql/corpus/dataset'
import type { createRandom } from '../faults/random'

type Random = ReturnType<typeof createRandom>

/** Types of the events' properties. Those without one are text. */
const TYPES: Readonly<Record<string, PropertyType>> = {
  number: 'Numeric',
  other: 'Numeric',
  flag: 'Boolean',
  moment: 'DateTime',
  text: 'String',
}

export const propertyType = (owner: string, name: string): PropertyType | undefined =>
  owner === 'event' && Object.hasOwn(TYPES, name) ? TYPES[name] : undefined

const NUMBERS = [
  0,
  1,
  -1,
  2,
  7,
  -7,
  0.5,
  -0.5,
  1.5,
  2.5,
  -2.5,
  0.1,
  0.30000000000000004,
  1e-7,
  123456.789,
  -99.99,
  1e15,
  1e16,
  1e20,
  -1e20,
  2251799813685249.5,
  9007199254740991,
  1e21,
  1e300,
  -1e300,
  1e-300,
  1e307,
  '12',
  '-0.5',
  '1e5',
  ' 3',
  '3 ',
  '0x10',
  'abc',
  '',
  null,
  undefined,
  true,
  '+5',
  '.5',
  '5.',
]

const INTEGERS = [
  '0',
  '1',
  '-1',
  '2',
  '3',
  '7',
  '-7',
  '10',
  '100',
  '255',
  '256',
  '65536',
  '2147483647',
  '2147483648',
  '-2147483649',
  '9007199254740991',
  '9007199254740993',
  '-9007199254740993',
  '9223372036854775807',
  '-9223372036854775808',
  '1700000000',
  '1700000000123',
  null,
  undefined,
  'x',
  '',
  '1.5',
  '9223372036854775808',
  '+5',
  '-0',
  '007',
]

const TEXTS = [
  '',
  'a',
  'A',
  'b',
  'ab',
  'aba',
  'abab',
  ' a ',
  '  ',
  'ünïcode 裕子 🦊',
  'Äé',
  'ß',
  '🦊',
  'line\nbreak',
  'tab\there',
  '%',
  '_',
  '\\',
  '"',
  "'",
  ',',
  'a,b,,c',
  ',',
  '0',
  '12',
  '-3.5',
  '1e3',
  'true',
  'false',
  'null',
  '[1,2,3]',
  '["a",null,"b"]',
  '[]',
  '{}',
  '{"a":1,"b":{"c":[1,2.5,"x"]}}',
  '{"a":null,"text":"é"}',
  '{"a":"1"}',
  '2024-02-29',
  '2024-02-30',
  '2026-03-29 02:30:00',
  '1700000000',
  'not json {',
  'https://user:pw@www.example.com:8080/a/b.html?x=1&y=%20z&x=2#frag',
  'http://example.co.uk',
  'example.com/path',
  '/only/path?q=1',
  'mailto:a@b.com',
  'https://127.0.0.1/x',
  'https://example.com?x#y?z',
  'f47ac10b-58cc-4372-a567-0e02b2c3d479',
  'e\u0301',
  null,
  undefined,
]

const MOMENTS = [
  '1970-01-01T00:00:00Z',
  '1969-12-31T23:59:59Z',
  '1900-01-01T00:00:00Z',
  '1945-08-14T12:00:00Z',
  '1999-12-31T23:59:59.5Z',
  '2000-02-29T12:00:00Z',
  '2023-12-31T23:59:59Z',
  '2024-01-01T00:00:00Z',
  '2024-02-29T23:59:59.999999Z',
  '2024-12-30T00:00:00Z',
  '2025-03-30T00:59:59Z',
  '2025-03-30T01:00:00Z',
  '2025-10-26T00:30:00Z',
  '2025-10-26T01:30:00Z',
  '2026-03-08T06:59:59Z',
  '2026-03-08T07:00:00Z',
  '2026-11-01T05:30:00Z',
  '2026-11-01T06:30:00Z',
  '2026-03-20T12:00:00.123456Z',
  '2038-01-19T03:14:08Z',
  '2100-02-28T23:59:59Z',
  '2100-03-01T00:00:00Z',
  '2106-02-07T06:28:16Z',
  '2049-12-31T23:59:59Z',
  '2052-07-01T12:00:00Z',
  '2199-12-31T23:59:59Z',
]

const MOMENT_TEXTS = [...MOMENTS, '2026-02-30', '2026-01-05', '1700000000', 'soon', '', null, undefined]

const DOCUMENTS = [
  '[1,2,3]',
  '[]',
  '["a",null,"ü",""]',
  '[1.5,-2,null]',
  '[1,1,2]',
  '{"a":1,"b":[1,{"c":"x"}]}',
  '{"a":"text","n":1.25,"t":true}',
  'no json',
  '',
  '[[1],[2,3],[]]',
  '{"a":9007199254740993,"e":1e3}',
  'null',
  '"text"',
  '3',
  undefined,
]

const LISTS = ['a,b,c', '', 'b,a,b', ',', '🦊,ü', 'a', '10,9,8', undefined]
const EVENTS = ['a', 'b', 'ü', '']

/** Where odd dates are: zones have one offset before 2000 and after 2050 on D1. */
const isOdd = (moment: string): boolean => moment < '2000' || moment >= '2051'

/** @param isUtc whether the dates may be odd */
export function rowsOf(random: Random, isUtc: boolean, count = 48): SampleProject {
  const one = <T>(values: readonly T[]): T => random.pick(values)
  const moments = isUtc ? MOMENTS : MOMENTS.filter((moment) => !isOdd(moment))
  const texts = isUtc
    ? MOMENT_TEXTS
    : MOMENT_TEXTS.filter((text) => !text || !/^\d{4}-/.test(text) || !isOdd(text))
  const events = Array.from({ length: count }, (_, at): SampleEvent => {
    const moment = new Date(one(moments)).toISOString()
    const timestamp = `${moment.slice(0, 19)}.${moment < '1970' ? '000000' : one(['000000', '000001', '500000', '999999'])}Z`
    const properties = {
      number: one(NUMBERS),
      other: one(NUMBERS),
      integer: one(INTEGERS),
      count: one(INTEGERS),
      text: one(TEXTS),
      word: one(TEXTS),
      flag: one([true, false, 'true', 'false', 1, 0, 'yes', null, undefined]),
      moment: one(texts),
      later: one(texts),
      document: one(DOCUMENTS),
      list: one(LISTS),
    }
    return {
      uuid: `00000000-0000-4000-8000-${String(at + 1).padStart(12, '0')}`,
      event: one(EVENTS),
      distinctId: `d${at % 3}`,
      timestamp,
      createdAt: timestamp,
      properties: JSON.parse(JSON.stringify(properties)) as SampleEvent['properties'],
    }
  })
  return { events, persons: [] as SamplePerson[], groups: [] }
}
