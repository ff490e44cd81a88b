import * as z from 'zod'
import { FLAG_ID, FLAG_KEY } from '../../flags/examples'
import { reasonCodes } from '../../flags/evaluate/reason-codes'
import { person, project as exampleProject } from '../../http/docs/examples'
import type { OperationDocs, SchemaDocs } from '../../http/docs/operation-docs'
import { ErrorBody } from '../../http/error-body'
import { textResponse } from '../../http/text-response'
import { evaluateFlags, isOverQuota } from '../evaluate-flags'
import { located } from '../caller-location'
import { withVisitorId } from '../cookieless'
import { dictionaryIn, MAX_LIST_LENGTH, parseFlagsRequest, tokenIn, wantsLocation } from '../flags-request'
import { isDecide, noFlags, renderFlags, shapeOf } from '../flags-response'
import { BODY_ERRORS, type SdkOperation } from '../operation'
import { tokenErrors, tokenField } from '../project-token'
import { BROWSER_CONFIG } from './browser-config'

const properties = z.record(z.string(), z.unknown())

export const FlagsRequest = z
  .object({
    token: z.string(),
    distinct_id: z.string(),
    person_properties: properties.optional().meta({ default: {} }),
    groups: properties.optional().meta({ default: {} }),
    group_properties: z.record(z.string(), properties).optional().meta({ default: {} }),
    anon_distinct_id: z.string().optional(),
    device_id: z.string().optional(),
    flag_keys: z.array(z.string()).max(MAX_LIST_LENGTH).optional(),
    evaluation_runtime: z.enum(['all', 'client', 'server']).optional(),
    evaluation_contexts: z.array(z.string()).max(MAX_LIST_LENGTH).optional(),
    disable_flags: z.boolean().optional().meta({ default: false }),
    geoip_disable: z.boolean().optional().meta({ default: false }),
  })
  .meta({ id: 'FlagsRequest' })

export const FlagsRequestDocs = (): SchemaDocs => ({
  description: 'The person to evaluate for, and known properties.',
  fields: {
    token: `${tokenField}; \`api_key\` is an alias.`,
    distinct_id: 'A distinct id of the person. Longer ones are cut to 200 characters.',
    person_properties:
      'Properties of the person; they override stored ones. With every property that the flags use, no storage is read. Default none.',
    groups: 'Groups of the person: group key, text or a number, by name of the group type. Default none.',
    group_properties:
      'Properties of these groups, by name of the group type; they override stored ones. Default none.',
    anon_distinct_id:
      'Distinct id from before the sign-in, for flags with experience continuity. Default: `$anon_distinct_id` of the person’s properties.',
    device_id: 'Id of the device, for flags that are bucketed by device.',
    flag_keys:
      'Keys of the flags to evaluate; the response includes the flags that they depend on. Default all.',
    evaluation_runtime:
      'Runtime of the caller; flags of another runtime are left out. Default: derived from the user agent and other headers.',
    evaluation_contexts:
      'Contexts of the caller, in lower case; flags that only have other contexts are left out. Default: no flag is left out.',
    disable_flags: 'Whether to respond without flags. Default false.',
    geoip_disable:
      'Whether to leave out the location of the caller: else `$geoip_country_code`, `$geoip_city_name` and the like are known unless they are sent. `disable_geoip` is an alias. Default false.',
  },
  example: {
    token: exampleProject.api_token,
    distinct_id: person.distinct_id,
    person_properties: person.properties,
  },
})

export const FlagsResponse = z
  .looseObject({
    errorsWhileComputingFlags: z.boolean(),
    flags: z
      .record(
        z.string(),
        z.object({
          key: z.string(),
          enabled: z.boolean(),
          variant: z.string().nullable(),
          failed: z.literal(true).optional(),
          reason: z.object({
            code: z.string(),
            condition_index: z.int().nullable(),
            description: z.string().optional(),
          }),
          metadata: z.object({
            id: z.int(),
            version: z.int(),
            description: z.null(),
            payload: z.unknown(),
            has_experiment: z.boolean(),
          }),
        }),
      )
      .optional(),
    featureFlags: z
      .union([z.record(z.string(), z.union([z.boolean(), z.string()])), z.array(z.string())])
      .optional(),
    featureFlagPayloads: properties.optional(),
    requestId: z.uuid(),
    evaluatedAt: z.int(),
    quotaLimited: z.array(z.string()).optional(),
  })
  .meta({ id: 'FlagsResponse' })

