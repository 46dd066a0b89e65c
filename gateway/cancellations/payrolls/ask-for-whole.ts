/** Has a bank asked to withdraw each order of a payroll that is being cancelled, while its user waits. */

import type { PayrollOrder } from '../../approvals/payrolls/payroll-order-of.ts'
import { CHAINED_MAX } from '../../approvals/plan-steps.ts'
import { supersede } from '../../approvals/supersede.ts'
import { BankRefusal } from '../../banks/bank-refusal.ts'
import type { Context } from '../../context.ts'
import { wallMilliseconds } from '../../foundation/clock.ts'
import { Refusal } from '../../foundation/http/refusal.ts'
import { type HeldPayment, isHeld } from '../../payments/payment.ts'
import type { Cancellation } from '../cancellation.ts'
import { dropCancellation, postponeCancellation } from '../cancellation-store.ts'
import { carryOut } from '../carry-out.ts'
import { endCancellation } from '../end-cancellation.ts'
import type { PayrollCancellation } from './payroll-cancellation.ts'
import { deleteWhole } from './payroll-cancellation-store.ts'
import type { PayrollWish } from './payroll-wish.ts'
import { signWhole } from './sign-whole.ts'

/** One part, and the order that it withdraws. */
export type PartOfWhole = { readonly part: Cancellation; readonly order: PayrollOrder & HeldPayment }

/** As many at a time; the rest of a bank's places belongs to other users who wait. */
const ORDERS_AT_ONCE = 4
/** What was not asked by then is left to a sweep: nobody waits for a thousand orders. */
const WITHIN_MILLISECONDS = 20_000
const ASK_AGAIN_AFTER = { seconds: 10 }

/** Parts that are not answered then are asked for again by a sweep. Throws when the bank certainly did nothing. */
export async function askForWhole(
  context: Context,
  wish: PayrollWish,
  whole: PayrollCancellation,
  { isRepeated }: { readonly isRepeated: boolean },
): Promise<void> {
  const [first, ...others] = partsToAsk(wish, whole)
  if (first === undefined) {
    return
  }
  const asking = { context, wish, isRepeated, toSign: [] as PartOfWhole[] }
  try {
    await ask(asking, first)
  } catch (error) {
    await (isRepeated ? putOff(context, [first, ...others]) : forget(context, whole))
    throw error
  }
  if (asking.toSign.length > 0 && others.length >= CHAINED_MAX) {
    const reason = `The bank wants each of ${others.length + 1} withdrawals signed, and ${CHAINED_MAX} at most are signed in turn`
    await Promise.all([first, ...others].map(({ part }) => endCancellation(context, part, { yes: false, reason })))
    return
  }
  await askForOthers(asking, others)
  if (asking.toSign.length > 0) {
    await signOrForget(context, wish, whole, asking.toSign)
  }
}

type Asking = {
  readonly context: Context
  readonly wish: PayrollWish
  readonly isRepeated: boolean
  /** Those that the bank wants signed. */
  readonly toSign: PartOfWhole[]
}

async function ask({ context, wish, isRepeated, toSign }: Asking, { part, order }: PartOfWhole): Promise<void> {
  const { consent, partnerId, psu } = wish.caller
  await carryOut(context, part, order, {
    consent,
    psu,
    isRepeated,
    clearWay: () => supersede(context, partnerId, [order]),
    haveSigned: async () => {
      toSign.push({ part, order })
      return { cancellation: part }
    },
  })
}

async function askForOthers(asking: Asking, others: readonly PartOfWhole[]): Promise<void> {
  const { context } = asking
  const until = wallMilliseconds() + WITHIN_MILLISECONDS
  const queue = others.values()
  const takeTurns = async () => {
    for (const one of queue) {
      if (wallMilliseconds() < until) {
        await ask(asking, one).catch((error: unknown) => putOffUnlessBroken(context, one, error))
      } else {
        await postponeCancellation(context.database, one.part, context.clock.real())
      }
    }
  }
  await Promise.all(Array.from({ length: ORDERS_AT_ONCE }, takeTurns))
}

async function putOffUnlessBroken(context: Context, one: PartOfWhole, error: unknown): Promise<void> {
  if (!(error instanceof BankRefusal || error instanceof Refusal)) {
    throw error
  }
  await putOff(context, [one])
}

async function putOff(context: Context, parts: readonly PartOfWhole[]): Promise<void> {
  const later = context.clock.real().add(ASK_AGAIN_AFTER)
  await Promise.all(parts.map(({ part }) => postponeCancellation(context.database, part, later)))
}

/** Where no signature can begin, nothing is withdrawn of what wants one. */
async function signOrForget(
  context: Context,
  wish: PayrollWish,
  whole: PayrollCancellation,
  toSign: readonly PartOfWhole[],
): Promise<void> {
  try {
    await signWhole(context, wish, whole, toSign)
  } catch (error) {
    if (toSign.length === whole.parts.length) {
      await forget(context, whole)
      throw error
    }
    await putOff(context, toSign)
    throw error
  }
}

async function forget(context: Context, whole: PayrollCancellation): Promise<void> {
  for (const part of whole.parts) {
    await dropCancellation(context.database, part)
  }
  await deleteWhole(context.database, whole)
}

function partsToAsk({ orders }: PayrollWish, { parts }: PayrollCancellation): readonly PartOfWhole[] {
  const byId = new Map(orders.map((order) => [order.id, order]))
  return parts.flatMap((part) => {
    const order = byId.get(part.paymentId)
    return part.status === 'ASKED' && order !== undefined && isHeld(order) ? [{ part, order }] : []
  })
}
