/** The account operations of XS2A, one line each. */
import type { BankContext } from '../context.ts'
import { refuse } from '../refusal.ts'
import { idPart, type Xs2aAnswer, type Xs2aCall, type Xs2aRoute } from '../xs2a/call.ts'
import { accountDetails, balancesOf } from './account-details.ts'
import { accountReference } from './account-reference.ts'
import { admitAccount, admitList } from './admit-read.ts'
import { entryById } from './entry-store.ts'
import { readTransactionQuery } from './transaction-query.ts'
import { bookedTransaction, transactionReport } from './transactions.ts'

const ONE = '/accounts/:accountId'

export function accountRoutes(context: BankContext): readonly Xs2aRoute[] {
  return [
    { method: 'GET', path: '/accounts', operation: 'getAccounts', handle: async (call) => await list(context, call) },
    { method: 'GET', path: ONE, operation: 'getAccount', handle: async (call) => await one(context, call) },
    {
      method: 'GET',
      path: `${ONE}/balances`,
      operation: 'getBalances',
      handle: async (call) => await balances(context, call),
    },
    {
      method: 'GET',
      path: `${ONE}/transactions`,
      operation: 'getTransactions',
      handle: async (call) => await transactions(context, call),
    },
    {
      method: 'GET',
      path: `${ONE}/transactions/:transactionId`,
      operation: 'getTransactionDetails',
      handle: async (call) => await transactionDetails(context, call),
    },
  ]
}

async function list(context: BankContext, call: Xs2aCall): Promise<Xs2aAnswer> {
  const { accounts } = await admitList(context, call)
  const withBalance = call.query['withBalance'] === 'true'
  const shown = accounts.map((readable) => accountDetails(context, call.bank, readable, withBalance))
  return { status: 200, body: { accounts: await Promise.all(shown) } }
}

async function one(context: BankContext, call: Xs2aCall): Promise<Xs2aAnswer> {
  const readable = await admitAccount(context, call, 'account')
  const withBalance = call.query['withBalance'] === 'true'
  return { status: 200, body: { account: await accountDetails(context, call.bank, readable, withBalance) } }
}

async function balances(context: BankContext, call: Xs2aCall): Promise<Xs2aAnswer> {
  const { account } = await admitAccount(context, call, 'balances')
  const body = {
    account: accountReference(call.bank, account),
    balances: await balancesOf(context, call.bank, account),
  }
  return { status: 200, body }
}

async function transactions(context: BankContext, call: Xs2aCall): Promise<Xs2aAnswer> {
  const query = readTransactionQuery(context, call)
  const readable = await admitAccount(context, call, 'transactions')
  const isWithBalance = query.withBalance && readable.opened.balances
  return {
    status: 200,
    body: {
      account: accountReference(call.bank, readable.account),
      transactions: await transactionReport(context, call.bank, readable, query),
      ...(isWithBalance ? { balances: await balancesOf(context, call.bank, readable.account) } : {}),
    },
  }
}

/** The standard's file has the details in two shapes: this is the one of its text and example, not the one wrapped twice. */
async function transactionDetails(context: BankContext, call: Xs2aCall): Promise<Xs2aAnswer> {
  const { account } = await admitAccount(context, call, 'details')
  const unknown = () => refuse(403, 'RESOURCE_UNKNOWN', 'The account has no such transaction')
  const entry = await entryById(context.database.query, account, idPart(call, 'transactionId', unknown))
  if (entry === undefined) {
    throw unknown()
  }
  return { status: 200, body: { transactionsDetails: bookedTransaction(call.bank, entry) } }
}
