/** Declares the sandbox operations that simulate the steps of an onboarding without a browser. */
import { type Static, Type } from 'typebox'
import { codedErrorBody } from '../errors/error-bodies.ts'
import { Onboarding } from '../onboarding.ts'
import { operation } from '../operation.ts'
import { nonBlankText, uuid } from '../shapes.ts'

export const SandboxOnboardingStep = Type.Enum(
  ['fill', 'sign', 'refuse', 'hand-in', 'stop', 'accept', 'reject', 'ask-for-documents'],
  {
    title: 'SandboxOnboardingStep',
    description:
      'The company: `fill` opens the url, enters the data of the registry and confirms it; `sign` signs as ' +
      'every signer who has not signed; `refuse` rejects as the next signer; `hand-in` uploads a document; ' +
      '`stop` cancels it. The operators, during manual review: `accept`, `reject`, `ask-for-documents`.',
  },
)
export type SandboxOnboardingStep = Static<typeof SandboxOnboardingStep>

export const SandboxOnboardingDetails = Type.Object(
  {
    signer: Type.Optional(
      Type.Integer({ minimum: 0, maximum: 20, description: 'With `sign`: only this signer, counted from 0.' }),
    ),
    reason: Type.Optional(
      Type.Enum(['CompanyNotFound', 'UnsupportedCompanyType', 'RiskEvaluation', 'MissingDocuments'], {
        description: 'With `reject`: the reason; RiskEvaluation by default.',
      }),
    ),
    words: Type.Optional(nonBlankText(500, 'With `ask-for-documents`: which.')),
  },
  { title: 'SandboxOnboardingDetails', description: 'Details of the step.' },
)
export type SandboxOnboardingDetails = Static<typeof SandboxOnboardingDetails>

export const stepSandboxOnboarding = operation({
  id: 'stepSandboxOnboarding',
  method: 'POST',
  path: '/api/sandbox/onboardings/{onboardingId}/{step}',
  tag: 'Sandbox',
  summary: 'Simulate a step of an onboarding',
  description:
    'See the onboarding guide for the outcome of each sandbox company. Returns the resulting onboarding; ' +
    '409 if the step is not possible now.',
  admits: 'partner',
  params: Type.Object({ onboardingId: uuid('The onboarding.'), step: SandboxOnboardingStep }),
  body: SandboxOnboardingDetails,
  answer: { status: 200, schema: Onboarding },
  errorStatuses: [400, 401, 403, 404, 409, 429, 500, 503],
  errorBodies: { 404: codedErrorBody.ONBOARDING_NOT_FOUND },
  malformedIds: { onboardingId: 'ONBOARDING_NOT_FOUND' },
  validation: ['InvalidRequest'],
  idempotent: true,
  sandboxOnly: true,
})
