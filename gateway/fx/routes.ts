/** Registers the FX operations. */

import type { ExchangeOrder } from '../../contract/fx/exchange-order.ts'
import { operations } from '../../contract/operations.ts'
import type { PartnerCaller } from '../auth/partner.ts'
import { companyFinder } from '../companies/require-company.ts'
import type { Context } from '../context.ts'
import type { ValidationError } from '../platform/http/errors/api-error.ts'
import type { Serve } from '../platform/http/operations/served-operation.ts'
import { exchangeCalendarQueryErrors, getExchangeCalendarDays } from './availability/get-exchange-calendar.ts'
import { listCurrencies } from './availability/list-currencies.ts'
import { exchangeOrderErrors } from './quotes/exchange-order-validation.ts'
import { quoteExchange, validateExchangeOrder } from './quotes/quote-exchange.ts'
import { referenceCodeErrors } from './quotes/reference-code-validation.ts'
import { requireOnboardedCompany } from './quotes/require-onboarded-company.ts'

type ExchangeRequestInput = { readonly caller: PartnerCaller; readonly body: ExchangeOrder }

export function serveFx<Consent>(serve: Serve<PartnerCaller, Consent>, context: Context): void {
  const findCompany = companyFinder(context)
  const rules = async (
    { caller, body }: ExchangeRequestInput,
    isSound: (path: string) => boolean,
  ): Promise<readonly ValidationError[]> => {
    // A body that cannot be parsed is reported alone.
    if (!isSound('')) {
      return []
    }
    await requireOnboardedCompany(findCompany, caller.partnerId, body)
    return [...exchangeOrderErrors(body, context), ...(await referenceCodeErrors(context, body))]
  }
  serve(operations.quoteExchange, {
    rules,
    handle: ({ caller, body }) => quoteExchange(context, caller, body, findCompany),
  })
  serve(operations.validateExchange, {
    rules,
    handle: ({ caller, body }) => validateExchangeOrder(context, caller, body, findCompany),
  })
  serve(operations.listCurrencies, async () => listCurrencies())
  serve(operations.getExchangeCalendar, {
    rules: ({ query }, isSound) => exchangeCalendarQueryErrors(context, query, isSound),
    handle: async ({ query }) => getExchangeCalendarDays(context, query),
  })
}
