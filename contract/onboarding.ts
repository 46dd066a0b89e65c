/** Declares the operations on onboarding: start, get, list and cancel one, and register for account information. */
import { type Static, Type } from 'typebox'
import { Company } from './companies.ts'
import { codedErrorBody } from './errors/error-bodies.ts'
import { operation } from './operation.ts'
import { RETURN_URL_RULE } from './sca.ts'
import {
  countryCode,
  instant,
  organizationNumberParameter,
  orNull,
  returnUrl,
  text,
  textOrNull,
  uuid,
} from './shapes.ts'

export const OnboardingStatus = Type.Enum(
  ['Created', 'AwaitingCustomerAction', 'ManualHandling', 'Accepted', 'Rejected', 'Cancelled', 'Expired'],
  {
    title: 'OnboardingStatus',
    description:
      'Created: the url was not opened yet. AwaitingCustomerAction: the company must act. ManualHandling: we review ' +
      'it. Accepted: the company is onboarded. Rejected: see the reason. Cancelled: by you, by the ' +
      'company, or because another onboarding of the same company was accepted. Expired: no activity for 24 hours.',
  },
)
export type OnboardingStatus = Static<typeof OnboardingStatus>

export const OnboardingStatusReason = Type.Enum(
  ['CompanyNotFound', 'UnsupportedCompanyType', 'RiskEvaluation', 'SignatureExpired', 'MissingDocuments'],
  {
    title: 'OnboardingStatusReason',
    description:
      'CompanyNotFound: the company is not in the registry, or was deleted. UnsupportedCompanyType: companies of its ' +
      'form are not supported. RiskEvaluation: a manual review is or was needed. SignatureExpired: the form was ' +
      'complete, but signatures were missing. MissingDocuments: documents that we requested are still missing.',
  },
)
export type OnboardingStatusReason = Static<typeof OnboardingStatusReason>

export const OnboardingTask = Type.Object(
  {
    type: Type.Enum(['CompanyDetails', 'BeneficialOwners', 'Signers', 'Terms', 'Summary', 'Signatures', 'Documents'], {
      description: 'The type of the task; Documents only if we requested some.',
    }),
    status: Type.Enum(['Open', 'Done'], { description: 'Open or done.' }),
  },
  { title: 'OnboardingTask', description: 'One task of the company.' },
)
export type OnboardingTask = Static<typeof OnboardingTask>

const organizationNumber = organizationNumberParameter('The organisation number of the company.')

export const OnboardingRequest = Type.Object(
  {
    country: countryCode('The country of the company (ISO 3166-1 alpha-2).'),
    organizationNumber,
    redirectUrl: Type.Optional(
      returnUrl(`Where the user returns to, with \`status=success|cancelled\`. ${RETURN_URL_RULE}`),
    ),
  },
  { title: 'OnboardingRequest', description: 'The company to onboard.' },
)
export type OnboardingRequest = Static<typeof OnboardingRequest>

export const OnboardingStarted = Type.Object(
  {
    id: uuid('Identifies the onboarding.'),
    url: text("Where to send the user. The link gives access to the company's onboarding: do not share it."),
  },
  { title: 'OnboardingStarted', description: 'A started onboarding.' },
)
export type OnboardingStarted = Static<typeof OnboardingStarted>

export const Onboarding = Type.Object(
  {
    id: uuid('The onboarding.'),
    status: OnboardingStatus,
    statusReason: orNull(OnboardingStatusReason, 'The reason; null if there is none.'),
    country: countryCode('The country of the company (ISO 3166-1 alpha-2).'),
    organizationNumber: text('The organisation number.'),
    organizationName: textOrNull('The name in the registry; null until the url is opened.'),
    redirectUrl: textOrNull('Where the user returns to.'),
    createdAt: instant('When it was created.'),
    updatedAt: instant('When it last changed.'),
    expiresAt: orNull(
      instant('When it expires.'),
      'When it expires without further activity; null during manual review and once it has ended.',
    ),
    tasks: Type.Array(OnboardingTask, { description: "The company's tasks, done and open." }),
  },
  { title: 'Onboarding', description: 'An onboarding of a company.' },
)
export type Onboarding = Static<typeof Onboarding>

