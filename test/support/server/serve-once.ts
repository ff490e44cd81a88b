// One served Worker for all tests that drive real clients. Each test has its own project in it.
import type { TestProject } from 'vitest/node'
import { serveWorker } from './served-worker'

declare module 'vitest' {
  interface ProvidedContext {
    served: {
      url: string
      projectId: number
      personalApiKey: string
      projectApiToken: string
      email: string
      password: string
    }
  }
}

export default async function serveOnce(project: TestProject) {
  const { url, projectId, credentials, stop } = await serveWorker()
  const { personalApiKey, projectApiToken, email, password } = credentials
  project.provide('served', { url, projectId, personalApiKey, projectApiToken, email, password })
  return stop
}
