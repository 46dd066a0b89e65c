/** Types of a domestic payment as submitted to a bank, and of its creditor numbers. */
import type { DomesticRail } from '../../countries/country.ts'
import { countryRules } from '../../countries/served-countries.ts'
import type { Money } from '../../platform/money.ts'
import type { PostalAddress } from './postal-address.ts'

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
    /** Absent where the address or its country is unknown. */
    readonly address?: PostalAddress
  }
  readonly amount: Money
  readonly dueDate: Temporal.PlainDate
  readonly remittance: Remittance | null
  readonly purposeCode: string | null
}

/** The creditor: an account, a Swedish giro number with hyphen, or the number on a Danish payment form. */
export type CreditorAccount =
  | { readonly type: 'account'; readonly bban: string; readonly iban: string | null }
  | { readonly type: 'bankgiro' | 'plusgiro'; readonly number: string }
  | { readonly type: 'payment-form'; readonly number: string }

/** The creditor's number of any kind. */
export function creditorAccountNumber(account: CreditorAccount): string {
  return account.type === 'account' ? account.bban : account.number
}

/** The rail of a number from `creditorAccountNumber`, by the country's number formats. */
export function domesticRailOf(creditorBban: string, countryCode: string): DomesticRail {
  return countryRules(countryCode)?.railOf(creditorBban) ?? 'account'
}

/** References are in the normalised form of `countries/`; the payment id of a form is padded to its full length. */
export type Remittance =
  | { readonly type: 'message'; readonly value: string; readonly debtorReference?: string }
  | { readonly type: 'ocr'; readonly value: string }
  | {
      readonly type: 'fik'
      readonly cardType: string
      readonly paymentId: string | null
      readonly message: string | null
    }
