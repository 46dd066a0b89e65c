/** Gives a partner a quote for its order, or judges the order as if it did. */
import type { ExchangeOrder } from '../../contract/fx/exchange-order.ts'
import type { ExchangeQuote, ExchangeValidation } from '../../contract/fx/fx-operations.ts'
import type { PartnerCaller } from '../auth/partner.ts'
import type { FindCompany } from '../companies/company-finder.ts'
import { Invalid, Refusal } from '../platform/http/errors/api-error.ts'
import type { FxContext } from './fx-context.ts'
import { FxRefusal } from './providers/fx-provider-error.ts'
import { checkQuotable, giveQuote } from './quotes/create-quote.ts'
import { askedOf } from './quotes/exchange-order.ts'
import { warningsOf } from './quotes/exchange-order-warnings.ts'
import { refusedByProvider } from './quotes/provider-error-mapping.ts'
import { showQuote } from './quotes/quote-response.ts'
import { requireCompanyOf } from './served-company.ts'

type Caller = Pick<PartnerCaller, 'partnerId'>

/** Takes an order that has passed the rules. */
export async function askForQuote(
  context: FxContext,
  caller: Caller,
  order: ExchangeOrder,
  findCompany: FindCompany,
): Promise<ExchangeQuote> {
  const company = await requireCompanyOf(findCompany, caller.partnerId, order)
  return await inItsCodes(context, order, async () =>
    showQuote(await giveQuote(context, caller, askedOf(order, company))),
  )
}

/** The same without a price that is held. */
export async function validateOrder(
  context: FxContext,
  caller: Caller,
  order: ExchangeOrder,
  findCompany: FindCompany,
): Promise<ExchangeValidation> {
  const company = await requireCompanyOf(findCompany, caller.partnerId, order)
  const asked = askedOf(order, company)
  const { cost } = await inItsCodes(context, order, () => checkQuotable(context, asked))
  const warnings = await warningsOf(context, { partnerId: caller.partnerId, order, asked, cost })
  return { valid: true, endToEndId: asked.endToEndId, warnings: [...warnings] }
}

/** The codes of other operations, and a provider's words, are none of this interface. */
async function inItsCodes<Result>(
  { log }: FxContext,
  order: ExchangeOrder,
  work: () => Promise<Result>,
): Promise<Result> {
  try {
    return await work()
  } catch (error) {
    if (error instanceof FxRefusal) {
      log.info({ kind: error.kind, code: error.code }, 'the provider of exchange refused a price')
      throw refusedByProvider(order, error)
    }
    if (error instanceof Refusal && error.reasonCode === 'SERVICE_CLOSED') {
      throw new Invalid([{ code: 'InvalidCreationTime', reason: error.message, path: '.' }])
    }
    throw error
  }
}
