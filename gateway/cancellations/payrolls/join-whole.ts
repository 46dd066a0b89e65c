/** Answers whoever cancels a payroll while that is being done: with the cancellation that is open. */
import type { Context } from '../../context.ts'
import type { PayrollWish } from '../../payrolls/cancellations/requested-payroll-cancellation.ts'
import { latestSigning } from '../../signing/find-signing.ts'
import type { Cancellation } from '../cancellation.ts'
import { leaseUntil } from '../cancellation-lease.ts'
import { claimCancellation } from '../cancellation-store.ts'
import { endAnothersSigning, isSameUser } from '../end-sca-session-of-other-user.ts'
import { askForWhole } from './ask-for-whole.ts'
import { type PayrollCancellation, statusOfWhole } from './payroll-cancellation.ts'
import { findPayrollCancellation, standingOfWhole } from './show-payroll-cancellation.ts'

/** The id of the open one; undefined when it ended without the payroll being cancelled, so that another may begin. */
export async function joinWhole(
  context: Context,
  wish: PayrollWish,
  open: PayrollCancellation,
): Promise<string | undefined> {
  if (statusOfWhole(open) === 'ASKED') {
    await askAgain(context, wish, open)
    return open.id
  }
  return await joinSigning(context, wish, open)
}

/** Of what nobody asks at present the bank is asked again, for the user who came. */
async function askAgain(context: Context, wish: PayrollWish, open: PayrollCancellation): Promise<void> {
  const orderById = new Map(wish.orders.map((order) => [order.id, order]))
  const times = { real: context.clock.real(), leaseUntil: leaseUntil(context) }
  const claimed: Cancellation[] = []
  for (const part of open.parts.filter(({ status }) => status === 'ASKED')) {
    const order = orderById.get(part.paymentId)
    const { bankPaymentId = part.bankPaymentId, signed: wasSigned = part.wasSigned } = order ?? {}
    const asked = { ...part, consentId: wish.caller.consent.id, wasSigned, bankPaymentId }
    if (await claimCancellation(context.database, asked, times)) {
      claimed.push({ ...asked, askedAt: times.real })
    }
  }
  await askForWhole(context, wish, { ...open, parts: claimed }, { isRepeated: true })
}

/** Another user signs authorisations of their own; those of the first one are ended unless that user is at the bank. */
async function joinSigning(
  context: Context,
  wish: PayrollWish,
  open: PayrollCancellation,
): Promise<string | undefined> {
  await standingOfWhole(context, open)
  const status = statusOfWhole(await findPayrollCancellation(context, open))
  if (status !== 'AUTHORIZATION_REQUIRED') {
    return status === 'REJECTED' ? undefined : open.id
  }
  if (await isSameUser(context, wish.caller.consent, open)) {
    return open.id
  }
  const { partnerId, id: subjectId } = open
  const signing = await latestSigning(context, { partnerId, kind: 'cancellation', subjectId })
  await endAnothersSigning(context, signing, 'payroll')
  return undefined
}
