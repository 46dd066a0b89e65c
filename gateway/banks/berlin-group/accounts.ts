/** Accounts that a consent opens, their balances and what was booked on them. */

import type { DayRange } from '../bank-account.ts'
import { interfaceAddressOf } from '../bank-links.ts'
import { BankRefusal } from '../bank-refusal.ts'
import type { AccountProduct, BankCaller } from '../connector.ts'
import type { BankFetch } from '../connector-tools.ts'
import { ask, path, type Question } from './ask.ts'
import { accountsOf, balanceOf } from './translate-accounts.ts'
import { entriesOf } from './translate-entries.ts'
import { type Entry, readAccounts, readBalances, readTransactions } from './wire-accounts.ts'

/** A day of a busy company is some pages; a bank that links on and on is given up. */
const PAGES_MAX = 100

/** The account product over one way of fetching. */
export function accountProduct(fetch: BankFetch): AccountProduct {
  return {
    list: (caller) => listAccounts(fetch, caller),
    balance: (caller, resourceId) => readBalance(fetch, caller, resourceId),
    bookedEntries: async (caller, resourceId, days) =>
      entriesOf(await readBooked(fetch, caller, resourceId, days), caller.bank.countryCode),
  }
}

async function listAccounts(fetch: BankFetch, caller: BankCaller): ReturnType<AccountProduct['list']> {
  const question = questionOf(caller, 'getAccounts', '/accounts')
  const answer = await ask(fetch, caller, question, readAccounts)
  return accountsOf(answer.accounts, caller.bank.countryCode)
}

async function readBalance(
  fetch: BankFetch,
  caller: BankCaller,
  resourceId: string,
): ReturnType<AccountProduct['balance']> {
  const question = questionOf(caller, 'getBalances', `${path('accounts', resourceId)}/balances`)
  const answer = await ask(fetch, caller, question, readBalances)
  return balanceOf(answer.balances)
}

/** Goes from page to page by the bank's own links, which lead nowhere but to its interface. */
async function readBooked(
  fetch: BankFetch,
  caller: BankCaller,
  resourceId: string,
  { from, to }: DayRange,
): Promise<readonly Entry[]> {
  const query = { bookingStatus: 'booked', dateFrom: from.toString(), dateTo: to.toString() }
  const first = questionOf(caller, 'getTransactions', `${path('accounts', resourceId)}/transactions`)
  const entries: Entry[] = []
  let question: Question = { ...first, query }
  for (let page = 1; page <= PAGES_MAX; page += 1) {
    const { transactions } = await ask(fetch, caller, question, readTransactions)
    entries.push(...(transactions.booked ?? []))
    const next = transactions._links?.next
    if (next === undefined) {
      return entries
    }
    question = { ...first, url: interfaceAddressOf(caller.bank, next.href) }
  }
  throw new BankRefusal('unavailable', `The bank's list of entries is longer than ${PAGES_MAX} pages`)
}

/** Reads stand on the consent alone, whether or not its user is there. */
function questionOf({ bankConsentId }: BankCaller, operation: string, where: string): Question {
  if (bankConsentId === null) {
    throw new BankRefusal('consent-invalid', 'There is no consent at the bank yet')
  }
  return { operation, purpose: 'account', method: 'GET', path: where, headers: { 'consent-id': bankConsentId } }
}
