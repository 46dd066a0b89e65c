/** Judges an order of exchange before any provider is asked: everything that is wrong with it, in its own codes. */
import type { ExchangeOrder } from '../../contract/fx/exchange-order.ts'
import type { ExchangeCode } from '../../contract/fx/fx-operations.ts'
import { checkAccountNumber } from '../countries/account-number.ts'
import { checkBic } from '../countries/bic.ts'
import type { AddressMember } from '../countries/destinations/destination.ts'
import { checkIban } from '../countries/iban.ts'
import { addressTextFault } from '../countries/requirements/address-text.ts'
import { whyNotTold } from '../countries/requirements/destination-message.ts'
import { destinationProblems } from '../countries/requirements/destination-problems.ts'
import { withoutSeparators } from '../countries/separators.ts'
import { COUNTRIES_SERVED } from '../countries/served-countries.ts'
import type { Problem } from '../platform/http/errors/api-error.ts'
import { parseMoney, scaleOf } from '../platform/money.ts'
import { currencyRules } from './availability/currency-rules.ts'
import { CREATION_CODES, creationProblems } from './availability/exchange-limit-validation.ts'
import { type HoursTold, type Service, serviceAt } from './availability/service-hours.ts'
import { problemOfDestination } from './quotes/destination-error-mapping.ts'
import { dayOf, destinationOf, senderOf, sideOf } from './quotes/exchange-order.ts'

export function orderProblems(order: ExchangeOrder, context: HoursTold): readonly Problem[] {
  const { country } = order.from
  const service = COUNTRIES_SERVED.includes(country) ? serviceAt(context, country) : null
  const rules = [fromBic, fromCountry, fromAccount, fromName, fundingCurrency, toAccount, toName, currencyPair]
  const found = [...rules, amountScale, dueDate, purposeCode].flatMap((rule) => rule(order) ?? [])
  const destination = destinationProblems(destinationOf(order)).map((problem) => problemOfDestination(order, problem))
  return firstOfEachPath([...found, ...addressTexts(order), ...destination, ...timeProblems(order, service)])
}

type Found = Problem | undefined

function fromBic({ from }: ExchangeOrder): Found {
  const checked = checkBic(from.bic)
  return checked.ok ? undefined : problem('InvalidBIC', '.from.bic', checked.reason)
}

function fromCountry({ from }: ExchangeOrder): Found {
  if (!COUNTRIES_SERVED.includes(from.country)) {
    return problem('InvalidFromCountry', '.from.country', `must be one of ${COUNTRIES_SERVED.join(', ')}`)
  }
  const ofBic = from.bic.slice(4, 6)
  return !checkBic(from.bic).ok || ofBic === from.country
    ? undefined
    : problem('InvalidFromCountry', '.from.country', `is not the country of the BIC, ${ofBic}`)
}

function fromAccount(order: ExchangeOrder): Found {
  const { country, bban } = order.from
  if (!COUNTRIES_SERVED.includes(country)) {
    return undefined
  }
  const checked = checkAccountNumber(country, bban)
  const asIban = checkIban(bban)
  if (!checked.ok && !(asIban.ok && asIban.iban.startsWith(country))) {
    return problem('InvalidFromAccount', '.from.bban', `The account number ${checked.reason}`)
  }
  const sender = senderOf(order)
  const { iban = '', bban: other = '' } = order.to.account
  const receivers = [iban, other].filter((text) => text !== '').map((text) => withoutSeparators(text).toUpperCase())
  return receivers.includes(sender.bban) || (sender.iban !== null && receivers.includes(sender.iban))
    ? problem('InvalidFromAccount', '.from.bban', 'is the account of the receiver, too')
    : undefined
}

function fromName({ from }: ExchangeOrder): Found {
  const reason = whyNotTold(from.contactInformation.name)
  return reason === undefined ? undefined : unreadable('.from.contactInformation.name', reason)
}

const ADDRESS_MEMBERS: readonly AddressMember[] = ['streetName', 'buildingNumber', 'city', 'postCode', 'country']

/** The rules of cross-border payments; both addresses travel with the payout. */
function addressTexts({ from, to }: ExchangeOrder): readonly Problem[] {
  return ADDRESS_MEMBERS.flatMap((member) => {
    const ofSender = addressTextFault(member, from.contactInformation.address[member], { travels: true })
    const ofReceiver = addressTextFault(member, to.contactInformation.address[member], { travels: true })
    const [senders, receivers] = (['from', 'to'] as const).map(
      (side) => `.${side}.contactInformation.address.${member}`,
    )
    return [
      ...(ofSender === undefined || senders === undefined ? [] : [unreadable(senders, ofSender)]),
      ...(ofReceiver === undefined || receivers === undefined
        ? []
        : [problem('InvalidToAddress', receivers, ofReceiver)]),
    ]
  })
}

