/** What of a payment is looked for on its account, and for how long. */

import { carriedParts } from '../banks/carried-parts.ts'
import type { Bank } from '../banks/directory/bank.ts'
import { formOf } from '../countries/denmark/fik.ts'
import { messageOf } from '../orders/instructions/cross-border-message.ts'
import { executionDay } from '../orders/instructions/expected-execution-date.ts'
import type { PartnersPayment } from '../orders/payment.ts'
import type { Awaiting } from './match-entries.ts'

/** Banks book on the day of execution, or on one of the next days when they were closed or late. */
const BOOKED_WITHIN = { days: 10 }
/** An entry that names nothing but amount and receiver may be another payment's, and the more so the later it comes. */
const BOOKED_UNNAMED_WITHIN = { days: 5 }
/** Entries are shown a day or two after they were booked. */
const SHOWN_WITHIN = { days: 2 }
/** A signature given in the netbank is learnt of at the next reading, which outages may put off. */
const SIGNED_BEFORE_KNOWN = { days: 7 }

/** A payment that waits for its entry. */
export type Sought = PartnersPayment & Awaiting

/** Payments that can still be found on a day, with what tells them; whoever was not found in time is left to people. */
export function soughtOn(
  today: Temporal.PlainDate,
  payments: readonly PartnersPayment[],
  bank: Bank,
): readonly Sought[] {
  return payments
    .map((payment) => soughtAt(payment, bank))
    .filter(({ lastDay }) => Temporal.PlainDate.compare(today, lastDay.add(SHOWN_WITHIN)) <= 0)
}

/** A payment with what tells it among the entries on its account, on whichever day. */
export function soughtAt(payment: PartnersPayment, bank: Bank): Sought {
  return {
    ...payment,
    ...bookedWithin(payment, bank),
    sentId: carriedParts(bank).endToEndId(payment.endToEndId),
    texts: textsOf(payment),
  }
}

/** Nothing is booked before the due day, nor long before we learnt of the signature. */
function bookedWithin(payment: PartnersPayment, bank: Bank): Pick<Awaiting, 'firstDay' | 'lastDay' | 'lastDayUnnamed'> {
  const executed = executionDay(payment, bank, payment.createdAt)
  const signed = (payment.signedAt ?? payment.createdAt).toZonedDateTimeISO(bank.profile.timeZone).toPlainDate()
  const sooner = signed.subtract(SIGNED_BEFORE_KNOWN)
  return {
    firstDay: Temporal.PlainDate.compare(sooner, payment.dueDate) > 0 ? sooner : payment.dueDate,
    lastDay: executed.add(BOOKED_WITHIN),
    lastDayUnnamed: executed.add(BOOKED_UNNAMED_WITHIN),
  }
}

function textsOf(payment: PartnersPayment): readonly string[] {
  if (payment.type === 'CrossBorder') {
    return payment.exchange === null ? [messageOf(payment.ordered)] : []
  }
  const { remittanceInformation: told } = payment.ordered
  switch (told?.type) {
    case undefined:
      return []
    case 'fik': {
      const form = formOf(told)
      return [form?.paymentId, form?.message].flatMap((text) => text ?? [])
    }
    case 'message':
    case 'ocr':
      return [told.value]
  }
}
