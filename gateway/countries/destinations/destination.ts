/** Defines the destination of a cross-border payment, and the errors and warnings of its validation. */
import type { Money } from '../../platform/money.ts'

/** Fields of an address. */
export type AddressMember = 'streetName' | 'buildingNumber' | 'city' | 'postCode' | 'country'

export type InformationType = 'TaxCode' | 'Reason' | 'Purpose'

/** A receiver and its account as requested; only the types of the fields are checked. */
export type Destination = {
  readonly account: {
    readonly iban?: string
    /** The national account number, or an IBAN. */
    readonly bban?: string
    readonly bic: string
    readonly clearingCode?: string
  }
  readonly address: { readonly country: string } & { readonly [member in AddressMember]?: string | undefined }
  /** The payout currency (ISO 4217). */
  readonly currency: string
  /** The amount, in any currency; some countries require more for large payments. */
  readonly amount?: Money
  readonly additionalInformation: readonly { readonly type: InformationType; readonly value: string }[]
  /** The remittance text; absent where other rules than the country's apply to it. */
  readonly message?: string
}

/** The field of an error. */
export type DestinationPart =
  | 'iban'
  | 'bban'
  | 'bic'
  | 'clearingCode'
  | `address.${AddressMember}`
  | 'currency'
  | 'additionalInformation'
  | 'message'

/** The fault, which each operation maps to its own code. */
export type DestinationFault =
  /** Payments to the country of the receiver (`address.country`) or its bank (`bic`) are not supported. */
  | { readonly kind: 'country-unsupported'; readonly country: string }
  | { readonly kind: 'currency-not-accepted'; readonly accepted: readonly string[] }
  /** Neither an IBAN nor another number. */
  | { readonly kind: 'account-missing' }
  /** There is an account number, but the country requires an IBAN. */
  | { readonly kind: 'iban-missing' }
  | { readonly kind: 'iban-malformed' }
  /** There is an IBAN, but the country has no IBANs. */
  | { readonly kind: 'iban-not-taken' }
  | { readonly kind: 'account-malformed' }
  | { readonly kind: 'bic-malformed' }
  /** The BIC is of another country than the IBAN. */
  | { readonly kind: 'bic-mismatch' }
  | { readonly kind: 'clearing-code-missing' }
  | { readonly kind: 'clearing-code-malformed' }
  | { readonly kind: 'address-missing'; readonly member: AddressMember }
  | { readonly kind: 'address-malformed'; readonly member: AddressMember }
  | { readonly kind: 'information-missing'; readonly type: InformationType }
  | { readonly kind: 'information-malformed'; readonly type: InformationType }
  | { readonly kind: 'information-twice'; readonly type: InformationType }
  | { readonly kind: 'message-malformed' }

/** One error; the reason completes "It …". */
export type DestinationError = {
  readonly part: DestinationPart
  /** The index in `additionalInformation`, if the error is about one element. */
  readonly index?: number
  readonly fault: DestinationFault
  readonly reason: string
}

/** Something that looks wrong, though it may be valid; the reason completes "It …". */
export type DestinationWarning = Omit<DestinationError, 'fault'> & { readonly fault?: undefined }

/** What a rule finds, in the order of the fields. */
export type Finding = DestinationError | DestinationWarning
