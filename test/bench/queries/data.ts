// Makes a project with a million events by SQL of the database itself, so that the rows are the same every time.
//
// Events come eight to a session, from a start that moves through 90 days. Few people are busy and many are not; some people have two
// distinct ids, and some visitors have no person. Properties are what a browser sends, and a number on two kinds of event.

export const EVENTS = 1_000_000
const PERSONS_PER_EVENT = 0.02
export const DAYS = 90
/** The first day in UTC, which is a Sunday. */
const FIRST_DAY = '2026-03-01'
export const PROJECT = 1

const CHUNK = 50_000
const personsOf = (events: number) => events * PERSONS_PER_EVENT
const PRIME = 2_147_483_647

/** Returns SQL for a number from 0 to below 1 that looks random and is always the same for the same `of`. */
function random(of: string, salt: number): string {
  const seed = `((${of}) * 7919 + ${salt * 104_729}) % ${PRIME}`
  return `(((${seed}) * (${seed})) % ${PRIME} / ${PRIME}.0)`
}

/** Returns SQL for one of the values, the first ones more often. */
function oneOf(values: readonly string[], of: string, salt: number): string {
  const roll = random(of, salt)
  const list = JSON.stringify(values)
  return `('${list}' ->> CAST(${roll} * ${roll} * ${values.length} AS INTEGER))`
}

/** Returns SQL for a stored timestamp from seconds (text with `?` for a column or an expression) since the first day. */
const at = (firstDay: string, seconds: string, millis: string) =>
  `strftime('%Y-%m-%dT%H:%M:%S', unixepoch('${firstDay}') + CAST(${seconds} AS INTEGER), 'unixepoch') ||
    printf('.%03d000Z', CAST(${millis} AS INTEGER))`

const numbers = (from: number, to: number) =>
  `n(i) AS (SELECT ${from} UNION ALL SELECT i + 1 FROM n WHERE i < ${to - 1})`

const BROWSERS = ['Chrome', 'Safari', 'Firefox', 'Edge', 'Samsung Internet', 'Opera']
const SYSTEMS = ['Windows', 'Mac OS X', 'iOS', 'Android', 'Linux']
const COUNTRIES = ['US', 'DE', 'GB', 'FR', 'IN', 'BR', 'JP', 'CA', 'NL', 'AU', 'SE', 'ES']
const PATHS = [
  '/',
  '/pricing',
  '/docs',
  '/blog',
  '/login',
  '/settings',
  ...Array.from({ length: 60 }, (_, n) => `/docs/${n}`),
]

/** Returns SQL for one of forty user agents, of which two are those of bots. */
const userAgent = (of: string) =>
  `iif(${of} < 2, printf('Mozilla/5.0 (compatible; Googlebot/2.%d; +http://www.google.com/bot.html)', ${of}),
    printf('Mozilla/5.0 (X11; Linux x86_64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/%d.0.0.0 Safari/537.36', 100 + ${of}))`

const persons = (firstDay: string, from: number, to: number) => `
  WITH RECURSIVE ${numbers(from, to)}
  INSERT INTO persons (project_id, uuid, properties, is_identified, created_at, version, is_deleted)
  SELECT ${PROJECT}, printf('00000000-0000-7000-8000-%012x', i),
    jsonb_object('email', printf('user%d@%s', i, ${oneOf(['example.com', 'example.org', 'example.net'], 'i', 1)}),
      'plan', ${oneOf(['free', 'paid', 'enterprise'], 'i', 2)}, 'country', ${oneOf(COUNTRIES, 'i', 3)},
      'seats', CAST(${random('i', 4)} * 50 AS INTEGER)),
    1, ${at(firstDay, `${random('i', 5)} * ${DAYS * 86_400}`, '0')}, 1, 0
  FROM n`

const distinctIds = (count: number) => `
  WITH RECURSIVE ${numbers(0, count)}
  INSERT INTO person_distinct_ids (project_id, distinct_id, person_uuid, version)
  SELECT ${PROJECT}, printf('user-%d', i), printf('00000000-0000-7000-8000-%012x', i), 1 FROM n
  UNION ALL
  SELECT ${PROJECT}, printf('device-%d', i), printf('00000000-0000-7000-8000-%012x', i), 1 FROM n WHERE i % 5 = 0`

