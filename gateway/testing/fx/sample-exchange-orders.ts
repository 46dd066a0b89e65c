/** Samples of orders of exchange that are valid unless told otherwise, and the days on which they may be due. */
import { dollarOrder } from '../../../contract/examples/fx.ts'
import type { ExchangeOrder } from '../../../contract/fx/exchange-order.ts'
import { nextBankDay } from '../../countries/bank-days.ts'
import type { WholeGateway } from '../gateway/test-gateway.ts'

let count = 0

/** An invoice in dollars that is due today, with an endToEndId of its own. */
export function exchangeOrder(
  gateway: Pick<WholeGateway, 'context'>,
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

/** Moves on to an hour (in Oslo) of the next day on which all banks are open, or of the next day that is a Saturday. */
export async function moveToHour(
  { client, context }: Pick<WholeGateway, 'client' | 'context'>,
  hour: string,
  day: 'bank day' | 'Saturday' = 'bank day',
): Promise<Temporal.PlainDate> {
  const tomorrow = context.clock.today('Europe/Oslo').add({ days: 1 })
  const found =
    day === 'bank day'
      ? nextBankDay(['NO', 'SE', 'DK', 'FI', 'TARGET'], tomorrow)
      : tomorrow.add({ days: (SATURDAY - tomorrow.dayOfWeek + 7) % 7 })
  const at = found.toZonedDateTime({ timeZone: 'Europe/Oslo', plainTime: hour })
  await client.moveSandboxClock({ body: { set: at.toInstant().toString() } })
  return found
}

const SATURDAY = 6
