/** What a user is shown of the things that are signed: lines whose values every language can word, kept as evidence. */
import { type Money, parseMoney, printAmount } from '../platform/money.ts'

/** What a line tells; pages have a word for each in every language. */
export type ShownLabel =
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
 * An `amount` is `1250.00 NOK`, and so is `money` that is not summed up; a `day` is an ISO date, a `time` one with its zone,
 * `access` a word of ours; anything else stands as it is.
 */
export type ShownLine = {
  readonly label: ShownLabel
  readonly value: string
  readonly kind: 'text' | 'amount' | 'money' | 'day' | 'time' | 'account' | 'access'
}

/** One thing that is signed, line by line. */
export type ShownThing = readonly ShownLine[]

/** The line that tells the money; the first that the eye must find. */
export function shownAmount(money: Money): ShownLine {
  return { label: 'amount', value: `${printAmount(money)} ${money.currency}`, kind: 'amount' }
}

/** A line that tells money besides. */
export function shownMoney(label: 'receives', money: Money): ShownLine {
  return { label, value: `${printAmount(money)} ${money.currency}`, kind: 'money' }
}

/** A line that tells until when something is to be done. */
export function shownTime(label: 'sign-before', time: Temporal.ZonedDateTime): ShownLine {
  return { label, value: time.toString({ smallestUnit: 'second' }), kind: 'time' }
}

/** A line that tells a day. */
export function shownDay(label: 'date' | 'until', day: Temporal.PlainDate): ShownLine {
  return { label, value: day.toString(), kind: 'day' }
}

/** A line that stands as it is. */
export function shownText(
  label: 'to' | 'rate' | 'message' | 'reference' | 'company' | 'bank' | 'terms' | 'fingerprint' | 'payouts',
  value: string,
): ShownLine {
  return { label, value, kind: 'text' }
}

/** Whether it is payrolls that are shown, each by its sum and number: what each person gets is on no page. */
export function isOfPayrolls(things: readonly ShownThing[]): boolean {
  return things.some((thing) => thing.some(({ label }) => label === 'payouts'))
}

/** What is taken from one account in one currency. */
export type ShownTotal = { readonly count: number; readonly amount: ShownLine; readonly account: ShownLine | undefined }

/** The sums of what is shown, one for each account and currency: no sum of different ones means anything. */
export function totalsOf(things: readonly ShownThing[]): readonly ShownTotal[] {
  const totals = new Map<string, { count: number; minor: bigint; currency: string; account: ShownLine | undefined }>()
  for (const thing of things) {
    const account = thing.find(({ label }) => label === 'from-account')
    for (const { value } of thing.filter(({ kind }) => kind === 'amount')) {
      const [number = '', currency = ''] = value.split(' ')
      const { minor } = parseMoney(number, currency) ?? { minor: 0n }
      const key = `${account?.value} ${currency}`
      const before = totals.get(key) ?? { count: 0, minor: 0n, currency, account }
      totals.set(key, { ...before, count: before.count + 1, minor: before.minor + minor })
    }
  }
  return [...totals.values()].map(({ count, account, ...money }) => ({ count, account, amount: shownAmount(money) }))
}
