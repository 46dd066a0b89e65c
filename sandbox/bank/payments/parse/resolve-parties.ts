/** Resolves debtor and creditor of an order: accounts, giro numbers and Danish payment forms. */

import type { Account, BankFixture, BankProfile, Rail, ReferenceDemand } from '../../fixture.ts'
import { accountByNumber, receiverOf } from '../../fixture-lookup.ts'
import { accountNumberOf, rulesOf } from '../../national/rules-by-country.ts'
import { readGiroNumber } from '../../national/sweden.ts'
import { formatErrorMessage, type Xs2aErrorMessage } from '../../xs2a-error.ts'
import { findCrossBorderAccount, parseForeignAccountNumber } from './cross-border-validation.ts'
import type { AccountReference } from './payment-order.ts'

export type Creditor = {
  readonly rail: Rail
  /** The number as the bank stores it. */
  readonly number: string
  /** Whether the creditor's account is at the same bank. */
  readonly isInside: boolean
  readonly demand: ReferenceDemand | null
  /** Card types that a payment form's number accepts; null where the bank does not know it. */
  readonly cardTypes: readonly string[] | null
}

type Resolved<Value> = { readonly value: Value } | { readonly validationError: Xs2aErrorMessage }

/** Giro numbers at banks that write them with a prefix. */
const PREFIXED_GIRO = /^(BG|PG) ?([0-9-]+)$/
const FORM_SCHEMES: readonly (string | undefined)[] = ['giro', 'giro1', 'giro2']

export function resolveDebtor(fixture: BankFixture, bank: BankProfile, reference: AccountReference): Resolved<string> {
  const read = readAccount(fixture, bank, reference, 'debtorAccount')
  const account = 'value' in read ? accountByNumber(fixture, bank, read.value) : undefined
  return account === undefined || (reference.currency ?? account.currency) === account.currency
    ? read
    : { validationError: formatErrorMessage('debtorAccount', `The account is in ${account.currency}`) }
}

/** Parses the creditor, by the rails of the product. */
export function resolveCreditor(
  fixture: BankFixture,
  bank: BankProfile,
  rails: readonly Rail[],
  reference: AccountReference,
): Resolved<Creditor> {
  if (rails.includes('cross-border')) {
    const number = parseForeignAccountNumber(bank, reference)
    return typeof number === 'string' ? { value: crossBorderCreditor(number) } : { validationError: number }
  }
  const { bban = '', other } = reference
  const [, prefix, giro = ''] = PREFIXED_GIRO.exec(bban) ?? []
  if (other !== undefined) {
    return creditorOnRail(fixture, bank, rails, { rail: 'payment-form', number: formNumber(other) })
  }
  if (prefix !== undefined) {
    const rail = prefix === 'BG' ? 'bankgiro' : 'plusgiro'
    return creditorOnRail(fixture, bank, rails, { rail, number: readGiroNumber(rail, giro) })
  }
  const read = readAccount(fixture, bank, reference, 'creditorAccount')
  return 'validationError' in read
    ? read
    : creditorOnRail(fixture, bank, rails, { rail: 'account', number: read.value })
}

/** Accounts abroad are unknown, and are assumed to accept any message. */
function crossBorderCreditor(number: string): Creditor {
  return { rail: 'cross-border', number, isInside: false, demand: null, cardTypes: null }
}

function creditorOnRail(
  fixture: BankFixture,
  bank: BankProfile,
  rails: readonly Rail[],
  { rail, number }: { readonly rail: Rail; readonly number: string | undefined },
): Resolved<Creditor> {
  if (number === undefined || !rails.includes(rail)) {
    const text = rails.includes(rail) ? `This is not a ${rail} number` : `The product does not pay to a ${rail}`
    return { validationError: formatErrorMessage('creditorAccount', text) }
  }
  if (rail === 'account') {
    const account = accountByNumber(fixture, bank, number)
    return {
      value: { rail, number, isInside: account !== undefined, demand: account?.demand ?? null, cardTypes: null },
    }
  }
  const receiver = receiverOf(fixture, bank, rail, number)
  const isInside = receiver?.account?.bic === bank.bic
  const { demand = null, cardTypes = null } = receiver ?? {}
  return { value: { rail, number, isInside, demand, cardTypes } }
}

function readAccount(
  fixture: BankFixture,
  bank: BankProfile,
  reference: AccountReference,
  path: 'debtorAccount' | 'creditorAccount',
): Resolved<string> {
  const form = reference.bban === undefined ? 'iban' : 'bban'
  if (reference[form] !== undefined && !bank.accountForms.includes(form)) {
    return {
      validationError: formatErrorMessage(
        path,
        `The bank accepts account numbers as ${bank.accountForms.join(' or ')}`,
      ),
    }
  }
  const number = accountNumberOf(bank, reference)
  return number === undefined
    ? { validationError: formatErrorMessage(path, `The account number is not ${rulesOf(bank).words.account}`) }
    : { value: accountByNumber(fixture, bank, number)?.bban ?? number }
}

function formNumber({ identification, schemeNameProprietary }: NonNullable<AccountReference['other']>) {
  const isForm = FORM_SCHEMES.includes(schemeNameProprietary) && /^[0-9]{7,8}$/.test(identification)
  return isForm ? identification : undefined
}

/** The account in this fixture, at any bank, that a payment credits; undefined outside this fixture. */
export function receivingAccount(
  fixture: BankFixture,
  bank: BankProfile,
  { rail, creditor, currency }: { readonly rail: Rail; readonly creditor: string; readonly currency: string },
): Account | undefined {
  if (rail === 'cross-border') {
    return findCrossBorderAccount(fixture, creditor, currency)
  }
  if (rail !== 'account') {
    const paid = receiverOf(fixture, bank, rail, creditor)?.account
    return fixture.accounts.find(({ bic, bban }) => bic === paid?.bic && bban === paid.bban)
  }
  const neighbours = fixture.banks.filter(({ country, bic }) => country === bank.country && bic !== bank.bic)
  return [bank, ...neighbours]
    .map((one) => accountByNumber(fixture, one, creditor))
    .find((found) => found !== undefined)
}
