/** Decides a fully signed onboarding from current registry data; idempotent. Accepting one enables payments for the company. */

import { lockForOnboarding, onboardCompany } from '../../companies/onboard-company.ts'
import type { Context } from '../../context.ts'
import { raiseTask, resolveTaskAutomatically } from '../../operators/raise-task.ts'
import { inTransaction } from '../../platform/database/in-transaction.ts'
import { lookUpCompany } from '../../registries/look-up-company.ts'
import type { RegisteredCompany } from '../../registries/registered-company.ts'
import { registryRejectionReason } from '../open-onboarding.ts'
import { changeOnboardingStatus, reviewTaskOf } from '../record-onboarding.ts'
import { maySign, type Onboarding, type OnboardingKey, type OnboardingReason } from '../store/onboarding.ts'
import { completeSections, type SectionAnswers } from '../store/onboarding-answers.ts'
import { readAnswers, requestDocuments } from '../store/onboarding-answers-store.ts'
import { allSigned, type Signer } from '../store/onboarding-signer.ts'
import { listSigners } from '../store/onboarding-signer-store.ts'
import { findOnboarding, lockOpenOnboardingsOf, requireOnboarding } from '../store/onboarding-store.ts'
import { evaluateOnboarding, type OnboardingDecision } from './evaluate-onboarding.ts'

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
  return await requireOnboarding(context.database, key)
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
    const at = context.clock.now()
    await changeOnboardingStatus(context, onboarding, { status: 'Cancelled', statusReason: null, at })
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

/** The result of the lookup. */
type RegistryRecheck =
  | {
      readonly outcome: 'checked'
      /** Null when the registry does not have the company, or there is no registry. */
      readonly registered: RegisteredCompany | null
      /** The reason to reject the company by registry data alone. */
      readonly rejectionReason: OnboardingReason | undefined
    }
  /** The registry does not answer: do not decide on old data. */
  | { readonly outcome: 'unavailable' }

/** Call outside of transactions: a registry may take seconds to answer. */
export async function recheckRegistry(
  context: Context,
  { id, countryCode, organisationNumber }: Pick<Onboarding, 'id' | 'countryCode' | 'organisationNumber'>,
): Promise<RegistryRecheck> {
  const answer = await lookUpCompany(context, countryCode, organisationNumber)
  switch (answer.outcome) {
    case 'found':
      return {
        outcome: 'checked',
        registered: answer.company,
        rejectionReason: registryRejectionReason(answer.company),
      }
    case 'unknown':
      return { outcome: 'checked', registered: null, rejectionReason: registryRejectionReason(null) }
    case 'no-registry':
      return { outcome: 'checked', registered: null, rejectionReason: undefined }
    case 'unavailable':
      context.log.warn(
        { onboardingId: id, reason: answer.reason },
        'a company registry did not answer before a decision',
      )
      return { outcome: 'unavailable' }
    default: {
      const nothing: never = answer
      return nothing
    }
  }
}
