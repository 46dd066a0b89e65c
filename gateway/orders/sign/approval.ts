/** Defines an approval: one user signs one or several payments, in baskets if the bank offers them, otherwise one by one. */
import type { ApprovalStatus } from '../../../contract/approvals.ts'
import type { ScaOutcome, ScaStep, ScaStepState } from '../../authorisations/sca-session.ts'
import type { Bank } from '../../banks/connector/bank.ts'
import { CHAINED_SCA_SESSIONS_MAX } from '../../banks/directory/profile-consistency.ts'
import type { Context } from '../../context.ts'
import type { KeyedDigest } from '../../platform/crypto/keyed-digest.ts'
import { InvalidRequestError } from '../../platform/http/errors/api-error.ts'
import { newId } from '../../platform/ids.ts'
import { formatAmount } from '../../platform/money.ts'
import { type AcknowledgedPayment, type Payment, productAtBank } from '../payment.ts'

export type Approval = {
  readonly partnerId: string
  readonly id: string
  readonly consentId: string
  readonly status: ApprovalStatus
  readonly createdAt: Temporal.Instant
  readonly payments: readonly ApprovedPayment[]
}

/** A payment of an approval, with the data to which the signature is bound. */
export type ApprovedPayment = {
  readonly paymentId: string
  readonly bankPaymentId: string
  /** See `orderDigestOf`. */
  readonly orderDigest: string
  /** Whether another user had signed it before. */
  readonly partlySigned: boolean
  /** The basket with which it is signed; null if it is signed separately. */
  readonly basketId: string | null
  readonly result: ApprovalStatus
}

/** What is approved, by whom, and how it is signed. */
export type PlannedApproval = Pick<Approval, 'partnerId' | 'id' | 'consentId' | 'createdAt'> & {
  /** All requested payments, in request order. */
  readonly requested: readonly AcknowledgedPayment[]
  readonly scaExemptIds: ReadonlySet<string>
  /** Empty if all payments are SCA-exempt. */
  readonly steps: readonly PlannedScaStep[]
}

/** A new approval; it is accepted if no payment is to be signed. */
export async function newApproval(
  digest: KeyedDigest,
  { requested, scaExemptIds, steps, ...key }: PlannedApproval,
): Promise<Approval> {
  const basketIdByPayment = new Map(
    steps.flatMap(({ basketId, payments }) => payments.map((payment) => [payment.id, basketId])),
  )
  return {
    ...key,
    status: steps.length === 0 ? 'ACCEPTED' : 'STARTED',
    payments: await Promise.all(
      requested.map(async (payment) => ({
        paymentId: payment.id,
        bankPaymentId: payment.bankPaymentId,
        orderDigest: await orderDigestOf(digest, payment),
        partlySigned: payment.statusReason === 'PartlySigned',
        basketId: basketIdByPayment.get(payment.id) ?? null,
        result: scaExemptIds.has(payment.id) ? ('ACCEPTED' as const) : ('STARTED' as const),
      })),
    ),
  }
}

/** Which statuses may follow which. */
export const approvalMayBecome: Readonly<Record<ApprovalStatus, readonly ApprovalStatus[]>> = {
  STARTED: ['ACCEPTED', 'REJECTED', 'CANCELLED'],
  ACCEPTED: [],
  REJECTED: [],
  CANCELLED: [],
}

export const statusByOutcome: Readonly<Record<ScaOutcome, ApprovalStatus>> = {
  success: 'ACCEPTED',
  rejected: 'REJECTED',
  cancelled: 'CANCELLED',
}

/** The outcome with which the user is redirected to the partner. */
export const outcomeByStatus: Readonly<Record<ApprovalStatus, ScaOutcome>> = {
  STARTED: 'cancelled',
  ACCEPTED: 'success',
  REJECTED: 'rejected',
  CANCELLED: 'cancelled',
}

/** The worst result of a payment determines the status of the approval. */
const STATUS_PRECEDENCE = ['REJECTED', 'CANCELLED', 'STARTED'] as const satisfies readonly ApprovalStatus[]

const resultByState: Readonly<Record<ScaStepState, ApprovalStatus>> = {
  pending: 'CANCELLED',
  open: 'CANCELLED',
  signed: 'ACCEPTED',
  'signed-late': 'ACCEPTED',
  exempt: 'ACCEPTED',
  rejected: 'REJECTED',
  cancelled: 'CANCELLED',
}

export function statusOfResults(results: readonly ApprovalStatus[]): ApprovalStatus {
  return STATUS_PRECEDENCE.find((status) => results.includes(status)) ?? 'ACCEPTED'
}

/** The SCA target of a payment: its basket, or the payment itself. */
export function scaTargetIdOf({ basketId, paymentId }: Pick<ApprovedPayment, 'basketId' | 'paymentId'>): string {
  return basketId ?? paymentId
}

/** The result of a payment, by the final state of its SCA step. */
export function approvalResultOf(step: Pick<ScaStep, 'state'> | undefined): ApprovalStatus {
  return resultByState[step?.state ?? 'pending']
}

/** By when the first of these must be signed; null where no exchange waits for a signature. */
export function signingDeadlineOf(payments: readonly Payment[]): Temporal.Instant | null {
  const deadlines = payments.flatMap(({ exchange, deadlineAt }) =>
    exchange === 'unsigned' && deadlineAt !== null ? [deadlineAt] : [],
  )
  return deadlines.toSorted(Temporal.Instant.compare)[0] ?? null
}

