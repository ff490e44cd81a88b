// What differs about what SDKs call: capture, evaluation, definitions, OpenFeature.
import type { Differences } from './difference'

export const sdk: Partial<Differences> = {
  areas: {
    SDK: [
      {
        what: 'Definitions come from a snapshot at the edge: a change is visible at once in the location where it was made, and within 60 seconds everywhere.',
        why: 'Flags are evaluated near those who ask, without the database.',
      },
      {
        what: 'A project that is deleted, or gets another token, may be known by the old one for up to 60 seconds.',
        why: 'One look-up less for every call.',
      },
      {
        what: 'Not served: session replay (`/s/`), `/track/`, `/engage/`, surveys, early access features and the script `array.js` with its `config.js`. SDKs come from their packages.',
        why: 'What they would deliver is not here.',
      },
    ],
  },
  operations: {
    capture: [
      {
        what: 'Events are stored, with persons and groups, before the answer: what was captured can be asked for at once. Upstream puts them on a queue.',
        why: 'There is no queue in between; a batch is one transaction.',
      },
      {
        what: 'Events that cannot be used are in `errors`, by their place in the request, and the others are stored. Upstream’s answer has no `errors`.',
        why: 'A client can tell what it did wrong.',
      },
      {
        what: 'At most 10,000 events and 20 MiB a request (413); an event of more than 800 KB is among the `errors`.',
        why: 'Memory of a Worker and rows of the database are bounded.',
      },
      {
        what: 'Nothing is added from the address of the sender: no `$ip`, no `$geoip_…`. What the client sends of these is kept.',
        why: 'Privacy; and there is no such database.',
      },
      {
        what: 'Person properties are those that a person has now: events keep no copy of what they were (`poe` in queries).',
        why: 'A merge then changes two rows and no event. History is in the events themselves.',
      },
    ],
    flags_evaluate: [
      {
        what: 'No `$geoip_…` properties are added from the address of the caller; `geoip_disable` has no effect.',
        why: 'Not built.',
      },
      {
        what: '`v=3` answers as `v=2`. `only_evaluate_survey_feature_flags`, `detailed_analysis` and `only_use_override_person_properties` are ignored; `minimalFlagCalledEvents` never occurs.',
        why: 'The second configuration format and surveys are not here; the others are for upstream’s own callers.',
      },
      {
        what: 'A database that is away for 2 seconds fails those flags alone that needed it, with the reason `database_unavailable`. 429 and 504 do not occur.',
        why: 'SDKs give up after 3 seconds, and with it on the flags that need nothing.',
      },
      {
        what: 'With `config`, the answer says that there is nothing but flags and events: no recording, no autocapture, no surveys, the same for every project.',
        why: 'So that browsers load no scripts for what is not there.',
      },
      {
        what: '`quotaLimited` is set by the operator, in the project’s row.',
        why: 'There is no billing.',
      },
      {
        what: 'Cohorts with conditions on events never match, whatever keeps them upstream; dates in free form are those that read the same everywhere (`5 Jan 2024`, `1/5/2024` month first).',
        why: 'There is nothing that would keep them; upstream’s parser takes more than can be told.',
      },
    ],
    local_evaluation: [
      {
        what: 'Takes personal API keys with `feature_flag:read` alone, no secret keys of a project (`phs_…`).',
        why: 'Not built.',
      },
      {
        what: '`minimal_flag_called_events` is always false. Flags and cohorts that cannot be read are left out.',
        why: 'SDKs ask the service for what they do not find.',
      },
    ],
    remote_config: [
      {
        what: 'Says that there is nothing but flags and events, the same for every project.',
        why: 'Projects have no settings of this kind.',
      },
    ],
  },
  added: ['ofrep_evaluate_flags', 'ofrep_evaluate_flag'],
}
