// Records that the examples of the documentation share.

export const ada = {
  id: 1,
  uuid: '019d0a5c-7800-7c31-9f52-6b1d2a3c4e5f',
  distinct_id: '7XQz8deIk1WL3nQo88KjOh9cL8BrY2ObFAIqshlluK9',
  first_name: 'Ada',
  last_name: '',
  email: 'ada@example.com',
  is_email_verified: true,
}

export const organization = {
  id: '019d0a5c-7800-7a10-8e41-0c9f7d2b6a38',
  name: 'Example',
  slug: 'example-k3fq',
}

export const project = {
  id: 1,
  uuid: '019d0a5c-7800-7b22-a7d4-5e8c1f0b9d63',
  name: 'Default project',
  api_token: 'phc_TSSeFzpjqX1CwnprQqFzy89Q08NYoMokMEBgdYmyLGe',
}

export const person = { distinct_id: 'user-3', properties: { email: 'grace@example.com' } }
