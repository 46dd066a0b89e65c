/** Finds out what the parts of a cross-border payment mean, each part once, and builds its order from them. */
import type { AdditionalInformation } from '../../../contract/payment-parts.ts'
import type { CrossBorderPayment } from '../../../contract/payments/cross-border-payment.ts'
import { addressTexts, type CrossBorderOrder } from '../../banks/connector/bank-order.ts'
import { hasNumberOfAccount } from '../../countries/account-number.ts'
import { transliterate } from '../../countries/character-sets.ts'
import type { Destination } from '../../countries/destinations/destination.ts'
import { normaliseDestination } from '../../countries/destinations/normalise-destination.ts'
import { parseDay } from '../../platform/clock.ts'
import { type Money, parseMoney } from '../../platform/money.ts'
import { type ParsedDebtor, parseDebtor } from './domestic-payment-parts.ts'

type DestinationWithMessage = Destination & { readonly message: string }

/** A cross-border payment and what its parts mean; undefined where one is invalid or violates its schema. */
export type CrossBorderParts = {
  readonly ordered: CrossBorderPayment
  readonly debtor: ParsedDebtor
  /** What the creditor receives. */
  readonly amount: Money | undefined
  readonly dueDate: Temporal.PlainDate | undefined
  /** Without exchange, with the information that the country of destination requires. */
  readonly message: string | undefined
  readonly destination: DestinationWithMessage | undefined
  /** Whether the creditor's account, which may be invalid, is that of the debtor. */
  readonly isToOwnAccount: boolean
  /** Whether the creditor receives another currency than that of the debtor account. */
  readonly requiresExchange: boolean
}

/** A payment whose parts have the right shape, which a bank or an FX provider can execute. */
export type ValidCrossBorderPayment = {
  readonly [Part in keyof CrossBorderParts]: NonNullable<CrossBorderParts[Part]>
}

/** `isSound` states which parts have the right shape; the others are not read. */
export function parseCrossBorderParts(
  ordered: CrossBorderPayment,
  countryCode: string,
  isSound: (path: string) => boolean,
): CrossBorderParts {
  const amount = isSound('.amount') ? parseMoney(ordered.amount.amount, ordered.amount.currency) : undefined
  const message = isSound('.remittanceInformation') ? crossBorderMessageOf(ordered) : undefined
  const hasDestination = message !== undefined && isSound('.to') && isSound('.amount')
  // Of the creditor: both numbers, also the one that is not used.
  const { bban, iban }: { readonly bban?: unknown; readonly iban?: unknown } = ordered.to?.account ?? {}
  const debtor = parseDebtor(countryCode, isSound('.from.account.bban') ? ordered.from.account.bban : undefined)
  return {
    ordered,
    debtor,
    amount,
    dueDate: isSound('.dueDate') ? parseDay(ordered.dueDate) : undefined,
    message,
    destination: hasDestination ? destinationOf(ordered, message, amount) : undefined,
    isToOwnAccount: hasNumberOfAccount(countryCode, debtor, [bban, iban]),
    requiresExchange: requiresExchange(ordered),
  }
}

/** Returns undefined where a part is invalid that every order needs. */
export function asValidCrossBorderPayment(parts: CrossBorderParts): ValidCrossBorderPayment | undefined {
  const { amount, dueDate, message, destination } = parts
  return amount !== undefined && dueDate !== undefined && message !== undefined && destination !== undefined
    ? { ...parts, amount, dueDate, message, destination }
    : undefined
}

/** The order for the bank, in the characters that banks permit, with the IBAN that is computed from the debtor's number. */
export function crossBorderOrderOf({
  ordered: { metadata, from, to, remittanceInformation, regulatoryReporting },
  debtor: { bban, iban },
  destination,
  ...parts
}: ValidCrossBorderPayment): CrossBorderOrder {
  const { account, bic, clearingCode = null } = normaliseDestination(destination)
  return {
    endToEndId: metadata.endToEndId,
    debtor: { bban, iban, name: from.contactInformation.name, currency: from.currency },
    creditor: {
      account:
        'iban' in account
          ? { type: 'iban', number: account.iban }
          : { type: 'bban', number: account.bban.toUpperCase() },
      bic,
      clearingCode,
      name: transliterate(to.contactInformation.name),
      address: addressOf(to.contactInformation.address),
    },
    amount: parts.amount,
    dueDate: parts.dueDate,
    message: parts.message,
    debtorReference: remittanceInformation.debtorReference ?? null,
    regulatoryReporting:
      regulatoryReporting === undefined
        ? null
        : { code: regulatoryReporting.code, information: regulatoryReporting.information ?? null },
  }
}

/** The order of a payment that was accepted earlier. Throws for one that was not. */
export function orderOfAcceptedCrossBorderPayment(ordered: CrossBorderPayment, countryCode: string): CrossBorderOrder {
  const valid = asValidCrossBorderPayment(parseCrossBorderParts(ordered, countryCode, () => true))
  if (valid === undefined) {
    throw new Error('Expected a payment that was validated')
  }
  return crossBorderOrderOf(valid)
}

function addressOf(
  address: CrossBorderPayment['to']['contactInformation']['address'],
): CrossBorderOrder['creditor']['address'] {
  const texts = addressTexts(address).map(([field, text]) => [field, transliterate(text)])
  return { ...Object.fromEntries(texts), country: address.country }
}

/** Only the account number that `type` names is used. */
function destinationOf(
  { to, amount: requested, remittanceInformation }: CrossBorderPayment,
  message: string,
  amount: Money | undefined,
): DestinationWithMessage {
  const { type, bic, iban, bban, clearingCode } = to.account
  const number = type === 'iban' ? { ...(iban !== undefined && { iban }) } : { ...(bban !== undefined && { bban }) }
  return {
    account: { ...number, bic, ...(clearingCode !== undefined && { clearingCode }) },
    address: to.contactInformation.address,
    currency: requested.currency,
    ...(amount !== undefined && { amount }),
    additionalInformation: remittanceInformation.additionalInformation ?? [],
    message,
  }
}

const labelByType: Readonly<Record<AdditionalInformation['type'], string>> = {
  Purpose: 'purpose',
  Reason: 'reason',
  TaxCode: 'tax code',
}

/**
 * One text in the permitted characters. The standard's cross-border product has no fields for purpose, reason and tax
 * code: what the destination requires is put in front of the message. FX providers have such fields (decision 0070).
 */
export function crossBorderMessageOf(ordered: CrossBorderPayment): string {
  const { message, additionalInformation = [] } = ordered.remittanceInformation
  const required = requiresExchange(ordered)
    ? []
    : additionalInformation.map(({ type, value }) => `${labelByType[type]} ${value.trim()}`)
  return transliterate([...required, message.trim()].join(', '))
}

/** The payment may not be validated yet. */
function requiresExchange({
  amount,
  from,
}: {
  readonly amount?: { readonly currency?: unknown }
  readonly from?: { readonly currency?: unknown }
}): boolean {
  const [paid, held] = [amount?.currency, from?.currency]
  return typeof paid === 'string' && typeof held === 'string' && paid !== held
}
