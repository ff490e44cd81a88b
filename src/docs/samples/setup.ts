// The setup of code samples: a sample states which values its call needs, and this file has the steps that get them.
import { ACCOUNT_SETUP } from './account-setup'
import {
  capture,
  type Call,
  COOKIES,
  create,
  find,
  isCall,
  isPause,
  type SampleStep,
  type Setup,
} from './steps'

const flag = (says: string, fields: object = {}, keeps: Call['keeps'] = { FLAG: 'id' }): Call =>
  create('feature_flags', { key: 'sample-$N', ...fields }, says, keeps)

const query = (sql: string, says?: string): Call =>
  create('endpoints', { name: 'sample_$N', query: { kind: 'HogQLQuery', query: sql } }, says, {
    NAME: 'name',
  })

const aVariable = (says: string, keeps?: Call['keeps']): Call =>
  create('insight_variables', { name: 'Plan $N', type: 'String', default_value: 'pro' }, says, keeps)

/** Steps by the variable that they set. A key is no variable for steps that set none, or an alternative value of a variable. */
const SETUP: Setup = {
  ...ACCOUNT_SETUP,
  FLAG: [flag('A flag to work with')],
  'a remote configuration': [
    flag('A flag to work with', {
      is_remote_configuration: true,
      filters: { groups: [{}], payloads: { true: '"12 months"' } },
    }),
  ],
  'a flag with analytics': [
    flag('A flag to work with', { has_enriched_analytics: true, _should_create_usage_dashboard: true }),
  ],
  'a published flag': ['FLAG', { says: 'The flag is published within seconds', seconds: 5 }],
  DASHBOARD: [
    flag(
      'A flag with a dashboard',
      { _should_create_usage_dashboard: true },
      { DASHBOARD: 'usage_dashboard' },
    ),
  ],
  CHANGE: [
    create(
      'scheduled_changes',
      {
        record_id: '$FLAG',
        model_name: 'FeatureFlag',
        payload: { operation: 'update_status', value: false },
        scheduled_at: '2099-04-03T07:00:00Z',
      },
      'A scheduled change',
      { CHANGE: 'id' },
    ),
  ],
  COHORT: [
    create(
      'cohorts',
      {
        name: 'Customers',
        filters: {
          properties: {
            type: 'AND',
            values: [{ type: 'person', key: 'plan', operator: 'is_set', value: 'is_set' }],
          },
        },
      },
      'A cohort of persons with a plan',
      { COHORT: 'id' },
    ),
  ],
  'a static cohort': [
    create(
      'cohorts',
      { name: 'Testers', is_static: true, _create_static_person_ids: [] },
      'A cohort of a list of persons',
      { COHORT: 'id' },
    ),
  ],
  NAME: [query('SELECT event, count() AS events FROM events GROUP BY event', 'A saved query to work with')],
  VARIABLE: [aVariable('A variable to work with', { VARIABLE: 'id' })],
  'a query of a variable': [
    aVariable('A variable, and a saved query that reads it'),
    query('SELECT count() AS events FROM events WHERE properties.plan = {variables.plan_$N}'),
  ],
  'a query that cannot be materialized': [
    {
      says: 'Requires a language model, and the consent of the organization',
      as: 'key',
      method: 'patch',
      path: '/api/organizations/@current/',
      body: { is_ai_data_processing_approved: true },
    },
    'VARIABLE',
    query(
      'SELECT event, count() AS n FROM events GROUP BY event HAVING event = {variables.plan_$N}',
      'A query that cannot be materialized',
    ),
  ],
  ACTION: [
    create('actions', { name: 'Paid $N', steps: [{ event: 'paid' }] }, 'An action to work with', {
      ACTION: 'id',
    }),
  ],
  WEBHOOK: [
    create(
      'webhooks',
      { url: 'https://hooks.example.com/halyard', events: ['FeatureFlag.*'] },
      'A webhook to work with',
      { WEBHOOK: 'id' },
    ),
  ],
  DELIVERY: [
    'WEBHOOK',
    create('feature_flags', { key: 'sample-$N' }, 'A change that it gets'),
    find('webhooks/$WEBHOOK/deliveries', undefined, { DELIVERY: 'results[0].id' }),
  ],
  // Events define properties, their names and persons.
  PROPERTY: [
    capture('An event with a property', {
      event: 'purchase',
      distinct_id: 'ada',
      properties: { amount: 12.5 },
    }),
    find('property_definitions', { search: 'amount' }, { PROPERTY: 'results[0].id' }),
  ],
  EVENT: [
    capture('An event', { event: 'purchase', distinct_id: 'ada' }),
    find('event_definitions', { search: 'purchase' }, { EVENT: 'results[0].id' }),
  ],
  PERSON: [
    capture('An event of a person', { event: 'sign up', distinct_id: 'ada-$N' }),
    find('persons', { distinct_id: 'ada-$N' }, { PERSON: 'results[0].uuid' }),
  ],
  'a group': [
    capture('A group', {
      event: '$groupidentify',
      distinct_id: 'ada',
      properties: { $group_type: 'company', $group_key: 'acme', $group_set: { plan: 'enterprise' } },
    }),
  ],
}

/**
 * Returns the steps before a call, each once.
 * @param needs names of the setup besides the variables of the call
 * @throws Error for an unknown name
 */
export function stepsBefore(call: Call, needs: readonly string[] = []): SampleStep[] {
  const steps: SampleStep[] = []
  const known = new Set<string>()
  const add = (name: string) => {
    if (known.has(name)) return
    known.add(name)
    const setup = SETUP[name]
    if (!setup) throw new Error(`There is no setup for ${name}`)
    for (const part of setup) {
      if (typeof part === 'string') {
        add(part)
        continue
      }
      variablesOf(part).forEach(add)
      steps.push(part)
      if (isCall(part)) for (const variable of Object.keys(part.keeps ?? {})) known.add(variable)
    }
  }
  for (const name of [...needs, ...variablesOf(call)]) add(name)
  return steps
}

/** Variables that the shell has from the guide, and the random number. */
const GIVEN = new Set(['HALYARD', 'KEY', 'TOKEN', 'JAR', 'N'])

/** Returns the variables that a step uses, in order. */
function variablesOf(step: SampleStep): string[] {
  if (isPause(step)) return []
  const { path, query: search, body, as } = isCall(step) ? step : ({} as Partial<Call>)
  const text = isCall(step)
    ? [COOKIES[as!], path, JSON.stringify(search), JSON.stringify(body)].join(' ')
    : step.shell
  return [...text.matchAll(/\$([A-Z]+(?:_[A-Z]+)*)\b/g)]
    .map(([, name]) => name!)
    .filter((name) => !GIVEN.has(name))
}
