/** Creates and deletes signing baskets at banks; each is recorded before the call, and a sweep deletes those that stay unsigned. */
import { BankError, retryAfterOf } from '../../../banks/connector/bank-error.ts'
import { isBankError, isCertainlyNotExecuted } from '../../../banks/connector/bank-error-classification.ts'
import type { BankCaller } from '../../../banks/connector/connector.ts'
import type { ReturnUrls } from '../../../banks/connector/sca-authorisation.ts'
import { callSecondsMax } from '../../../banks/transport/bank-call-limits.ts'
import type { Context } from '../../../context.ts'
import { raiseTask } from '../../../operators/raise-task.ts'
import { mapWithConcurrency } from '../../../platform/concurrency.ts'
import { newBankRequestId } from '../../../platform/ids.ts'
import { dueRowSweep } from '../../../platform/jobs/due-row-sweep.ts'
import { nextAttemptAt } from '../../../platform/jobs/retry-backoff.ts'
import type { Sweep } from '../../../platform/jobs/sweep.ts'
import { findOrdersOf } from '../../find-orders.ts'
import { type AcknowledgedPayment, isOpenForSigning } from '../../payment.ts'
import { pollPayment } from '../../status/poll-payment.ts'
import { findApproval } from '../approval-store.ts'
import { basketsOf, requireSigner, type SignerContext, signerContext } from '../authorised-target.ts'
import type { Basket, BasketAtBank } from './basket.ts'
import {
  type BasketKey,
  changeBasketState,
  findBankBasketId,
  findBasket,
  listBasketPayments,
  listBasketsOfApproval,
  recordBasketRequested,
  scheduleBasket,
} from './basket-store.ts'
import { ORDERS_AT_ONCE } from './find-unaccepted-items.ts'

type BasketOfApproval = BasketKey & { readonly consentId: string; readonly approvalId: string }

/** Margin for our own statements: a process that has recorded no answer by then has crashed. */
const OWN_SECONDS = 30
/** After this the sweep deletes a basket whose approval was never stored, and reschedules one whose approval is open. */
const MAINTAIN_AFTER = { minutes: 1 }

type BasketCreation = {
  readonly user: BankCaller
  readonly payments: readonly AcknowledgedPayment[]
  readonly back: ReturnUrls
}

/** Returns the bank's id of the basket, which is created if it does not exist. Throws `BankError`. */
export async function ensureBankBasket(
  context: Context,
  at: SignerContext,
  basket: BasketOfApproval,
  creation: BasketCreation,
): Promise<string> {
  return (await findBankBasketId(context.database, basket)) ?? (await requestBasket(context, at, basket, creation))
}

async function requestBasket(
  context: Context,
  at: SignerContext,
  basket: BasketOfApproval,
  creation: BasketCreation,
): Promise<string> {
  const { clock, database } = context
  const { partnerId, id, consentId, approvalId } = basket
  const requestId = newBankRequestId()
  const createdAt = clock.now()
  const dueAt = createdAt.add({ seconds: callSecondsMax(context.config) + OWN_SECONDS })
  const row = { partnerId, id, consentId, approvalId, bic: at.bank.bic, bankRequestId: requestId, createdAt, dueAt }
  if (!(await recordBasketRequested(database, row, creation.payments))) {
    throw new BankError('authentication-busy', 'Another request is creating a basket of these payments')
  }
  const { bankBasketId } = await create(context, at, basket, { ...creation, requestId })
  await changeBasketState(database, basket, { state: 'unsigned', bankBasketId, dueAt: clock.now().add(MAINTAIN_AFTER) })
  return bankBasketId
}

/** After a rejection there is no basket; after any other error the bank may have one whose id is unknown. */
async function create(
  context: Context,
  at: SignerContext,
  basket: BasketKey,
  { user, ...creation }: BasketCreation & { readonly requestId: string },
): Promise<{ bankBasketId: string }> {
  const baskets = basketsOf(context, at.bank, creation.payments)
  try {
    return await baskets.create(user, creation)
  } catch (error) {
    const state = stateAfter(error)
    if (state === 'unknown') {
      await markBasketUnknown(context, { ...basket, bic: at.bank.bic, bankRequestId: creation.requestId })
    } else {
      await changeBasketState(context.database, basket, { state, dueAt: null })
    }
    throw error
  }
}

function stateAfter(error: unknown): 'void' | 'rejected' | 'unknown' {
  if (!isCertainlyNotExecuted(error)) {
    return 'unknown'
  }
  return isBankError(error, 'basket-rejected') ? 'rejected' : 'void'
}

const DELETE_RETRY_DELAY = { leastSeconds: 10, mostSeconds: 3600 }

