// What the reference says of endpoints and their versions as they are shown.
import type { Words } from '../docs/words'
import { ada } from '../http/docs/examples'
import { CREATED_AT_WITH_OFFSET, endpoint, updateBody, VERSION_ID } from './example.words'

const MOMENT = 'ISO 8601, UTC, microseconds'

/** Of endpoints and versions alike. */
const shown = {
  id: 'Id of the endpoint, the same for all its versions. Read-only.',
  name: 'What stands in the path. Cannot be changed.',
  description: 'What the endpoint is for, in words; may be empty.',
  query: 'What is run, with every key of its kind: those that were not sent have their default, mostly null.',
  'query.kind': 'The kind of query, which says what other keys there are.',
  data_freshness_seconds:
    'How old an answer may be, in seconds, and how often materialized rows are built again.',
  endpoint_path: 'Where it runs, as a path on this service. Read-only.',
  created_at: `When the endpoint was made (${MOMENT}). Read-only.`,
  updated_at: `When the endpoint or one of its versions was last changed (${MOMENT}). Read-only.`,
  created_by: 'Who made the endpoint; null when it was no user. Read-only.',
  is_materialized:
    'Whether a table with the rows is there. False until the first build is done. An update sets whether there is to be one.',
  versions_count:
    'How many versions the endpoint has had: the number of the current one. Old versions are deleted. Read-only.',
  derived_from_insight: 'Short id of the insight that the query was taken from; null for none.',
  materialization: 'How the materialization of the version stands. Read-only.',
  bucket_overrides:
    'To what materialized rows round the moments that range variables bound, by column; null where nothing else than the default was asked for.',
  columns:
    'Columns of the result, in order, as they were when the version was made. Empty for insights, whose results have a shape of their own. Read-only.',
  'columns.name': 'Name of the column: its alias, else the text of its expression.',
  'columns.type': 'Type of its values; `unknown` for one that is always NULL.',
  tags: 'Labels, in alphabetical order. They belong to the endpoint, not to a version.',
  optional_breakdown_properties: 'Breakdowns that a run of materialized rows may leave out.',
}

const ofEndpoint = {
  ...shown,
  is_active: 'Whether it can be run; to a run, an inactive one does not exist.',
  url: 'Where it runs, as a URL. Read-only.',
  ui_url: 'Its page on this service, for people who are signed in. Read-only.',
  current_version: 'Number of the version that runs unless another is asked for, from 1. Read-only.',
  current_version_id: 'Id of that version. Read-only.',
  last_executed_at:
    'When a key last ran any version (ISO 8601, UTC), give or take half an hour; null for never. Runs of sessions do not count. Read-only.',
}

/** The endpoint as an update of it is answered. */
export const updated = { ...endpoint, ...updateBody, updated_at: '2026-04-02T09:45:00.125000Z' }

const version = {
  ...endpoint,
  url: null,
  ui_url: null,
  version: 1,
  version_id: VERSION_ID,
  endpoint_is_active: true,
  version_created_at: CREATED_AT_WITH_OFFSET,
  version_updated_at: null,
  version_created_by: ada,
}

export const endpointRecordWords: Words = {
  schemas: {
    Endpoint: {
      is: 'A query with a name, run as an endpoint. What belongs to a version is that of the current one.',
      fields: ofEndpoint,
      example: endpoint,
    },
    UpdatedEndpoint: {
      is: 'An endpoint behind an update.',
      fields: {
        ...ofEndpoint,
        materialization_error:
          'Why the new version was not materialized as the one before it was. Left out unless that happened: everything else was done.',
      },
      example: updated,
    },
    EndpointVersion: {
      is: 'An endpoint at one of its versions. It has no address of its own: it is run through the endpoint, with `version`.',
      fields: {
        ...shown,
        is_active: 'Whether this version can be run.',
        url: 'Always null.',
        ui_url: 'Always null.',
        current_version: 'Number of the version that the endpoint is at. Read-only.',
        current_version_id: 'Id of this version, as `version_id`. Read-only.',
        last_executed_at:
          'When a key last ran this version (ISO 8601, UTC), give or take half an hour; null for never. Read-only.',
        version: 'Number of this version, from 1. Read-only.',
        version_id: 'Id of this version. Read-only.',
        endpoint_is_active: 'Whether the endpoint can be run at all.',
        version_created_at: `When this version was made (${MOMENT}). Read-only.`,
        version_updated_at: `When anything of this version was last changed (${MOMENT}); null for never. Read-only.`,
        version_created_by: 'Who made this version; null when it was no user. Read-only.',
      },
      example: version,
    },
  },
}
