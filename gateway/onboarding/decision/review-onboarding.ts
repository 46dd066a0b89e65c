/** Records an operator's review of an onboarding: accept, reject with a reason, or request documents. */
import type { Context } from '../../context.ts'
import { resolveTaskAutomatically } from '../../operators/raise-task.ts'
import { inTransaction } from '../../platform/database/in-transaction.ts'
import type { RegisteredCompany } from '../../registries/registered-company.ts'
import { checkRegistry } from '../open-onboarding.ts'
import { changeOnboardingStatus, raiseReviewTask, recordOnboardingAction, reviewTaskOf } from '../record-onboarding.ts'
import {
  type Onboarding,
  OnboardingActionRejected,
  type OnboardingKey,
  type OnboardingReason,
  reasonsByStatus,
} from '../store/onboarding.ts'
import { readAnswers, requestDocuments } from '../store/onboarding-answers-store.ts'
import { findOnboarding, lockOnboarding, requireOnboarding } from '../store/onboarding-store.ts'
import { acceptOnboarding } from './decide-onboarding.ts'

export type ReviewDecision =
  /** `despite` names the registry's rejection reason that the operator overrides. */
  | { readonly say: 'accept'; readonly despite?: OnboardingReason }
  | { readonly say: 'reject'; readonly reason: OnboardingReason }
  /** The request text is shown to the company's users. */
  | { readonly say: 'ask-for-documents'; readonly words: string }

const REQUEST_TEXT_CHARACTERS_MAX = 2000

/**
 * The onboarding after the review. Accepting checks the registry again. Throws `OnboardingActionRejected` when the
 * onboarding is not in manual handling, and when the registry does not answer or the company must be rejected by its
 * current data.
 */
export async function reviewOnboarding(
  context: Context,
  actor: string,
  key: OnboardingKey,
  review: ReviewDecision,
): Promise<Onboarding> {
  validateReview(review)
  const registered = review.say === 'accept' ? await requireRegistryApproval(context, key, review) : null
  await inTransaction(context, async (context) => {
    // Accepting locks all onboardings of the company in the order of ids: locking this one first could deadlock.
    const onboarding = await (review.say === 'accept' ? findOnboarding : lockOnboarding)(context.database, key)
    if (onboarding?.status !== 'ManualHandling') {
      throw new OnboardingActionRejected(
        `The onboarding ${key.id} is ${onboarding?.status ?? 'not found'}; only one in ManualHandling can be reviewed`,
      )
    }
    await applyReview(context, actor, onboarding, { review, registered })
  })
  return await requireOnboarding(context.database, key)
}

function validateReview(review: ReviewDecision): void {
  if (review.say === 'reject' && !reasonsByStatus.Rejected.includes(review.reason)) {
    throw new OnboardingActionRejected(
      `The reason must be one of ${reasonsByStatus.Rejected.join(', ')}, not ${review.reason}`,
    )
  }
  if (review.say === 'ask-for-documents') {
    const { length } = review.words.trim()
    if (length === 0 || length > REQUEST_TEXT_CHARACTERS_MAX) {
      throw new OnboardingActionRejected(
        `The document request must have 1 to ${REQUEST_TEXT_CHARACTERS_MAX} characters`,
      )
    }
  }
}

/** The company's current registry data. Throws when it requires a rejection that the operator does not override. */
async function requireRegistryApproval(
  context: Context,
  key: OnboardingKey,
  { despite }: Extract<ReviewDecision, { readonly say: 'accept' }>,
): Promise<RegisteredCompany | null> {
  const onboarding = await findOnboarding(context.database, key)
  if (onboarding?.status !== 'ManualHandling') {
    // The caller reports this under the lock.
    return null
  }
  const now = await checkRegistry(context, onboarding)
  if (now === undefined) {
    throw new OnboardingActionRejected('The company registry does not answer; nothing was changed. Try again later')
  }
  const { rejectionReason, registered } = now
  if (rejectionReason !== undefined && rejectionReason !== despite) {
    throw new OnboardingActionRejected(
      `The registry data now requires a rejection (${rejectionReason}): reject it, or accept it despite ${rejectionReason}`,
    )
  }
  if (rejectionReason === undefined && registered === null && (await readAnswers(context, key)).registered !== null) {
    throw new OnboardingActionRejected(
      `No company registry is configured for ${onboarding.countryCode}, but there was one when the link was opened`,
    )
  }
  return registered
}

type ReviewWithRegistry = { readonly review: ReviewDecision; readonly registered: RegisteredCompany | null }

async function applyReview(
  context: Context,
  actor: string,
  onboarding: Onboarding,
  { review, registered }: ReviewWithRegistry,
): Promise<void> {
  const at = context.clock.now()
  switch (review.say) {
    case 'accept': {
      const { sections } = await readAnswers(context, onboarding)
      const storedName = onboarding.organisationName ?? sections.CompanyDetails?.name ?? onboarding.organisationNumber
      if (!(await acceptOnboarding(context, actor, onboarding, registered?.name ?? storedName))) {
        throw new OnboardingActionRejected(
          'The partner already has this company, or another operator has just reviewed the onboarding',
        )
      }
      return await resolveTaskAutomatically(context, reviewTaskOf(onboarding), `accepted by ${actor}`)
    }
    case 'reject': {
      const rejected = { status: 'Rejected', statusReason: review.reason, at } as const
      await changeOnboardingStatus(context, onboarding, rejected, { actor })
      return await resolveTaskAutomatically(context, reviewTaskOf(onboarding), `rejected by ${actor}`)
    }
    case 'ask-for-documents':
      await requestDocuments(context, onboarding, review.words.trim(), at)
      await recordOnboardingAction(context, onboarding, { actor, action: 'documents requested for' })
      return await raiseReviewTask(context, onboarding, 'Documents were requested.', {
        documents: 'requested',
        files: 0,
      })
    default: {
      const nothing: never = review
      return nothing
    }
  }
}