/** Returns whether the bank has deleted it. After an error of the bank, a sweep retries. */
export async function deleteBasket(context: Context, basket: BasketAtBank): Promise<boolean> {
  const { database, clock } = context
  try {
    const { bank, caller } = await signerContext(context, await requireSigner(context, basket))
    await context.banks.connectorOf(bank).baskets?.drop(caller, basket.bankBasketId)
    await changeBasketState(database, basket, { state: 'void', dueAt: null })
    return true
  } catch (error) {
    if (!(error instanceof BankError)) {
      throw error
    }
    context.log.info(
      { basketId: basket.id, errorKind: error.kind },
      'deleting a basket at its bank failed; the sweep retries it',
    )
    const again = nextAttemptAt(basket.createdAt, clock.now(), DELETE_RETRY_DELAY, retryAfterOf(error))
    await scheduleBasket(database, basket, again)
    return false
  }
}

/** Deletes the unsigned baskets of an approval that has ended or was never stored. */
export async function deleteBasketsOfApproval(
  context: Context,
  approval: Pick<Basket, 'partnerId' | 'approvalId'>,
): Promise<void> {
  for (const basket of await listBasketsOfApproval(context.database, approval)) {
    if (isUnsignedBasket(basket)) {
      await deleteBasket(context, basket)
    }
  }
}

/** Whether the bank has the basket and no signature is known. */
export function isUnsignedBasket(basket: Basket): basket is BasketAtBank {
  return basket.state === 'unsigned' && basket.bankBasketId !== null
}

/** Detects by the status of the orders that the basket was signed at the bank, which then never deletes it. */
export async function recordIfBasketSigned(context: Context, basket: BasketAtBank): Promise<boolean> {
  const basketPayments = await listBasketPayments(context.database, basket)
  const found = await findOrdersOf(context, basket.partnerId, basketPayments)
  const bankIds = new Set(basketPayments.map(({ bankPaymentId }) => bankPaymentId))
  const unchanged = found.filter(({ bankPaymentId }) => bankPaymentId !== null && bankIds.has(bankPaymentId))
  const polled = await mapWithConcurrency(unchanged, ORDERS_AT_ONCE, (payment) => pollPayment(context, payment))
  const isSigned = polled.every((payment) => !isOpenForSigning(payment) || payment.statusReason === 'PartlySigned')
  return isSigned && (await changeBasketState(context.database, basket, { state: 'signed', dueAt: null }))
}

/** Returns false if the answer of the bank has arrived after all. */
export async function markBasketUnknown(
  context: Context,
  basket: BasketKey & Pick<Basket, 'bic' | 'bankRequestId'>,
): Promise<boolean> {
  if (!(await changeBasketState(context.database, basket, { state: 'unknown', dueAt: null }))) {
    return false
  }
  const basketPayments = await listBasketPayments(context.database, basket)
  const [first] = basketPayments
  if (first !== undefined) {
    const { partnerId, bic: bank, bankRequestId, id: basketId } = basket
    const detail = {
      bank,
      basketId,
      bankRequestId,
      bankPaymentIds: basketPayments.map(({ bankPaymentId }) => bankPaymentId),
    }
    const subject = { partnerId, kind: 'LostBasket', subjectType: 'payment', subjectId: first.paymentId } as const
    await raiseTask(context, { ...subject, detail })
  }
  return true
}

/** The basket, and its payments if it is not deleted; those are polled a few at a time. */
const CALLS_PER_BASKET_MAX = 4

const basketScan = {
  name: 'signing baskets',
  table: 'approval_baskets',
  partition: 'bic',
  column: 'due_at',
  time: 'business',
} as const

export function basketSweep(context: Context): Sweep {
  const leaseSeconds = CALLS_PER_BASKET_MAX * callSecondsMax(context.config) + OWN_SECONDS
  return dueRowSweep(context, { ...basketScan, leaseSeconds }, async (key) => {
    const basket = await findBasket(context.database, key)
    await (basket && maintainBasket(context, basket))
  })
}

/** Also schedules the next run. While its approval is open, the basket stays: the end of the approval deletes it at once. */
export async function maintainBasket(context: Context, basket: Basket): Promise<void> {
  const { database, clock } = context
  if (basket.state === 'in-flight') {
    // The creating process has crashed: the bank may have a basket whose id is unknown.
    context.log.warn({ basketId: basket.id }, 'it is unknown whether a bank has created a basket')
    await markBasketUnknown(context, basket)
    return
  }
  const approval = await findApproval(database, { partnerId: basket.partnerId, id: basket.approvalId })
  if (!isUnsignedBasket(basket)) {
    await scheduleBasket(database, basket, null)
  } else if (approval?.status === 'STARTED') {
    await scheduleBasket(database, basket, clock.now().add(MAINTAIN_AFTER))
  } else if (!(await deleteBasket(context, basket))) {
    await recordIfBasketSigned(context, basket)
  }
}