const events = (firstDay: string, from: number, to: number, total: number) => `
  WITH RECURSIVE ${numbers(from, to)},
  s AS (
    SELECT i, i / 8 AS k, i % 8 AS step, ${random('i', 11)} AS roll,
      CAST(${personsOf(total)} * ${random('i / 8', 12)} * ${random('i / 8', 12)} AS INTEGER) AS person
    FROM n
  ),
  e AS (
    SELECT *, CASE
        WHEN step = 0 OR roll < 0.40 THEN '$pageview' WHEN roll < 0.64 THEN '$autocapture'
        WHEN roll < 0.76 THEN '$pageleave' WHEN roll < 0.84 THEN 'logged in' WHEN roll < 0.91 THEN 'added to cart'
        WHEN roll < 0.95 THEN 'purchased' WHEN roll < 0.98 THEN 'used feature' ELSE 'signed up' END AS event,
      CASE WHEN k % 33 = 7 THEN printf('visitor-%d', k) WHEN person % 5 = 0 AND k % 2 = 0 THEN printf('device-%d', person)
        ELSE printf('user-%d', person) END AS distinct_id,
      ${oneOf(PATHS, 'i', 13)} AS path,
      k * ${(DAYS * 86_400) / (total / 8)} + ${random('i / 8', 14)} * 7200 + step * (5 + CAST(${random('i / 8', 15)} * 120 AS INTEGER))
        AS seconds
    FROM s
  )
  INSERT INTO events (project_id, uuid, event, distinct_id, properties, timestamp, created_at, sets_properties, flag_key, flag_response)
  SELECT ${PROJECT}, printf('%08x-0000-7000-8000-%012x', i, k), event, distinct_id,
    jsonb_patch(
      json_object('$browser', ${oneOf(BROWSERS, 'k', 21)}, '$browser_version', 100 + k % 30, '$os', ${oneOf(SYSTEMS, 'k', 22)},
        '$device_type', iif(k % 3 = 0, 'Mobile', 'Desktop'), '$host', 'app.example.com', '$pathname', path,
        '$current_url', 'https://app.example.com' || path, '$referring_domain', ${oneOf(['$direct', 'google.com', 'example.org'], 'k', 23)},
        '$session_id', printf('01900000-0000-7000-9000-%012x', k), '$window_id', printf('01900000-0000-7000-a000-%012x', k),
        '$lib', 'web', '$lib_version', '1.434.18', '$screen_width', 1280 + 160 * (k % 5), '$screen_height', 720 + 90 * (k % 5),
        '$geoip_country_code', ${oneOf(COUNTRIES, 'k', 24)}, '$raw_user_agent', ${userAgent('k % 40')}, 'is_internal', json(iif(k % 50 = 0, 'true', 'false'))),
      json_object('load_ms', iif(event = '$pageview', CAST(50 + 3000 * ${random('i', 25)} * ${random('i', 25)} AS INTEGER), NULL),
        'amount', iif(event = 'purchased', round(5 + 300 * ${random('i', 26)} * ${random('i', 26)}, 2), NULL),
        'items', iif(event = 'purchased', 1 + i % 4, NULL))),
    ${at(firstDay, 'seconds', 'i % 1000')}, ${at(firstDay, 'seconds', 'i % 1000')}, 0, NULL, NULL
  FROM e`

const definitions = () => {
  const numeric = ['$browser_version', '$screen_width', '$screen_height', 'load_ms', 'amount', 'items']
  const text = ['$browser', '$os', '$device_type', '$host', '$pathname', '$current_url', '$session_id']
  const rows = [
    ...numeric.map((name) => ['event', name, 'Numeric']),
    ...text.map((name) => ['event', name, 'String']),
    ['event', 'is_internal', 'Boolean'],
    ['person', 'email', 'String'],
    ['person', 'plan', 'String'],
    ['person', 'seats', 'Numeric'],
  ]
  return `INSERT INTO property_definitions (project_id, owner, name, type) SELECT ${PROJECT}, value ->> 0, value ->> 1, value ->> 2
    FROM json_each('${JSON.stringify(rows)}')`
}

/** Counts the events as the consumer of the ingestion queue does. */
const volumes = `
  INSERT INTO event_volumes (project_id, event, day, events, bytes, largest)
  WITH counted AS MATERIALIZED (
    SELECT project_id, event, substr(timestamp, 1, 10) AS day, count(*) AS events, sum(octet_length(json(properties))) AS bytes,
      max(octet_length(json(properties))) AS largest
    FROM events GROUP BY 1, 2, 3)
  SELECT * FROM counted
  UNION ALL SELECT project_id, '', day, sum(events), sum(bytes), max(largest) FROM counted GROUP BY 1, 3`

/**
 * Returns the statements that make the project's data, in order. Each takes its database a short time.
 * @param options the first day, in UTC; and how many events.
 */
export function loading({ firstDay = FIRST_DAY, total = EVENTS } = {}): { main: string[]; events: string[] } {
  const chunks = Array.from({ length: Math.ceil(total / CHUNK) }, (_, n) =>
    events(firstDay, n * CHUNK, Math.min(total, (n + 1) * CHUNK), total),
  )
  const people = personsOf(total)
  return {
    main: [definitions()],
    events: [persons(firstDay, 0, people), distinctIds(people), ...chunks, volumes],
  }
}
