/** Declares the steps of an onboarding in the sandbox: what the company's people and our operators do, without a browser. */
import { type Static, Type } from 'typebox'
import { codedBody } from '../errors/coded-errors.ts'
import { Onboarding } from '../onboarding.ts'
import { operation } from '../operation.ts'
import { filledText, uuid } from '../shapes.ts'

export const SandboxOnboardingStep = Type.Enum(
  ['fill', 'sign', 'refuse', 'hand-in', 'stop', 'accept', 'reject', 'ask-for-documents'],
  {
    title: 'SandboxOnboardingStep',
    description:
      'The company’s people: `fill` opens the url, writes what the registry says and confirms it; `sign` has everybody ' +
      'sign who has not; `refuse` has the next signer refuse; `hand-in` hands a document in; `stop` calls it off. Our ' +
      'operators, for one that they look at: `accept`, `reject`, `ask-for-documents`.',
  },
)
export type SandboxOnboardingStep = Static<typeof SandboxOnboardingStep>

export const SandboxOnboardingAct = Type.Object(
  {
    signer: Type.Optional(
      Type.Integer({ minimum: 0, maximum: 20, description: 'With `sign`: this signer alone, counted from 0.' }),
    ),
    reason: Type.Optional(
      Type.Enum(['CompanyNotFound', 'UnsupportedCompanyType', 'RiskEvaluation', 'MissingDocuments'], {
        description: 'With `reject`: why; RiskEvaluation if absent.',
      }),
    ),
    words: Type.Optional(filledText(500, 'With `ask-for-documents`: which.')),
  },
  { title: 'SandboxOnboardingAct', description: 'What a step needs besides its name.' },
)
export type SandboxOnboardingAct = Static<typeof SandboxOnboardingAct>

export const stepSandboxOnboarding = operation({
  id: 'stepSandboxOnboarding',
  method: 'POST',
  path: '/api/sandbox/onboardings/{onboardingId}/{step}',
  server: 'base',
  tag: 'Sandbox',
  summary: 'Let something happen to an onboarding',
  description:
    'Which companies of the sandbox end how is in the guide to onboarding. Answers the onboarding as it stands afterwards; ' +
    '409 where the step is not possible at present.',
  admits: 'partner',
  psu: 'none',
  params: Type.Object({ onboardingId: uuid('The onboarding.'), step: SandboxOnboardingStep }),
  body: SandboxOnboardingAct,
  answer: { status: 200, schema: Onboarding },
  failures: [],
  refusals: [400, 401, 403, 404, 409, 429, 500, 503],
  refusalBodies: { 404: codedBody.ONBOARDING_NOT_FOUND },
  validation: ['InvalidRequest'],
  idempotent: true,
  sandboxOnly: true,
})
