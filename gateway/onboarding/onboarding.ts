/** What an onboarding is: a company's way from the partner's link to being served, gone by the company's own people. */
import type { Onboarding as OnboardingShown, OnboardingTask } from '../../contract/onboarding.ts'

export type OnboardingStatus = OnboardingShown['status']
export type OnboardingReason = NonNullable<OnboardingShown['statusReason']>
export type TaskType = OnboardingTask['type']

/** An onboarding as it is kept, without what its people wrote. */
export type Onboarding = {
  readonly partnerId: string
  readonly id: string
  readonly countryCode: string
  readonly organisationNumber: string
  /** As the registry writes it; null until the link is opened, and where no registry tells. */
  readonly organisationName: string | null
  readonly status: OnboardingStatus
  readonly statusReason: OnboardingReason | null
  readonly redirectUrl: string | null
  readonly linkHash: string
  /** Counts what its people saved, so that two tabs do not overwrite each other. */
  readonly revision: number
  /** When the summary was confirmed: what was written stands still from then on. */
  readonly submittedAt: Temporal.Instant | null
  /** SHA-256 of what is signed, in base64url; null until the summary is confirmed. */
  readonly documentHash: string | null
  /** What of the flow is done; kept in the open, so that nothing is unsealed to tell it. */
  readonly tasksDone: readonly TaskType[]
  /** When an operator asked for documents last; whether they came is among the tasks. */
  readonly documentsAskedAt: Temporal.Instant | null
  readonly createdAt: Temporal.Instant
  readonly updatedAt: Temporal.Instant
  /** When it ends if nobody touches it before; null while it is looked at by us, and once it has ended. */
  readonly expiresAt: Temporal.Instant | null
}

/** What identifies an onboarding. */
export type OnboardingKey = Pick<Onboarding, 'partnerId' | 'id'>

/** Which statuses may follow which. */
export const onboardingMayBecome: Readonly<Record<OnboardingStatus, readonly OnboardingStatus[]>> = {
  Created: ['AwaitingCustomerAction', 'Cancelled', 'Expired'],
  AwaitingCustomerAction: ['ManualHandling', 'Accepted', 'Rejected', 'Cancelled', 'Expired'],
  ManualHandling: ['Accepted', 'Rejected', 'Cancelled'],
  Accepted: [],
  Rejected: [],
  Cancelled: [],
  Expired: [],
}

/** With which reasons a status may come; null is no reason. */
export const reasonsOf: Readonly<Record<OnboardingStatus, readonly (OnboardingReason | null)[]>> = {
  Created: [null],
  AwaitingCustomerAction: [null],
  // Without a reason nothing speaks against the company: there is no registry, or it does not say who signs.
  ManualHandling: [null, 'RiskEvaluation', 'MissingDocuments'],
  Accepted: [null],
  Rejected: ['CompanyNotFound', 'UnsupportedCompanyType', 'RiskEvaluation', 'MissingDocuments'],
  Cancelled: [null],
  // The reason tells that everything was written and signatures were missing.
  Expired: [null, 'SignatureExpired'],
}

/** What an onboarding moves on to. */
export type OnboardingMove = {
  readonly status: OnboardingStatus
  readonly statusReason: OnboardingReason | null
  readonly at: Temporal.Instant
}

/** Whether a move is one of the table, with a reason that goes with it. */
export function mayMove(
  { status }: Pick<Onboarding, 'status'>,
  next: Pick<OnboardingMove, 'status' | 'statusReason'>,
): boolean {
  return onboardingMayBecome[status].includes(next.status) && reasonsOf[next.status].includes(next.statusReason)
}

/** The statuses from which others follow. */
export const OPEN = ['Created', 'AwaitingCustomerAction', 'ManualHandling'] as const satisfies OnboardingStatus[]

/** Whether it has not ended. */
export function isOpen({ status }: Pick<Onboarding, 'status'>): boolean {
  return onboardingMayBecome[status].length > 0
}

/** Whether its people may write: the link was opened and the summary is not confirmed. */
export function mayWrite({ status, submittedAt }: Pick<Onboarding, 'status' | 'submittedAt'>): boolean {
  return status === 'AwaitingCustomerAction' && submittedAt === null
}

/** Whether its signers may sign. */
export function maySign({ status, submittedAt }: Pick<Onboarding, 'status' | 'submittedAt'>): boolean {
  return status === 'AwaitingCustomerAction' && submittedAt !== null
}

/** Whether documents may be handed in: an operator asked for them. */
export function mayHandIn({ status, statusReason }: Pick<Onboarding, 'status' | 'statusReason'>): boolean {
  return status === 'ManualHandling' && statusReason === 'MissingDocuments'
}

/** Each touch by the company's people gives them as much time again. */
export const UNTOUCHED_HOURS_MAX = 24
/** Documents come from drawers, accountants and authorities. */
export const DOCUMENTS_WITHIN_HOURS = 7 * 24
/** What came to nothing is kept for questions, then forgotten. */
export const FORGET_AFTER_HOURS = 30 * 24

/** When an onboarding that was touched now expires. */
export function expiryAfter(now: Temporal.Instant): Temporal.Instant {
  return now.add({ hours: UNTOUCHED_HOURS_MAX })
}

/** What is sealed of an onboarding itself. */
export type OnboardingSecret = 'answers' | 'documents asked'

/** What a sealed value of an onboarding is bound to. */
export function onboardingPurpose(what: OnboardingSecret, { partnerId, id }: OnboardingKey): string {
  return `onboarding ${what} ${partnerId} ${id}`
}

/** The address that is given away for a token; the path tells nothing but whose it is. */
export function onboardingAddress(onboardingUrl: string, { partnerId, id }: OnboardingKey, token: string): string {
  return `${onboardingUrl}/onboarding/${partnerId}/${id}/${token}`
}
