/** Checks accounts, balances and account entries. */

import type { AccountEntry } from '../../contract/account-entries.ts'
import type { Account } from '../../contract/accounts.ts'
import { type Check, type CheckContext, documentedIn } from '../check.ts'
import { errorProblems, require, requireError, requireNone } from '../expectations.ts'
import { acceptedConsent } from '../subjects/consents.ts'
import { ordering, requireSandbox, uniqueName } from '../subjects/payments.ts'
import { subject, today } from '../subjects/subject.ts'

const AMOUNT = 77.5

const firstAccount = async (context: CheckContext) => {
  const consentId = await acceptedConsent(context)
  const { accounts } = await context.succeed('listAccounts', { consentId })
  return { consentId, accounts, account: accounts[0] as Account }
}

/** A credit and a debit of the same amount, booked today. */
const booked = subject(async (context: CheckContext) => {
  requireSandbox(context)
  const { consentId, account } = await ordering(context)
  const message = uniqueName()
  for (const amount of [AMOUNT.toFixed(2), `-${AMOUNT.toFixed(2)}`]) {
    const body = { amount, counterparty: 'Conformance Test', message }
    await context.succeed('addSandboxEntry', { params: { bban: account.bban }, body })
  }
  const day = (await today(context, account.country)).toString()
  const request = { consentId, params: { accountId: account.id }, query: { fromDate: day, toDate: day } }
  const { accountEntries } = await context.succeed('listAccountEntries', request)
  return { request, day, message, entries: entriesWith(accountEntries, message) }
})

function entriesWith(entries: readonly AccountEntry[], message: string): readonly AccountEntry[] {
  return entries.filter(({ remittanceInformation }) => remittanceInformation.unstructured?.includes(message))
}

export const ACCOUNT_CHECKS: readonly Check[] = documentedIn('API reference: listAccountEntries', [
  {
    id: 'accounts-listed',
    title: 'The accounts of a consent are listed',
    rule: 'Ids and stable ids are unique, and each account is one of the company of the consent.',
    reference: 'API reference: listAccounts',
    run: async (context) => {
      const { consentId, accounts } = await firstAccount(context)
      const { organizationNumber } = await context.succeed('getConsent', { consentId })
      require(accounts.length > 0, 'There is no account')
      require(new Set(accounts.map(({ id }) => id)).size === accounts.length, 'Two accounts have one id')
      const others = accounts.filter((account) => account.organizationNumber !== organizationNumber)
      require(others.length === 0, `${others.length} accounts are of another company`)
    },
  },
  {
    id: 'accounts-balance',
    title: 'A balance is in the currency of its account',
    rule: 'The available or the booked balance is present, in the currency of the account.',
    reference: 'API reference: getAccountBalance',
    run: async (context) => {
      const { consentId, account } = await firstAccount(context)
      const balance = await context.succeed('getAccountBalance', { consentId, params: { accountId: account.id } })
      const balances = [balance.availableBalance, balance.bookedBalance].filter((each) => each !== undefined)
      require(balances.length > 0, 'There is neither an available nor a booked balance')
      const others = balances.filter(({ currency }) => currency !== account.currency)
      require(others.length ===
        0, `The currency is ${String(others[0]?.currency)}, that of the account ${account.currency}`)
    },
  },
  {
    id: 'accounts-entries',
    title: 'Entries have a positive amount and a direction',
    rule: 'A credit and a debit of 77.50 are entries with the amount 77.5, CREDIT and DEBIT, in a period with both days inclusive.',
    run: async (context) => {
      const { entries, day } = await booked(context)
      require(entries.length === 2, `${entries.length} of two entries of ${day} are listed`)
      requireNone([
        ...entries
          .filter(({ postedAmount }) => postedAmount.amount !== AMOUNT)
          .map(({ postedAmount }) => `postedAmount.amount is ${JSON.stringify(postedAmount.amount)}`),
        entries
          .map(({ type }) => type)
          .toSorted()
          .join() === 'CREDIT,DEBIT' || 'They are not CREDIT and DEBIT',
        ...entries
          .filter(({ bookingDateTime }) => bookingDateTime?.startsWith(day) !== true)
          .map(({ bookingDateTime }) => `bookingDateTime is ${String(bookingDateTime)}`),
      ])
    },
  },
  {
    id: 'accounts-entries-extended',
    title: 'Extended entries are the same entries',
    rule: 'The list with details has the same entries, with the same stable ids.',
    reference: 'API reference: listExtendedAccountEntries',
    run: async (context) => {
      const { request, entries, message } = await booked(context)
      const extended = await context.succeed('listExtendedAccountEntries', request)
      const ids = (list: readonly AccountEntry[]) =>
        list
          .map(({ stableEntryId }) => stableEntryId)
          .toSorted()
          .join()
      require(ids(entriesWith(extended.accountEntries, message)) === ids(entries), 'The stable ids differ')
    },
  },
  {
    id: 'accounts-entry-details',
    title: 'An entry can be read alone',
    rule: 'Its details have the amount of the list.',
    reference: 'API reference: getAccountEntryDetails',
    run: async (context) => {
      const { request, entries } = await booked(context)
      const { consentId, params } = request
      const [entry] = entries
      const answer = await context.call('getAccountEntryDetails', {
        consentId,
        params: { ...params, transactionId: entry?.transactionId ?? '' },
      })
      if (answer.status === 400) {
        requireError(answer, 400, 'UNSUPPORTED_PRODUCT_BY_BANK')
      } else {
        require(answer.status === 200, `The details are answered with ${answer.status}`)
      }
    },
  },
  {
    id: 'accounts-entries-period',
    title: 'A period must be in order',
    rule: 'A last day before the first one is 422 InvalidRequest; a missing day, too.',
    run: async (context) => {
      const { consentId, account } = await firstAccount(context)
      const day = await today(context, account.country)
      const list = (query: Record<string, string>) =>
        context.call('listAccountEntries', { consentId, params: { accountId: account.id }, query })
      const reversed = { fromDate: day.toString(), toDate: day.subtract({ days: 1 }).toString() }
      requireNone([
        ...errorProblems(await list(reversed), 422, 'InvalidRequest'),
        ...errorProblems(await list({ toDate: day.toString() }), 422, 'InvalidRequest', '.fromDate'),
      ])
    },
  },
  {
    id: 'accounts-entries-csv',
    title: 'Entries are returned as CSV and camt.053',
    rule: 'Accept selects text/csv or application/xml; another media type is 406.',
    run: async (context) => {
      const { request } = await booked(context)
      const as = (accept: string) => context.call('listAccountEntries', { ...request, headers: { accept } })
      const [csv, xml, other] = [await as('text/csv'), await as('application/xml'), await as('image/png')]
      requireNone([
        csv.headers.get('content-type')?.startsWith('text/csv') === true ||
          `CSV is ${String(csv.headers.get('content-type'))}`,
        csv.text.split('\r\n', 2)[0]?.includes('transactionId') === true || 'The CSV has no header line',
        xml.text.includes('camt.053') || 'The XML is no camt.053',
        other.status === 406 || `image/png is answered with ${other.status}`,
      ])
    },
  },
])
