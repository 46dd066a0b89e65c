/** Writes accounts and balances as the standard shows them. */
import { type Money, printMoney } from '../../../gateway/foundation/money.ts'
import { printInstant } from '../bank-calendar.ts'
import type { BankContext } from '../context.ts'
import { ibanOf } from '../norwegian-account.ts'
import { pendingPaymentsFrom } from '../payments/payment-store.ts'
import type { Account, BankProfile } from '../world-shape.ts'
import { linkTo } from '../xs2a/links.ts'
import { balanceOf } from './account-store.ts'
import type { ReadableAccount } from './admit-read.ts'

/** How an account is named in answers. */
export function accountReference(account: Account): object {
  return { iban: ibanOf(account.bban), bban: account.bban, currency: account.currency }
}

/** One account, with its balances when they are asked for and the consent opens them. */
export async function accountDetails(
  context: BankContext,
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
    ...accountReference(account),
    name: account.name,
    product: account.product,
    cashAccountType: account.cashAccountType,
    status: 'enabled',
    bic: bank.bic,
    usage: /^[0-9]{9}$/.test(account.owner) ? 'ORGA' : 'PRIV',
    ownerName: account.ownerName,
    ...(withBalance && opened.balances ? { balances: await balancesOf(context, bank, account) } : {}),
    _links: { ...balancesLink, ...transactionsLink },
  }
}

/** What is booked, and what is left once the payments under way are paid. */
export async function balancesOf(
  context: BankContext,
  bank: BankProfile,
  account: Account,
): Promise<readonly object[]> {
  const { balance_minor: booked, currency } = await balanceOf(context.database.query, bank.bic, account.bban)
  const pending = await pendingPaymentsFrom(context.database.query, bank.bic, account.bban)
  const reserved = pending.reduce((sum, payment) => sum + payment.amount_minor, 0n)
  const available = booked > reserved ? booked - reserved : 0n
  return [
    balance(context, bank, 'interimBooked', { minor: booked, currency }),
    balance(context, bank, 'interimAvailable', { minor: available, currency }),
  ]
}

function balance(context: BankContext, bank: BankProfile, balanceType: string, money: Money): object {
  return {
    balanceAmount: printMoney(money),
    balanceType,
    lastChangeDateTime: printInstant(bank, context.clock.now()),
  }
}
