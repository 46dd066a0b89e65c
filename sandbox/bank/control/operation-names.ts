/** Names the operations of XS2A that faults may strike. */
import { accountRoutes } from '../accounts/routes.ts'
import type { BankContext } from '../bank-context.ts'
import { basketRoutes } from '../baskets/routes.ts'
import { bulkRoutes } from '../bulks/routes.ts'
import { consentRoutes } from '../consents/routes.ts'
import { paymentRoutes } from '../payments/routes.ts'

/** All of them at once. */
const EVERY_OPERATION = '*'

/** Every name. */
export function operationNames(context: BankContext): ReadonlySet<string> {
  const routes = [paymentRoutes, bulkRoutes, consentRoutes, accountRoutes, basketRoutes].flatMap((of) => of(context))
  return new Set([EVERY_OPERATION, ...routes.map(({ operation }) => operation)])
}
