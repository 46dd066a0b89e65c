/** Renders accounts and balances in the format of the standard. */
import { formatMoney, type Money } from '../../../gateway/platform/money.ts'
import { formatInstant } from '../bank-calendar.ts'
import type { Context } from '../context.ts'
import type { Account, BankProfile } from '../fixture.ts'
import { isCompany } from '../fixture-lookup.ts'
import { balanceOf } from '../ledger/account-store.ts'
import { accountReference } from '../national/rules-by-country.ts'
import { findPendingPayments } from '../payments/payment-store.ts'
import { linkTo } from '../xs2a/xs2a-links.ts'
import type { ReadableAccount } from './authorise-read.ts'

/** One account, with its balances when they are requested and the consent covers them. */
export async function renderAccount(
  context: Context,
  bank: BankProfile,
  { opened, account }: ReadableAccount,
  withBalance: boolean,
): Promise<object> {
  const path = `/accounts/${opened.resource_id}`
  const balancesLink = opened.balances ? { balances: linkTo(context.addresses, bank, `${path}/balances`) } : {}
  const transactionsLink = opened.transactions
    ? { transactions: linkTo(context.addresses, bank, `${path}/transactions`) }
    : {}
  return {
    resourceId: opened.resource_id,
    ...accountReference(bank, account),
    name: account.name,
    product: account.product,
    cashAccountType: account.cashAccountType,
    status: 'enabled',
    bic: bank.bic,
    usage: isCompany(context.fixture, account.owner) ? 'ORGA' : 'PRIV',
    ownerName: account.ownerName,
    ...(withBalance && opened.balances ? { balances: await renderBalances(context, bank, account) } : {}),
    _links: { ...balancesLink, ...transactionsLink },
  }
}

/** The booked balance, and the available balance less pending payments. */
export async function renderBalances(
  context: Context,
  bank: BankProfile,
  account: Account,
): Promise<readonly object[]> {
  const { balance_minor: booked, currency } = await balanceOf(context.database.query, bank.bic, account.bban)
  const pending = await findPendingPayments(context.database.query, bank.bic, account.bban)
  const reserved = pending.reduce((sum, payment) => sum + payment.amount_minor, 0n)
  const available = booked > reserved ? booked - reserved : 0n
  return [
    balance(context, bank, 'interimBooked', { minor: booked, currency }),
    balance(context, bank, 'interimAvailable', { minor: available, currency }),
  ]
}

function balance(context: Context, bank: BankProfile, balanceType: string, money: Money): object {
  return {
    balanceAmount: formatMoney(money),
    balanceType,
    lastChangeDateTime: formatInstant(bank, context.clock.now()),
  }
}
