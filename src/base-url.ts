/** A URL to put paths behind. A regular expression would look at each of many slashes again. */
export function withoutLastSlashes(url: string): string {
  let end = url.length
  while (url[end - 1] === '/') end -= 1
  return url.slice(0, end)
}
