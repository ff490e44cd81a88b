// Writes results as files.

/** @param value of a cell; texts that a spreadsheet would take for a formula are marked as text */
function csvCell(value: unknown): string {
  if (value === null || value === undefined) return ''
  const text = typeof value === 'string' ? value : JSON.stringify(value)
  const safe = typeof value === 'string' && /^[=+\-@\t\r]/.test(text) ? `'${text}` : text
  return /[",\r\n]/.test(safe) ? `"${safe.replaceAll('"', '""')}"` : safe
}

/** Returns CSV (RFC 4180). The function is pure. */
export const csvOf = (columns: readonly string[], rows: readonly (readonly unknown[])[]): string =>
  [columns, ...rows].map((row) => row.map(csvCell).join(',')).join('\r\n') + '\r\n'

/** Returns JSON with a list of objects, as programs read tables. The function is pure. */
export const jsonOf = (columns: readonly string[], rows: readonly (readonly unknown[])[]): string =>
  JSON.stringify(
    rows.map((row) => Object.fromEntries(columns.map((name, index) => [name, row[index]]))),
    null,
    2,
  )

/** @param parts of the file's text */
export function download(name: string, type: string, parts: string | string[]): void {
  const url = URL.createObjectURL(new Blob([parts].flat(), { type }))
  const link = document.createElement('a')
  link.href = url
  link.download = name
  link.click()
  URL.revokeObjectURL(url)
}
