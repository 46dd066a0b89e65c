/** Takes approvals through signing: begins and reads the authorisation of each payment, and takes the outcome. */
import { requirePartner } from '../auth/list-partners.ts'
import { isGone } from '../banks/bank-refusal.ts'
import type { BankCaller, DomesticPaymentProduct } from '../banks/connector.ts'
import { bankCallerOf } from '../consents/consent.ts'
import { consentOf } from '../consents/find-consent.ts'
import type { Context } from '../context.ts'
import { companyOf } from '../onboarding/require-company.ts'
import { findPaymentsOf } from '../payments/find-payments.ts'
import { atBank } from '../payments/follow-payment.ts'
import { type HeldPayment, isHeld } from '../payments/payment.ts'
import type { ForgottenState, Signing, SigningBegun, SigningKind } from '../signing/signing.ts'
import type { Approval } from './approval.ts'
import { findApproval } from './approval-store.ts'
import { endWithOutcome } from './end-approval.ts'

/** How approvals take part in signing; one that is not kept yet is given. */
export function approvalSigning(unkept?: Approval): SigningKind {
  return {
    begin: async (context, signing, { targetId }, back) => {
      const { payment, payments, caller } = await signerAtBank(context, signing, targetId)
      return await payments.startAuthorisation({ ...caller, psu: signing.psu }, payment, back)
    },
    read: async (context, signing, { targetId, authorisationId }) => {
      const { payment, payments, caller } = await signerAtBank(context, signing, targetId)
      const approval = unkept ?? (await findApproval(context.database, { ...signing, id: signing.subjectId }))
      const approved = approval?.payments.find(({ paymentId }) => paymentId === targetId)
      const begun = { authorisationId, partlySigned: approved?.partlySigned ?? false }
      return await payments.readAuthorisation(caller, payment, begun)
    },
    readForgotten: async (context, signing, { targetId }) =>
      await readOrder(await signerAtBank(context, signing, targetId)),
    ended: async (context, signing, outcome) => {
      const approval = unkept ?? (await findApproval(context.database, { ...signing, id: signing.subjectId }))
      return approval === undefined ? outcome : await endWithOutcome(context, approval, signing, outcome)
    },
    summarise: async (context, signing) => ({
      title: titleOf(signing),
      partnerName: (await requirePartner(context, signing.partnerId)).name,
      companyName: await companyNameOfSigning(context, signing),
    }),
  }
}

type SignerAtBank = {
  readonly payment: HeldPayment
  readonly payments: DomesticPaymentProduct
  readonly caller: BankCaller
}
type OfSigning = Pick<SigningBegun, 'partnerId' | 'consentId'>

/** The bank is asked as the user who signs, not as the one who created the payment. */
async function signerAtBank(
  context: Context,
  { partnerId, consentId }: OfSigning,
  paymentId: string,
): Promise<SignerAtBank> {
  const [payment] = await findPaymentsOf(context, partnerId, [paymentId])
  const signer = await consentOf(context, { partnerId, consentId })
  if (payment === undefined || signer === undefined || !isHeld(payment)) {
    throw new Error(`The payment ${paymentId} or the consent of a signing is not there`)
  }
  const { bank, payments } = await atBank(context, payment)
  return { payment, payments, caller: bankCallerOf(bank, signer, null) }
}

/** An order that moved on was signed; one that waits, for another signature perhaps, shows none of this user's. */
async function readOrder({ payment, payments, caller }: SignerAtBank): Promise<ForgottenState> {
  try {
    const { status, bankStatus } = await payments.read(caller, payment, { signed: false })
    const isSigned = status === 'InProgress' || status === 'Completed'
    return { state: isSigned ? 'signed' : 'cancelled', scaStatus: `forgotten, order ${bankStatus}`, text: null }
  } catch (error) {
    if (isGone(error)) {
      return { state: 'cancelled', scaStatus: 'forgotten with the order', text: error.message }
    }
    throw error
  }
}

async function companyNameOfSigning(context: Context, { partnerId, consentId }: OfSigning): Promise<string> {
  const consent = await consentOf(context, { partnerId, consentId })
  const company = consent === undefined ? null : await companyOf(context, consent)
  return company?.name ?? ''
}

function titleOf({ steps }: Signing): string {
  return steps.length === 1 ? 'Sign a payment' : `Sign ${steps.length} payments`
}
