// What differs about accounts: signing in, users, keys, chat identity, organizations and projects.
import type { Difference, Differences } from './difference'

const CALLERS_ONLY: Difference = {
  what: 'Another user’s uuid in the path is 403. Upstream does not look at it, and acts on the caller.',
  why: 'What a path names should be what is meant.',
}

const KEYS_TOO: Difference = {
  what: 'Takes keys with `user:write`. Upstream takes sessions only.',
  why: 'The specification leaves the scope open.',
}

const REFUSES_KEYS: Difference = {
  what: 'A key is 403 `This action does not support personal API key access`. Upstream says 401.',
  why: 'The key is good, and not for this.',
}

const CODES_COUNT: Difference = {
  what: 'Six wrong codes within 20 minutes are 429, and a missing `token` is 400. Upstream counts none of them here, and crashes over the latter.',
  why: 'Safety: six digits can be guessed.',
}

const FIXED_ORGANIZATION: Difference = {
  what: 'In an organization, what there is no notion of here has the value that a new one gets: `logo_media_id`, `available_product_features`, `customer_id` and `default_role_id` null, `plugins_access_level` 3, `metadata` `{"instance_tag": "none"}`, `is_member_join_email_enabled`, `allow_publicly_shared_resources`, `is_ai_training_opted_in` and `is_ai_training_cta_shown` true, `is_ai_training_locked`, `is_hipaa`, `default_anonymize_ips` and `is_pending_deletion` false, `default_experiment_stats_method` `bayesian`.',
  why: 'Plans, plugins, roles and experiments are not built.',
}

const OWN_PAGES_ONLY: Difference = {
  what: 'A request that says it comes from a page of another origin is 403 `CSRF Failed: …`. Upstream looks at nothing of the kind before there is a session.',
  why: 'Safety: a stranger’s page could sign a browser in to the stranger’s own account, and what its user does would end up there.',
}

const TOO_MANY_PASSWORDS: Difference = {
  what: 'More passwords at once than an isolate can check are a 503 `password_capacity` with `Retry-After`.',
  why: 'Hashing a password blocks the isolate; a flood of sign-ins must not keep other requests waiting.',
}

const NO_LINKS: Difference = {
  what: 'Names with `://` or `www.` in them are refused (`Names must not contain links.`).',
  why: 'Names show up in invites and lists. Upstream refuses them too, in words that are not known.',
}

const FROM_RECENT_SESSIONS: Difference = {
  what: 'Invites for admins and owners are created by sessions that signed in within the last two hours only; a key is 403. Upstream takes keys.',
  why: 'Safety: a leaked key must not become a permanent admin.',
}

const NOT_COMPARED: Difference = {
  what: 'A project’s record has the twelve fields of the team object. Upstream’s has a project’s many settings besides.',
  why: 'The specification describes the team object, and nothing else of projects.',
}

