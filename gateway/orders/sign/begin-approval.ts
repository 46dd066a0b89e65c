/** Starts an approval: leases the payments, ensures that the bank has their orders, plans the steps, starts the SCA session. */

import type { Sca } from '../../../contract/sca.ts'
import { authorisationExpiry, type ScaSessionRequest, startScaSession } from '../../authorisations/start-sca-session.ts'
import type { Bank } from '../../banks/connector/bank.ts'
import { isBankError } from '../../banks/connector/bank-error-classification.ts'
import type { ConsentCaller } from '../../consents/consent.ts'
import type { Context } from '../../context.ts'
import { inTransaction, type Queryable } from '../../platform/database/in-transaction.ts'
import { apiError } from '../../platform/http/errors/api-error.ts'
import { findOrdersOf } from '../find-orders.ts'
import { instructionOf } from '../instruction.ts'
import type { Payment } from '../payment.ts'
import { bankErrorMessage } from '../redact-bank-text.ts'
import { type Approvable, requireOrdersAtBank } from './approvable.ts'
import {
  type Approval,
  basketTermsOf,
  newApproval,
  type PlannedScaStep,
  planScaSteps,
  requireChainable,
  signingDeadlineOf,
} from './approval.ts'
import { approvalScaSubject, beginAuthorisation } from './approval-sca-subject.ts'
import { findApproval, insertApproval } from './approval-store.ts'
import { authorisedTargetOf } from './authorised-target.ts'
import { deleteBasketsOfApproval } from './baskets/bank-basket.ts'
import { releaseFromBaskets } from './baskets/release-from-baskets.ts'
import { toAlreadySignedError } from './earlier-signatures.ts'
import {
  APPROVAL_IN_PROGRESS,
  decidePassedDeadlines,
  releasePaymentLeases,
  supersedeScaSessions,
  withPaymentLeases,
} from './open-sca-sessions.ts'

/** What is to be approved, and at which bank. */
export type ApprovalParameters = Pick<ScaSessionRequest, 'callbackUrl' | 'preferred' | 'codeForPartner'> & {
  readonly bank: Bank
  /** The id of the new approval; the caller chooses it because it may be needed before. */
  readonly id: string
  /** The validated orders. */
  readonly found: Approvable
  /** Finds and validates them again, under the leases: an approval that ended meanwhile may have changed them. */
  readonly findAgain: () => Promise<Approvable>
  /** Runs in the transaction that stores the approval. */
  readonly within?: (transaction: Queryable, started: ApprovalResult) => Promise<void>
}

/** The stored approval and the SCA data; `sca` is undefined if no signature is required. */
export type ApprovalResult = {
  readonly approval: Approval
  /** Its payments, in the same order. */
  readonly payments: readonly Payment[]
  readonly sca: Sca | undefined
}

/** The user of the caller's consent signs. Throws what `findAgain` throws, 422 at an order that cannot be signed, or `BankError`. */
export async function beginApproval(
  context: Context,
  caller: ConsentCaller,
  parameters: ApprovalParameters,
): Promise<ApprovalResult> {
  const { bank, found, findAgain, id } = parameters
  const { partnerId } = caller
  return await withPaymentLeases(context, { partnerId, id }, found.payments, async () => {
    await supersedeScaSessions(context, partnerId, found.payments)
    const constraints = await releaseFromBaskets(context, found.payments, found.pathOf)
    await decidePassedDeadlines(context, found.payments)
    const approvable = await requireOrdersAtBank(context, caller, bank, await findAgain())
    const toSign = approvable.payments.filter((payment) => !approvable.scaExemptIds.has(payment.id))
    const terms = basketTermsOf(context, bank, toSign, constraints)
    const steps = planScaSteps(toSign, terms)
    requireChainable(steps, found.pathOf, terms)
    try {
      return await startApproval(context, caller, parameters, { approvable, steps })
    } catch (error) {
      await deleteBasketsOfApproval(context, { partnerId, approvalId: id })
      const rejectionText = basketRejectionOf(context, parameters, error)
      const separate = planScaSteps(toSign, { ...terms, sizeMax: null })
      requireChainable(separate, found.pathOf, terms, rejectionText)
      return await startApproval(context, caller, parameters, { approvable, steps: separate })
    }
  })
}

