/** Types of a cross-border payment as submitted to a bank. */
import type { Money } from '../../platform/money.ts'
import type { PostalAddress } from './postal-address.ts'

/** A cross-border payment in the currency of the debtor account. */
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
    /** National clearing code of the creditor's bank. */
    readonly clearingCode: string | null
    readonly name: string
    readonly address: PostalAddress
  }
  readonly amount: Money
  readonly dueDate: Temporal.PlainDate
  /** The only text that reaches the creditor and the intermediary banks. */
  readonly message: string
  readonly debtorReference: string | null
  readonly regulatoryReporting: { readonly code: string; readonly information: string | null } | null
}

/** An IBAN, or a domestic account number of a country without IBANs; letters and digits only. */
export type ForeignAccount = { readonly type: 'iban' | 'bban'; readonly number: string }
