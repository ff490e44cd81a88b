// Functions that return parts of URLs, as far as a few cuts find them.
import { arrayOf, STRING } from '../types'
import { computed, fn } from './define'
import { always } from './return-types'
import type { ScalarFunction, SqliteSite } from './spec'

const url = (name: string, write: (value: string, site: SqliteSite) => string): ScalarFunction =>
  fn(name, 'string', 'string', (site, value) => write(value, site), { guarded: true })

/** Defines a part that a few expressions over the URL itself give. */
const cut = (name: string, write: (v: string) => string): ScalarFunction =>
  url(name, (value, site) => site.once(value, write))

/** Returns SQL of the text before the first of some characters, or of the whole text when there is none. */
const before = (text: string, marks: readonly string[]): string =>
  marks.reduce((rest, mark) => `substr(${rest}, 1, instr(${rest} || '${mark}', '${mark}') - 1)`, text)

/** SQL of the text after a scheme. ClickHouse looks for the scheme in the first 16 bytes. */
const afterShortScheme = (v: string): string =>
  `CASE WHEN substr(${v}, 1, 2) = '//' THEN substr(${v}, 3) WHEN instr(${v}, '://') BETWEEN 2 AND 14 AND substr(${v}, 2, max(0, instr(${v}, '://') - 2)) NOT GLOB '*[^A-Za-z0-9.+-]*' THEN substr(${v}, instr(${v}, '://') + 3) ELSE ${v} END`

/** Returns SQL of the text after the last `@`. */
const afterUser = (v: string): string =>
  `CASE WHEN instr(${v}, '@') = 0 THEN ${v} ELSE json_extract('[' || replace(json_quote(${v}), '@', '","') || ']', '$[#-1]') END`

/** Returns SQL of the host without credentials and port, if it has a dot. A password ends the host, as `:` does. */
const domainOf = (value: string, site: SqliteSite): string =>
  site.once(value, (v) =>
    site.once(
      site.once(`(${afterShortScheme(v)})`, (rest) => before(rest, ['/', '?', '#', ':'])),
      (named) =>
        `CASE WHEN instr(${named}, '.') > 0 AND substr(${named}, -1) <> '.' AND ${named} NOT GLOB '*[] \t<>%{}|\\^~[;=&]*' THEN ${afterUser(named)} ELSE '' END`,
    ),
  )

/** SQL of path, query and fragment: the text from the first slash, or after two slashes from the one after the host. */
const afterHost = (value: string, site: SqliteSite): string =>
  site.once(value, (v) =>
    site.once(
      `CASE WHEN instr(${v}, '/') = instr(${v}, '//') THEN substr(${v}, instr(${v}, '//') + 2) ELSE ${v} END`,
      (rest) => `CASE WHEN instr(${rest}, '/') > 0 THEN substr(${rest}, instr(${rest}, '/')) ELSE '' END`,
    ),
  )

const afterMark = (v: string, mark: '?' | '#'): string =>
  `CASE WHEN instr(${v}, '${mark}') > 0 THEN substr(${v}, instr(${v}, '${mark}') + 1) ELSE '' END`

const query = (v: string): string => before(afterMark(v, '?'), ['#'])

/** SQL of the text from the first `?` or `#` on. */
const fromMark = (v: string): string => `substr(${v}, length(${before(v, ['?', '#'])}) + 1)`

export const URLS: readonly ScalarFunction[] = [
  computed('encodeURLComponent', 'string', 'string'),
  computed('decodeURLComponent tryDecodeURLComponent', 'string', 'string', {
    clickhouse: 'decodeURLComponent($1)',
  }),
  computed('port', 'string', 'integer'),
  computed('queryStringAndFragment', 'string', 'string'),
  computed('extractURLParameters', 'string', always(arrayOf(STRING))),
  computed('extractURLParameterNames', 'string', always(arrayOf(STRING))),
  computed('cutURLParameter', 'string, string', 'string'),
  computed('cutWWW', 'string', 'string'),
  computed('URLPathHierarchy', 'string', always(arrayOf(STRING))),
  computed('URLHierarchy', 'string', always(arrayOf(STRING))),
  cut(
    'protocol',
    // ClickHouse requires three bytes after the colon.
    (v) =>
      `CASE WHEN ${v} GLOB '[A-Za-z]*:*' AND substr(${v}, 1, instr(${v}, ':') - 1) NOT GLOB '*[^A-Za-z0-9.+-]*' AND octet_length(substr(${v}, instr(${v}, ':'))) > 3 THEN substr(${v}, 1, instr(${v}, ':') - 1) ELSE '' END`,
  ),
  url('domain', domainOf),
  url('domainWithoutWWW', (value, site) =>
    site.once(
      domainOf(value, site),
      (host) => `CASE WHEN substr(${host}, 1, 4) = 'www.' THEN substr(${host}, 5) ELSE ${host} END`,
    ),
  ),
  url('topLevelDomain', (value, site) =>
    site.once(domainOf(value, site), (host) =>
      site.once(
        `replace(${host}, rtrim(${host}, replace(${host}, '.', '')), '')`,
        // The last label of an address is a number, and the dot may have been in the name of a user.
        (last) =>
          `CASE WHEN substr(${last}, 1, 1) BETWEEN '0' AND '9' OR instr(${host}, '.') = 0 THEN '' ELSE ${last} END`,
      ),
    ),
  ),
  url('path', (value, site) => site.once(afterHost(value, site), (rest) => before(rest, ['?', '#']))),
  url('pathFull', afterHost),
  cut('queryString', query),
  cut('fragment', (v) => afterMark(v, '#')),
  url('cutQueryString', (value, site) =>
    site.once(value, (v) =>
      site.once(
        afterMark(v, '?'),
        (rest) =>
          `(${before(v, ['?'])} || CASE WHEN instr(${rest}, '#') > 0 THEN substr(${rest}, instr(${rest}, '#')) ELSE '' END)`,
      ),
    ),
  ),
  cut('cutFragment', (v) => before(v, ['#'])),
  // A fragment before the query stays, as with queryStringAndFragment.
  cut(
    'cutQueryStringAndFragment',
    (v) => `CASE WHEN instr(${v}, '?') > 0 THEN ${before(v, ['?'])} ELSE ${before(v, ['#'])} END`,
  ),
  fn(
    'extractURLParameter',
    'string, string',
    'string',
    (site, value, name) =>
      site.once(site.once(value, fromMark), (rest) =>
        site.once(
          // A parameter follows any of the three marks, and its value may have `?`.
          `instr(replace(replace(${rest}, '?', '&'), '#', '&'), '&' || ${name} || '=')`,
          (at) =>
            `CASE WHEN ${at} = 0 THEN '' ELSE ${before(`substr(${rest}, ${at} + length(${name}) + 2)`, ['&', '#'])} END`,
        ),
      ),
    { guarded: true },
  ),
]
