/** Declares the operations on companies: list those of the partner, and activate or cancel a subscription. */
import { type Static, Type } from 'typebox'
import { operation } from './operation.ts'
import { countryCode, orNull, pathParameter, text } from './shapes.ts'

export const Company = Type.Object(
  {
    organizationNumber: text('The organisation number.'),
    country: countryCode('The country of registration (ISO 3166-1 alpha-2).'),
    name: text('The registered name.'),
    activeSubscription: Type.Boolean({ description: 'Whether the company has an active subscription.' }),
    services: Type.Array(
      Type.Enum(['AIS', 'PIS'], {
        title: 'CompanyService',
        description: 'AIS account information, PIS payment initiation.',
      }),
      { description: 'The services of the company.' },
    ),
    onboardingId: orNull(
      Type.String({ format: 'uuid' }),
      'The onboarding that created it; null if it was registered in another way.',
    ),
  },
  { title: 'Company', description: 'A company that the partner acts for.' },
)
export type Company = Static<typeof Company>

export const listCompanies = operation({
  id: 'listCompanies',
  method: 'GET',
  path: '/api/companies',
  tag: 'Companies',
  summary: "List the partner's companies",
  description: 'The companies that the partner acts for, by name.',
  admits: 'partner',
  answer: { status: 200, schema: Type.Array(Company, { description: 'The companies, by name.' }) },
  errorStatuses: [401, 403, 429, 500, 503],
})

const subscription = {
  method: 'PATCH',
  tag: 'Companies',
  admits: 'partner',
  params: Type.Object({
    countryCode: countryCode('The country of the company (ISO 3166-1 alpha-2).'),
    organizationNumber: pathParameter('The organisation number.'),
  }),
  answer: { status: 200, schema: Company },
  errorStatuses: [400, 401, 403, 404, 429, 500, 503],
} as const

export const activateSubscription = operation({
  ...subscription,
  id: 'activateSubscription',
  path: '/api/companies/subscription/activate/{countryCode}/{organizationNumber}',
  summary: 'Activate the subscription of a company',
  description: 'Takes effect from the next request. Repeating the request changes nothing.',
})

export const cancelSubscription = operation({
  ...subscription,
  id: 'cancelSubscription',
  path: '/api/companies/subscription/cancel/{countryCode}/{organizationNumber}',
  summary: 'Cancel the subscription of a company',
  destructive: 'Requests for the company are rejected from then on.',
  description:
    'New requests for the company are rejected; existing payments are still tracked until final. Repeating it ' +
    'changes nothing.',
})
