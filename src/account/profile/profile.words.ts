// What the reference says of what users may change of themselves.
import { ada, organization, project } from '../../http/docs/examples'
import type { Words } from '../../docs/words'

const KEPT = 'Kept for clients; this service does nothing with it.'

/** Read with the rules of `body.ts`, `password-change.ts` and `current-place.ts`. */
const profileFields = {
  first_name: 'Given name, at most 150 characters, without links. May be empty.',
  last_name: 'Family name, at most 150 characters, without links. May be empty.',
  email:
    'Address to sign in with, at most 254 characters; kept in lower case. It counts at once, as one that nobody confirmed. Not for API keys, unless it stays the same.',
  notification_settings:
    'Settings to lay over what is set, with the keys of `NotificationSettings`: maps item by item. Other keys are refused, and more than 16,384 bytes of JSON at once, or 65,536 with those that are set.',
  anonymize_data: `Whether clients should send what the user does without saying who they are. ${KEPT}`,
  allow_impersonation: 'Whether staff may look at the service as this user. Only false keeps them out.',
  toolbar_mode: `What the toolbar does on the user’s pages. ${KEPT}`,
  is_staff: 'Whether the user is staff. Only staff may send it, and only with a session.',
  set_current_organization:
    'Id of an organization of the user, to work in from now on; its first project comes along. Write-only.',
  set_current_team:
    'Id of a project that the user reaches, to work in from now on; its organization comes along. Write-only.',
  password:
    'New password: 8 to 1,024 characters of at most 3,072 bytes in all, hard to guess, not made of the name or the address. Ends all other sessions. Not for API keys. Write-only.',
  current_password:
    'The password so far. Required with `password`, unless the user has none. At most 5 a minute. Write-only.',
  events_column_config: `Which columns clients show of events; any JSON of at most 65,536 bytes. ${KEPT}`,
  has_seen_product_intro_for: `Which introductions the user has seen; any JSON of at most 65,536 bytes, in place of what was there. ${KEPT}`,
  theme_mode: `Colours that the user prefers. Null for no choice. ${KEPT}`,
  hedgehog_config:
    'The avatar; any JSON of at most 8,192 bytes. Others see `use_as_profile`, `color`, `accessories` and `skin` of it, or of its `actor_options` where `version` is 2.',
  allow_sidebar_suggestions: `Whether clients may suggest things in the sidebar. Null for no choice. ${KEPT}`,
  shortcut_position: `Where shortcuts stand. Null for no choice, which is shown as \`above\`. ${KEPT}`,
  role_at_organization: 'What the user does.',
  passkeys_enabled_for_2fa:
    'Whether passkeys count as second factor. True is refused: there are no passkeys here.',
  hide_mcp_hints: `Whether clients leave out hints about MCP. ${KEPT}`,
}

const profile = {
  first_name: ada.first_name,
  theme_mode: 'dark',
  notification_settings: { project_weekly_digest_disabled: { [project.id]: true } },
  set_current_organization: organization.id,
}

export const profileWords: Words = {
  schemas: {
    UsersPartialUpdateBody: {
      is: 'What to change of a user. What is left out stays; fields that are unknown or read-only are ignored.',
      fields: profileFields,
      example: profile,
    },
    UsersScenePersonalisationCreateBody: {
      is: 'A scene with its dashboard, and whatever is to change of the user. What is left out stays.',
      fields: {
        ...profileFields,
        scene:
          'The scene, as clients call it: at most 200 characters, capitals count. Only with `dashboard`.',
        dashboard:
          'Id of the dashboard that the scene is to show, of the project that the user works in. Only with `scene`.',
      },
      example: { scene: 'Home', dashboard: 1 },
    },
  },
  operations: {
    users_partial_update: { body: { first_name: ada.first_name, theme_mode: 'dark' } },
    // Without a dashboard, which there may not be.
    users_scene_personalisation_create: { body: { theme_mode: 'dark', hide_mcp_hints: true } },
  },
}
