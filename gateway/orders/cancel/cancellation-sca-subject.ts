/** Implements SCA for cancellations: starts and reads their authorisations, and completes them with the outcome. */

import type { Sca } from '../../../contract/sca.ts'
import { completeScaSession } from '../../authorisations/refresh-sca-session.ts'
import {
  isSigned,
  type ScaOutcome,
  type ScaSession,
  type ScaStartContext,
  type ScaStep,
  type ScaSubject,
  type TargetScaState,
} from '../../authorisations/sca-session.ts'
import { authorisationExpiry, startScaSession } from '../../authorisations/start-sca-session.ts'
import { preferredApproachOf } from '../../banks/connector/bank.ts'
import { isResourceGone } from '../../banks/connector/bank-error-classification.ts'
import type { BankCaller, CancellationProduct, OrderOperations } from '../../banks/connector/connector.ts'
import { scaPartiesOf } from '../../consents/consent-lookup.ts'
import { storeBankTokens } from '../../consents/tokens/bank-tokens.ts'
import type { Context } from '../../context.ts'
import { apiError } from '../../platform/http/errors/api-error.ts'
import { findOrderOf } from '../find-orders.ts'
import { pollOnNotification } from '../handle-payment-notification.ts'
import { instructionOf } from '../instruction.ts'
import { type AcknowledgedPayment, isAcknowledged } from '../payment.ts'
import { requireSigner } from '../sign/authorised-target.ts'
import { isQrCodeUnscanned } from '../sign/open-sca-sessions.ts'
import { type BankAccess, withBankAccess } from '../status/bank-access.ts'
import {
  type Cancellation,
  type CancellationDecision,
  type CancellationPart,
  cancellationTerms,
  type OrderCancellation,
  type RequestedCancellation,
} from './cancellation.ts'
import { changePartStatus, findCancellation } from './cancellation-store.ts'
import { completeCancellation, recordLateCancellationSignature } from './request-bank-cancellation.ts'

export const cancellationScaSubject: ScaSubject = {
  begin: async (context, session, { targetId }, request) => {
    const { psu } = session
    return await callAsSigner(context, session, targetId, ({ authorisations, caller, order }) =>
      authorisations.start({ ...caller, psu }, order, request),
    )
  },
  selectMethod: async (context, session, { targetId, authorisationId }, methodId) => {
    const { psu } = session
    return await callAsSigner(context, session, targetId, async ({ authorisations, caller, order }) =>
      authorisations.selectMethod?.({ ...caller, psu }, order, { authorisationId }, methodId),
    )
  },
  complete: async (context, session, { targetId, authorisationId }, callback) => {
    const reference = { authorisationId, partlySigned: false }
    const tokens = await callAsSigner(context, session, targetId, ({ authorisations, caller, order }) =>
      authorisations.complete(caller, order, reference, callback),
    )
    return await storeBankTokens(context, { partnerId: session.partnerId, subjectIds: [targetId] }, tokens)
  },
  read: async (context, session, { targetId, authorisationId }) =>
    await callAsSigner(context, session, targetId, ({ authorisations, caller, order }) =>
      authorisations.read(caller, order, { authorisationId, partlySigned: false }),
    ),
  readTargetState: async (context, session, { targetId }) => await callAsSigner(context, session, targetId, readOrder),
  ended: async (context, session, outcome) => {
    const signed = await signedPartsOf(context, session)
    if (signed.length === 0) {
      throw new Error(`SCA session refers to cancellation ${session.subjectId}, which does not exist`)
    }
    let isAccepted = true
    for (const { part, step } of signed) {
      const ended = await completeCancellation(context, part, decisionOfStep(session, step, outcome))
      isAccepted &&= ended.status === 'ACCEPTED'
    }
    return isAccepted ? 'success' : outcome === 'success' ? 'rejected' : outcome
  },
  onLateSignature: async (context, session, { targetId }) => {
    for (const { part } of await signedPartsOf(context, session)) {
      if (part.paymentId === targetId) {
        await recordLateCancellationSignature(context, part)
      }
    }
  },
  notified: async (context, { partnerId, targetId }) => {
    await pollOnNotification(context, { partnerId, id: targetId })
  },
  partiesOfSession: scaPartiesOf,
}

const decisionByOutcome: Readonly<Record<ScaOutcome, CancellationDecision>> = {
  success: { yes: true },
  rejected: { yes: false, reason: 'The cancellation was rejected when it had to be signed' },
  cancelled: { yes: false, reason: 'The user cancelled, or the time limit passed, before the cancellation was signed' },
}

type SignedPart = { readonly part: CancellationPart; readonly step: ScaStep }

