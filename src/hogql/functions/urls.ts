// Parts of URLs, as far as a few cuts find them.
import { STRING } from '../types'
import { unlessNull } from './returns'
import type { ScalarFunction, SqliteSite } from './spec'

const url = (name: string, write: (value: string, site: SqliteSite) => string): ScalarFunction => ({
  kind: 'scalar',
  guarded: true,
  name,
  takes: ['string'],
  returns: unlessNull(STRING),
  sqlite: ([value], site) => write(String(value), site),
})

/** The text before the first of some characters, all of it when there is none. */
const before = (text: string, marks: readonly string[]): string =>
  marks.reduce((rest, mark) => `substr(${rest}, 1, instr(${rest} || '${mark}', '${mark}') - 1)`, text)

/** What comes behind `//`, or the whole text where a host may stand at its start. */
const behindScheme = (v: string): string =>
  `CASE WHEN instr(${v}, '//') > 0 THEN substr(${v}, instr(${v}, '//') + 2) ELSE ${v} END`

/** The host, without a name and a password in front and a port behind. */
function domainOf(value: string, site: SqliteSite): string {
  return site.once(value, (v) =>
    site.once(`(${behindScheme(v)})`, (rest) =>
      site.once(before(rest, ['/', '?', '#']), (authority) =>
        site.once(
          site.once(before(authority, [':']), (named) => `substr(${named}, instr(${named}, '@') + 1)`),
          (host) =>
            // Only a text with a scheme or a dot is one.
            `CASE WHEN instr(${host}, '.') > 0 AND instr(${host}, ' ') = 0 AND substr(${v}, 1, 7) <> 'mailto:' THEN ${host} ELSE '' END`,
        ),
      ),
    ),
  )
}

/** Path, query and fragment. */
function afterHost(value: string, site: SqliteSite): string {
  return site.once(value, (v) =>
    site.once(
      `(${behindScheme(v)})`,
      (rest) => `CASE WHEN instr(${rest}, '/') > 0 THEN substr(${rest}, instr(${rest}, '/')) ELSE '' END`,
    ),
  )
}

/** What is behind the first question mark. */
const behindMark = (v: string): string =>
  `CASE WHEN instr(${v}, '?') > 0 THEN substr(${v}, instr(${v}, '?') + 1) ELSE '' END`

const query = (v: string): string => before(behindMark(v), ['#'])

export const URLS: readonly ScalarFunction[] = [
  url('protocol', (value, site) =>
    site.once(
      value,
      (v) => `CASE WHEN instr(${v}, '://') > 0 THEN substr(${v}, 1, instr(${v}, '://') - 1) ELSE '' END`,
    ),
  ),
  url('domain', domainOf),
  url('domainWithoutWWW', (value, site) =>
    site.once(
      domainOf(value, site),
      (host) => `CASE WHEN substr(${host}, 1, 4) = 'www.' THEN substr(${host}, 5) ELSE ${host} END`,
    ),
  ),
  url('topLevelDomain', (value, site) =>
    site.once(
      domainOf(value, site),
      (host) =>
        `CASE WHEN ${host} NOT GLOB '*[^0-9.]*' THEN '' ELSE replace(${host}, rtrim(${host}, replace(${host}, '.', '')), '') END`,
    ),
  ),
  url('path', (value, site) => site.once(afterHost(value, site), (rest) => before(rest, ['?', '#']))),
  url('pathFull', afterHost),
  url('queryString', (value, site) => site.once(value, query)),
  url('fragment', (value, site) =>
    site.once(
      value,
      (v) => `CASE WHEN instr(${v}, '#') > 0 THEN substr(${v}, instr(${v}, '#') + 1) ELSE '' END`,
    ),
  ),
  url('cutQueryString', (value, site) =>
    site.once(value, (v) =>
      site.once(
        behindMark(v),
        (rest) =>
          `(${before(v, ['?'])} || CASE WHEN instr(${rest}, '#') > 0 THEN substr(${rest}, instr(${rest}, '#')) ELSE '' END)`,
      ),
    ),
  ),
  url('cutFragment', (value, site) => site.once(value, (v) => before(v, ['#']))),
  url('cutQueryStringAndFragment', (value, site) => site.once(value, (v) => before(v, ['?', '#']))),
  {
    kind: 'scalar',
    guarded: true,
    name: 'extractURLParameter',
    takes: ['string', 'string'],
    returns: unlessNull(STRING),
    sqlite: ([value, name], site) =>
      site.once(`'&' || (${site.once(String(value), query)})`, (parameters) =>
        site.once(
          `instr(${parameters}, '&' || ${name} || '=')`,
          (at) =>
            `CASE WHEN ${at} = 0 THEN '' ELSE ${before(`substr(${parameters}, ${at} + length(${name}) + 2)`, ['&'])} END`,
        ),
      ),
  },
]
