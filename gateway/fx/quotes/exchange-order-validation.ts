/** Validates an exchange order before any provider is called; returns all errors with the codes of the operation. */

import type { ExchangeOrder } from '../../../contract/fx/exchange-order.ts'
import type { ExchangeCode } from '../../../contract/fx/fx-operations.ts'
import type { Context } from '../../context.ts'
import { checkAccountNumber, hasNumberOfAccount } from '../../countries/account-number.ts'
import { checkBic } from '../../countries/bic.ts'
import { NAME_LENGTH_WITH_EXCHANGE, transliterate } from '../../countries/character-sets.ts'
import { messageUnsupportedReason } from '../../countries/destinations/additional-information-validation.ts'
import { addressTextError } from '../../countries/destinations/address-validation.ts'
import type { AddressMember } from '../../countries/destinations/destination.ts'
import { destinationErrors } from '../../countries/destinations/destination-validation.ts'
import { checkIban } from '../../countries/iban.ts'
import { SERVED_COUNTRIES } from '../../countries/served-countries.ts'
import { parseDay } from '../../platform/clock.ts'
import { withoutSeparators } from '../../platform/copied-text.ts'
import type { ValidationError } from '../../platform/http/errors/api-error.ts'
import { currencyScale, parseMoney } from '../../platform/money.ts'
import { currencyRules } from '../availability/currency-rules.ts'
import { EXCHANGE_LIMIT_CODES, validateExchangeLimits } from '../availability/exchange-limit-validation.ts'
import { type ServiceStatus, serviceStatusAt } from '../availability/service-hours.ts'
import { debtorOf, destinationOf, exchangeSideOf } from './exchange-order.ts'
import { destinationValidationError } from './provider-error-mapping.ts'

export function exchangeOrderErrors(order: ExchangeOrder, context: Context): readonly ValidationError[] {
  const { country } = order.from
  const service = SERVED_COUNTRIES.includes(country) ? serviceStatusAt(context, country) : null
  const rules = [fromBic, fromCountry, fromAccount, fromName, fundingCurrency, toAccount, toName, currencyPair]
  const found = [...rules, amountScale, dueDate, purposeCode].flatMap((rule) => rule(order) ?? [])
  const destination = destinationErrors(destinationOf(order)).map((validationError) =>
    destinationValidationError(order, validationError),
  )
  const addresses = [
    ...addressTexts(order, 'from', unparsable),
    ...addressTexts(order, 'to', (path, reason) => validationError('InvalidToAddress', path, reason)),
  ]
  return firstOfEachPath([...found, ...addresses, ...destination, ...timeErrors(order, service)])
}

type MaybeError = ValidationError | undefined

function fromBic({ from }: ExchangeOrder): MaybeError {
  const checked = checkBic(from.bic)
  return checked.ok ? undefined : validationError('InvalidBIC', '.from.bic', checked.reason)
}

function fromCountry({ from }: ExchangeOrder): MaybeError {
  if (!SERVED_COUNTRIES.includes(from.country)) {
    return validationError('InvalidFromCountry', '.from.country', `must be one of ${SERVED_COUNTRIES.join(', ')}`)
  }
  const ofBic = from.bic.slice(4, 6)
  return !checkBic(from.bic).ok || ofBic === from.country
    ? undefined
    : validationError('InvalidFromCountry', '.from.country', `is not the country of the BIC, ${ofBic}`)
}

function fromAccount(order: ExchangeOrder): MaybeError {
  const { country, bban } = order.from
  if (!SERVED_COUNTRIES.includes(country)) {
    return undefined
  }
  const checked = checkAccountNumber(country, bban)
  const asIban = checkIban(bban)
  if (!checked.ok && !(asIban.ok && asIban.iban.startsWith(country))) {
    return validationError('InvalidFromAccount', '.from.bban', `The account number ${checked.reason}`)
  }
  const sender = debtorOf(order)
  const { iban, bban: other } = order.to.account
  return hasNumberOfAccount(country, sender, [iban, other])
    ? validationError('InvalidFromAccount', '.from.bban', 'must not be the account of the receiver')
    : undefined
}

function fromName({ from }: ExchangeOrder): MaybeError {
  const reason = nameUnsupportedReason(from.contactInformation.name)
  return reason === undefined ? undefined : unparsable('.from.contactInformation.name', reason)
}

/** A name becomes longer where letters are sent as two: Ø as OE. */
function nameUnsupportedReason(name: string): string | undefined {
  const [max, length] = [NAME_LENGTH_WITH_EXCHANGE, [...transliterate(name)].length]
  return length > max
    ? `has ${length} characters; payments with exchange accept at most ${max}`
    : messageUnsupportedReason(name)
}

const ADDRESS_FIELDS: readonly AddressMember[] = ['streetName', 'buildingNumber', 'city', 'postCode', 'country']

