/** Reads the filters of the list of payments from its URL. */
import { PaymentStatusValue } from '../../contract/payments/payment-status.ts'
import { isId } from '../../gateway/platform/ids.ts'
import { currencyScale } from '../../gateway/platform/money.ts'
import { partnerFilterOf } from '../access/partner-filter.ts'
import type { ConsoleRequest } from '../console-route.ts'
import type { FilterState } from '../markup/filter-form.ts'
import { filterReader } from '../markup/filter-reader.ts'
import { type ListPosition, parsePosition } from '../markup/list-position.ts'
import { AFTER_PARAMETER } from '../markup/next-page.ts'
import { PARTNER_PARAMETER } from '../markup/partner-field.ts'
import { consoleText } from '../texts/console-texts.ts'
import { type AmountRange, parseAccountEnding, parseAmountRange, parseNamePart } from './payment-search-terms.ts'

/** Days are business days of the console's time zone; the last one is included. */
export type PaymentFilter = {
  /** A payment id, or an endToEndId. */
  readonly search: { readonly id: string } | { readonly endToEndId: string } | undefined
  readonly status: PaymentStatusValue | undefined
  /** Whether all known signatures were given. */
  readonly signed: boolean | undefined
  readonly organisationNumber: string | undefined
  readonly currency: string | undefined
  /** The last characters of the debtor's or the creditor's account number. */
  readonly accountEnding: string | undefined
  readonly amount: AmountRange | undefined
  /** A part of the creditor's name. */
  readonly creditorName: string | undefined
  readonly from: Temporal.PlainDate | undefined
  readonly to: Temporal.PlainDate | undefined
  readonly after: ListPosition | undefined
}

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
    after: filters.read(AFTER_PARAMETER, parsePosition, consoleText('filters.noPosition')),
  }
  return { partnerId, filter, state: { query, errors: filters.errors } }
}

const SIGNED: Readonly<Record<string, boolean | undefined>> = { yes: true, no: false }
