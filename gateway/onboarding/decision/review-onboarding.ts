/** Lets operators decide on an onboarding that a person has to look at: yes, no with a reason, or documents first. */
import type { Context } from '../../context.ts'
import { raiseTask, settleTask } from '../../operators/raise-task.ts'
import { writeAudit } from '../../operators/write-audit-entry.ts'
import { atomically, type Queryable } from '../../platform/database/in-transaction.ts'
import type { RegisteredCompany } from '../../registries/registered-company.ts'
import type { RegistryContext } from '../../registries/registry-context.ts'
import { acceptWithin } from '../accept-onboarding.ts'
import { askForDocuments, readAnswers } from '../answers/onboarding-answers-store.ts'
import {
  DOCUMENTS_WITHIN_HOURS,
  type Onboarding,
  type OnboardingKey,
  type OnboardingReason,
  reasonsOf,
} from '../onboarding.ts'
import { findOnboarding, lockOnboarding, moveOnboarding } from '../onboarding-store.ts'
import { noteMove } from '../record-onboarding-transition.ts'
import { askRegistryAgain } from './recheck-registry.ts'

/** What an operator says. */
export type Review =
  /** `despite` what the registry says against the company by now: whoever accepts it all the same names that. */
  | { readonly say: 'accept'; readonly despite?: OnboardingReason }
  | { readonly say: 'reject'; readonly reason: OnboardingReason }
  /** In words that the company's people read. */
  | { readonly say: 'ask-for-documents'; readonly words: string }

type Within = Pick<Context, 'seal' | 'clock' | 'log'> & { readonly database: Queryable }

const WORDS_CHARACTERS_MAX = 2000

/**
 * The onboarding afterwards. Accepting asks the registry again. Throws, in words for operators, when it is not there to
 * be decided, and when the registry does not answer or speaks against the company by now.
 */
export async function reviewOnboarding(
  context: RegistryContext,
  actor: string,
  key: OnboardingKey,
  review: Review,
): Promise<Onboarding> {
  const { seal, clock, log } = context
  requireSayable(review)
  const registered = review.say === 'accept' ? await requireStanding(context, key, review) : null
  await atomically(context.database, async (database) => {
    const within = { database, seal, clock, log }
    // Accepting locks all of the company's onboardings in their order, this one among them.
    const onboarding = await (review.say === 'accept' ? findOnboarding : lockOnboarding)(database, key)
    if (onboarding?.status !== 'ManualHandling') {
      throw new Error(
        `The onboarding ${key.id} is ${onboarding?.status ?? 'not there'}; only ManualHandling is decided on`,
      )
    }
    await carryOut(within, actor, onboarding, { review, registered })
  })
  const decided = await findOnboarding(context.database, key)
  if (decided === undefined) {
    throw new Error(`There is no onboarding ${key.id}`)
  }
  return decided
}

function requireSayable(review: Review): void {
  if (review.say === 'reject' && !reasonsOf.Rejected.includes(review.reason)) {
    throw new Error(`An onboarding is rejected for one of ${reasonsOf.Rejected.join(', ')}, not ${review.reason}`)
  }
  if (review.say === 'ask-for-documents') {
    const { length } = review.words.trim()
    if (length === 0 || length > WORDS_CHARACTERS_MAX) {
      throw new Error(`Say in 1 to ${WORDS_CHARACTERS_MAX} characters which documents are needed`)
    }
  }
}

/** The company as the registry knows it now. */
async function requireStanding(
  context: RegistryContext,
  key: OnboardingKey,
  { despite }: Extract<Review, { readonly say: 'accept' }>,
): Promise<RegisteredCompany | null> {
  const onboarding = await findOnboarding(context.database, key)
  if (onboarding?.status !== 'ManualHandling') {
    // Said below, under the lock.
    return null
  }
  const now = await askRegistryAgain(context, onboarding)
  if (now.outcome === 'unavailable') {
    throw new Error('The company registry does not answer: nothing is decided, try again later')
  }
  const { against, registered } = now
  if (against !== undefined && against !== despite) {
    throw new Error(
      `The registry speaks against the company by now (${against}): reject it, or accept it with --despite ${against}`,
    )
  }
  if (against === undefined && registered === null && (await readAnswers(context, key)).registered !== null) {
    throw new Error(`No registry is set for ${onboarding.countryCode} here, as it was when the link was opened`)
  }
  return registered
}

type Said = { readonly review: Review; readonly registered: RegisteredCompany | null }

async function carryOut(
  within: Within,
  actor: string,
  onboarding: Onboarding,
  { review, registered }: Said,
): Promise<void> {
  switch (review.say) {
    case 'accept':
      return await accept(within, actor, onboarding, registered)
    case 'reject':
      return await reject(within, actor, onboarding, review.reason)
    case 'ask-for-documents':
      return await ask(within, actor, onboarding, review.words.trim())
    default: {
      const nothing: never = review
      return nothing
    }
  }
}

async function accept(
  within: Within,
  actor: string,
  onboarding: Onboarding,
  registered: RegisteredCompany | null,
): Promise<void> {
  const { sections } = await readAnswers(within, onboarding)
  const kept = onboarding.organisationName ?? sections.CompanyDetails?.name ?? onboarding.organisationNumber
  if (!(await acceptWithin(within, actor, onboarding, registered?.name ?? kept))) {
    throw new Error('The partner has this company already, or somebody else was quicker')
  }
  await settle(within, onboarding, `accepted by ${actor}`)
}

async function reject(within: Within, actor: string, onboarding: Onboarding, reason: OnboardingReason): Promise<void> {
  const rejected = { status: 'Rejected', statusReason: reason, at: within.clock.now() } as const
  await moveOnboarding(within.database, onboarding, rejected)
  await noteMove(within, onboarding, rejected, actor)
  await settle(within, onboarding, `rejected by ${actor}`)
}

async function ask(within: Within, actor: string, onboarding: Onboarding, words: string): Promise<void> {
  const at = within.clock.now()
  await askForDocuments(within, onboarding, { words, at, until: at.add({ hours: DOCUMENTS_WITHIN_HOURS }) })
  const { partnerId, id: subjectId } = onboarding
  const entry = { partnerId, actor, action: 'documents asked for', subject: ['onboarding', subjectId] as const }
  await writeAudit(within, entry)
  const detail = { reason: 'MissingDocuments', why: 'Documents were asked for.' }
  await raiseTask(within, { partnerId, kind: 'OnboardingToReview', subjectType: 'onboarding', subjectId, detail })
}

async function settle(within: Within, { partnerId, id: subjectId }: Onboarding, how: string): Promise<void> {
  await settleTask(within, { partnerId, kind: 'OnboardingToReview', subjectType: 'onboarding', subjectId }, how)
}
