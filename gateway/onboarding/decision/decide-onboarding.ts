/** Decides a fully signed onboarding from current registry data; idempotent. */
import type { Context } from '../../context.ts'
import { raiseTask } from '../../operators/raise-task.ts'
import { inTransaction } from '../../platform/database/in-transaction.ts'
import { recordOnboardingTransition } from '../record-onboarding.ts'
import { DOCUMENTS_WITHIN_HOURS, maySign, type Onboarding, type OnboardingKey } from '../store/onboarding.ts'
import { completeSections, type SectionAnswers } from '../store/onboarding-answers.ts'
import { readAnswers, requestDocuments } from '../store/onboarding-answers-store.ts'
import { allSigned, type Signer } from '../store/onboarding-signer.ts'
import { listSigners } from '../store/onboarding-signer-store.ts'
import { findOnboarding, lockOpenOnboardingsOf, transitionOnboarding } from '../store/onboarding-store.ts'
import { acceptOnboarding } from './accept-onboarding.ts'
import { evaluateOnboarding, type OnboardingDecision } from './evaluate-onboarding.ts'
import { type RegistryRecheck, recheckRegistry } from './recheck-registry.ts'

type RegistryResult = Extract<RegistryRecheck, { readonly outcome: 'checked' }>

/**
 * The onboarding after the decision; unchanged when a signature is missing, or when the registry does not answer: it
 * stays due then. Throws when there is none.
 */
export async function decideOnboarding(context: Context, key: OnboardingKey): Promise<Onboarding> {
  const before = await findOnboarding(context.database, key)
  if (before !== undefined && isFullySigned(before)) {
    const now = await recheckRegistry(context, before)
    if (now.outcome === 'checked') {
      await inTransaction(context, (context) => decideInTransaction(context, before, now))
    }
  }
  const onboarding = await findOnboarding(context.database, key)
  if (onboarding === undefined) {
    throw new Error(`There is no onboarding ${key.id}`)
  }
  return onboarding
}

/** Whether all signatures are given and the decision is pending. */
export function isFullySigned(onboarding: Onboarding): boolean {
  return maySign(onboarding) && onboarding.tasksDone.includes('Signatures')
}

/** Reads everything again under the lock; only the registry data is from before it. */
async function decideInTransaction(context: Context, before: Onboarding, now: RegistryResult): Promise<void> {
  // Locks all onboardings of the company in the order of ids, so that two decisions cannot deadlock.
  const open = await lockOpenOnboardingsOf(context.database, before)
  const onboarding = open.find(({ id }) => id === before.id)
  const signers = await listSigners(context, before)
  const answers = await readAnswers(context, before)
  const sections = completeSections(answers)
  if (onboarding === undefined || !maySign(onboarding) || sections === undefined || !allSigned(signers)) {
    return
  }
  const decision = evaluate(now, sections, signers)
  if (decision.status !== 'Accepted') {
    await applyDecision(context, onboarding, decision)
  } else if (!(await acceptOnboarding(context, 'havn', onboarding, nameOf(now, sections)))) {
    // The company was onboarded in another way meanwhile.
    await end(context, onboarding, { status: 'Cancelled', statusReason: null })
  }
}

function evaluate(
  { rejectionReason, registered }: RegistryResult,
  sections: SectionAnswers,
  signers: readonly Signer[],
): OnboardingDecision {
  return rejectionReason === undefined
    ? evaluateOnboarding(registered, sections, signers)
    : { status: 'Rejected', statusReason: rejectionReason }
}

/** Account owners at banks are compared with the registry's name, which may have changed since the link was opened. */
function nameOf({ registered }: RegistryResult, { CompanyDetails }: SectionAnswers): string {
  return registered?.name ?? CompanyDetails.name
}

async function applyDecision(
  context: Context,
  onboarding: Onboarding,
  decision: Exclude<OnboardingDecision, { readonly status: 'Accepted' }>,
): Promise<void> {
  await end(context, onboarding, decision)
  if (decision.status === 'ManualHandling') {
    if (decision.statusReason === 'MissingDocuments') {
      const at = context.clock.now()
      const request = { words: decision.why, at, until: at.add({ hours: DOCUMENTS_WITHIN_HOURS }) }
      await requestDocuments(context, onboarding, request)
    }
    const { partnerId, id: subjectId } = onboarding
    const detail = { reason: decision.statusReason, why: decision.why }
    await raiseTask(context, { partnerId, kind: 'OnboardingToReview', subjectType: 'onboarding', subjectId, detail })
  }
}

async function end(
  context: Context,
  onboarding: Onboarding,
  { status, statusReason }: Pick<Onboarding, 'status' | 'statusReason'>,
): Promise<void> {
  const transition = { status, statusReason, at: context.clock.now() }
  await transitionOnboarding(context.database, onboarding, transition)
  await recordOnboardingTransition(context, onboarding, transition)
}
