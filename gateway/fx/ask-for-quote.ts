/** Gives a partner a quote for its order, or judges the order as if it did. */
import type { ExchangeOrder } from '../../contract/fx.ts'
import type { ExchangeQuote, ExchangeValidation } from '../../contract/fx-operations.ts'
import type { PartnerCaller } from '../auth/partner.ts'
import { Invalid, Refusal } from '../foundation/http/refusal.ts'
import type { FindCompany } from '../onboarding/find-company.ts'
import type { FxContext } from './fx-context.ts'
import { checkQuotable, giveQuote } from './give-quote.ts'
import { FxRefusal } from './provider/fx-refusal.ts'
import { refusedByProvider } from './provider-problems.ts'
import { askedOf } from './read-order.ts'
import { requireCompanyOf } from './served-company.ts'
import { showQuote } from './show-quote.ts'
import { warningsOf } from './warn-of-order.ts'

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
