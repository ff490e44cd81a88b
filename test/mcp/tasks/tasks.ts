// What people ask a model for, with the tool that it should pick.

export interface Task {
  task: string
  tool: string
}

export const TASKS: readonly Task[] = [
  { task: 'Which feature flags does my project have?', tool: 'feature-flag-get-all' },
  {
    task: 'Create a flag new-checkout for 20 percent of the people with a company email',
    tool: 'create-feature-flag',
  },
  { task: 'Raise the rollout of this flag to 50 percent: update the flag', tool: 'update-feature-flag' },
  { task: 'Delete the flag old-banner', tool: 'delete-feature-flag' },
  { task: 'Delete all flags with the tag legacy at once', tool: 'feature-flags-bulk-delete-create' },
  { task: 'Add the tag mobile to many flags', tool: 'feature-flags-bulk-update-tags-create' },
  {
    task: 'Why does ada see the flag off? Evaluate it for one person and explain the reasons',
    tool: 'feature-flags-test-evaluation-create',
  },
  {
    task: 'Which value does every flag have for the person ada, and why?',
    tool: 'feature-flags-evaluation-reasons-retrieve',
  },
  { task: 'Who changed this flag last week?', tool: 'feature-flags-activity-retrieve' },
  { task: 'What did version 3 of the flag look like?', tool: 'feature-flags-versions-retrieve' },
  { task: 'Is this flag stale or still in use?', tool: 'feature-flags-status-retrieve' },
  { task: 'Which other flags depend on this flag?', tool: 'feature-flags-dependent-flags-retrieve' },
  {
    task: 'How many people does a condition match before I release?',
    tool: 'feature-flags-user-blast-radius-create',
  },
  { task: 'Make a saved query an endpoint that counts signups per day', tool: 'endpoint-create' },
  { task: 'Run the endpoint daily-signups and show its rows', tool: 'endpoint-run' },
  { task: 'When did my endpoints last run?', tool: 'endpoints-last-execution-times' },
  {
    task: 'Why can this query not be materialized? Show the conditions',
    tool: 'endpoints-materialization-conditions-retrieve',
  },
  {
    task: 'Invite a new person, grace@example.com, to our organization: create the invite',
    tool: 'organizations-invites-create',
  },
  { task: 'Create a new project for the staging environment', tool: 'project-create' },
  { task: 'Who am I signed in as: my user record and current project?', tool: 'user-get' },
]
