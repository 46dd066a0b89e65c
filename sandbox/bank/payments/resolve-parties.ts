/** Finds who pays and who is paid by an order: an account here or abroad, a giro number, or that of a Danish payment form. */

import type { Account, BankProfile, Rail, ReferenceDemand, World } from '../fixture.ts'
import { accountNumberOf, rulesOf } from '../national/rules-by-country.ts'
import { readGiroNumber } from '../national/sweden.ts'
import { formatProblem, type RefusalMessage } from '../refusal.ts'
import { accountNumbered, receiverOf } from '../world.ts'
import { accountAbroad, readForeignNumber } from './cross-border-validation.ts'
import type { AccountReference } from './payment-order.ts'

/** Who is paid. */
export type Creditor = {
  readonly rail: Rail
  /** The number as the bank keeps it. */
  readonly number: string
  /** Whether the money stays in the bank. */
  readonly isInside: boolean
  readonly demand: ReferenceDemand | null
  /** Card types that the number of a payment form takes; null where the bank does not know it. */
  readonly cardTypes: readonly string[] | null
}

/** A number that was read, or what is wrong with it. */
type Read<Value> = { readonly value: Value } | { readonly problem: RefusalMessage }

/** Giro numbers at banks that write them with a prefix. */
const PREFIXED_GIRO = /^(BG|PG) ?([0-9-]+)$/
const FORM_SCHEMES: readonly (string | undefined)[] = ['giro', 'giro1', 'giro2']

/** Reads the account that pays. */
export function readDebtor(world: World, bank: BankProfile, reference: AccountReference): Read<string> {
  return readAccount(world, bank, reference, 'debtorAccount')
}

/** Reads whom an order pays, by the ways that its product offers. */
export function readCreditor(
  world: World,
  bank: BankProfile,
  rails: readonly Rail[],
  reference: AccountReference,
): Read<Creditor> {
  if (rails.includes('cross-border')) {
    const number = readForeignNumber(bank, reference)
    return typeof number === 'string' ? { value: crossBorderCreditor(number) } : { problem: number }
  }
  const { bban = '', other } = reference
  const [, prefix, giro = ''] = PREFIXED_GIRO.exec(bban) ?? []
  if (other !== undefined) {
    return onRail(world, bank, rails, { rail: 'payment-form', number: formNumber(other) })
  }
  if (prefix !== undefined) {
    const rail = prefix === 'BG' ? 'bankgiro' : 'plusgiro'
    return onRail(world, bank, rails, { rail, number: readGiroNumber(rail, giro) })
  }
  const read = readAccount(world, bank, reference, 'creditorAccount')
  return 'problem' in read ? read : onRail(world, bank, rails, { rail: 'account', number: read.value })
}

/** Nothing is known of accounts abroad, and all of them take whatever message comes. */
function crossBorderCreditor(number: string): Creditor {
  return { rail: 'cross-border', number, isInside: false, demand: null, cardTypes: null }
}

function onRail(
  world: World,
  bank: BankProfile,
  rails: readonly Rail[],
  { rail, number }: { readonly rail: Rail; readonly number: string | undefined },
): Read<Creditor> {
  if (number === undefined || !rails.includes(rail)) {
    const text = rails.includes(rail) ? `This is no ${rail} number` : `The product does not pay to a ${rail}`
    return { problem: formatProblem('creditorAccount', text) }
  }
  if (rail === 'account') {
    const account = accountNumbered(world, bank, number)
    return {
      value: { rail, number, isInside: account !== undefined, demand: account?.demand ?? null, cardTypes: null },
    }
  }
  const receiver = receiverOf(world, bank, rail, number)
  const isInside = receiver?.account?.bic === bank.bic
  const { demand = null, cardTypes = null } = receiver ?? {}
  return { value: { rail, number, isInside, demand, cardTypes } }
}

function readAccount(
  world: World,
  bank: BankProfile,
  reference: AccountReference,
  path: 'debtorAccount' | 'creditorAccount',
): Read<string> {
  const form = reference.bban === undefined ? 'iban' : 'bban'
  if (reference[form] !== undefined && !bank.accountForms.includes(form)) {
    return { problem: formatProblem(path, `The bank takes account numbers as ${bank.accountForms.join(' or ')}`) }
  }
  const number = accountNumberOf(bank, reference)
  return number === undefined
    ? { problem: formatProblem(path, `The account number is not ${rulesOf(bank).words.account}`) }
    : { value: accountNumbered(world, bank, number)?.bban ?? number }
}

function formNumber({ identification, schemeNameProprietary }: NonNullable<AccountReference['other']>) {
  const isForm = FORM_SCHEMES.includes(schemeNameProprietary) && /^[0-9]{7,8}$/.test(identification)
  return isForm ? identification : undefined
}

/** The account of this world that a payment's money goes to, at whatever bank; undefined outside this world. */
export function receivingAccount(
  world: World,
  bank: BankProfile,
  { rail, creditor, currency }: { readonly rail: Rail; readonly creditor: string; readonly currency: string },
): Account | undefined {
  if (rail === 'cross-border') {
    return accountAbroad(world, creditor, currency)
  }
  if (rail !== 'account') {
    const paid = receiverOf(world, bank, rail, creditor)?.account
    return world.accounts.find(({ bic, bban }) => bic === paid?.bic && bban === paid.bban)
  }
  const neighbours = world.banks.filter(({ country, bic }) => country === bank.country && bic !== bank.bic)
  return [bank, ...neighbours].map((one) => accountNumbered(world, one, creditor)).find((found) => found !== undefined)
}
