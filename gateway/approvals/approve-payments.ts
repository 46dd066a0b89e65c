/** Starts the approval of payments, and gives the partner the address to which it sends the user. */
import type { ApprovalAsked, Approval as ApprovalShown } from '../../contract/approvals.ts'
import { bankOf } from '../accounts/require-account.ts'
import type { Bank } from '../banks/bank.ts'
import type { ConsentCaller } from '../consents/consent.ts'
import type { Context } from '../context.ts'
import { refuse } from '../foundation/http/refusal.ts'
import { newId } from '../foundation/ids.ts'
import type { HeldPayment } from '../payments/payment.ts'
import {
  authorisationEnd,
  endIfExempt,
  keepSigning,
  type PreparedSigning,
  prepareSigning,
  type SigningWanted,
} from '../signing/prepare-signing.ts'
import { preferredOf } from '../signing/signed-in-app.ts'
import { type Approval, digestOf } from './approval.ts'
import { freePayments, type Holder } from './approval-hold-store.ts'
import { approvalSigning } from './approval-signing.ts'
import { findApproval, insertApproval } from './approval-store.ts'
import { clearBaskets } from './clear-baskets.ts'
import { BUSY, whileHolding } from './hold-payments.ts'
import { basketSizeAt, outsideBaskets, type PlannedStep } from './plan-steps.ts'
import { prepareByPlan } from './prepare-by-plan.ts'
import { type Approvable, requireApprovable, requireCount } from './require-approvable.ts'
import { requireHeldAtBank } from './require-held-at-bank.ts'
import { shownApproval } from './show-approval.ts'
import { shownPayment } from './shown-payment.ts'
import { orSignedBefore } from './signed-before.ts'
import { supersede } from './supersede.ts'

/** Acts for the user of the caller's own consent, who need not have created the payments. */
export async function approvePayments(
  context: Context,
  caller: ConsentCaller,
  asked: ApprovalAsked,
): Promise<ApprovalShown> {
  const bank = await bankOf(context, caller)
  const holder = { partnerId: caller.partnerId, id: newId() }
  const sizeMax = basketSizeAt(bank, context.banks.connectorOf(bank))
  requireCount(asked.payments, sizeMax)
  const { payments: found } = await requireApprovable(context, caller, asked.payments)
  return await whileHolding(context, holder, found, async () => {
    await supersede(context, caller.partnerId, found)
    const laid = await clearBaskets(context, found)
    // An older approval that has just ended may have signed some of them.
    const approvable = await requireApprovable(context, caller, asked.payments)
    const payments = await requireHeldAtBank(context, caller, bank, approvable)
    if (payments.length === 0) {
      return await accepted(context, approvalOf(context, caller, holder, { approvable, payments, steps: [] }))
    }
    const ids = approvable.payments.map(({ id }) => id)
    const alone = new Set([...laid.alone, ...outsideBaskets(bank, payments)])
    return await prepareByPlan(
      context,
      holder,
      { payments, ids, terms: { ...laid, sizeMax, alone } },
      async (steps) => {
        const approval = approvalOf(context, caller, holder, { approvable, payments, steps })
        const wanted = wantedOf(context, { caller, bank, approval, asked }, steps)
        const prepared = await prepareSigning(context, approvalSigning(approval), wanted).catch(
          async (error: unknown) => {
            throw await orSignedBefore(context, caller, payments, error)
          },
        )
        return await begun(context, approval, prepared)
      },
    )
  })
}

/** No bank wants a signature on any of them. */
async function accepted(context: Context, approval: Approval): Promise<ApprovalShown> {
  await keep(context, approval, null)
  return await shownApproval(context, approval)
}

async function begun(context: Context, approval: Approval, prepared: PreparedSigning): Promise<ApprovalShown> {
  await keep(context, approval, prepared)
  await endIfExempt(context, approvalSigning(), prepared)
  const kept = await findApproval(context.database, approval)
  return { ...(await shownApproval(context, kept ?? approval)), ...(prepared.sca && { sca: prepared.sca }) }
}

type Wanted = {
  readonly caller: ConsentCaller
  readonly bank: Bank
  readonly approval: Approval
  readonly asked: ApprovalAsked
}

function wantedOf(
  context: Context,
  { caller, bank, approval, asked }: Wanted,
  steps: readonly PlannedStep[],
): SigningWanted {
  return {
    partnerId: caller.partnerId,
    kind: 'approval',
    subjectId: approval.id,
    consentId: caller.consent.id,
    bic: bank.bic,
    callbackUrl: asked.callbackUrl,
    preferred: preferredOf(asked.preferredScaMethod),
    codeForPartner: true,
    expiresAt: authorisationEnd(context.clock, bank),
    psu: caller.psu,
    userId: caller.consent.userId,
    steps: steps.map(({ basketId, payments: [first, ...others] }) => ({
      targetType: basketId === null ? 'payment' : 'basket',
      targetId: basketId ?? first.id,
      shown: [first, ...others].map(shownPayment),
    })),
  }
}

/** Whoever took so long that its hold lapsed keeps nothing: another approval may have begun. */
async function keep(context: Context, approval: Approval, prepared: PreparedSigning | null): Promise<void> {
  await context.database.query.transaction().execute(async (transaction) => {
    if ((await freePayments(transaction, approval)) < approval.payments.length) {
      throw refuse('AUTHENTICATION_TEMPORARY_UNAVAILABLE', BUSY)
    }
    await insertApproval(transaction, approval)
    if (prepared !== null) {
      await keepSigning(transaction, prepared)
    }
  })
}

type Planned = {
  /** All that were asked for, in their order. */
  readonly approvable: Approvable
  /** Those that are to be signed, as the bank holds them. */
  readonly payments: readonly HeldPayment[]
  readonly steps: readonly PlannedStep[]
}

function approvalOf(
  context: Context,
  caller: ConsentCaller,
  { id }: Holder,
  { approvable, payments, steps }: Planned,
): Approval {
  const basketIdByPayment = new Map(
    steps.flatMap(({ basketId, payments: together }) => together.map((payment) => [payment.id, basketId])),
  )
  const heldById = new Map(payments.map((payment) => [payment.id, payment]))
  return {
    partnerId: caller.partnerId,
    id,
    consentId: caller.consent.id,
    status: payments.length === 0 ? 'ACCEPTED' : 'STARTED',
    createdAt: context.clock.now(),
    payments: approvable.payments.map((found) => {
      const payment = heldById.get(found.id) ?? found
      return {
        paymentId: payment.id,
        bankPaymentId: payment.bankPaymentId,
        orderDigest: digestOf(payment),
        partlySigned: payment.statusReason === 'PartlySigned',
        basketId: basketIdByPayment.get(payment.id) ?? null,
        result: approvable.signedByNobody.has(payment.id) ? 'ACCEPTED' : 'STARTED',
      }
    }),
  }
}
