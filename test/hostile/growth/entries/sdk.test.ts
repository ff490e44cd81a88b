// What SDKs send, with no more than a public token: bodies in every encoding, their fields, events and headers.
import { gzipSync } from 'node:zlib'
import LZString from 'lz-string'
import { changePersons } from '../../../../src/analytics/capture/person-changes'
import { changeGroups } from '../../../../src/analytics/capture/group-changes'
import { createKnownProperties, learnProperties } from '../../../../src/analytics/capture/learn-properties'
import {
  type CapturedEvent,
  MAX_EVENT_BYTES,
  parseEvent,
} from '../../../../src/analytics/capture/parse-event'
import { warningsOf } from '../../../../src/analytics/capture/warnings'
import { eventRow, uniqueByUuid } from '../../../../src/analytics/ingestion/captured-rows'
import { messagesOf } from '../../../../src/analytics/ingestion/message'
import { waitIn } from '../../../../src/sdk/operations/capture'
import { MAX_BODY_BYTES } from '../../../../src/http/body/body'
import { createRequestMemory } from '../../../../src/http/limits/request-memory'
import { noRows } from '../../../../src/outbox/ingestion-rows'
import { tokensAtStart } from '../../../../src/sdk/body/early-tokens'
import {
  CAPTURE_BODY,
  MAX_CAPTURE_BYTES,
  MAX_CAPTURE_VALUES,
  parseSdkBody,
  SMALL_BODY,
} from '../../../../src/sdk/body/read-body'
import { PREFIX_BYTES } from '../../../../src/sdk/body/read-text'
import { parseCaptureRequest } from '../../../../src/sdk/capture-request'
import { parseCaptureV1, resultsV1 } from '../../../../src/sdk/capture-v1'
import { parseFlagsRequest } from '../../../../src/sdk/flags-request'
import { parseOfrepRequest } from '../../../../src/sdk/ofrep/request'
import { bearerOf } from '../../../../src/sdk/project-token'
import type { JsonObject } from '../../../../src/json'
import { itGrowsLinearly } from '../entry-growth'
import { type Entry, entry, mapped, repeated, type Shapes, someValues, TEXTS, texts, VALUES } from '../shapes'

const URL_OF_FLAGS = 'http://localhost/flags'
const now = new Date('2026-03-10T12:00:00Z')

const readBody = (body: string | Uint8Array, limits = SMALL_BODY, query = ''): Promise<unknown> => {
  const request = new Request(URL_OF_FLAGS + query, { method: 'POST', body: body as BodyInit })
  return parseSdkBody(request, new URL(request.url), {
    limits,
    lease: createRequestMemory().open(),
    async checkStart(start) {
      tokensAtStart(start, true)
      return true
    },
  })
}

const bodyTexts: Shapes<string> = {
  ...TEXTS,
  ...mapped(VALUES, (value) => JSON.stringify(value)),
}
const base64 = (text: string | Uint8Array) => Buffer.from(text).toString('base64')

/** What decoders meet: one byte, many, several for a character, none that is valid. What comes out is read as a plain body is. */
const encodedTexts: Shapes<string> = {
  ...texts(
    'one letter',
    'words',
    'broken percents',
    'escaped quotes without an end',
    'letters beyond ASCII',
    'half characters',
  ),
  ...mapped(someValues('a wide object', 'a list of empty objects', 'nested objects'), (value) =>
    JSON.stringify(value),
  ),
}

/** How a body may be sent. An escaped one is three times as long. */
const ENCODINGS: Record<string, (text: string) => string | Uint8Array> = {
  'a body in gzip': (text) => gzipSync(text, { level: 1 }),
  'a body in base64': base64,
  'a body of gzip in base64': (text) => base64(gzipSync(text, { level: 1 })),
  'a form': (text) => `data=${encodeURIComponent(text.toWellFormed()).slice(0, MAX_BODY_BYTES - 5)}`,
  'a form of base64': (text) => `data=${encodeURIComponent(base64(text)).slice(0, MAX_BODY_BYTES - 5)}`,
}

const bodies = [
  entry('a body', MAX_BODY_BYTES, bodyTexts, (body) => readBody(body)),
  ...Object.entries(ENCODINGS).map(([name, encode]) =>
    entry(name, MAX_BODY_BYTES, mapped(encodedTexts, encode), (body) => readBody(body)),
  ),
]

