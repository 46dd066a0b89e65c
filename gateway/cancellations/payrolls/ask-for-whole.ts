/** Has a bank asked to withdraw each order of a payroll that is being cancelled, while its user waits. */

import { whileHolding } from '../../approvals/hold-payments.ts'
import { CHAINED_MAX } from '../../approvals/plan-sca-steps.ts'
import { supersede } from '../../approvals/supersede.ts'
import { BankRefusal } from '../../banks/connector/bank-error.ts'
import type { Context } from '../../context.ts'
import { isHeld } from '../../orders/payment.ts'
import type { PayrollWish } from '../../payrolls/cancellations/requested-payroll-cancellation.ts'
import { wallMilliseconds } from '../../platform/clock.ts'
import { Refusal } from '../../platform/http/errors/api-error.ts'
import { fewAtATime } from '../../platform/map-with-concurrency.ts'
import { postponeCancellation } from '../cancellation-store.ts'
import { carryOut } from '../carry-out.ts'
import { keepEnd } from '../end-cancellation.ts'
import { forgetWhole } from './forget-whole.ts'
import type { PartOfWhole, PayrollCancellation } from './payroll-cancellation.ts'
import { signWhole } from './sign-whole.ts'

/** As many at a time; the rest of a bank's places belongs to other users who wait. */
const ORDERS_AT_ONCE = 4
/** What was not asked by then is left to a sweep: nobody waits for a thousand orders. */
const WITHIN_MILLISECONDS = 20_000
const ASK_AGAIN_AFTER = { seconds: 10 }

/**
 * While the bank is asked nobody begins to sign any of them. Parts that are not answered then are asked for again by a
 * sweep. Throws when the bank certainly did nothing, and forgets the wish then unless it was there before.
 */
export async function askForWhole(
  context: Context,
  wish: PayrollWish,
  whole: PayrollCancellation,
  { isRepeated }: { readonly isRepeated: boolean },
): Promise<void> {
  const parts = partsToAsk(wish, whole)
  if (parts.length === 0) {
    return
  }
  const orders = parts.map(({ order }) => order)
  const asking: Asking = { context, wish, isRepeated, toSign: [], isTouched: isRepeated }
  try {
    await whileHolding(context, whole, orders, async () => {
      await supersede(context, whole.partnerId, orders)
      await askInTurn(asking, whole, parts)
    })
  } catch (error) {
    const isForgotten = isCertain(error) && !asking.isTouched && (await forgetWhole(context, whole))
    if (!isForgotten) {
      await putOff(context, parts)
    }
    throw error
  }
}

type Asking = {
  readonly context: Context
  readonly wish: PayrollWish
  readonly isRepeated: boolean
  /** Those that the bank wants signed. */
  readonly toSign: PartOfWhole[]
  /** Whether the bank may have withdrawn any. */
  isTouched: boolean
}

/** The first tells of the others: where no bank answers, or each wants a signature, nobody is asked a thousand times. */
async function askInTurn(asking: Asking, whole: PayrollCancellation, parts: readonly PartOfWhole[]): Promise<void> {
  const { context, wish, toSign } = asking
  const [first, ...others] = parts
  if (first === undefined) {
    return
  }
  await ask(asking, first)
  if (toSign.length > 0 && parts.length > CHAINED_MAX) {
    await refuseToSign(context, parts, parts.length)
    return
  }
  await askForOthers(asking, others)
  if (toSign.length > CHAINED_MAX) {
    await refuseToSign(context, toSign, toSign.length)
  } else if (toSign.length > 0) {
    await signWhole(context, wish, whole, toSign)
  }
}

async function ask(asking: Asking, { part, order }: PartOfWhole): Promise<void> {
  const { context, wish, isRepeated, toSign } = asking
  const { consent, psu } = wish.caller
  let wantsSignature = false
  try {
    await carryOut(context, part, order, {
      consent,
      psu,
      isRepeated,
      isHeld: true,
      clearWay: async () => undefined,
      haveSigned: async () => {
        wantsSignature = true
        toSign.push({ part, order })
        return { cancellation: part }
      },
    })
    asking.isTouched ||= !wantsSignature
  } catch (error) {
    asking.isTouched ||= !isCertain(error)
    throw error
  }
}

/** More signatures than can be asked of anybody: nobody is asked for any. The orders were not withdrawn, and are as they were. */
async function refuseToSign(context: Context, parts: readonly PartOfWhole[], count: number): Promise<void> {
  const reason = `The bank wants each of ${count} withdrawals signed, and ${CHAINED_MAX} at most are signed in turn`
  await fewAtATime(parts, ORDERS_AT_ONCE, ({ part, order }) => keepEnd(context, part, { yes: false, reason }, order))
}

async function askForOthers(asking: Asking, others: readonly PartOfWhole[]): Promise<void> {
  const { context } = asking
  const until = wallMilliseconds() + WITHIN_MILLISECONDS
  await fewAtATime(others, ORDERS_AT_ONCE, async (one) => {
    if (wallMilliseconds() < until) {
      await ask(asking, one).catch((error: unknown) => putOffUnlessBroken(context, one, error))
    } else {
      await postponeCancellation(context.database, one.part, context.clock.real())
    }
  })
}

async function putOffUnlessBroken(context: Context, one: PartOfWhole, error: unknown): Promise<void> {
  if (!isCertain(error)) {
    throw error
  }
  await putOff(context, [one])
}

/** Whether a failure says that the bank certainly did nothing. */
function isCertain(error: unknown): boolean {
  return error instanceof BankRefusal || error instanceof Refusal
}

async function putOff(context: Context, parts: readonly PartOfWhole[]): Promise<void> {
  const later = context.clock.real().add(ASK_AGAIN_AFTER)
  await fewAtATime(parts, ORDERS_AT_ONCE, ({ part }) => postponeCancellation(context.database, part, later))
}

function partsToAsk({ orders }: PayrollWish, { parts }: PayrollCancellation): readonly PartOfWhole[] {
  const byId = new Map(orders.map((order) => [order.id, order]))
  return parts.flatMap((part) => {
    const order = byId.get(part.paymentId)
    return part.status === 'ASKED' && order !== undefined && isHeld(order) ? [{ part, order }] : []
  })
}
