/** Reads the accounts of a consent, their balances and their entries. */
import type { ReportDeviation } from '../../../../platform/http/tolerant-reader.ts'
import type { BankAccount, BankEntry } from '../../../connector/bank-account.ts'
import { BankError, UnreadableAnswerError } from '../../../connector/bank-error.ts'
import type { AccountProduct, BankCaller, RequestExecutor } from '../../../connector/connector.ts'
import type { BankClient } from '../transport/bank-client.ts'
import { type BerlinGroupRequest, path, sendAndParse } from '../transport/send-request.ts'
import { listBookedEntries, streamEntries } from './entries.ts'
import { toBankAccounts, toBankBalance } from './translate-accounts.ts'
import { entryOriginOf, INVALID_AMOUNT, toBankEntry, unwrapEntry } from './translate-entries.ts'
import { parseAccounts, parseBalances, parseEntryDetails } from './wire-accounts.ts'

export function accountProduct(line: BankClient): AccountProduct {
  return {
    list: async (caller) => {
      let complete = true
      const question = accountRequest(caller, 'getAccounts', '/accounts')
      const accounts = await sendAndParse(line, caller, question, (body, report) => {
        const note: ReportDeviation = (deviation) => {
          complete &&= deviation.effect !== 'dropped'
          report?.(deviation)
        }
        const answer = parseAccounts(body, note)
        return answer && toBankAccounts(answer.accounts, caller.bank.countryCode, note)
      })
      return { accounts, complete }
    },
    balance: async (caller, { resourceId, currency }) => {
      const question = accountRequest(caller, 'getBalances', `${accountPath(resourceId)}/balances`)
      return toBankBalance((await sendAndParse(line, caller, question, parseBalances)).balances, currency)
    },
    // Lists that are read completely do not outlast a token.
    bookedEntries: (caller, resourceId, days) => {
      const each: RequestExecutor = (request) => request(caller)
      return listBookedEntries({ line, caller, each }, transactionsOf(caller, resourceId), days)
    },
    entries: (caller, resourceId, query, each = (request) => request(caller)) =>
      streamEntries({ line, caller, each }, transactionsOf(caller, resourceId), query),
    entryDetails: (caller, resourceId, transactionId) =>
      readDetailsOf(line, caller, accountPath(resourceId), transactionId),
  }
}

function accountPath(resourceId: BankAccount['resourceId']): string {
  if (resourceId === null) {
    throw new BankError(
      'unsupported-product',
      'The bank lists this account without an id of its own, so that its balance and entries cannot be read',
    )
  }
  return path('accounts', resourceId)
}

function transactionsOf(caller: BankCaller, resourceId: BankAccount['resourceId']): BerlinGroupRequest {
  const where = `${accountPath(resourceId)}/transactions`
  return { ...accountRequest(caller, 'getTransactions', where), purpose: 'entries' }
}

/** Details do not state whether an entry is booked or pending: an entry with a booking date is booked. */
async function readDetailsOf(
  line: BankClient,
  caller: BankCaller,
  account: string,
  transactionId: string,
): Promise<BankEntry> {
  if (!caller.bank.profile.entries.details) {
    throw new BankError('unsupported-product', 'The bank does not offer entry details')
  }
  if (transactionId === '.' || transactionId === '..') {
    throw new BankError('unknown-resource', 'The bank has no entry with this id')
  }
  const where = `${account}${path('transactions', transactionId)}`
  const question: BerlinGroupRequest = { ...accountRequest(caller, 'getTransactionDetails', where), purpose: 'entry' }
  const entry = unwrapEntry(await sendAndParse(line, caller, question, parseEntryDetails))
  const status = entry.bookingDate === undefined ? 'pending' : 'booked'
  const readable = toBankEntry(entry, status, entryOriginOf(caller.bank))
  if (readable === undefined) {
    const answer = { bank: caller.bank.bic, operation: question.operation }
    line.observeDeviations(answer, [{ ...INVALID_AMOUNT, effect: 'unreadable' }])
    throw new UnreadableAnswerError('unavailable', 'The bank returned an entry with an invalid amount')
  }
  return readable
}

/** Reads need only the consent, whether or not the user is present. */
function accountRequest({ bankConsentId }: BankCaller, operation: string, where: string): BerlinGroupRequest {
  if (bankConsentId === null) {
    throw new BankError('consent-invalid', 'There is no consent at the bank yet. Complete the consent first')
  }
  return { operation, purpose: 'account', method: 'GET', path: where, headers: { 'consent-id': bankConsentId } }
}
