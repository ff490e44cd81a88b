import * as z from 'zod'
import { ApiError, notFound } from '../../errors'
import { ErrorBody } from '../../http/error-body'
import { Filters } from '../../flags/filters/schema'
import { BucketingIdentifier, Runtime } from '../../flags/schema'
import { taggedJson } from '../etag'
import { isLimited } from '../evaluate-flags'
import { localEvaluationOf } from '../local-evaluation'
import type { SdkOperation } from '../operation'

const Feed = z
  .object({
    flags: z.array(
      z.object({
        id: z.int(),
        team_id: z.int(),
        name: z.string(),
        key: z.string(),
        filters: Filters,
        deleted: z.literal(false),
        active: z.boolean(),
        ensure_experience_continuity: z.boolean().nullable(),
        version: z.int(),
        evaluation_runtime: Runtime.nullable(),
        bucketing_identifier: BucketingIdentifier.nullable(),
        evaluation_contexts: z.array(z.string()),
        has_experiment: z.boolean(),
      }),
    ),
    group_type_mapping: z.record(z.string(), z.string()),
    cohorts: z.record(z.string(), z.unknown()),
    minimal_flag_called_events: z.boolean(),
    property_matching_version: z.union([z.literal(1), z.literal(2)]),
  })
  .meta({ id: 'LocalEvaluation' })

export const localEvaluationOperation: SdkOperation = {
  id: 'local_evaluation',
  methods: ['get'],
  paths: ['/api/feature_flag/local_evaluation/', '/flags/definitions/'],
  summary: 'Read flag definitions for evaluation in an SDK',
  description:
    'A change is visible at once in the location where it was made, and within 60 seconds everywhere. Flags with encrypted payloads are left out. Needs the scope `feature_flag:read`.',
  security: 'personalApiKey',
  query: z.object({
    token: z.string().optional(),
    send_cohorts: z.string().optional(),
  }),
  responses: {
    200: Feed,
    304: 'empty',
    401: ErrorBody,
    402: ErrorBody,
    403: ErrorBody,
    404: ErrorBody,
    429: ErrorBody,
  },
  async handle({ deps, request, url, projectOf, projectOfKey }) {
    const token = url.searchParams.get('token')
    const project = await projectOfKey(token === null ? '@current' : (await projectOf(token)).id)
    const loaded = await deps.snapshots.load(project.id)
    if (!loaded) throw notFound()
    if (isLimited(loaded)) throw quotaExceeded()
    return taggedJson(request, localEvaluationOf(loaded.snapshot))
  },
}

/** 402: SDKs drop the definitions that they have. */
const quotaExceeded = () =>
  new ApiError({
    status: 402,
    type: 'quota_limited',
    code: 'payment_required',
    detail: 'The project has used up its flag evaluations.',
  })