/** The parts of the cancellation that this session signs. */
async function signedPartsOf(
  { database }: Context,
  { partnerId, subjectId: id, steps }: Pick<ScaSession, 'partnerId' | 'subjectId' | 'steps'>,
): Promise<readonly SignedPart[]> {
  const { parts = [] } = (await findCancellation(database, { partnerId, id })) ?? {}
  return parts.flatMap((part) => {
    const step = steps.find(({ targetId }) => targetId === part.paymentId)
    return step === undefined ? [] : [{ part, step }]
  })
}

/** If several are signed in turn, some may be signed when the user cancels the session. */
function decisionOfStep(
  { steps }: Pick<ScaSession, 'steps'>,
  step: ScaStep,
  outcome: ScaOutcome,
): CancellationDecision {
  return steps.length > 1 && isSigned(step) ? decisionByOutcome.success : decisionByOutcome[outcome]
}

type SignerAtBank = {
  readonly order: AcknowledgedPayment
  readonly payments: OrderOperations
  readonly authorisations: CancellationProduct['authorisations']
  readonly caller: BankCaller
}

async function callAsSigner<Result>(
  context: Context,
  session: Pick<ScaStartContext, 'partnerId' | 'consentId'>,
  orderId: string,
  call: (signer: SignerAtBank) => Promise<Result>,
): Promise<Result> {
  const consent = await requireSigner(context, session)
  const order = await findOrderOf(context, session.partnerId, orderId)
  if (!isAcknowledged(order)) {
    throw new Error(`The bank does not have payment ${orderId}, whose cancellation is being signed`)
  }
  const callBank = ({ payments, caller }: BankAccess) =>
    call({ order, payments, authorisations: payments.cancellation.authorisations, caller })
  return await withBankAccess(context, order, callBank, { consent, psu: null })
}

/** A cancelled order proves the signature. */
async function readOrder({ order, payments, caller }: SignerAtBank): Promise<TargetScaState> {
  try {
    const { status, bankStatus } = await payments.read(caller, order, { signed: order.signed })
    const state = status === 'Cancelled' ? 'signed' : 'cancelled'
    return { state, scaStatus: `deleted, order ${bankStatus}`, text: null }
  } catch (error) {
    if (isResourceGone(error)) {
      return { state: 'cancelled', scaStatus: 'deleted with the order', text: error.message }
    }
    throw error
  }
}

/**
 * Starts a session with a step for each order, and sets the parts to `AUTHORIZATION_REQUIRED`; their orders must be leased.
 * Returns what the user needs to sign; undefined if the bank requires no signature. Throws what `startScaSession` throws.
 */
export async function startCancellationSca(
  context: Context,
  { caller, bank, callbackUrl, preferredScaMethod, codeForPartner, instruction }: RequestedCancellation,
  { partnerId, id, kind }: Cancellation,
  parts: readonly OrderCancellation[],
): Promise<Sca | undefined> {
  const steps = await Promise.all(
    parts.map(async ({ order }) => {
      return { targetType: 'cancellation', targetId: order.id, shown: await instruction.show([order]) } as const
    }),
  )
  const request = {
    ...({ partnerId, kind: 'cancellation', subjectId: id, consentId: caller.consent.id, bic: bank.bic } as const),
    ...{ callbackUrl, expiresAt: authorisationExpiry(context.clock, bank), psu: caller.psu },
    ...{ userId: caller.consent.userId, preferred: preferredApproachOf(preferredScaMethod) },
    ...{ codeForPartner, isSummarySealed: parts.some(({ order }) => instructionOf(order).isPrivate), steps },
  }
  const next = { status: 'AUTHORIZATION_REQUIRED', reason: null } as const
  const { sca } = await startScaSession(context, cancellationScaSubject, request, async ({ clock, database }) => {
    for (const { part } of parts) {
      if (!(await changePartStatus(database, part, next, clock.now()))) {
        throw apiError('conflict', `Another user is cancelling the ${kind}. Try again in a moment`)
      }
    }
  })
  return sca
}

/** Throws `AUTHENTICATION_TEMPORARY_UNAVAILABLE` while another user who was to sign the cancellation is at the bank. */
export async function endScaSessionOfOtherUser(
  context: Context,
  { id, kind }: Cancellation,
  session: ScaSession | undefined,
): Promise<void> {
  const isEnded =
    session !== undefined &&
    (session.status === 'waiting' || (await isQrCodeUnscanned(context, cancellationScaSubject, session))) &&
    (await completeScaSession(context, cancellationScaSubject, session, 'cancelled')) !== undefined
  if (!isEnded) {
    throw apiError(
      'AUTHENTICATION_TEMPORARY_UNAVAILABLE',
      `Another user is signing the cancellation of this ${kind} at the bank. Wait until they have finished, or abandon it with ` +
        `DELETE ${cancellationTerms[kind].path}/${id}`,
    )
  }
}
