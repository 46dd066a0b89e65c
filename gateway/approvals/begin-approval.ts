/** Starts an approval: leases the payments, ensures that the bank has their orders, and prepares the SCA session. */
import type { Transaction } from 'kysely'
import type { Sca } from '../../contract/sca.ts'
import type { ScaSubject } from '../authorisations/sca-session.ts'
import type { SummaryItem } from '../authorisations/signature-summary.ts'
import { authorisationExpiry, type ScaSessionRequest, startScaSession } from '../authorisations/start-sca-session.ts'
import type { Bank } from '../banks/directory/bank.ts'
import type { ConsentCaller } from '../consents/consent.ts'
import type { Context } from '../context.ts'
import type { AcknowledgedPayment } from '../orders/payment.ts'
import type { Queryable } from '../platform/database/in-transaction.ts'
import { apiError } from '../platform/http/errors/api-error.ts'
import { toAlreadySignedError } from './already-signed-error.ts'
import { type Approval, orderDigestOf } from './approval.ts'
import { type LeaseOwner, releasePaymentLeases } from './approval-lease-store.ts'
import { approvalScaSubject, authorisedTargetOf, beginAuthorisation } from './approval-sca-subject.ts'
import { findApproval, insertApproval } from './approval-store.ts'
import { releaseFromBaskets } from './baskets/release-from-baskets.ts'
import { maxBasketSizeOf, type PlannedScaStep, paymentsOutsideBaskets } from './plan-sca-steps.ts'
import { prepareWithBasketFallback } from './prepare-with-basket-fallback.ts'
import type { Approvable } from './require-approvable.ts'
import { requireOrdersAtBank } from './require-orders-at-bank.ts'
import { supersedeScaSessions } from './supersede-sca-sessions.ts'
import { APPROVAL_IN_PROGRESS, withPaymentLeases } from './with-payment-leases.ts'

/** What is to be approved, at which bank, and what the user sees. */
export type ApprovalParameters = Pick<ScaSessionRequest, 'callbackUrl' | 'preferred' | 'codeForPartner'> & {
  readonly isSummarySealed: boolean
  readonly bank: Bank
  /** The id of the new approval; the caller chooses it because it may be needed before. */
  readonly id: string
  /** Finds and validates the requested payments; called twice, because an approval that ends meanwhile may change them. */
  readonly find: () => Promise<Approvable>
  /** Renders the orders of one signature for the user. */
  readonly show: (orders: PlannedScaStep['payments']) => Promise<readonly SummaryItem[]>
  /** Runs in the transaction that stores the approval. */
  readonly within?: (transaction: Queryable, started: ApprovalResult) => Promise<void>
}

/** The stored approval and the SCA data; `sca` is undefined if no signature is required. */
export type ApprovalResult = { readonly approval: Approval; readonly sca: Sca | undefined }

/** The user of the caller's consent signs. Throws what `find` throws, 422 at an order that cannot be signed, or `BankError`. */
export async function beginApproval(
  context: Context,
  caller: ConsentCaller,
  parameters: ApprovalParameters,
): Promise<ApprovalResult> {
  const { bank } = parameters
  const holder = { partnerId: caller.partnerId, id: parameters.id }
  const sizeMax = maxBasketSizeOf(bank, context.banks.connectorOf(bank))
  const { payments: found, pathOf } = await parameters.find()
  return await withPaymentLeases(context, holder, found, async () => {
    await supersedeScaSessions(context, caller.partnerId, found)
    const constraints = await releaseFromBaskets(context, found, pathOf)
    // An older approval that has just ended may have signed some of them.
    const approvable = await parameters.find()
    const payments = await requireOrdersAtBank(context, caller, bank, approvable)
    if (payments.length === 0) {
      return await createAcceptedApproval(
        context,
        parameters,
        approvalOf(context, caller, holder, { approvable, payments, steps: [] }),
      )
    }
    const alone = new Set([...constraints.alone, ...paymentsOutsideBaskets(bank, payments)])
    return await prepareWithBasketFallback(
      context,
      holder,
      { payments, pathOf, terms: { ...constraints, sizeMax, alone } },
      async (steps) => {
        const approval = approvalOf(context, caller, holder, { approvable, payments, steps })
        const request = await scaSessionRequestOf(context, caller, parameters, steps)
        return await startApproval(context, caller, parameters, { approval, payments, request })
      },
    )
  })
}

