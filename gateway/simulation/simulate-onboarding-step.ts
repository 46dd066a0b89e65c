/** Lets something happen to an onboarding: what the company's people do in the hosted flow, and operators after it. */
import type { Onboarding as OnboardingShown } from '../../contract/onboarding.ts'
import type { SandboxOnboardingAct, SandboxOnboardingStep } from '../../contract/sandbox/sandbox-onboarding.ts'
import type { IdentityContext } from '../identity/identity-context.ts'
import { saveSection } from '../onboarding/answers/save-section.ts'
import { submitOnboarding } from '../onboarding/answers/submit-onboarding.ts'
import { cancelOnboarding } from '../onboarding/cancel-onboarding.ts'
import { type Review, reviewOnboarding } from '../onboarding/decision/review-onboarding.ts'
import { finishDocuments, handInDocument } from '../onboarding/documents/upload-document.ts'
import { requireOwnOnboarding, shownOnboarding } from '../onboarding/get-onboarding.ts'
import { mayHandIn, maySign, mayWrite, type Onboarding } from '../onboarding/onboarding.ts'
import { openOnboarding } from '../onboarding/open-onboarding.ts'
import { readDossier } from '../onboarding/read-case-file.ts'
import { takeSignature } from '../onboarding/signatures/record-signature.ts'
import { refuse } from '../platform/http/errors/api-error.ts'
import type { RegistryContext } from '../registries/registry-context.ts'
import { writtenAsRegistered } from './answers-from-registry.ts'
import { signAsNamed } from './simulate-onboarding-signature.ts'

type OnboardingContext = RegistryContext & IdentityContext

/** One step of the sandbox, with what it needs besides its name. */
export type OnboardingStepAsked = SandboxOnboardingAct & { readonly step: SandboxOnboardingStep }

const OPERATOR = 'operator sandbox'
const A_DOCUMENT = { name: 'sandbox.pdf', content: Buffer.from('%PDF-1.7\n% A document of the sandbox.\n') }
const ASKED_FOR = 'The articles of association, please.'

/** The onboarding afterwards. Throws `ONBOARDING_NOT_FOUND`, or `conflict` where the step is not possible now. */
export async function stepOnboarding(
  context: OnboardingContext,
  caller: { readonly partnerId: string },
  id: string,
  asked: OnboardingStepAsked,
): Promise<OnboardingShown> {
  const onboarding = await requireOwnOnboarding(context, caller, id)
  await carryOut(context, onboarding, asked)
  return shownOnboarding(await requireOwnOnboarding(context, caller, id))
}

async function carryOut(context: OnboardingContext, onboarding: Onboarding, asked: OnboardingStepAsked): Promise<void> {
  switch (asked.step) {
    case 'fill':
      return await fill(context, onboarding)
    case 'sign':
      return await sign(context, onboarding, asked.signer)
    case 'refuse':
      return await refuseToSign(context, onboarding)
    case 'hand-in':
      return await handIn(context, onboarding)
    case 'stop':
      await cancelOnboarding(context, 'company', onboarding)
      return
    case 'accept':
      return await review(context, onboarding, { say: 'accept' })
    case 'reject':
      return await review(context, onboarding, { say: 'reject', reason: asked.reason ?? 'RiskEvaluation' })
    case 'ask-for-documents':
      return await review(context, onboarding, { say: 'ask-for-documents', words: asked.words ?? ASKED_FOR })
    default: {
      const nothing: never = asked.step
      return nothing
    }
  }
}

/** What the registry ends at once has nothing to write. */
async function fill(context: OnboardingContext, onboarding: Onboarding): Promise<void> {
  const opened = await openOnboarding(context, onboarding)
  if (opened.outcome === 'registry-unavailable') {
    throw refuse('unavailable', 'The company registry does not answer')
  }
  if (opened.onboarding.status === 'Rejected') {
    return
  }
  let { revision } = requirePossible(opened.onboarding, mayWrite)
  const { answers } = await readDossier(context, onboarding)
  for (const section of writtenAsRegistered(answers.registered)) {
    const saved = await saveSection(context, onboarding, { ...section, revision })
    if (saved.outcome !== 'saved') {
      const problems = saved.outcome === 'unsound' ? JSON.stringify(saved.problems) : saved.outcome
      throw refuse('conflict', `What is registered cannot be written in ${section.section}: ${problems}`)
    }
    revision = saved.onboarding.revision
  }
  await submitOnboarding(context, onboarding, { revision })
}

async function sign(context: OnboardingContext, onboarding: Onboarding, position?: number): Promise<void> {
  requirePossible(onboarding, maySign)
  const { signers } = await readDossier(context, onboarding)
  const waiting = signers.filter(({ status }) => status === 'Waiting')
  const wanted = position === undefined ? waiting : waiting.filter((signer) => signer.position === position)
  if (wanted.length === 0) {
    throw refuse('conflict', 'Nobody who is asked for a signature has not given it')
  }
  for (const signer of wanted) {
    await signAsNamed(context, signer)
  }
}

async function refuseToSign(context: OnboardingContext, onboarding: Onboarding): Promise<void> {
  requirePossible(onboarding, maySign)
  const { signers } = await readDossier(context, onboarding)
  const next = signers.find(({ status }) => status === 'Waiting')
  if (next === undefined || !(await takeSignature(context, next, { did: 'refuse' }))) {
    throw refuse('conflict', 'Nobody is asked for a signature')
  }
}

async function handIn(context: OnboardingContext, onboarding: Onboarding): Promise<void> {
  requirePossible(onboarding, mayHandIn)
  await handInDocument(context, onboarding, A_DOCUMENT)
  await finishDocuments(context, onboarding)
}

async function review(context: OnboardingContext, onboarding: Onboarding, said: Review): Promise<void> {
  requirePossible(onboarding, ({ status }) => status === 'ManualHandling')
  await reviewOnboarding(context, OPERATOR, onboarding, said)
}

function requirePossible(onboarding: Onboarding, isPossible: (onboarding: Onboarding) => boolean): Onboarding {
  if (!isPossible(onboarding)) {
    const { status, statusReason } = onboarding
    const reason = statusReason === null ? '' : ` (${statusReason})`
    throw refuse('conflict', `The step is not possible: the onboarding is ${status}${reason}`)
  }
  return onboarding
}
