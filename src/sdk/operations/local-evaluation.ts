import * as z from 'zod'
import { ApiError, notFound } from '../../errors'
import { project as exampleProject } from '../../http/docs/examples'
import type { OperationDocs, SchemaDocs } from '../../http/docs/operation-docs'
import { ErrorBody } from '../../http/error-body'
import { definitionExample } from '../../flags/examples'
import { definitionFields, describeDefinition } from '../../flags/schema'
import { taggedJson } from '../etag'
import { isOverQuota } from '../evaluate-flags'
import { definitionFeed } from '../definition-feed'
import type { SdkOperation } from '../operation'
import { tokenField } from '../project-token'

export const LocalEvaluation = z
  .object({
    flags: z.array(
      z.object({
        ...definitionFields,
        deleted: z.literal(false),
        has_experiment: z.boolean(),
      }),
    ),
    group_type_mapping: z.record(z.string(), z.string()),
    cohorts: z.record(z.string(), z.unknown()),
    minimal_flag_called_events: z.boolean(),
    property_matching_version: z.union([z.literal(1), z.literal(2)]),
  })
  .meta({ id: 'LocalEvaluation' })

export const LocalEvaluationDocs = (): SchemaDocs => ({
  description: 'Definitions with which an SDK evaluates flags itself.',
  fields: {
    flags: 'Flags by key, including inactive ones; without deleted flags and those with encrypted payloads.',
    ...describeDefinition('flags'),
    'flags.filters':
      'Release conditions, variants and payloads. A condition on another flag has its key, and `dependency_chain`: keys of the flags to evaluate before, in order.',
    'flags.has_experiment': 'Whether an experiment uses the flag.',
    group_type_mapping: 'Name of each group type, by its index as text.',
    cohorts:
      'Conditions of the cohorts that flags use, by id. Without static cohorts: SDKs evaluate flags that use those through `/flags`.',
    minimal_flag_called_events:
      'Whether SDKs leave properties out of `$feature_flag_called` events. Always false.',
    property_matching_version:
      'How values are compared. 1: a filter of true or false matches the truth of a property; 2: it matches that text.',
  },
  example: {
    flags: [definitionExample(exampleProject.id)],
    group_type_mapping: { 0: 'company' },
    cohorts: {},
  },
})

export const localEvaluationOperation: SdkOperation = {
  id: 'local_evaluation',
  methods: ['get'],
  paths: ['/api/feature_flag/local_evaluation/', '/flags/definitions/'],
  summary: 'Read flag definitions for evaluation in an SDK',
  description:
    'A change is visible at once in the location where it was made, and within seconds everywhere. Flags with encrypted payloads are left out. Needs the scope `feature_flag:read`.',
  security: 'personalApiKey',
  query: z.object({
    token: z.string().optional(),
    send_cohorts: z.string().optional(),
  }),
  responses: {
    200: LocalEvaluation,
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
    if (isOverQuota(loaded)) throw quotaExceeded()
    // Callers have a secret key, and all servers of a team may ask at the same moment: none of them is refused for the others.
    return taggedJson(
      request,
      definitionFeed(loaded.snapshot),
      {},
      (text, headers) => new Response(text, { headers }),
    )
  },
}

export const localEvaluationDocs = (): OperationDocs => ({
  parameters: {
    token: {
      description: `${tokenField}. Default: the current project of the caller.`,
      example: exampleProject.api_token,
    },
    send_cohorts: 'No effect: cohorts are always included.',
  },
})

/** The 402 error, after which SDKs drop the definitions that they have. */
const quotaExceeded = () =>
  new ApiError({
    status: 402,
    type: 'quota_limited',
    code: 'payment_required',
    detail: 'The project has used up its flag evaluations.',
  })
