/** What a user wishes who cancels a payment, and how the bank is asked for it while the user is there. */
import type { CancellationAsked } from '../../contract/cancellations.ts'
import { supersede } from '../approvals/supersede.ts'
import type { Bank } from '../banks/bank.ts'
import type { ConsentCaller } from '../consents/consent.ts'
import type { Context } from '../context.ts'
import { isHeld, type Payment } from '../payments/payment.ts'
import type { Cancellation } from './cancellation.ts'
import { carryOut } from './carry-out.ts'
import type { Standing } from './show-cancellation.ts'
import { signCancellation } from './sign-cancellation.ts'

export type Wish = {
  readonly caller: ConsentCaller
  readonly bank: Bank
  readonly payment: Payment
  readonly asked: CancellationAsked
  /** Whether the bank may have been asked before, and its answer was lost. */
  readonly isRepeated: boolean
}

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
