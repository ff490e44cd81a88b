// What samples make before they call: something for the call to be about.
import { type Call, inProject, type Lines, type Pause, type Step } from './sample-steps'

/** A flag that nobody else knows. @param more of its fields */
export const aFlag = (more: object = {}): Call =>
  inProject(
    'feature_flags/',
    { key: 'sample-$N', ...more },
    { says: 'A flag to work with', keeps: { FLAG: 'id' } },
  )

/** Applications read what was published, which takes a moment. */
export const published: Pause = { says: 'Applications know of it in a moment', seconds: 5 }

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

/** A variable; queries know it as `plan_$N`. */
export const aVariable = inProject('insight_variables/', PLAN, {
  says: 'A variable to work with',
  keeps: { VARIABLE: 'id' },
})

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

export const aCohort: Call[] = [
  aFlag(),
  inProject(
    'feature_flags/$FLAG/create_static_cohort_for_flag/',
    {},
    {
      says: 'A cohort of everybody whom it is on for',
      keeps: { COHORT: 'cohort.id' },
    },
  ),
]

export const aDashboard = inProject(
  'feature_flags/',
  { key: 'sample-$N', _should_create_usage_dashboard: true },
  { says: 'A flag with a dashboard', keeps: { DASHBOARD: 'usage_dashboard' } },
)

/** A property is known once an event had it. */
export const aProperty: Call[] = [
  {
    says: 'An event with a property',
    as: 'nobody',
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

/** An invite for an address that nobody has. */
export const anInvite: Call = {
  says: 'An invite',
  as: 'key',
  method: 'post',
  path: '/api/organizations/@current/invites/',
  body: { target_email: 'ada-$N@example.com' },
  keeps: { INVITE: 'id' },
}

/** A member who came by an invite. */
export const aMember: Step[] = [
  anInvite,
  {
    says: 'A member',
    as: 'nobody',
    method: 'post',
    path: '/api/signup/$INVITE/',
    body: { first_name: 'Ada', password: 'lantern-over-$N' },
    keeps: { MEMBER: 'uuid' },
  },
]

export const aWorkspace = inProject(
  'integrations/',
  { kind: 'chat', config: { chat_team_id: 'T$N', chat_team_name: 'Harbour' } },
  { says: 'A chat workspace', keeps: { WORKSPACE: 'id' } },
)

/** A link comes of a sign-in at the chat provider: there has to be one. */
export const aChatLink: Call = {
  says: 'What you are linked to: there is something once you went where install_url of a started link leads',
  as: 'key',
  method: 'get',
  path: '/api/users/@me/integrations/',
  query: { kind: 'chat' },
  keeps: { CHAT_USER: 'results[0].chat_user_id' },
}

const CREDENTIALS = `'{"email": "ada-'$N'@example.com", "password": "lantern-over-'$N'"}'`

/** Signs that somebody in, and keeps the cookies in a file. */
export const signIn = (jar: string): Lines => ({
  shell: `${jar}=$(mktemp)
curl -s -o /dev/null -c $${jar} $HALYARD/api/login/ -H 'Content-Type: application/json' \\
  -d ${CREDENTIALS}`,
})

/** Somebody who may lose what is lost by trying: an account of their own. */
export const anAccount: Step[] = [
  { ...anInvite, says: 'Somebody of their own: nothing of yours changes' },
  {
    as: 'nobody',
    method: 'post',
    path: '/api/signup/$INVITE/',
    body: { first_name: 'Ada', password: 'lantern-over-$N' },
  },
]

/** The same, signed in. */
export const somebody: Step[] = [...anAccount, signIn('ADA')]

/** A key of theirs. */
export const aKey: Step[] = [
  ...somebody,
  {
    says: 'A key of theirs',
    as: 'somebody',
    method: 'post',
    path: '/api/personal_api_keys/',
    body: { label: 'Sample', scopes: ['feature_flag:read'], scoped_teams: [], scoped_organizations: [] },
    keeps: { ID: 'id' },
  },
]

/** The same person, signed in twice. */
export const twoBrowsers: Step[] = [
  ...somebody,
  { shell: '# The same person in another browser' },
  signIn('PHONE'),
]

/** The other browser's session. */
export const anotherBrowser: Step[] = [
  ...twoBrowsers,
  {
    as: 'somebody',
    method: 'get',
    path: '/api/users/@me/login_sessions/',
    keeps: { SESSION: '[1].id' },
  },
]

/** A secret for an authenticator app. */
export const aSecret: Step[] = [
  ...somebody,
  {
    says: 'A secret',
    as: 'somebody',
    method: 'get',
    path: '/api/users/@me/two_factor_start_setup/',
    keeps: { SECRET: 'secret' },
  },
]

/** The same, and the app. */
export const anAuthenticator: Step[] = [
  ...aSecret,
  {
    shell: `# What an authenticator app does: a code for the secret and the time
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

/** The same, in use. */
export const aSecondFactor: Step[] = [
  ...anAuthenticator,
  {
    says: 'Put to use',
    as: 'somebody',
    method: 'post',
    path: '/api/users/@me/two_factor_validate/',
    body: { token: '$CODE' },
  },
]
