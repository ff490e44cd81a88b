// The setup of samples about users, keys, sessions and organizations.
import { type Call, create, type Lines, type Setup } from './steps'

const invite = (says: string): Call => ({
  says,
  as: 'key',
  method: 'post',
  path: '/api/organizations/@current/invites/',
  body: { target_email: 'ada-$N@example.com' },
  keeps: { INVITE: 'id' },
})

const signUp: Call = {
  as: 'anonymous',
  method: 'post',
  path: '/api/signup/$INVITE/',
  body: { first_name: 'Ada', password: 'lantern-over-$N' },
}

const CREDENTIALS = `'{"email": "ada-'$N'@example.com", "password": "lantern-over-'$N'"}'`

/** Signs the user of the sample in; stores the cookies in a file. */
const signIn = (jar: string): Lines => ({
  shell: `${jar}=$(mktemp)
curl -s -o /dev/null -c $${jar} $HALYARD/api/login/ -H 'Content-Type: application/json' \\
  -d ${CREDENTIALS}`,
})

const asNewUser = (method: string, path: string, rest: Partial<Call>): Call => ({
  as: 'newUser',
  method,
  path,
  ...rest,
})

const inSampleProject = (method: string, path: string, rest: Partial<Call>): Call => ({
  as: 'key',
  method,
  path: `/api/projects/$PROJECT/${path}`,
  ...rest,
})

const AUTHENTICATOR = `# Compute the code as an authenticator app does
CODE=$(node -e "
  const bits = Array.from('$SECRET', (letter) => 'ABCDEFGHIJKLMNOPQRSTUVWXYZ234567'.indexOf(letter))
    .map((digit) => digit.toString(2).padStart(5, 0)).join('')
  const key = Buffer.from(bits.match(/.{8}/g).map((byte) => parseInt(byte, 2)))
  const step = Buffer.alloc(8)
  step.writeBigUInt64BE(BigInt(Math.floor(Date.now() / 30000)))
  const mac = require('crypto').createHmac('sha1', key).update(step).digest()
  const number = mac.readUInt32BE(mac[19] & 15) & 0x7fffffff
  console.log(String(number % 1000000).padStart(6, 0))")`

export const ACCOUNT_SETUP: Setup = {
  INVITE: [invite('An invite')],
  MEMBER: [{ ...signUp, says: 'A member', keeps: { MEMBER: 'uuid' } }],
  // These samples change the account.
  'a new user': [invite('A new user: your account stays as it is'), signUp],
  ADA: ['a new user', signIn('ADA')],
  PHONE: ['ADA', { shell: '# The same user in another browser' }, signIn('PHONE')],
  SESSION: ['PHONE', asNewUser('get', '/api/users/@me/login_sessions/', { keeps: { SESSION: '[1].id' } })],
  ID: [
    asNewUser('post', '/api/personal_api_keys/', {
      says: 'A key of that user',
      body: { label: 'Sample', scopes: ['feature_flag:read'], scoped_teams: [], scoped_organizations: [] },
      keeps: { ID: 'id' },
    }),
  ],
  SECRET: [
    asNewUser('get', '/api/users/@me/two_factor_start_setup/', {
      says: 'A secret',
      keeps: { SECRET: 'secret' },
    }),
  ],
  CODE: [{ shell: AUTHENTICATOR }],
  'a second factor': [
    asNewUser('post', '/api/users/@me/two_factor_validate/', {
      says: 'Confirm the second factor',
      body: { token: '$CODE' },
    }),
  ],
  BACKUP: [
    'a second factor',
    asNewUser('post', '/api/users/@me/two_factor_backup_codes/', {
      body: {},
      keeps: { BACKUP: 'backup_codes[0]' },
    }),
    { shell: '# The password alone no longer suffices' },
    signIn('ADA'),
  ],
  WORKSPACE: [
    create(
      'integrations',
      { kind: 'chat', config: { chat_team_id: 'T$N', chat_team_name: 'Harbour' } },
      'A chat workspace',
      { WORKSPACE: 'id' },
    ),
  ],
  STATE: [
    'WORKSPACE',
    {
      as: 'key',
      method: 'post',
      path: '/api/users/@me/integrations/chat/start/',
      body: { chat_team_id: 'T$N' },
      keeps: { STATE: "install_url.split('state=')[1]" },
    },
  ],
  'single sign-on': [
    {
      says: 'A provider',
      as: 'session',
      method: 'put',
      path: '/api/organizations/@current/sso/',
      body: {
        issuer: 'https://accounts.google.com',
        client_id: 'client-$N',
        client_secret: 'secret-$N',
        domains: ['team-$N.example.com'],
      },
    },
  ],
  // Only a sign-in at the chat provider creates a link.
  CHAT_USER: [
    {
      says: 'Your links: open install_url of a started link first',
      as: 'key',
      method: 'get',
      path: '/api/users/@me/integrations/',
      query: { kind: 'chat' },
      keeps: { CHAT_USER: 'results[0].chat_user_id' },
    },
  ],
  // The policies of this project hold no change of other samples.
  PROJECT: [
    {
      says: 'A project of its own',
      as: 'key',
      method: 'post',
      path: '/api/organizations/@current/projects/',
      body: { name: 'Sample $N' },
      keeps: { PROJECT: 'id' },
    },
  ],
  ME: [{ says: 'Your id', as: 'key', method: 'get', path: '/api/users/@me/', keeps: { ME: 'id' } }],
  POLICY: [
    inSampleProject('post', 'approval_policies/', {
      says: 'A policy',
      body: {
        action_key: 'feature_flag.enable',
        approver_config: { quorum: 1, users: ['#$ME'] },
        allow_self_approve: true,
      },
      keeps: { POLICY: 'id' },
    }),
  ],
  REQUEST: [
    'POLICY',
    inSampleProject('post', 'feature_flags/', {
      says: 'A flag, and a change of it that needs approval',
      body: { key: 'sample-$N', active: false },
      keeps: { FLAG: 'id' },
    }),
    inSampleProject('patch', 'feature_flags/$FLAG/', {
      body: { active: true },
      keeps: { REQUEST: 'change_request_id' },
    }),
  ],
}
