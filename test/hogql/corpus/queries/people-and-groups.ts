// Groups, people, their ids and the static cohort, and how events know them.
import type { CorpusQuery } from '../corpus-query'

export const PEOPLE_AND_GROUPS: readonly CorpusQuery[] = [
  {
    name: 'events of a group',
    sql: "SELECT $group_0 AS organization, count() AS events, uniq(person_id) AS people FROM events WHERE $group_0 != '' GROUP BY organization ORDER BY organization",
    ordered: true,
    columns: ['organization', 'events', 'people'],
    types: ['string', 'integer', 'integer'],
    rows: [
      ['acme', 14, 2],
      ['globex', 5, 2],
      ['unknown-org', 1, 1],
    ],
  },
  {
    name: 'properties of the group of an event',
    sql: `
      SELECT group_0.properties.name AS organization, group_0.properties.seats AS seats, sum(properties.amount) AS revenue
      FROM events WHERE event = 'purchase' GROUP BY organization, seats ORDER BY revenue DESC`,
    ordered: true,
    columns: ['organization', 'seats', 'revenue'],
    types: ['string', 'float', 'float'],
    rows: [
      [null, null, 1060],
      ['Globex', 3, 345.5],
      ['Acme Inc', 25, 267.23],
    ],
  },
  {
    name: 'groups and how large they are',
    sql: 'SELECT key, properties.name AS name, toInt(properties.seats) AS seats FROM groups WHERE index = 0 ORDER BY seats',
    ordered: true,
    columns: ['key', 'name', 'seats'],
    types: ['string', 'string', 'integer'],
    rows: [
      ['globex', 'Globex', 3],
      ['acme', 'Acme Inc', 25],
      ['initech', 'Initech', 140],
    ],
  },
  {
    name: 'groups without events',
    sql: 'SELECT g.key AS key FROM groups AS g LEFT JOIN events AS e ON e.$group_0 = g.key WHERE g.index = 0 AND e.uuid IS NULL',
    columns: ['key'],
    types: ['string'],
    rows: [['initech']],
  },
  {
    name: 'events of each organization in a month',
    sql: `
      SELECT g.properties.industry AS industry, count() AS events FROM events AS e JOIN groups AS g ON g.key = e.$group_0 AND g.index = 0
      WHERE e.timestamp >= '2026-03-01' GROUP BY industry ORDER BY industry`,
    ordered: true,
    columns: ['industry', 'events'],
    types: ['string', 'integer'],
    rows: [
      ['energy', 2],
      ['tools', 8],
    ],
  },
  {
    name: 'ids of people',
    sql: 'SELECT person_id, count() AS ids FROM person_distinct_ids GROUP BY person_id HAVING ids > 1 ORDER BY person_id',
    ordered: true,
    columns: ['person_id', 'ids'],
    types: ['string', 'integer'],
    rows: [
      ['aaaaaaaa-0000-4000-8000-000000000001', 2],
      ['aaaaaaaa-0000-4000-8000-000000000003', 3],
      ['aaaaaaaa-0000-4000-8000-000000000007', 2],
      ['aaaaaaaa-0000-4000-8000-000000000012', 3],
    ],
  },
  {
    name: 'ids of a person, from the person',
    sql: "SELECT p.properties.email AS email, p.pdi.distinct_id AS own FROM persons AS p WHERE p.properties.country = 'GB' ORDER BY own",
    ordered: true,
    columns: ['email', 'own'],
    types: ['string', 'string'],
    rows: [
      ['ada@example.com', 'ada'],
      ['ada@example.com', 'anon-ada'],
      ['niaj@example.com', 'n-2'],
      ['niaj@example.com', 'n-3'],
      ['niaj@example.com', 'niaj'],
    ],
  },
  {
    name: 'purchases by the ids of a person, joined in a condition',
    sql: `
      SELECT persons.properties.name AS name, count() AS purchases FROM persons
      JOIN events AS e ON e.distinct_id = persons.pdi.distinct_id AND e.event = 'purchase'
      WHERE persons.properties.country IN ('FR', 'RU') GROUP BY name ORDER BY name`,
    ordered: true,
    columns: ['name', 'purchases'],
    types: ['string', 'integer'],
    rows: [
      ['Chloé Ångström', 2],
      ['Дмитрий', 3],
    ],
  },
  {
    name: 'person of an id',
    sql: "SELECT p.properties.email AS email FROM person_distinct_ids AS d JOIN persons AS p ON p.id = d.person_id WHERE d.distinct_id = 'anon-ada'",
    columns: ['email'],
    types: ['string'],
    rows: [['ada@example.com']],
  },
  {
    name: 'people of a cohort',
    sql: 'SELECT properties.name AS name FROM persons WHERE id IN (SELECT person_id FROM cohort_people) ORDER BY name',
    ordered: true,
    columns: ['name'],
    types: ['string'],
    rows: [['Ada Lovelace'], ['Ben'], ['Grace Hopper']],
  },
  {
    name: 'events of a cohort',
    sql: "SELECT count() AS events FROM events WHERE event = 'purchase' AND person_id IN (SELECT person_id FROM cohort_people)",
    columns: ['events'],
    types: ['integer'],
    rows: [[8]],
  },
  {
    name: 'people without events',
    sql: 'SELECT id FROM persons WHERE id NOT IN (SELECT person_id FROM events) ORDER BY id',
    ordered: true,
    columns: ['id'],
    types: ['string'],
    rows: [['aaaaaaaa-0000-4000-8000-000000000011']],
  },
  {
    name: 'events without a person',
    sql: 'SELECT event, person_id FROM events WHERE person_id NOT IN (SELECT id FROM persons) ORDER BY event',
    ordered: true,
    columns: ['event', 'person_id'],
    types: ['string', 'string'],
    rows: [
      ['$pageview', 'ghost'],
      ['export', 'ghost'],
    ],
  },
  {
    name: 'properties of a person that is not there',
    sql: "SELECT event, person.properties.email AS email FROM events WHERE distinct_id = 'ghost' ORDER BY event",
    ordered: true,
    columns: ['event', 'email'],
    types: ['string', 'string'],
    rows: [
      ['$pageview', null],
      ['export', null],
    ],
  },
  {
    name: 'columns of the person of an event',
    sql: "SELECT DISTINCT person.id AS id, person.is_identified AS identified, person.created_at AS created FROM events WHERE distinct_id IN ('anon-ada', 'ada', 'heidi') ORDER BY created",
    ordered: true,
    columns: ['id', 'identified', 'created'],
    types: ['string', 'boolean', 'datetime'],
    rows: [
      ['aaaaaaaa-0000-4000-8000-000000000001', true, '2025-12-31T23:59:59.500000Z'],
      ['aaaaaaaa-0000-4000-8000-000000000008', false, '2026-03-01T12:00:00Z'],
    ],
  },
  {
    name: 'every column of a person',
    sql: "SELECT * FROM persons WHERE id = 'aaaaaaaa-0000-4000-8000-000000000004'",
    columns: ['id', 'created_at', 'properties', 'is_identified'],
    types: ['string', 'datetime', 'json', 'boolean'],
    rows: [
      [
        'aaaaaaaa-0000-4000-8000-000000000004',
        '2026-02-16T08:00:00Z',
        '{"name":"Дмитрий","plan":"team","age":"29","beta":"true","country":"RU"}',
        true,
      ],
    ],
  },
  {
    name: 'every column of an event',
    sql: "SELECT * FROM events WHERE event = 'Purchase'",
    columns: [
      'uuid',
      'event',
      'properties',
      'timestamp',
      'distinct_id',
      'elements_chain',
      'created_at',
      'person_id',
    ],
    types: ['string', 'string', 'json', 'datetime', 'string', 'string', 'datetime', 'string'],
    rows: [
      [
        '00000000-0000-4000-8000-000000000054',
        'Purchase',
        '{"amount":1}',
        '2026-03-05T17:00:00Z',
        'dmitri',
        '',
        '2026-03-05T17:00:00.999999Z',
        'aaaaaaaa-0000-4000-8000-000000000004',
      ],
    ],
  },
  {
    name: 'people who are identified',
    sql: 'SELECT is_identified, count() AS people FROM persons GROUP BY is_identified ORDER BY is_identified',
    ordered: true,
    columns: ['is_identified', 'people'],
    types: ['boolean', 'integer'],
    rows: [
      [false, 3],
      [true, 9],
    ],
  },
]
