/** Has the bank asked to withdraw a payment that its user cancels, while the user is there. */
import { supersede } from '../approvals/supersede.ts'
import type { Context } from '../context.ts'
import { isHeld } from '../orders/payment.ts'
import type { Cancellation, Wish } from './cancellation.ts'
import { carryOut } from './carry-out.ts'
import type { Standing } from './show-cancellation.ts'
import { signCancellation } from './sign-cancellation.ts'

/** An approval whose user has not left for the bank is ended first. A signature that is wanted is begun. */
export async function askForWish(context: Context, cancellation: Cancellation, wish: Wish): Promise<Standing> {
  const { caller, payment, isRepeated } = wish
  if (!isHeld(payment)) {
    throw new Error(`The bank does not hold payment ${payment.id}, which is being cancelled`)
  }
  return await carryOut(context, cancellation, payment, {
    consent: caller.consent,
    psu: caller.psu,
    isRepeated,
    clearWay: () => supersede(context, caller.partnerId, [payment]),
    haveSigned: () => signCancellation(context, cancellation, { ...wish, payment }),
  })
}
