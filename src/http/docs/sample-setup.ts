// Setup steps of code samples.
import { type Call, inProject, type Lines, type Pause, type SampleStep } from './sample-steps'

/** @param more fields */
export const aFlag = (more: object = {}): Call =>
  inProject(
    'feature_flags/',
    { key: 'sample-$N', ...more },
    { says: 'A flag to work with', keeps: { FLAG: 'id' } },
  )

export const published: Pause = { says: 'The flag is published within seconds', seconds: 5 }

/** A saved query without variables. */
export const anEndpoint = inProject(
  'endpoints/',
  {
    name: 'sample_$N',
    query: { kind: 'HogQLQuery', query: 'SELECT event, count() AS events FROM events GROUP BY event' },
  },
  { says: 'A saved query to work with', keeps: { NAME: 'name' } },
)

const PLAN = { name: 'Plan $N', type: 'String', default_value: 'pro' }

/** A variable with the code name `plan_$N`. */
export const aVariable = inProject('insight_variables/', PLAN, {
  says: 'A variable to work with',
  keeps: { VARIABLE: 'id' },
})

export const anAction = inProject(
  'actions/',
  { name: 'Paid $N', steps: [{ event: 'paid' }] },
  { says: 'An action to work with', keeps: { ACTION: 'id' } },
)

/** A saved query that reads a variable. */
export const aQueryOfAVariable: Call[] = [
  inProject('insight_variables/', PLAN, { says: 'A variable, and a saved query that reads it' }),
  inProject(
    'endpoints/',
    {
      name: 'sample_$N',
      query: {
        kind: 'HogQLQuery',
        query: 'SELECT count() AS events FROM events WHERE properties.plan = {variables.plan_$N}',
      },
    },
    { keeps: { NAME: 'name' } },
  ),
]

export const aStaticCohort: Call[] = [
  inProject(
    'cohorts/',
    { name: 'Testers', is_static: true, _create_static_person_ids: [] },
    { says: 'A cohort of a list of persons', keeps: { COHORT: 'id' } },
  ),
]

export const aCohort: Call[] = [
  inProject(
    'cohorts/',
    {
      name: 'Customers',
      filters: {
        properties: {
          type: 'AND',
          values: [{ type: 'person', key: 'plan', operator: 'is_set', value: 'is_set' }],
        },
      },
    },
    { says: 'A cohort of persons with a plan', keeps: { COHORT: 'id' } },
  ),
]

export const aDashboard = inProject(
  'feature_flags/',
  { key: 'sample-$N', _should_create_usage_dashboard: true },
  { says: 'A flag with a dashboard', keeps: { DASHBOARD: 'usage_dashboard' } },
)

export const aWebhook = inProject(
  'webhooks/',
  { url: 'https://hooks.example.com/halyard', events: ['FeatureFlag.*'] },
  { says: 'A webhook to work with', keeps: { WEBHOOK: 'id' } },
)

/** A change, which the webhook gets. */
export const aDelivery: Call[] = [
  aWebhook,
  inProject('feature_flags/', { key: 'sample-$N' }, { says: 'A change that it gets' }),
  {
    as: 'key',
    method: 'get',
    path: '/api/projects/@current/webhooks/$WEBHOOK/deliveries/',
    keeps: { DELIVERY: 'results[0].id' },
  },
]

/** Events define properties. */
export const aProperty: Call[] = [
  {
    says: 'An event with a property',
    as: 'anonymous',
    method: 'post',
    path: '/batch/',
    body: {
      api_key: '$TOKEN',
      batch: [{ event: 'purchase', distinct_id: 'ada', properties: { amount: 12.5 } }],
    },
  },
  {
    as: 'key',
    method: 'get',
    path: '/api/projects/@current/property_definitions/',
    query: { search: 'amount' },
    keeps: { PROPERTY: 'results[0].id' },
  },
]

/** Events define their names. */
export const anEventName: Call[] = [
  {
    says: 'An event',
    as: 'anonymous',
    method: 'post',
    path: '/batch/',
    body: { api_key: '$TOKEN', batch: [{ event: 'purchase', distinct_id: 'ada' }] },
  },
  {
    as: 'key',
    method: 'get',
    path: '/api/projects/@current/event_definitions/',
    query: { search: 'purchase' },
    keeps: { EVENT: 'results[0].id' },
  },
]

/** Events create persons. */
export const aPerson: Call[] = [
  {
    says: 'An event of a person',
    as: 'anonymous',
    method: 'post',
    path: '/batch/',
    body: { api_key: '$TOKEN', batch: [{ event: 'sign up', distinct_id: 'ada-$N' }] },
  },
  {
    as: 'key',
    method: 'get',
    path: '/api/projects/@current/persons/',
    query: { distinct_id: 'ada-$N' },
    keeps: { PERSON: 'results[0].uuid' },
  },
]

export const aGroup: Call[] = [
  {
    says: 'A group',
    as: 'anonymous',
    method: 'post',
    path: '/batch/',
    body: {
      api_key: '$TOKEN',
      batch: [
        {
          event: '$groupidentify',
          distinct_id: 'ada',
          properties: { $group_type: 'company', $group_key: 'acme', $group_set: { plan: 'enterprise' } },
        },
      ],
    },
  },
]

export const anInvite: Call = {
  says: 'An invite',
  as: 'key',
  method: 'post',
  path: '/api/organizations/@current/invites/',
  body: { target_email: 'ada-$N@example.com' },
  keeps: { INVITE: 'id' },
}

