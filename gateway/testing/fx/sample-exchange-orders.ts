/** Builds valid exchange orders with overrides, and lets time pass until possible due dates. */
import { dollarOrder } from '../../../contract/examples/fx.ts'
import type { ExchangeOrder } from '../../../contract/fx/exchange-order.ts'
import { nextBankDay } from '../../countries/bank-days.ts'
import { passUntil } from '../gateway/pass-time.ts'
import type { TestGateway } from '../gateway/test-gateway.ts'

let count = 0

/** A payment in dollars that is due today, with a unique endToEndId. */
export function exchangeOrder(
  gateway: Pick<TestGateway, 'context'>,
  changes: Partial<ExchangeOrder> = {},
): ExchangeOrder {
  count += 1
  return {
    ...dollarOrder,
    metadata: { ...dollarOrder.metadata, endToEndId: `FX-${process.pid}-${count}` },
    dueDate: gateway.context.clock.today('Europe/Oslo').toString(),
    ...changes,
  }
}

/** Lets time pass until an hour (in Oslo) of the next day on which all banks are open, or of the next Saturday. */
export async function moveToHour(
  gateway: TestGateway,
  hour: string,
  day: 'bank day' | 'Saturday' = 'bank day',
): Promise<Temporal.PlainDate> {
  const { clock } = gateway.context
  const tomorrow = clock.today('Europe/Oslo').add({ days: 1 })
  const found =
    day === 'bank day'
      ? nextBankDay(['NO', 'SE', 'DK', 'FI', 'TARGET'], tomorrow)
      : tomorrow.add({ days: (SATURDAY - tomorrow.dayOfWeek + 7) % 7 })
  const at = found.toZonedDateTime({ timeZone: 'Europe/Oslo', plainTime: hour })
  await passUntil(gateway, at.toInstant())
  return found
}

const SATURDAY = 6
