/** The connector to banks that speak NextGenPSD2 XS2A 1.3: what they offer, assembled over one line to them. */

import { accountProduct } from '../../berlin-group/accounts.ts'
import { bulkPaymentProduct } from '../../berlin-group/bulk.ts'
import type { Connector } from '../../connector/connector.ts'
import type { ConnectorTools } from '../../connector/connector-dependencies.ts'
import { signInProduct } from './authorisations/oauth.ts'
import { consentProduct } from './consents.ts'
import { basketProduct } from './payments/baskets.ts'
import { crossBorderPaymentProduct, domesticPaymentProduct } from './payments/payments.ts'
import { lineOf } from './transport/bank-client.ts'

/** Makes the connector. */
export function berlinGroup(tools: ConnectorTools): Connector {
  const line = lineOf(tools)
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
