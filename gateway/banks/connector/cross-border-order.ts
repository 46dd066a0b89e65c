/** What a cross-border payment is as it is handed to a bank. */
import type { Money } from '../../platform/money.ts'
import type { PostalAddress } from './postal-address.ts'

/** A cross-border payment in the currency of the account that pays. */
export type CrossBorderOrder = {
  readonly endToEndId: string
  readonly debtor: {
    readonly bban: string
    readonly iban: string | null
    readonly name: string
    readonly currency: string
  }
  readonly creditor: {
    readonly account: ForeignAccount
    readonly bic: string
    /** What banks of the receiver's country are known by among themselves. */
    readonly clearingCode: string | null
    readonly name: string
    readonly address: PostalAddress
  }
  readonly amount: Money
  readonly dueDate: Temporal.PlainDate
  /** All that the receiver and the banks on the way are told. */
  readonly message: string
  readonly debtorReference: string | null
  readonly regulatoryReporting: { readonly code: string; readonly information: string | null } | null
}

/** An IBAN, or the number that a country without IBANs gives an account; letters and digits only. */
export type ForeignAccount = { readonly type: 'iban' | 'bban'; readonly number: string }
