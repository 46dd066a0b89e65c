/** A third party at a bank with bulks: orders of any size, and their statuses. */

import { type BankTestClient, bankTestClient } from './bank-test-client.ts'
import type { TestBank } from './test-bank.ts'
import { headersOf, type Reply } from './third-party.ts'

/** Receivers outside the sandbox's fixture. */
const OUTSIDE = { NOK: { bban: '86011117947' }, EUR: { iban: 'FI2112345600000785' } }

export type BulkTestClient = BankTestClient & {
  /** The path of bulks, e.g. `/bulk-payments/norwegian-domestic-credit-transfers`. */
  readonly bulks: string
  /** A payment of a bulk that the bank accepts, with a test's changes. */
  element(amount: string, changes?: object): Record<string, unknown>
  /** Initiates one bulk of payments with these amounts, or of the given ones. */
  order(payments: readonly (string | object)[], changes?: object, headers?: object): Promise<Reply>
  /** The same; returns the path of the bulk. */
  placed(payments: readonly (string | object)[], changes?: object): Promise<string>
  sign(path: string, userId?: string): Promise<void>
  clockTo(now: string): Promise<void>
  statusOf(path: string): Promise<string>
  /** The statuses of the payments in a bulk, in the bank's database. */
  inside(path: string): Promise<readonly (string | null)[]>
  balanceOf(bban: string): Promise<string | undefined>
}

export function bulkTestClient(tested: () => TestBank, bic: string): BulkTestClient {
  const visit = bankTestClient(tested, bic)
  const { bank, tpp } = visit
  const bulks = bank.payments.replace('/payments/', '/bulk-payments/')
  const element = (amount: string, changes: object = {}) => ({
    instructedAmount: { currency: bank.currency, amount },
    creditorAccount: OUTSIDE[bank.currency === 'EUR' ? 'EUR' : 'NOK'],
    creditorName: 'Unni Åsen',
    ...bank.remittance,
    ...changes,
  })
  const order = (payments: readonly (string | object)[], changes: object = {}, headers: object = {}) =>
    tpp.send('POST', bulks, {
      body: {
        debtorAccount: bank.account.main,
        payments: payments.map((one) => (typeof one === 'string' ? element(one) : one)),
        ...changes,
      },
      headers: { ...headersOf(bank), ...headers },
    })
  return {
    ...visit,
    bulks,
    element,
    order,
    placed: async (payments, changes) => `${bulks}/${(await order(payments, changes)).text('paymentId')}`,
    sign: (path, userId) => tpp.sign(`${path}/authorisations`, userId),
    clockTo: async (now) => {
      await tpp.control('POST', '/clock', { now })
    },
    statusOf: async (path) => (await tpp.send('GET', `${path}/status`)).text('transactionStatus'),
    inside: async (path) => {
      const { body } = await tpp.control('GET', `/payments/${path.split('/').at(-1)}/elements`)
      const elements: readonly { readonly transactionStatus: string | null }[] = Array.isArray(body) ? body : []
      return elements.map(({ transactionStatus }) => transactionStatus)
    },
    balanceOf: async (bban) => {
      const { body } = await tpp.control('GET', '/accounts')
      return new RegExp(`"bban":"${bban}","currency":"\\w+","balance":"([^"]+)"`).exec(JSON.stringify(body))?.[1]
    },
  }
}
