// What payloads may be, and under which keys. Rules 29–32 of docs/reference/flags.md#rules-for-filters.
import { describe } from 'vitest'
import { open, variants } from '../../support/filters'
import { type Breach, itRefuses } from './breaches'

const NOT_JSON = 'Payload value is not valid JSON'
const BOOLEAN_PAYLOAD = "Payload keys must be 'true' for boolean flags"
const VARIANT_PAYLOAD = 'Payload keys must match a variant key for multivariate flags'

const RULES: Breach[] = [
  [29, open({ payloads: 'true' }), 'Payloads must be an object'],
  [29, open({ payloads: ['1'] }), 'Payloads must be an object'],
  [29, open({ payloads: null }), 'Payloads must be an object'],
  [30, open({ payloads: { true: 'bare words' } }), NOT_JSON],
  [30, open({ payloads: { true: '' } }), NOT_JSON],
  [30, open({ payloads: { true: '  ' } }), NOT_JSON],
  [30, open({ payloads: { true: "{'a': 1}" } }), NOT_JSON],
  [31, variants({ a: 100 }, { payloads: { true: '1' } }), VARIANT_PAYLOAD],
  [31, variants({ a: 100 }, { payloads: { a: '1', b: '1' } }), VARIANT_PAYLOAD],
  [32, open({ payloads: { false: '1' } }), BOOLEAN_PAYLOAD],
  [32, open({ payloads: { true: '1', True: '1' } }), BOOLEAN_PAYLOAD],
  [32, open({ multivariate: { variants: [] }, payloads: { a: '1' } }), BOOLEAN_PAYLOAD],
]

describe('the payloads of filters', () => {
  itRefuses(RULES)
})