/** Digest of what the user saw: if any of it changes, the signature does not apply. */
export async function orderDigestOf(
  digest: KeyedDigest,
  { amount, debtorBban, creditorBban, dueDate }: Payment,
): Promise<string> {
  const shown = [formatAmount(amount), amount.currency, debtorBban, creditorBban, dueDate.toString()]
  return await digest(shown.join('\n'), 'approved order')
}

/** Whether a payment still has the shown data and the same id at the bank. */
export async function isUnchanged(
  digest: KeyedDigest,
  { bankPaymentId, orderDigest }: ApprovedPayment,
  payment: Payment,
): Promise<boolean> {
  return payment.bankPaymentId === bankPaymentId && (await orderDigestOf(digest, payment)) === orderDigest
}

/** What one authorisation signs: a payment, or the payments of a basket. */
export type PlannedScaStep = {
  readonly basketId: string | null
  readonly payments: readonly [AcknowledgedPayment, ...(readonly AcknowledgedPayment[])]
}

/** The constraints on baskets: their maximum size, signed ones that wait for further signatures, by payment, and what must be signed separately. */
export type BasketTerms = {
  /** Null if the bank has no baskets. */
  readonly sizeMax: number | null
  readonly basketIdByPayment: ReadonlyMap<string, string>
  readonly alone: ReadonlySet<string>
}

type Group = {
  basketId: string | null
  readonly sizeMax: number
  readonly payments: [AcknowledgedPayment, ...AcknowledgedPayment[]]
}

/** The maximum number of payments in a basket; null if the bank has no baskets. */
export function maxBasketSizeOf({ banks }: Context, bank: Bank): number | null {
  return banks.connectorOf(bank).baskets === undefined ? null : bank.profile.constraints.maxBasketSize
}

/** The terms for payments at a bank, some of which it does not accept in baskets; `constraints` are those of existing baskets. */
export function basketTermsOf(
  context: Context,
  bank: Bank,
  payments: readonly AcknowledgedPayment[],
  constraints: Omit<BasketTerms, 'sizeMax'>,
): BasketTerms {
  const isExcluded = {
    domestic: false,
    'cross-border': bank.profile.baskets?.domesticOnly === true,
    bulk: bank.profile.payroll?.inBaskets !== true,
    file: true,
  }
  const excluded = payments.filter((payment) => isExcluded[productAtBank(payment)]).map(({ id }) => id)
  return {
    ...constraints,
    sizeMax: maxBasketSizeOf(context, bank),
    alone: new Set([...constraints.alone, ...excluded]),
  }
}

/**
 * The steps in order of their first payments. A basket for a single payment would only add a step. Banks accept no signed
 * order in a new basket; an existing basket has a fixed content.
 */
export function planScaSteps(
  payments: readonly AcknowledgedPayment[],
  { sizeMax, basketIdByPayment, alone }: BasketTerms,
): readonly PlannedScaStep[] {
  const groups: Group[] = []
  for (const payment of payments) {
    const basketId = basketIdByPayment.get(payment.id) ?? null
    const isForNewBasket = payment.status === 'Unsigned' && !alone.has(payment.id)
    const groupMax = basketId === null ? ((isForNewBasket ? sizeMax : null) ?? 1) : Number.POSITIVE_INFINITY
    const isOpen = (group: Group) => group.basketId === basketId && group.payments.length < group.sizeMax
    const group = groupMax > 1 ? groups.find(isOpen) : undefined
    if (group === undefined) {
      groups.push({ basketId, sizeMax: groupMax, payments: [payment] })
    } else {
      group.payments.push(payment)
    }
  }
  return groups.map(({ basketId, payments: grouped }) => ({
    basketId: basketId ?? (grouped.length > 1 ? newId() : null),
    payments: grouped,
  }))
}

/**
 * Throws 422 at the first payment beyond what can be signed behind one URL. With the bank's text where it has rejected a
 * basket, and the steps are without any.
 */
export function requireChainable(
  steps: readonly PlannedScaStep[],
  pathOf: (paymentId: string) => string,
  { sizeMax, alone }: Pick<BasketTerms, 'sizeMax' | 'alone'>,
  rejectionText?: string,
): void {
  const first = steps[CHAINED_SCA_SESSIONS_MAX]?.payments[0]
  if (first !== undefined) {
    const together = `The bank does not sign these payments together (${rejectionText}); at most ${CHAINED_SCA_SESSIONS_MAX} may be approved one at a time`
    const text = limitText(sizeMax, alone.size > 0 ? ', and some of these one at a time only' : '')
    throw limitError(pathOf(first.id), rejectionText === undefined ? text : together)
  }
}

/** Throws 422, at the path of the first one, for more orders than can be approved together in any combination. */
export function requireWithinApprovalLimit(paths: readonly string[], sizeMax: number | null): void {
  const first = paths[CHAINED_SCA_SESSIONS_MAX * (sizeMax ?? 1)]
  if (first !== undefined) {
    throw limitError(first, limitText(sizeMax))
  }
}

function limitText(sizeMax: number | null, exception = ''): string {
  return sizeMax === null
    ? `This bank signs payments one at a time; at most ${CHAINED_SCA_SESSIONS_MAX} may be approved together`
    : `This bank signs up to ${sizeMax} unsigned payments at a time${exception}; at most ${CHAINED_SCA_SESSIONS_MAX} such signatures may be chained`
}

function limitError(path: string, reason: string): InvalidRequestError {
  return new InvalidRequestError([{ code: 'InvalidRequest', reason, path }])
}
