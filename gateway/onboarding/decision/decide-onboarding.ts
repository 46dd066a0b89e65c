/** Decides a fully signed onboarding from current registry data; idempotent. Accepting one enables payments for the company. */

import { lockForOnboarding, onboardCompany } from '../../companies/onboard-company.ts'
import type { Context } from '../../context.ts'
import { raiseTask, resolveTaskAutomatically } from '../../operators/raise-task.ts'
import { inTransaction } from '../../platform/database/in-transaction.ts'
import { checkRegistry, type RegistryCheck } from '../open-onboarding.ts'
import { changeOnboardingStatus, reviewTaskOf } from '../record-onboarding.ts'
import { isFullySigned, maySign, type Onboarding, type OnboardingKey } from '../store/onboarding.ts'
import { completeSections } from '../store/onboarding-answers.ts'
import { readAnswers, requestDocuments } from '../store/onboarding-answers-store.ts'
import { allSigned } from '../store/onboarding-signer.ts'
import { listSigners } from '../store/onboarding-signer-store.ts'
import { findOnboarding, lockOpenOnboardingsOf, requireOnboarding } from '../store/onboarding-store.ts'
import { evaluateOnboarding, type OnboardingDecision } from './evaluate-onboarding.ts'

/**
 * The onboarding after the decision; unchanged when a signature is missing, or when the registry does not answer: it
 * stays due then. Throws when there is none.
 */
export async function decideOnboarding(context: Context, key: OnboardingKey): Promise<Onboarding> {
  const before = await findOnboarding(context.database, key)
  if (before !== undefined && isFullySigned(before)) {
    const now = await checkRegistry(context, before)
    if (now !== undefined) {
      await inTransaction(context, (context) => decideInTransaction(context, before, now))
    }
  }
  return await requireOnboarding(context.database, key)
}

/** Reads everything again under the lock; only the registry data is from before it. */
async function decideInTransaction(context: Context, before: Onboarding, now: RegistryCheck): Promise<void> {
  // Locks all onboardings of the company in the order of ids, so that two decisions cannot deadlock.
  const open = await lockOpenOnboardingsOf(context.database, before)
  const onboarding = open.find(({ id }) => id === before.id)
  const signers = await listSigners(context, before)
  const answers = await readAnswers(context, before)
  const sections = completeSections(answers)
  if (onboarding === undefined || !maySign(onboarding) || sections === undefined || !allSigned(signers)) {
    return
  }
  await resolveTaskAutomatically(context, reviewTaskOf(onboarding), 'the company registry answered')
  // Account owners at banks are compared with the registry's name, which may have changed since the link was opened.
  const name = now.registered?.name ?? sections.CompanyDetails.name
  const decision = evaluateOnboarding(now, sections, signers)
  if (decision.status !== 'Accepted') {
    await applyDecision(context, onboarding, decision)
  } else if (!(await acceptOnboarding(context, 'havn', onboarding, name))) {
    // The company was onboarded in another way meanwhile.
    const at = context.clock.now()
    await changeOnboardingStatus(context, onboarding, { status: 'Cancelled', statusReason: null, at })
  }
}

async function applyDecision(
  context: Context,
  onboarding: Onboarding,
  decision: Exclude<OnboardingDecision, { readonly status: 'Accepted' }>,
): Promise<void> {
  const at = context.clock.now()
  const { status, statusReason } = decision
  await changeOnboardingStatus(context, onboarding, { status, statusReason, at })
  if (decision.status === 'ManualHandling') {
    if (decision.statusReason === 'MissingDocuments') {
      await requestDocuments(context, onboarding, decision.why, at)
    }
    const detail = { reason: decision.statusReason, why: decision.why }
    await raiseTask(context, { ...reviewTaskOf(onboarding), detail })
  }
}

/** Accepts in the caller's transaction; false when the status has changed, or the company may already pay. */
export async function acceptOnboarding(
  context: Context,
  actor: string,
  onboarding: Pick<Onboarding, 'partnerId' | 'id' | 'status' | 'countryCode' | 'organisationNumber'>,
  name: string,
): Promise<boolean> {
  const { database, clock } = context
  const at = clock.now()
  const open = await lockOpenOnboardingsOf(database, onboarding)
  const own = open.find(({ id }) => id === onboarding.id)
  const locked = await lockForOnboarding(database, onboarding)
  if (own?.status !== onboarding.status || locked === null) {
    return false
  }
  const accepted = { status: 'Accepted', statusReason: null, at } as const
  if (!(await changeOnboardingStatus(context, own, accepted, { actor }))) {
    return false
  }
  await onboardCompany(context, own, locked.company, { actor, onboardingId: own.id, name })
  for (const other of open.filter(({ id }) => id !== own.id)) {
    const cancelled = { status: 'Cancelled', statusReason: null, at } as const
    await changeOnboardingStatus(context, other, cancelled, { actor })
    await resolveTaskAutomatically(context, reviewTaskOf(other), 'another onboarding of it was accepted')
  }
  return true
}
