/** Begins an approval of orders at a bank: nobody else begins one of the same, and what is to be signed is what the bank holds. */
import type { Sca } from '../../contract/sca.ts'
import type { ShownThing } from '../authorisations/signature-summary.ts'
import type { Bank } from '../banks/directory/bank.ts'
import type { ConsentCaller } from '../consents/consent.ts'
import type { Context } from '../context.ts'
import type { HeldPayment } from '../orders/payment.ts'
import type { Queryable } from '../platform/database/in-transaction.ts'
import { refuse } from '../platform/http/errors/api-error.ts'
import {
  authorisationEnd,
  endIfExempt,
  keepSigning,
  type PreparedSigning,
  prepareSigning,
  type SigningWanted,
} from '../signing/prepare-signing.ts'
import { orSignedBefore } from './already-signed-error.ts'
import { type Approval, digestOf } from './approval.ts'
import { freePayments, type Holder } from './approval-lease-store.ts'
import { approvalSigning } from './approval-signing.ts'
import { findApproval, insertApproval } from './approval-store.ts'
import { clearBaskets } from './clear-baskets.ts'
import { BUSY, whileHolding } from './hold-payments.ts'
import { basketSizeAt, outsideBaskets, type PlannedStep } from './plan-sca-steps.ts'
import { prepareByPlan } from './prepare-by-plan.ts'
import type { Approvable } from './require-approvable.ts'
import { requireHeldAtBank } from './require-held-at-bank.ts'
import { supersede } from './supersede.ts'

/** What is to be approved, at which bank, and how its user is told. */
export type ApprovalBegun = Pick<SigningWanted, 'callbackUrl' | 'preferred' | 'codeForPartner'> & {
  readonly isShownSealed: boolean
  readonly bank: Bank
  /** An id of its own where others have to know it before. */
  readonly id: string
  /** Finds what is asked for, and makes sure that it can be approved; an approval that ends meanwhile may change that. */
  readonly find: () => Promise<Approvable>
  /** What the user sees of orders that one signature signs. */
  readonly show: (orders: PlannedStep['payments']) => Promise<readonly ShownThing[]>
  /** What must be kept with it or not at all. */
  readonly within?: (transaction: Queryable, started: ApprovalStarted) => Promise<void>
}

/** The approval as it was kept, and how its user signs; absent where no signature is wanted. */
export type ApprovalStarted = { readonly approval: Approval; readonly sca: Sca | undefined }

/** Acts for the user of the caller's own consent. Throws what finding throws, 422 at an order that cannot be signed, or the bank's refusal. */
export async function beginApproval(
  context: Context,
  caller: ConsentCaller,
  asked: ApprovalBegun,
): Promise<ApprovalStarted> {
  const { bank } = asked
  const holder = { partnerId: caller.partnerId, id: asked.id }
  const sizeMax = basketSizeAt(bank, context.banks.connectorOf(bank))
  const { payments: found, pathOf } = await asked.find()
  return await whileHolding(context, holder, found, async () => {
    await supersede(context, caller.partnerId, found)
    const laid = await clearBaskets(context, found, pathOf)
    // An older approval that has just ended may have signed some of them.
    const approvable = await asked.find()
    const payments = await requireHeldAtBank(context, caller, bank, approvable)
    if (payments.length === 0) {
      return await accepted(context, asked, approvalOf(context, caller, holder, { approvable, payments, steps: [] }))
    }
    const alone = new Set([...laid.alone, ...outsideBaskets(bank, payments)])
    return await prepareByPlan(
      context,
      holder,
      { payments, pathOf, terms: { ...laid, sizeMax, alone } },
      async (steps) => {
        const approval = approvalOf(context, caller, holder, { approvable, payments, steps })
        const wanted = await wantedOf(context, caller, asked, steps)
        const prepared = await prepareSigning(context, approvalSigning(approval), wanted).catch(
          async (error: unknown) => {
            throw await orSignedBefore(context, caller, payments, error)
          },
        )
        return await begun(context, asked, approval, prepared)
      },
    )
  })
}

/** No bank wants a signature on any of them. */
async function accepted(context: Context, asked: ApprovalBegun, approval: Approval): Promise<ApprovalStarted> {
  await keep(context, asked, approval, null)
  return { approval, sca: undefined }
}

async function begun(
  context: Context,
  asked: ApprovalBegun,
  approval: Approval,
  prepared: PreparedSigning,
): Promise<ApprovalStarted> {
  await keep(context, asked, approval, prepared)
  await endIfExempt(context, approvalSigning(), prepared)
  return { approval: (await findApproval(context.database, approval)) ?? approval, sca: prepared.sca }
}

async function wantedOf(
  context: Context,
  caller: ConsentCaller,
  { bank, id, show, callbackUrl, preferred, codeForPartner, isShownSealed }: ApprovalBegun,
  steps: readonly PlannedStep[],
): Promise<SigningWanted> {
  return {
    partnerId: caller.partnerId,
    kind: 'approval',
    subjectId: id,
    consentId: caller.consent.id,
    bic: bank.bic,
    callbackUrl,
    preferred,
    codeForPartner,
    isShownSealed,
    expiresAt: authorisationEnd(context.clock, bank),
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

/** Whoever took so long that its hold lapsed keeps nothing: another approval may have begun. */
async function keep(
  context: Context,
  { within }: ApprovalBegun,
  approval: Approval,
  prepared: PreparedSigning | null,
): Promise<void> {
  await context.database.query.transaction().execute(async (transaction) => {
    if ((await freePayments(transaction, approval)) < approval.payments.length) {
      throw refuse('AUTHENTICATION_TEMPORARY_UNAVAILABLE', BUSY)
    }
    await insertApproval(transaction, approval)
    if (prepared !== null) {
      await keepSigning(transaction, prepared)
    }
    await within?.({ query: transaction }, { approval, sca: prepared?.sca })
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
