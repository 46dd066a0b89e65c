/** What a bank tells of accounts: which there are, what is on them, and what was booked. */
import type { Money } from '../foundation/money.ts'

export type BankAccount = {
  /** The bank's id of the account; valid within this consent only. */
  readonly resourceId: string
  readonly bban: string | null
  readonly iban: string | null
  readonly bic: string | null
  readonly name: string | null
  /** As the bank reports it; null where it does not. */
  readonly ownerName: string | null
  readonly currency: string
  readonly type: 'Current' | 'Savings' | 'Tax' | 'Currency' | 'Other'
  /** Whether the bank lets the user pay from it; null where the bank does not say. */
  readonly payable: boolean | null
}

export type BankBalance = { readonly available: Money | null; readonly booked: Money | null }

export type DayRange = { readonly from: Temporal.PlainDate; readonly to: Temporal.PlainDate }

/** An entry on an account. What the bank does not say is null. */
export type BookedEntry = {
  /** The bank's id of the entry. */
  readonly transactionId: string | null
  /** Negative where the account was debited. */
  readonly amount: Money
  readonly bookedOn: Temporal.PlainDate | null
  /** The other side, in its domestic form where that can be told. */
  readonly counterpartyBban: string | null
  /** Where the bank shows one: some Swedish IBANs leave out part of the domestic number. */
  readonly counterpartyIban: string | null
  readonly counterpartyName: string | null
  readonly endToEndId: string | null
  readonly reference: string | null
  readonly message: string | null
}
