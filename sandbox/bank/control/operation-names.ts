/** The names of the XS2A operations to which faults can apply. */
import { accountRoutes } from '../accounts/routes.ts'
import type { BankContext } from '../bank-context.ts'
import { basketRoutes } from '../baskets/routes.ts'
import { bulkRoutes } from '../bulks/routes.ts'
import { consentRoutes } from '../consents/routes.ts'
import { paymentRoutes } from '../payments/routes.ts'

/** Applies to all operations. */
const EVERY_OPERATION = '*'

export function operationNames(context: BankContext): ReadonlySet<string> {
  const routes = [paymentRoutes, bulkRoutes, consentRoutes, accountRoutes, basketRoutes].flatMap((of) => of(context))
  return new Set([EVERY_OPERATION, ...routes.map(({ operation }) => operation)])
}
