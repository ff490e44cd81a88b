// What the reference says of invites: making them, and coming in by one.
import { ada, organization } from '../../http/docs/examples'
import type { Words } from '../../docs/words'

const INVITE_ID = '795b929e-9a9a-40fd-aa7b-5bf55eb561a4'
const INVITED_AT = '2026-04-01T09:15:00Z'

/** Whom Ada invites. */
const grace = {
  id: 2,
  uuid: '019d1f5b-c080-723d-bdda-1494c73cf256',
  distinct_id: '3rEMU64yTY6BzUZKC97i4xgciFnq9RBXO2tAG1yKwIL',
  first_name: 'Grace',
  last_name: '',
  email: 'grace@example.com',
  is_email_verified: null,
  hedgehog_config: null,
  role_at_organization: null,
}

const invite = {
  id: INVITE_ID,
  target_email: grace.email,
  first_name: grace.first_name,
  emailing_attempt_made: false,
  level: 1,
  is_expired: false,
  created_by: ada,
  created_at: INVITED_AT,
  updated_at: INVITED_AT,
  message: 'Come and look at our flags.',
  private_project_access: [],
  send_email: false,
  combine_pending_invites: false,
}

const delegation = {
  target_email: grace.email,
  message: 'Could you set this up?',
  step_at_delegation: 'install',
}

const TARGET = 'Address of whom to invite, at most 254 characters; kept in lower case. Members are refused.'
const MESSAGE = 'A word to them, at most 1,000 characters. Null or left out for none.'

const inviteParameter = {
  invite_id: { is: 'Id of the invite. Whoever knows it can accept the invite.', example: INVITE_ID },
}

export const invitesWords: Words = {
  schemas: {
    OrganizationInvite: {
      is: 'A way into an organization, for one address, for three days.',
      fields: {
        id:
          'Id of the invite. A secret: it is all that accepting the invite takes. Callers who may not read it see another UUID: keys without ' +
          '`organization_member:write`, all keys for an invite above level 1, and staff who impersonate somebody.',
        target_email: 'The address that was invited, in lower case.',
        first_name: 'Given name of whom it is for. Empty when nobody said.',
        emailing_attempt_made:
          'Whether mail was sent. Always false: this service sends none. Hand the id on.',
        level: 'What they become: 1 member, 8 admin, 15 owner.',
        is_expired:
          'Whether three days are over; then it cannot be accepted. It is forgotten 30 days after it was made, at the earliest.',
        created_by: 'Who made it. Null when that is not known.',
        created_at: 'When it was made. ISO 8601, UTC.',
        updated_at: 'When it was last changed. ISO 8601, UTC.',
        message: 'A word from who made it. Null without one.',
        private_project_access:
          'Access to single projects. Always empty: every member reaches every project.',
        send_email: 'Whether mail was asked for. Always false.',
        combine_pending_invites: 'Whether earlier invites were taken along. Always false.',
      },
      example: invite,
    },
    OrganizationsInvitesCreateBody: {
      is: 'Whom to invite, and as what.',
      fields: {
        target_email: TARGET,
        first_name:
          'Given name of whom it is for, at most 30 characters, without links. Empty when left out.',
        level:
          'What they become: 1 member, 8 admin, 15 owner. Default 1; never above your own level. 8 and 15 need a session that signed in within the last two hours.',
        message: MESSAGE,
      },
      example: {
        target_email: invite.target_email,
        first_name: invite.first_name,
        level: invite.level,
        message: invite.message,
      },
    },
    OrganizationsInvitesDelegateCreateBody: {
      is: 'The person to delegate onboarding to. They become an admin if you are an admin or owner, else a member.',
      fields: {
        target_email: TARGET,
        message: MESSAGE,
        step_at_delegation:
          'Where in onboarding this happened, at most 64 characters. Checked, and not kept.',
      },
      example: delegation,
    },
    SignupInviteRetrieveResponse: {
      is: 'What an invite is for.',
      fields: {
        id: 'Id of the invite.',
        target_email: 'The address that was invited: nobody else can accept.',
        first_name: 'Given name of whom it is for. Empty when nobody said.',
        organization_name: 'Name of the organization that they would join.',
      },
      example: {
        id: INVITE_ID,
        target_email: grace.email,
        first_name: grace.first_name,
        organization_name: organization.name,
      },
    },
    SignupInviteCreateBody: {
      is: 'Who the new user is. Somebody who is signed in needs to send nothing.',
      fields: {
        first_name:
          'Given name, at most 150 characters, without links. Required for a new account; else ignored.',
        password:
          'Password to sign in with: 8 to 1,024 characters of at most 3,072 bytes in all, hard to guess, not made of the name or the address. Required for a new account; else ignored. Write-only.',
      },
      example: { first_name: grace.first_name, password: 'correct-horse-battery-staple' },
    },
  },
  operations: {
    organizations_invites_delegate_create: {
      answer: { ...invite, first_name: '', level: 8, message: delegation.message },
    },
    organizations_invites_destroy: { parameters: inviteParameter },
    signup_invite_retrieve: { parameters: inviteParameter },
    signup_invite_create: { parameters: inviteParameter, answer: grace },
  },
}
