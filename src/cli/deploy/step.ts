export type DeployStep =
  | { do: 'keep'; what: string }
  | { do: 'build' }
  | { do: 'createDatabase'; binding: string; name: string }
  | { do: 'createNamespace'; title: string }
  | { do: 'createQueue'; name: string }
  /** Prints the point in time to which the database can be restored. */
  | { do: 'bookmark'; binding: string; name: string }
  | { do: 'migrate'; binding: string; name: string; files: string[] }
  | { do: 'upload'; worker: string; made: string[]; given: string[] }
  /** Creates the first organization, project, user and key, and invalidates what a lost database may have published. */
  | { do: 'seed'; email: string; replacesLost?: true }
  /** Makes a new password and key of the first user. */
  | { do: 'renew' }
  /** Invalidates what an earlier main database published. */
  | { do: 'afterRestore' }
  | { do: 'awaitReady' }

export function describe(step: DeployStep): string {
  switch (step.do) {
    case 'keep':
      return `Keep ${step.what}`
    case 'build':
      return 'Build the console and the Worker'
    case 'createDatabase':
      return `Create the D1 database ${step.name} (${step.binding})`
    case 'createNamespace':
      return `Create the KV namespace ${step.title}`
    case 'createQueue':
      return `Create the queue ${step.name}`
    case 'bookmark':
      return `Read the bookmark of ${step.name}`
    case 'migrate':
      return `Migrate ${step.name}: ${step.files.map((file) => file.replace(/\.sql$/, '')).join(', ')}`
    case 'upload':
      return `Deploy the Worker ${step.worker}${secretsOf(step)}`
    case 'seed':
      return `Create the first organization, project, user (${step.email}) and key`
    case 'renew':
      return 'Make a new password and key for the first user'
    case 'afterRestore':
      return 'End all sessions and publish all flags again'
    case 'awaitReady':
      return 'Wait until the service is ready'
  }
}

function secretsOf({ made, given }: Extract<DeployStep, { do: 'upload' }>): string {
  const parts = [
    ...(made.length > 0 ? [`new secrets ${made.join(', ')}`] : []),
    ...(given.length > 0 ? [`${given.join(', ')} from the environment`] : []),
  ]
  return parts.length > 0 ? `, with ${parts.join(' and ')}` : ''
}