const common = {
  server: 'onboarding',
  tag: 'Onboarding',
  admits: 'partner',
} as const
const params = Type.Object({ id: uuid('The onboarding.') })

export const startOnboarding = operation({
  ...common,
  id: 'startOnboarding',
  method: 'POST',
  path: '/onboarding',
  summary: 'Onboard a company',
  description:
    'Send the user to `url`: there the company’s representatives identify themselves, accept the terms and ' +
    'sign. They can leave and return with the same url.',
  body: OnboardingRequest,
  answer: { status: 200, schema: OnboardingStarted },
  errorStatuses: [400, 401, 403, 409, 429, 500, 503],
  errorBodies: { 409: codedErrorBody.COMPANY_ALREADY_EXISTS },
  validation: ['InvalidRequest'],
  idempotent: true,
})

export const getOnboardingStatus = operation({
  ...common,
  id: 'getOnboardingStatus',
  method: 'GET',
  path: '/onboarding/{id}/status',
  summary: 'Get an onboarding',
  description: 'The status of one onboarding.',
  params,
  answer: { status: 200, schema: Onboarding },
  errorStatuses: [401, 403, 404, 429, 500, 503],
  errorBodies: { 404: codedErrorBody.ONBOARDING_NOT_FOUND },
  malformedIds: { id: 'ONBOARDING_NOT_FOUND' },
})

export const cancelOnboarding = operation({
  ...common,
  id: 'cancelOnboarding',
  method: 'POST',
  path: '/onboarding/{id}/cancel',
  summary: 'Cancel the onboarding',
  destructive: 'The onboarding ends for good. The company must start a new one.',
  description: 'An onboarding that has already ended is unchanged; an accepted one cannot be cancelled: 409.',
  params,
  answer: { status: 200, schema: Onboarding },
  errorStatuses: [400, 401, 403, 404, 409, 429, 500, 503],
  errorBodies: { 404: codedErrorBody.ONBOARDING_NOT_FOUND },
  malformedIds: { id: 'ONBOARDING_NOT_FOUND' },
  validation: ['InvalidRequest'],
  idempotent: true,
})

/** Older onboardings are found with the filters by status and by company. */
export const ONBOARDINGS_LISTED_MAX = 500

export const listOnboardings = operation({
  ...common,
  id: 'listOnboardings',
  method: 'GET',
  path: '/onboarding',
  summary: 'List onboardings',
  description: 'The onboardings of the partner, optionally of one company or status.',
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
  errorStatuses: [400, 401, 403, 429, 500, 503],
  validation: ['InvalidRequest'],
})

export const RegistrationRequest = Type.Object(
  {
    country: Type.Enum(['NO', 'SE', 'DK'], { description: 'The country of the company (ISO 3166-1 alpha-2).' }),
    organizationNumber,
  },
  { title: 'RegistrationRequest', description: 'The company to register.' },
)
export type RegistrationRequest = Static<typeof RegistrationRequest>

export const Registration = Type.Object(
  {
    country: countryCode('The country of the company (ISO 3166-1 alpha-2).'),
    organizationNumber: text('The organisation number.'),
    organizationName: text('The name in the registry.'),
    services: Company.properties.services,
    activeSubscription: Type.Boolean({ description: 'Whether the company has an active subscription.' }),
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
  body: RegistrationRequest,
  answer: { status: 200, schema: Registration },
  errorStatuses: [400, 401, 403, 409, 429, 500, 503],
  errorBodies: { 409: codedErrorBody.COMPANY_ALREADY_EXISTS },
  validation: ['InvalidRequest'],
  idempotent: true,
})
