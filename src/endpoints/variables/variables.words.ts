// What the reference says of variables, which all queries of a project share.
import type { SchemaWords, Words } from '../../docs/words'
import { ada } from '../../http/docs/examples'

const ID = '019d4d7e-0e00-7232-b37a-1abff431a73f'

const inPath = { is: 'Id of the variable.', example: ID }

const VALUE =
  'any JSON that fits the type: text, a number, a boolean, a list, or a date (`2026-03-31`). Null stands for SQL NULL'

const shared = {
  type: 'What values are, and what they become in a query: numbers and booleans may be sent as text, a Date is ISO 8601, a List is a list of texts.',
  values: 'The choices that a List offers to people; null where there are none. Runs are not held to them.',
}

const body = (fields: Record<string, string>): SchemaWords['fields'] => ({ ...shared, ...fields })

const variable = {
  id: ID,
  name: 'Event name',
  type: 'String',
  default_value: '$pageview',
  created_by: ada.id,
  created_at: '2026-04-02T09:20:00Z',
  code_name: 'event_name',
  values: null,
}

export const variableWords: Words = {
  schemas: {
    CreateInsightVariable: {
      is: 'A new variable: a name and a type are enough.',
      fields: body({
        name: 'What people call it, 400 characters at most, with a letter or a digit among them. `code_name` is made of it: in lower case, spaces as `_`, anything else than letters and digits left out. Two variables cannot have the same.',
        default_value: `What it is where neither the run nor the query says: ${VALUE}. Default null.`,
        values: `${shared.values} Default null.`,
      }),
      example: { name: 'Event name', type: 'String', default_value: '$pageview' },
    },
    UpdateInsightVariable: {
      is: 'What is to change. Fields that are left out stay as they are.',
      fields: body({
        name: 'What people call it, 400 characters at most. Its `code_name` stays.',
        default_value: `What it is where neither the run nor the query says: ${VALUE}. Queries that hold a value keep theirs.`,
      }),
      example: { default_value: '$pageleave' },
    },
    InsightVariable: {
      is: 'A variable that queries of the project may read. A query holds a value of its own, which is the default of when it was written.',
      fields: {
        ...shared,
        id: 'Id of the variable. Read-only.',
        name: 'What people call it.',
        default_value: `What it is where neither the run nor the query says: ${VALUE}.`,
        created_by: 'Id of the user who made it; null when it was no user. Read-only.',
        created_at: 'When it was made (ISO 8601, UTC, microseconds). Read-only.',
        code_name:
          'What a query calls it: `{variables.code_name}`. Made of the first name, for good. Read-only.',
      },
      example: variable,
    },
  },
  operations: {
    insight_variables_retrieve: { parameters: { id: inPath } },
    insight_variables_partial_update: {
      parameters: { id: inPath },
      answer: { ...variable, default_value: '$pageleave' },
    },
    insight_variables_destroy: { parameters: { id: inPath } },
  },
}
