/** Takes cancellations through signing: begins and reads their authorisation, and takes the outcome. */
import { isGone } from '../banks/bank-refusal.ts'
import type { BankCaller, CancellationProduct, OrdersAtBank } from '../banks/connector.ts'
import { keepBankTokens } from '../consents/bank-tokens.ts'
import { callerAtBank } from '../consents/caller-at-bank.ts'
import { consentOf } from '../consents/find-consent.ts'
import { partiesOf } from '../consents/parties-of.ts'
import { withLiveTokens } from '../consents/with-live-tokens.ts'
import type { Context } from '../context.ts'
import { findPaymentOf } from '../payments/find-payments.ts'
import { servedAt } from '../payments/follow-payment.ts'
import { type HeldPayment, isHeld } from '../payments/payment.ts'
import {
  consentIdOf,
  type ForgottenState,
  type SigningBegun,
  type SigningKind,
  type SigningOutcome,
} from '../signing/signing.ts'
import type { Word } from './cancellation.ts'
import { findCancellation } from './cancellation-store.ts'
import { endCancellation, takeLateSignature } from './end-cancellation.ts'

/** How cancellations take part in signing. */
export function cancellationSigning(): SigningKind {
  return {
    begin: async (context, signing, { targetId }, asked) => {
      const { psu } = signing
      return await ask(context, signing, targetId, ({ authorisations, caller, payment }) =>
        authorisations.start({ ...caller, psu }, payment, asked),
      )
    },
    complete: async (context, signing, { targetId, authorisationId }, brought) => {
      const begun = { authorisationId, partlySigned: false }
      const tokens = await ask(context, signing, targetId, ({ authorisations, caller, payment }) =>
        authorisations.complete(caller, payment, begun, brought),
      )
      return await keepBankTokens(context, { partnerId: signing.partnerId, subjectIds: [targetId] }, tokens)
    },
    read: async (context, signing, { targetId, authorisationId }) =>
      await ask(context, signing, targetId, ({ authorisations, caller, payment }) =>
        authorisations.read(caller, payment, { authorisationId, partlySigned: false }),
      ),
    readForgotten: async (context, signing, { targetId }) => await ask(context, signing, targetId, readOrder),
    ended: async (context, signing, outcome) => {
      const cancellation = await findCancellation(context.database, { ...signing, id: signing.subjectId })
      if (cancellation === undefined) {
        throw new Error(`The cancellation ${signing.subjectId} of a signing is not there`)
      }
      const ended = await endCancellation(context, cancellation, wordByOutcome[outcome])
      return ended.status === 'ACCEPTED' ? 'success' : outcome === 'success' ? 'rejected' : outcome
    },
    signedLate: async (context, signing) => {
      const cancellation = await findCancellation(context.database, { ...signing, id: signing.subjectId })
      if (cancellation !== undefined) {
        await takeLateSignature(context, cancellation)
      }
    },
    summarise: partiesOf,
  }
}

const wordByOutcome: Readonly<Record<SigningOutcome, Word>> = {
  success: { yes: true },
  rejected: { yes: false, reason: 'The cancellation was refused where it had to be signed' },
  cancelled: { yes: false, reason: 'The user left, or the time passed, before the cancellation was signed' },
}

type SignerAtBank = {
  readonly payment: HeldPayment
  readonly payments: OrdersAtBank
  readonly authorisations: CancellationProduct['authorisations']
  readonly caller: BankCaller
}

async function ask<Result>(
  context: Context,
  signing: Pick<SigningBegun, 'partnerId' | 'consentId'>,
  paymentId: string,
  verb: (signer: SignerAtBank) => Promise<Result>,
): Promise<Result> {
  const shown = { partnerId: signing.partnerId, consentId: consentIdOf(signing), paymentId }
  return await withLiveTokens(context, shown, async () => verb(await signerAtBank(context, shown)))
}

/** The bank is asked as the user who cancels, not as the one who created the payment. */
async function signerAtBank(
  context: Context,
  { partnerId, consentId, paymentId }: Readonly<Record<'partnerId' | 'consentId' | 'paymentId', string>>,
): Promise<SignerAtBank> {
  const payment = await findPaymentOf(context, partnerId, paymentId)
  const signer = await consentOf(context, { partnerId, consentId })
  if (signer === undefined || !isHeld(payment)) {
    throw new Error(`The payment ${paymentId} or the consent of a cancellation is not there`)
  }
  const { bank, payments } = await servedAt(context, payment)
  const { authorisations } = payments.cancellation
  return {
    payment,
    payments,
    authorisations,
    caller: await callerAtBank(context, { bank, consent: signer, psu: null, paymentId: payment.id }),
  }
}

/** An order that is withdrawn tells of the signature. */
async function readOrder({ payment, payments, caller }: SignerAtBank): Promise<ForgottenState> {
  try {
    const { status, bankStatus } = await payments.read(caller, payment, { signed: payment.signed })
    const state = status === 'Cancelled' ? 'signed' : 'cancelled'
    return { state, scaStatus: `forgotten, order ${bankStatus}`, text: null }
  } catch (error) {
    if (isGone(error)) {
      return { state: 'cancelled', scaStatus: 'forgotten with the order', text: error.message }
    }
    throw error
  }
}
