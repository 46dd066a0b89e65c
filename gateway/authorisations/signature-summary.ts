/** Describes what a user is shown and signs: lines whose values every language can format, stored as evidence. */
import { formatAmount, type Money, parseMoney } from '../platform/money.ts'

/** The kind of a line; pages have a text for each in every language. */
export type SummaryLabel =
  | 'amount'
  | 'receives'
  | 'rate'
  | 'sign-before'
  | 'to'
  | 'to-account'
  | 'through-account'
  | 'from-account'
  | 'date'
  | 'message'
  | 'reference'
  | 'company'
  | 'bank'
  | 'access'
  | 'until'
  | 'terms'
  | 'fingerprint'
  | 'payouts'

/**
 * An `amount` is `1250.00 NOK`, and so is `money` that is not totalled; a `day` is an ISO date, a `time` one with its
 * zone, `access` a text key of ours; anything else is shown unchanged, but for the numbers in a rate and of payouts.
 */
export type SummaryLine = {
  readonly label: SummaryLabel
  readonly value: string
  readonly kind: 'text' | 'amount' | 'money' | 'day' | 'time' | 'account' | 'access'
}

/** One item that is signed, line by line. */
export type SummaryItem = readonly SummaryLine[]

/** The line with the amount, which is highlighted. */
export function summaryAmount(money: Money): SummaryLine {
  return { label: 'amount', value: `${formatAmount(money)} ${money.currency}`, kind: 'amount' }
}

/** A line with a further amount. */
export function summaryMoney(label: 'receives', money: Money): SummaryLine {
  return { label, value: `${formatAmount(money)} ${money.currency}`, kind: 'money' }
}

/** A line with a deadline. */
export function summaryTime(label: 'sign-before', time: Temporal.ZonedDateTime): SummaryLine {
  return { label, value: time.toString({ smallestUnit: 'second' }), kind: 'time' }
}

export function summaryDay(label: 'date' | 'until', day: Temporal.PlainDate): SummaryLine {
  return { label, value: day.toString(), kind: 'day' }
}

/** A line of text. */
export function summaryText(
  label: 'to' | 'rate' | 'message' | 'reference' | 'company' | 'bank' | 'terms' | 'fingerprint' | 'payouts',
  value: string,
): SummaryLine {
  return { label, value, kind: 'text' }
}

/** What the items of a summary are: payrolls are shown each by its sum and count, because no page shows what an employee gets. */
export function summaryNounOf(items: readonly SummaryItem[]): 'payment' | 'payroll' {
  return items.some((item) => item.some(({ label }) => label === 'payouts')) ? 'payroll' : 'payment'
}

/** What is debited to one account in one currency. */
export type SummaryTotal = {
  readonly count: number
  readonly amount: SummaryLine
  readonly account: SummaryLine | undefined
}

/** The sums, one for each account and currency, because amounts in different currencies cannot be added. */
export function summaryTotals(items: readonly SummaryItem[]): readonly SummaryTotal[] {
  const totals = new Map<string, { count: number; minor: bigint; currency: string; account: SummaryLine | undefined }>()
  for (const item of items) {
    const account = item.find(({ label }) => label === 'from-account')
    for (const { value } of item.filter(({ kind }) => kind === 'amount')) {
      const [number = '', currency = ''] = value.split(' ')
      const { minor } = parseMoney(number, currency) ?? { minor: 0n }
      const key = `${account?.value} ${currency}`
      const before = totals.get(key) ?? { count: 0, minor: 0n, currency, account }
      totals.set(key, { ...before, count: before.count + 1, minor: before.minor + minor })
    }
  }
  return [...totals.values()].map(({ count, account, ...money }) => ({ count, account, amount: summaryAmount(money) }))
}

/** Who requests the signature, and for which company of which country; the country is empty where it is unknown. */
export type ScaSessionParties = Readonly<Record<'partnerName' | 'companyName' | 'countryCode', string>>

/** Who has signed a target that needs the signatures of several users. */
export type EarlierSignatures = {
  /** Whether the user of the session has. */
  readonly isOwn: boolean
  /** The ids of other users at the bank, masked; empty where the bank identified them, or where they signed elsewhere. */
  readonly others: readonly string[]
}
