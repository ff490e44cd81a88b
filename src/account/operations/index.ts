// Every operation on accounts. Routing, OpenAPI and the security suite derive from this list.
import type { Operation } from '../../http/operation'
import {
  linkableWorkspacesOperation,
  listIntegrationsOperation,
  startChatLinkOperation,
  unlinkChatOperation,
} from './chat'
import { callbackPageOperation, startPageOperation } from './chat-pages'
import {
  createIntegrationOperation,
  deleteIntegrationOperation,
  listProjectIntegrationsOperation,
} from './integrations'
import { listSessionsOperation, revokeOthersOperation, revokeSessionOperation } from './login-sessions'
import {
  createInviteOperation,
  delegateOperation,
  deleteInviteOperation,
  listInvitesOperation,
} from './invites'
import { skipOnboardingOperation } from './onboarding'
import { listMembersOperation, removeMemberOperation, updateMemberOperation } from './members'
import {
  listOrganizationsOperation,
  retrieveOrganizationOperation,
  updateOrganizationOperation,
} from './organizations'
import {
  createKeyOperation,
  deleteKeyOperation,
  listKeysOperation,
  replaceKeyOperation,
  retrieveKeyOperation,
  rollKeyOperation,
  updateKeyOperation,
} from './personal-api-keys'
import {
  createOrganizationProjectOperation,
  createProjectOperation,
  listOrganizationProjectsOperation,
  listProjectsOperation,
  retrieveProjectOperation,
} from './projects'
import { registerTokenOperation, unregisterTokenOperation } from './push-tokens'
import { loginOperation, loginTokenOperation } from './sign-in'
import { acceptInviteOperation, previewInviteOperation } from './signup'
import {
  disableTwoFactorOperation,
  renewBackupCodesOperation,
  showTwoFactorQrOperation,
  showTwoFactorStatusOperation,
  startTwoFactorOperation,
  startTwoFactorWithSecretOperation,
  validateTwoFactorOperation,
  validateTwoFactorAliasOperation,
} from './two-factor'
import {
  completeCredentialReviewOperation,
  personaliseSceneOperation,
  retrieveUserOperation,
  updateUserOperation,
} from './users'

export const accountOperations: readonly Operation[] = [
  loginOperation,
  loginTokenOperation,
  retrieveUserOperation,
  updateUserOperation,
  personaliseSceneOperation,
  completeCredentialReviewOperation,
  listSessionsOperation,
  revokeSessionOperation,
  revokeOthersOperation,
  startTwoFactorOperation,
  startTwoFactorWithSecretOperation,
  showTwoFactorQrOperation,
  validateTwoFactorOperation,
  validateTwoFactorAliasOperation,
  showTwoFactorStatusOperation,
  renewBackupCodesOperation,
  disableTwoFactorOperation,
  listKeysOperation,
  createKeyOperation,
  retrieveKeyOperation,
  updateKeyOperation,
  replaceKeyOperation,
  deleteKeyOperation,
  rollKeyOperation,
  skipOnboardingOperation,
  linkableWorkspacesOperation,
  startChatLinkOperation,
  listIntegrationsOperation,
  unlinkChatOperation,
  startPageOperation,
  callbackPageOperation,
  listProjectIntegrationsOperation,
  createIntegrationOperation,
  deleteIntegrationOperation,
  registerTokenOperation,
  unregisterTokenOperation,
  listOrganizationsOperation,
  retrieveOrganizationOperation,
  updateOrganizationOperation,
  listMembersOperation,
  updateMemberOperation,
  removeMemberOperation,
  listInvitesOperation,
  createInviteOperation,
  delegateOperation,
  deleteInviteOperation,
  previewInviteOperation,
  acceptInviteOperation,
  listOrganizationProjectsOperation,
  createOrganizationProjectOperation,
  listProjectsOperation,
  createProjectOperation,
  retrieveProjectOperation,
]