/** The rules of cross-border payments; both addresses are sent with the payout. */
function addressTexts(
  order: ExchangeOrder,
  side: 'from' | 'to',
  error: (path: string, reason: string) => ValidationError,
): readonly ValidationError[] {
  const { address } = order[side].contactInformation
  return ADDRESS_FIELDS.flatMap((field) => {
    const reason = addressTextError(field, address[field], { travels: true })
    return reason === undefined ? [] : [error(`.${side}.contactInformation.address.${field}`, reason)]
  })
}

function fundingCurrency({ from }: ExchangeOrder): MaybeError {
  const rules = currencyRules(from.currency)
  const isServed = SERVED_COUNTRIES.includes(from.country)
  return rules === undefined || (isServed && !rules.fundingFrom.includes(from.country))
    ? validationError(
        'InvalidCurrency',
        '.from.currency',
        `Exchanges cannot be funded in ${from.currency} from ${from.country}`,
      )
    : undefined
}

function toAccount({ to }: ExchangeOrder): MaybeError {
  const { iban = '', bban = '' } = to.account
  const [one, other] = [iban, bban].map((text) => withoutSeparators(text).toUpperCase())
  return one !== '' && one === other
    ? validationError('InvalidToAccount', '.to.account.bban', 'is the same as the IBAN: send one of them')
    : undefined
}

function toName({ to }: ExchangeOrder): MaybeError {
  const reason = nameUnsupportedReason(to.contactInformation.name)
  return reason === undefined
    ? undefined
    : validationError('InvalidRecipientInfo', '.to.contactInformation.name', reason)
}

function currencyPair(order: ExchangeOrder): MaybeError {
  const { amount, from, to } = order
  const [code, path] = [
    'CurrencyPairMismatch',
    to.currency === undefined ? '.amount.currency' : '.to.currency',
  ] as const
  const side = exchangeSideOf(order)
  if (side === null) {
    const paidOut = to.currency ?? amount.currency
    return paidOut === from.currency
      ? validationError(code, path, `${paidOut} is also the currency of the sender: there is nothing to exchange`)
      : validationError(
          code,
          path,
          `The amount is in ${amount.currency}, neither that of the sender (${from.currency}) nor of the payout`,
        )
  }
  return currencyRules(side.payoutCurrency) === undefined
    ? validationError('InvalidCurrency', path, `${side.payoutCurrency} is not exchanged`)
    : undefined
}

function amountScale({ amount }: ExchangeOrder): MaybeError {
  const scale = currencyScale(amount.currency)
  const money = parseMoney(amount.amount, amount.currency)
  if (scale === undefined) {
    return validationError('InvalidCurrency', '.amount.currency', `${amount.currency} is not a currency`)
  }
  if (money === undefined) {
    const reason = `has more decimals than ${amount.currency}, which has ${scale}`
    return validationError('InvalidQuoteCurrencyScale', '.amount.amount', reason)
  }
  return money.minor > 0n ? undefined : validationError('InvalidAmount', '.amount.amount', 'must be above zero')
}

function dueDate(order: ExchangeOrder): MaybeError {
  return parseDay(order.dueDate) === undefined
    ? validationError('InvalidDueDate', '.dueDate', 'is not a valid date')
    : undefined
}

function purposeCode({ purposeCode = '', remittanceInformation }: ExchangeOrder): MaybeError {
  const purpose = remittanceInformation.additionalInformation?.find(({ type }) => type === 'Purpose')?.value
  return purposeCode.trim() === '' || purpose === undefined || purpose.trim() === purposeCode.trim()
    ? undefined
    : validationError(
        'InvalidRecipientInfo',
        '.purposeCode',
        'differs from the Purpose in additionalInformation: send only that',
      )
}

/** Limits on time, due date and amount; checked only once the country and the due date are valid. */
function timeErrors(order: ExchangeOrder, service: ServiceStatus | null): readonly ValidationError[] {
  const [side, day] = [exchangeSideOf(order), parseDay(order.dueDate)]
  const amount = parseMoney(order.amount.amount, order.amount.currency)
  if (service === null || day === undefined) {
    return []
  }
  const nothing = { minor: 0n, currency: order.amount.currency }
  const payoutCurrency = side?.payoutCurrency ?? order.amount.currency
  return validateExchangeLimits({ amount: amount ?? nothing, payoutCurrency, dueDate: day }, service).map(
    ({ fault, path, reason }) => validationError(EXCHANGE_LIMIT_CODES[fault].fx, path, reason),
  )
}

/** Reports one error per path: the rules come in order of how specific they are. */
function firstOfEachPath(errors: readonly ValidationError[]): readonly ValidationError[] {
  return errors.filter(({ path }, index) => errors.findIndex((other) => other.path === path) === index)
}

function validationError(code: ExchangeCode, path: string, reason: string): ValidationError {
  return { code, path, reason }
}

/** No documented code covers the sender's texts: they are reported as a request that cannot be parsed. */
function unparsable(path: string, reason: string): ValidationError {
  return { code: 'InvalidRequest', parsing: 'InvalidFieldFormat', path, reason }
}
