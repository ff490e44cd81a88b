// What differs about feature flags.
import type { Difference, Differences } from './difference'

const KEYS_TOO: Difference = {
  what: 'Takes keys with `feature_flag:write`. Upstream takes sessions only.',
  why: 'The specification leaves the scope open, and programs make flags.',
}

const LINKED_NOWHERE: Difference = {
  what: '`experiment_set` and `experiment_set_metadata` are empty, `surveys` and `features` are `{}`, `is_used_in_replay_settings` is false, and `type=experiment` finds nothing, unless somebody wrote such rows into the database: what guards them (a running experiment keeps its flag) then works.',
  why: 'Experiments, surveys, early access features and replay have no operations here.',
}

export const flags: Partial<Differences> = {
  areas: {
    'Feature flags': [
      LINKED_NOWHERE,
      {
        what: '`surveys` and `features` are objects, by id. Upstream has arrays.',
        why: 'The specification says so (Feature flag).',
      },
      {
        what: '`can_edit` is always true and `user_access_level` is `manager` for admins and the flag’s creator, else `editor`; `none` and `viewer` do not occur.',
        why: 'There are no access rules for single flags.',
      },
      {
        what: '`evaluation_contexts` are always on. Upstream ignores what is written, and shows none, where an organization has not got them; the same goes for `early_exit`, which nobody is refused.',
        why: 'There are no plans here that could lack them.',
      },
      {
        what: 'The live flags of a project may have 8 MiB of filters, names and evaluation contexts together. A page of flags, activity, endpoints or versions ends at 8 MiB, and `next` begins where it ends; in activity, the pages that follow have a smaller `limit`.',
        why: 'An isolate has 128 MB for everybody: one project must not take it all.',
      },
      {
        what: 'Regular expressions run in linear time (RE2): look-ahead, back-references, atomic groups and possessive repetition are refused when a flag is written (`groups[i].properties[j].value: invalid regex pattern`), as are patterns of over 10,000 characters or instructions, with a message that says so. A property longer than 100,000 characters matches neither `regex` nor `not_regex`; a flag whose filters would take too long fails with `timeout`. `\\b` knows ASCII words only.',
        why: 'Safety: one pattern that backtracks would stall everybody’s flags.',
      },
      {
        what: 'Of regular expressions, these are refused too: `(?x)`, the flags `u` and `R`, comments `(?#…)`, classes within classes and their operations (`[a[b]]`, `[a&&b]`), repetition past 1,000 (nested ones multiplied: too large) and of a repetition (`a**`), `\\<`, `\\>` and `\\b{start}`, look-behind with groups that capture, and properties by long names (`\\p{Script=Greek}`, `\\p{Letter}`; `\\p{Greek}` and `\\p{L}` are taken).',
        why: 'The engine has not got them, or reads them otherwise; refused, they are noticed when the flag is written.',
      },
      {
        what: 'Of several errors, one that takes no look-up is told before one that does: `active` that is no boolean before a key that is taken, or on an update one that is misspelt, and before what is in `filters`. Upstream goes by the order of the fields alone.',
        why: 'A request that cannot succeed costs the database nothing.',
      },
      {
        what: 'Reads show `cohort_name` beside cohorts, and no `group_key_names` beside groups.',
        why: 'Not built: names of groups are whatever property a project keeps them in.',
      },
      {
        what: 'The newest revision’s staged checks of filters, its second configuration format (`filters.version`) and its fields (`reason_states_rollout`) are not there. What is sent of them is stored as it is, or ignored.',
        why: 'The specification describes the revision before.',
      },
      {
        what: 'Cohorts with conditions on events are refused in flags. Upstream lets those in that it keeps up to date in real time.',
        why: 'Nothing here keeps them up to date.',
      },
      {
        what: 'Not served: `PUT …/:id/` (405), `POST …/:id/enable/`, `disable/`, `archive/` and `unarchive/`, copying flags between projects, scheduled changes, the tag policy, and `…/feature_flags/local_evaluation/` inside projects.',
        why: 'Not part of the specification. `PATCH` does what the first five do; the feed for SDKs is served where SDKs ask for it.',
      },
    ],
  },
  operations: {
    feature_flags_list: [
      {
        what: '`order` takes `id`, `key`, `name`, `created_at`, `updated_at`, `last_called_at`, `active`, `version` and `created_by`, and is a 400 for anything else. Upstream passes any column to the database, and crashes on a bad one.',
        why: 'Safety: every order has an index or a bound.',
      },
      {
        what: 'The filters `key` and `eligible_for_experiment` of the newest revision are ignored.',
        why: 'The specification does not name them.',
      },
      {
        what: '`search` looks through the first 2,000 characters of a name.',
        why: 'A name of a megabyte must not stall the database that all projects share.',
      },
    ],
    feature_flags_create: [
      {
        what: 'A name has at most 10,000 characters.',
        why: 'Rows of the database are bounded.',
      },
      {
        what: '`_create_in_folder` is stored, and shown nowhere.',
        why: 'There is no file tree.',
      },
      {
        what: 'Percentages of variants may miss 100 by a rounding error of floats (33.3 + 33.3 + 33.4).',
        why: 'They are 100 to whoever wrote them.',
      },
      {
        what: 'Parts of `filters` that upstream’s revision does not look at are checked too: `groups`, `properties`, `multivariate`, `holdout` and `feature_enrollment` have to be of the right type. Upstream stores them, or crashes.',
        why: 'What is stored has to evaluate.',
      },
      {
        what: 'The id of a cohort that is sent as digits in a string is stored as a number. Upstream keeps the string.',
        why: 'Evaluators, those in SDKs among them, take numbers.',
      },
      {
        what: 'How many flags a project may have is a setting, `MAX_FLAGS_PER_PROJECT`; the message is upstream’s, support in it included.',
        why: 'Clients match on it.',
      },
      {
        what: 'Payloads are encrypted with AES-256-GCM under a secret of the deployment, which can be rotated. Upstream’s ciphertext cannot be brought along.',
        why: 'Keys rotate without touching rows.',
      },
    ],
    feature_flags_retrieve: [
      {
        what: 'An encrypted payload whose key is gone shows the placeholder, and can be sent back as it is. Upstream fails.',
        why: 'The flag can still be listed, mended and deleted.',
      },
    ],
    feature_flags_partial_update: [
      {
        what: 'Restoring a flag is refused when the project has as many live flags as it may. Upstream checks that only when a flag is created.',
        why: 'A limit that can be exceeded bounds nothing.',
      },
      {
        what: 'A change of `tags` shows in the activity log as a change of `version` alone.',
        why: 'It is not known whether upstream logs more.',
      },
      {
        what: 'Setting `filters` to `{}` or to an object without `groups` leaves the stored ones. The newest revision merges by key.',
        why: 'The specification describes the revision before.',
      },
      {
        what: 'Turning `has_encrypted_payloads` on without sending `filters` encrypts the payloads that are stored. Upstream leaves them in the clear.',
        why: 'A flag that says that its payloads are encrypted has to keep them so.',
      },
    ],
    feature_flags_activity_retrieve: [
      {
        what: 'A missing flag is a 404 with no body. Upstream sends the envelope.',
        why: 'The specification says so (Errors).',
      },
      {
        what: 'A page past the end is empty. Upstream crashes.',
        why: 'Nothing is wrong with asking.',
      },
      {
        what: '`detail.trigger` is always null.',
        why: 'There are no scheduled changes.',
      },
    ],
    feature_flags_all_activity_retrieve: [
      {
        what: 'A page past the end is empty. Upstream crashes.',
        why: 'Nothing is wrong with asking.',
      },
    ],
    feature_flags_versions_retrieve: [
      {
        what: '400, 404 and 422 have no body. Upstream sends `{"detail"}`.',
        why: 'The specification says so (Errors).',
      },
    ],
    feature_flags_test_evaluation_create: [
      {
        what: 'Every failure is `{error}`, also a missing `distinct_id` and a bad `timestamp`, for which upstream sends the envelope. The 404 for a person says the same in `error` and `detail`; a missing flag stays an envelope.',
        why: 'The specification says `{error}` (Errors); existing clients read `detail`.',
      },
      {
        what: 'A disabled flag says `flag_disabled`, and a flag for clients only is evaluated. Upstream says `flag_not_found` to both.',
        why: 'Whoever tests a flag wants to know what it would do. A deleted one says `flag_not_found`.',
      },
      {
        what: '`operator` is the token that was stored (`is_not`). Upstream prints the name of its own enumeration (`isnot`).',
        why: 'It can be sent back.',
      },
      {
        what: '`rollout_excluded` is what the hash says. Upstream sets it for rollouts of 0 % only, and explains the others wrongly; explanations of conditions that did not decide say why.',
        why: 'It is what is asked for.',
      },
      {
        what: '`conditions` has an entry for each condition set and none for enrollment (-1) and holdout (-2). `reason_description` is there besides.',
        why: 'The specification describes condition sets; the newest revision has the description.',
      },
      {
        what: 'With `timestamp`, cohorts, groups and the flags that this one depends on are taken as they are now. Upstream leaves cohorts and groups out then, so that no such condition matches.',
        why: 'They keep no history; as they are now is nearer to what was.',
      },
      {
        what: 'With `timestamp`, the person is rebuilt from all of their events until then: `$set_once` of any event counts, and `$unset` takes away. Upstream looks 730 days back and not past the making of the flag, takes `$set_once` from events of that name alone, and knows no `$unset`.',
        why: 'The specification wants the properties as they were at that time, and this is how capture made them.',
      },
      {
        what: '502 means a circle of dependencies; the texts about another service that does not answer do not occur.',
        why: 'The evaluator is a function here, not a service.',
      },
    ],
    feature_flags_evaluation_reasons_retrieve: [
      { what: '`flag_keys` is ignored.', why: 'The specification does not name it.' },
      {
        what: '502 does not occur.',
        why: 'The evaluator is a function here, not a service.',
      },
    ],
    feature_flags_user_blast_radius_create: [
      {
        what: 'Exact up to 2,500 people or groups; past that the share among 2,500 of them, picked at random, is applied to all: within two percentage points 19 times in 20. Upstream counts in ClickHouse.',
        why: 'The evaluator itself counts, in the time that a Worker has.',
      },
    ],
    feature_flags_create_static_cohort_for_flag_create: [
      {
        what: 'Answers 200. Upstream answers 201.',
        why: 'The specification says so (Feature flags).',
      },
      KEYS_TOO,
    ],
    feature_flags_dashboard_create: [KEYS_TOO],
    feature_flags_enrich_usage_dashboard_create: [KEYS_TOO],
    feature_flags_bulk_delete_create: [
      {
        what: 'A flag that an active flag depends on stays whenever that one stays, also when it was among the chosen and was itself refused. Upstream deletes it.',
        why: 'No active flag may look at one that is gone.',
      },
      {
        what: 'More ids than fit into 1 MiB (some 100,000) are a 413.',
        why: 'Memory of a Worker is bounded. Ids have no limit of their own.',
      },
      {
        what: 'Work that takes longer than the request is finished in the background, and the answer is a 503; asking again tells how things stand.',
        why: 'A request of a Worker is bounded in time.',
      },
    ],
    feature_flags_bulk_update_tags_create: [
      {
        what: 'Ids times tags may be more than 10,000.',
        why: 'That limit is one of the newest revision.',
      },
    ],
  },
}
