/** Takes cancellations through signing: begins and reads their authorisation, and takes the outcome. */
import { isGone } from '../banks/connector/bank-error.ts'
import type { BankCaller, CancellationProduct, OrdersAtBank } from '../banks/connector/connector.ts'
import { callerAtBank } from '../consents/caller-at-bank.ts'
import { consentOf } from '../consents/find-consent.ts'
import { partiesOf } from '../consents/sca-parties.ts'
import { keepBankTokens } from '../consents/tokens/bank-tokens.ts'
import { withLiveTokens } from '../consents/with-live-tokens.ts'
import type { Context } from '../context.ts'
import { findOrderOf } from '../orders/find-payments.ts'
import { type HeldPayment, isHeld } from '../orders/payment.ts'
import { servedAt } from '../payments/follow-payment.ts'
import {
  consentIdOf,
  type ForgottenState,
  isSigned,
  type Signing,
  type SigningBegun,
  type SigningKind,
  type SigningOutcome,
  type SigningStep,
} from '../signing/signing.ts'
import type { Cancellation, Word } from './cancellation.ts'
import { findCancellation, listPartsOf } from './cancellation-store.ts'
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
      const signed = await signedOf(context, signing)
      if (signed.length === 0) {
        throw new Error(`The cancellation ${signing.subjectId} of a signing is not there`)
      }
      let isAccepted = true
      for (const { cancellation, step } of signed) {
        const ended = await endCancellation(context, cancellation, wordOf(signing, step, outcome))
        isAccepted &&= ended.status === 'ACCEPTED'
      }
      return isAccepted ? 'success' : outcome === 'success' ? 'rejected' : outcome
    },
    signedLate: async (context, signing, { targetId }) => {
      for (const { cancellation } of await signedOf(context, signing)) {
        if (cancellation.paymentId === targetId) {
          await takeLateSignature(context, cancellation)
        }
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

type Signed = { readonly cancellation: Cancellation; readonly step: SigningStep | undefined }

/** The cancellation of a payment, or each part of that of a payroll which is signed with the others. */
async function signedOf(
  { database }: Context,
  { partnerId, subjectId: id, steps }: Pick<Signing, 'partnerId' | 'subjectId' | 'steps'>,
): Promise<readonly Signed[]> {
  const one = await findCancellation(database, { partnerId, id })
  const stepOf = ({ paymentId }: Cancellation) => steps.find(({ targetId }) => targetId === paymentId)
  const cancellations = one === undefined ? await listPartsOf(database, { partnerId, id }) : [one]
  return cancellations.map((cancellation) => ({ cancellation, step: stepOf(cancellation) })).filter(({ step }) => step)
}

/** Of several that are signed in turn some may be signed when their user leaves. */
function wordOf({ steps }: Pick<Signing, 'steps'>, step: SigningStep | undefined, outcome: SigningOutcome): Word {
  return steps.length > 1 && step !== undefined && isSigned(step) ? wordByOutcome.success : wordByOutcome[outcome]
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
  const payment = await findOrderOf(context, partnerId, paymentId)
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
