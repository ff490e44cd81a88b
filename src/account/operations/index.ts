// Every operation on accounts. Routing, OpenAPI and the security suite derive from this list.
import type { GroupDocs } from '../../http/docs/operation-docs'
import { inEnvironment, type Operation } from '../../http/operation'
import * as chat from './chat'
import * as chatPages from './chat-pages'
import * as integrations from './integrations'
import * as invites from './invites'
import * as loginSessions from './login-sessions'
import * as members from './members'
import * as users from './users'
import * as organizations from './organizations'
import * as personalApiKeys from './personal-api-keys'
import * as projects from './projects'
import * as pushTokens from './push-tokens'
import * as signIn from './sign-in'
import * as signup from './signup'
import * as singleSignOn from './single-sign-on'
import * as twoFactor from './two-factor'

export const accountOperations: readonly Operation[] = [
  signIn.loginOperation,
  signIn.loginTokenOperation,
  singleSignOn.precheckOperation,
  users.retrieveUserOperation,
  users.updateUserOperation,
  users.personaliseSceneOperation,
  users.completeCredentialReviewOperation,
  loginSessions.listSessionsOperation,
  loginSessions.revokeSessionOperation,
  loginSessions.revokeOthersOperation,
  twoFactor.startTwoFactorOperation,
  twoFactor.startTwoFactorWithSecretOperation,
  twoFactor.showTwoFactorQrOperation,
  twoFactor.validateTwoFactorOperation,
  twoFactor.validateTwoFactorAliasOperation,
  twoFactor.showTwoFactorStatusOperation,
  twoFactor.renewBackupCodesOperation,
  twoFactor.disableTwoFactorOperation,
  personalApiKeys.listKeysOperation,
  personalApiKeys.createKeyOperation,
  personalApiKeys.retrieveKeyOperation,
  personalApiKeys.updateKeyOperation,
  personalApiKeys.replaceKeyOperation,
  personalApiKeys.deleteKeyOperation,
  personalApiKeys.rollKeyOperation,
  users.skipOnboardingOperation,
  chat.linkableWorkspacesOperation,
  chat.startChatLinkOperation,
  chat.listIntegrationsOperation,
  chat.unlinkChatOperation,
  chatPages.startPageOperation,
  chatPages.callbackPageOperation,
  integrations.listProjectIntegrationsOperation,
  integrations.createIntegrationOperation,
  integrations.deleteIntegrationOperation,
  pushTokens.registerTokenOperation,
  pushTokens.unregisterTokenOperation,
  organizations.listOrganizationsOperation,
  organizations.retrieveOrganizationOperation,
  organizations.updateOrganizationOperation,
  singleSignOn.retrieveSsoOperation,
  singleSignOn.putSsoOperation,
  singleSignOn.deleteSsoOperation,
  singleSignOn.verifySsoDomainOperation,
  singleSignOn.testSsoOperation,
  members.listMembersOperation,
  members.updateMemberOperation,
  members.removeMemberOperation,
  members.resetMemberPasswordOperation,
  invites.listInvitesOperation,
  invites.createInviteOperation,
  invites.delegateOperation,
  invites.deleteInviteOperation,
  signup.previewInviteOperation,
  signup.acceptInviteOperation,
  projects.listOrganizationProjectsOperation,
  projects.createOrganizationProjectOperation,
  projects.listProjectsOperation,
  projects.createProjectOperation,
  projects.retrieveProjectOperation,
  projects.updateProjectOperation,
  inEnvironment(projects.listProjectsOperation),
  inEnvironment(projects.retrieveProjectOperation),
  inEnvironment(projects.updateProjectOperation),
  projects.retrieveOrganizationProjectOperation,
  projects.updateOrganizationProjectOperation,
  projects.destroyProjectOperation,
  inEnvironment(projects.destroyProjectOperation),
  projects.destroyOrganizationProjectOperation,
]

export const accountOperationsDocs = (): GroupDocs => ({
  tags: [
    [
      /^\/api\/login\/|\/login_sessions\/|2fa|two_factor/,
      { name: 'Signing in', description: 'Sessions, and the second factor.' },
    ],
    [
      /^\/api\/personal_api_keys\//,
      {
        name: 'Personal API keys',
        description: 'API keys with scopes. Only signed-in users manage them.',
      },
    ],
    [
      /\/integrations\/|^\/complete\/chat-link\//,
      {
        name: 'Chat identity',
        description: 'Chat workspaces of projects, and the identity of users there.',
      },
    ],
    [/^\/api\/users\//, { name: 'Users', description: 'Profiles, settings and devices.' }],
    [
      /\/sso\//,
      { name: 'Single sign-on', description: 'Sign-in at the OpenID Connect provider of an organization.' },
    ],
    [
      /^\/api\/organizations\/:organization_id\/projects\/|^\/api\/(projects|environments)\//,
      { name: 'Projects', description: 'Projects own flags, saved queries and people.' },
    ],
    [
      /^\/api\/(organizations|signup)\//,
      { name: 'Organizations', description: 'Organizations, members and invites.' },
    ],
  ],
})
