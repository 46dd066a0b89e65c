/** Accounts and balances that a consent opens. */
import { BankRefusal } from '../bank-refusal.ts'
import type { AccountProduct, BankCaller, BankFetch } from '../connector.ts'
import { ask, path } from './ask.ts'
import { accountsOf, balanceOf } from './translate-accounts.ts'
import { readAccounts, readBalances } from './wire.ts'

/** The account product over one way of fetching. */
export function accountProduct(fetch: BankFetch): AccountProduct {
  return {
    list: (caller) => listAccounts(fetch, caller),
    balance: (caller, resourceId) => readBalance(fetch, caller, resourceId),
  }
}

async function listAccounts(fetch: BankFetch, caller: BankCaller): ReturnType<AccountProduct['list']> {
  const answer = await ask(
    fetch,
    caller,
    { operation: 'getAccounts', purpose: 'account', method: 'GET', path: '/accounts', headers: consentHeader(caller) },
    readAccounts,
  )
  return accountsOf(answer.accounts, caller.bank.countryCode)
}

async function readBalance(
  fetch: BankFetch,
  caller: BankCaller,
  resourceId: string,
): ReturnType<AccountProduct['balance']> {
  const answer = await ask(
    fetch,
    caller,
    {
      operation: 'getBalances',
      purpose: 'account',
      method: 'GET',
      path: `${path('accounts', resourceId)}/balances`,
      headers: consentHeader(caller),
    },
    readBalances,
  )
  return balanceOf(answer.balances)
}

/** Reads stand on the consent alone, whether or not its user is there. */
function consentHeader({ bankConsentId }: BankCaller): Record<string, string> {
  if (bankConsentId === null) {
    throw new BankRefusal('consent-invalid', 'There is no consent at the bank yet')
  }
  return { 'consent-id': bankConsentId }
}
