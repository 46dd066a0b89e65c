/** Abandons an approval whose user does not come back, so that what it signs can be signed or cancelled at once. */
import type { ConsentCaller } from '../consents/consent.ts'
import type { Context } from '../context.ts'
import { findOrdersOf } from '../orders/find-payments.ts'
import { nameToPartners } from '../orders/payroll/select-payroll-orders.ts'
import { refuse } from '../platform/http/errors/api-error.ts'
import { abandonSigning } from '../signing/abandon-signing.ts'
import { latestSigning } from '../signing/find-signing.ts'
import { targetOf } from './approval.ts'
import { approvalSigning } from './approval-signing.ts'
import { requireApproval, type Signs } from './get-approval.ts'
import { requireOrdersOfConsent } from './require-orders-of-consent.ts'

/** Throws 404, `ACCESS_DENIED`, 409 naming what was signed, or what asking the bank throws: then nothing is abandoned. */
export async function abandonApproval(
  context: Context,
  caller: ConsentCaller,
  id: string,
  signs: Signs,
): Promise<undefined> {
  const { partnerId } = caller
  const approval = await requireApproval(context, partnerId, id, signs)
  const ids = approval.payments.map(({ paymentId }) => paymentId)
  const orders = await findOrdersOf(context, partnerId, ids)
  await requireOrdersOfConsent(context, caller, orders)
  const signing = await latestSigning(context, { partnerId, kind: 'approval', subjectId: approval.id })
  if (signing === undefined) {
    throw refuse('conflict', 'Nobody has to sign it: there is nothing to abandon')
  }
  const signedTargets = new Set(await abandonSigning(context, approvalSigning(), signing))
  const toSign = new Set(signing.steps.map(({ targetId }) => targetId))
  // A bank that has forgotten an authorisation tells by the order that it was signed.
  const signed = (await findOrdersOf(context, partnerId, ids)).filter((order, n) => {
    const approved = approval.payments[n]
    const target = approved === undefined ? '' : targetOf(approved)
    const isSameSigned = order.signed && order.bankPaymentId === approved?.bankPaymentId
    return signedTargets.has(target) || (isSameSigned && toSign.has(target))
  })
  if (signed.length > 0) {
    const names = [...new Set(signed.map(nameToPartners))]
    throw refuse(
      'conflict',
      `Signed at the bank, and not abandoned: ${names.join(', ')}. Read the status of what was signed`,
    )
  }
  return undefined
}
