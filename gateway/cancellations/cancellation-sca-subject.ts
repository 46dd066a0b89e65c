/** Implements SCA for cancellations: starts and reads their authorisations, and completes them with the outcome. */

import {
  isSigned,
  requireConsentIdOf,
  type ScaOutcome,
  type ScaSession,
  type ScaStartContext,
  type ScaStep,
  type ScaSubject,
  type TargetScaState,
} from '../authorisations/sca-session.ts'
import { isResourceGone } from '../banks/connector/bank-error-classification.ts'
import type { BankCaller, CancellationProduct, OrderOperations } from '../banks/connector/connector.ts'
import { consentOf } from '../consents/consent-lookup.ts'
import { scaPartiesOf } from '../consents/sca-parties.ts'
import { bankCallerOf } from '../consents/tokens/bank-caller.ts'
import { storeBankTokens } from '../consents/tokens/bank-tokens.ts'
import { withTokenRetry } from '../consents/tokens/with-token-retry.ts'
import type { Context } from '../context.ts'
import { findOrderOf } from '../orders/find-payments.ts'
import { pollOnNotification } from '../orders/handle-payment-notification.ts'
import { type AcknowledgedPayment, isAcknowledged, loggedPaymentIds } from '../orders/payment.ts'
import { requireServingBank } from '../orders/status/poll-payment.ts'
import type { Cancellation, CancellationDecision } from './cancellation.ts'
import { findCancellation, listCancellationsOfPayroll } from './cancellation-store.ts'
import { completeCancellation, recordLateCancellationSignature } from './complete-cancellation.ts'

export const cancellationScaSubject: ScaSubject = {
  begin: async (context, session, { targetId }, request) => {
    const { psu } = session
    return await callAsSigner(context, session, targetId, ({ authorisations, caller, payment }) =>
      authorisations.start({ ...caller, psu }, payment, request),
    )
  },
  selectMethod: async (context, session, { targetId, authorisationId }, methodId) => {
    const { psu } = session
    return await callAsSigner(context, session, targetId, async ({ authorisations, caller, payment }) =>
      authorisations.selectMethod?.({ ...caller, psu }, payment, { authorisationId }, methodId),
    )
  },
  complete: async (context, session, { targetId, authorisationId }, callback) => {
    const reference = { authorisationId, partlySigned: false }
    const tokens = await callAsSigner(context, session, targetId, ({ authorisations, caller, payment }) =>
      authorisations.complete(caller, payment, reference, callback),
    )
    return await storeBankTokens(context, { partnerId: session.partnerId, subjectIds: [targetId] }, tokens)
  },
  read: async (context, session, { targetId, authorisationId }) =>
    await callAsSigner(context, session, targetId, ({ authorisations, caller, payment }) =>
      authorisations.read(caller, payment, { authorisationId, partlySigned: false }),
    ),
  readTargetState: async (context, session, { targetId }) => await callAsSigner(context, session, targetId, readOrder),
  ended: async (context, session, outcome) => {
    const signed = await signedCancellationsOf(context, session)
    if (signed.length === 0) {
      throw new Error(`SCA session refers to cancellation ${session.subjectId}, which does not exist`)
    }
    let isAccepted = true
    for (const { cancellation, step } of signed) {
      const ended = await completeCancellation(context, cancellation, answerOfStep(session, step, outcome))
      isAccepted &&= ended.status === 'ACCEPTED'
    }
    return isAccepted ? 'success' : outcome === 'success' ? 'rejected' : outcome
  },
  onLateSignature: async (context, session, { targetId }) => {
    for (const { cancellation } of await signedCancellationsOf(context, session)) {
      if (cancellation.paymentId === targetId) {
        await recordLateCancellationSignature(context, cancellation)
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

type SignedCancellation = { readonly cancellation: Cancellation; readonly step: ScaStep | undefined }

/** The cancellation of a payment, or the parts of a payroll cancellation that this session signs. */
async function signedCancellationsOf(
  { database }: Context,
  { partnerId, subjectId: id, steps }: Pick<ScaSession, 'partnerId' | 'subjectId' | 'steps'>,
): Promise<readonly SignedCancellation[]> {
  const single = await findCancellation(database, { partnerId, id })
  const stepOf = ({ paymentId }: Cancellation) => steps.find(({ targetId }) => targetId === paymentId)
  const cancellations = single === undefined ? await listCancellationsOfPayroll(database, { partnerId, id }) : [single]
  return cancellations.map((cancellation) => ({ cancellation, step: stepOf(cancellation) })).filter(({ step }) => step)
}

/** If several are signed in turn, some may be signed when the user cancels the session. */
function answerOfStep(
  { steps }: Pick<ScaSession, 'steps'>,
  step: ScaStep | undefined,
  outcome: ScaOutcome,
): CancellationDecision {
  return steps.length > 1 && step !== undefined && isSigned(step)
    ? decisionByOutcome.success
    : decisionByOutcome[outcome]
}

type SignerAtBank = {
  readonly payment: AcknowledgedPayment
  readonly payments: OrderOperations
  readonly authorisations: CancellationProduct['authorisations']
  readonly caller: BankCaller
}

async function callAsSigner<Result>(
  context: Context,
  session: Pick<ScaStartContext, 'partnerId' | 'consentId'>,
  paymentId: string,
  call: (signer: SignerAtBank) => Promise<Result>,
): Promise<Result> {
  const tokenSubject = { partnerId: session.partnerId, consentId: requireConsentIdOf(session), paymentId }
  return await withTokenRetry(context, { ...tokenSubject, service: 'PIS' }, async () =>
    call(await signerAtBank(context, tokenSubject)),
  )
}

/** Calls the bank as the user who cancels, not as the one who created the payment. */
async function signerAtBank(
  context: Context,
  { partnerId, consentId, paymentId }: Readonly<Record<'partnerId' | 'consentId' | 'paymentId', string>>,
): Promise<SignerAtBank> {
  const payment = await findOrderOf(context, partnerId, paymentId)
  const signer = await consentOf(context, { partnerId, consentId })
  if (signer === undefined || !isAcknowledged(payment)) {
    throw new Error(`The payment ${paymentId}, or the consent of its cancellation, does not exist`)
  }
  const { bank, payments } = await requireServingBank(context, payment)
  const { authorisations } = payments.cancellation
  return {
    payment,
    payments,
    authorisations,
    caller: await bankCallerOf(context, {
      bank,
      consent: signer,
      service: 'PIS',
      psu: null,
      paymentId: payment.id,
      aboutPayments: loggedPaymentIds([payment]),
    }),
  }
}

/** A cancelled order proves the signature. */
async function readOrder({ payment, payments, caller }: SignerAtBank): Promise<TargetScaState> {
  try {
    const { status, bankStatus } = await payments.read(caller, payment, { signed: payment.signed })
    const state = status === 'Cancelled' ? 'signed' : 'cancelled'
    return { state, scaStatus: `deleted, order ${bankStatus}`, text: null }
  } catch (error) {
    if (isResourceGone(error)) {
      return { state: 'cancelled', scaStatus: 'deleted with the order', text: error.message }
    }
    throw error
  }
}