const lzBodies = entry(
  'a body in lz64',
  // Decompression is the slowest of all.
  MAX_BODY_BYTES / 16,
  mapped(encodedTexts, (text) => LZString.compressToBase64(text)),
  (body) => readBody(body, SMALL_BODY, '?compression=lz64'),
)

const SOME_VALUES = someValues('a wide object', 'a list of empty objects', 'nested objects')

/** As many values as a body of events may have, and as many bytes. */
const largest = [
  entry(
    'a body of events',
    MAX_CAPTURE_BYTES,
    texts('escaped quotes without an end', 'not a number'),
    (body) => readBody(body, CAPTURE_BODY),
  ),
  entry(
    'values of a body of events',
    3 * MAX_CAPTURE_VALUES,
    mapped({ 'empty objects': VALUES['a list of empty objects'] }, (value) =>
      gzipSync(JSON.stringify(value), { level: 1 }),
    ),
    (body) => readBody(body, CAPTURE_BODY),
  ),
]

/** Fields of a request that take any value; each is one of a body. */
const FLAGS_FIELDS = [
  'distinct_id',
  'person_properties',
  'groups',
  'group_properties',
  'flag_keys',
  'evaluation_contexts',
]

const flags = FLAGS_FIELDS.map((field) =>
  entry(`${field} of /flags`, MAX_BODY_BYTES, VALUES, (value) =>
    parseFlagsRequest({ distinct_id: 'ada', [field]: value } as JsonObject, new Headers()),
  ),
)

const ofrep = entry('the context of OFREP', MAX_BODY_BYTES, VALUES, (value) =>
  parseOfrepRequest(
    {
      request: new Request(URL_OF_FLAGS),
      readBody: async () => ({ context: { targetingKey: 'ada', groups: value, plan: value } }),
    } as never,
    null,
  ),
)

const parsed = (raw: unknown, index = 0) =>
  parseEvent(raw, index, { now, sentAt: null, newUuid: () => crypto.randomUUID() })

/** All that is done with events besides reading and writing rows. */
function processEvents(sent: readonly unknown[]): unknown {
  const read = sent.map(parsed)
  const events = uniqueByUuid(read.flatMap(({ event }) => event ?? []))
  const persons = changePersons(events, new Map(), () => crypto.randomUUID())
  const groups = changeGroups(events, new Map([['company', 0]]), new Map())
  const problems = [...read.flatMap((each) => each.problems), ...persons.problems, ...groups.problems]
  const isAccepted = (index: number) => read[index]?.event !== null
  return [
    learnProperties(events, groups.typeIndexes, createKnownProperties().of(1), now),
    messagesOf(
      { projectId: 1, store: { shard: 'EVENTS', queryEngine: 'd1' } },
      { ...noRows(), events: events.map((event) => rowOf(event, groups.typeIndexes, persons.changedNames)) },
    ),
    warningsOf(sent, problems, isAccepted, now),
    resultsV1(
      { events: sent, ignoredOptions: new Map() },
      { problems, isAccepted, uuids: [], personVersions: new Map() },
    ),
  ]
}

const rowOf = (
  event: CapturedEvent,
  typeIndexes: ReadonlyMap<string, number>,
  changed: ReadonlyMap<string, readonly string[]>,
) => eventRow(event, typeIndexes, changed.get(event.uuid), now)

const event = (fields: object) => ({
  event: 'opened',
  distinct_id: 'ada',
  uuid: crypto.randomUUID(),
  ...fields,
})

/** Parts with members. */
const OBJECTS_OF_EVENT: Record<string, (value: unknown) => object> = {
  properties: (properties) => ({ properties }),
  $set: ($set) => ({ properties: { $set } }),
  $set_once: ($set_once) => ({ properties: { $set_once } }),
  $unset: ($unset) => ({ properties: { $unset } }),
  $groups: ($groups) => ({ properties: { $groups } }),
  $group_set: ($group_set) => ({
    event: '$groupidentify',
    properties: { $group_type: 'company', $group_key: 'acme', $group_set },
  }),
}

/** Parts that are a text: a value of another type becomes one, or is refused. */
const TEXTS_OF_EVENT: Record<string, (value: unknown) => object> = {
  'the name': (value) => ({ event: value }),
  'the distinct id': (value) => ({ distinct_id: value }),
  'the time': (value) => ({ timestamp: value }),
  'the uuid': (value) => ({ uuid: value }),
  'the flag': (value) => ({
    event: '$feature_flag_called',
    properties: { $feature_flag: value, $feature_flag_response: value },
  }),
  'the alias': (value) => ({ event: '$create_alias', properties: { alias: value } }),
}