/** What may repeat names and amounts of salaries is left out of the bank's text. Throws any other error. */
function basketRejectionOf(context: Context, { id, found }: ApprovalParameters, error: unknown): string {
  if (!isBankError(error, 'basket-rejected')) {
    throw error
  }
  const isPrivate = found.payments.some((order) => instructionOf(order).isPrivate)
  const rejectionText = isPrivate ? bankErrorMessage(error) : error.message
  context.log.info(
    { approvalId: id, reason: rejectionText },
    'the bank rejected the basket; the payments are signed one at a time',
  )
  return rejectionText
}

type ApprovalPlan = { readonly approvable: Approvable; readonly steps: readonly PlannedScaStep[] }

/** Without a step all payments are SCA-exempt, and the approval is accepted. */
async function startApproval(
  context: Context,
  caller: ConsentCaller,
  parameters: ApprovalParameters,
  { approvable, steps }: ApprovalPlan,
): Promise<ApprovalResult> {
  const { payments, scaExemptIds } = approvable
  const key = { partnerId: caller.partnerId, id: parameters.id, consentId: caller.consent.id }
  const createdAt = context.clock.now()
  const approval = await newApproval(context.digest, { ...key, createdAt, requested: payments, scaExemptIds, steps })
  const store = async ({ database }: Context, sca: Sca | undefined) => {
    // Nothing is stored if a lease has expired: another approval may have started.
    if ((await releasePaymentLeases(database, approval)) < approval.payments.length) {
      throw apiError('AUTHENTICATION_TEMPORARY_UNAVAILABLE', APPROVAL_IN_PROGRESS)
    }
    await insertApproval(database, approval)
    await parameters.within?.(database, { approval, payments, sca })
  }
  if (steps.length === 0) {
    await inTransaction(context, (within) => store(within, undefined))
    return { approval, payments, sca: undefined }
  }
  const request = await scaSessionRequestOf(context, caller, parameters, { approvable, steps, approval })
  const { sca } = await startScaSession(context, approvalScaSubject, request, store)
  if (sca !== undefined) {
    return { approval, payments, sca }
  }
  // An approval for which the bank requires no signature was completed by its SCA session.
  return {
    approval: (await findApproval(context.database, approval)) ?? approval,
    payments: await findOrdersOf(context, approval.partnerId, approval.payments),
    sca,
  }
}

async function scaSessionRequestOf(
  context: Context,
  caller: ConsentCaller,
  { bank, id, callbackUrl, preferred, codeForPartner }: ApprovalParameters,
  { approval, approvable: { payments: requested, show }, steps }: ApprovalPlan & { readonly approval: Approval },
): Promise<ScaSessionRequest> {
  const planned = await Promise.all(
    steps.map(async ({ basketId, payments }) => ({
      targetType: basketId === null ? ('payment' as const) : ('basket' as const),
      targetId: basketId ?? payments[0].id,
      shown: await show(payments),
    })),
  )
  const { psu, consent } = caller
  return {
    partnerId: caller.partnerId,
    kind: 'approval',
    subjectId: id,
    consentId: caller.consent.id,
    bic: bank.bic,
    callbackUrl,
    preferred,
    codeForPartner,
    isSummarySealed: requested.some((order) => instructionOf(order).isPrivate),
    expiresAt: authorisationExpiry(context.clock, bank),
    signBy: signingDeadlineOf(requested),
    psu,
    userId: consent.userId,
    steps: planned,
    begin: async (authorisation) => {
      const target = authorisedTargetOf(approval, consent, planned[0]?.targetId ?? '', requested)
      return await beginAuthorisation(context, target, psu, authorisation).catch(async (error: unknown) => {
        throw await toAlreadySignedError(context, caller, requested, error)
      })
    },
  }
}
