/** Returns a URL to which paths can be appended. A regular expression would test each of many slashes again. */
export function withoutLastSlashes(url: string): string {
  let end = url.length
  while (url[end - 1] === '/') end -= 1
  return url.slice(0, end)
}
