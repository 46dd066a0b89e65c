/** A domestic payment as a bank is given it, and the numbers that it is paid to. */
import { giroKind } from '../../countries/sweden/giro.ts'
import type { Money } from '../../platform/money.ts'
import type { DomesticRail } from '../directory/bank.ts'
import type { PostalAddress } from './postal-address.ts'

/** A domestic payment as it is handed to a bank. */
export type DomesticOrder = {
  readonly endToEndId: string
  readonly debtor: {
    readonly bban: string
    readonly iban: string | null
    readonly name: string
    readonly currency: string
  }
  readonly creditor: {
    readonly account: CreditorAccount
    readonly name: string
    /** Absent where it is not known, or not to which country it belongs. */
    readonly address?: PostalAddress
  }
  readonly amount: Money
  readonly dueDate: Temporal.PlainDate
  readonly remittance: Remittance | null
  readonly purposeCode: string | null
}

/** What is paid: an account, a Swedish giro number with its hyphen, or the number on a Danish payment form. */
export type CreditorAccount =
  | { readonly type: 'account'; readonly bban: string; readonly iban: string | null }
  | { readonly type: 'bankgiro' | 'plusgiro'; readonly number: string }
  | { readonly type: 'payment-form'; readonly number: string }

/** The number that is paid, whatever its kind. */
export function numberOf(account: CreditorAccount): string {
  return account.type === 'account' ? account.bban : account.number
}

/** The rail of a receiver's number as `numberOf` gives it, by the country's forms of such numbers. */
export function railOf(creditorBban: string, countryCode: string): DomesticRail {
  if (countryCode === 'DK') {
    return creditorBban.length < DANISH_ACCOUNT_DIGITS ? 'payment-form' : 'account'
  }
  return countryCode === 'SE' ? (giroKind(creditorBban) ?? 'account') : 'account'
}

/** Creditor and giro numbers on payment forms have eight digits at most. */
const DANISH_ACCOUNT_DIGITS = 14

/** References are in the form that `countries/` keeps; the payment id of a form is padded to its full length. */
export type Remittance =
  | { readonly type: 'message'; readonly value: string; readonly debtorReference?: string }
  | { readonly type: 'ocr'; readonly value: string }
  | {
      readonly type: 'fik'
      readonly cardType: string
      readonly paymentId: string | null
      readonly message: string | null
    }