/** All payments are SCA-exempt. */
async function createAcceptedApproval(
  context: Context,
  parameters: ApprovalParameters,
  approval: Approval,
): Promise<ApprovalResult> {
  await context.database.query
    .transaction()
    .execute((transaction) => storeApproval(transaction, parameters, { approval, sca: undefined }))
  return { approval, sca: undefined }
}

type ApprovalStart = {
  readonly approval: Approval
  readonly payments: readonly AcknowledgedPayment[]
  readonly request: ScaSessionRequest
}

async function startApproval(
  context: Context,
  caller: ConsentCaller,
  parameters: ApprovalParameters,
  { approval, payments, request }: ApprovalStart,
): Promise<ApprovalResult> {
  const subject: ScaSubject = {
    ...approvalScaSubject,
    // The approval is not stored yet.
    begin: async (_context, { psu }, { targetId }, request) =>
      await beginAuthorisation(
        context,
        authorisedTargetOf(approval, caller.consent, targetId, payments),
        psu,
        request,
      ).catch(async (error: unknown) => {
        throw await toAlreadySignedError(context, caller, payments, error)
      }),
  }
  const { sca } = await startScaSession(context, subject, request, async (transaction, shown) => {
    await storeApproval(transaction, parameters, { approval, sca: shown })
    return true
  })
  return { approval: (await findApproval(context.database, approval)) ?? approval, sca }
}

async function scaSessionRequestOf(
  context: Context,
  caller: ConsentCaller,
  { bank, id, show, callbackUrl, preferred, codeForPartner, isSummarySealed }: ApprovalParameters,
  steps: readonly PlannedScaStep[],
): Promise<ScaSessionRequest> {
  return {
    partnerId: caller.partnerId,
    kind: 'approval',
    subjectId: id,
    consentId: caller.consent.id,
    bic: bank.bic,
    callbackUrl,
    preferred,
    codeForPartner,
    isSummarySealed,
    expiresAt: authorisationExpiry(context.clock, bank),
    psu: caller.psu,
    userId: caller.consent.userId,
    steps: await Promise.all(
      steps.map(async ({ basketId, payments }) => ({
        targetType: basketId === null ? ('payment' as const) : ('basket' as const),
        targetId: basketId ?? payments[0].id,
        shown: await show(payments),
      })),
    ),
  }
}

/** Stores nothing if a lease has expired: another approval may have started. */
async function storeApproval(
  transaction: Transaction<unknown>,
  { within }: ApprovalParameters,
  started: ApprovalResult,
): Promise<void> {
  const { approval } = started
  if ((await releasePaymentLeases(transaction, approval)) < approval.payments.length) {
    throw apiError('AUTHENTICATION_TEMPORARY_UNAVAILABLE', APPROVAL_IN_PROGRESS)
  }
  await insertApproval(transaction, approval)
  await within?.({ query: transaction }, started)
}

type PlannedApproval = {
  /** All requested payments, in request order. */
  readonly approvable: Approvable
  /** Those that are to be signed, with their current orders at the bank. */
  readonly payments: readonly AcknowledgedPayment[]
  readonly steps: readonly PlannedScaStep[]
}

function approvalOf(
  context: Context,
  caller: ConsentCaller,
  { id }: LeaseOwner,
  { approvable, payments, steps }: PlannedApproval,
): Approval {
  const basketIdByPayment = new Map(
    steps.flatMap(({ basketId, payments: grouped }) => grouped.map((payment) => [payment.id, basketId])),
  )
  const acknowledgedById = new Map(payments.map((payment) => [payment.id, payment]))
  return {
    partnerId: caller.partnerId,
    id,
    consentId: caller.consent.id,
    status: payments.length === 0 ? 'ACCEPTED' : 'STARTED',
    createdAt: context.clock.now(),
    payments: approvable.payments.map((found) => {
      const payment = acknowledgedById.get(found.id) ?? found
      return {
        paymentId: payment.id,
        bankPaymentId: payment.bankPaymentId,
        orderDigest: orderDigestOf(payment),
        partlySigned: payment.statusReason === 'PartlySigned',
        basketId: basketIdByPayment.get(payment.id) ?? null,
        result: approvable.scaExemptIds.has(payment.id) ? 'ACCEPTED' : 'STARTED',
      }
    }),
  }
}
