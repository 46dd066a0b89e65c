/** Registers the FX operations. */
import type { ExchangeOrder } from '../../contract/fx/exchange-order.ts'
import { operations } from '../../contract/operations.ts'
import type { PartnerCaller } from '../auth/partner-caller.ts'
import type { Context } from '../context.ts'
import type { ValidationError } from '../platform/http/errors/api-error.ts'
import type { PartnerIdentity, Serve } from '../platform/http/operations/served-operation.ts'
import { listCurrencies } from './availability/currency-rules.ts'
import { exchangeCalendarQueryErrors, getExchangeCalendarDays } from './availability/get-exchange-calendar.ts'
import {
  currencyErrors,
  listCountries,
  listRegulatoryCodes,
  paymentRequirementOf,
} from './payment-requirements/get-payment-requirement.ts'
import { exchangeOrderErrors } from './quotes/exchange-order-validation.ts'
import { quoteExchange, requireOnboardedCompany, validateExchangeOrder } from './quotes/quote-exchange.ts'
import { referenceCodeErrors } from './quotes/reference-code.ts'

type ExchangeRequestInput = { readonly caller: PartnerCaller; readonly body: ExchangeOrder }

export function serveFx<Consent>(serve: Serve<PartnerCaller, Consent>, context: Context): void {
  const rules = async (
    { caller, body }: ExchangeRequestInput,
    isSound: (path: string) => boolean,
  ): Promise<readonly ValidationError[]> => {
    // A body that cannot be parsed is reported alone.
    if (!isSound('')) {
      return []
    }
    await requireOnboardedCompany(context, caller.partnerId, body)
    return [...exchangeOrderErrors(body, context), ...(await referenceCodeErrors(context, body))]
  }
  serve(operations.quoteExchange, {
    rules,
    handle: ({ caller, body }) => quoteExchange(context, caller, body),
  })
  serve(operations.validateExchange, {
    rules,
    handle: ({ caller, body }) => validateExchangeOrder(context, caller, body),
  })
  serve(operations.listCurrencies, async () => listCurrencies())
  serve(operations.getExchangeCalendar, {
    rules: ({ query }, isSound) => exchangeCalendarQueryErrors(context, query, isSound),
    handle: async ({ query }) => getExchangeCalendarDays(context, query),
  })
}

export function serveCountries<Partner extends PartnerIdentity, Consent>(serve: Serve<Partner, Consent>): void {
  serve(operations.listCountries, async () => listCountries())
  serve(operations.getPaymentRequirement, {
    rules: ({ params, query }, isValid) => (isValid('.currency') ? currencyErrors(params.country, query.currency) : []),
    handle: async ({ params, query }) => paymentRequirementOf(params.country, query.currency),
  })
  serve(operations.listRegulatoryCodes, async ({ params }) => listRegulatoryCodes(params.countryCode))
}
