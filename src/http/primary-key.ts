// Errors of fields that refer to rows by id. Clients match on these texts.
import { pythonType } from './validation'

interface PkError {
  detail: string
  code: string
}

/** Not an id. */
export const noPrimaryKey = (sent: unknown): PkError => ({
  detail: `Incorrect type. Expected pk value, received ${pythonType(sent)}.`,
  code: 'incorrect_type',
})

/** Well-formed id, no row. */
export const noSuchObject = (sent: unknown): PkError => ({
  detail: `Invalid pk "${sent}" - object does not exist.`,
  code: 'does_not_exist',
})
