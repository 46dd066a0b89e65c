/** Reads the filters of the list of payments from its URL. */
import { PaymentStatusValue } from '../../contract/payments/payment-status.ts'
import type { PaymentFilter } from '../../gateway/orders/views/payment-search.ts'
import { isId } from '../../gateway/platform/ids.ts'
import { currencyScale } from '../../gateway/platform/money.ts'
import { partnerFilterOf } from '../access/partner-filter.ts'
import type { ConsoleRequest } from '../console-route.ts'
import type { FilterState } from '../lists/filter-form.ts'
import { filterReader } from '../lists/filter-reader.ts'
import { PARTNER_PARAMETER } from '../lists/partner-field.ts'
import { consoleText } from '../texts/console-texts.ts'
import { parseAccountEnding, parseAmountRange, parseNamePart } from './payment-search-terms.ts'

export const PAYMENT_STATUSES: readonly PaymentStatusValue[] = PaymentStatusValue.enum

/** Whose payments, which of them, and the state of the form. */
export type ParsedPaymentFilter = {
  readonly partnerId: string | null
  readonly filter: PaymentFilter
  readonly state: FilterState
}

export function parsePaymentFilter({ viewer, query }: Pick<ConsoleRequest, 'viewer' | 'query'>): ParsedPaymentFilter {
  const filters = filterReader(query)
  const partnerId = partnerFilterOf(viewer, filters.id(PARTNER_PARAMETER))
  const filter: PaymentFilter = {
    search: filters.read('q', (text) => (isId(text) ? { id: text.toLowerCase() } : { endToEndId: text }), ''),
    status: filters.choice('status', PAYMENT_STATUSES, consoleText('filters.noStatus')),
    signed: filters.read('signed', (text) => SIGNED[text], consoleText('filters.noChoice')),
    organisationNumber: filters.organisationNumber('company'),
    currency: filters.read(
      'currency',
      (text) => (currencyScale(text) === undefined ? undefined : text),
      consoleText('payments.noCurrency'),
    ),
    accountEnding: filters.read('account', parseAccountEnding, consoleText('payments.noAccountEnding')),
    amount: filters.read('amount', parseAmountRange, consoleText('payments.noAmount')),
    creditorName: filters.read('name', parseNamePart, consoleText('payments.noName')),
    ...filters.period(),
    after: filters.position(),
  }
  return { partnerId, filter, state: { query, errors: filters.errors } }
}

const SIGNED: Readonly<Record<string, boolean | undefined>> = { yes: true, no: false }
