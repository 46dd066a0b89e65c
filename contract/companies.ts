/** Declares the operations on companies: which of them a partner acts for, and whether they are served. */
import { type Static, Type } from 'typebox'
import { operation } from './operation.ts'
import { countryCode, pathText, text } from './shapes.ts'

export const Company = Type.Object(
  {
    organizationNumber: text('The organisation number.'),
    country: countryCode('The country of registration (ISO 3166-1 alpha-2).'),
    name: text('The registered name.'),
    activeSubscription: Type.Boolean({ description: 'Whether the company is served.' }),
    services: Type.Array(
      Type.Enum(['AIS', 'PIS'], {
        description: 'AIS account information, PIS payment initiation.',
      }),
      { description: 'What the company is served with.' },
    ),
    onboardingId: Type.Union([Type.String({ format: 'uuid' }), Type.Null()], {
      description: 'The onboarding that it came from; null when it was registered otherwise.',
    }),
  },
  { title: 'Company', description: 'A company that the partner acts for.' },
)
export type Company = Static<typeof Company>

export const listCompanies = operation({
  id: 'listCompanies',
  method: 'GET',
  path: '/api/companies',
  server: 'base',
  tag: 'Companies',
  summary: "List the partner's companies",
  admits: 'partner',
  psu: 'none',
  answer: { status: 200, schema: Type.Array(Company, { description: 'The companies, by name.' }) },
  failures: [],
  refusals: [401, 403, 429, 500, 503],
  validation: [],
  idempotent: false,
  sandboxOnly: false,
})

const subscription = {
  method: 'PATCH',
  server: 'base',
  tag: 'Companies',
  admits: 'partner',
  psu: 'none',
  params: Type.Object({
    countryCode: countryCode('The country of the company (ISO 3166-1 alpha-2).'),
    organizationNumber: pathText('The organisation number.'),
  }),
  answer: { status: 200, schema: Company },
  failures: [],
  refusals: [401, 403, 404, 429, 500, 503],
  validation: [],
  idempotent: false,
  sandboxOnly: false,
} as const

export const activateSubscription = operation({
  ...subscription,
  id: 'activateSubscription',
  path: '/api/companies/subscription/activate/{countryCode}/{organizationNumber}',
  summary: 'Activate the subscription of a company',
  description: 'The company is served from the next request on. Repeating it changes nothing.',
})

export const cancelSubscription = operation({
  ...subscription,
  id: 'cancelSubscription',
  path: '/api/companies/subscription/cancel/{countryCode}/{organizationNumber}',
  summary: 'Cancel the subscription of a company',
  description:
    'Nothing new is served for the company; payments that were ordered are followed to their end. Repeating it changes ' +
    'nothing.',
})
