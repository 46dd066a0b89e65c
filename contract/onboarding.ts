/** Declares the operations on onboarding: bring a company in, follow that, call it off, and register for account information. */
import { type Static, Type } from 'typebox'
import { Company } from './companies.ts'
import { codedBody } from './errors/coded-errors.ts'
import { operation } from './operation.ts'
import { RETURN_URL_RULE } from './sca.ts'
import { countryCode, instant, organizationNumberAsked, returnUrl, text, uuid } from './shapes.ts'

export const OnboardingStatus = Type.Enum(
  ['Created', 'AwaitingCustomerAction', 'ManualHandling', 'Accepted', 'Rejected', 'Cancelled', 'Expired'],
  {
    title: 'OnboardingStatus',
    description:
      "Created: nobody has opened the url. AwaitingCustomerAction: the company's people are at work. ManualHandling: we " +
      'look at it. Accepted: the company is onboarded. Rejected: see the reason. Cancelled: by you, by the company, or ' +
      'because another onboarding of the same company was accepted. Expired: untouched for 24 hours.',
  },
)
export type OnboardingStatus = Static<typeof OnboardingStatus>

export const OnboardingStatusReason = Type.Enum(
  ['CompanyNotFound', 'UnsupportedCompanyType', 'RiskEvaluation', 'SignatureExpired', 'MissingDocuments'],
  {
    title: 'OnboardingStatusReason',
    description:
      'CompanyNotFound: the registry knows no such company, or it is struck off. UnsupportedCompanyType: companies of its ' +
      'form are not served. RiskEvaluation: we have to, or had to, look at it. SignatureExpired: everything was written, ' +
      'and signatures were missing. MissingDocuments: we asked the company for documents, which are still missing.',
  },
)
export type OnboardingStatusReason = Static<typeof OnboardingStatusReason>

export const OnboardingTask = Type.Object(
  {
    type: Type.Enum(['CompanyDetails', 'BeneficialOwners', 'Signers', 'Terms', 'Summary', 'Signatures', 'Documents'], {
      description: 'What is to be done; Documents only where we asked for some.',
    }),
    status: Type.Enum(['Open', 'Done'], { description: 'Whether it is done.' }),
  },
  { title: 'OnboardingTask', description: "One thing that the company's people do." },
)
export type OnboardingTask = Static<typeof OnboardingTask>

const organizationNumber = organizationNumberAsked('The organisation number of the company.')

export const OnboardingAsked = Type.Object(
  {
    country: countryCode('The country of the company (ISO 3166-1 alpha-2).'),
    organizationNumber,
    redirectUrl: Type.Optional(
      returnUrl(`Where the user returns to, with \`status=success|cancelled\`. ${RETURN_URL_RULE}`),
    ),
  },
  { title: 'OnboardingAsked', description: 'Which company is brought in.' },
)
export type OnboardingAsked = Static<typeof OnboardingAsked>

export const OnboardingStarted = Type.Object(
  {
    id: uuid('What the onboarding is followed by.'),
    url: text("Where to send the user. Whoever has it may write in the company's name: hand it to nobody else."),
  },
  { title: 'OnboardingStarted', description: 'An onboarding that the company may go through.' },
)
export type OnboardingStarted = Static<typeof OnboardingStarted>

export const Onboarding = Type.Object(
  {
    id: uuid('The onboarding.'),
    status: OnboardingStatus,
    statusReason: Type.Union([OnboardingStatusReason, Type.Null()], { description: 'Why, where there is a reason.' }),
    country: countryCode('The country of the company (ISO 3166-1 alpha-2).'),
    organizationNumber: text('The organisation number.'),
    organizationName: Type.Union([Type.String(), Type.Null()], {
      description: 'The name as the registry writes it; null until the url is opened.',
    }),
    redirectUrl: Type.Union([Type.String(), Type.Null()], { description: 'Where the user returns to.' }),
    createdAt: instant('When it was asked for.'),
    updatedAt: instant('When something about it changed last.'),
    expiresAt: Type.Union([instant('When it expires.'), Type.Null()], {
      description: 'When it expires if nobody touches it before; null while we look at it and once it has ended.',
    }),
    tasks: Type.Array(OnboardingTask, { description: "What the company's people have done, and what is left." }),
  },
  { title: 'Onboarding', description: "A company's way to being onboarded." },
)
export type Onboarding = Static<typeof Onboarding>

