// Every operation on accounts. Routing, OpenAPI and the security suite derive from this list.
import type { Operation } from '../../http/operation'
import { linkableWorkspaces, listIntegrations, startChatLink, unlinkChat } from './chat'
import { callbackPage, startPage } from './chat-pages'
import { createIntegration, deleteIntegration, listProjectIntegrations } from './integrations'
import { listSessionsOperation, revokeOthersOperation, revokeSessionOperation } from './login-sessions'
import { createInviteOperation, delegateOperation, deleteInviteOperation, listInvites } from './invites'
import { skipOnboardingOperation } from './onboarding-skip'
import {
  listMembers,
  listOrganizationsOperation,
  retrieveOrganization,
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
  createOrganizationProject,
  createProjectOperation,
  listOrganizationProjects,
  listProjects,
  retrieveProject,
} from './projects'
import { registerToken, unregisterToken } from './push-tokens'
import { loginOperation, loginTokenOperation } from './sign-in'
import { acceptInviteOperation, previewInvite } from './signup'
import {
  disableTwoFactorOperation,
  renewBackupCodes,
  showTwoFactorQr,
  showTwoFactorStatus,
  startTwoFactor,
  startTwoFactorWithSecret,
  validateTwoFactor,
  validateTwoFactorByItsOtherName,
} from './two-factor'
import { completeCredentialReviewOperation, personaliseScene, retrieveUser, updateUser } from './users'

export const accountOperations: readonly Operation[] = [
  loginOperation,
  loginTokenOperation,
  retrieveUser,
  updateUser,
  personaliseScene,
  completeCredentialReviewOperation,
  listSessionsOperation,
  revokeSessionOperation,
  revokeOthersOperation,
  startTwoFactor,
  startTwoFactorWithSecret,
  showTwoFactorQr,
  validateTwoFactor,
  validateTwoFactorByItsOtherName,
  showTwoFactorStatus,
  renewBackupCodes,
  disableTwoFactorOperation,
  listKeysOperation,
  createKeyOperation,
  retrieveKeyOperation,
  updateKeyOperation,
  replaceKeyOperation,
  deleteKeyOperation,
  rollKeyOperation,
  skipOnboardingOperation,
  linkableWorkspaces,
  startChatLink,
  listIntegrations,
  unlinkChat,
  startPage,
  callbackPage,
  listProjectIntegrations,
  createIntegration,
  deleteIntegration,
  registerToken,
  unregisterToken,
  listOrganizationsOperation,
  retrieveOrganization,
  updateOrganizationOperation,
  listMembers,
  listInvites,
  createInviteOperation,
  delegateOperation,
  deleteInviteOperation,
  previewInvite,
  acceptInviteOperation,
  listOrganizationProjects,
  createOrganizationProject,
  listProjects,
  createProjectOperation,
  retrieveProject,
]
