// Every operation on accounts. Routing, OpenAPI and the security suite derive from this list.
import type { Operation } from '../../http/operation'
import { linkableWorkspaces, listIntegrations, startChatLink, unlinkChat } from './chat'
import { callbackPage, startPage } from './chat-pages'
import { createIntegration, deleteIntegration, listProjectIntegrations } from './integrations'
import { createInviteOperation, delegateOperation, deleteInviteOperation, listInvites } from './invites'
import { skipOnboardingOperation } from './onboarding-skip'
import {
  listMembers,
  listOrganizations,
  retrieveOrganization,
  updateOrganizationOperation,
} from './organizations'
import {
  createOrganizationProject,
  createProjectOperation,
  listOrganizationProjects,
  listProjects,
  retrieveProject,
} from './projects'
import { registerToken, unregisterToken } from './push-tokens'
import { acceptInviteOperation, previewInvite } from './signup'

export const accountOperations: readonly Operation[] = [
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
  listOrganizations,
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
