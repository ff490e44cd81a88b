// Sessions that views of pages do not begin, or that have none, and what they are on both engines.
import type { SampleProject } from './dataset'
import { PROJECT } from './dataset'
import type { Properties, SampleEvent } from './dataset-shape'

const eventAt = (
  time: string,
  session: string,
  event: string,
  distinctId: string,
  properties: Properties = {},
): Omit<SampleEvent, 'uuid'> => ({
  event,
  distinctId,
  timestamp: `2026-03-10T${time}.000000Z`,
  createdAt: `2026-03-10T${time}.000000Z`,
  properties: { ...properties, $session_id: session },
})

const EVENTS = [
  eventAt('09:00:00', 'a-server-first', 'order', 'visitor', {
    $current_url: 'https://x.test/api',
    $referring_domain: 'api.test',
    utm_source: 'mail',
  }),
  eventAt('09:00:01', 'a-server-first', '$pageview', 'visitor', {
    $current_url: 'https://x.test/start?x=1#top',
    $pathname: '/else',
    $referring_domain: 'google.com',
    utm_source: 'ads',
  }),
  eventAt('09:00:02', 'a-server-first', '$autocapture', 'ada', { $current_url: 'https://x.test/other' }),
  eventAt('10:00:00', 'b-no-view', 'order', 'ada', {
    $current_url: 'https://x.test/pay',
    utm_source: 'push',
  }),
  eventAt('11:00:00', 'c-screen', '$screen', 'ada'),
  eventAt('12:00:00', 'd-click', '$autocapture', 'ada', { $current_url: 'https://x.test/' }),
  eventAt('13:00:00', 'e-long', '$pageview', 'ada', { $current_url: 'https://x.test/a' }),
  eventAt('13:00:10', 'e-long', 'order', 'ada', { $current_url: 'https://x.test/b' }),
  eventAt('14:00:00', '', 'no session', 'ada'),
]

export const SESSIONS_PROJECT: SampleProject = {
  ...PROJECT,
  events: EVENTS.map((each, at) => ({
    ...each,
    uuid: `77777777-0000-4000-8000-${String(at).padStart(12, '0')}`,
  })),
}

const START = 'https://x.test/start?x=1#top'

export const SESSION_QUERIES: readonly { sql: string; rows: readonly unknown[][] }[] = [
  {
    sql: `SELECT session_id, distinct_id, $entry_current_url, $exit_current_url, $entry_referring_domain, $entry_utm_source, $num_uniq_urls
      FROM sessions ORDER BY session_id`,
    rows: [
      ['a-server-first', 'ada', START, START, 'google.com', 'ads', 1],
      ['b-no-view', 'ada', 'https://x.test/pay', 'https://x.test/pay', null, 'push', 0],
      ['c-screen', 'ada', null, null, null, null, 0],
      ['d-click', 'ada', 'https://x.test/', 'https://x.test/', null, null, 0],
      ['e-long', 'ada', 'https://x.test/a', 'https://x.test/a', null, null, 1],
    ],
  },
  {
    sql: 'SELECT $entry_pathname, $exit_pathname, $end_pathname, $entry_hostname FROM sessions ORDER BY session_id',
    rows: [
      ['/start', '/start', '/start', 'x.test'],
      ['/pay', '/pay', '/pay', 'x.test'],
      [null, null, null, null],
      ['/', '/', '/', 'x.test'],
      ['/a', '/a', '/a', 'x.test'],
    ],
  },
  {
    sql: 'SELECT $is_bounce FROM sessions ORDER BY session_id',
    rows: [[false], [null], [true], [true], [false]],
  },
  {
    sql: 'SELECT $entry_pathname, $exit_pathname, $is_bounce FROM (SELECT * FROM sessions) ORDER BY session_id',
    rows: [
      ['/start', '/start', false],
      ['/pay', '/pay', null],
      [null, null, true],
      ['/', '/', true],
      ['/a', '/a', false],
    ],
  },
  {
    sql: `SELECT $channel_type AS channel, $entry_utm_source AS source, count() FROM sessions
      WHERE $channel_type != 'Direct' GROUP BY channel, source ORDER BY channel, source`,
    rows: [
      ['Organic Search', 'ads', 1],
      ['Unknown', 'push', 1],
      ['Unknown', null, 3],
    ],
  },
  {
    sql: `SELECT session.$channel_type, uniq($session_id), count(), max(session.$entry_pathname), max(session.$session_duration)
      FROM events WHERE ifNull(session.$entry_pathname, '') != '/a' GROUP BY session.$channel_type ORDER BY 1`,
    rows: [
      ['Organic Search', 1, 3, '/start', 2],
      ['Unknown', 3, 3, '/pay', 0],
      [null, 1, 1, null, null],
    ],
  },
  {
    sql: `SELECT a.session.$channel_type, s.$channel_type FROM events AS a JOIN sessions AS s ON s.$channel_type = a.session.$channel_type
      WHERE a.event = '$pageview' AND s.session_id = 'a-server-first'`,
    rows: [['Organic Search', 'Organic Search']],
  },
]