const common = {
  server: 'onboarding',
  tag: 'Onboarding',
  admits: 'partner',
  psu: 'none',
  failures: [],
  sandboxOnly: false,
} as const
const params = Type.Object({ id: uuid('The onboarding.') })

export const startOnboarding = operation({
  ...common,
  id: 'startOnboarding',
  method: 'POST',
  path: '/onboarding',
  summary: 'Bring a company in',
  description:
    'Send the user to `url`: there the company’s people say who they are, accept the terms and sign. They may leave and ' +
    'come back by the same url.',
  body: OnboardingAsked,
  answer: { status: 200, schema: OnboardingStarted },
  refusals: [400, 401, 403, 409, 429, 500, 503],
  refusalBodies: { 409: codedBody.COMPANY_ALREADY_EXISTS },
  validation: ['InvalidRequest'],
  idempotent: true,
})

export const getOnboardingStatus = operation({
  ...common,
  id: 'getOnboardingStatus',
  method: 'GET',
  path: '/onboarding/{id}/status',
  summary: 'Follow an onboarding',
  params,
  answer: { status: 200, schema: Onboarding },
  refusals: [401, 403, 404, 429, 500, 503],
  refusalBodies: { 404: codedBody.ONBOARDING_NOT_FOUND },
  validation: [],
  idempotent: false,
})

export const cancelOnboarding = operation({
  ...common,
  id: 'cancelOnboarding',
  method: 'POST',
  path: '/onboarding/{id}/cancel',
  summary: 'Call an onboarding off',
  description: 'One that has ended otherwise stays as it is; one that was accepted cannot be called off: 409.',
  params,
  answer: { status: 200, schema: Onboarding },
  refusals: [400, 401, 403, 404, 409, 429, 500, 503],
  refusalBodies: { 404: codedBody.ONBOARDING_NOT_FOUND },
  validation: ['InvalidRequest'],
  idempotent: true,
})

/** More is asked for by status, or by company. */
export const ONBOARDINGS_LISTED_MAX = 500

export const listOnboardings = operation({
  ...common,
  id: 'listOnboardings',
  method: 'GET',
  path: '/onboarding',
  summary: 'List onboardings',
  query: Type.Object({
    status: Type.Optional(OnboardingStatus),
    organizationNumber: Type.Optional(text('Onboardings of this company.')),
  }),
  answer: {
    status: 200,
    schema: Type.Array(Onboarding, {
      description: `The partner's newest ${ONBOARDINGS_LISTED_MAX} onboardings, newest first.`,
    }),
  },
  refusals: [400, 401, 403, 429, 500, 503],
  validation: ['InvalidRequest'],
  idempotent: false,
})

export const RegistrationAsked = Type.Object(
  {
    country: Type.Enum(['NO', 'SE', 'DK'], { description: 'The country of the company (ISO 3166-1 alpha-2).' }),
    organizationNumber,
  },
  { title: 'RegistrationAsked', description: 'Which company is registered.' },
)
export type RegistrationAsked = Static<typeof RegistrationAsked>

export const Registration = Type.Object(
  {
    country: countryCode('The country of the company (ISO 3166-1 alpha-2).'),
    organizationNumber: text('The organisation number.'),
    organizationName: text('The name as the registry writes it.'),
    services: Company.properties.services,
    activeSubscription: Type.Boolean({ description: 'Whether the company is served.' }),
    registeredAt: instant('When it was registered.'),
  },
  { title: 'Registration', description: 'A company that is registered for account information.' },
)
export type Registration = Static<typeof Registration>

export const registerCompany = operation({
  ...common,
  id: 'registerCompany',
  method: 'POST',
  path: '/onboarding/registration',
  summary: 'Register a company for account information',
  description:
    'Without onboarding, by prior agreement only: the company gives account information and cannot pay. It may be ' +
    'onboarded later.',
  body: RegistrationAsked,
  answer: { status: 200, schema: Registration },
  refusals: [400, 401, 403, 409, 429, 500, 503],
  refusalBodies: { 409: codedBody.COMPANY_ALREADY_EXISTS },
  validation: ['InvalidRequest'],
  idempotent: true,
})
