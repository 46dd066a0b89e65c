/** Reads the filters of the list of payments from its URL. */
import { PaymentStatusValue } from '../../contract/shapes.ts'
import { isId } from '../../gateway/platform/ids.ts'
import { partnerFilterOf } from '../access/partner-filter.ts'
import type { ConsoleRequest } from '../console-route.ts'
import type { FilterState } from '../markup/filter-form.ts'
import { filterReader } from '../markup/filter-reader.ts'
import { type ListPosition, parsePosition } from '../markup/list-position.ts'
import { AFTER_PARAMETER } from '../markup/next-page.ts'
import { PARTNER_PARAMETER } from '../markup/partner-field.ts'
import { consoleText } from '../texts/console-texts.ts'

/** Days are business days of the console's time zone; the last one is included. */
export type PaymentFilter = {
  /** A payment id, or an endToEndId. */
  readonly search: { readonly id: string } | { readonly endToEndId: string } | undefined
  readonly status: PaymentStatusValue | undefined
  /** Whether all known signatures were given. */
  readonly signed: boolean | undefined
  readonly organisationNumber: string | undefined
  /** Of the account. Requires a period: no index has it. */
  readonly currency: string | undefined
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
      currencyIn(query),
      consoleText('payments.currencyNeedsDays', { days: DAYS_MAX }),
    ),
    ...filters.period(),
    after: filters.read(AFTER_PARAMETER, parsePosition, consoleText('filters.noPosition')),
  }
  return { partnerId, filter, state: { query, errors: filters.errors } }
}

const SIGNED: Readonly<Record<string, boolean | undefined>> = { yes: true, no: false }

const CURRENCY = /^[A-Z]{3}$/
/** A list of one currency reads all payments of its days. */
const DAYS_MAX = 31

/** Undefined for a text that is no code, or without a short period. */
function currencyIn(query: URLSearchParams): (text: string) => string | undefined {
  const { from, to } = filterReader(query).period()
  const isShort = from !== undefined && to !== undefined && from.until(to).days < DAYS_MAX
  return (text) => (CURRENCY.test(text) && isShort ? text : undefined)
}
