// What the reference says of the bodies that create and update endpoints.
import type { SchemaWords, Words } from '../docs/words'
import { createBody, updateBody } from './example.words'

const KINDS = '`HogQLQuery`, `TrendsQuery`, `LifecycleQuery`, `RetentionQuery` or `FunnelsQuery`'
const FRESHNESS = '900, 1800, 3600, 21600, 43200, 86400 or 604800'
const BUCKETS =
  'To what materialized rows round the moments that range variables bound, by column: `minute`, `fifteen_minutes`, `hour`, `day`, `week` or `month`. A column of moments that is left out has `day`, any other is not rounded'

const create: SchemaWords = {
  is: 'A new endpoint: a name and a query are enough. A field that is not listed here is refused.',
  fields: {
    name: 'What stands in the path, for good: a letter, then letters, digits, `-` and `_`, 128 characters at most. No other endpoint of the project may have it; `last_execution_times`, `materialization_conditions` and `bulk_update_tags` are taken.',
    query: `What is run: an object whose \`kind\` is ${KINDS}, and the keys of that kind. A \`HogQLQuery\` has its SQL in \`query\`; \`{variables.code_name}\` in it reads a variable of the project.`,
    description: 'What the endpoint is for, in words. Empty by default.',
    data_freshness_seconds: `How old an answer may be, in seconds: ${FRESHNESS}. Default 86400, a day. Materialized rows are built again as often.`,
    is_active: 'Whether the endpoint can be run. Default true.',
    is_materialized:
      'Whether the rows are kept in a table of their own, built in the background. Default false. Refused for a query that cannot be materialized.',
    derived_from_insight: 'Short id of the insight that the query was taken from, 12 characters at most.',
    version: 'No effect: the first version is 1.',
    bucket_overrides: `${BUCKETS}. None by default.`,
    deleted: 'No effect.',
    tags: 'Labels, each at most 255 characters. Stored trimmed, in lower case, without repetitions. None by default.',
    optional_breakdown_properties:
      'Breakdowns of a `TrendsQuery` or `RetentionQuery` that a run of materialized rows may leave out: those rows are then put together over all values. None by default.',
  },
  example: createBody,
}

const update: SchemaWords = {
  is: 'What is to change. Fields that are left out stay as they are; a field that is not listed here is refused.',
  fields: {
    name: 'No effect: a name cannot be changed. Taken so that a whole record can be sent back.',
    query: `Another query: an object whose \`kind\` is ${KINDS}. One that differs from the current version's becomes a new version. Refused together with \`version\`.`,
    description: 'What the endpoint is for, in words; null leaves it as it is. Belongs to the version.',
    data_freshness_seconds: `How old an answer may be, in seconds: ${FRESHNESS}; null means 86400. Belongs to the version.`,
    is_active:
      'Whether the endpoint can be run; with `version`, whether that version can. False also ends what is materialized of it. Null leaves it as it is.',
    is_materialized:
      'True keeps the rows of the version in a table of its own, false ends that; null leaves it as it is. A new version is materialized when the one before it was.',
    derived_from_insight: 'No effect: read at creation only.',
    version:
      'Number of the version to change in place of the current one; it is what is answered, too. Wins over `version` in the URL.',
    bucket_overrides: `${BUCKETS}. Null takes all away; a change has the rows built again. Belongs to the version.`,
    deleted:
      'True deletes the endpoint, and what is materialized of it. The answer is then `{"success": true}`.',
    tags: 'Replaces all labels, each at most 255 characters; null leaves them as they are. Stored trimmed, in lower case, without repetitions.',
    optional_breakdown_properties:
      'Breakdowns of a `TrendsQuery` or `RetentionQuery` that a run of materialized rows may leave out; null means none. Belongs to the version.',
  },
  example: updateBody,
}

export const endpointBodyWords: Words = { schemas: { CreateEndpoint: create, UpdateEndpoint: update } }
