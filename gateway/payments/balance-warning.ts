/** Warns of a payment that is due now and that what is on the account does not cover. */
import type { PaymentWarning } from '../../contract/payments/payment-operations.ts'
import { readBalance } from '../accounts/get-account-balance.ts'
import { BankRefusal } from '../banks/connector/bank-error.ts'
import type { ConsentAccount } from '../consents/accounts/consent-account.ts'
import type { ConsentCaller } from '../consents/consent.ts'
import type { Context } from '../context.ts'
import { Refusal } from '../platform/http/errors/api-error.ts'
import { type Money, parseMoney, printMoney } from '../platform/money.ts'

/** Until then what comes in during the day may still cover what is due tomorrow. */
const COUNTS_FOR_TOMORROW_FROM = Temporal.PlainTime.from('16:00')

/** What is paid, from where and when. */
export type Debit = {
  readonly account: Pick<ConsentAccount, 'id'>
  readonly amount: Money
  readonly dueDate: Temporal.PlainDate
  /** The present day and time at the bank. */
  readonly localNow: Temporal.PlainDateTime
}

/** The bank is asked when the day has come, and never keeps a payment from being made. */
export async function balanceWarning(
  context: Context,
  caller: ConsentCaller,
  debit: Debit,
): Promise<readonly PaymentWarning[]> {
  const available = isDueNow(debit) ? await availableOn(context, caller, debit.account.id) : undefined
  if (available?.currency !== debit.amount.currency || available.minor >= debit.amount.minor) {
    return []
  }
  const { amount, currency } = printMoney(available)
  const reason = `The amount is more than the ${amount} ${currency} that are available on the account`
  return [{ code: 'BalanceTooLow', reason, path: '.amount' }]
}

function isDueNow({ dueDate, localNow }: Debit): boolean {
  const today = localNow.toPlainDate()
  const counted =
    Temporal.PlainTime.compare(localNow.toPlainTime(), COUNTS_FOR_TOMORROW_FROM) < 0 ? today : today.add({ days: 1 })
  return Temporal.PlainDate.compare(dueDate, counted) <= 0
}

/** Undefined where the bank does not tell it, or not now. */
async function availableOn(context: Context, caller: ConsentCaller, accountId: string): Promise<Money | undefined> {
  try {
    const { availableBalance: told } = await readBalance(context, caller, accountId)
    const isNegative = told?.amount.startsWith('-') === true
    const size = told && parseMoney(told.amount.replace('-', ''), told.currency)
    return size && isNegative ? { ...size, minor: -size.minor } : size
  } catch (error) {
    if (error instanceof BankRefusal || error instanceof Refusal) {
      context.log.info({ refusal: error.message }, 'a balance could not be read for a warning')
      return undefined
    }
    throw error
  }
}