const partsOf = (parts: Record<string, (value: unknown) => object>, shapes: Shapes) =>
  Object.entries(parts).map(([name, fieldsOf]) =>
    entry(`${name} of an event`, MAX_EVENT_BYTES, shapes, (value) => processEvents([event(fieldsOf(value))])),
  )

const parts = [
  ...partsOf(OBJECTS_OF_EVENT, { ...VALUES, ...texts('digits') }),
  ...partsOf(TEXTS_OF_EVENT, {
    ...texts('blanks', 'half characters', 'digits'),
    ...someValues('a text', 'a text beyond ASCII', 'a text of escapes', 'a wide object', 'nested lists'),
  }),
]

/** The number of events of a request is bounded, too: items. */
const MANY: Record<string, (index: number) => unknown> = {
  'of one person': () => event({ properties: { $set: { a: 1 } } }),
  'of a person each': (index) => event({ distinct_id: `person ${index}`, properties: { $set: { a: 1 } } }),
  'of a group each': (index) =>
    event({ properties: { $groups: { company: `c${index}`, [`type${index}`]: 'a' } } }),
  'that merge persons in a row': (index) =>
    event({ event: '$merge_dangerously', distinct_id: `p${index}`, properties: { alias: `p${index + 1}` } }),
  'that merge persons into one': (index) =>
    event({ event: '$merge_dangerously', distinct_id: 'p', properties: { alias: `p${index}` } }),
  'that are none': () => null,
  'without a name': (index) => ({ distinct_id: `p${index}`, uuid: crypto.randomUUID() }),
  'with a wrong time': (index) => event({ timestamp: `then ${index}` }),
  'with one uuid': () => event({ uuid: '0195a1c0-0000-7000-8000-000000000000' }),
  'of many names': (index) => event({ event: `name ${index}`, properties: { [`property ${index}`]: 1 } }),
}

const many = Object.entries(MANY).map(([name, make]) =>
  entry(
    `events ${name}`,
    10_000,
    { 'up to the limit': (size) => Array.from({ length: size }, (_, index) => make(index)) },
    processEvents,
  ),
)

const requests = [
  entry('a batch', 2 * MAX_BODY_BYTES, SOME_VALUES, (value) =>
    parseCaptureRequest({ api_key: 'a', batch: [value].flat(), sent_at: value }, new URLSearchParams()),
  ),
  entry('a batch of newer SDKs', 2 * MAX_BODY_BYTES, SOME_VALUES, (value) =>
    parseCaptureV1(
      { batch: [value].flat().map((options) => ({ options, properties: options })) },
      new Headers(),
    ),
  ),
]

/** Cloudflare takes 128 KB of headers, Node 16 KB. */
const MAX_HEADER = 128 * 1024
/** Headers hold no control characters and nothing beyond Latin-1. */
const headerTexts = mapped(
  { ...TEXTS, 'words of Prefer': repeated('wait= ,'), 'user agents': repeated('Mozilla/5.0 (x; ') },
  (text) => text.replaceAll(/[^\x20-\xff]/g, ' '),
)

const HEADERS: Record<string, (text: string) => unknown> = {
  Authorization: (text) => bearerOf(new Headers({ Authorization: `Bearer ${text}` })),
  'User-Agent': (text) => parseFlagsRequest({ distinct_id: 'a' }, new Headers({ 'User-Agent': text })),
  Prefer: (text) => waitIn(new Headers({ Prefer: text })),
  'PostHog-Sdk-Info': (text) => parseCaptureV1({ batch: [{}] }, new Headers({ 'PostHog-Sdk-Info': text })),
  'PostHog-Request-Timestamp': (text) =>
    parseCaptureV1({ batch: [] }, new Headers({ 'PostHog-Request-Timestamp': text })),
}

const headers = Object.entries(HEADERS).map(([name, read]) => entry(name, MAX_HEADER, headerTexts, read))

const ENTRIES: readonly Entry[] = [
  ...bodies,
  lzBodies,
  ...largest,
  ...flags,
  ofrep,
  ...parts,
  ...many,
  ...requests,
  ...headers,
  entry('the start of a large body', PREFIX_BYTES, bodyTexts, (text) => tokensAtStart(text, true)),
]

itGrowsLinearly('SDKs', ENTRIES)
