/** Defines an onboarding: its statuses, allowed transitions, deadlines and link. */
import type { Onboarding as OnboardingShown, OnboardingTask } from '../../../contract/onboarding.ts'

export type OnboardingStatus = OnboardingShown['status']
export type OnboardingReason = NonNullable<OnboardingShown['statusReason']>
export type TaskType = OnboardingTask['type']

/** A stored onboarding, without the answers of its users. */
export type Onboarding = {
  readonly partnerId: string
  readonly id: string
  readonly countryCode: string
  readonly organisationNumber: string
  /** The name in the company registry; null before the link is opened, and without a registry. */
  readonly organisationName: string | null
  readonly status: OnboardingStatus
  readonly statusReason: OnboardingReason | null
  readonly redirectUrl: string | null
  readonly linkHash: string
  /** Optimistic lock of the answers: two tabs must not overwrite each other. */
  readonly revision: number
  /** When the summary was confirmed; the answers cannot change after that. */
  readonly submittedAt: Temporal.Instant | null
  /** SHA-256 of the signed document in base64url; null before the summary is confirmed. */
  readonly documentHash: string | null
  /** Completed tasks; stored unencrypted, so that the status needs no decryption. */
  readonly tasksDone: readonly TaskType[]
  /** When an operator last requested documents; whether they were uploaded is among the tasks. */
  readonly documentsRequestedAt: Temporal.Instant | null
  readonly createdAt: Temporal.Instant
  readonly updatedAt: Temporal.Instant
  /** When it expires without activity; null during manual handling and in final statuses. */
  readonly expiresAt: Temporal.Instant | null
}

/** Why an operator's action on an onboarding is not possible; nothing was changed. */
export class OnboardingActionRejected extends Error {}

export type OnboardingKey = Pick<Onboarding, 'partnerId' | 'id'>

/** The allowed status transitions. */
export const onboardingTransitions: Readonly<Record<OnboardingStatus, readonly OnboardingStatus[]>> = {
  Created: ['AwaitingCustomerAction', 'Cancelled', 'Expired'],
  AwaitingCustomerAction: ['ManualHandling', 'Accepted', 'Rejected', 'Cancelled', 'Expired'],
  ManualHandling: ['Accepted', 'Rejected', 'Cancelled'],
  Accepted: [],
  Rejected: [],
  Cancelled: [],
  Expired: [],
}

/** The allowed reasons of each status; null is no reason. */
export const reasonsByStatus: Readonly<Record<OnboardingStatus, readonly (OnboardingReason | null)[]>> = {
  Created: [null],
  AwaitingCustomerAction: [null],
  // No reason: there is no registry, or it does not state who may sign.
  ManualHandling: [null, 'RiskEvaluation', 'MissingDocuments'],
  Accepted: [null],
  Rejected: ['CompanyNotFound', 'UnsupportedCompanyType', 'RiskEvaluation', 'MissingDocuments'],
  Cancelled: [null],
  // SignatureExpired: the answers were confirmed, but signatures were missing.
  Expired: [null, 'SignatureExpired'],
}

/** The next status of an onboarding. */
export type OnboardingTransition = {
  readonly status: OnboardingStatus
  readonly statusReason: OnboardingReason | null
  readonly at: Temporal.Instant
}

/** Whether the transition and its reason are allowed. */
export function isAllowedTransition(
  { status }: Pick<Onboarding, 'status'>,
  next: Pick<OnboardingTransition, 'status' | 'statusReason'>,
): boolean {
  return onboardingTransitions[status].includes(next.status) && reasonsByStatus[next.status].includes(next.statusReason)
}

/** The statuses that are not final. */
export const OPEN_STATUSES = [
  'Created',
  'AwaitingCustomerAction',
  'ManualHandling',
] as const satisfies OnboardingStatus[]

/** Whether the status is not final. */
export function isOpen({ status }: Pick<Onboarding, 'status'>): boolean {
  return onboardingTransitions[status].length > 0
}

/** Whether answers may be saved: the link was opened and the summary is not confirmed. */
export function mayWrite({ status, submittedAt }: Pick<Onboarding, 'status' | 'submittedAt'>): boolean {
  return status === 'AwaitingCustomerAction' && submittedAt === null
}

/** Whether signers may sign: the summary is confirmed. */
export function maySign({ status, submittedAt }: Pick<Onboarding, 'status' | 'submittedAt'>): boolean {
  return status === 'AwaitingCustomerAction' && submittedAt !== null
}

/** Whether all signatures are given and the decision is pending. */
export function isFullySigned(onboarding: Pick<Onboarding, 'status' | 'submittedAt' | 'tasksDone'>): boolean {
  return maySign(onboarding) && onboarding.tasksDone.includes('Signatures')
}

/** Whether documents may be uploaded: an operator requested them. */
export function mayUploadDocuments({ status, statusReason }: Pick<Onboarding, 'status' | 'statusReason'>): boolean {
  return status === 'ManualHandling' && statusReason === 'MissingDocuments'
}

/** Each visit extends the onboarding by this time. */
export const INACTIVITY_HOURS_MAX = 24
/** Documents may have to be obtained from accountants and authorities. */
export const DOCUMENTS_WITHIN_HOURS = 7 * 24
/** Answers of cancelled and expired onboardings are stored for support questions, then deleted. */
export const RETENTION_HOURS = 30 * 24

/** When an onboarding with activity now expires. */
export function expiryAfter(now: Temporal.Instant): Temporal.Instant {
  return now.add({ hours: INACTIVITY_HOURS_MAX })
}

type Deadlines = Pick<Onboarding, 'status' | 'statusReason' | 'documentsRequestedAt' | 'expiresAt'>

/** When the onboarding expires or its documents are due; null without a deadline. */
export function dueAtOf({ status, statusReason, documentsRequestedAt, expiresAt }: Deadlines): Temporal.Instant | null {
  if (status !== 'ManualHandling') {
    return expiresAt
  }
  const isWaiting = statusReason === 'MissingDocuments' && documentsRequestedAt !== null
  return isWaiting ? documentsRequestedAt.add({ hours: DOCUMENTS_WITHIN_HOURS }) : null
}

/** Whether its deadline has passed. A fully signed one is decided, however late. */
export function isOverdue(onboarding: Onboarding, now: Temporal.Instant): boolean {
  const dueAt = dueAtOf(onboarding)
  return dueAt !== null && Temporal.Instant.compare(now, dueAt) >= 0 && !isFullySigned(onboarding)
}

export type OnboardingSecret = 'answers' | 'documents requested'

/** The purpose that a sealed value of an onboarding is bound to. */
export function onboardingPurpose(what: OnboardingSecret, { partnerId, id }: OnboardingKey): string {
  return `onboarding ${what} ${partnerId} ${id}`
}

/** The URL of an onboarding link; the path holds only ids and the token. */
export function buildOnboardingLink(onboardingUrl: string, { partnerId, id }: OnboardingKey, token: string): string {
  return `${onboardingUrl}/onboarding/${partnerId}/${id}/${token}`
}
