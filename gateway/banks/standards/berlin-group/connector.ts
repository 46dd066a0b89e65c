/** The connector for banks with NextGenPSD2 XS2A 1.3: assembles the products that they offer. */

import { Type } from 'typebox'
import { Compile } from 'typebox/compile'
import type { Connector } from '../../connector/connector.ts'
import type { ConnectorDependencies } from '../../connector/connector-dependencies.ts'
import { accountProduct } from './accounts/accounts.ts'
import { signInProduct } from './authorisations/oauth.ts'
import { consentProduct } from './consents.ts'
import { basketProduct } from './payments/baskets.ts'
import { bulkPaymentProduct } from './payments/bulk-payments.ts'
import { crossBorderPaymentProduct, domesticPaymentProduct } from './payments/payments.ts'
import { createBankClient } from './transport/bank-client.ts'

export function berlinGroup(tools: ConnectorDependencies): Connector {
  const line = createBankClient(tools)
  return {
    consents: consentProduct(line),
    accounts: accountProduct(line),
    domesticPayments: domesticPaymentProduct(line),
    crossBorderPayments: crossBorderPaymentProduct(line),
    bulkPayments: bulkPaymentProduct(line),
    baskets: basketProduct(line),
    oauth: signInProduct(line),
  }
}

const Some = Type.Record(Type.String(), Type.Unknown())
const parts = Compile(
  Type.Object({
    rails: Some,
    crossBorder: Type.Optional(Some),
    dialect: Type.Object({ products: Some, crossBorder: Type.Optional(Some) }),
  }),
)

/** The contradictions of a profile; none where its parts are not even objects. */
export function profileContradictions(settings: unknown): readonly string[] {
  if (!parts.Check(settings)) {
    return []
  }
  const { rails, crossBorder, dialect } = settings
  const missing = Object.keys(rails).filter((rail) => !Object.hasOwn(dialect.products, rail))
  const unused = Object.keys(dialect.products).filter((rail) => !Object.hasOwn(rails, rail))
  return [
    ...missing.map(
      (rail) => `/dialect/products/${rail}: is missing; name the payment product of the rail /rails/${rail}`,
    ),
    ...unused.map(
      (rail) => `/rails/${rail}: is missing; describe the rail of /dialect/products/${rail}, or remove that`,
    ),
    ...((crossBorder === undefined) === (dialect.crossBorder === undefined)
      ? []
      : ['/crossBorder and /dialect/crossBorder contradict each other: give both, or neither']),
  ]
}
