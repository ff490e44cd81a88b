// Functions of URLs as ClickHouse has them, for D1.
import type { Work } from './limits'

/** Returns the port. It is 0 without a port, and when the host has no dot. A password ends the host, as a port does. */
export function portOf(url: string): number {
  const [start = ''] = /^(?:\/\/|.[a-z0-9.+-]{0,12}:\/\/)/is.exec(url) ?? []
  const [named = ''] = /^[^/?#:]*/.exec(url.slice(start.length)) ?? []
  const isHost = named.includes('.') && !/[.@]$|[\] \t<>%{}|\\^~[;=&]/.test(named)
  const [, port = '0'] = (isHost && /^:(\d+)(?:\/|$)/.exec(url.slice(start.length + named.length))) || []
  return Number(port) > 65_535 ? 0 : Number(port)
}

/** Returns the text after the first `?`, or without one the fragment with its `#`. */
export function queryAndFragment(url: string): string {
  const query = url.indexOf('?')
  if (query >= 0) return url.slice(query + 1)
  return url.includes('#') ? url.slice(url.indexOf('#')) : ''
}

/** Returns each `name=value` of a query and a fragment. A name follows the last `?` before its `=`. The last one counts only with a `=`. */
export function parametersOf(url: string): string[] {
  const query = url.search(/[?#]/)
  if (query < 0) return []
  const parts = url
    .slice(query + 1)
    .split(/[&#]/)
    .map((part) =>
      part.slice(part.lastIndexOf('?', part.indexOf('=') < 0 ? Infinity : part.indexOf('=')) + 1),
    )
  return parts.at(-1)?.includes('=') ? parts : parts.slice(0, -1)
}

export const parameterNames = (url: string): string[] =>
  parametersOf(url).map((parameter) => parameter.split('=', 1)[0] ?? '')

/** Returns the URL without the first parameter of a name. */
export function withoutParameter(url: string, name: string, work: Work): string {
  for (const { 0: mark, index } of url.matchAll(/[?&#]/g)) {
    // The name may have such characters itself, and be almost found at each.
    work.spend(name.length)
    if (!url.startsWith(`${name}=`, index + 1)) continue
    const rest = url.slice(index + 1)
    const end = rest.search(/[&#]/)
    if (end >= 0 && rest[end] === '&') return url.slice(0, index + 1) + rest.slice(end + 1)
    return url.slice(0, mark === '&' ? index : index + 1) + (end < 0 ? '' : rest.slice(end))
  }
  return url
}

export const withoutWww = (url: string): string =>
  url.replace(/^((?:(?:[A-Za-z][A-Za-z0-9+.-]*)?:)?\/\/)www\.(?=.)/s, '$1')

/** Returns the prefixes of a URL that end with one of its levels, from a position on. A level has the separators before it and the one after it. */
function levelsFrom(url: string, start: number, work: Work): string[] {
  const levels: string[] = []
  for (let at = start; ;) {
    while (isSeparator(url[at])) at += 1
    if (at >= url.length) return levels
    while (at < url.length && !isSeparator(url[at])) at += 1
    at = Math.min(at + 1, url.length)
    work.grow(at)
    levels.push(url.slice(0, at))
  }
}

const isSeparator = (character: string | undefined): boolean =>
  character === '/' || character === '?' || character === '#'

/** Returns the position after the host, or null without a scheme, which has up to five small letters and digits. */
function afterHost(url: string): number | null {
  const [host] = /^[a-z0-9]{1,5}:\/\/(?=.)[^/?#]*/s.exec(url) ?? []
  return host?.length ?? null
}

/** Returns the levels of the path, without the root. */
export function pathLevels(url: string, work: Work): string[] {
  const start = afterHost(url)
  if (start === null || start + 1 >= url.length) return []
  return levelsFrom(url.slice(start), 0, work)
}

/** Returns the levels of a URL, beginning with its host. */
export function urlLevels(url: string, work: Work): string[] {
  const start = afterHost(url)
  if (start === null) return url === '' ? [] : [url]
  const root = url.slice(0, start + 1)
  return [root, ...levelsFrom(url, start + 1, work)]
}
