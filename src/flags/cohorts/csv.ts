// Reads ids of persons from an uploaded CSV file: from a named column, or from a list of distinct ids.
import * as z from 'zod'
import { invalid } from '../../errors'

export interface MemberIds {
  /** The field of the body that has them. */
  field: 'csv' | '_create_static_person_ids' | 'person_ids' | 'person_id'
  kind: 'distinct_id' | 'person_id'
  ids: string[]
}

const PERSON_ID_HEADERS = ['person_id', 'person-id', 'person .id', 'uuid']
const DISTINCT_ID_HEADERS = ['distinct_id', 'distinct-id']
const EMAIL_HEADERS = ['email', 'e-mail']
const HEADERS = new Set([...PERSON_ID_HEADERS, ...DISTINCT_ID_HEADERS, ...EMAIL_HEADERS])

/** Separators of spreadsheets, and their names. */
const OTHER_SEPARATORS = { ';': 'semicolons', '\t': 'tabs' }

/**
 * Returns the ids. A file with one column is a list of distinct ids, or of person ids below that header. With more columns, the header
 * names the column of ids.
 * @throws 400, attr `csv`, also for rows in which no id could be found
 */
export function idsInCsv(text: string): MemberIds {
  // Spreadsheets put a byte order mark before the first cell.
  const rows = rowsOf(text.trimStart())
  const [first, ...others] = rows
  if (!first)
    throw invalid('csv', 'CSV file is empty. Please upload a CSV file with at least one row of data.')
  const headers = first.map((header) => header.toLowerCase())
  const place = (names: readonly string[]) => headers.findIndex((header) => names.includes(header))
  const [person, distinct] = [place(PERSON_ID_HEADERS), place(DISTINCT_ID_HEADERS)]
  for (const [separator, name] of Object.entries(OTHER_SEPARATORS)) {
    const parts = headers
      .filter((header) => header.includes(separator))
      .flatMap((header) => header.split(separator))
    if (parts.some((part) => HEADERS.has(part.trim())))
      throw invalid('csv', `The columns are separated by ${name}. Separate them by commas.`)
  }
  const isList = first.filter((header) => header !== '').length <= 1
  if (person < 0 && (distinct < 0 || isList) && place(EMAIL_HEADERS) >= 0)
    throw invalid('csv', 'Persons cannot be found by email address: use a column distinct_id or person_id.')
  if (person < 0 && distinct < 0 && !isList)
    throw invalid(
      'csv',
      "Multi-column CSV must contain at least one column with a supported ID header: 'person_id', 'Person .id' (PostHog export format), " +
        `'distinct_id' or 'distinct-id'. Found columns: ${first.filter(Boolean).join(', ')}`,
    )
  if (isList && headers.includes('id'))
    throw invalid('csv', 'The column id may have ids of two kinds: name it distinct_id or person_id.')
  const column = person >= 0 ? person : Math.max(distinct, 0)
  const listed = person < 0 && distinct < 0 ? rows : others
  const ids = [...new Set(listed.map((row) => row[column] ?? '').filter((id) => id !== ''))]
  if (ids.length === 0)
    throw invalid(
      'csv',
      'CSV file contains no valid person IDs or distinct IDs. Please ensure your file has data rows with person IDs or distinct IDs.',
    )
  const other = person >= 0 && ids.find((id) => !z.guid().safeParse(id).success)
  if (other)
    throw invalid('csv', `${other.slice(0, 100)} in the column ${first[person]} is not a valid UUID.`)
  return { field: 'csv', kind: person >= 0 ? 'person_id' : 'distinct_id', ids }
}

const CELL = /"([^"]*(?:""[^"]*)*)"[ \t]*|([^",\r\n][^,\r\n]*|)/y
const END = /,|\r\n|\r|\n|$/y

/** Returns the rows of a file (RFC 4180) with trimmed values, without empty rows. @throws 400 for a quote that is never closed */
function rowsOf(text: string): string[][] {
  const rows: string[][] = []
  let row: string[] = []
  for (let at = 0, isOpen = false; at < text.length || isOpen;) {
    CELL.lastIndex = at
    const [cell, quoted, plain] = CELL.exec(text)!
    END.lastIndex = at + cell.length
    const end = END.exec(text)?.[0]
    if (end === undefined)
      throw invalid('csv', 'CSV file format is invalid. Please check your file format and try again.')
    row.push((quoted?.replaceAll('""', '"') ?? plain!).trim())
    at += cell.length + end.length
    isOpen = end === ','
    if (isOpen) continue
    rows.push(row)
    row = []
  }
  return rows.filter((each) => each.some((value) => value !== ''))
}
