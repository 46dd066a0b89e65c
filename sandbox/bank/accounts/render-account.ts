/** Writes accounts and balances as the standard shows them. */
import { type Money, printMoney } from '../../../gateway/platform/money.ts'
import { printInstant } from '../bank-calendar.ts'
import type { BankContext } from '../bank-context.ts'
import type { Account, BankProfile } from '../fixture.ts'
import { pendingPaymentsFrom } from '../payments/payment-store.ts'
import { isCompany } from '../world.ts'
import { linkTo } from '../xs2a/xs2a-links.ts'
import { accountReference } from './account-reference.ts'
import { balanceOf } from './account-store.ts'
import type { ReadableAccount } from './authorise-read.ts'

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
    ...accountReference(bank, account),
    name: account.name,
    product: account.product,
    cashAccountType: account.cashAccountType,
    status: 'enabled',
    bic: bank.bic,
    usage: isCompany(context.world, account.owner) ? 'ORGA' : 'PRIV',
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
