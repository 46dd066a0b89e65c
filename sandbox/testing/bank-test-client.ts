/** A third party at one bank, with the orders and error summaries that bank tests share. */

import { type BankTestData, bankTestDataOf, orderForBank } from './bank-test-data.ts'
import type { TestBank } from './test-bank.ts'
import { headersOf, type Reply, type ThirdParty, thirdPartyOf } from './third-party.ts'

/** A Monday morning before all cut-off times. */
export const MONDAY = '2031-03-03T08:00:00Z'
export const NO_MESSAGE = {
  remittanceInformationUnstructured: undefined,
  remittanceInformationUnstructuredArray: undefined,
}

export type BankTestClient = {
  readonly bank: BankTestData
  readonly tpp: ThirdParty
  /** Initiates an order that the bank accepts, with a test's changes. */
  place(changes?: object, headers?: object, path?: string): Promise<Reply>
}

export function bankTestClient(tested: () => TestBank, bic: string): BankTestClient {
  const bank = bankTestDataOf(bic)
  const tpp = thirdPartyOf(() => tested().bank, bank)
  return {
    bank,
    tpp,
    place: (changes = {}, headers = {}, path = bank.payments) =>
      tpp.send('POST', path, { body: orderForBank(bank, { ...changes }), headers: { ...headersOf(bank), ...headers } }),
  }
}

/** A structured reference as a string, as in the standard's file. */
export function text(reference: string) {
  return { ...NO_MESSAGE, remittanceInformationStructured: reference }
}

/** The same as an object. */
export function single(reference: string, referenceType = 'SCOR') {
  return { ...NO_MESSAGE, remittanceInformationStructured: { reference, referenceType } }
}

/** Status, code and path of an error, in either error format. */
export function errorSummary({ status, body }: Reply): readonly unknown[] {
  const text = JSON.stringify(body)
  const path = /"path":"([^"]+)"/.exec(text)?.[1] ?? /"detail":"([\w.-]+): /.exec(text)?.[1]
  return [status, /"code":"(\w+)"/.exec(text)?.[1], path]
}
