// What the reference says of chat: workspaces that projects are connected to, and who users are there.
import { ada, organization, project } from '../../http/docs/examples'
import type { Words } from '../../docs/words'

const WORKSPACE_ID = 'T0123456789'
const WORKSPACE_NAME = 'Example chat'
const CHAT_USER_ID = 'U0123456789'

const candidate = {
  service_team_id: project.id,
  service_team_name: project.name,
  service_organization_name: organization.name,
  chat_team_id: WORKSPACE_ID,
  chat_team_name: WORKSPACE_NAME,
}

const link = {
  id: '019d483c-3ac0-7136-9725-3edc61818799',
  kind: 'chat',
  chat_user_id: CHAT_USER_ID,
  chat_team_id: WORKSPACE_ID,
  chat_team_name: WORKSPACE_NAME,
  chat_email_at_link: ada.email,
  created_at: '2026-04-01T08:50:00Z',
}

const config = {
  chat_team_id: WORKSPACE_ID,
  chat_team_name: WORKSPACE_NAME,
  scopes: ['users:read', 'users:read.email'],
}

const integration = {
  id: 1,
  kind: 'chat',
  config,
  display_name: WORKSPACE_NAME,
  created_by: ada,
  created_at: '2026-04-01T08:40:00Z',
}

const KIND = 'Always `chat`.'
const WORKSPACE = 'Id of the workspace, as the chat provider calls it.'
const SCOPES =
  'What the app was granted in the workspace. Where it says so, users link only with `users:read` and `users:read.email` among them. Null for providers that have no such thing.'

export const chatWords: Words = {
  schemas: {
    ChatLinkCandidate: {
      is: 'A chat workspace in which a user could say who they are, by a project that is connected to it.',
      fields: {
        service_team_id: 'Id of the project.',
        service_team_name: 'Name of the project.',
        service_organization_name: 'Name of the organization of the project.',
        chat_team_id: WORKSPACE,
        chat_team_name: 'Name of the workspace. Null when nobody said.',
      },
      example: candidate,
    },
    UsersIntegrationsChatLinkableWorkspacesRetrieveResponse: {
      is: 'All chat workspaces that a user could link. There are no pages.',
      fields: { results: 'The workspaces, those that were connected first coming first.' },
      example: { results: [candidate] },
    },
    UsersIntegrationsChatStartCreateBody: {
      is: 'Which workspace to link. Nothing needs to be sent.',
      fields: {
        team_id:
          'Id of the project, as a number or its digits. Left out, null or empty: the one that the user works in.',
        chat_team_id:
          'Id of the workspace, as the chat provider calls it. Left out, null or empty: the first that the project is connected to.',
      },
      example: { team_id: project.id, chat_team_id: WORKSPACE_ID },
    },
    UsersIntegrationsChatStartCreateResponse: {
      is: 'Where to go on.',
      fields: {
        install_url:
          'URL on this service, to open in the browser in which the user is signed in. Good for 15 minutes, for this user.',
      },
      example: {
        install_url:
          'https://halyard.example.com/complete/chat-link/start/?state=eyJ1c2VyIjoxLCJwcm9qZWN0IjoxLCJ3b3Jrc3BhY2UiOiJUMDEyMzQ1Njc4OSIsImV4cCI6MTc3NTAzNDAwMH0.5c2d1f0e9b8a7c6d5e4f3a2b1c0d9e8f7a6b5c4d3e2f1a0b9c8d7e6f5a4b3c2d',
      },
    },
    ChatLink: {
      is: 'Who a user is in a chat workspace, as the chat provider said.',
      fields: {
        id: 'Id of the link.',
        kind: KIND,
        chat_user_id: 'Id of the user in the workspace, as the chat provider calls them.',
        chat_team_id: WORKSPACE,
        chat_team_name: 'Name of the workspace when it was linked. Null when the provider said none.',
        chat_email_at_link: 'Address of the user there when it was linked. Null when the provider said none.',
        created_at: 'When it was first linked. ISO 8601, UTC.',
      },
      example: link,
    },
    UsersIntegrationsListResponse: {
      is: 'All links of a user, of one kind. There are no pages.',
      fields: { results: 'The links, oldest first. Always empty for `github`.' },
      example: { results: [link] },
    },
    IntegrationsCreateBody: {
      is: 'A chat workspace to connect a project to.',
      fields: {
        kind: KIND,
        config: 'The workspace.',
        'config.chat_team_id': 'Id of the workspace, as the chat provider calls it: at most 64 characters.',
        'config.chat_team_name':
          'Name of the workspace, at most 200 characters. Left out, null or empty for none.',
        'config.scopes': `${SCOPES} At most 100, of at most 64 characters. Null when left out.`,
      },
      example: { kind: 'chat', config },
    },
    WorkspaceIntegration: {
      is: 'A chat workspace that a project is connected to.',
      fields: {
        id: 'Id of the connection.',
        kind: KIND,
        config: 'The workspace.',
        'config.chat_team_id': WORKSPACE,
        'config.chat_team_name': 'Name of the workspace. Null when nobody said.',
        'config.scopes': SCOPES,
        display_name: 'Name of the workspace; its id where it has none.',
        created_by: 'Who connected it first. Null when that is not known.',
        created_at: 'When it was first connected. ISO 8601, UTC.',
      },
      example: integration,
    },
    IntegrationsListResponse: {
      is: 'All chat workspaces that a project is connected to. There are no pages.',
      fields: { results: 'The workspaces, those that were connected first coming first.' },
      example: { results: [integration] },
    },
  },
  operations: {
    users_integrations_chat_start_create: { body: {} },
    chat_link_start: {
      parameters: { state: 'Signed text that says who links what. It comes with `install_url`.' },
    },
    chat_link_callback: {
      parameters: {
        state:
          'Signed text that this service sent along to the chat provider, good for 15 minutes, and once.',
        code: 'What the chat provider gives out for somebody who signed in. Spent once everything else is right.',
        error: 'Why the chat provider did not let somebody sign in. Passed on to the settings page.',
      },
    },
    users_integrations_list: {
      parameters: {
        kind: { is: 'What to list: `chat`, or `github`, of which there are none here.', example: 'chat' },
      },
    },
    users_integrations_chat_destroy: {
      parameters: {
        chat_user_id: {
          is: 'Id of the user in the workspace, as the chat provider calls them: `chat_user_id` of the link.',
          example: CHAT_USER_ID,
        },
      },
    },
    integrations_destroy: { parameters: { id: { is: 'Id of the connection.', example: integration.id } } },
  },
}
