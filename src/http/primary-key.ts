// What is said of a field that refers to a row by its id, where it does not: clients match on these texts.
import { pythonType } from './validation'

interface Refusal {
  detail: string
  code: string
}

/** Of what is no id at all. */
export const noPrimaryKey = (sent: unknown): Refusal => ({
  detail: `Incorrect type. Expected pk value, received ${pythonType(sent)}.`,
  code: 'incorrect_type',
})

/** Of the id of nothing. */
export const noSuchObject = (sent: unknown): Refusal => ({
  detail: `Invalid pk "${sent}" - object does not exist.`,
  code: 'does_not_exist',
})
