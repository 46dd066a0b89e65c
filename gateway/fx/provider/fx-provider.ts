/** The port to providers of exchange: what a connector offers, in words of ours. Refusals are thrown as `FxRefusal`. */
import type { Beneficiary, IntermediaryAccount, RequiredDetails } from '../providers/beneficiary.ts'
import type {
  BookingAsked,
  Conversion,
  ConversionCancelled,
  ProviderQuote,
  ProviderRate,
  QuoteAsked,
  RateAsked,
} from '../providers/conversion.ts'
import type { PayoutOrder, ProviderPayment } from '../providers/payout.ts'
import type { ArrivedNotice, ProviderNotice } from '../providers/provider-notification.ts'
import type { ProviderReceipt, ReceiptReturn, UnreadReceipt } from './receipt.ts'

/**
 * A company that changes money and pays it out. Whatever moves money takes a `requestId` of ours and is safe to repeat
 * with it; refused as `outcome-unknown`, the `find…` verb tells what became of it.
 */
export type FxProvider = {
  readonly name: string
  /** The rate at this moment; holds nothing. */
  rate(asked: RateAsked): Promise<ProviderRate>
  /** What receivers of a currency in a country have to tell. */
  requirements(asked: { readonly country: string; readonly currency: string }): Promise<readonly RequiredDetails[]>
  /** Returns when the provider would take this receiver; refuses as `invalid` with its problems otherwise. */
  validateBeneficiary(beneficiary: Beneficiary): Promise<void>
  quote(asked: QuoteAsked): Promise<ProviderQuote>
  book(asked: BookingAsked): Promise<Conversion>
  /** Null when the provider never booked one under this id of ours. */
  findConversion(requestId: string): Promise<Conversion | null>
  readConversion(id: string): Promise<Conversion>
  /** Undoes a conversion that has not settled; one already undone counts as cancelled now. `too-late` after that. */
  cancelConversion(id: string): Promise<ConversionCancelled>
  /** Where money of a currency is paid to from accounts in a country; null when there is no domestic account there. */
  intermediaryAccount(asked: {
    readonly currency: string
    readonly country: string
  }): Promise<IntermediaryAccount | null>
  /** Makes a receiver known; asked for again with the same request id, the same one. */
  createBeneficiary(beneficiary: Beneficiary, requestId: string): Promise<{ readonly id: string }>
  payOut(order: PayoutOrder): Promise<ProviderPayment>
  /** Null when the provider never took one under this id of ours. */
  findPayout(requestId: string): Promise<ProviderPayment | null>
  readPayout(id: string): Promise<ProviderPayment>
  /** Deletes a payout that has not left; one already deleted counts as deleted now. `too-late` after that. */
  deletePayout(id: string): Promise<void>
  /**
   * Money that arrived at or after an instant, oldest first, some at a time. What was told before comes again when it
   * is asked for again: whoever takes receipts knows them by their ids. One that cannot be read stands in nobody's way.
   */
  receipts(since: Temporal.Instant): AsyncIterable<readonly (ProviderReceipt | UnreadReceipt)[]>
  readReceipt(id: string): Promise<ProviderReceipt>
  /** Sends what arrived back to the account it came from; with the same request id, once. */
  returnReceipt(receiptId: string, requestId: string): Promise<ReceiptReturn>
  /** What a notification tells, once it is known to be the provider's; null when forged or about nothing of ours. */
  readNotice(arrived: ArrivedNotice): ProviderNotice | null
}