const signUp: Call = {
  as: 'anonymous',
  method: 'post',
  path: '/api/signup/$INVITE/',
  body: { first_name: 'Ada', password: 'lantern-over-$N' },
}

export const aMember: SampleStep[] = [anInvite, { ...signUp, says: 'A member', keeps: { MEMBER: 'uuid' } }]

export const aWorkspace = inProject(
  'integrations/',
  { kind: 'chat', config: { chat_team_id: 'T$N', chat_team_name: 'Harbour' } },
  { says: 'A chat workspace', keeps: { WORKSPACE: 'id' } },
)

/** Only a sign-in at the chat provider creates a link. */
export const aChatLink: Call = {
  says: 'Your links: open install_url of a started link first',
  as: 'key',
  method: 'get',
  path: '/api/users/@me/integrations/',
  query: { kind: 'chat' },
  keeps: { CHAT_USER: 'results[0].chat_user_id' },
}

const CREDENTIALS = `'{"email": "ada-'$N'@example.com", "password": "lantern-over-'$N'"}'`

/** Signs the user of `anAccount` in; stores the cookies in a file. */
export const signIn = (jar: string): Lines => ({
  shell: `${jar}=$(mktemp)
curl -s -o /dev/null -c $${jar} $HALYARD/api/login/ -H 'Content-Type: application/json' \\
  -d ${CREDENTIALS}`,
})

/** A new user, for samples that change the account. */
export const anAccount: SampleStep[] = [
  { ...anInvite, says: 'A new user: your account stays as it is' },
  signUp,
]

const asNewUser = (method: string, path: string, rest: Partial<Call>): Call => ({
  as: 'newUser',
  method,
  path,
  ...rest,
})

export const aSignedInUser: SampleStep[] = [...anAccount, signIn('ADA')]

export const aKey: SampleStep[] = [
  ...aSignedInUser,
  asNewUser('post', '/api/personal_api_keys/', {
    says: 'A key of that user',
    body: { label: 'Sample', scopes: ['feature_flag:read'], scoped_teams: [], scoped_organizations: [] },
    keeps: { ID: 'id' },
  }),
]

export const twoBrowsers: SampleStep[] = [
  ...aSignedInUser,
  { shell: '# The same user in another browser' },
  signIn('PHONE'),
]

export const anotherBrowser: SampleStep[] = [
  ...twoBrowsers,
  asNewUser('get', '/api/users/@me/login_sessions/', { keeps: { SESSION: '[1].id' } }),
]

export const aSecret: SampleStep[] = [
  ...aSignedInUser,
  asNewUser('get', '/api/users/@me/two_factor_start_setup/', {
    says: 'A secret',
    keeps: { SECRET: 'secret' },
  }),
]

export const anAuthenticator: SampleStep[] = [
  ...aSecret,
  {
    shell: `# Compute the code as an authenticator app does
CODE=$(node -e "
  const bits = Array.from('$SECRET', (letter) => 'ABCDEFGHIJKLMNOPQRSTUVWXYZ234567'.indexOf(letter))
    .map((digit) => digit.toString(2).padStart(5, 0)).join('')
  const key = Buffer.from(bits.match(/.{8}/g).map((byte) => parseInt(byte, 2)))
  const step = Buffer.alloc(8)
  step.writeBigUInt64BE(BigInt(Math.floor(Date.now() / 30000)))
  const mac = require('crypto').createHmac('sha1', key).update(step).digest()
  const number = mac.readUInt32BE(mac[19] & 15) & 0x7fffffff
  console.log(String(number % 1000000).padStart(6, 0))")`,
  },
]

export const aSecondFactor: SampleStep[] = [
  ...anAuthenticator,
  asNewUser('post', '/api/users/@me/two_factor_validate/', {
    says: 'Confirm the second factor',
    body: { token: '$CODE' },
  }),
]

/** A project whose policies hold no change of other samples, and the id of the caller. */
export const aSampleProject = (): Call[] => [
  {
    says: 'A project of its own',
    as: 'key',
    method: 'post',
    path: '/api/organizations/@current/projects/',
    body: { name: 'Sample $N' },
    keeps: { PROJECT: 'id' },
  },
  { says: 'Your id', as: 'key', method: 'get', path: '/api/users/@me/', keeps: { ME: 'id' } },
]

export const aProjectWithPolicy = (): Call[] => [
  ...aSampleProject(),
  {
    says: 'A policy',
    as: 'key',
    method: 'post',
    path: '/api/projects/$PROJECT/approval_policies/',
    body: {
      action_key: 'feature_flag.enable',
      approver_config: { quorum: 1, users: ['#$ME'] },
      allow_self_approve: true,
    },
    keeps: { POLICY: 'id' },
  },
]

export const aChangeRequest = (): Call[] => [
  ...aProjectWithPolicy(),
  {
    says: 'A flag, and a change of it that needs approval',
    as: 'key',
    method: 'post',
    path: '/api/projects/$PROJECT/feature_flags/',
    body: { key: 'sample-$N', active: false },
    keeps: { FLAG: 'id' },
  },
  {
    as: 'key',
    method: 'patch',
    path: '/api/projects/$PROJECT/feature_flags/$FLAG/',
    body: { active: true },
    keeps: { REQUEST: 'change_request_id' },
  },
]
