/** Reads how the payments in a bulk stand, in whichever way a bank tells of them. */

import type { ElementObservation, KnownElement } from '../bulk-order.ts'
import { BankRefusal, isGone } from '../connector/bank-error.ts'
import type { BankCaller } from '../connector/connector.ts'
import { dialectOf } from '../standards/berlin-group/dialect.ts'
import { askOrder, askStatus } from '../standards/berlin-group/payments/order-operations.ts'
import { isOver, observeElement, placesOf } from '../standards/berlin-group/payments/translate-bulk.ts'
import { type BulkHeld, readBulkHeld } from '../standards/berlin-group/payments/wire-bulk.ts'
import type { Line } from '../standards/berlin-group/transport/bank-client.ts'
import { path } from '../standards/berlin-group/transport/send-request.ts'

/** A bank that has every payment asked about by itself is asked about so many in one go; the next go takes the others. */
const ASKED_MAX = 1_000
/** A part of what all processes together may have under way at a bank. */
const ASKED_AT_ONCE = 8
/** Whoever reads an order has a minute for it, the bulk itself included. */
const ASKING_SECONDS = 20

/** A bulk whose payments are asked about. */
export type BulkAskedAbout = {
  readonly product: string
  readonly bankPaymentId: string
  readonly elements: readonly KnownElement[]
}

/** Those that the bank told of now, by rising position; null where it tells of none. */
export async function readElements(
  line: Line,
  caller: BankCaller,
  bulk: BulkAskedAbout,
): Promise<readonly ElementObservation[] | null> {
  switch (caller.bank.profile.payroll?.elements) {
    case 'listed':
      return await readListed(line, caller, bulk)
    case 'own-ids':
      return await readOneByOne(line, caller, bulk)
    default:
      return null
  }
}

async function readListed(
  line: Line,
  caller: BankCaller,
  bulk: BulkAskedAbout,
): Promise<readonly ElementObservation[]> {
  const dialect = dialectOf(caller.bank.profile)
  const { payments = [] } = await askBulk(line, caller, bulk)
  return [...placesOf(payments, bulk.elements, dialect)]
    .flatMap(([position, { transactionStatus, paymentId, ...remarks }]) => {
      const elementId = paymentId ?? bulk.elements[position]?.elementId ?? null
      return transactionStatus === undefined
        ? []
        : [observeElement({ transactionStatus, ...remarks }, { position, elementId }, dialect)]
    })
    .sort(byPosition)
}

async function readOneByOne(
  line: Line,
  caller: BankCaller,
  bulk: BulkAskedAbout,
): Promise<readonly ElementObservation[]> {
  const asked = await withIds(line, caller, bulk, nextAsked(bulk.elements))
  const until = line.now().add({ seconds: ASKING_SECONDS })
  const told: ElementObservation[] = []
  for (let first = 0; first < asked.length && Temporal.Instant.compare(line.now(), until) < 0; first += ASKED_AT_ONCE) {
    const some = asked.slice(first, first + ASKED_AT_ONCE)
    const answers = await Promise.allSettled(some.map((one) => readOne(line, caller, bulk.product, one)))
    told.push(...answers.flatMap((answer) => (answer.status === 'fulfilled' ? [answer.value] : [])))
    const refusals = answers.flatMap((answer) => (answer.status === 'rejected' ? [answer.reason] : []))
    const [refusal] = refusals.filter((reason) => !isGone(reason))
    if (refusal !== undefined) {
      // What was told before counts all the same; the others are asked about another time.
      if (told.length === 0 || !(refusal instanceof BankRefusal)) {
        throw refusal
      }
      break
    }
  }
  return told.sort(byPosition)
}

type Asked = { readonly position: number; readonly elementId: string }

async function readOne(line: Line, caller: BankCaller, product: string, place: Asked): Promise<ElementObservation> {
  const where = path('payments', product, place.elementId)
  const answer = await askStatus(line, caller, { name: 'Payment', where })
  return observeElement(answer, place, dialectOf(caller.bank.profile))
}

/** Open ones, those longest unread first; once all are over, these again, since what was paid may come back. */
function nextAsked(elements: readonly KnownElement[]): readonly number[] {
  const positions = elements.map((_element, position) => position)
  const open = positions.filter((position) => !isOver(elements[position] ?? NEVER_READ))
  const readAt = (position: number) => elements[position]?.readAt?.epochMilliseconds ?? 0
  return (open.length > 0 ? open : positions)
    .toSorted((one, other) => readAt(one) - readAt(other) || one - other)
    .slice(0, ASKED_MAX)
}

const NEVER_READ = { status: null }

/** With the bank's ids, which are looked up in the bulk where they are not known yet. */
async function withIds(
  line: Line,
  caller: BankCaller,
  bulk: BulkAskedAbout,
  positions: readonly number[],
): Promise<readonly Asked[]> {
  const isKnown = positions.every((position) => bulk.elements[position]?.elementId != null)
  const { payments = [] } = isKnown ? {} : await askBulk(line, caller, bulk)
  const places = placesOf(payments, bulk.elements, dialectOf(caller.bank.profile))
  return positions.flatMap((position) => {
    const elementId = bulk.elements[position]?.elementId ?? places.get(position)?.paymentId ?? null
    return elementId === null ? [] : [{ position, elementId }]
  })
}

async function askBulk(line: Line, caller: BankCaller, bulk: BulkAskedAbout): Promise<BulkHeld> {
  const where = path('bulk-payments', bulk.product, bulk.bankPaymentId)
  return await askOrder(line, caller, { name: 'BulkPayment', where }, readBulkHeld)
}

function byPosition(one: ElementObservation, other: ElementObservation): number {
  return one.position - other.position
}