export const accounts: Partial<Differences> = {
  areas: {
    Accounts: [
      FIXED_ORGANIZATION,
      NOT_COMPARED,
      {
        what: 'One’s own uuid in a user’s path is as good as `@me`. Upstream refuses it, for push tokens even to staff.',
        why: 'It names the same user, and clients know it.',
      },
      {
        what: 'A session past its 14 days, or one that was revoked, is 401. Upstream redirects to its login page, also from the API.',
        why: 'A program can read a status.',
      },
      {
        what: 'There are no passkeys, no single sign-on and no social accounts: `has_social_auth`, `has_sso_enforcement` and `has_passkeys` are false, `login_method` is `password`, `passkeys_enabled_for_2fa: true` is the 400 `no_passkeys`. `sso_enforced…` and the operations of passkeys do not occur.',
        why: 'Not built.',
      },
      {
        what: 'A password is judged by length, variety and a list of common ones, with `This password is too weak.` for all of it; 8 to 1,024 characters, at most 3,072 bytes. Upstream asks zxcvbn, and repeats its advice.',
        why: 'Its lists would be a third of the Worker.',
      },
      {
        what: 'Passwords are stored under scrypt. Upstream’s PBKDF2 hashes cannot be brought along.',
        why: 'WebCrypto on Workers bounds PBKDF2 at 100,000 rounds.',
      },
      {
        what: 'No session is asked to sign in anew for where it comes from (`step_up_required`, `session_risk`), and there is no second, shorter window for changing an address (`fresh_reauth_expires_at`).',
        why: 'Not built; the newest revision has them.',
      },
      {
        what: 'The address that limits count by is `CF-Connecting-IP`, of IPv6 its /64. Upstream takes the first of `X-Forwarded-For`, whole.',
        why: 'Safety: that header is the caller’s to write, and a /64 holds more addresses than could be counted.',
      },
      {
        what: 'Staff start to look as somebody else with a form on `/settings`, which posts to upstream’s path; what they may not do then is as upstream, and besides they make, delegate by and delete no invites and change no members (403 `impersonation_path_blocked`).',
        why: 'There is no admin site. Who is invited comes in, and stays when the impersonation is over.',
      },
      {
        what: 'Not served: the list of users, `PUT` and `DELETE` of a user (405), `POST /api/reset/` and its siblings, `/api/login/precheck/`, sign-in by a code from a mail, passkeys, `verify_email/`, `request_email_verification/`, `cancel_email_change_request/`, `hedgehog_config/`, `product_intro_seen/`, `github_login/`, `pending_invites/`, signing up without an invite, making and deleting organizations, changing and deleting projects.',
        why: 'Not part of the specification, or they need mail. The first account comes from the deployment, all others from invites.',
      },
    ],
  },
  operations: {
    login_create: [
      OWN_PAGES_ONLY,
      TOO_MANY_PASSWORDS,
      {
        what: 'An address that was never verified signs in (`not_verified` does not occur), and nobody is asked for a code from a mail.',
        why: 'No mail is sent.',
      },
    ],
    login_token_create: [
      OWN_PAGES_ONLY,
      {
        what: 'A second factor is asked for at every sign-in: there is no `remember-cookie_…` for 30 days.',
        why: 'Safety: it would be a second way in that outlives a password.',
      },
      {
        what: 'Six wrong codes within 20 minutes end in `2fa_too_many_attempts`. Upstream lets one wait longer after each.',
        why: 'One kind of limit for all that can be guessed.',
      },
    ],
    users_retrieve: [
      {
        what: '`pending_email` is always null; `pending_invites` are shown to verified addresses alone.',
        why: 'No mail is sent. The id of an invite is as good as the membership: whoever merely claims an address must not learn it.',
      },
      {
        what: '`completed_snippet_onboarding`, `is_demo` and `access_control` of a team are false, `has_completed_onboarding_for` is null; `ui_configuration`, `notification_locks` and `fresh_reauth_expires_at` are not there.',
        why: 'Nothing here sets them; the specification does not name the last three.',
      },
    ],
    users_partial_update: [
      {
        what: 'A changed address takes effect at once, and is unverified from then on (`is_email_verified: null`). Addresses are kept in lower case.',
        why: 'No mail is sent that could confirm it.',
      },
      {
        what: 'Keys may not change `email`, `password` and `is_staff` (403). Upstream’s newest revision refuses the first two, in words of its own.',
        why: 'Safety: a key must not become an account.',
      },
      NO_LINKS,
      {
        what: '`hedgehog_config` takes at most 8,192 bytes of JSON, `events_column_config`, `has_seen_product_intro_for` and the notification settings 65,536 each; one request changes at most 16,384 bytes of notification settings. More is a 400 `max_length`. Upstream names no limit.',
        why: 'The avatar comes along wherever the user is listed, and a row holds 2 MB.',
      },
    ],
    users_scene_personalisation_create: [
      {
        what: 'Changes the profile fields that are sent, by the rules of the profile, besides storing `scene` and `dashboard`; neither has to be there. Answers 200 with no body. Upstream takes the pair alone, and answers with the user.',
        why: 'The specification says so (User account).',
      },
      {
        what: 'A session has to have signed in lately for what the profile asks that of. Upstream never asks here.',
        why: 'It would be a way around the profile’s rule.',
      },
      { what: '`dashboard: null` is a 400.', why: 'Upstream crashes over it.' },
      {
        what: 'A dashboard of an organization that the user is no member of is `does_not_exist`, as one that is not there. Upstream says that it must belong to the current team.',
        why: 'Safety: what is out of reach must not be told from what does not exist.',
      },
      KEYS_TOO,
    ],
    users_credentials_review_complete_create: [
      REFUSES_KEYS,
      {
        what: 'Staff cannot do it for somebody else.',
        why: 'Only the user can have looked.',
      },
    ],
    users_login_sessions_list: [
      CALLERS_ONLY,
      REFUSES_KEYS,
      {
        what: '`location` is what the platform says of the last request. `id` is random, and not made of the session.',
        why: 'The platform knows; an id should say nothing.',
      },
    ],
    users_login_sessions_destroy: [CALLERS_ONLY, REFUSES_KEYS],
    users_login_sessions_revoke_others_create: [CALLERS_ONLY, REFUSES_KEYS],
    users_start_2fa_setup_retrieve: [
      CALLERS_ONLY,
      {
        what: 'Answers 200 with no body; the secret is in the QR code of `two_factor_qr/`. Upstream answers `{"success": true, "secret": …}`.',
        why: 'The specification says so (User account). `two_factor_start_setup/` answers as upstream.',
      },
    ],
    users_two_factor_start_setup_retrieve: [CALLERS_ONLY],
    users_two_factor_qr_retrieve: [
      {
        what: 'Upstream has it at `/account/two_factor/qrcode/`.',
        why: 'It belongs to the session that set out, and stands beside the other steps.',
      },
    ],
    users_two_factor_validate_create: [CALLERS_ONLY, CODES_COUNT],
    users_validate_2fa_create: [CALLERS_ONLY, CODES_COUNT],
    users_two_factor_status_retrieve: [
      {
        what: '`method` is `TOTP` or null; backup codes are counted (`backup_codes_remaining`) and not shown.',
        why: 'As the newest revision; there are no passkeys.',
      },
    ],
    users_two_factor_backup_codes_create: [
      {
        what: 'Staff make none for somebody else.',
        why: 'Safety: whoever has the codes is halfway in.',
      },
    ],
    personal_api_keys_list: [
      {
        what: '`is_legacy_hashing` is false and `local_dev_value` null.',
        why: 'There is one way of hashing.',
      },
    ],
    personal_api_keys_create: [
      {
        what: 'Scopes of things that are not served here are accepted, and open nothing.',
        why: 'Clients make keys from a fixed list.',
      },
      {
        what: 'A key without scopes is refused, as in the newest revision; `llm_gateway` scopes always are.',
        why: 'It would open nothing.',
      },
      {
        what: 'A key is kept to 100 projects and 100 organizations at most, and has 300 scopes at most.',
        why: 'Every request of a key reads what it is kept to.',
      },
    ],
    users_onboarding_skip_create: [
      KEYS_TOO,
      {
        what: '`step_at_skip` is checked, and goes nowhere. Upstream sends it to its analytics.',
        why: 'This service reports to nobody.',
      },
    ],
    users_integrations_chat_linkable_workspaces_retrieve: [
      {
        what: 'Named `chat` where upstream says `slack`, in paths, fields and texts. Any provider that speaks OpenID Connect will do.',
        why: 'The specification says so (User account).',
      },
      {
        what: 'Linking is on unless the project has a flag `chat-app-oauth` that says no for `chat_workspace:<id>`, and the two scopes count only where a workspace lists any. Upstream’s flag is one of its own, and off by default.',
        why: 'A deployment decides by its own flags.',
      },
    ],
    users_integrations_chat_start_create: [
      {
        what: 'The URL is for the user who asked; a sign-in at the provider that it leads to counts once, and in the session that set out. Upstream’s URL is for whoever opens it, and a sign-in may be repeated.',
        why: 'Safety: nobody should link their identity to another’s account.',
      },
    ],
    users_integrations_list: [
      {
        what: '`kind` is `chat` or `github`; `slack` is a 400, and `github`, the default as upstream, is always empty.',
        why: 'The specification names the chat; GitHub is not built.',
      },
    ],
    chat_link_start: [
      {
        what: 'Failures come as `chat_link_error`, `session_mismatch` and `exchange_failed` among them. Upstream: `slack_link_error`, and those two from the callback alone.',
        why: 'The state is bound to the session that set out, and the provider is asked for its addresses.',
      },
    ],
    chat_link_callback: [
      {
        what: '`session_mismatch` is looked for before the code is spent, a state that comes a second time is `invalid_state`, and an `error` of the provider that is no code of 64 characters is `invalid_state`. Nothing is said in the channel afterwards.',
        why: 'Safety: a code is spent for whoever set out, and what a query string says is not repeated at length.',
      },
      {
        what: 'Access and refresh tokens of the provider are not kept.',
        why: 'Nothing here needs them.',
      },
    ],
    integrations_create: [
      {
        what: 'An admin names the workspace, and `kind` is `chat` alone. Upstream installs its own Slack app, and has other kinds.',
        why: 'The chat app is the deployment’s own.',
      },
    ],
    users_push_tokens_create: [
      {
        what: 'Tokens are kept, and nothing is pushed to them.',
        why: 'Not built: the specification describes registration only.',
      },
    ],
    organizations_retrieve: [
      {
        what: 'A key that is kept to other organizations is 403, and told which it may not reach. Upstream says 404 here, and 403 on the paths below.',
        why: 'One answer on all paths; whoever made the key is a member, and knows that the organization is there.',
      },
    ],
    organizations_partial_update: [
      {
        what: 'Takes `name`, `members_can_invite`, `members_can_create_projects`, `members_can_use_personal_api_keys` and `is_ai_data_processing_approved`; everything else is ignored. `slug` stays.',
        why: 'There is nothing else to decide here.',
      },
    ],
    organizations_members_list: [
      {
        what: '`id` derives from the organization and the user: a membership has no other. `last_login` is null until a member signs in to this service.',
        why: 'Members are known by their user.',
      },
    ],
    organizations_members_partial_update: [
      {
        what: 'Making, changing or removing an admin or owner needs a session that signed in within the last two hours; a key is 403. Upstream takes keys.',
        why: 'Safety: a leaked key must not become a permanent admin, nor lock the others out.',
      },
      {
        what: 'Admins and owners may lower their own level; an organization keeps an active owner (400 `last_owner`), and may have several. Upstream refuses any change of the own level.',
        why: 'Decision of this service: the last owner stays.',
      },
      {
        what: '`@me` names the caller. Invites that the member created above the new level are deleted.',
        why: 'Safety: the id of an invite is all that accepting it takes.',
      },
    ],
    organizations_members_destroy: [
      {
        what: 'The last active owner cannot leave (400 `last_owner`). Invites that the member created are deleted.',
        why: 'An organization without an owner cannot be managed; the id of an invite would let its creator come back.',
      },
    ],
    organizations_invites_list: [
      {
        what: 'Shows only invites that the caller could have made. Keys without `organization_member:write`, all keys for an invite above level 1, and staff who impersonate somebody see other UUIDs in place of their ids, here and in a user’s record.',
        why: 'Safety: the id of an invite is all that accepting it takes.',
      },
    ],
    organizations_invites_create: [
      FROM_RECENT_SESSIONS,
      {
        what: 'Sends no mail (`emailing_attempt_made` is false): the inviter hands on the id. `private_project_access`, `send_email` and `combine_pending_invites` have no effect.',
        why: 'No mail is sent, and there are no private projects.',
      },
    ],
    organizations_invites_delegate_create: [
      FROM_RECENT_SESSIONS,
      { what: 'Sends no mail (`emailing_attempt_made` is false).', why: 'No mail is sent.' },
    ],
    signup_invite_create: [
      NO_LINKS,
      {
        what: 'Makes the account, and signs nobody in.',
        why: 'Signing in is one operation, with its own limits.',
      },
    ],
  },
  added: ['users_two_factor_qr_retrieve'],
}
