/** Serves the operations on exchange. */
import type { ExchangeOrder } from '../../contract/fx/exchange-order.ts'
import { operations } from '../../contract/operations.ts'
import type { PartnerCaller } from '../auth/partner.ts'
import { companyFinder } from '../companies/company-finder.ts'
import type { Problem } from '../platform/http/errors/api-error.ts'
import type { Serve } from '../platform/http/operations/served-operation.ts'
import { askForQuote, validateOrder } from './ask-for-quote.ts'
import { listCurrencies } from './availability/list-currencies.ts'
import type { FxContext } from './fx-context.ts'
import { orderProblems } from './fx-rules.ts'
import { referenceProblems } from './quotes/reference-code-validation.ts'
import { requireCompanyOf } from './served-company.ts'
import { calendarProblems, showCalendar } from './show-calendar.ts'

type Ordered = { readonly caller: PartnerCaller; readonly body: ExchangeOrder }

export function serveFx<Consent>(serve: Serve<PartnerCaller, Consent>, context: FxContext): void {
  const findCompany = companyFinder(context)
  const rules = async ({ caller, body }: Ordered, isSound: (path: string) => boolean): Promise<readonly Problem[]> => {
    // What cannot be read is told alone.
    if (!isSound('')) {
      return []
    }
    await requireCompanyOf(findCompany, caller.partnerId, body)
    return [...orderProblems(body, context), ...(await referenceProblems(context, body))]
  }
  serve(operations.quoteExchange, {
    rules,
    handle: ({ caller, body }) => askForQuote(context, caller, body, findCompany),
  })
  serve(operations.validateExchange, {
    rules,
    handle: ({ caller, body }) => validateOrder(context, caller, body, findCompany),
  })
  serve(operations.listCurrencies, async () => listCurrencies())
  serve(operations.getExchangeCalendar, {
    rules: ({ query }, isSound) => calendarProblems(context, query, isSound),
    handle: async ({ query }) => showCalendar(context, query),
  })
}
