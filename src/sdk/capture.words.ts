// What the reference says of sending events, and of what a browser SDK is told when it starts.
import { person, project } from '../http/docs/examples'
import type { Words } from '../docs/words'
import { browserConfig } from './browser-config'

const TOKEN = 'The public token of the project (`phc_…`)'

const purchase = {
  event: 'purchase',
  distinct_id: person.distinct_id,
  properties: { plan: 'pro', amount: 30, $set: person.properties },
}

export const captureWords: Words = {
  schemas: {
    CapturedEvent: {
      is: 'Something that happened. At most 800,000 bytes of JSON.',
      fields: {
        event:
          'Its name, at most 200 characters. Some mean more: `$identify`, `$create_alias`, `$groupidentify`, `$feature_flag_called`.',
        distinct_id: 'Who it is about: an id that the application chooses, at most 200 characters.',
        properties:
          'What there is to say of it. `$set`, `$set_once` and `$unset` change properties of the person, `$groups` names groups by type; `$process_person_profile: false` leaves people alone. Default none.',
        timestamp:
          'When it happened: ISO 8601 (without an offset, UTC); RFC 2822, or seconds or milliseconds since 1970, are accepted too. Default, and when it is more than 23 hours ahead: now.',
        uuid: 'Names the event: one that is known already is not stored again, so that a request may be repeated. Default a new one.',
      },
      example: purchase,
    },
    CaptureBatch: {
      is: 'Events of one project. At most 20 MiB after decompression, and 500,000 JSON values.',
      fields: {
        api_key: `${TOKEN}; \`token\` means the same.`,
        batch: 'The events, in the order in which they happened; at most 10,000.',
        sent_at:
          'Now, by the caller’s clock (ISO 8601). The timestamps of the events are corrected by as many whole minutes as that clock is wrong. Default: it is right.',
      },
      example: { api_key: project.api_token, batch: [purchase] },
    },
    CaptureResult: {
      is: 'What became of the events.',
      fields: {
        status: 'Always `Ok`: events were stored, if not all of them.',
        errors: 'What could not be done, in the order of the events; absent when everything was.',
        'errors.index': 'Place of the event in the request, from 0.',
        'errors.detail': 'Why, for people, in English.',
        'errors.attr': 'The field, its path joined with `__`; null for the event as a whole.',
      },
      example: { status: 'Ok' },
    },
    BrowserConfig: {
      is: 'What a browser SDK should do besides flags and events: nothing. The same for every project; in posthog-js’s own words.',
      fields: {
        supportedCompression: 'How bodies may be compressed.',
        hasFeatureFlags: 'Whether to ask for flags.',
      },
      example: browserConfig,
    },
  },
  operations: {
    remote_config: {
      parameters: { token: { is: `${TOKEN}.`, example: project.api_token } },
    },
  },
}
