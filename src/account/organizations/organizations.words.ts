// What the reference says of organizations, their projects and their members.
import { ada, organization, project } from '../../http/docs/examples'
import type { Words } from '../../docs/words'

const STARTED_AT = '2026-03-20T08:28:45.440000Z'

/** The project of the examples, whole. */
export const exampleTeam = {
  id: project.id,
  uuid: project.uuid,
  organization: organization.id,
  project_id: project.id,
  api_token: project.api_token,
  name: project.name,
  completed_snippet_onboarding: false,
  has_completed_onboarding_for: null,
  ingested_event: true,
  is_demo: false,
  timezone: 'UTC',
  access_control: false,
}

export const exampleSummary = {
  ...organization,
  logo_media_id: null,
  membership_level: 15,
  members_can_use_personal_api_keys: true,
  is_active: true,
  is_not_active_reason: null,
  is_pending_deletion: false,
}

/** The organization of the examples, whole. */
export const exampleOrganization = {
  ...exampleSummary,
  created_at: STARTED_AT,
  updated_at: STARTED_AT,
  plugins_access_level: 3,
  teams: [exampleTeam],
  projects: [{ id: project.id, organization_id: organization.id, name: project.name }],
  available_product_features: null,
  is_member_join_email_enabled: true,
  metadata: { instance_tag: 'none' },
  customer_id: null,
  enforce_2fa: null,
  members_can_invite: true,
  members_can_create_projects: false,
  allow_publicly_shared_resources: true,
  member_count: 2,
  is_ai_data_processing_approved: true,
  is_ai_training_opted_in: true,
  is_ai_training_locked: false,
  is_ai_training_cta_shown: true,
  is_hipaa: false,
  default_experiment_stats_method: 'bayesian',
  default_anonymize_ips: false,
  default_role_id: null,
}

const exampleMember = {
  id: 'c2f0e6d4-7a8b-8c11-a1f2-6f0b6f6e2a90',
  user: ada,
  level: 15,
  joined_at: STARTED_AT,
  updated_at: STARTED_AT,
  is_2fa_enabled: true,
  has_social_auth: false,
  last_login: '2026-04-01T08:50:00Z',
}

const memberParameter = {
  user_uuid: { is: 'The uuid of the member’s user, or `@me` for yourself.', example: ada.uuid },
}

const MEMBERS_MAY = {
  members_can_invite: 'Whether every member may invite others, not only admins.',
  members_can_create_projects: 'Whether every member may add projects, not only admins.',
  members_can_use_personal_api_keys:
    'Whether personal API keys of members below admin work in this organization.',
}
const AI_APPROVED =
  'Whether queries may be sent to an AI model, which materialization suggestions need. Null: nobody decided, which counts as no.'

const summaryFields = {
  id: 'Id of the organization.',
  name: 'What people call it, at most 64 characters.',
  slug: 'The name in lower case, with a random end. Unique, and never changed.',
  logo_media_id: 'Id of the logo. Always null: there are no logos here.',
  membership_level: 'What the caller is there: 1 member, 8 admin, 15 owner.',
  members_can_use_personal_api_keys: MEMBERS_MAY.members_can_use_personal_api_keys,
  is_active: 'False for an organization that the operator closed. Null counts as true.',
  is_not_active_reason: 'Why it was closed. Null when nobody said, and while it is open.',
  is_pending_deletion: 'Whether it is about to be deleted. Always false: organizations are not deleted here.',
}

export const organizationsWords: Words = {
  schemas: {
    OrganizationSummary: {
      is: 'An organization in the list of a user’s organizations.',
      fields: summaryFields,
      example: exampleSummary,
    },
    Organization: {
      is: 'An organization as one of its members sees it.',
      fields: {
        ...summaryFields,
        created_at: 'When it was made. ISO 8601, UTC.',
        updated_at: 'When it was last changed. ISO 8601, UTC.',
        plugins_access_level:
          'What it may do with plugins. Always 3, as for every new organization: there are no plugins here.',
        teams: 'Its projects, by id, whole. Every member reaches all of them.',
        projects: 'The same projects, in short.',
        'projects.id': 'Id of the project.',
        'projects.organization_id': 'Id of this organization.',
        'projects.name': 'Name of the project.',
        available_product_features: 'What the plan includes. Always null: there are no plans here.',
        is_member_join_email_enabled:
          'Whether members are told by mail of new ones. Always true, though no mail is sent.',
        metadata: 'Facts about the deployment: `instance_tag`, always `none`.',
        customer_id: 'Id in a billing system. Always null: there is none.',
        enforce_2fa:
          'Whether members must have a second factor. Shown, and not enforced. Null: nobody decided.',
        members_can_invite: MEMBERS_MAY.members_can_invite,
        members_can_create_projects: MEMBERS_MAY.members_can_create_projects,
        allow_publicly_shared_resources:
          'Whether things may be shared with everybody. Always true; nothing is shared here.',
        member_count: 'How many active members it has.',
        is_ai_data_processing_approved: AI_APPROVED,
        is_ai_training_opted_in:
          'Whether data may train models. Always true, as for every new organization; no model is trained here.',
        is_ai_training_locked: 'Whether that choice is fixed. Always false.',
        is_ai_training_cta_shown:
          'Whether clients have asked for that choice. Always true, so that they do not ask.',
        is_hipaa: 'Whether health data is agreed on. Always false.',
        default_experiment_stats_method:
          'How experiments are judged. Always `bayesian`: there are no experiments here.',
        default_anonymize_ips: 'Whether new projects drop IP addresses. Always false.',
        default_role_id: 'Role of new members. Always null: there are no roles here.',
      },
      example: exampleOrganization,
    },
    OrganizationsPartialUpdateBody: {
      is: 'What to change of an organization. What is left out stays.',
      fields: {
        name: 'What people call it, at most 64 characters. The slug stays.',
        ...MEMBERS_MAY,
        is_ai_data_processing_approved: AI_APPROVED,
      },
      example: { members_can_invite: true, is_ai_data_processing_approved: true },
    },
    OrganizationMember: {
      is: 'A member of an organization.',
      fields: {
        id: 'Id of the membership. Paths name a member by the uuid of the user.',
        user: 'The user.',
        level: '1 member, 8 admin, 15 owner.',
        joined_at: 'When they joined. ISO 8601, UTC.',
        updated_at: 'When their level last changed; when they joined, if it never has. ISO 8601, UTC.',
        is_2fa_enabled: 'Whether they have a second factor.',
        has_social_auth:
          'Whether they can sign in by another service. Always false: there is no such sign-in.',
        last_login:
          'When they last signed in with a password. ISO 8601, UTC. Null without a sign-in since the service records it.',
      },
      example: exampleMember,
    },
    OrganizationsMembersPartialUpdateBody: {
      is: 'The new level of a member.',
      fields: {
        level:
          '1 member, 8 admin, 15 owner; at most your own level. 8 and 15, and any change of an admin or owner, need a session that signed ' +
          'in within the last two hours.',
      },
      example: { level: 8 },
    },
  },
  operations: {
    organizations_members_partial_update: {
      parameters: memberParameter,
      answer: { ...exampleMember, level: 8, updated_at: '2026-04-01T09:15:00Z' },
    },
    organizations_members_destroy: { parameters: memberParameter },
  },
}