export const FlagsResponseDocs = (): SchemaDocs => ({
  description:
    'Results of the flags, in the form that `v` selects. Includes the fields of BrowserConfig when `config` asks for them, or without both `config` and `v`.',
  fields: {
    errorsWhileComputingFlags:
      'Whether the evaluation of a flag failed. Other results are correct; clients keep their last result for flags that are missing here.',
    flags:
      'Active flags that the caller may see, by key: `/flags/` with `v=2` or more, or without both `v` and `config`; `/decide/?v=4`.',
    'flags.key': 'Key of the flag.',
    'flags.enabled': 'Whether the flag is on for this person.',
    'flags.variant': 'Variant for this person; null for none.',
    'flags.failed': 'True when evaluation failed; otherwise absent.',
    'flags.reason': 'Reason for the result.',
    'flags.reason.code': `Code of the reason: ${reasonCodes()}, or the code of a failure.`,
    'flags.reason.condition_index': 'Condition set of the reason, from 0; null for none.',
    'flags.reason.description': 'The reason in a few words, in English; absent when evaluation failed.',
    'flags.metadata': 'Other facts about the flag.',
    'flags.metadata.id': 'Id of the flag.',
    'flags.metadata.version': 'Version of the flag.',
    'flags.metadata.description': 'Always null.',
    'flags.metadata.payload': 'Payload of the result, as JSON text; null without one.',
    'flags.metadata.has_experiment': 'Whether an experiment uses the flag.',
    featureFlags:
      'Older forms. `/flags/?v=1` and `/decide/?v=3`: by key the variant, or whether the flag is on. `/decide/?v=2`: the same for flags that are on. `/decide/`: keys of flags that are on.',
    featureFlagPayloads: 'Payloads of the results by key, as JSON text: `/flags/?v=1` and `/decide/?v=3`.',
    requestId: 'Id of the request: the header `X-Request-Id`, if it is a UUID.',
    evaluatedAt: 'Time of evaluation, in milliseconds since 1970.',
    quotaLimited:
      'Contains `feature_flags` when the evaluation quota of the project is used up; then no flags are returned. Otherwise absent.',
  },
  example: {
    flags: {
      [FLAG_KEY]: {
        key: FLAG_KEY,
        enabled: true,
        reason: { code: 'condition_match', condition_index: 0, description: 'Matched condition set 1' },
        metadata: { id: FLAG_ID, version: 2 },
      },
    },
    requestId: '82084b1a-c3a7-4a11-8030-215b32c7945d',
    evaluatedAt: 1775120707530,
  },
})

export const evaluateFlagsOperation: SdkOperation = {
  id: 'flags_evaluate',
  methods: ['get', 'post'],
  paths: ['/flags/', '/decide/'],
  summary: 'Evaluate the flags of a project for a person',
  description:
    'Definitions come from a snapshot: a change is visible at once in the location where it was made, and within seconds everywhere. ' +
    'Storage is not read when the request has every property that the flags use. `v` in the query selects the form: `/flags/?v=2` (records), `/flags/?v=1` and `/decide/?v=3` (maps).',
  security: 'projectToken',
  query: z.object({
    v: z.string().optional(),
    config: z.string().optional(),
  }),
  body: FlagsRequest,
  responses: { 200: FlagsResponse, 400: ErrorBody, ...BODY_ERRORS },
  async handle({ deps, request, url, requestId, readBody, projectOf, visitorIdsOf }) {
    const version = url.searchParams.get('v')
    const config = url.searchParams.get('config')
    const shape = shapeOf(url.pathname, version, config !== null)
    const envelope = {
      requestId: requestIdOf(request) ?? requestId,
      evaluatedAt: deps.clock.now().getTime(),
    }
    // A GET or HEAD request names no person.
    if (request.method !== 'POST') return noFlags(shape, envelope)

    const sent = dictionaryIn(await readBody())
    const project = await projectOf(tokenIn(sent))
    const body = await withVisitorId(sent, visitorIdsOf(project))
    const input = parseFlagsRequest(body, request.headers)
    const isLocated = wantsLocation(body)
    const extra = includesConfig(url.pathname, version, config) ? BROWSER_CONFIG : {}
    const loaded = input.disabled ? null : await deps.snapshots.load(project.id)
    if (!loaded) return { ...noFlags(shape, envelope), ...extra }
    if (isOverQuota(loaded)) {
      return { ...noFlags(shape, envelope, loaded.snapshot.quota_limited), ...extra }
    }
    const { personKeys } = loaded.requirements.together
    const evaluation = await evaluateFlags(deps, loaded, located(input, isLocated, personKeys, request))
    const text = renderFlags(shape, evaluation, loaded, envelope, extra)
    return textResponse(text, { 'Content-Type': 'application/json' })
  },
}

export const evaluateFlagsDocs = (): OperationDocs => ({
  parameters: {
    v: {
      description: 'Form of the response, see there. Default for `/flags/`: 2; with `config` 1.',
      example: '2',
    },
    config:
      'Whether to include the fields of BrowserConfig: anything except `false`, `0`, `no` and `off`. Default: only without `v`.',
  },
  errors: { 401: tokenErrors() },
  sample: { into: { token: '$TOKEN' } },
})

const UUID = /^[\da-f]{8}(-[\da-f]{4}){3}-[\da-f]{12}$/i

function requestIdOf({ headers }: Request): string | null {
  const given = headers.get('X-Request-Id')
  return given !== null && UUID.test(given) ? given : null
}

/** Whether to include the browser configuration. It is the default for `/flags` without a version. */
function includesConfig(path: string, version: string | null, config: string | null): boolean {
  if (config === null) return version === null && !isDecide(path)
  return !['false', '0', 'no', 'off'].includes(config.toLowerCase())
}
