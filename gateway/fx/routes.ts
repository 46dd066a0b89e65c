/** Serves the operations on exchange. */
import type { ExchangeOrder } from '../../contract/fx.ts'
import { operations } from '../../contract/operations.ts'
import type { PartnerCaller } from '../auth/partner.ts'
import type { Problem } from '../foundation/http/refusal.ts'
import type { Serve } from '../foundation/http/served-operation.ts'
import { companyFinder } from '../onboarding/find-company.ts'
import { askForQuote, validateOrder } from './ask-for-quote.ts'
import type { FxContext } from './fx-context.ts'
import { referenceProblems } from './fx-reference-rule.ts'
import { orderProblems } from './fx-rules.ts'
import { listCurrencies } from './list-currencies.ts'
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
