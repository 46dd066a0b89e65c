/** Answers a partner's request for a quote, or validates its order without one. */
import type { ExchangeOrder } from '../../../contract/fx/exchange-order.ts'
import type { ExchangeQuote, ExchangeValidation, ExchangeWarning } from '../../../contract/fx/fx-operations.ts'
import { findAvailableBalance } from '../../accounts/get-account-balance.ts'
import type { PartnerCaller } from '../../auth/partner-caller.ts'
import { requireInternationalPayments } from '../../companies/require-company.ts'
import type { Context } from '../../context.ts'
import { checkAccountNumber } from '../../countries/account-number.ts'
import { destinationWarnings } from '../../countries/destinations/destination-validation.ts'
import { checkOrganisationNumber, SERVED_COUNTRIES } from '../../countries/served-countries.ts'
import { formatTimestamp } from '../../platform/clock.ts'
import { ApiError, apiError, InvalidRequestError, withSubject } from '../../platform/http/errors/api-error.ts'
import { formatAmount, formatMoney, type Money } from '../../platform/money.ts'
import { isDueNow, serviceStatusAt } from '../availability/service-hours.ts'
import { FxProviderError } from '../providers/fx-provider-error.ts'
import { rateOf } from '../rates/rate-arithmetic.ts'
import type { Quote } from '../store/quote.ts'
import { createQuote, payoutDateOf, validateExchangeRequest } from './create-quote.ts'
import { debtorOf, destinationOf, type ExchangeRequest, exchangeRequestOf } from './exchange-order.ts'
import { intermediaryAccountResponse } from './intermediary-account.ts'
import { exchangeErrorOf, pathOf } from './provider-error-mapping.ts'

type Caller = Pick<PartnerCaller, 'partnerId'>

/** `order` must have passed validation. Throws `InvalidRequestError`, `unavailable` or `forbidden`. */
export async function quoteExchange(context: Context, caller: Caller, order: ExchangeOrder): Promise<ExchangeQuote> {
  const company = await requireOnboardedCompany(context, caller.partnerId, order)
  return await withExchangeErrorCodes(context, order, async () =>
    quoteResponse(await createQuote(context, caller, exchangeRequestOf(order, company))),
  )
}

function quoteResponse(quote: Quote): ExchangeQuote {
  const { held, cost, markupPercent } = quote
  return {
    quoteId: quote.id,
    endToEndId: quote.endToEndId,
    requestedAmount: formatMoney(held.buy),
    costAmount: formatMoney(cost),
    exchangeRate: rateOf(cost, held.buy),
    quoteExpiryTime: formatTimestamp(quote.expiresAt),
    referenceCode: quote.referenceCode,
    intermediaryAccount: intermediaryAccountResponse(quote.intermediary),
    ...(markupPercent === null ? {} : { markup: markupPercent }),
    chargeBearer: 'SHA',
    payoutDate: payoutDateOf(quote).toString(),
  }
}

/** The same checks, without a held price. */
export async function validateExchangeOrder(
  context: Context,
  caller: Caller,
  order: ExchangeOrder,
): Promise<ExchangeValidation> {
  const company = await requireOnboardedCompany(context, caller.partnerId, order)
  const request = exchangeRequestOf(order, company)
  const { cost } = await withExchangeErrorCodes(context, order, () => validateExchangeRequest(context, request))
  const warnings = [
    ...senderWarnings(order),
    ...receiverWarnings(order),
    ...(await balanceWarnings(context, { partnerId: caller.partnerId, order, request, cost })),
    ...purposeCodeWarnings(order),
  ]
  return { valid: true, endToEndId: request.endToEndId, warnings }
}

/** Maps the provider's errors and `SERVICE_CLOSED` to the error codes of this API. */
async function withExchangeErrorCodes<Result>(
  { log }: Context,
  order: ExchangeOrder,
  work: () => Promise<Result>,
): Promise<Result> {
  try {
    return await work()
  } catch (error) {
    if (error instanceof FxProviderError) {
      log.info({ kind: error.kind, code: error.code }, 'the FX provider rejected a request for a price')
      throw exchangeErrorOf(order, error)
    }
    if (error instanceof ApiError && error.reasonCode === 'SERVICE_CLOSED') {
      throw new InvalidRequestError([{ code: 'InvalidCreationTime', reason: error.message, path: '.' }])
    }
    throw error
  }
}

/** The company with its normalised number. Throws `forbidden`, which this API returns as plain text. */
export async function requireOnboardedCompany(
  context: Context,
  partnerId: string,
  { metadata }: ExchangeOrder,
): Promise<ExchangeRequest['company']> {
  const { organizationCountryCode: countryCode, organizationNumber } = metadata
  const checked = SERVED_COUNTRIES.includes(countryCode)
    ? checkOrganisationNumber(countryCode, String(organizationNumber))
    : undefined
  if (checked?.ok !== true) {
    throw apiError('forbidden', `No company of ${countryCode} with this number is onboarded with you`)
  }
  const { organisationNumber } = checked
  await requireInternationalPayments(context, { partnerId, countryCode, organisationNumber })
  return { countryCode, organisationNumber }
}

/** Some valid account numbers fail the checks: they only cause a warning. */
function senderWarnings({ from }: ExchangeOrder): readonly ExchangeWarning[] {
  const checked = checkAccountNumber(from.country, from.bban)
  return checked.ok && checked.warning !== undefined
    ? [{ code: 'AccountNumberUnverified', reason: `The account number ${checked.warning}`, path: '.from.bban' }]
    : []
}

function receiverWarnings(order: ExchangeOrder): readonly ExchangeWarning[] {
  return destinationWarnings(destinationOf(order)).map((warning) =>
    withSubject({
      code: ['iban', 'bban', 'bic'].includes(warning.part) ? 'AccountNumberUnverified' : 'DestinationUnverified',
      reason: warning.reason,
      path: pathOf(order, warning),
    }),
  )
}

/** An order, the request parsed from it, and its cost. */
type ExchangeOrderWithCost = {
  readonly partnerId: string
  readonly order: ExchangeOrder
  readonly request: ExchangeRequest
  readonly cost: Money
}

/** Only if the account is debited so soon that no other funds can arrive before. */
async function balanceWarnings(
  context: Context,
  { partnerId, order, request, cost }: ExchangeOrderWithCost,
): Promise<readonly ExchangeWarning[]> {
  if (!isDueNow(serviceStatusAt(context, request.fundingCountry), request.dueDate)) {
    return []
  }
  const { fundingCountry: countryCode, fundingCurrency: currency, company } = request
  const account = { ...debtorOf(order), currency }
  const available = await findAvailableBalance(context, {
    partnerId,
    bic: order.from.bic,
    countryCode,
    company,
    account,
  })
  if (available === null || available.currency !== cost.currency || available.minor >= cost.minor) {
    return []
  }
  const [costs, has] = [cost, available].map((money) => `${formatAmount(money)} ${cost.currency}`)
  const reason = `The payment costs ${costs}, but the account has only ${has} available`
  return [{ code: 'BalanceTooLow', reason, path: '.amount' }]
}

function purposeCodeWarnings({ purposeCode }: ExchangeOrder): readonly ExchangeWarning[] {
  const reason = 'Send it as additionalInformation of the type Purpose'
  return purposeCode === undefined ? [] : [{ code: 'DeprecatedField', reason, path: '.purposeCode' }]
}
