// What the reference says of projects.
import { organization } from '../../http/docs/examples'
import type { Words } from '../../docs/words'
import { exampleTeam } from './organizations.words'

const created = {
  ...exampleTeam,
  id: 2,
  uuid: '019d4845-6280-7195-bfb7-10734986e86c',
  organization: organization.id,
  project_id: 2,
  api_token: 'phc_OLeMa61EqJomTEI1JEzO3joOj37HyVaQXekW9LctXb0',
  name: 'Staging',
  ingested_event: false,
  timezone: 'Europe/London',
}

export const projectsWords: Words = {
  schemas: {
    Team: {
      is: 'A project as its users see it. Flags, events and saved queries belong to one.',
      fields: {
        id: 'Id of the project, for paths.',
        uuid: 'Another id of it, unique across deployments.',
        organization: 'Id of the organization that it belongs to.',
        project_id: 'The same as `id`: a project and its environment share one.',
        api_token:
          'The public token (`phc_…`) that SDKs send. It goes into client code: it evaluates flags and sends events, nothing else.',
        name: 'What people call it, at most 200 characters.',
        completed_snippet_onboarding:
          'Whether the snippet was set up. Always false: nobody keeps track here.',
        has_completed_onboarding_for: 'Onboarding by product. Always null: there is none here.',
        ingested_event: 'Whether an event was ever captured.',
        is_demo: 'Whether it holds made-up data. Always false: there are no demo projects.',
        timezone: 'IANA name of the time zone that flags and queries reckon in.',
        access_control:
          'Whether access is limited to some members. Always false: every member reaches every project.',
      },
      example: exampleTeam,
    },
    OrganizationsProjectsCreateBody: {
      is: 'A project to add.',
      fields: {
        name: 'What people call it, at most 200 characters. `Default project` when left out.',
        timezone: 'IANA name of the time zone that flags and queries reckon in. `UTC` when left out.',
      },
      example: { name: created.name, timezone: created.timezone },
    },
  },
  operations: {
    organizations_projects_create: { answer: created },
    projects_create: { answer: created },
  },
}
