// What differs about people: cohorts, dashboards and properties.
import type { Differences } from './difference'

export const people: Partial<Differences> = {
  areas: {
    People: [
      {
        what: 'Persons, groups and events come in by capture and are read by saved queries; `/persons/`, `/groups/`, `/groups_types/`, `/events/`, `/event_definitions/`, and lists of cohorts and dashboards are not served.',
        why: 'Not part of the specification: what is here is what flags refer to.',
      },
      {
        what: 'Cohorts are static ones, made from flags. Dynamic cohorts evaluate as upstream, and no operation makes them: they have to be written into the database.',
        why: 'Not part of the specification.',
      },
      {
        what: 'A project has five group types, and properties of a person or group take at most 500 KB; what is more is reported to the client that sent it.',
        why: 'Rows of the database are bounded.',
      },
    ],
  },
  operations: {
    cohorts_retrieve: [
      {
        what: '`groups` is always empty; fields about upstream’s kinds of cohorts, its calculation and experiments are not there.',
        why: 'There is one kind that operations make.',
      },
    ],
    dashboards_retrieve: [
      {
        what: 'The usage dashboards of flags alone, with the data of 30 days in each tile. Filters, layouts, colours, sharing, refresh and insights as objects of their own are not there.',
        why: 'Not built: it shows what a flag’s dashboard is for.',
      },
    ],
    property_definitions_list: [
      {
        what: 'Shows what queries know of a property: name and type. `type=session` and filters by event are not there.',
        why: 'Types are what queries need.',
      },
    ],
    property_definitions_partial_update: [
      {
        what: 'Changes `property_type` alone.',
        why: 'Descriptions, tags and verification are not built.',
      },
    ],
  },
}
