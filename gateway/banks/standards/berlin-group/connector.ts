/** The connector for banks with NextGenPSD2 XS2A 1.3: assembles the products that they offer. */
import type { Connector } from '../../connector/connector.ts'
import type { ConnectorDependencies } from '../../connector/connector-dependencies.ts'
import { accountProduct } from './accounts/accounts.ts'
import { signInProduct } from './authorisations/oauth.ts'
import { consentProduct } from './consents.ts'
import { basketProduct } from './payments/baskets.ts'
import { bulkPaymentProduct } from './payments/bulk-payments.ts'
import { crossBorderPaymentProduct, domesticPaymentProduct } from './payments/payments.ts'
import { createBankClient } from './transport/bank-client.ts'

/** Creates the connector. */
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
