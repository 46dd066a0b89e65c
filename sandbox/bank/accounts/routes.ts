/** The account operations of XS2A, and the download of reports. */
import { newId } from '../../../gateway/platform/ids.ts'
import type { Context } from '../context.ts'
import { entryById } from '../ledger/account-store.ts'
import { accountReference } from '../national/rules-by-country.ts'
import { idParameterOf, ok, part, route, type Xs2aAnswer, type Xs2aCall, type Xs2aRoute } from '../xs2a/xs2a-call.ts'
import { xs2aError } from '../xs2a-error.ts'
import { authoriseAccountListRead, authoriseAccountRead } from './authorise-read.ts'
import { renderAccount, renderBalances, renderBookedTransaction } from './render-entry.ts'
import { formatTransactionQuery, parseTransactionQuery } from './transaction-query.ts'
import { pageEntries, streamReport, transactionReport, transactionsLink } from './transaction-report.ts'

const ONE = '/accounts/:accountId'

export function accountRoutes(context: Context): readonly Xs2aRoute[] {
  const downloads = openReportDownloads()
  return [
    route('GET', '/accounts', 'getAccounts', (call) => list(context, call)),
    route('GET', ONE, 'getAccount', (call) => one(context, call)),
    route('GET', `${ONE}/balances`, 'getBalances', (call) => balances(context, call)),
    route('GET', `${ONE}/transactions`, 'getTransactions', (call) => transactions(context, call)),
    route('GET', `${ONE}/transactions/download/:reportId`, 'downloadTransactions', (call) =>
      download(context, downloads, call),
    ),
    route('GET', `${ONE}/transactions/:transactionId`, 'getTransactionDetails', (call) =>
      transactionDetails(context, call),
    ),
  ]
}

async function list(context: Context, call: Xs2aCall): Promise<Xs2aAnswer> {
  const { accounts } = await authoriseAccountListRead(context, call)
  const withBalance = call.query['withBalance'] === 'true'
  const shown = accounts.map((readable) => renderAccount(context, call.bank, readable, withBalance))
  return ok({ accounts: await Promise.all(shown) })
}

async function one(context: Context, call: Xs2aCall): Promise<Xs2aAnswer> {
  const readable = await authoriseAccountRead(context, call, 'account')
  const withBalance = call.query['withBalance'] === 'true'
  return ok({ account: await renderAccount(context, call.bank, readable, withBalance) })
}

async function balances(context: Context, call: Xs2aCall): Promise<Xs2aAnswer> {
  const { account } = await authoriseAccountRead(context, call, 'balances')
  const reference = accountReference(call.bank, account)
  return ok({ account: reference, balances: await renderBalances(context, call.bank, account) })
}

async function transactions(context: Context, call: Xs2aCall): Promise<Xs2aAnswer> {
  const { bank } = call
  const query = parseTransactionQuery(context, call)
  const readable = await authoriseAccountRead(
    context,
    call,
    query.bookingStatus === 'pending' ? 'pending' : 'transactions',
  )
  const isWithBalance = query.withBalance && readable.opened.balances
  const account = accountReference(bank, readable.account)
  const entries = await pageEntries(context, bank, readable, query)
  if (bank.entries.paging !== 'links' && entries.length > bank.transactionsPerPage) {
    const path = `/accounts/${readable.opened.resource_id}/transactions/download`
    const download = transactionsLink(context, bank, `${path}/${newId()}`, formatTransactionQuery(query))
    return bank.entries.paging === 'download'
      ? ok({ account, _links: { download } })
      : { status: 200, stream: await streamReport(context, bank, readable, query) }
  }
  return ok({
    account,
    transactions: await transactionReport(context, bank, readable, { query, entries }),
    ...(isWithBalance ? { balances: await renderBalances(context, bank, readable.account) } : {}),
  })
}

/** The download that replaces a long list; it belongs to the read that returned the link, and is not counted again. */
async function download(context: Context, downloads: ReportDownloads, call: Xs2aCall): Promise<Xs2aAnswer> {
  const query = parseTransactionQuery(context, call)
  const readable = await authoriseAccountRead(context, call, 'download')
  return downloads.isReady(part(call, 'reportId'))
    ? { status: 200, stream: await streamReport(context, call.bank, readable, query) }
    : { status: 202, headers: { 'Retry-After': '1' }, body: {} }
}

/** The standard's file has two shapes for the details: this is the one of its text and example, not the nested one. */
async function transactionDetails(context: Context, call: Xs2aCall): Promise<Xs2aAnswer> {
  const { bank } = call
  if (!bank.entries.details) {
    throw xs2aError(405, 'SERVICE_INVALID', 'The bank returns entries in lists only')
  }
  const unknown = () => xs2aError(403, 'RESOURCE_UNKNOWN', 'The account has no such transaction')
  const id = idParameterOf(call, 'transactionId', unknown)
  const { account } = await authoriseAccountRead(context, call, `details ${id}`)
  const column = bank.entries.keeps === 'id' ? 'persistent_id' : 'id'
  const entry = await entryById(context, account, { column, id })
  if (entry === undefined) {
    throw unknown()
  }
  return ok({ transactionsDetails: renderBookedTransaction(bank, entry, { account, isAlone: true }) })
}

/** Reports in preparation; lost on restart, after which they are prepared again. */
type ReportDownloads = {
  /** Whether the report is ready; the first call starts its preparation. */
  isReady(link: string): boolean
}

/** Above this number all are prepared again. */
const REPORTS_MAX = 1_000

function openReportDownloads(): ReportDownloads {
  const begun = new Set<string>()
  return {
    isReady: (link) => {
      if (begun.delete(link)) {
        return true
      }
      if (begun.size >= REPORTS_MAX) {
        begun.clear()
      }
      begun.add(link)
      return false
    },
  }
}