function fundingCurrency({ from }: ExchangeOrder): Found {
  const rules = currencyRules(from.currency)
  const isServed = COUNTRIES_SERVED.includes(from.country)
  return rules === undefined || (isServed && !rules.fundingFrom.includes(from.country))
    ? problem('InvalidCurrency', '.from.currency', `Exchange is not paid for in ${from.currency} from ${from.country}`)
    : undefined
}

function toAccount({ to }: ExchangeOrder): Found {
  const { iban = '', bban = '' } = to.account
  const [one, other] = [iban, bban].map((text) => withoutSeparators(text).toUpperCase())
  return one !== '' && one === other
    ? problem('InvalidToAccount', '.to.account.bban', 'is the same as the IBAN: send one of them')
    : undefined
}

function toName({ to }: ExchangeOrder): Found {
  const reason = whyNotTold(to.contactInformation.name)
  return reason === undefined ? undefined : problem('InvalidRecipientInfo', '.to.contactInformation.name', reason)
}

function currencyPair(order: ExchangeOrder): Found {
  const { amount, from, to } = order
  const [code, path] = [
    'CurrencyPairMismatch',
    to.currency === undefined ? '.amount.currency' : '.to.currency',
  ] as const
  const side = sideOf(order)
  if (side === null) {
    const paidOut = to.currency ?? amount.currency
    return paidOut === from.currency
      ? problem(code, path, `${paidOut} is what the sender pays in: nothing is exchanged`)
      : problem(
          code,
          path,
          `The amount is in ${amount.currency}, which is neither paid (${from.currency}) nor paid out`,
        )
  }
  return currencyRules(side.payoutCurrency) === undefined
    ? problem('InvalidCurrency', path, `${side.payoutCurrency} is not exchanged`)
    : undefined
}

function amountScale({ amount }: ExchangeOrder): Found {
  const scale = scaleOf(amount.currency)
  const money = parseMoney(amount.amount, amount.currency)
  if (scale === undefined) {
    return problem('InvalidCurrency', '.amount.currency', `There is no currency ${amount.currency}`)
  }
  if (money === undefined) {
    const reason = `has more decimals than ${amount.currency}, which has ${scale}`
    return problem('InvalidQuoteCurrencyScale', '.amount.amount', reason)
  }
  return money.minor > 0n ? undefined : problem('InvalidAmount', '.amount.amount', 'must be above zero')
}

function dueDate(order: ExchangeOrder): Found {
  return dayOf(order.dueDate) === undefined ? problem('InvalidDueDate', '.dueDate', 'is no day') : undefined
}

function purposeCode({ purposeCode = '', remittanceInformation }: ExchangeOrder): Found {
  const told = remittanceInformation.additionalInformation?.find(({ type }) => type === 'Purpose')?.value
  return purposeCode.trim() === '' || told === undefined || told.trim() === purposeCode.trim()
    ? undefined
    : problem(
        'InvalidRecipientInfo',
        '.purposeCode',
        'is not the Purpose of the additionalInformation: send that alone',
      )
}

/** Whether it may be ordered now is told once it is known what is asked for. */
function timeProblems(order: ExchangeOrder, service: Service | null): readonly Problem[] {
  const [side, day] = [sideOf(order), dayOf(order.dueDate)]
  const amount = parseMoney(order.amount.amount, order.amount.currency)
  if (service === null || day === undefined) {
    return []
  }
  const nothing = { minor: 0n, currency: order.amount.currency }
  const payoutCurrency = side?.payoutCurrency ?? order.amount.currency
  return creationProblems({ amount: amount ?? nothing, payoutCurrency, dueDate: day }, service).map(
    ({ fault, path, reason }) => problem(CREATION_CODES[fault].fx, path, reason),
  )
}

/** A member that breaks several rules is told of once, by the rule that says most. */
function firstOfEachPath(problems: readonly Problem[]): readonly Problem[] {
  return problems.filter(({ path }, index) => problems.findIndex((other) => other.path === path) === index)
}

function problem(code: ExchangeCode, path: string, reason: string): Problem {
  return { code, path, reason }
}

/** No documented code is about the sender's texts: they are told of as what keeps the request from being read. */
function unreadable(path: string, reason: string): Problem {
  return { code: 'InvalidRequest', parsing: 'InvalidFieldFormat', path, reason }
}
