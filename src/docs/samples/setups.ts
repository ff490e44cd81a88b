// Values of path parameters in samples, with the steps that create them.
import {
  aChatLink,
  aCohort,
  anAction,
  aDashboard,
  aDelivery,
  aFlag,
  aKey,
  aMember,
  anEndpoint,
  anInvite,
  anotherBrowser,
  aProperty,
  aVariable,
  aWebhook,
  aWorkspace,
  published,
} from '../../http/docs/sample-setup'
import type { SampleDocs } from '../../http/docs/sample-steps'

/** Segments that are the same everywhere. */
export const SEGMENTS: Readonly<Record<string, string>> = {
  project_id: '@current',
  environment_id: '@current',
  organization_id: '@current',
  uuid: '@me',
  version_number: '1',
  token: '$TOKEN',
}

/** By path. The first match counts. */
export const SETUPS: readonly [path: RegExp, sample: SampleDocs][] = [
  [/\/feature_flags\/\{id\}\//, { before: [aFlag()], path: { id: '$FLAG' } }],
  [/\/endpoints\/\{name\}\//, { before: [anEndpoint], path: { name: '$NAME' } }],
  [/\/insight_variables\/\{id\}\//, { before: [aVariable], path: { id: '$VARIABLE' } }],
  [/\/actions\/\{id\}\//, { before: [anAction], path: { id: '$ACTION' } }],
  [/\/cohorts\/\{id\}\//, { before: aCohort, path: { id: '$COHORT' } }],
  [/\/dashboards\/\{id\}\//, { before: [aDashboard], path: { id: '$DASHBOARD' } }],
  [
    /\/webhooks\/\{webhook_id\}\/deliveries\/\{id\}\//,
    { before: aDelivery, path: { webhook_id: '$WEBHOOK', id: '$DELIVERY' } },
  ],
  [/\/webhooks\//, { before: [aWebhook], path: { id: '$WEBHOOK', webhook_id: '$WEBHOOK' } }],
  [/\/property_definitions\/\{id\}\//, { before: aProperty, path: { id: '$PROPERTY' } }],
  [/\/invites\/\{invite_id\}\/|\/signup\//, { before: [anInvite], path: { invite_id: '$INVITE' } }],
  [/\/members\/\{user_uuid\}\//, { before: aMember, path: { user_uuid: '$MEMBER' } }],
  [/\/integrations\/\{id\}\//, { before: [aWorkspace], path: { id: '$WORKSPACE' } }],
  [/\/chat\/\{chat_user_id\}\//, { before: [aChatLink], path: { chat_user_id: '$CHAT_USER' } }],
  [
    /^\/ofrep\/v1\/evaluate\/flags\/\{key\}/,
    { before: [aFlag(), published], path: { key: 'sample-$N' }, as: 'token' },
  ],
  [/^\/ofrep\//, { as: 'token' }],
  [
    /\/login_sessions\/\{session_id\}\//,
    { before: anotherBrowser, path: { session_id: '$SESSION' }, as: 'newUser' },
  ],
  [/\/personal_api_keys\/\{id\}\//, { before: aKey, path: { id: '$ID' }, as: 'newUser' }],
]
