/** Accounts that a consent opens, their balances and the entries on them. */
import type { BankEntry } from '../connector/bank-account.ts'
import { BankRefusal } from '../connector/bank-error.ts'
import type { AccountProduct, BankCaller, RequestMaker } from '../connector/connector.ts'
import { bookedOnly, entryBatches } from '../standards/berlin-group/accounts/entries.ts'
import { accountsOf, balanceOf } from '../standards/berlin-group/accounts/translate-accounts.ts'
import { entryIn, originOf, readableEntry } from '../standards/berlin-group/accounts/translate-entries.ts'
import { readAccounts, readBalances, readDetails } from '../standards/berlin-group/accounts/wire-accounts.ts'
import type { Line } from '../standards/berlin-group/transport/bank-client.ts'
import { ask, path, type Question } from '../standards/berlin-group/transport/send-request.ts'

/** The account product over one line. */
export function accountProduct(line: Line): AccountProduct {
  return {
    list: (caller) => listAccounts(line, caller),
    balance: (caller, resourceId) => readBalance(line, caller, resourceId),
    bookedEntries: (caller, resourceId, days) =>
      bookedOnly({ line, caller, each: by(caller) }, transactionsOf(caller, resourceId), days),
    entries: (caller, resourceId, asked, each) =>
      entryBatches({ line, caller, each: each ?? by(caller) }, transactionsOf(caller, resourceId), asked),
    entryDetails: (caller, resourceId, transactionId) => readDetailsOf(line, caller, resourceId, transactionId),
  }
}

/** For what is read in one go. */
function by(caller: BankCaller): RequestMaker {
  return (request) => request(caller)
}

function transactionsOf(caller: BankCaller, resourceId: string): Question {
  return questionOf(caller, 'getTransactions', `${path('accounts', resourceId)}/transactions`)
}

async function listAccounts({ fetch }: Line, caller: BankCaller): ReturnType<AccountProduct['list']> {
  const question = questionOf(caller, 'getAccounts', '/accounts')
  const answer = await ask(fetch, caller, question, readAccounts)
  return accountsOf(answer.accounts, caller.bank.countryCode)
}

async function readBalance(
  { fetch }: Line,
  caller: BankCaller,
  resourceId: string,
): ReturnType<AccountProduct['balance']> {
  const question = questionOf(caller, 'getBalances', `${path('accounts', resourceId)}/balances`)
  const answer = await ask(fetch, caller, question, readBalances)
  return balanceOf(answer.balances)
}

/** Of an entry by itself no bank says in which list it stands: what has a day of booking is booked. */
async function readDetailsOf(
  { fetch }: Line,
  caller: BankCaller,
  resourceId: string,
  transactionId: string,
): Promise<BankEntry> {
  if (!caller.bank.profile.entries.details) {
    throw new BankRefusal('unsupported-product', 'The bank tells no details of entries')
  }
  const where = path('accounts', resourceId, 'transactions', transactionId)
  const question: Question = { ...questionOf(caller, 'getTransactionDetails', where), purpose: 'entry' }
  const entry = entryIn(await ask(fetch, caller, question, readDetails))
  return readableEntry(entry, entry.bookingDate === undefined ? 'pending' : 'booked', originOf(caller.bank))
}

/** Reads stand on the consent alone, whether or not its user is there. */
function questionOf({ bankConsentId }: BankCaller, operation: string, where: string): Question {
  if (bankConsentId === null) {
    throw new BankRefusal('consent-invalid', 'There is no consent at the bank yet')
  }
  return { operation, purpose: 'account', method: 'GET', path: where, headers: { 'consent-id': bankConsentId } }
}
