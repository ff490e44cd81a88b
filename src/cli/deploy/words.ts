// Steps as their operator reads them.
import type { Step } from './plan'

/** What the step does, as an order. */
export function describe(step: Step): string {
  switch (step.do) {
    case 'keep':
      return `Keep ${step.what}`
    case 'build':
      return 'Build the Worker, and see that it is complete'
    case 'createDatabase':
      return `Create the D1 database ${step.name}`
    case 'createNamespace':
      return `Create the KV namespace ${step.title}`
    case 'createQueue':
      return `Create the queue ${step.name}`
    case 'bookmark':
      return 'Note where the database stands'
    case 'migrate':
      return `Apply ${step.files.length} migrations: ${step.files.map((file) => file.replace(/\.sql$/, '')).join(', ')}`
    case 'upload':
      return `Deploy the Worker ${step.worker}${secretsOf(step)}`
    case 'setUp':
      return `Make the first organization, project, user (${step.email}) and key`
    case 'renew':
      return 'Make a new password and key for the first user'
    case 'afterRestore':
      return 'End all sessions, and have everything published again'
    case 'awaitReady':
      return 'Wait until the service is ready'
  }
}

function secretsOf({ made, given }: Extract<Step, { do: 'upload' }>): string {
  const parts = [
    ...(made.length > 0 ? [`new secrets ${made.join(', ')}`] : []),
    ...(given.length > 0 ? [`${given.join(', ')} from the environment`] : []),
  ]
  return parts.length > 0 ? `, with ${parts.join(' and ')}` : ''
}
