/** What tests of single banks share: a third party at a bank by its BIC, and a look at how it says no. */

import { type BankOfTests, bankOfTests, orderAt } from './bank-test-data.ts'
import type { BankForTests } from './test-bank.ts'
import { headersOf, type Reply, type ThirdParty, thirdPartyOf } from './third-party.ts'

/** A Monday morning without cut-off times passed. */
export const MONDAY = '2031-03-03T08:00:00Z'
export const NO_MESSAGE = {
  remittanceInformationUnstructured: undefined,
  remittanceInformationUnstructuredArray: undefined,
}

export type Visit = {
  readonly bank: BankOfTests
  readonly tpp: ThirdParty
  /** Places an order that the bank takes, but for what a test changes. */
  place(changes?: object, headers?: object, path?: string): Promise<Reply>
}

/** A third party at a bank, and what it does most. */
export function visitTo(tested: () => BankForTests, bic: string): Visit {
  const bank = bankOfTests(bic)
  const tpp = thirdPartyOf(() => tested().bank, bank)
  return {
    bank,
    tpp,
    place: (changes = {}, headers = {}, path = bank.payments) =>
      tpp.send('POST', path, { body: orderAt(bank, { ...changes }), headers: { ...headersOf(bank), ...headers } }),
  }
}

/** A reference in place of a message, as the standard's file has it. */
export function text(reference: string) {
  return { ...NO_MESSAGE, remittanceInformationStructured: reference }
}

/** The same as an object. */
export function single(reference: string, referenceType = 'SCOR') {
  return { ...NO_MESSAGE, remittanceInformationStructured: { reference, referenceType } }
}

/** Status, code and path of a refusal, in either error format. */
export function refusal({ status, body }: Reply): readonly unknown[] {
  const text = JSON.stringify(body)
  const path = /"path":"([^"]+)"/.exec(text)?.[1] ?? /"detail":"([\w.-]+): /.exec(text)?.[1]
  return [status, /"code":"(\w+)"/.exec(text)?.[1], path]
}
