// What the reference says of cohorts, and of the properties that events, people and groups have.
import type { Words } from '../docs/words'
import { ada } from '../http/docs/examples'
import { definitionRecord } from './property-definition-record'

const definition = definitionRecord({ owner: 'event', name: 'amount', type: 'Numeric' })

export const peopleWords: Words = {
  schemas: {
    Cohort: {
      is: 'A set of people that flags and queries can ask about.',
      fields: {
        id: 'Id of the cohort. Read-only.',
        name: 'What people call it.',
        description: 'What it is for, in words; may be empty.',
        deleted: 'Whether it was deleted. Deleted cohorts are not shown, so this is false.',
        is_static: 'True for a list of persons, false for a rule over their properties.',
        filters:
          'The rule: `properties`, with groups of filters put together by AND and OR. Null for a list.',
        groups: 'Always empty: rules are in `filters`.',
        is_calculating: 'Whether members are still being added, in the background.',
        count: 'How many members it has; null until they have been counted. Rules are never counted.',
        errors_calculating:
          'How often adding the members has failed. Always 0: work that fails is taken up again.',
        last_calculation: 'When the members were determined (ISO 8601, UTC, microseconds); null if not yet.',
        created_by: 'Who made it; null when it was no user. Read-only.',
        created_at: 'When it was made (ISO 8601, UTC, microseconds). Read-only.',
      },
      example: {
        id: 1,
        name: 'Users with feature flag new-checkout enabled at 2026-04-02 10:00:00',
        description: '',
        deleted: false,
        is_static: true,
        filters: null,
        groups: [],
        is_calculating: false,
        count: 128,
        errors_calculating: 0,
        last_calculation: '2026-04-02T10:00:00.941000Z',
        created_by: ada,
        created_at: '2026-04-02T10:00:00.941000Z',
      },
    },
    PropertyDefinition: {
      is: 'A property that was captured, and the type that queries give it.',
      fields: {
        id: 'Id of the definition, made of whose property it is and what it is called. Read-only.',
        name: 'What events call it. Read-only.',
        property_type:
          'What queries turn its values into: String, Numeric, Boolean, or DateTime. Learned from the first value that was captured.',
        is_numerical: 'Whether the type is Numeric. Read-only.',
        type: 'Whose property it is: an event’s, a person’s or a group’s. Read-only.',
        group_type_index: 'Number of the group type, from 0 to 4; null unless it is a group’s. Read-only.',
      },
      example: definition,
    },
    PropertyDefinitionsPartialUpdateBody: {
      is: 'What is to change.',
      fields: {
        property_type:
          'What queries are to turn the values into: String, Numeric, Boolean, or DateTime. Left out, it stays as it is.',
      },
      example: { property_type: 'Numeric' },
    },
  },
  operations: {
    cohorts_retrieve: { parameters: { id: { is: 'Id of the cohort.', example: 1 } } },
    property_definitions_list: {
      parameters: {
        type: 'Whose properties to list: those of events, of people or of groups. Default `event`.',
        group_type_index:
          'With `type=group`: only properties of the group type with this number, from 0 to 4. Left out, those of all group types are listed.',
        search: 'Words, each of which the name has to contain, whatever the case. 1,000 characters at most.',
        properties: {
          is: 'Only properties with one of these names, separated by commas.',
          example: 'amount,plan',
        },
        is_numerical: 'True for numbers only, false for everything else. Left out, all are listed.',
      },
    },
    property_definitions_partial_update: {
      parameters: {
        id: { is: 'Id of the property definition, as the list has it.', example: definition.id },
      },
    },
  },
}
