/** Calls a bank on behalf of the user who signs, who need not be the one who ordered, about what one authorisation signs. */

import { requireConsentIdOf, type ScaSession } from '../../authorisations/sca-session.ts'
import type { Bank } from '../../banks/connector/bank.ts'
import { BankError } from '../../banks/connector/bank-error.ts'
import { isBankError } from '../../banks/connector/bank-error-classification.ts'
import type { Authorisations, BankCaller, BasketProduct } from '../../banks/connector/connector.ts'
import { type BankCallerRequest, bankCallerOf, callBank } from '../../consents/call-bank.ts'
import type { Consent } from '../../consents/consent.ts'
import { consentOf } from '../../consents/consent-lookup.ts'
import type { Context } from '../../context.ts'
import { findOrderOf } from '../find-orders.ts'
import { instructionOf, loggedPaymentIds } from '../instruction.ts'
import { type AcknowledgedPayment, isAcknowledged, type Payment } from '../payment.ts'
import { withRedactedBasketText } from '../redact-bank-text.ts'
import { requireOrderOperations } from '../status/bank-access.ts'
import { pollPayment } from '../status/poll-payment.ts'
import { type Approval, scaTargetIdOf } from './approval.ts'
import { findBankBasketId } from './baskets/basket-store.ts'

/** A bank, and the user on whose behalf it is called. */
export type SignerContext = { readonly bank: Bank; readonly caller: BankCaller }

/** The consent of the user who signs. */
export async function requireSigner(
  context: Context,
  session: Pick<ScaSession, 'partnerId' | 'consentId'>,
): Promise<Consent> {
  const consentId = requireConsentIdOf(session)
  const signer = await consentOf(context, { partnerId: session.partnerId, consentId })
  if (signer === undefined) {
    throw new Error(`The consent ${consentId} of a signer does not exist`)
  }
  return signer
}

/** Throws `unavailable` if the bank is not served. */
export async function signerContext(context: Context, signer: Consent): Promise<SignerContext> {
  const request = await signerRequest(context, signer)
  return { bank: request.bank, caller: await bankCallerOf(context, request) }
}

async function signerRequest(context: Context, signer: Consent): Promise<BankCallerRequest> {
  const bank = await context.banks.find(signer.bic)
  if (bank === undefined) {
    throw new BankError('unavailable', `The bank ${signer.bic} is not served at the moment`)
  }
  return { bank, consent: signer, service: 'PIS', psu: null }
}

/** The sweep polls the rest of a large basket. */
const POLLED_AT_ONCE_MAX = 10

/** What one authorisation signs, and as whom: a payment, or the payments of a basket. */
export type AuthorisedTarget = {
  readonly partnerId: string
  readonly approvalId: string
  /** Null for a payment that is signed separately. */
  readonly basketId: string | null
  /** Whether another user had signed before. */
  readonly partlySigned: boolean
  readonly payments: readonly [AcknowledgedPayment, ...AcknowledgedPayment[]]
  readonly signer: Consent
}

/** The target of an approval, given its orders. Throws `unavailable` while it is unknown whether the bank has any of them. */
export function authorisedTargetOf(
  { partnerId, id: approvalId, payments: approvedPayments }: Approval,
  signer: Consent,
  targetId: string,
  orders: readonly Payment[],
): AuthorisedTarget {
  const approved = approvedPayments.filter((payment) => scaTargetIdOf(payment) === targetId)
  const ids = new Set(approved.map(({ paymentId }) => paymentId))
  const [first, ...others] = orders.filter(({ id }) => ids.has(id)).filter(isAcknowledged)
  if (first === undefined) {
    // It was resubmitted after the approval had ended, and the bank has not answered.
    throw new BankError('unavailable', `It is unknown whether the bank has the orders of approval ${approvalId}`)
  }
  return {
    partnerId,
    approvalId,
    basketId: approved[0]?.basketId ?? null,
    partlySigned: approved.some((payment) => payment.partlySigned),
    payments: [first, ...others],
    signer,
  }
}

/**
 * The SCA of the first of the payments may have issued access tokens of its own. An authorisation that expired at the bank
 * has ended before: the orders show how.
 */
export async function callAsSigner<Result>(
  context: Context,
  { partnerId, payments, signer }: AuthorisedTarget,
  call: (at: SignerContext) => Promise<Result>,
): Promise<Result> {
  const asSigner = await signerRequest(context, signer)
  const request = { ...asSigner, paymentId: payments[0].id, aboutPayments: loggedPaymentIds(payments) }
  try {
    return await callBank(context, request, (caller) => call({ bank: request.bank, caller }))
  } catch (error) {
    if (isBankError(error, 'expired-resource')) {
      for (const { id } of payments.slice(0, POLLED_AT_ONCE_MAX)) {
        await pollPayment(context, await findOrderOf(context, partnerId, id))
      }
    }
    throw error
  }
}

/** The authorisations of a payment, or of a basket by its id at the bank. */
type AtBank<Signed> = {
  readonly authorisations: Authorisations<Signed>
  readonly signed: Signed
  readonly caller: SignerContext['caller']
}

export async function withAuthorisations<Result>(
  context: Context,
  target: AuthorisedTarget,
  call: <Signed>(at: AtBank<Signed>) => Promise<Result>,
): Promise<Result> {
  const { basketId: id, partnerId, payments } = target
  return await callAsSigner(context, target, async (at) => {
    const { bank, caller } = at
    if (id === null) {
      const [signed] = payments
      return await call({
        authorisations: requireOrderOperations(context, bank, signed).authorisations,
        signed,
        caller,
      })
    }
    const signed = await findBankBasketId(context.database, { partnerId, id })
    if (signed === undefined) {
      throw new BankError('unknown-resource', `The bank has no basket ${id}`)
    }
    return await call({ authorisations: basketsOf(context, bank, payments).authorisations, signed, caller })
  })
}

/** The operations on baskets of these payments. The bank's texts about private ones are redacted. */
export function basketsOf(context: Context, bank: Bank, payments: readonly Payment[]): BasketProduct {
  const { baskets } = context.banks.connectorOf(bank)
  if (baskets === undefined) {
    throw new BankError('unsupported-product', `The bank ${bank.bic} does not sign payments together`)
  }
  return payments.some((payment) => instructionOf(payment).isPrivate) ? withRedactedBasketText(baskets) : baskets
}
