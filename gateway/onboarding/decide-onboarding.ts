/** Decides what an onboarding comes to once everybody has signed; said again, it changes nothing. */
import type { Context } from '../context.ts'
import { raiseTask } from '../operators/raise-task.ts'
import { atomically, type Queryable } from '../platform/database/in-transaction.ts'
import type { RegistryContext } from '../registries/registry-context.ts'
import { acceptWithin } from './accept-onboarding.ts'
import { completeSections, type SectionAnswers } from './answers/onboarding-answers.ts'
import { askForDocuments, readAnswers } from './answers/onboarding-answers-store.ts'
import { type Verdict, verdictOn } from './decision/evaluate-onboarding.ts'
import { askRegistryAgain, type RegistryNow } from './decision/recheck-registry.ts'
import { DOCUMENTS_WITHIN_HOURS, maySign, type Onboarding, type OnboardingKey } from './onboarding.ts'
import { findOnboarding, lockOpenOnboardingsOf, moveOnboarding } from './onboarding-store.ts'
import { noteMove } from './record-onboarding-transition.ts'
import { allSigned, type Signer } from './signatures/onboarding-signer.ts'
import { listSigners } from './signatures/onboarding-signer-store.ts'

type Within = Pick<Context, 'seal' | 'clock' | 'log'> & { readonly database: Queryable }

type Told = Extract<RegistryNow, { readonly outcome: 'told' }>

/**
 * The onboarding as it stands afterwards; as it stood where a signature is missing, or the registry does not answer:
 * then it stays due. Throws when there is none.
 */
export async function decideOnboarding(context: RegistryContext, key: OnboardingKey): Promise<Onboarding> {
  const { seal, clock, log } = context
  const found = await findOnboarding(context.database, key)
  if (found !== undefined && isReady(found)) {
    const now = await askRegistryAgain(context, found)
    if (now.outcome === 'told') {
      await atomically(context.database, (database) => decideWithin({ database, seal, clock, log }, found, now))
    }
  }
  const onboarding = await findOnboarding(context.database, key)
  if (onboarding === undefined) {
    throw new Error(`There is no onboarding ${key.id}`)
  }
  return onboarding
}

/** Whether everybody has signed, and nothing is decided. */
export function isReady(onboarding: Onboarding): boolean {
  return maySign(onboarding) && onboarding.tasksDone.includes('Signatures')
}

/** Everything is looked at again under the lock; only the registry's word is from before. */
async function decideWithin(within: Within, found: Onboarding, now: Told): Promise<void> {
  // All of the company's, in one order: two that are decided at once do not wait for each other.
  const open = await lockOpenOnboardingsOf(within.database, found)
  const onboarding = open.find(({ id }) => id === found.id)
  const signers = await listSigners(within, found)
  const answers = await readAnswers(within, found)
  const sections = completeSections(answers)
  if (onboarding === undefined || !maySign(onboarding) || sections === undefined || !allSigned(signers)) {
    return
  }
  const verdict = judge(now, sections, signers)
  if (verdict.status !== 'Accepted') {
    await carryOut(within, onboarding, verdict)
  } else if (!(await acceptWithin(within, 'havn', onboarding, nameOf(now, sections)))) {
    // It came in by another way meanwhile: this one has nothing to bring in any more.
    await end(within, onboarding, { status: 'Cancelled', statusReason: null })
  }
}

function judge({ against, registered }: Told, sections: SectionAnswers, signers: readonly Signer[]): Verdict {
  return against === undefined
    ? verdictOn(registered, sections, signers)
    : { status: 'Rejected', statusReason: against }
}

/** Banks tell the owners of accounts by the registry's name, which may have changed since it was written. */
function nameOf({ registered }: Told, { CompanyDetails }: SectionAnswers): string {
  return registered?.name ?? CompanyDetails.name
}

async function carryOut(
  within: Within,
  onboarding: Onboarding,
  verdict: Exclude<Verdict, { readonly status: 'Accepted' }>,
): Promise<void> {
  await end(within, onboarding, verdict)
  if (verdict.status === 'ManualHandling') {
    if (verdict.statusReason === 'MissingDocuments') {
      const at = within.clock.now()
      const asked = { words: verdict.why, at, until: at.add({ hours: DOCUMENTS_WITHIN_HOURS }) }
      await askForDocuments(within, onboarding, asked)
    }
    const { partnerId, id: subjectId } = onboarding
    const detail = { reason: verdict.statusReason, why: verdict.why }
    await raiseTask(within, { partnerId, kind: 'OnboardingToReview', subjectType: 'onboarding', subjectId, detail })
  }
}

async function end(
  { database, clock }: Within,
  onboarding: Onboarding,
  { status, statusReason }: Pick<Onboarding, 'status' | 'statusReason'>,
): Promise<void> {
  const move = { status, statusReason, at: clock.now() }
  await moveOnboarding(database, onboarding, move)
  await noteMove({ database, clock }, onboarding, move)
}
