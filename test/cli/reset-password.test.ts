// A link for a user who is locked out, made in the local database.
import { afterAll, beforeAll, expect, it } from 'vitest'
import { createProject, type Project } from './project'

let project: Project
beforeAll(() => {
  project = createProject({})
})
afterAll(() => project.remove())

it('prints a link for a user that exists', async () => {
  expect(await project.run('setup', ['--url', 'http://localhost:8787'])).toMatchObject({ code: 0 })
  const made = await project.run('reset-password', ['--email', 'Admin@localhost.localdomain'])
  expect(made).toEqual({
    code: 0,
    stdout: expect.stringMatching(/^http:\/\/localhost:8787\/reset\/[0-9A-Za-z_-]{40,}\n$/),
    stderr: '',
  })
  expect(await project.run('reset-password', ['--email', 'nobody@example.com'])).toEqual({
    code: 1,
    stdout: '',
    stderr: 'There is no active user nobody@example.com.\n',
  })
}, 120_000)
