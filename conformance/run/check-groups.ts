/** Lists the groups of checks in the order in which they run. */
import type { CheckGroup } from '../check.ts'
import { ACCOUNT_CHECKS } from '../checks/account-checks.ts'
import { BEARER_CHECKS } from '../checks/bearer-checks.ts'
import { CANCELLATION_CHECKS } from '../checks/cancellation-checks.ts'
import { CONSENT_CHECKS } from '../checks/consent-checks.ts'
import { ERROR_CHECKS } from '../checks/errors/error-checks.ts'
import { ERROR_FORM_CHECKS } from '../checks/errors/error-form-checks.ts'
import { EXCHANGE_CHECKS } from '../checks/exchange-checks.ts'
import { FIELD_CHECKS } from '../checks/field-checks.ts'
import { HEADER_CHECKS } from '../checks/header-checks.ts'
import { IDEMPOTENCY_CHECKS } from '../checks/idempotency-checks.ts'
import { LIST_CHECKS } from '../checks/list-checks.ts'
import { ONBOARDING_CHECKS } from '../checks/onboarding-checks.ts'
import { ORDER_FORM_CHECKS } from '../checks/order-form-checks.ts'
import { ORDER_VALUE_CHECKS } from '../checks/order-value-checks.ts'
import { PARTNER_CHECKS } from '../checks/partner-checks.ts'
import { PAYMENT_CHECKS } from '../checks/payment-checks.ts'
import { PAYMENT_RULE_CHECKS } from '../checks/payment-rule-checks.ts'
import { PAYROLL_CHECKS } from '../checks/payroll-checks.ts'
import { SCHEMA_CHECKS } from '../checks/schema-checks.ts'
import { TOKEN_CHECKS } from '../checks/token-checks.ts'
import { WEBHOOK_DELIVERY_CHECKS } from '../checks/webhook-delivery-checks.ts'
import { WEBHOOK_RETRY_CHECKS } from '../checks/webhook-retry-checks.ts'
import { WEBHOOK_SUBSCRIPTION_CHECKS } from '../checks/webhook-subscription-checks.ts'

/** The last two look at the responses of all others. */
export const CHECK_GROUPS: readonly CheckGroup[] = [
  { id: 'authentication', title: 'Authentication', checks: [...TOKEN_CHECKS, ...BEARER_CHECKS, ...PARTNER_CHECKS] },
  { id: 'errors', title: 'Errors', checks: [...ERROR_CHECKS, ...ERROR_FORM_CHECKS] },
  { id: 'fields', title: 'Fields of requests', checks: FIELD_CHECKS },
  { id: 'values', title: 'Values of orders', checks: [...ORDER_VALUE_CHECKS, ...ORDER_FORM_CHECKS] },
  { id: 'payments', title: 'Payments', checks: [...PAYMENT_CHECKS, ...PAYMENT_RULE_CHECKS] },
  { id: 'idempotency', title: 'Idempotency', checks: IDEMPOTENCY_CHECKS },
  { id: 'lists', title: 'Lists', checks: LIST_CHECKS },
  { id: 'cancellations', title: 'Cancellations', checks: CANCELLATION_CHECKS },
  { id: 'payrolls', title: 'Payrolls', checks: PAYROLL_CHECKS },
  { id: 'exchange', title: 'Exchange', checks: EXCHANGE_CHECKS },
  { id: 'accounts', title: 'Accounts', checks: ACCOUNT_CHECKS },
  { id: 'consents', title: 'Consents', checks: CONSENT_CHECKS },
  { id: 'onboarding', title: 'Onboarding', checks: ONBOARDING_CHECKS },
  {
    id: 'webhooks',
    title: 'Webhooks',
    checks: [...WEBHOOK_SUBSCRIPTION_CHECKS, ...WEBHOOK_DELIVERY_CHECKS, ...WEBHOOK_RETRY_CHECKS],
  },
  { id: 'schemas', title: 'Schemas', checks: SCHEMA_CHECKS },
  { id: 'headers', title: 'Headers', checks: HEADER_CHECKS },
]
