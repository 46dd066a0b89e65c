/** Says a provider's no in the codes of an exchange. */
import type { ExchangeOrder } from '../../../contract/fx/exchange-order.ts'
import type { ExchangeCode } from '../../../contract/fx/fx-operations.ts'
import { Invalid, type Problem, refuse } from '../../platform/http/errors/api-error.ts'
import type { FxPart, FxProblem, FxRefusal } from '../providers/fx-provider-error.ts'
import { pathOf } from './destination-error-mapping.ts'

type Place = readonly [code: ExchangeCode, path: string]

const AMOUNT = '.amount.amount'
const RECEIVER = '.to.contactInformation'
const MESSAGE = '.remittanceInformation.unstructured'
const INFORMATION = '.remittanceInformation.additionalInformation'
const WHOLE_BODY = '.'
/** What a provider does not name is most often what the country of the receiver demands. */
const UNSPECIFIC: Place = ['InvalidRecipientInfo', '.to']
const RETRY_AFTER_SECONDS = 10

/** What a partner is told of what the provider refused. */
export function refusedByProvider(order: ExchangeOrder, refusal: FxRefusal): Error {
  const paidOut = pathOf(order, { part: 'currency' })
  switch (refusal.kind) {
    case 'invalid':
      return new Invalid(problemsOf(order, refusal))
    case 'currency-not-traded':
      return invalidAt(['InvalidCurrency', paidOut], 'The provider does not exchange these currencies')
    case 'due-date-refused':
      return invalidAt(['InvalidDueDate', '.dueDate'], 'The provider does not exchange these currencies for this day')
    case 'limit':
      return invalidAt(['InvalidAmount', AMOUNT], 'The provider does not exchange such an amount at once')
    case 'closed':
      return invalidAt(['InvalidCreationTime', WHOLE_BODY], 'The provider does not deal in these currencies now')
    default:
      return refuse('unavailable', 'The provider of exchange gives no price at this moment; nothing was done', {
        retryAfterSeconds: refusal.retryAfterSeconds ?? RETRY_AFTER_SECONDS,
      })
  }
}

function problemsOf(order: ExchangeOrder, { problems }: FxRefusal): readonly Problem[] {
  const found = problems.map((problem) => problemOf(order, problem))
  return found.length > 0
    ? found
    : [{ code: UNSPECIFIC[0], path: UNSPECIFIC[1], reason: 'The provider of exchange does not take this receiver' }]
}

function problemOf(order: ExchangeOrder, { part, message }: FxProblem): Problem {
  const [code, path] = part === null ? UNSPECIFIC : placeOf(order, part)
  const member = path.split('.').at(-1)
  return { code, path, reason: `The provider of exchange does not accept ${member === '' ? 'it' : member}: ${message}` }
}

function placeOf(order: ExchangeOrder, part: FxPart): Place {
  const paidOut = pathOf(order, { part: 'currency' })
  const { iban } = order.to.account
  const number: Place = iban === undefined ? ['InvalidIban', '.to.account.bban'] : ['InvalidIban', '.to.account.iban']
  const places: Readonly<Record<FxPart, Place>> = {
    name: ['InvalidRecipientInfo', `${RECEIVER}.name`],
    iban: number,
    bban: ['InvalidRecipientInfo', iban === undefined ? '.to.account.bban' : '.to.account.iban'],
    bic: ['InvalidBIC', '.to.account.bic'],
    clearingCode: ['InvalidRecipientInfo', '.to.account.clearingCode'],
    currency: ['InvalidCurrency', paidOut],
    country: ['InvalidBeneficiaryCountry', `${RECEIVER}.address.country`],
    bankCountry: ['InvalidBeneficiaryCountry', '.to.account.bic'],
    'address.street': ['InvalidToAddress', `${RECEIVER}.address.streetName`],
    'address.city': ['InvalidToAddress', `${RECEIVER}.address.city`],
    'address.postCode': ['InvalidToAddress', `${RECEIVER}.address.postCode`],
    'address.state': ['InvalidToAddress', `${RECEIVER}.address`],
    taxCode: ['InvalidRecipientInfo', INFORMATION],
    amount: ['InvalidAmount', AMOUNT],
    amountScale: ['InvalidQuoteCurrencyScale', AMOUNT],
    buyCurrency: ['InvalidCurrency', paidOut],
    sellCurrency: ['InvalidCurrency', '.from.currency'],
    dueDate: ['InvalidDueDate', '.dueDate'],
    reference: ['InvalidRemittanceInformation', MESSAGE],
    reason: ['InvalidRecipientInfo', INFORMATION],
    purposeCode: ['InvalidRecipientInfo', INFORMATION],
    payer: ['InvalidRecipientInfo', '.from.contactInformation'],
  }
  return places[part]
}

function invalidAt([code, path]: Place, reason: string): Invalid {
  return new Invalid([{ code, path, reason }])
}
