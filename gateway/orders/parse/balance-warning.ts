/** Warns of a payment that is due now and exceeds the available balance of the account. */
import type { PaymentWarning } from '../../../contract/payments/payment-operations.ts'
import { getAccountBalance } from '../../accounts/get-account-balance.ts'
import { BankError } from '../../banks/connector/bank-error.ts'
import type { ConsentAccount } from '../../consents/accounts/consent-account.ts'
import type { ConsentCaller } from '../../consents/consent.ts'
import type { Context } from '../../context.ts'
import { ApiError } from '../../platform/http/errors/api-error.ts'
import { formatMoney, type Money, parseMoney } from '../../platform/money.ts'

/** Before this time, incoming payments of the day may still cover what is due tomorrow. */
const COUNTS_FOR_TOMORROW_FROM = Temporal.PlainTime.from('16:00')

/** The amount, account and due date of a payment. */
export type Debit = {
  readonly account: Pick<ConsentAccount, 'id'>
  readonly amount: Money
  readonly dueDate: Temporal.PlainDate
  /** The current local date and time at the bank. */
  readonly localNow: Temporal.PlainDateTime
}

/** Reads the balance only for due payments; a failure of the bank never prevents the payment. */
export async function balanceWarning(
  context: Context,
  caller: ConsentCaller,
  debit: Debit,
): Promise<readonly PaymentWarning[]> {
  const available = isDueNow(debit) ? await readAvailableBalance(context, caller, debit.account.id) : undefined
  if (available?.currency !== debit.amount.currency || available.minor >= debit.amount.minor) {
    return []
  }
  const { amount, currency } = formatMoney(available)
  const reason = `The amount exceeds the available balance of the account, ${amount} ${currency}`
  return [{ code: 'BalanceTooLow', reason, path: '.amount' }]
}

function isDueNow({ dueDate, localNow }: Debit): boolean {
  const today = localNow.toPlainDate()
  const latestDueDate =
    Temporal.PlainTime.compare(localNow.toPlainTime(), COUNTS_FOR_TOMORROW_FROM) < 0 ? today : today.add({ days: 1 })
  return Temporal.PlainDate.compare(dueDate, latestDueDate) <= 0
}

/** Returns undefined when the bank does not report the balance or is not available. */
async function readAvailableBalance(
  context: Context,
  caller: ConsentCaller,
  accountId: string,
): Promise<Money | undefined> {
  try {
    const { availableBalance: balance } = await getAccountBalance(context, caller, accountId)
    const isNegative = balance?.amount.startsWith('-') === true
    const absolute = balance && parseMoney(balance.amount.replace('-', ''), balance.currency)
    return absolute && isNegative ? { ...absolute, minor: -absolute.minor } : absolute
  } catch (error) {
    if (error instanceof BankError || error instanceof ApiError) {
      context.log.info({ error: error.message }, 'the balance for a warning could not be read')
      return undefined
    }
    throw error
  }
}
